/* test_limit_offsets.c - where a limit struck does not depend on encoding, newlines and pieces. */
#include "lanner_errors.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AS_UTF_8, AS_UTF_16LE, AS_UTF_16BE, AS_WINDOWS_1252, AS_ENCODINGS };

/* Latin-1 text in an encoding. */
static void encode(struct bytes *into, const char *text, unsigned as) {
  bytes_clear(into);
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
    char unit[2] = {(char)*p, 0};
    if (as == AS_UTF_16BE) unit[0] = 0, unit[1] = (char)*p;
    if (as == AS_UTF_8 && *p >= 0x80)
      unit[0] = (char)(0xC0 | *p >> 6), unit[1] = (char)(0x80 | (*p & 63));
    bytes_add(into, unit, as == AS_WINDOWS_1252 || (as == AS_UTF_8 && *p < 0x80) ? 1 : 2);
  }
}

/* Where a limit struck is the same place of the input whatever its encoding, its newlines and its
 * pieces are, with errors and without. */
void test_limits_offsets(void) {
  static const char *const labels[AS_ENCODINGS] = {"utf-8", "utf-16le", "utf-16be", "windows-1252"};
  static const size_t steps[] = {0, 1, 7, 2, 3, 5, 40, 1000};
  static const char *const pages[] = {
      "\xE9\r\n<div>\r\n<div>\xE9\r<p title='\xE9\r\n'>x\r\n<b>y",
      "caf\xE9 &amp;\r\n\r\ntext<p>\r\nmore<!--\xE9\r\n--><p>a&#233;b<p\r\nclass=x>c<br>d",
      "<p\r\na=1\r\nb='\xE9\r\n' c=3 d\xE9=4\r\ne=5>x",
      "<table>\r\n \xE9 <tr>a&lt;b\r\n<td>\xE9\r\n<table><b><i>x<tr>y",
      "<svg>\r\n<g>\xE9<g>x\r<title>\r\n</title><select><option>\xE9\r\n<option>y",
      "<title>t&amp;\r\n\xE9</title><script>\r\n<a>\xE9</script><textarea>\r\n\r\n\xE9</"
      "textarea><li>",
      "<p b b c=\r\nd=e\"f\xE9>&\xE9;&#0;\r\n</x y><a/>\xE9</p/>\r\n<!x>\r",
  };
  struct bytes input = {0};
  lanner_document *document = lanner_document_new(NULL);
  size_t struck[6] = {0};
  for (size_t p = 0; p < sizeof pages / sizeof *pages; p++)
    for (unsigned as = 0; as < AS_ENCODINGS; as++)
      for (unsigned limit = 0; limit < 6; limit++)
        for (unsigned value = 1; value <= 24; value++) {
          encode(&input, pages[p], as);
          if (limit == 4) continue; /* pieces have other sizes in memory */
          uint64_t offset = 0;
          uint32_t flags = 0;
          for (unsigned checked = limit == 3; checked <= 1; checked++)
            for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
              char what[128];
              struct tree_run run;
              tree_run_init(&run, checked ? LANNER_ERRORS : 0);
              memset(&run.options.limits, 0, sizeof run.options.limits);
              run.options.encoding = labels[as];
              run.plan.kind = steps[s] ? STEPS : WHOLE;
              run.plan.at = steps[s];
              switch (limit) {
              case 0: run.options.limits.depth = value; break;
              case 1: run.options.limits.nodes = value; break;
              case 2: run.options.limits.attributes = value; break;
              case 3: run.options.limits.errors = value; break;
              default: run.options.limits.input = value * 5; break;
              }
              snprintf(what, sizeof what, "page %zu, %s, limit %u of %u, steps of %zu%s", p,
                       labels[as], limit, value, steps[s], checked ? ", errors" : "");
              bool stops = limit == 1 || limit == 5;
              uint32_t found = 0;
              lanner_status status = lanner_parse_begin(document, NULL, &run.options);
              size_t step = steps[s] ? steps[s] : input.length;
              for (size_t at = 0; at < input.length && status == LANNER_OK; at += step) {
                /* What was fed is gone afterwards. */
                size_t length = input.length - at < step ? input.length - at : step;
                char *piece = malloc(length);
                memcpy(piece, input.data + at, length);
                status = steps[s] ? lanner_parse_feed(document, piece, length)
                                  : lanner_parse(document, piece, length, &run.options);
                memset(piece, '<', length);
                free(piece);
              }
              if (steps[s] && status == LANNER_OK) status = lanner_parse_end(document);
              found = lanner_document_limits(document);
              TEST_CHECK_MSG(status == (stops && found ? LANNER_ERROR_LIMIT : LANNER_OK), "%s: %s",
                             what, lanner_status_text(status));
              uint64_t at = lanner_document_limit_offset(document, 1u << limit);
              if (s == 0 && checked == (limit == 3)) {
                offset = at;
                flags = found;
                struck[limit] += found != 0;
                TEST_CHECK_MSG(found == 0 || found == 1u << limit, "%s: flags %x", what,
                               (unsigned)found);
              }
              TEST_CHECK_MSG(found == flags && at == offset, "%s: flags %x at %llu, not %x at %llu",
                             what, (unsigned)found, (unsigned long long)at, (unsigned)flags,
                             (unsigned long long)offset);
              /* The start of a tag, comment or text, for which the page has a place. */
              if (found && limit < 3 && as == AS_UTF_16LE)
                TEST_CHECK_MSG(at % 2 == 0 && at <= input.length, "%s: at %llu", what,
                               (unsigned long long)at);
              if (found && limit == 0) {
                char here = input.data[at + (as == AS_UTF_16BE)];
                TEST_CHECK_MSG(here == '<' || p == 3, "%s: at %llu stands %c", what,
                               (unsigned long long)at, here);
              }
            }
        }
  for (unsigned limit = 0; limit < 6; limit++)
    TEST_CHECK_MSG(limit == 4 || struck[limit] >= 20, "limit %u struck %zu times", limit,
                   struck[limit]);
  lanner_document_free(document);
  bytes_free(&input);
}

/* The same in ISO-2022-JP, where pieces may give no text and the last character of each waits for
 * the next one: pieces of all kinds of lengths. */
void test_limits_offsets_escapes(void) {
  static const lanner_string pages[] = {
#define PAGE(text) {text, sizeof text - 1}
      PAGE("<!--c--> \n&0!<i \x1b$B!!\x1b(B=1>\x1b(!\x0ex</body>"),
      PAGE("\x1b(B<div>\0text<b>\x1b<div><div><!&<!--c-->"),
      PAGE("\x1b(J\x0e<b>\r\n<!--c--><\r\r</body><i \x1b$B!!\x1b(B=1>\x1b(J&amp;<p a=1 b=2>!"),
      PAGE("<p a=1 b=2 c=3><i \x1b$B!!\x1b(B=1>\x1b(!!0!&amp;\n</p>&amp;<<table>\x1b$@"),
      PAGE("</title>\x1b$B<i \x1b$B!!\x1b(B=1>!\x1b<i \x1b$B!!\x1b(B=1>\x1b$@<table>\xff!!<p>"),
#undef PAGE
  };
  enum { SEEDS = 400, VALUES = 6 };
  lanner_document *document = lanner_document_new(NULL);
  for (size_t p = 0; p < sizeof pages / sizeof *pages; p++)
    for (unsigned limit = 0; limit < 3; limit++)
      for (unsigned value = 1; value <= VALUES; value++) {
        lanner_options options;
        lanner_options_init(&options);
        memset(&options.limits, 0, sizeof options.limits);
        options.encoding = "iso-2022-jp";
        *(uint32_t *[]){&options.limits.depth, &options.limits.nodes,
                        &options.limits.attributes}[limit] = value;
        const char *data = pages[p].data;
        size_t length = pages[p].length;
        lanner_parse(document, data, length, &options);
        uint32_t flags = lanner_document_limits(document);
        uint64_t offset = lanner_document_limit_offset(document, 1u << limit);
        for (uint32_t seed = 1; seed <= SEEDS; seed++) {
          uint32_t random = seed * 2654435761u;
          lanner_status status = lanner_parse_begin(document, NULL, &options);
          for (size_t at = 0, step; at < length && status == LANNER_OK; at += step) {
            random = random * 1664525u + 1013904223u;
            step = 1 + (random >> 16) % 7;
            if (step > length - at) step = length - at;
            status = lanner_parse_feed(document, data + at, step);
          }
          if (status == LANNER_OK) lanner_parse_end(document);
          uint64_t at = lanner_document_limit_offset(document, 1u << limit);
          bool same = lanner_document_limits(document) == flags && at == offset;
          TEST_CHECK_MSG(same, "page %zu, limit %u of %u, pieces %u: %llu instead of %llu", p,
                         limit, value, (unsigned)seed, (unsigned long long)at,
                         (unsigned long long)offset);
          if (!same) break;
        }
      }
  lanner_document_free(document);
}

/* The errors of a parse that the limit on nodes stops: those before the stop, and one about the end
 * of the input there, in any pieces. */
void test_limits_offsets_of_errors(void) {
  static const char *const pages[] = {
      "&#0;\xEF\xBF\xBF<a/><table>&<a/>&x; &x;xx",
      "<title>\x01xx<b>< <a/>text<div></body>&#0;&<b>&#0;&<!doctype>",
      "\x7F&#0;<!--c--> &x;&x;<title>\x01\"></body><p a a b=\"><?a "
      "x</title></body>x<title>x&</p>\x7F",
      "<div>\x7F&#0;<table>\x7F\x01</body>\x7F<?a \x01",
      "<p>\xC3\xA9\r\n\x01<i>\xF0\x9F\x98\x80\x7F\r\n<b>&x;\x01</p></x>\n\x01\n<u>\x01x<s a "
      "a>\x02y",
  };
  lanner_document *whole = lanner_document_new(NULL), *pieces = lanner_document_new(NULL);
  size_t stopped = 0;
  for (size_t p = 0; p < sizeof pages / sizeof *pages; p++)
    for (uint32_t limit = 1; limit <= 16; limit++) {
      struct tree_run run;
      tree_run_init(&run, LANNER_ERRORS);
      run.options.limits.nodes = limit;
      size_t length = strlen(pages[p]), count, got;
      lanner_status status = lanner_parse(whole, pages[p], length, &run.options);
      const lanner_error *errors = lanner_document_errors(whole, &count), *other;
      uint64_t stop = lanner_document_limit_offset(whole, LANNER_LIMIT_NODES);
      for (size_t i = 0; i < count && status == LANNER_ERROR_LIMIT; i++) {
        bool end =
            errors[i].code == LANNER_PARSE_ERROR_TREE_OPEN_AT_END && errors[i].offset == stop;
        TEST_CHECK_MSG(errors[i].offset < stop || end, "page %zu, %u nodes: %s at %u", p,
                       (unsigned)limit, lanner_error_name(errors[i].code),
                       (unsigned)errors[i].offset);
      }
      stopped += status == LANNER_ERROR_LIMIT;
      TEST_CHECK(lanner_document_error_total(whole) == count);
      for (size_t step = 1; step <= 9; step++) {
        char what[64];
        snprintf(what, sizeof what, "page %zu, %u nodes, steps of %zu", p, (unsigned)limit, step);
        run.plan.kind = STEPS;
        run.plan.at = step;
        run_tree(pieces, &run, pages[p], length, status, what);
        other = lanner_document_errors(pieces, &got);
        bool same = got == count && lanner_document_error_total(pieces) == count;
        for (size_t i = 0; i < count && same; i++)
          same = errors[i].code == other[i].code && errors[i].offset == other[i].offset &&
                 errors[i].line == other[i].line && errors[i].column == other[i].column;
        TEST_CHECK_MSG(same, "%s: other errors", what);
      }
    }
  TEST_CHECK(stopped > 30);
  lanner_document_free(whole);
  lanner_document_free(pieces);
}
