/* test_encoding.c - lanner_encoding.h: labels, decoders, encoders. Sniffing: test_sniffing.c; the
 * parser's own input functions: test_input.c. */
#include "encoding_reference.h"
#include "lanner_encoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decodes BYTES in pieces: the first of FIRST bytes, then PIECE bytes each, with output buffers of
 * ROOM bytes (0: large enough). No byte order marks. */
static void decode_pieces(lanner_encoding encoding, const void *bytes, size_t length, size_t first,
                          size_t piece, size_t room, struct bytes *out) {
  lanner_decoder d;
  lanner_decoder_init(&d, encoding, LANNER_BOM_KEEP, 0);
  const unsigned char *in = bytes;
  char small[64];
  char *large = malloc(lanner_decode_bound(length));
  if (!large) abort();
  char *to = room ? small : large;
  if (!room) room = lanner_decode_bound(length);
  size_t next = first;
  for (;;) {
    bool last = next >= length;
    if (last) next = length;
    size_t consumed, written;
    lanner_decode_status status = lanner_decode(&d, in, next, &consumed, to, room, &written, last);
    bytes_add(out, to, written);
    in += consumed;
    length -= consumed;
    next -= consumed;
    if (status == LANNER_DECODE_FULL) {
      if (!TEST_CHECK_MSG(consumed || written, "no progress")) break;
      continue;
    }
    if (!TEST_CHECK_MSG(next == 0, "DONE with %zu bytes left", next)) break;
    if (last) break;
    next = piece;
  }
  free(large);
}

static void decode_whole(lanner_encoding encoding, const void *bytes, size_t length,
                         struct bytes *out) {
  size_t room = lanner_decode_length(encoding, LANNER_BOM_KEEP, bytes, length);
  char *text = malloc(room + 1);
  if (!text) abort();
  size_t n = lanner_decode_whole(encoding, LANNER_BOM_KEEP, bytes, length, text, room);
  TEST_CHECK_MSG(n == room, "%s: %zu bytes, %zu announced", lanner_encoding_name(encoding), n,
                 room);
  bytes_add(out, text, n);
  free(text);
}

static void encode_whole(lanner_encoding encoding, const void *text, size_t length, unsigned flags,
                         size_t piece, struct bytes *out) {
  lanner_encoder e;
  lanner_encoder_init(&e, encoding, flags);
  const char *in = text;
  char to[64];
  for (;;) {
    size_t next = length < piece ? length : piece, consumed, written;
    bool last = next == length;
    lanner_encode_status status =
        lanner_encode(&e, in, next, &consumed, to, sizeof to, &written, last);
    bytes_add(out, to, written);
    in += consumed;
    length -= consumed;
    if (status == LANNER_ENCODE_UNMAPPABLE) bytes_add_format(out, "{%X}", (unsigned)e.unmappable);
    if (status == LANNER_ENCODE_DONE && last) break;
  }
}

static lanner_encoding label(const char *text) {
  return lanner_encoding_for_label(text, strlen(text));
}

/* --- labels --- */

void test_encoding_labels(void) {
  char *path = test_shared_path("encoding/encodings.json");
  if (!path) return;
  json_t *groups = read_json(path);
  free(path);
  size_t encodings = 0, labels = 0, g, e, l;
  json_t *group, *entry, *item;
  json_array_foreach(groups, g, group) {
    json_array_foreach(json_object_get(group, "encodings"), e, entry) {
      const char *name = json_string_value(json_object_get(entry, "name"));
      encodings++;
      json_array_foreach(json_object_get(entry, "labels"), l, item) {
        const char *text = json_string_value(item);
        labels++;
        char changed[64];
        int n = snprintf(changed, sizeof changed, " \t\n\f\r%s\r\f\n\t ", text);
        for (int i = 0; i < n; i += 2) {
          if (changed[i] >= 'a' && changed[i] <= 'z') changed[i] = (char)(changed[i] - 32);
        }
        const char *got = lanner_encoding_name(label(text));
        TEST_CHECK_MSG(got && strcmp(got, name) == 0, "%s: %s", text, got ? got : "none");
        TEST_CHECK_MSG(label(changed) == label(text), "%s: other case and spaces", text);
        snprintf(changed, sizeof changed, "%sx", text);
        TEST_CHECK_MSG(label(changed) == LANNER_ENCODING_NONE || strcmp(text, "koi8-r") == 0, "%s",
                       changed);
        snprintf(changed, sizeof changed, "%s%c", text, 0x0B);
        TEST_CHECK_MSG(label(changed) == LANNER_ENCODING_NONE, "%s and a vertical tab", text);
      }
    }
  }
  json_decref(groups);
  TEST_CHECK(encodings == LANNER_ENCODING_END - 1);
  TEST_CHECK(labels == LANNER_LABEL_COUNT);
  for (size_t i = 0; i < LANNER_LABEL_COUNT; i++) {
    lanner_encoding encoding;
    const char *text = lanner_encoding_label(i, &encoding);
    TEST_CHECK_MSG(label(text) == encoding, "label %zu", i);
  }
  TEST_CHECK(lanner_encoding_label(LANNER_LABEL_COUNT, NULL) == NULL);
  TEST_CHECK(lanner_encoding_for_label("", 0) == LANNER_ENCODING_NONE);
  TEST_CHECK(lanner_encoding_for_label("utf-8\0", 6) == LANNER_ENCODING_NONE);
  TEST_CHECK(label(" ") == LANNER_ENCODING_NONE);
  TEST_CHECK(label("a label that is much longer than any label there is") == LANNER_ENCODING_NONE);
  TEST_CHECK(lanner_encoding_name(LANNER_ENCODING_NONE) == NULL);
  TEST_CHECK(lanner_encoding_name((lanner_encoding)99) == NULL);
}

void test_encoding_suggestions(void) {
  static const struct {
    const char *label, *first;
  } rows[] = {
      {"utf-9", "utf8"},         {"UTF_8", "utf8"},
      {"latin-1", "latin1"},     {"windows1252", "windows-1252"},
      {"shiftjis", "shift_jis"}, {"gb-2312", "gb2312"},
      {"utf-8-", "utf8"},        {"iso-8859-22", "iso-8859-2"},
      {"utf8mb4", "utf8"},       {"widnows-1251", "windows-1251"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *found[4];
    size_t n = lanner_encoding_suggest(rows[i].label, strlen(rows[i].label), found, 4);
    if (!TEST_CHECK_MSG(n > 0, "nothing like %s", rows[i].label)) continue;
    TEST_CHECK_MSG(label(found[0]) == label(rows[i].first), "%s: %s, not %s", rows[i].label,
                   found[0], rows[i].first);
  }
  const char *found[4];
  TEST_CHECK(lanner_encoding_suggest("", 0, found, 4) == 0);
  TEST_CHECK(lanner_encoding_suggest("completely different", 20, found, 4) == 0);
  TEST_CHECK(lanner_encoding_suggest("utf-9", 5, found, 0) == 0);
}

/* --- the vectors of the shared data --- */

struct vector {
  const char *file, *encoding;
};
static const struct vector vectors_in[] = {
    {"big5_in", "Big5"},      {"euc_kr_in", "EUC-KR"},           {"gb18030_in", "gb18030"},
    {"gb18030_in", "GBK"},    {"iso_2022_jp_in", "ISO-2022-JP"}, {"jis0208_in", "EUC-JP"},
    {"jis0212_in", "EUC-JP"}, {"shift_jis_in", "Shift_JIS"},
};
static const struct vector vectors_out[] = {
    {"big5_out", "Big5"},      {"euc_kr_out", "EUC-KR"},           {"gb18030_out", "gb18030"},
    {"jis0208_out", "EUC-JP"}, {"iso_2022_jp_out", "ISO-2022-JP"}, {"shift_jis_out", "Shift_JIS"},
};

static bool read_vector(const char *file, const char *suffix, struct bytes *into) {
  char rel[64];
  snprintf(rel, sizeof rel, "encoding/tests/%s%s.txt", file, suffix);
  char *path = test_shared_path(rel);
  bool ok = path && read_file(path, into);
  free(path);
  return ok;
}

void test_encoding_vectors_decode(void) {
  struct bytes in = {0}, expected = {0}, out = {0};
  for (size_t i = 0; i < sizeof vectors_in / sizeof *vectors_in; i++) {
    const struct vector *v = &vectors_in[i];
    lanner_encoding encoding = label(v->encoding);
    if (!read_vector(v->file, "", &in) || !read_vector(v->file, "_ref", &expected)) break;
    bytes_clear(&out);
    decode_whole(encoding, in.data, in.length, &out);
    TEST_CHECK_MSG(bytes_equal(&out, &expected), "%s: %s", v->file, difference(&out, &expected));
    static const size_t pieces[][3] = {
        {1, 1, 0}, {1, 1, 8}, {7, 3, 5}, {4096, 4096, 0}, {1, 64, 8}};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
      bytes_clear(&out);
      decode_pieces(encoding, in.data, in.length, pieces[p][0], pieces[p][1], pieces[p][2], &out);
      TEST_CHECK_MSG(bytes_equal(&out, &expected), "%s in pieces of %zu: %s", v->file, pieces[p][1],
                     difference(&out, &expected));
    }
  }
  bytes_free(&in), bytes_free(&expected), bytes_free(&out);
}

/* Where line number N of TEXT starts. */
static size_t line_start(const struct bytes *text, size_t n) {
  size_t at = 0;
  for (; n && at < text->length; at++) n -= text->data[at] == '\n';
  return at;
}

void test_encoding_vectors_cuts(void) {
  struct bytes in = {0}, expected = {0}, out = {0};
  for (size_t i = 0; i < sizeof vectors_in / sizeof *vectors_in; i++) {
    const struct vector *v = &vectors_in[i];
    lanner_encoding encoding = label(v->encoding);
    if (!read_vector(v->file, "", &in) || !read_vector(v->file, "_ref", &expected)) break;
    /* A window of whole lines of about 4 KB in the middle. */
    size_t lines = 0, middle, end;
    for (size_t k = 0; k < in.length / 2; k++) lines += in.data[k] == '\n';
    middle = line_start(&in, lines);
    size_t count = lines;
    for (end = middle; end < in.length && end - middle < 4096; end++) count += in.data[end] == '\n';
    end = line_start(&in, count);
    size_t from = line_start(&expected, lines), to = line_start(&expected, count);
    const char *text = in.data + middle;
    size_t length = end - middle;
    size_t step = test_full_effort() ? 1 : 61;
    for (size_t cut = 0; cut <= length; cut += step) {
      bytes_clear(&out);
      decode_pieces(encoding, text, length, cut, length, 0, &out);
      if (!TEST_CHECK_MSG(bytes_are(&out, expected.data + from, to - from), "%s cut at %zu",
                          v->file, middle + cut)) {
        break;
      }
    }
  }
  bytes_free(&in), bytes_free(&expected), bytes_free(&out);
}

void test_encoding_vectors_encode(void) {
  struct bytes in = {0}, expected = {0}, out = {0};
  for (size_t i = 0; i < sizeof vectors_out / sizeof *vectors_out; i++) {
    const struct vector *v = &vectors_out[i];
    if (!read_vector(v->file, "", &in) || !read_vector(v->file, "_ref", &expected)) break;
    for (size_t piece = 1; piece < 100000; piece *= 10) {
      bytes_clear(&out);
      encode_whole(label(v->encoding), in.data, in.length, LANNER_ENCODE_HTML, piece, &out);
      TEST_CHECK_MSG(bytes_equal(&out, &expected), "%s: %s", v->file, difference(&out, &expected));
    }
  }
  bytes_free(&in), bytes_free(&expected), bytes_free(&out);
}

/* --- the indexes --- */

/* The bytes of POINTER, 0 when this encoding has none for it. ISO-2022-JP: with its escapes. */
static size_t pointer_bytes(lanner_encoding encoding, size_t pointer, unsigned char *b) {
  size_t row, cell;
  switch (encoding) {
  case LANNER_ENCODING_BIG5:
    row = pointer / 157, cell = pointer % 157;
    b[0] = (unsigned char)(0x81 + row);
    b[1] = (unsigned char)(cell + (cell < 0x3F ? 0x40 : 0x62));
    return 2;
  case LANNER_ENCODING_EUC_KR:
    b[0] = (unsigned char)(0x81 + pointer / 190);
    b[1] = (unsigned char)(0x41 + pointer % 190);
    return 2;
  case LANNER_ENCODING_GBK:
  case LANNER_ENCODING_GB18030:
    row = pointer / 190, cell = pointer % 190;
    b[0] = (unsigned char)(0x81 + row);
    b[1] = (unsigned char)(cell + (cell < 0x3F ? 0x40 : 0x41));
    return 2;
  case LANNER_ENCODING_SHIFT_JIS:
    row = pointer / 188, cell = pointer % 188;
    b[0] = (unsigned char)(row + (row < 0x1F ? 0x81 : 0xC1));
    b[1] = (unsigned char)(cell + (cell < 0x3F ? 0x40 : 0x41));
    return 2;
  case LANNER_ENCODING_EUC_JP:
    if (pointer >= 8836) return 0;
    b[0] = (unsigned char)(0xA1 + pointer / 94);
    b[1] = (unsigned char)(0xA1 + pointer % 94);
    return 2;
  case LANNER_ENCODING_ISO_2022_JP:
    if (pointer >= 8836) return 0;
    memcpy(b, "\x1B$B", 3);
    b[3] = (unsigned char)(0x21 + pointer / 94);
    b[4] = (unsigned char)(0x21 + pointer % 94);
    memcpy(b + 5, "\x1B(B", 3);
    return 8;
  default: b[0] = (unsigned char)(0x80 + pointer); return 1;
  }
}

/* How many entries of an index do not come back to their bytes, by the Standard: two pointers with
 * one character, and Big5's lower rows, which are only decoded. */
struct index_facts {
  const char *encoding, *index;
  size_t entries, lost;
};

static void check_index(const struct index_facts *facts) {
  size_t count, entries = 0, lost = 0;
  const uint32_t *cells = reference_index(facts->index, &count);
  if (!cells) return;
  lanner_encoding encoding = label(facts->encoding);
  struct bytes out = {0}, back = {0}, expected = {0};
  for (size_t pointer = 0; pointer < count; pointer++) {
    unsigned char b[8];
    size_t n = pointer_bytes(encoding, pointer, b);
    if (!cells[pointer] || n == 0) continue;
    entries++;
    bytes_clear(&out), bytes_clear(&back), bytes_clear(&expected);
    decode_whole(encoding, b, n, &out);
    bytes_add_code_point(&expected, cells[pointer]);
    TEST_CHECK_MSG(bytes_equal(&out, &expected), "%s: pointer %zu", facts->encoding, pointer);
    encode_whole(encoding, out.data, out.length, LANNER_ENCODE_HTML, 100, &back);
    if (!bytes_are(&back, (const char *)b, n)) {
      lost++;
      /* What else comes out must decode to the same character, or be a reference. */
      bytes_clear(&out);
      decode_whole(encoding, back.data, back.length, &out);
      TEST_CHECK_MSG(bytes_equal(&out, &expected) || out.data[0] == '&', "%s: pointer %zu",
                     facts->encoding, pointer);
    }
  }
  TEST_CHECK_MSG(entries == facts->entries && lost == facts->lost,
                 "%s: %zu entries, %zu of them do not come back; expected %zu and %zu",
                 facts->encoding, entries, lost, facts->entries, facts->lost);
  bytes_free(&out), bytes_free(&back), bytes_free(&expected);
}

void test_encoding_indexes(void) {
  static const struct index_facts facts[] = {
      {"Big5", "big5", 18590, 3937},        {"EUC-KR", "euc-kr", 17048, 0},
      {"GBK", "gb18030", 23940, 2}, /* U+20AC is one byte */
      {"gb18030", "gb18030", 23940, 1},     {"EUC-JP", "jis0208", 7336, 10},
      {"ISO-2022-JP", "jis0208", 7336, 10}, {"Shift_JIS", "jis0208", 7724, 398},
  };
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) check_index(&facts[i]);
  size_t count;
  for (lanner_encoding e = LANNER_ENCODING_IBM866; e <= LANNER_ENCODING_X_MAC_CYRILLIC; e++) {
    /* All single-byte indexes come back whole; a byte without entry is one error. */
    struct index_facts one = {lanner_encoding_name(e), NULL, 0, 0};
    char name[32];
    snprintf(name, sizeof name, "%s", one.encoding);
    for (char *p = name; *p; p++) *p = (char)(*p >= 'A' && *p <= 'Z' ? *p | 0x20 : *p);
    one.index = e == LANNER_ENCODING_ISO_8859_8_I ? "iso-8859-8" : name;
    const uint32_t *cells = reference_index(one.index, &count);
    if (!cells) return;
    for (size_t i = 0; i < count; i++) one.entries += cells[i] != 0;
    check_index(&one);
    for (size_t i = 0; i < 128; i++) {
      if (i < count && cells[i]) continue;
      unsigned char b = (unsigned char)(0x80 + i);
      struct bytes out = {0};
      decode_whole(e, &b, 1, &out);
      TEST_CHECK_MSG(bytes_are(&out, "\xEF\xBF\xBD", 3), "%s: byte %02X", one.encoding, b);
      bytes_free(&out);
    }
  }
  /* jis0212 is decoded only: no encoder has it. */
  const uint32_t *cells = reference_index("jis0212", &count);
  size_t entries = 0;
  for (size_t pointer = 0; cells && pointer < count; pointer++) {
    unsigned char b[3] = {0x8F, (unsigned char)(0xA1 + pointer / 94),
                          (unsigned char)(0xA1 + pointer % 94)};
    struct bytes out = {0}, expected = {0};
    if (!cells[pointer]) continue;
    entries++;
    decode_whole(LANNER_ENCODING_EUC_JP, b, 3, &out);
    bytes_add_code_point(&expected, cells[pointer]);
    TEST_CHECK_MSG(bytes_equal(&out, &expected), "jis0212: pointer %zu", pointer);
    bytes_free(&out), bytes_free(&expected);
  }
  TEST_CHECK(entries == 6067);
  reference_free();
}

/* Every code point through gb18030 and UTF-8 and back. */
void test_encoding_all_code_points(void) {
  struct bytes text = {0}, there = {0}, back = {0};
  for (uint32_t code = 0; code < 0x110000; code++) {
    if (code == 0xD800) code = 0xE000;
    if (code != 0xE5E5) bytes_add_code_point(&text, code);
  }
  encode_whole(LANNER_ENCODING_GB18030, text.data, text.length, LANNER_ENCODE_FATAL, 50, &there);
  decode_whole(LANNER_ENCODING_GB18030, there.data, there.length, &back);
  /* The eighteen that GB18030-2022 moved are encoded like the characters they have become. */
  size_t different = 0;
  for (size_t i = 0; i < text.length && i < back.length; i++) {
    different += ((unsigned char)text.data[i] & 0xC0) != 0x80 &&
                 memcmp(text.data + i, back.data + i, 3) != 0;
    if (text.length != back.length) break;
  }
  TEST_CHECK(text.length == back.length);
  TEST_CHECK_MSG(different == 18, "%zu code points do not come back", different);
  bytes_clear(&there);
  encode_whole(LANNER_ENCODING_UTF_8, text.data, text.length, LANNER_ENCODE_FATAL, 50, &there);
  TEST_CHECK(bytes_equal(&there, &text));
  bytes_clear(&there);
  decode_whole(LANNER_ENCODING_UTF_8, text.data, text.length, &there);
  TEST_CHECK(bytes_equal(&there, &text));
  bytes_free(&text), bytes_free(&there), bytes_free(&back);
}

/* --- against the Standard's algorithms --- */

/* Bytes that mean much to the encodings, more often than the others. */
static unsigned char random_byte(uint64_t *state) {
  static const unsigned char special[] = "\x1B\x1B\x1B$$((BJI@\x0E\x0F\x80\x81\x8E\x8F\xA0\xA1\xFC"
                                         "\xFD\xFE\xFF\xD8\xDC\xE0\xED\xF0\xF4\xC2\x00 0909\\~\n";
  uint64_t r = random_next(state);
  switch (r & 3) {
  case 0: return special[(r >> 8) % (sizeof special - 1)];
  case 1: return (unsigned char)(0x80 | r >> 8);
  case 2: return (unsigned char)(0x21 + (r >> 8) % 94);
  default: return (unsigned char)(r >> 8);
  }
}

void test_encoding_against_standard(void) {
  uint64_t state = 20261130;
  struct bytes out = {0}, expected = {0};
  unsigned char bytes[700];
  int rounds = test_full_effort() ? 400 : 40;
  for (lanner_encoding e = LANNER_ENCODING_UTF_8; e < LANNER_ENCODING_END; e++) {
    const char *name = lanner_encoding_name(e);
    for (int round = 0; round < rounds; round++) {
      size_t length = random_next(&state) % (round & 1 ? sizeof bytes : 24);
      for (size_t i = 0; i < length; i++) bytes[i] = random_byte(&state);
      /* Now and then a stretch of ASCII, for the vector loops. */
      if (length > 300) memset(bytes + 100, 'a', random_next(&state) % 100);
      bytes_clear(&out), bytes_clear(&expected);
      if (!reference_decode(name, bytes, length, &expected)) return;
      decode_whole(e, bytes, length, &out);
      if (!TEST_CHECK_MSG(bytes_equal(&out, &expected), "%s: %s: %s", name,
                          shown((char *)bytes, length), difference(&out, &expected))) {
        break;
      }
      for (int way = 0; way < 3; way++) {
        bytes_clear(&out);
        decode_pieces(e, bytes, length, random_next(&state) % (length + 1),
                      way == 2 ? length + 1 : (size_t)way * 4 + 1, way ? 0 : 8, &out);
        TEST_CHECK_MSG(bytes_equal(&out, &expected), "%s in pieces: %s: %s", name,
                       shown((char *)bytes, length), difference(&out, &expected));
      }
    }
  }
  bytes_free(&out), bytes_free(&expected);
  reference_free();
}

/* All pairs and, for the encodings that have longer sequences, many triples of bytes. */
void test_encoding_all_pairs(void) {
  static const char *const names[] = {"UTF-8",       "GBK",       "Big5",   "EUC-JP",
                                      "ISO-2022-JP", "Shift_JIS", "EUC-KR", "UTF-16LE"};
  struct bytes in = {0}, out = {0}, expected = {0};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    bytes_clear(&in), bytes_clear(&out), bytes_clear(&expected);
    for (unsigned pair = 0; pair < 0x10000; pair++) {
      unsigned char b[4] = {(unsigned char)(pair >> 8), (unsigned char)pair, '\n', '\n'};
      bytes_add(&in, b, sizeof b);
    }
    if (!reference_decode(names[n], (unsigned char *)in.data, in.length, &expected)) return;
    decode_whole(label(names[n]), in.data, in.length, &out);
    TEST_CHECK_MSG(bytes_equal(&out, &expected), "%s: %s", names[n], difference(&out, &expected));
  }
  bytes_free(&in), bytes_free(&out), bytes_free(&expected);
  reference_free();
}

/* --- single cases --- */

void test_encoding_malformed(void) {
#define BAD "\xEF\xBF\xBD"
  static const struct {
    const char *encoding, *bytes;
    size_t length;
    const char *text;
  } rows[] = {
#define ROW(encoding, bytes, text) {encoding, bytes, sizeof bytes - 1, text}
      ROW("UTF-8", "a\xC0\x80z", "a" BAD BAD "z"),
      ROW("UTF-8", "\xE2\x82", BAD),
      ROW("UTF-8", "\xE2\x82z", BAD "z"),
      ROW("UTF-8", "\xF0\x9F\x98", BAD),
      ROW("UTF-8", "\xF0\x9F\x98\xF0\x9F\x98\x80", BAD "\xF0\x9F\x98\x80"),
      ROW("UTF-8", "\xED\xA0\x80", BAD BAD BAD),
      ROW("UTF-8", "\xF4\x90\x80\x80", BAD BAD BAD BAD),
      ROW("UTF-8", "\xEF\xBB\xBFx", "\xEF\xBB\xBFx"),
      ROW("UTF-16LE", "a", BAD),
      ROW("UTF-16LE", "a\0b", "a" BAD),
      ROW("UTF-16LE", "\x3D\xD8", BAD),
      ROW("UTF-16LE", "\x3D\xD8\x00", BAD),
      ROW("UTF-16LE", "\x3D\xD8\x00\xDE", "\xF0\x9F\x98\x80"),
      ROW("UTF-16LE", "\x3D\xD8\x3D\xD8\x00\xDE", BAD "\xF0\x9F\x98\x80"),
      ROW("UTF-16BE", "\xDE\x00\0z", BAD "z"),
      ROW("UTF-16BE", "\xD8\x3D\0z\0", BAD "z" BAD),
      ROW("GBK", "\x81", BAD),
      ROW("GBK", "\x80\xFF", "\xE2\x82\xAC" BAD),
      ROW("gb18030", "\x81\x30\x81", BAD),
      ROW("gb18030", "\x81\x30\x81z", BAD "0\xE4\xBA\x83"),
      ROW("gb18030", "\x81\x30z", BAD "0z"),
      ROW("gb18030", "\xFE\x39\xFE\x39", BAD),
      ROW("gb18030", "\x84\x31\xA5\x30", BAD),
      ROW("gb18030", "\x81\x35\xF4\x37", "\xEE\x9F\x87"),
      ROW("gb18030", "\x90\x30\x81\x30", "\xF0\x90\x80\x80"),
      ROW("Big5", "\x88\x62\x88\x64\x88\xA3\x88\xA5",
          "\xC3\x8A\xCC\x84\xC3\x8A\xCC\x8C\xC3\xAA\xCC\x84\xC3\xAA\xCC\x8C"),
      ROW("Big5", "\x81<", BAD "<"),
      ROW("Big5", "\x81\x80", BAD),
      ROW("EUC-JP", "\x8E<", BAD "<"),
      ROW("EUC-JP", "\x8F\xA1<", BAD "<"),
      ROW("EUC-JP", "\x8F\xA1", BAD),
      ROW("EUC-JP", "\x8E\xB1\x8E\xE0", "\xEF\xBD\xB1" BAD),
      ROW("Shift_JIS", "\x80\xA0\xFD\x81<", "\xC2\x80" BAD BAD BAD "<"),
      ROW("Shift_JIS", "\xF0\x40\xF9\xFC", "\xEE\x80\x80\xEE\x9D\x97"),
      ROW("Shift_JIS", "\\~", "\\~"),
      ROW("ISO-2022-JP", "\x1B", BAD),
      ROW("ISO-2022-JP", "\x1B$", BAD "$"),
      ROW("ISO-2022-JP", "\x1B$B\x1B(Bx", BAD "x"),
      ROW("ISO-2022-JP", "\x1B$B$", BAD),
      ROW("ISO-2022-JP", "\x1B$B$\x1B(Bx", BAD "x"),
      ROW("ISO-2022-JP", "\x1B(J\\~\x1B(B\\~", "\xC2\xA5\xE2\x80\xBE\\~"),
      ROW("ISO-2022-JP", "\x1B(I1\x60", "\xEF\xBD\xB1" BAD),
      ROW("ISO-2022-JP", "\x0E\x0F\x80", BAD BAD BAD),
      ROW("ISO-2022-JP", "\x1B(Ba\x1B(Bb", "ab"),
      ROW("replacement", "anything at all", BAD),
      ROW("replacement", "", ""),
      ROW("x-user-defined", "a\x80\xFF", "a\xEF\x9E\x80\xEF\x9F\xBF"),
      ROW("windows-1252", "\x80\x81\x93", "\xE2\x82\xAC\xC2\x81\xE2\x80\x9C"),
      ROW("windows-1255", "\xD9\xE0", BAD "\xD7\x90"),
#undef ROW
  };
  struct bytes out = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    lanner_encoding encoding = label(rows[i].encoding);
    for (size_t piece = 0; piece < 3; piece++) {
      bytes_clear(&out);
      if (piece) {
        decode_pieces(encoding, rows[i].bytes, rows[i].length, piece, piece, 8, &out);
      } else {
        decode_whole(encoding, rows[i].bytes, rows[i].length, &out);
      }
      TEST_CHECK_MSG(bytes_are(&out, rows[i].text, strlen(rows[i].text)), "row %zu, %s: %s", i,
                     rows[i].encoding, shown(out.data, out.length));
    }
    /* FATAL stops where the first error ends; going on gives the rest. */
    lanner_decoder d;
    lanner_decoder_init(&d, encoding, LANNER_BOM_KEEP, LANNER_DECODE_FATAL);
    char text[64];
    size_t at = 0, n = 0, consumed, written;
    lanner_decode_status status;
    do {
      status = lanner_decode(&d, rows[i].bytes + at, rows[i].length - at, &consumed, text + n,
                             sizeof text - n, &written, true);
      at += consumed, n += written;
      if (status == LANNER_DECODE_MALFORMED) memcpy(text + n, BAD, 3), n += 3;
    } while (status != LANNER_DECODE_DONE);
    TEST_CHECK_MSG(n == strlen(rows[i].text) && memcmp(text, rows[i].text, n) == 0,
                   "row %zu, fatal: %s", i, shown(text, n));
    TEST_CHECK(lanner_decoder_malformed(&d) == (strstr(rows[i].text, BAD) != NULL));
  }
  bytes_free(&out);
#undef BAD
}

void test_encoding_marks(void) {
  static const struct {
    const char *encoding, *bytes;
    size_t length;
    lanner_bom bom;
    const char *text, *used;
  } rows[] = {
#define ROW(encoding, bytes, bom, text, used)                                                      \
  {encoding, bytes, sizeof bytes - 1, LANNER_BOM_##bom, text, used}
      ROW("windows-1252", "\xEF\xBB\xBF\xC3\xA4", SNIFF, "\xC3\xA4", "UTF-8"),
      ROW("UTF-8", "\xFE\xFF\0a", SNIFF, "a", "UTF-16BE"),
      ROW("UTF-8",
          "\xFF\xFE"
          "a\0",
          SNIFF, "a", "UTF-16LE"),
      ROW("UTF-8", "\xEF\xBB", SNIFF, "\xEF\xBF\xBD", "UTF-8"),
      ROW("windows-1252", "\xEF\xBB<", SNIFF, "\xC3\xAF\xC2\xBB<", "windows-1252"),
      ROW("windows-1252", "\xEF", SNIFF, "\xC3\xAF", "windows-1252"),
      ROW("windows-1252", "\xFF", SNIFF, "\xC3\xBF", "windows-1252"),
      ROW("windows-1252", "\xEF\xBB\xBF", REMOVE, "\xC3\xAF\xC2\xBB\xC2\xBF", "windows-1252"),
      ROW("UTF-8", "\xEF\xBB\xBF\xEF\xBB\xBF", REMOVE, "\xEF\xBB\xBF", "UTF-8"),
      ROW("UTF-8", "\xFF\xFE", REMOVE, "\xEF\xBF\xBD\xEF\xBF\xBD", "UTF-8"),
      ROW("UTF-16BE", "\xFE\xFF\0a", REMOVE, "a", "UTF-16BE"),
      ROW("UTF-16BE", "\xFF\xFE\0a", REMOVE,
          "\xEF\xBF\xBE"
          "a",
          "UTF-16BE"),
      ROW("UTF-16LE",
          "\xFF\xFE"
          "a\0",
          KEEP,
          "\xEF\xBB\xBF"
          "a",
          "UTF-16LE"),
      ROW("UTF-8", "", SNIFF, "", "UTF-8"),
#undef ROW
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (size_t piece = 1; piece < 8; piece++) {
      lanner_decoder d;
      lanner_decoder_init(&d, label(rows[i].encoding), rows[i].bom, 0);
      char text[64];
      size_t at = 0, n = 0, consumed, written;
      bool last;
      do {
        size_t left = rows[i].length - at, next = left < piece ? left : piece;
        last = next == left;
        lanner_decode(&d, rows[i].bytes + at, next, &consumed, text + n, sizeof text - n, &written,
                      last);
        at += consumed, n += written;
      } while (!last);
      TEST_CHECK_MSG(n == strlen(rows[i].text) && memcmp(text, rows[i].text, n) == 0,
                     "row %zu in pieces of %zu: %s", i, piece, shown(text, n));
      TEST_CHECK(strcmp(lanner_encoding_name(lanner_decoder_encoding(&d)), rows[i].used) == 0);
    }
  }
}

void test_encoding_encode_cases(void) {
  static const struct {
    const char *encoding, *text;
    unsigned flags;
    const char *bytes;
  } rows[] = {
      {"windows-1252", "a\xE2\x82\xAC\xC3\xA4", LANNER_ENCODE_HTML, "a\x80\xE4"},
      {"windows-1252", "\xE6\xBC\xA2z", LANNER_ENCODE_HTML, "&#28450;z"},
      {"windows-1252", "\xE6\xBC\xA2z", LANNER_ENCODE_FATAL, "{6F22}z"},
      {"UTF-16LE", "\xC3\xA4", LANNER_ENCODE_HTML, "\xC3\xA4"},
      {"replacement", "\xC3\xA4", LANNER_ENCODE_HTML, "\xC3\xA4"},
      {"UTF-8", "\xC3(\xED\xA0\x80", LANNER_ENCODE_HTML,
       "\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"x-user-defined", "\xEF\x9E\x80\xEF\x9F\xBF\xC3\xA4", LANNER_ENCODE_HTML, "\x80\xFF&#228;"},
      {"GBK", "\xE2\x82\xAC\xF0\x9F\x98\x80", LANNER_ENCODE_HTML, "\x80&#128512;"},
      {"gb18030", "\xE2\x82\xAC\xEE\x9F\x87\xEE\x97\xA5\xEE\xA0\x9E", LANNER_ENCODE_HTML,
       "\xA2\xE3\x81\x35\xF4\x37&#58853;\xFE\x59"},
      {"Shift_JIS", "\xC2\xA5\xE2\x80\xBE\xE2\x88\x92\xC2\x80", LANNER_ENCODE_HTML,
       "\\~\x81\x7C\x80"},
      {"EUC-JP", "\xC2\xA5\xE2\x80\xBE\xE2\x88\x92\xEF\xBD\xB1", LANNER_ENCODE_HTML,
       "\\~\xA1\xDD\x8E\xB1"},
      {"ISO-2022-JP", "a\xE3\x81\x82z", LANNER_ENCODE_HTML, "a\x1B$B$\"\x1B(Bz"},
      {"ISO-2022-JP", "\xE3\x81\x82", LANNER_ENCODE_HTML, "\x1B$B$\"\x1B(B"},
      {"ISO-2022-JP",
       "\xC2\xA5"
       "a\\",
       LANNER_ENCODE_HTML, "\x1B(J\\a\x1B(B\\"},
      {"ISO-2022-JP", "\xE3\x81\x82\xC3\xA4", LANNER_ENCODE_HTML, "\x1B$B$\"\x1B(B&#228;"},
      {"ISO-2022-JP", "\xC2\xA5\xC3\xA4", LANNER_ENCODE_HTML, "\x1B(J\\&#228;\x1B(B"},
      {"ISO-2022-JP", "\xE3\x81\x82\xC3\xA4", LANNER_ENCODE_FATAL, "\x1B$B$\"\x1B(B{E4}"},
      {"ISO-2022-JP", "\x1B\x0E", LANNER_ENCODE_HTML, "&#65533;&#65533;"},
      {"ISO-2022-JP", "\xEF\xBD\xB1", LANNER_ENCODE_HTML, "\x1B$B%\"\x1B(B"},
      {"Big5", "\xE5\x8D\x81", LANNER_ENCODE_HTML, "\xA4\x51"},
  };
  struct bytes out = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (size_t piece = 1; piece < 5; piece++) {
      bytes_clear(&out);
      encode_whole(label(rows[i].encoding), rows[i].text, strlen(rows[i].text), rows[i].flags,
                   piece, &out);
      TEST_CHECK_MSG(bytes_are(&out, rows[i].bytes, strlen(rows[i].bytes)), "row %zu: %s", i,
                     shown(out.data, out.length));
    }
  }
  bytes_free(&out);
}

/* Floods of one bad thing: the right output. What they cost: tests/bombs. */
void test_encoding_floods(void) {
  static const struct {
    const char *encoding, *unit;
    size_t length, bad; /* of the unit: bytes, U+FFFD */
  } rows[] = {
      {"UTF-8", "\xFF", 1, 1},         {"UTF-8", "\xE2\x82", 2, 1},
      {"UTF-8", "\xF0\x9F\x98", 3, 1}, {"UTF-8", "\x80", 1, 1},
      {"UTF-16LE", "\x00\xD8", 2, 1},  {"UTF-16BE", "\xDC\x00", 2, 1},
      {"gb18030", "\xFF", 1, 1},       {"gb18030", "\x81\x30\x81\xFF", 4, 2},
      {"Big5", "\x80", 1, 1},          {"EUC-JP", "\x8F\xA1\xFF", 3, 1},
      {"EUC-KR", "\xFF", 1, 1},        {"Shift_JIS", "\xA0", 1, 1},
      {"ISO-2022-JP", "\x1B", 1, 1},   {"ISO-2022-JP", "\x1B$B", 3, 1},
      {"ISO-2022-JP", "\x1B(", 2, 1},  {"windows-1253", "\xAA", 1, 1},
      {"replacement", "\xFF", 1, 0},
  };
  size_t size = test_full_effort() ? 12 << 20 : 1 << 20;
  char *in = malloc(size), *out = malloc(lanner_decode_bound(size));
  if (!in || !out) abort();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t units = size / rows[i].length;
    for (size_t k = 0; k < units; k++)
      memcpy(in + k * rows[i].length, rows[i].unit, rows[i].length);
    lanner_decoder d;
    lanner_decoder_init(&d, label(rows[i].encoding), LANNER_BOM_KEEP, 0);
    /* In halves: the border must not make a difference either. */
    size_t consumed, written, total = 0, half = units / 2 * rows[i].length + 1;
    lanner_decode(&d, in, half, &consumed, out, lanner_decode_bound(size), &written, false);
    TEST_CHECK(consumed == half);
    total += written;
    lanner_decode(&d, in + half, units * rows[i].length - half, &consumed, out + total,
                  lanner_decode_bound(size) - total, &written, true);
    total += written;
    size_t bad = 0;
    for (size_t k = 0; k + 2 < total; k++) bad += memcmp(out + k, "\xEF\xBF\xBD", 3) == 0;
    size_t expected = units * rows[i].bad;
    /* The first escape sequence of a flood is none too many; the replacement is one for all. */
    if (strcmp(rows[i].unit, "\x1B$B") == 0) expected--;
    if (rows[i].bad == 0) expected = 1;
    TEST_CHECK_MSG(bad == expected, "row %zu, %s: %zu U+FFFD, not %zu", i, rows[i].encoding, bad,
                   expected);
  }
  free(in), free(out);
}
