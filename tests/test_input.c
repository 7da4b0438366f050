/* test_input.c - the parser's own input functions: the vector check in all its variants, newlines,
 * the byte stream and the way back from its offsets. They are internal, so the sources are included
 * here once more, as a private copy. */
#define LANNER_API static UNUSED
#include "input/input.c"

#include "encoding_reference.h"

#include <stdio.h>

static const struct {
  enum input_variant variant;
  const char *name;
} variants[] = {{INPUT_SCALAR, "scalar"},
                {INPUT_SSSE3, "ssse3"},
                {INPUT_AVX2, "avx2"},
                {INPUT_AVX512, "avx512"},
                {INPUT_ARM, "neon"}};

/* What input_check must say, by the slow decoder. */
static unsigned expected_flags(const byte *bytes, size_t length) {
  unsigned flags = INPUT_ASCII | INPUT_VALID;
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] >= 0x80) flags &= ~INPUT_ASCII;
    if (bytes[i] == '\r') flags |= INPUT_CR;
    if (bytes[i] == 0) flags |= INPUT_NUL;
  }
  struct bytes text = {0};
  reference_decode("UTF-8", bytes, length, &text);
  if (!bytes_are(&text, (const char *)bytes, length)) flags &= ~INPUT_VALID;
  bytes_free(&text);
  return flags;
}

static void check_all(const byte *bytes, size_t length, unsigned expected, const char *what) {
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    if (!input_force_variant(variants[i].variant)) continue;
    unsigned flags = input_check(bytes, length);
    TEST_CHECK_MSG(flags == expected, "%s, %s, %zu bytes: %X, not %X", what, variants[i].name,
                   length, flags, expected);
  }
  input_force_variant(INPUT_AUTO);
  TEST_CHECK(lanner_check(bytes, length) == expected);
}

/* Every length up to a few vectors, and one thing at every position. */
void test_input_check_positions(void) {
  static const char *const things[] = {
      "\r",
      "",
      "\xC3\xA4",
      "\xE2\x82\xAC",
      "\xF0\x9F\x98\x80",
      "\x80",
      "\xC3",
      "\xE2\x82",
      "\xF0\x9F\x98",
      "\xC0\x80",
      "\xE0\x9F\xBF",
      "\xED\xA0\x80",
      "\xED\x9F\xBF",
      "\xF0\x8F\xBF\xBF",
      "\xF4\x8F\xBF\xBF",
      "\xF4\x90\x80\x80",
      "\xF5\x80\x80\x80",
      "\xFF",
      "\xC3\xA4\x80",
      "\xE2\x82\xAC\x80",
      "\xF0\x9F\x98\x80\x80",
      "\xF8\x88\x80\x80\x80",
  };
  static const size_t lengths[] = {0,   1,   2,   3,   4,   7,   8,   9,   15,  16,
                                   17,  31,  32,  33,  63,  64,  65,  127, 128, 129,
                                   130, 191, 192, 193, 255, 256, 257, 300};
  byte text[320];
  for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
    size_t length = lengths[n];
    for (size_t t = 0; t < sizeof things / sizeof *things; t++) {
      /* The empty thing is U+0000. */
      size_t size = strlen(things[t]) ? strlen(things[t]) : 1;
      for (size_t at = 0; at + size <= length; at++) {
        memset(text, 'a', sizeof text);
        memcpy(text + at, things[t], size);
        check_all(text, length, expected_flags(text, length), things[t]);
        /* Among other characters the vectors take the slow way. */
        if (at >= 2) memcpy(text + at - 2, "\xC3\xA4", 2);
        if (at + size + 2 <= length) memcpy(text + at + size, "\xC3\xA4", 2);
        check_all(text, length, expected_flags(text, length), things[t]);
      }
    }
    memset(text, 'a', sizeof text);
    check_all(text, length, INPUT_ASCII | INPUT_VALID, "ASCII");
  }
}

/* All pairs of bytes and all second bytes of longer leads, across the border of two vectors. */
void test_input_check_pairs(void) {
  byte text[144];
  for (unsigned first = 0; first < 256; first++) {
    for (unsigned second = 0; second < 256; second++) {
      for (size_t at = 29; at < 65; at = at == 32 ? 61 : at + 1) {
        memset(text, ' ', sizeof text);
        text[at] = (byte)first;
        text[at + 1] = (byte)second;
        if (first >= 0xE0) text[at + 2] = 0x80;
        if (first >= 0xF0) text[at + 3] = 0xBF;
        unsigned expected = input_check_scalar(text, sizeof text);
        if (at == 31) TEST_CHECK(expected == expected_flags(text, sizeof text));
        for (size_t i = 1; i < sizeof variants / sizeof *variants; i++) {
          if (!input_force_variant(variants[i].variant)) continue;
          unsigned flags = input_check(text, sizeof text);
          TEST_CHECK_MSG(flags == expected, "%02X %02X at %zu, %s: %X, not %X", first, second, at,
                         variants[i].name, flags, expected);
        }
        input_force_variant(INPUT_AUTO);
      }
    }
  }
}

void test_input_check_random(void) {
  static const char *const pieces[] = {"\r\n",
                                       "text ",
                                       "\xC3\xA4",
                                       "\xE2\x82\xAC",
                                       "\xF0\x9F\x98\x80",
                                       "a much longer run of nothing but ASCII characters here "};
  uint64_t state = 5;
  byte text[600];
  for (int round = 0; round < 3000; round++) {
    size_t length = 0, size = random_next(&state) % 500;
    while (length < size) {
      const char *piece = pieces[random_next(&state) % (sizeof pieces / sizeof *pieces)];
      memcpy(text + length, piece, strlen(piece));
      length += strlen(piece);
    }
    if (round % 3 == 0 && length) text[random_next(&state) % length] = (byte)random_next(&state);
    if (round % 3 == 1 && length) length -= random_next(&state) % (length < 4 ? length : 4);
    /* In a block of its own, so that a sanitizer sees reads outside. */
    byte *copy = malloc(length ? length : 1);
    if (!copy) abort();
    memcpy(copy, text, length);
    check_all(copy, length, expected_flags(copy, length), "random");
    free(copy);
  }
  for (size_t length = 0; length < 5; length++) {
    TEST_CHECK(input_unfinished((const byte *)"\xF0\x9F\x98\x80", length) == length % 4);
  }
  TEST_CHECK(input_unfinished((const byte *)"a\xC3", 2) == 1);
  TEST_CHECK(input_unfinished((const byte *)"a\x80\x80\x80", 4) == 0);
  TEST_CHECK(input_unfinished((const byte *)"\xED\xA0", 2) == 0);
}

/* --- newlines --- */

static size_t plain_newlines(const byte *from, size_t length, byte *to) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    if (from[i] == '\n' && i > 0 && from[i - 1] == '\r') continue;
    to[n++] = from[i] == '\r' ? '\n' : from[i];
  }
  return n;
}

void test_input_newlines(void) {
  /* All words of up to seven letters over CR, LF, a; cut everywhere; in place and not. */
  static const byte letters[] = {'\r', '\n', 'a'};
  byte text[80], expected[80], got[80];
  size_t words = 1;
  for (size_t length = 0; length <= 7; length++, words *= 3) {
    for (size_t word = 0; word < words; word++) {
      size_t w = word;
      for (size_t i = 0; i < length; i++, w /= 3) text[i] = letters[w % 3];
      size_t n = plain_newlines(text, length, expected);
      for (size_t cut = 0; cut <= length; cut++) {
        bool after_cr = false;
        memcpy(got, text, length);
        size_t first = input_newlines(got, got, cut, &after_cr);
        size_t second = input_newlines(got + first, text + cut, length - cut, &after_cr);
        TEST_CHECK(first + second == n && memcmp(got, expected, n) == 0);
        TEST_CHECK(after_cr == (length > 0 && text[length - 1] == '\r'));
      }
    }
  }
  /* Longer lines, where the vectors work; the variants that there are. */
  static byte text_long[400], expected_long[400], got_long[400];
  uint64_t state = 7;
  for (int round = 0; round < 10000; round++) {
    size_t length = random_next(&state) % sizeof text_long;
    uint64_t rare = round % 3 ? 40 : 4;
    for (size_t i = 0; i < length; i++) {
      uint64_t r = random_next(&state) % rare;
      text_long[i] = r < 3 ? letters[r] : 'b';
    }
    size_t n = plain_newlines(text_long, length, expected_long);
    size_t cut = length ? random_next(&state) % (length + 1) : 0;
    size_t before = round % 2 ? random_next(&state) % (sizeof got_long - length + 1) : 0;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
      if (!input_force_variant(variants[i].variant)) continue;
      bool after_cr = false;
      memcpy(got_long + before, text_long, length);
      size_t first = input_newlines(got_long, got_long + before, cut, &after_cr);
      size_t second =
          input_newlines(got_long + first, got_long + before + cut, length - cut, &after_cr);
      TEST_CHECK_MSG(first + second == n && memcmp(got_long, expected_long, n) == 0,
                     "%s, %zu bytes cut at %zu", variants[i].name, length, cut);
      TEST_CHECK(after_cr == (length > 0 && text_long[length - 1] == '\r'));
    }
    input_force_variant(INPUT_AUTO);
  }
}

/* --- the stream --- */

static bool grow(struct input_buffer *buffer, size_t need) {
  size_t *left = buffer->context; /* how often it may still grow; NULL: always */
  if (left && (*left)-- == 0) {
    *left = 0;
    return false;
  }
  byte *data = realloc(buffer->data, need);
  if (!data) return false;
  buffer->data = data;
  buffer->capacity = need;
  return true;
}

static void start(struct input_stream *stream, const char *encoding, unsigned flags,
                  struct input_buffer *marks) {
  lanner_sniff_result sniffed = {.encoding = lanner_encoding_for_label(encoding, strlen(encoding))};
  input_begin(stream, &sniffed, flags, marks);
}

/* A page of about LENGTH bytes in ENCODING with all kinds of newlines, letters of the encoding and
 * some damage. */
static size_t make_page(const char *encoding, uint64_t *state, byte *page, size_t length) {
  static const char *const pieces[] = {
      "\r",           "\r\n",     "\n",           "plain text ",      "<p>", "\xC3\xA4",
      "\xE6\xBC\xA2", "\xD0\xB6", "\xEA\xB0\x80", "\xF0\x9F\x98\x80", "x"};
  size_t n = 0, consumed, written;
  lanner_encoder e;
  lanner_encoding encoding_id = lanner_encoding_for_label(encoding, strlen(encoding));
  bool utf16 = strncmp(encoding, "UTF-16", 6) == 0;
  lanner_encoder_init(&e, encoding_id, LANNER_ENCODE_HTML);
  while (n + 64 < length) {
    const char *piece = pieces[random_next(state) % (sizeof pieces / sizeof *pieces)];
    if (utf16) {
      for (const char *p = piece; *p; p++) {
        page[n++] = encoding_id == LANNER_ENCODING_UTF_16BE ? 0 : (byte)*p;
        page[n++] = encoding_id == LANNER_ENCODING_UTF_16BE ? (byte)*p : 0;
      }
    } else {
      lanner_encode(&e, piece, strlen(piece), &consumed, page + n, 64, &written, false);
      n += written;
    }
    if (random_next(state) % 50 == 0) page[n++] = (byte)random_next(state);
  }
  return n;
}

static const char *const stream_encodings[] = {
    "UTF-8",    "windows-1252", "KOI8-R",         "GBK",        "gb18030",
    "Big5",     "EUC-JP",       "ISO-2022-JP",    "Shift_JIS",  "EUC-KR",
    "UTF-16BE", "UTF-16LE",     "x-user-defined", "replacement"};
enum { STREAM_ENCODINGS = sizeof stream_encodings / sizeof *stream_encodings };

static void feed(struct input_stream *stream, const byte *page, size_t length, size_t piece,
                 struct input_buffer *out) {
  for (size_t at = 0; at <= length; at += piece) {
    size_t n = length - at < piece ? length - at : piece;
    TEST_CHECK(input_feed(stream, page + at, n, at + n == length, out));
    if (at + n == length) break;
  }
  TEST_CHECK(stream->taken == length && stream->given == out->length);
}

void test_input_stream(void) {
  uint64_t state = 11;
  enum { SIZE = 40000 };
  byte *page = malloc(SIZE), *expected = malloc(3 * SIZE + 16);
  if (!page || !expected) abort();
  for (size_t e = 0; e < STREAM_ENCODINGS; e++) {
    size_t length = make_page(stream_encodings[e], &state, page, SIZE);
    struct bytes text = {0};
    lanner_encoding encoding =
        lanner_encoding_for_label(stream_encodings[e], strlen(stream_encodings[e]));
    if (!reference_decode(stream_encodings[e], page, length, &text)) break;
    size_t n = plain_newlines((byte *)text.data, text.length, expected);
    for (size_t piece = 1; piece < 100000; piece = piece * 7 + 3) {
      struct input_stream stream;
      struct input_buffer out = {.grow = grow};
      start(&stream, stream_encodings[e], 0, NULL);
      feed(&stream, page, length, piece, &out);
      TEST_CHECK_MSG(out.length == n && memcmp(out.data, expected, n) == 0, "%s in pieces of %zu",
                     stream_encodings[e], piece);
      TEST_CHECK(lanner_decoder_encoding(&stream.decoder) == encoding);
      TEST_CHECK((stream.seen & INPUT_CR) || encoding == LANNER_ENCODING_REPLACEMENT);
      free(out.data);
    }
    bytes_free(&text);
  }
  free(page), free(expected);
  reference_free();
}

/* Byte order marks in pieces, and what becomes of encoding and source. */
void test_input_stream_marks(void) {
  static const struct {
    const char *encoding, *bytes;
    size_t length;
    const char *text, *used;
    bool changed;
  } rows[] = {
      {"windows-1252", "\xEF\xBB\xBF\xC3\xA4", 5, "\xC3\xA4", "UTF-8", true},
      {"UTF-8", "\xEF\xBB\xBF\xC3\xA4\r\r\n", 8, "\xC3\xA4\n\n", "UTF-8", false},
      {"UTF-8",
       "\xFF\xFE"
       "a\0",
       4, "a", "UTF-16LE", true},
      {"UTF-8", "\xEF\xBB", 2, "\xEF\xBF\xBD", "UTF-8", false},
      {"UTF-8", "", 0, "", "UTF-8", false},
      {"windows-1252", "\xEF\r", 2, "\xC3\xAF\n", "windows-1252", false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (size_t piece = 1; piece < 10; piece++) {
      struct input_stream stream;
      struct input_buffer out = {.grow = grow};
      start(&stream, rows[i].encoding, 0, NULL);
      feed(&stream, (const byte *)rows[i].bytes, rows[i].length, piece, &out);
      TEST_CHECK_MSG(out.length == strlen(rows[i].text) &&
                         (out.length == 0 || memcmp(out.data, rows[i].text, out.length) == 0),
                     "row %zu: %s", i, shown((char *)out.data, out.length));
      TEST_CHECK(strcmp(lanner_encoding_name(lanner_decoder_encoding(&stream.decoder)),
                        rows[i].used) == 0);
      TEST_CHECK((stream.source == LANNER_SOURCE_BOM) == rows[i].changed);
      free(out.data);
    }
  }
}

void test_input_stream_surrogates(void) {
  static const char text[] = "a\xED\xA0\x80z\xED\xBF\xBF\r\n\xED\xA0";
  for (size_t piece = 1; piece < sizeof text; piece++) {
    struct input_stream stream;
    struct input_buffer out = {.grow = grow};
    start(&stream, "UTF-8", INPUT_SURROGATES, NULL);
    feed(&stream, (const byte *)text, sizeof text - 1, piece, &out);
    static const char expected[] = "a\xED\xA0\x80z\xED\xBF\xBF\n\xEF\xBF\xBD";
    TEST_CHECK_MSG(out.length == sizeof expected - 1 && memcmp(out.data, expected, out.length) == 0,
                   "in pieces of %zu: %s", piece, shown((char *)out.data, out.length));
    free(out.data);
  }
}

/* Where each output byte came from, by decoding a character at a time from the start. */
static void slow_offsets(const char *encoding, const byte *page, size_t length, u64 *offsets,
                         size_t *count) {
  lanner_decoder d;
  lanner_decoder_init(&d, lanner_encoding_for_label(encoding, strlen(encoding)), LANNER_BOM_KEEP,
                      0);
  size_t at = 0, n = 0;
  bool after_cr = false;
  while (at < length) {
    byte text[32];
    struct enc_run run = {.in = page + at,
                          .end = page + length,
                          .out = text,
                          .limit = text + sizeof text,
                          .last = true};
    enc_decode_one(&d, &run);
    for (byte *p = text; p < run.out; p++) {
      if (!(after_cr && *p == '\n')) offsets[n++] = at;
      after_cr = *p == '\r';
    }
    at = (size_t)(run.in - page);
  }
  offsets[n] = length;
  *count = n;
}

void test_input_offsets(void) {
  enum { SIZE = 30000 };
  uint64_t state = 13;
  byte *page = malloc(SIZE);
  u64 *expected = malloc((3 * SIZE + 16) * sizeof *expected);
  if (!page || !expected) abort();
  for (size_t e = 0; e < STREAM_ENCODINGS; e++) {
    size_t length = make_page(stream_encodings[e], &state, page, SIZE), count;
    slow_offsets(stream_encodings[e], page, length, expected, &count);
    for (size_t piece = 5; piece < 100000; piece = piece * 50) {
      struct input_stream stream;
      struct input_buffer out = {.grow = grow}, marks = {.grow = grow};
      start(&stream, stream_encodings[e], 0, &marks);
      feed(&stream, page, length, piece, &out);
      TEST_CHECK(out.length == count);
      struct input_place hint = {0};
      size_t wrong = 0;
      /* Rising, and jumping about. */
      for (size_t i = 0; i < count; i++) {
        wrong += input_offset(&stream, out.data, 0, i, &hint) != expected[i];
      }
      for (size_t i = 0; i < 500; i++) {
        size_t at = random_next(&state) % (count + 1);
        u64 got = input_offset(&stream, out.data, 0, at, &hint);
        wrong += at < count && got != expected[at];
      }
      TEST_CHECK_MSG(wrong == 0, "%s in pieces of %zu: %zu wrong offsets", stream_encodings[e],
                     piece, wrong);
      free(out.data), free(marks.data);
    }
  }
  /* A valid page without CR needs one mark, with a byte order mark two. */
  memset(page, 'a', SIZE);
  for (int with = 0; with < 2; with++) {
    if (with) memcpy(page, "\xEF\xBB\xBF", 3);
    struct input_stream stream;
    struct input_buffer out = {.grow = grow}, marks = {.grow = grow};
    start(&stream, "UTF-8", 0, &marks);
    feed(&stream, page, SIZE, 999, &out);
    struct input_place hint = {0};
    TEST_CHECK(input_offset(&stream, out.data, 0, 20000, &hint) == (with ? 20003 : 20000));
    TEST_CHECK(input_offset(&stream, out.data, 0, 0, &hint) == (with ? 3 : 0));
    TEST_CHECK(marks.length <= 2 * sizeof(struct input_mark));
    free(out.data), free(marks.data);
  }
  free(page), free(expected);
}

/* Running out of memory anywhere leaves a stream that goes on when there is memory again. */
void test_input_no_memory(void) {
  enum { SIZE = 30000 };
  uint64_t state = 17;
  byte *page = malloc(SIZE);
  if (!page) abort();
  static const char *const encodings[] = {"UTF-8", "KOI8-R", "ISO-2022-JP"};
  for (size_t e = 0; e < 3; e++) {
    size_t length = make_page(encodings[e], &state, page, SIZE);
    struct input_stream stream;
    struct input_buffer whole = {.grow = grow};
    start(&stream, encodings[e], 0, NULL);
    feed(&stream, page, length, length, &whole);
    for (size_t allowed = 0; allowed < 12; allowed++) {
      size_t left = allowed;
      struct input_buffer out = {.grow = grow, .context = &left};
      struct input_buffer marks = {.grow = grow, .context = &left};
      start(&stream, encodings[e], 0, &marks);
      bool ok = input_feed(&stream, page, length, true, &out);
      out.context = marks.context = NULL;
      if (!ok) {
        size_t taken = (size_t)stream.taken;
        ok = input_feed(&stream, page + taken, length - taken, true, &out);
      }
      TEST_CHECK(ok && out.length == whole.length && memcmp(out.data, whole.data, out.length) == 0);
      free(out.data), free(marks.data);
    }
    free(whole.data);
  }
  free(page);
}
