/* test_warc.c - the archive reader: headers, samples against an independent reader, the same as
 * streams, and archives that are broken in various ways. The reader is compiled in here, with zlib
 * as its only library, so that it can be tested by itself. */
#define _POSIX_C_SOURCE 200809L
#define LANNER_HAVE_ZLIB 1
#include "support.h"

#include "warc/archive.c"
#include "warc/archive_search.c"
#include "warc/archive_stream.c"
#include "warc/cursor.c"
#include "warc/http.c"
#include "warc/inflate.c"
#include "warc/notes.c"
#include "warc/record.c"
#include "warc/source.c"
#include "warc/stream.c"

#include <stdio.h>
#include <sys/stat.h>

/* --- headers --- */

static lanner_string text_of(const char *text) {
  lanner_string s = {text, strlen(text)};
  return s;
}

static bool is(lanner_string s, const char *text) {
  return s.length == strlen(text) && memcmp(s.data, text, s.length) == 0;
}

static warc_header_status parse(const char *text, warc_header *header) {
  return warc_parse_header(text, strlen(text), header);
}

void test_warc_headers(void) {
  warc_header h;
  static const char usual[] =
      "WARC/1.1\r\nWARC-Type: response\r\nwarc-target-uri:<http://a/>\r\nWARC-Date: 2020\r\n"
      "Content-Type:application/http;\r\n\tmsgtype=response\r\nContent-Length:  12 \r\n"
      "WARC-Truncated: time\r\n\r\nrest";
  TEST_CHECK(parse(usual, &h) == WARC_HEADER_OK);
  TEST_CHECK(h.major == 1 && h.minor == 1 && h.type == WARC_TYPE_RESPONSE && !h.arc);
  TEST_CHECK(is(h.url, "http://a/") && is(h.date, "2020") && is(h.truncated, "time"));
  TEST_CHECK(h.content_length == 12 && h.length == sizeof usual - 1 - 4);
  TEST_CHECK(is(h.content_type, "application/http;\r\n\tmsgtype=response"));
  for (size_t i = 0; i + 4 < sizeof usual - 1; i++)
    TEST_CHECK(warc_parse_header(usual, i, &h) == WARC_HEADER_MORE);
  TEST_CHECK(parse("WARC/0.17\nWARC-Type: x-y\nContent-Length: 0\n\n", &h) == WARC_HEADER_OK);
  TEST_CHECK(h.type == WARC_TYPE_OTHER && h.minor == 17 && warc_version_known(&h));
  TEST_CHECK(parse("WARC/2.0\r\nContent-Length: 1\r\n\r\n", &h) == WARC_HEADER_OK);
  TEST_CHECK(!warc_version_known(&h));
  TEST_CHECK(parse("WARC/1.0\r\nWARC-Type: request\r\n\r\n", &h) == WARC_HEADER_BROKEN);
  TEST_CHECK(parse("WARC/1.0\r\nContent-Length: -1\r\n\r\n", &h) == WARC_HEADER_BROKEN);
  TEST_CHECK(parse("WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n", &h) ==
             WARC_HEADER_BROKEN);
  TEST_CHECK(parse("hello, this is text\n", &h) == WARC_HEADER_NONE);
  TEST_CHECK(parse("WARC-Type: response\r\n\r\n", &h) == WARC_HEADER_NONE);
  TEST_CHECK(parse("http://a/ 1.2.3.4 20080430204825 text/html 77\n", &h) == WARC_HEADER_OK);
  TEST_CHECK(h.arc && h.type == WARC_TYPE_RESPONSE && h.content_length == 77 &&
             is(h.date, "20080430204825"));
  TEST_CHECK(parse("filedesc://x.arc 0.0.0.0 20080430204825 text/plain 7\n", &h) ==
                 WARC_HEADER_OK &&
             h.type == WARC_TYPE_WARCINFO);
  TEST_CHECK(parse("http://a/ 1.2.3.4 2008 text/html 77\n", &h) == WARC_HEADER_NONE);
}

void test_warc_responses(void) {
  warc_response r;
  static const char usual[] =
      "HTTP/1.1 404 Not Found\r\nContent-Type: Text/HTML ; a=\"x;charset=no\"; "
      "Charset=\"utf-8\"\r\n"
      "content-encoding: gzip, br\r\nTransfer-Encoding: chunked\r\nX-Robots-Tag: none\r\n\r\nbody";
  warc_parse_response(usual, sizeof usual - 1, &r);
  TEST_CHECK(r.status == 404 && r.complete && r.length == sizeof usual - 1 - 4);
  TEST_CHECK(is(r.media_type, "Text/HTML") && warc_is_html_type(r.media_type));
  TEST_CHECK(is(r.charset, "utf-8") && is(r.robots, "none"));
  TEST_CHECK(r.content_encoding.count == 1 && is(r.content_encoding.lines[0], "gzip, br"));
  TEST_CHECK(r.transfer_encoding.count == 1 && is(r.transfer_encoding.lines[0], "chunked"));
  warc_parse_response("HTTP/2 200\nA: b", 15, &r);
  TEST_CHECK(r.status == 200 && !r.complete && r.length == 15 && r.media_type.length == 0);
  warc_parse_response("<html>", 6, &r);
  TEST_CHECK(r.status == 0 && r.length == 0);
  TEST_CHECK(warc_sniffs_as_html((const uint8_t *)" \n<!DocType HTML>", 17));
  TEST_CHECK(warc_sniffs_as_html((const uint8_t *)"<!-- x", 6));
  TEST_CHECK(!warc_sniffs_as_html((const uint8_t *)"<paragraph>", 11));
  TEST_CHECK(!warc_sniffs_as_html((const uint8_t *)"%PDF-1", 6));

  warc_inflater *inflater = warc_inflater_new();
  warc_buffer spare[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
  static const struct {
    const char *body, *decoded;
    warc_body status;
  } chunked[] = {{"5\r\nhello\r\n6 ;x\r\n world\r\n0\r\n\r\n", "hello world", WARC_BODY_OK},
                 {"5\nhello\n0\n\n", "hello", WARC_BODY_OK},
                 {"5\r\nhel", "hel", WARC_BODY_CUT},
                 {"5\r\nhello\r\nxyz", "hello", WARC_BODY_CUT},
                 {"0\r\n\r\n", "", WARC_BODY_OK},
                 {"not chunked", "not chunked", WARC_BODY_OK},
                 {"", "", WARC_BODY_OK}};
  warc_parse_response("", 0, &r);
  r.transfer_encoding.lines[r.transfer_encoding.count++] = text_of("Chunked");
  for (size_t i = 0; i < sizeof chunked / sizeof chunked[0]; i++) {
    uint8_t body[128], *decoded;
    size_t length = strlen(chunked[i].body);
    memcpy(body, chunked[i].body, length);
    warc_body status = warc_decode_body(inflater, &r, body, length, 1000, spare, &decoded, &length);
    TEST_CHECK_MSG(status == chunked[i].status && length == strlen(chunked[i].decoded) &&
                       memcmp(decoded, chunked[i].decoded, length) == 0,
                   "chunked %zu: %d, %zu bytes", i, (int)status, length);
  }
  warc_buffer_free(&spare[0]);
  warc_buffer_free(&spare[1]);
  warc_inflater_free(inflater);
}

/* DATA as a zlib stream in the frame that BITS ask for (MAX_WBITS + 16: gzip), behind what is in
 * INTO. */
static void pack(struct bytes *into, const void *data, size_t length, int bits) {
  z_stream z;
  memset(&z, 0, sizeof z);
  TEST_CHECK(deflateInit2(&z, 1, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  size_t bound = deflateBound(&z, length) + 32;
  uint8_t *room = malloc(bound);
  z.next_in = (Bytef *)(uintptr_t)data;
  z.avail_in = (uInt)length;
  z.next_out = room;
  z.avail_out = (uInt)bound;
  TEST_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
  bytes_add(into, room, z.total_out);
  deflateEnd(&z);
  free(room);
}

/* Appends DATA as a gzip member. */
static void add_member(struct bytes *into, const void *data, size_t length) {
  pack(into, data, length, MAX_WBITS + 16);
}

static void add_chunks(struct bytes *into, const char *data, size_t length) {
  for (size_t at = 0; at < length; at += 100) {
    size_t step = length - at < 100 ? length - at : 100;
    bytes_add_format(into, "%zx\r\n", step);
    bytes_add(into, data + at, step);
    bytes_add_text(into, "\r\n");
  }
  bytes_add_text(into, "0\r\n\r\n");
}

/* Decodes BODY, which HEADER describes, and compares. */
static void check_body(const char *what, const char *header, const struct bytes *body,
                       warc_body status, const char *decoded, size_t length) {
  static warc_buffer spare[2];
  warc_inflater *inflater = warc_inflater_new();
  warc_response r;
  struct bytes head = {0};
  bytes_add_format(&head, "HTTP/1.1 200 OK\r\n%s\r\n", header);
  warc_parse_response(head.data, head.length, &r);
  uint8_t *room = malloc(body->length + WARC_BUFFER_PADDING), *found;
  size_t found_length;
  memcpy(room, body->data, body->length);
  warc_body found_status =
      warc_decode_body(inflater, &r, room, body->length, 1 << 20, spare, &found, &found_length);
  TEST_CHECK_MSG(found_status == status &&
                     (status == WARC_BODY_UNKNOWN ||
                      (found_length == length && memcmp(found, decoded, length) == 0)),
                 "%s, %s: %d, %zu bytes", what, header, (int)found_status, found_length);
  free(room);
  bytes_free(&head);
  warc_buffer_free(&spare[0]);
  warc_buffer_free(&spare[1]);
  warc_inflater_free(inflater);
}

void test_warc_codings(void) {
  struct bytes text = {0}, gzip = {0}, twice = {0}, chunked = {0}, zlib = {0}, raw = {0};
  bytes_add_text(&text, "<!DOCTYPE html><p>");
  for (int i = 0; i < 500; i++) bytes_add_format(&text, "%d ", i * i * 7919 % 1000);
  pack(&gzip, text.data, text.length, MAX_WBITS + 16);
  pack(&twice, gzip.data, gzip.length, MAX_WBITS + 16);
  pack(&zlib, text.data, text.length, MAX_WBITS);
  pack(&raw, text.data, text.length, -MAX_WBITS);
  add_chunks(&chunked, gzip.data, gzip.length);
  const char *t = text.data;
  const size_t n = text.length;
#define CHECK(header, body, status, length)                                                        \
  check_body(#body, header, &(body), WARC_BODY_##status, t, length)
  /* One list, however many lines it takes. */
  CHECK("Content-Encoding: gzip, gzip\r\n", twice, OK, n);
  CHECK("Content-Encoding: gzip\r\ncontent-encoding: gzip\r\n", twice, OK, n);
  CHECK("Content-Encoding: gzip\r\nContent-Encoding: identity\r\n", gzip, OK, n);
  CHECK("Content-Encoding: identity\r\nContent-Encoding: x-gzip\r\n", gzip, OK, n);
  CHECK("Content-Encoding: gzip\r\nContent-Encoding: rot13\r\n", gzip, UNKNOWN, 0);
  CHECK("Content-Encoding: deflate\r\n", zlib, OK, n);
  CHECK("Content-Encoding: deflate\r\n", raw, OK, n);
  /* Transfer codings are undone first. */
  CHECK("Transfer-Encoding: gzip, chunked\r\n", chunked, OK, n);
  CHECK("Transfer-Encoding: gzip\r\nTransfer-Encoding: Chunked;q=1\r\n", chunked, OK, n);
  CHECK("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", chunked, OK, n);
  CHECK("Transfer-Encoding: gzip\r\n", gzip, OK, n);
  CHECK("Transfer-Encoding: deflate\r\n", zlib, OK, n);
  CHECK("Transfer-Encoding: gzip\r\nContent-Encoding: gzip\r\n", twice, OK, n);
  CHECK("Transfer-Encoding: lzma\r\n", gzip, UNKNOWN, 0);
  /* Text is left as it is. */
  CHECK("Content-Encoding: gzip\r\nTransfer-Encoding: gzip, chunked\r\n", text, OK, n);
  CHECK("Content-Encoding: deflate\r\n", text, OK, n);
  /* What is broken at its very beginning is no text. */
  struct bytes *broken[] = {&gzip, &zlib, &raw};
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    struct bytes *b = broken[i];
    b->data[i == 0 ? 10 : i == 1 ? 2 : 0] = 7; /* a type of block that there is not */
    check_body("broken", i == 0 ? "Content-Encoding: gzip\r\n" : "Content-Encoding: deflate\r\n", b,
               WARC_BODY_CUT, "", 0);
  }
  gzip.data[0] = 'x';
  CHECK("Content-Encoding: gzip\r\n", gzip, CUT, 0);
  /* UTF-16 is text. */
  struct bytes wide = {0};
  bytes_add(&wide, "<\0p\0>\0x\0", 8);
  check_body("wide", "Content-Encoding: gzip\r\n", &wide, WARC_BODY_OK, wide.data, wide.length);
#undef CHECK
  struct bytes *all[] = {&text, &gzip, &twice, &chunked, &zlib, &raw, &wide};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) bytes_free(all[i]);
}

/* --- archives --- */

typedef struct row {
  const char *file;
  uint64_t offset;
  unsigned status;
  size_t length;
  uint32_t payload, url; /* CRC-32 */
} row;

static const row expected[] = {
#include "tools/warc_expected.inc"
};
enum { EXPECTED = sizeof expected / sizeof expected[0] };

/* Called for each page. */
typedef void (*page_visitor)(void *context, const warc_record *record, const uint8_t *body,
                             size_t length);

/* Reads FILE as one worker would. Answers with the notes of all units; *FAILURE as the last unit's. */
static warc_notes read_archive(const char *file, size_t most, page_visitor visit, void *context,
                               const char **failure) {
  warc_archive_options options = {&file, 1, most};
  warc_archive *archive = warc_archive_new(&options);
  warc_inflater *inflater = warc_inflater_new();
  warc_buffer content = {NULL, 0, 0}, spare[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
  warc_unit unit;
  warc_notes sum;
  memset(&unit, 0, sizeof unit);
  memset(&sum, 0, sizeof sum);
  *failure = NULL;
  while (warc_archive_next(archive, &unit)) {
    warc_cursor cursor;
    warc_record record;
    warc_step step;
    warc_cursor_begin(&cursor, &unit, inflater, &content, most);
    while ((step = warc_cursor_next(&cursor, &record)) == WARC_STEP_RECORD) {
      uint8_t *body;
      size_t length;
      warc_decode_body(inflater, &record.response, record.body, record.body_length, most, spare,
                       &body, &length);
      body[length] = 0; /* as the parser's padding wants it */
      visit(context, &record, body, length);
    }
    if (step == WARC_STEP_RESTART) warc_archive_restart(archive, unit.file, cursor.place);
    if (unit.kind == WARC_UNIT_FILE_END) *failure = unit.failure;
    for (int i = 0; i < WARC_TYPES; i++) sum.records[i] += unit.notes.records[i];
    sum.pages += unit.notes.pages;
    sum.dns += unit.notes.dns;
    sum.large += unit.notes.large;
    sum.broken += unit.notes.broken;
  }
  warc_unit_free(&unit);
  warc_buffer_free(&content);
  warc_buffer_free(&spare[0]);
  warc_buffer_free(&spare[1]);
  warc_inflater_free(inflater);
  warc_archive_free(archive);
  return sum;
}

static uint32_t crc(const void *data, size_t length) {
  return (uint32_t)crc32(crc32(0, NULL, 0), data, (uInt)length);
}

typedef struct comparison {
  size_t at;    /* the row expected next */
  bool offsets; /* they are those of the sample itself */
} comparison;

static void compare_page(void *context, const warc_record *record, const uint8_t *body,
                         size_t length) {
  comparison *c = context;
  if (!TEST_CHECK(c->at < EXPECTED)) return;
  const row *want = &expected[c->at++];
  TEST_CHECK_MSG((!c->offsets || want->offset == record->place.offset) &&
                     want->status == record->response.status && want->length == length &&
                     want->payload == crc(body, length) &&
                     want->url == crc(record->header.url.data, record->header.url.length),
                 "%s:%llu: %.*s, %u, %zu bytes", want->file,
                 (unsigned long long)record->place.offset, (int)record->header.url.length,
                 record->header.url.data, record->response.status, length);
}

void test_warc_samples(void) {
  comparison c = {0, true};
  uint64_t records = 0;
  while (c.at < EXPECTED) {
    char rel[256];
    const char *failure, *file = expected[c.at].file;
    size_t before = c.at;
    snprintf(rel, sizeof rel, "corpus/warc/%s", file);
    char *path = test_shared_path(rel);
    if (path == NULL) return;
    warc_notes notes = read_archive(path, 1 << 25, compare_page, &c, &failure);
    for (int i = 0; i < WARC_TYPES; i++) records += notes.records[i];
    TEST_CHECK(failure == NULL && notes.broken == 0 && notes.pages == c.at - before);
    free(path);
    if (!TEST_CHECK(c.at > before)) return;
  }
  TEST_CHECK(records == 2413);
  test_note("%d pages as warcio reads them", EXPECTED);
}

/* --- files made here --- */

static char scratch[64];

static void enter(void) {
  snprintf(scratch, sizeof scratch, "/tmp/lanner-warc-XXXXXX");
  TEST_CHECK(mkdtemp(scratch) != NULL);
}

static void leave(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", scratch);
  TEST_CHECK(system(command) == 0);
}

static const char *write_scratch(const char *name, const void *data, size_t length) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", scratch, name);
  FILE *file = fopen(path, "wb");
  if (TEST_CHECK(file != NULL)) {
    TEST_CHECK(length == 0 || fwrite(data, 1, length, file) == length);
    fclose(file);
  }
  return path;
}

/* All content of a gzip file. */
static void unpack(const char *path, struct bytes *into) {
  gzFile file = gzopen(path, "rb");
  char piece[1 << 16];
  int got;
  if (!TEST_CHECK(file != NULL)) return;
  while ((got = gzread(file, piece, sizeof piece)) > 0) bytes_add(into, piece, (size_t)got);
  gzclose(file);
}

/* The samples plain, and as one member each: other offsets, the same pages. */
void test_warc_streams(void) {
  comparison plain = {0, false}, whole = {0, false};
  enter();
  while (plain.at < EXPECTED) {
    char rel[256];
    const char *failure;
    struct bytes content = {0}, packed = {0};
    size_t before = plain.at;
    snprintf(rel, sizeof rel, "corpus/warc/%s", expected[plain.at].file);
    char *path = test_shared_path(rel);
    if (path == NULL) break;
    unpack(path, &content);
    free(path);
    warc_notes notes = read_archive(write_scratch("plain", content.data, content.length), 1 << 25,
                                    compare_page, &plain, &failure);
    TEST_CHECK(failure == NULL && notes.broken == 0 && notes.pages == plain.at - before);
    add_member(&packed, content.data, content.length);
    /* A limit below the content's size: the member has to go through the stream. */
    notes = read_archive(write_scratch("whole", packed.data, packed.length), 5 << 20, compare_page,
                         &whole, &failure);
    TEST_CHECK(failure == NULL && notes.broken == 0 && whole.at == plain.at);
    bytes_free(&content);
    bytes_free(&packed);
    if (!TEST_CHECK(plain.at > before)) break;
  }
  leave();
}

/* --- broken archives --- */

enum { RECORDS = 6 };

/* A record with page NUMBER, or a request beside it; its stated length is off by WRONG. */
static void add_record_of(struct bytes *into, const char *type, int number, int wrong) {
  struct bytes block = {0};
  bytes_add_format(&block, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page %d</p>",
                   number);
  for (int i = 0; i < 40 * number; i++) bytes_add_format(&block, "%d ", i * i * 7919 % 1000);
  bytes_add_format(into,
                   "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://h/%d\r\n"
                   "Content-Type: application/http; msgtype=%s\r\nContent-Length: %zd\r\n\r\n",
                   type, number, type, (ssize_t)block.length + wrong);
  bytes_add(into, block.data, block.length);
  bytes_add_text(into, "\r\n\r\n");
  bytes_free(&block);
}

static void add_record(struct bytes *into, int number, int wrong) {
  add_record_of(into, "response", number, wrong);
}

static void collect_number(void *context, const warc_record *record, const uint8_t *body,
                           size_t length) {
  char *seen = context;
  (void)body, (void)length;
  if (!TEST_CHECK(record->header.url.length == 10)) return;
  size_t used = strlen(seen);
  seen[used] = record->header.url.data[9];
  seen[used + 1] = '\0';
}

enum damage {
  UNHURT,
  LENGTH_TOO_LONG,
  LENGTH_TOO_SHORT,
  LENGTH_HUGE,
  GARBAGE_BEFORE,
  ZEROS_BEHIND,
  HALF_GONE,
  NO_LENGTH,
  DAMAGES
};

/* An archive whose record 3 has DAMAGE, as members or plain. */
static void build(struct bytes *into, int damage, bool members) {
  for (int i = 1; i <= RECORDS; i++) {
    struct bytes record = {0};
    bool hurt = i == 3;
    int wrong = !hurt                        ? 0
                : damage == LENGTH_TOO_LONG  ? 50
                : damage == LENGTH_TOO_SHORT ? -20
                : damage == LENGTH_HUGE      ? 1000000000
                                             : 0;
    if (hurt && damage == GARBAGE_BEFORE)
      bytes_add_text(into, "some garbage\nWARC without sense\n");
    add_record(&record, i, wrong);
    if (hurt && damage == NO_LENGTH) memcpy(strstr(record.data, "Content-Length"), "Contemt", 7);
    size_t length = record.length;
    if (hurt && damage == HALF_GONE && !members) length /= 2;
    if (members) {
      struct bytes member = {0};
      add_member(&member, record.data, length);
      bytes_add(into, member.data, hurt && damage == HALF_GONE ? member.length / 2 : member.length);
      bytes_free(&member);
    } else {
      bytes_add(into, record.data, length);
    }
    bytes_free(&record);
  }
  if (damage == ZEROS_BEHIND) {
    static const char zeros[600];
    bytes_add(into, zeros, sizeof zeros);
  }
}

void test_warc_broken(void) {
  /* The pages that must be found. */
  static const char *const found[DAMAGES] = {"123456", "123456", "123456", "12456",
                                             "123456", "123456", "12456",  "12456"};
  enter();
  for (int members = 0; members < 2; members++) {
    for (int damage = 0; damage < DAMAGES; damage++) {
      struct bytes archive = {0};
      char seen[64] = "";
      const char *failure;
      build(&archive, damage, members != 0);
      warc_notes notes = read_archive(write_scratch("broken", archive.data, archive.length),
                                      1 << 20, collect_number, seen, &failure);
      /* A huge length in a member of its own is seen to be wrong by the member's end. */
      bool same = strcmp(seen, found[damage]) == 0 ||
                  (strstr("123456", seen) != NULL && strlen(seen) > strlen(found[damage]));
      TEST_CHECK_MSG(same && failure == NULL, "%s, damage %d: %s, %s",
                     members ? "members" : "plain", damage, seen, failure ? failure : "no failure");
      bool quiet = damage == UNHURT || (damage == ZEROS_BEHIND && members);
      TEST_CHECK_MSG((notes.broken > 0) != quiet, "%s, damage %d: %llu broken",
                     members ? "members" : "plain", damage, (unsigned long long)notes.broken);
      bytes_free(&archive);
    }
  }
  leave();
}

/* A length that is too long by any amount within the next record takes no other page along, be it a
 * page's or that of a record that is passed over. */
void test_warc_overlong(void) {
  static const char *const forms[] = {"plain", "one member", "plain, passed over",
                                      "one member, passed over"};
  enter();
  for (int form = 0; form < 4; form++) {
    bool packed = form & 1, passed = form & 2;
    for (int wrong = 1; wrong < 110; wrong++) {
      struct bytes archive = {0}, member = {0};
      char seen[64] = "";
      const char *failure;
      add_record_of(&archive, passed ? "request" : "response", 1, wrong);
      for (int i = 2; i <= 3; i++) add_record(&archive, i, 0);
      if (packed) add_member(&member, archive.data, archive.length);
      const struct bytes *file = packed ? &member : &archive;
      warc_notes notes = read_archive(write_scratch("overlong", file->data, file->length), 1 << 20,
                                      collect_number, seen, &failure);
      /* Up to four bytes too many are the newlines behind the record. */
      uint64_t broken = wrong > 4;
      TEST_CHECK_MSG(
          strcmp(seen, passed ? "23" : "123") == 0 && failure == NULL && notes.broken == broken,
          "%s, %d too long: %s, %llu", forms[form], wrong, seen, (unsigned long long)notes.broken);
      bytes_free(&archive);
      bytes_free(&member);
    }
  }
  leave();
}

/* Plain records and members in one file, in any order, also where a length or a member is wrong. */
void test_warc_mixed(void) {
  enter();
  for (unsigned packed = 0; packed < 64; packed++) {
    for (int damage = 0; damage < 4; damage++) {
      struct bytes archive = {0};
      char seen[64] = "", found[64] = "";
      const char *failure;
      for (int i = 1; i <= 6; i++) {
        struct bytes record = {0}, member = {0};
        add_record(&record, i, i == 3 && damage == 1 ? 50 : 0);
        add_member(&member, record.data, record.length);
        bool whole = packed >> (i - 1) & 1;
        if (i == 3 && damage == 2) bytes_add_text(&archive, "garbage\n\x1f\x8b\x08 garbage");
        if (i == 3 && damage == 3 && whole) memset(member.data + 20, 'x', 20);
        if (!(i == 3 && damage == 3 && whole)) found[strlen(found)] = (char)('0' + i);
        if (whole)
          bytes_add(&archive, member.data, member.length);
        else
          bytes_add(&archive, record.data, record.length);
        bytes_free(&record);
        bytes_free(&member);
      }
      warc_notes notes = read_archive(write_scratch("mixed", archive.data, archive.length), 1 << 20,
                                      collect_number, seen, &failure);
      bool hurt = damage == 1 || damage == 2 || (damage == 3 && packed & 4);
      TEST_CHECK_MSG(strcmp(seen, found) == 0 && failure == NULL && (notes.broken > 0) == hurt,
                     "forms %x, damage %d: %s for %s, %llu broken", packed, damage, seen, found,
                     (unsigned long long)notes.broken);
      bytes_free(&archive);
    }
  }
  leave();
}

/* Cut anywhere: the pages before the cut are found, in order, and nothing else. */
void test_warc_cuts(void) {
  enter();
  for (int members = 0; members < 2; members++) {
    struct bytes archive = {0};
    build(&archive, UNHURT, members != 0);
    size_t step = test_full_effort() ? 3 : 37, most = 0;
    for (size_t cut = 1; cut <= archive.length;
         cut = cut < archive.length && cut + step > archive.length ? archive.length : cut + step) {
      char seen[64] = "";
      const char *failure;
      read_archive(write_scratch("cut", archive.data, cut), 1 << 20, collect_number, seen,
                   &failure);
      size_t count = strlen(seen);
      TEST_CHECK_MSG(count <= RECORDS && memcmp(seen, "123456", count) == 0 && count >= most,
                     "cut at %zu: %s", cut, seen);
      most = count;
    }
    TEST_CHECK(most >= RECORDS - 1);
    bytes_free(&archive);
  }
  leave();
}

/* A record that says far more than its member holds: the members behind it are not read for it, so a
 * broken one among them takes no page along. */
static void check_claim(void) {
  struct bytes archive = {0};
  char seen[64] = "";
  const char *failure;
  for (int i = 1; i <= 6; i++) {
    struct bytes record = {0}, member = {0};
    add_record(&record, i, i == 1 ? 1900 : 0);
    add_member(&member, record.data, record.length);
    if (i == 4) member.data[member.length - 6] ^= 1; /* its check sum */
    bytes_add(&archive, member.data, member.length);
    bytes_free(&record);
    bytes_free(&member);
  }
  warc_notes notes = read_archive(write_scratch("claim", archive.data, archive.length), 1 << 20,
                                  collect_number, seen, &failure);
  TEST_CHECK_MSG(strncmp(seen, "123", 3) == 0 && strstr(seen, "56") && failure == NULL &&
                     notes.broken >= 2,
                 "pages %s", seen);
  bytes_free(&archive);
}

/* A header without end takes the record behind it along neither as its own nor for its place. */
static void keep_offset(void *context, const warc_record *record, const uint8_t *body,
                        size_t length) {
  uint64_t *offset = context;
  (void)body, (void)length;
  *offset = record->place.offset;
}

static void check_endless_header(void) {
  struct bytes archive = {0};
  const char *failure;
  uint64_t offset = 0;
  bytes_add_text(&archive, "WARC/1.0\r\nWARC-Type: response\r\nX: ");
  for (int i = 0; i < 4000; i++) bytes_add_text(&archive, "x");
  bytes_add_text(&archive, "\r\n");
  size_t begin = archive.length;
  add_record(&archive, 1, 0);
  warc_notes notes = read_archive(write_scratch("header", archive.data, archive.length), 1 << 20,
                                  keep_offset, &offset, &failure);
  TEST_CHECK_MSG(failure == NULL && notes.broken == 1 && notes.pages == 1 && offset == begin,
                 "%llu broken, %llu pages, at %llu", (unsigned long long)notes.broken,
                 (unsigned long long)notes.pages, (unsigned long long)offset);
  bytes_free(&archive);
}

/* A Content-Type that the first look cuts anywhere is not taken for another one. */
static void check_late_type(void) {
  for (int padding = PEEK - 50; padding <= PEEK; padding++) {
    struct bytes block = {0}, archive = {0};
    const char *failure;
    uint64_t offset = 0;
    bytes_add_text(&block, "HTTP/1.1 200 OK\r\nX: ");
    while (block.length < (size_t)padding) bytes_add_text(&block, "x");
    bytes_add_text(&block, "\r\nContent-Type: text/html\r\n\r\n<p>late");
    bytes_add_format(&archive, "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %zu\r\n\r\n",
                     block.length);
    bytes_add(&archive, block.data, block.length);
    warc_notes notes = read_archive(write_scratch("late", archive.data, archive.length), 1 << 20,
                                    keep_offset, &offset, &failure);
    TEST_CHECK_MSG(failure == NULL && notes.pages == 1, "%d: %llu pages", padding,
                   (unsigned long long)notes.pages);
    bytes_free(&block);
    bytes_free(&archive);
  }
}

/* Members without content hold no memory. */
static void check_empty_members(void) {
  enum { COUNT = 5000 };
  struct bytes archive = {0};
  warc_source source = {.descriptor = -1};
  warc_stream stream;
  memset(&stream, 0, sizeof stream);
  warc_inflater *inflater = warc_inflater_new();
  add_member(&archive, "a", 1);
  for (int i = 0; i < COUNT; i++) add_member(&archive, "", 0);
  uint64_t last = archive.length;
  add_member(&archive, "b", 1);
  TEST_CHECK(warc_source_open(&source, write_scratch("empty", archive.data, archive.length)) == 0);
  warc_stream_start(&stream, &source, inflater, WARC_GZIP);
  TEST_CHECK(warc_stream_need(&stream, 3) == 2 && stream.failure == WARC_STREAM_FINE);
  TEST_CHECK_MSG(stream.mark_count == 2, "%zu marks", stream.mark_count);
  TEST_CHECK(warc_stream_place(&stream, 1).offset == last &&
             warc_stream_next_mark(&stream, 0) == 1);
  warc_stream_consume(&stream, 1);
  TEST_CHECK(warc_stream_place(&stream, 0).offset == last &&
             warc_stream_next_mark(&stream, 0) == 0);
  warc_stream_free(&stream);
  warc_source_free(&source);
  warc_inflater_free(inflater);
  bytes_free(&archive);
}

void test_warc_hostile(void) {
  enter();
  check_claim();
  check_endless_header();
  check_empty_members();
  check_late_type();
  leave();
}

void test_warc_no_archives(void) {
  static const struct {
    const char *data;
    size_t length;
    const char *failure;
  } files[] = {{"", 0, "is empty"},
               {"<!DOCTYPE html><p>a page", 24, "is not a WARC or ARC archive"},
               {"WARC", 4, "is not a WARC or ARC archive"},
               {"\0\0\0\0", 4, "is not a WARC or ARC archive"}};
  const char *failure;
  char seen[64] = "";
  enter();
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    read_archive(write_scratch("file", files[i].data, files[i].length), 1 << 20, collect_number,
                 seen, &failure);
    TEST_CHECK_MSG(failure != NULL && strcmp(failure, files[i].failure) == 0, "file %zu: %s", i,
                   failure ? failure : "no failure");
  }
  read_archive(scratch, 1 << 20, collect_number, seen, &failure);
  TEST_CHECK(failure != NULL && strstr(failure, "directory") != NULL);
  read_archive("/no/such/file", 1 << 20, collect_number, seen, &failure);
  TEST_CHECK(failure != NULL && seen[0] == '\0');
  leave();
}

/* --- the command --- */

#ifndef LANNER_TEST_BUILD
#define LANNER_TEST_BUILD "build"
#endif

/* tools/check_warc.py: outputs, options, kills, full disks, with the command of this build. */
void test_warc_command(void) {
  const char *lanner = getenv("LANNER_COMMAND");
  char *samples = test_shared_path("corpus/warc");
  if (!test_full_effort()) test_skip("runs the command of the usual build many times");
  if (samples == NULL || !test_full_effort()) {
    free(samples);
    return;
  }
  struct bytes command = {0};
  bytes_add_format(
      &command, "python3 tests/tools/check_warc.py '%s' '%s' tests/tools/warc_expected.inc >&2",
      lanner != NULL && *lanner != '\0' ? lanner : LANNER_TEST_BUILD "/lanner", samples);
  TEST_CHECK(system(command.data) == 0);
  bytes_free(&command);
  free(samples);
}
