/* test_errors.c - parse errors of documents: none for conforming pages, at least one for others,
 * and where they stand. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static void errors_of(const char *page, uint32_t flags, struct bytes *into) {
  lanner_document *document = lanner_document_new(NULL);
  struct tree_run run;
  tree_run_init(&run, flags | LANNER_ERRORS);
  run_tree(document, &run, page, strlen(page), LANNER_OK, page);
  tree_errors(document, true, into);
  lanner_document_free(document);
}

void test_errors_conforming(void) {
  static const char *const pages[] = {
      "<!DOCTYPE html><title>t</title>",
      "<!doctype html>\n<html lang=en>\n<head>\n<meta "
      "charset=utf-8>\n<title>t</title>\n</head>\n<body>\n<p>x\n</body>\n</html>\n",
      "<!DOCTYPE html SYSTEM \"about:legacy-compat\"><title>t</title><p>a<p>b<ul><li>1<li>2</ul>",
      "<!DOCTYPE "
      "html><title>t</"
      "title><table><caption>c<colgroup><col><thead><tr><th>h<tbody><tr><td>1<td>2<tfoot><tr><td>3<"
      "/table>",
      "<!DOCTYPE html><title>t</title><dl><dt>a<dd>b<dt>c<dd>d</dl><select><optgroup "
      "label=g><option>a<option>b<hr></select>",
      "<!DOCTYPE "
      "html><title>t</title><ruby>a<rp>(<rt>b<rp>)</ruby><ruby><rb>a<rt>b<rtc><rt>c</ruby>",
      "<!DOCTYPE html><title>t</title><svg viewBox=\"0 0 1 1\"><path d=\"M0 "
      "0\"/><title>x</title></svg><math><mi>x</mi></math>",
      "<!DOCTYPE html><title>t</title><template><tr><td>x</td></tr> "
      "</template><br><br/><input><img alt=''>",
      "<!DOCTYPE html><title>t</title><script>if (a < b && c) x = "
      "'</p>';</script><style>a>b{}</style><textarea>\n<b></textarea>",
      "<!DOCTYPE html><title>t &amp; u &copy; &#x20AC;</title><!-- a - b --><p title='a &lt; b' "
      "hidden class=x>&nbsp;&#169;",
      "<!DOCTYPE html><title>t</title><?pi data?><p>x<?pi?>",
      "<!-- before --><!DOCTYPE html><!-- after "
      "--><title>t</title><body><noscript><p>x</p></noscript>",
  };
  struct bytes errors = {0};
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    errors_of(pages[i], 0, &errors);
    TEST_CHECK_MSG(errors.length == 0, "%s\n  has %s", pages[i], errors.data);
  }
  char *path = test_shared_path("cases/ruby-no-errors.html");
  if (path) {
    struct bytes page = {0};
    if (read_file(path, &page)) {
      errors_of(page.data, 0, &errors);
      TEST_CHECK_MSG(errors.length == 0, "ruby-no-errors: %s", errors.data);
    }
    bytes_free(&page);
  }
  free(path);
  bytes_free(&errors);
}

void test_errors_nonconforming(void) {
  static const char *const pages[] = {
      "",
      "x",
      "<p>no doctype",
      "<!DOCTYPE html PUBLIC 'x'>",
      "<!DOCTYPE svg>",
      "<!DOCTYPE html><!DOCTYPE html>",
      "<!DOCTYPE html></p>",
      "<!DOCTYPE html></br>",
      "<!DOCTYPE html><div>",
      "<!DOCTYPE html><b><p></b></p>",
      "<!DOCTYPE html></nothing>",
      "<!DOCTYPE html><table>x</table>",
      "<!DOCTYPE html><table><b></table>",
      "<!DOCTYPE html><td>",
      "<!DOCTYPE html><p><table></p></table>",
      "<!DOCTYPE html><body><body>",
      "<!DOCTYPE html><html><html>",
      "<!DOCTYPE html><head></head><head>",
      "<!DOCTYPE html></body>x",
      "<!DOCTYPE html></html><p>",
      "<!DOCTYPE html><frameset>x</frameset>",
      "<!DOCTYPE html><p><frameset>",
      "<!DOCTYPE html><form><form>",
      "<!DOCTYPE html></form>",
      "<!DOCTYPE html><a><a>",
      "<!DOCTYPE html><nobr><nobr>",
      "<!DOCTYPE html><button><button>",
      "<!DOCTYPE html><h1><h2>",
      "<!DOCTYPE html><h1></h2>",
      "<!DOCTYPE html><image>",
      "<!DOCTYPE html><select><select>",
      "<!DOCTYPE html><select><input>",
      "<!DOCTYPE html><select></div></select>",
      "<!DOCTYPE html><svg><p></svg>",
      "<!DOCTYPE html><svg></g></svg>",
      "<!DOCTYPE html><svg></p></svg>",
      "<!DOCTYPE html><template>",
      "<!DOCTYPE html></template>",
      "<!DOCTYPE html><li></ul>",
      "<!DOCTYPE html><textarea>",
      "<!DOCTYPE html><script>",
      "<!DOCTYPE html><title>",
      "<!DOCTYPE html><caption>",
      "<!DOCTYPE html><table><table></table>",
      "<!DOCTYPE html><table><tr></table></tr>",
      "<!DOCTYPE html><table><form></form></table>",
      "<!DOCTYPE html><table><input type=hidden></table>",
      "<!DOCTYPE html><dd></p>",
      "<!DOCTYPE html><ruby><rt></ruby></rt>",
      "<!DOCTYPE html><p/>",
      "<!DOCTYPE html><div/></div>",
      "<!DOCTYPE html><noscript><head></noscript>",
      "<!DOCTYPE html><link></link>",
      "<!DOCTYPE html><plaintext>",
      "<!DOCTYPE html><applet></b></applet>",
      "<!DOCTYPE html><option><optgroup></select>",
      "<!DOCTYPE html><math><b></math>",
      "<!DOCTYPE html>\x01",
      "<!DOCTYPE html>&copy",
      "<!DOCTYPE html><a b b></a>",
      "<!DOCTYPE html><!--",
  };
  struct bytes errors = {0};
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    errors_of(pages[i], 0, &errors);
    TEST_CHECK_MSG(errors.length > 0, "%s has no error", pages[i]);
  }
  bytes_free(&errors);
}

/* The one code of the Standard that tree construction raises: behind the token's other errors. */
void test_errors_trailing_solidus(void) {
  static const char *const cases[][2] = {
      {"<!DOCTYPE html><div/>x</div>", "non-void-html-element-start-tag-with-trailing-solidus"},
      {"<!DOCTYPE html><svg><g/></svg><br/><hr/><input/><img/>", ""},
      {"<!DOCTYPE html><p a a/>",
       "duplicate-attribute, non-void-html-element-start-tag-with-trailing-solidus"},
      {"<!DOCTYPE "
       "html><math><mi/></math><wbr/><embed/><area/><param/><source/><track/><link/><meta/><base/>",
       ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lanner_document *document = lanner_document_new(NULL);
    struct tree_run run;
    struct bytes codes = {0};
    tree_run_init(&run, LANNER_ERRORS);
    run_tree(document, &run, cases[i][0], strlen(cases[i][0]), LANNER_OK, cases[i][0]);
    size_t count = 0;
    const lanner_error *errors = lanner_document_errors(document, &count);
    for (size_t e = 0; e < count; e++) {
      if (!lanner_error_is_standard(errors[e].code)) continue;
      if (codes.length) bytes_add_text(&codes, ", ");
      bytes_add_text(&codes, lanner_error_name(errors[e].code));
    }
    bytes_add(&codes, "", 0);
    TEST_CHECK_MSG(strcmp(codes.data, cases[i][1]) == 0, "%s: %s, expected %s", cases[i][0],
                   codes.data, cases[i][1]);
    lanner_document_free(document);
    bytes_free(&codes);
  }
}

/* The 52 codes of the Standard have their names, and are marked as the Standard's. */
void test_errors_codes(void) {
  static const char *const names[] = {
      "abrupt-closing-of-empty-comment",
      "abrupt-doctype-public-identifier",
      "abrupt-doctype-system-identifier",
      "absence-of-digits-in-numeric-character-reference",
      "cdata-in-html-content",
      "character-reference-outside-unicode-range",
      "control-character-in-input-stream",
      "control-character-reference",
      "disallowed-processing-instruction-target",
      "duplicate-attribute",
      "end-tag-with-attributes",
      "end-tag-with-trailing-solidus",
      "eof-before-tag-name",
      "eof-in-cdata",
      "eof-in-comment",
      "eof-in-doctype",
      "eof-in-processing-instruction",
      "eof-in-script-html-comment-like-text",
      "eof-in-tag",
      "incorrectly-closed-comment",
      "incorrectly-opened-comment",
      "invalid-character-sequence-after-doctype-name",
      "invalid-first-character-of-processing-instruction-target",
      "invalid-first-character-of-tag-name",
      "invalid-processing-instruction-target",
      "missing-attribute-value",
      "missing-doctype-name",
      "missing-doctype-public-identifier",
      "missing-doctype-system-identifier",
      "missing-end-tag-name",
      "missing-quote-before-doctype-public-identifier",
      "missing-quote-before-doctype-system-identifier",
      "missing-semicolon-after-character-reference",
      "missing-whitespace-after-doctype-public-keyword",
      "missing-whitespace-after-doctype-system-keyword",
      "missing-whitespace-before-doctype-name",
      "missing-whitespace-between-attributes",
      "missing-whitespace-between-doctype-public-and-system-identifiers",
      "nested-comment",
      "non-void-html-element-start-tag-with-trailing-solidus",
      "noncharacter-character-reference",
      "noncharacter-in-input-stream",
      "null-character-reference",
      "surrogate-character-reference",
      "surrogate-in-input-stream",
      "unexpected-character-after-doctype-system-identifier",
      "unexpected-character-in-attribute-name",
      "unexpected-character-in-unquoted-attribute-value",
      "unexpected-equals-sign-before-attribute-name",
      "unexpected-null-character",
      "unexpected-solidus-in-tag",
      "unknown-named-character-reference"};
  enum { COUNT = sizeof names / sizeof *names };
  bool found[COUNT] = {false};
  size_t standard = 0, own = 0;
  for (uint32_t code = 0; code < 1000; code++) {
    const char *name = lanner_error_name((uint16_t)code);
    if (!TEST_CHECK(name != NULL)) continue;
    if (!lanner_error_is_standard((uint16_t)code)) {
      own += strncmp(name, "tree-", 5) == 0;
      continue;
    }
    standard++;
    bool known = false;
    for (size_t i = 0; i < COUNT; i++)
      if (strcmp(name, names[i]) == 0) known = found[i] = true;
    TEST_CHECK_MSG(known, "%s is no code of the Standard", name);
  }
  TEST_CHECK_MSG(standard == COUNT, "%zu codes of the Standard", standard);
  for (size_t i = 0; i < COUNT; i++) TEST_CHECK_MSG(found[i], "%s is missing", names[i]);
  TEST_CHECK_MSG(own > 0, "no codes of tree construction");
  test_note("%zu codes of the Standard, %zu of our own", standard, own);
}
