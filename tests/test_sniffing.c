/* test_sniffing.c - which encoding a page has: sniffing, prescan, late declarations, and the pages
 * of the corpus with what they say about themselves. */
#include "lanner_encoding.h"
#include "support.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lanner_encoding label(const char *text) {
  return text ? lanner_encoding_for_label(text, strlen(text)) : LANNER_ENCODING_NONE;
}

static const char *name_of(lanner_encoding encoding) {
  const char *name = lanner_encoding_name(encoding);
  return name ? name : "none";
}

static size_t from_base64(const char *text, unsigned char *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned bits = 0, count = 0;
  size_t n = 0;
  for (; *text && *text != '='; text++) {
    const char *digit = strchr(digits, *text);
    if (!digit) continue;
    bits = bits << 6 | (unsigned)(digit - digits);
    count += 6;
    if (count >= 8) out[n++] = (unsigned char)(bits >> (count -= 8));
  }
  return n;
}

/* The cases that only a full parse decides are checked with what their prescan gives. */
void test_sniffing_vectors(void) {
  char *path = test_shared_path("conformance/extra/encoding-sniffing.json");
  if (!path) return;
  json_t *root = read_json(path), *tests = json_object_get(root, "tests"), *test;
  free(path);
  size_t i, full = 0;
  TEST_CHECK(json_array_size(tests) == 142);
  json_array_foreach(tests, i, test) {
    const char *text = json_string_value(json_object_get(test, "bytes_base64"));
    unsigned char *bytes = malloc(strlen(text) + 1);
    if (!bytes) abort();
    size_t length = from_base64(text, bytes);
    lanner_sniff_options options = {
        .transport = label(json_string_value(json_object_get(test, "transport_charset"))),
        .parent = label(json_string_value(json_object_get(test, "parent_encoding"))),
    };
    const char *expected = json_string_value(json_object_get(test, "expected"));
    if (json_flag(test, "needs_full_parse", false)) {
      full++;
      expected = json_string_value(json_object_get(test, "prescan_only"));
    }
    lanner_sniff_result result;
    lanner_sniff(bytes, length, &options, &result);
    const char *description = json_string_value(json_object_get(test, "description"));
    TEST_CHECK_MSG(strcmp(name_of(result.encoding), expected) == 0, "%zu, %s: %s, not %s", i,
                   description, name_of(result.encoding), expected);
    const char *confidence = json_string_value(json_object_get(test, "confidence"));
    TEST_CHECK_MSG(!confidence ||
                       strcmp(confidence, lanner_confidence_name(result.confidence)) == 0,
                   "%zu, %s: %s", i, description, lanner_confidence_name(result.confidence));
    free(bytes);
  }
  TEST_CHECK(full == 7);
  json_decref(root);
}

void test_sniffing_sources(void) {
  static const struct {
    const char *bytes;
    size_t length;
    lanner_encoding user, transport, parent, fallback;
    const char *encoding, *source, *confidence;
    unsigned mark;
  } rows[] = {
#define NO LANNER_ENCODING_NONE
#define ROW(bytes, ...) {bytes, sizeof bytes - 1, __VA_ARGS__}
      ROW("\xEF\xBB\xBF", LANNER_ENCODING_BIG5, LANNER_ENCODING_GBK, NO, NO, "UTF-8", "bom",
          "certain", 3),
      ROW("\xFF\xFE", NO, NO, NO, NO, "UTF-16LE", "bom", "certain", 2),
      ROW("<meta charset=big5>", LANNER_ENCODING_KOI8_R, LANNER_ENCODING_GBK, NO, NO, "KOI8-R",
          "user", "certain", 0),
      ROW("<meta charset=big5>", NO, LANNER_ENCODING_GBK, NO, NO, "GBK", "transport", "certain", 0),
      ROW("<meta charset=big5>", NO, NO, LANNER_ENCODING_GBK, NO, "Big5", "meta", "tentative", 0),
      ROW("<\0?\0x\0", NO, NO, NO, NO, "UTF-16LE", "utf-16-pattern", "tentative", 0),
      ROW("\0<\0?\0x", NO, NO, NO, NO, "UTF-16BE", "utf-16-pattern", "tentative", 0),
      ROW("<?xml encoding='koi8-r'?>", NO, NO, LANNER_ENCODING_GBK, NO, "KOI8-R", "xml",
          "tentative", 0),
      ROW("<p>", NO, NO, LANNER_ENCODING_GBK, LANNER_ENCODING_BIG5, "GBK", "parent", "tentative",
          0),
      ROW("<p>", NO, NO, LANNER_ENCODING_UTF_16LE, LANNER_ENCODING_BIG5, "Big5", "default",
          "tentative", 0),
      ROW("", NO, NO, NO, NO, "windows-1252", "default", "tentative", 0),
#undef ROW
#undef NO
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    lanner_sniff_options options = {.user = rows[i].user,
                                    .transport = rows[i].transport,
                                    .parent = rows[i].parent,
                                    .fallback = rows[i].fallback};
    lanner_sniff_result r;
    lanner_sniff(rows[i].bytes, rows[i].length, &options, &r);
    TEST_CHECK_MSG(strcmp(name_of(r.encoding), rows[i].encoding) == 0 &&
                       strcmp(lanner_source_name(r.source), rows[i].source) == 0 &&
                       strcmp(lanner_confidence_name(r.confidence), rows[i].confidence) == 0 &&
                       r.mark == rows[i].mark,
                   "row %zu: %s %s %s %u", i, name_of(r.encoding), lanner_source_name(r.source),
                   lanner_confidence_name(r.confidence), r.mark);
  }
  TEST_CHECK(strcmp(lanner_source_name(LANNER_SOURCE_LATE_META), "late-meta") == 0);
  TEST_CHECK(strcmp(lanner_confidence_name(LANNER_CONFIDENCE_IRRELEVANT), "irrelevant") == 0);
}

static lanner_encoding guess_greek(void *context, const void *bytes, size_t length) {
  ++*(size_t *)context;
  return length && *(const char *)bytes == 'g' ? LANNER_ENCODING_ISO_8859_7 : LANNER_ENCODING_NONE;
}

void test_sniffing_guess_and_hints(void) {
  size_t calls = 0;
  lanner_sniff_options options = {
      .fallback = LANNER_ENCODING_KOI8_U, .guess = guess_greek, .guess_context = &calls};
  lanner_sniff_result r;
  lanner_sniff("g", 1, &options, &r);
  TEST_CHECK(r.encoding == LANNER_ENCODING_ISO_8859_7 && r.source == LANNER_SOURCE_GUESS);
  TEST_CHECK(r.confidence == LANNER_CONFIDENCE_TENTATIVE && calls == 1);
  lanner_sniff("h", 1, &options, &r);
  TEST_CHECK(r.encoding == LANNER_ENCODING_KOI8_U && r.source == LANNER_SOURCE_DEFAULT &&
             calls == 2);
  lanner_sniff("g<meta charset=gbk>", 19, &options, &r);
  TEST_CHECK(r.encoding == LANNER_ENCODING_GBK && calls == 2);

  static const struct {
    const char *hint, *encoding;
  } hints[] = {
      {"ja", "Shift_JIS"},  {"JA-jp", "Shift_JIS"},   {"zh", "GBK"},
      {"zh-CN", "GBK"},     {"zh-TW", "Big5"},        {"zh_Hant_HK", "Big5"},
      {"zh-hantx", "GBK"},  {"ru", "windows-1251"},   {".ru", "windows-1251"},
      {".jp", "Shift_JIS"}, {"jp", "windows-1252"},   {"de", "windows-1252"},
      {"", "windows-1252"}, {"saha", "windows-1252"}, {"sah", "windows-1251"},
  };
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
    lanner_encoding e = lanner_encoding_for_hint(hints[i].hint, strlen(hints[i].hint));
    TEST_CHECK_MSG(strcmp(name_of(e), hints[i].encoding) == 0, "%s: %s", hints[i].hint, name_of(e));
  }
}

void test_sniffing_content(void) {
  static const struct {
    const char *value, *meta, *type; /* as a meta's content, as a Content-Type */
  } rows[] = {
      {"text/html; charset=koi8-r", "KOI8-R", "KOI8-R"},
      {"text/html; charset=\"koi8-r\"", "KOI8-R", "KOI8-R"},
      {"text/html; charset='koi8-r'", "KOI8-R", "none"},
      {"text/html;charset=koi8-r;a=b", "KOI8-R", "KOI8-R"},
      {"text/html;a=\"charset=big5;\";charset=koi8-r", "Big5", "KOI8-R"},
      {"text/html;CHARSET= koi8-r", "KOI8-R", "KOI8-R"},
      {"text/html;charset =koi8-r", "KOI8-R", "none"},
      {"charset charset=koi8-r", "KOI8-R", "none"},
      {"charsetcharset=koi8-r", "KOI8-R", "none"},
      {"x; charset=\"koi8-r", "none", "KOI8-R"},
      {"x; charset=koi8-r x", "KOI8-R", "none"},
      {"x; charset=", "none", "none"},
      {"x; charset", "none", "none"},
      {"x; charset=bogus; charset=koi8-r", "none", "none"},
      {"charset", "none", "none"},
      {"", "none", "none"},
      {"text/html;;; charset=utf-16", "UTF-16LE", "UTF-16LE"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t n = strlen(rows[i].value);
    lanner_encoding e = lanner_encoding_for_meta_content(rows[i].value, n);
    TEST_CHECK_MSG(strcmp(name_of(e), rows[i].meta) == 0, "%s in meta: %s", rows[i].value,
                   name_of(e));
    e = lanner_encoding_for_content_type(rows[i].value, n);
    TEST_CHECK_MSG(strcmp(name_of(e), rows[i].type) == 0, "%s as type: %s", rows[i].value,
                   name_of(e));
  }
}

/* The prescan reads no byte behind its input, wherever that ends. */
void test_sniffing_prescan_ends(void) {
  static const char *const pages[] = {
      "<?xml version='1.0' encoding='koi8-r'?><!DOCTYPE html><!--x--><a b=c d='e' f>"
      "<meta http-equiv=\"content-type\" content=\"text/html; charset='big5'\"><meta charset=gbk>",
      "<!-- --></p x=y><?pi?><!--><meta/charset/=\"x\"/x><meta name=a content='charset=gbk' "
      "charset = utf-8>",
  };
  for (size_t p = 0; p < sizeof pages / sizeof *pages; p++) {
    size_t length = strlen(pages[p]);
    lanner_encoding last = LANNER_ENCODING_NONE;
    for (size_t n = 0; n <= length; n++) {
      char *copy = malloc(n ? n : 1);
      if (!copy) abort();
      memcpy(copy, pages[p], n);
      lanner_source source = LANNER_SOURCE_DEFAULT;
      last = lanner_prescan(copy, n, &source);
      TEST_CHECK((last == LANNER_ENCODING_NONE) == (source == LANNER_SOURCE_DEFAULT));
      free(copy);
    }
    TEST_CHECK_MSG(last == (p ? LANNER_ENCODING_UTF_8 : LANNER_ENCODING_BIG5), "page %zu: %s", p,
                   name_of(last));
  }
}

void test_sniffing_change(void) {
  char *path = test_shared_path("conformance/extra/change-the-encoding.json");
  if (!path) return;
  json_t *root = read_json(path), *test;
  free(path);
  size_t i;
  json_array_foreach(json_object_get(root, "tests"), i, test) {
    lanner_encoding current = label(json_string_value(json_object_get(test, "current"))), result;
    lanner_encoding declared = label(json_string_value(json_object_get(test, "declared")));
    const char *action = json_string_value(json_object_get(test, "action"));
    lanner_change change = lanner_change_encoding(current, declared, &result);
    TEST_CHECK_MSG((change == LANNER_CHANGE_KEEP) == (strcmp(action, "keep") == 0), "test %zu", i);
    TEST_CHECK_MSG(result == label(json_string_value(json_object_get(test, "encoding"))),
                   "test %zu: %s", i, name_of(result));
  }
  TEST_CHECK(i == 8);
  json_decref(root);
}

void test_sniffing_agree(void) {
  static const struct {
    const char *a, *b, *bytes;
    bool agree;
  } rows[] = {
      {"windows-1252", "utf-8", "<p>plain", true},
      {"windows-1252", "utf-8", "", true},
      {"windows-1252", "utf-8", "\xC3\xA4", false},
      {"windows-1252", "iso-8859-15", "gr\xFC\xDF", true},
      {"windows-1252", "iso-8859-15", "\xA4", false},
      {"windows-1252", "shift_jis", "\\~", true},
      {"windows-1252", "iso-2022-jp", "plain", true},
      {"windows-1252", "iso-2022-jp", "\x1B(Bx", false},
      {"windows-1252", "utf-16le", "a", false},
      {"windows-1252", "replacement", "a", false},
      {"gbk", "gb18030", "\xB0\xA1\x81\x30\x81\x30", true},
      {"gbk", "gb18030", "\xB0\xA1\x81\x30", false}, /* in the middle of a character */
      {"gbk", "big5", "plain \xB0", false},
      {"windows-1252", "gbk", "plain\x80", true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool agree = lanner_encodings_agree(label(rows[i].a), label(rows[i].b), rows[i].bytes,
                                        strlen(rows[i].bytes));
    TEST_CHECK_MSG(agree == rows[i].agree, "row %zu", i);
  }
  char *long_text = malloc(100000);
  if (!long_text) abort();
  memset(long_text, 'x', 100000);
  TEST_CHECK(lanner_encodings_agree(LANNER_ENCODING_UTF_8, LANNER_ENCODING_GBK, long_text, 100000));
  memset(long_text, '\xFC', 100000);
  TEST_CHECK(lanner_encodings_agree(LANNER_ENCODING_WINDOWS_1252, LANNER_ENCODING_WINDOWS_1254,
                                    long_text, 100000));
  long_text[99999] = '\xFD';
  TEST_CHECK(!lanner_encodings_agree(LANNER_ENCODING_WINDOWS_1252, LANNER_ENCODING_WINDOWS_1254,
                                     long_text, 100000));
  free(long_text);
}

/* --- html5lib-tests/encoding --- */

/* Blocks of "#data", bytes, "#encoding", a label. Where the meta is beyond the sniffed bytes, the
 * full parse has to find it; the prescan of the whole input says the same for these files except
 * where BEHIND is counted. */
void test_sniffing_dat(void) {
  char *folder = test_shared_path("conformance/html5lib-tests/encoding");
  if (!folder) return;
  struct names names = list_folder(folder, ".dat");
  struct bytes text = {0};
  size_t cases = 0, late = 0;
  for (size_t f = 0; f < names.count; f++) {
    char *path = join_path(folder, names.items[f]);
    if (read_file(path, &text)) {
      const char *at = text.data, *end = text.data + text.length, *mark;
      while (at && at < end && (at = strstr(at, "#data\n")) != NULL) {
        at += 6;
        mark = strstr(at, "\n#encoding\n");
        if (!mark) break;
        const char *value = mark + 11, *stop = strchr(value, '\n');
        size_t length = stop ? (size_t)(stop - value) : strlen(value);
        lanner_encoding expected = lanner_encoding_for_label(value, length);
        lanner_sniff_result r;
        lanner_sniff(at, (size_t)(mark - at), NULL, &r);
        cases++;
        if (r.encoding != expected) {
          late++;
          TEST_CHECK_MSG(r.source == LANNER_SOURCE_DEFAULT || r.source == LANNER_SOURCE_META,
                         "%s: %.*s: %s", names.items[f], (int)length, value, name_of(r.encoding));
        }
        at = value;
      }
    }
    free(path);
  }
  TEST_CHECK_MSG(cases == 82, "%zu cases", cases);
  TEST_CHECK_MSG(late == 7, "%zu cases are left to the full parse", late);
  names_free(&names), bytes_free(&text);
  free(folder);
}

/* --- the corpus --- */

/* Pages whose bytes say something else than their file name, or nothing: what the first 1024 bytes
 * give. "late" ones have a meta behind them. */
static const struct page {
  const char *name, *encoding, *source;
} pages[] = {
    {"big5-apache-welcome-1.html", "windows-1252", "default"},
    {"big5-apache-welcome.html", "windows-1252", "default"},
    {"big5-transcoded-sohu.com.html", "windows-1252", "default"},
    {"euc-kr-apache-welcome-iso-kr.html", "windows-1252", "default"},
    {"gb18030-transcoded-sohu.com.html", "windows-1252", "default"},
    {"gb2312-apache-welcome.html", "windows-1252", "default"},
    {"gb2312-he-xinhuanet.html", "windows-1252", "default"},
    {"gb2312-jxtdw-jobs.html", "GBK", "meta"},
    {"iso-8859-1-focalinux-iptables.html", "windows-1252", "meta"},
    {"iso-8859-1-focalinux-samba.html", "windows-1252", "meta"},
    {"iso-8859-1-live-radsport.html", "windows-1252", "default"},
    {"iso-8859-1-musicloops-com.html", "windows-1252", "meta"},
    {"iso-8859-1-pglaf-org.html", "windows-1252", "meta"},
    {"iso-8859-1-qsl-misspelt-label.html", "UTF-8", "bom"},
    {"iso-8859-2-gazeta-pl.html", "windows-1252", "default"},
    {"iso-8859-7-apache-welcome.html", "windows-1252", "default"},
    {"utf-16be-apache-welcome-ucs2.html", "windows-1252", "default"},
    {"windows-1250-rp-pl.html", "windows-1252", "default"},
    {"windows-1251-mail-ru.html", "windows-1252", "default"},
    {"windows-1251-streetstorm.html", "windows-1252", "default"},
    {"x-ucs4-apache-welcome-ucs4.html", "windows-1252", "default"},
};

/* The encoding that a page's file name begins with: the longest label that a '-' follows. */
static lanner_encoding named(const char *file) {
  lanner_encoding encoding = LANNER_ENCODING_NONE;
  for (size_t n = strlen(file); n > 0 && encoding == LANNER_ENCODING_NONE; n--) {
    if (file[n] == '-') encoding = lanner_encoding_for_label(file, n);
  }
  return encoding;
}

typedef void (*page_visitor)(const char *name, const struct bytes *page);

/* False: there are no pages here. */
static bool each_page(page_visitor visit) {
  char *folder = test_shared_path("corpus/encodings");
  if (!folder) return false;
  struct names names = list_folder(folder, ".html");
  struct bytes page = {0};
  TEST_CHECK_MSG(names.count == 117, "%zu pages", names.count);
  for (size_t i = 0; i < names.count; i++) {
    char *path = join_path(folder, names.items[i]);
    if (read_file(path, &page)) visit(names.items[i], &page);
    free(path);
  }
  bytes_free(&page), names_free(&names);
  free(folder);
  return true;
}

static void sniff_page(const char *name, const struct bytes *page) {
  const char *expected = name_of(named(name)), *source = NULL;
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    if (strcmp(pages[i].name, name) == 0) expected = pages[i].encoding, source = pages[i].source;
  }
  lanner_sniff_result r;
  lanner_sniff(page->data, page->length, NULL, &r);
  TEST_CHECK_MSG(strcmp(name_of(r.encoding), expected) == 0, "%s: %s, not %s", name,
                 name_of(r.encoding), expected);
  TEST_CHECK_MSG(!source || strcmp(lanner_source_name(r.source), source) == 0, "%s: %s", name,
                 lanner_source_name(r.source));
}

void test_sniffing_corpus(void) { each_page(sniff_page); }

/* --- the corpus against another codec, the C library's --- */

/* What glibc calls an encoding, where it has another name or a nearer relative. */
static const char *iconv_name(lanner_encoding encoding) {
  switch (encoding) {
  case LANNER_ENCODING_SHIFT_JIS: return "CP932";
  case LANNER_ENCODING_EUC_KR: return "CP949";
  case LANNER_ENCODING_BIG5: return "BIG5-HKSCS";
  case LANNER_ENCODING_GBK: return "GB18030";
  case LANNER_ENCODING_EUC_JP: return "EUC-JP-MS";
  case LANNER_ENCODING_WINDOWS_874: return "CP874";
  case LANNER_ENCODING_X_MAC_CYRILLIC: return "MAC-UK";
  case LANNER_ENCODING_ISO_8859_8_I: return "ISO-8859-8";
  default: return lanner_encoding_name(encoding);
  }
}

static size_t characters, explained;

/* Below lead byte A1 Big5 holds characters of older extensions that glibc dropped where its later
 * tables have them a second time; the Encoding Standard keeps both. */
static bool is_explained(lanner_encoding encoding, const char *bytes, size_t length, bool refused) {
  return encoding == LANNER_ENCODING_BIG5 && refused && length == 2 &&
         (unsigned char)bytes[0] < 0xA1;
}

/* A character at a time: the bytes that our decoder takes for it go to iconv too. */
static void compare_page(const char *name, const struct bytes *page) {
  lanner_encoding encoding = named(name);
  if (encoding == LANNER_ENCODING_NONE) return;
  iconv_t cd = iconv_open("UTF-8", iconv_name(encoding));
  if (!TEST_CHECK_MSG(cd != (iconv_t)-1, "iconv has no %s", iconv_name(encoding))) return;
  lanner_decoder d;
  lanner_decoder_init(&d, encoding, LANNER_BOM_KEEP, 0);
  size_t start;
  lanner_encoding_for_bom(page->data, page->length, &start);
  for (size_t at = start; at < page->length; at++) {
    char ours[32], theirs[32];
    size_t consumed, written;
    lanner_decode(&d, page->data + at, 1, &consumed, ours, sizeof ours, &written,
                  at + 1 == page->length);
    if (written == 0) continue;
    characters++;
    char *in = (char *)(uintptr_t)(page->data + start), *out = theirs;
    size_t length = at + 1 - start, in_left = length, out_left = sizeof theirs;
    size_t result = iconv(cd, &in, &in_left, &out, &out_left);
    /* glibc holds letters back that an accent might follow; asking for them resets ISO-2022-JP. */
    if (encoding != LANNER_ENCODING_ISO_2022_JP) iconv(cd, NULL, NULL, &out, &out_left);
    size_t got = sizeof theirs - out_left;
    if (result == (size_t)-1 || written != got || memcmp(ours, theirs, got) != 0) {
      bool known = is_explained(encoding, page->data + start, length, got == 0);
      explained += known;
      if (!known) {
        TEST_CHECK_MSG(false, "%s at %zu: %s, iconv says %s", name, start, shown(ours, written),
                       shown(theirs, got));
      }
    }
    start = at + 1;
  }
  iconv_close(cd);
}

void test_sniffing_corpus_decodes(void) {
  characters = explained = 0;
  if (!each_page(compare_page)) return;
  TEST_CHECK(characters > 9000000);
  TEST_CHECK_MSG(explained == 56, "%zu explained differences", explained);
}

/* --- the full parse: late declarations --- */

/* Parses in pieces of STEP (0: whole) and gives the encoding that was used in the end. */
static const char *parsed_encoding(lanner_document *document, const void *bytes, size_t length,
                                   const char *transport, size_t step) {
  lanner_options options;
  lanner_options_init(&options);
  options.transport = transport;
  lanner_status status;
  if (!step) {
    status = lanner_parse(document, bytes, length, &options);
  } else {
    status = lanner_parse_begin(document, NULL, &options);
    for (size_t at = 0; at < length && status == LANNER_OK; at += step)
      status = lanner_parse_feed(document, (const char *)bytes + at,
                                 length - at < step ? length - at : step);
    if (status == LANNER_OK) status = lanner_parse_end(document);
  }
  TEST_CHECK_MSG(status == LANNER_OK, "%s", lanner_status_text(status));
  return lanner_document_encoding(document);
}

void test_sniffing_full_parse(void) {
  char *path = test_shared_path("conformance/extra/encoding-sniffing.json");
  if (!path) return;
  json_t *root = read_json(path), *tests = json_object_get(root, "tests"), *test;
  free(path);
  lanner_document *document = lanner_document_new(NULL);
  size_t i, late = 0;
  json_array_foreach(tests, i, test) {
    /* The others say what sniffing gives; tree construction may rightly go on to something else. */
    if (!json_flag(test, "needs_full_parse", false)) continue;
    const char *text = json_string_value(json_object_get(test, "bytes_base64"));
    unsigned char *bytes = malloc(strlen(text) + 1);
    if (!bytes) abort();
    size_t length = from_base64(text, bytes);
    const char *expected = json_string_value(json_object_get(test, "expected"));
    const char *transport = json_string_value(json_object_get(test, "transport_charset"));
    for (size_t step = 0; step <= 7; step += step ? 6 : 1) {
      const char *got = parsed_encoding(document, bytes, length, transport, step);
      TEST_CHECK_MSG(strcmp(got, expected) == 0, "%zu, %s, steps of %zu: %s, not %s", i,
                     json_string_value(json_object_get(test, "description")), step, got, expected);
    }
    late++;
    TEST_CHECK(strcmp(lanner_document_encoding_source(document), "late-meta") == 0);
    free(bytes);
  }
  TEST_CHECK_MSG(late == 7, "%zu late ones", late);
  lanner_document_free(document);
  json_decref(root);
}

/* Pages that have another encoding than their file name says, or declare none: the Standard's. */
static const struct page parsed_pages[] = {
    {"big5-apache-welcome-1.html", "windows-1252", "default"},
    {"big5-apache-welcome.html", "windows-1252", "default"},
    {"euc-kr-apache-welcome-iso-kr.html", "windows-1252", "default"},
    {"gb2312-apache-welcome.html", "windows-1252", "default"},
    {"gb2312-he-xinhuanet.html", "GBK", "late-meta"},
    {"iso-8859-1-live-radsport.html", "windows-1252", "late-meta"},
    {"iso-8859-1-qsl-misspelt-label.html", "UTF-8", "bom"},
    {"iso-8859-2-gazeta-pl.html", "ISO-8859-2", "late-meta"},
    {"iso-8859-7-apache-welcome.html", "windows-1252", "default"},
    {"utf-16be-apache-welcome-ucs2.html", "windows-1252", "default"},
    {"windows-1250-rp-pl.html", "windows-1250", "late-meta"},
    {"windows-1251-mail-ru.html", "windows-1251", "late-meta"},
    {"windows-1251-streetstorm.html", "windows-1251", "late-meta"},
    {"x-ucs4-apache-welcome-ucs4.html", "windows-1252", "default"},
};

static void parse_named_page(const char *name, const struct bytes *page) {
  const char *expected = name_of(named(name)), *source = NULL;
  for (size_t i = 0; i < sizeof parsed_pages / sizeof *parsed_pages; i++)
    if (strcmp(parsed_pages[i].name, name) == 0)
      expected = parsed_pages[i].encoding, source = parsed_pages[i].source;
  lanner_document *document = lanner_document_new(NULL);
  for (size_t step = 0; step <= 997; step += 997) {
    const char *got = parsed_encoding(document, page->data, page->length, NULL, step);
    TEST_CHECK_MSG(strcmp(got, expected) == 0, "%s, steps of %zu: %s, not %s", name, step, got,
                   expected);
    got = lanner_document_encoding_source(document);
    TEST_CHECK_MSG(!source || strcmp(got, source) == 0, "%s, steps of %zu: %s", name, step, got);
  }
  lanner_document_free(document);
}

void test_sniffing_corpus_parsed(void) { each_page(parse_named_page); }
