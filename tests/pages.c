/* pages.c - see pages.h. Each page is made by a function, so that the large ones need no text. */
#include "pages.h"

#include <string.h>

static void repeat(struct bytes *into, const char *text, size_t count) {
  for (size_t i = 0; i < count; i++) bytes_add_text(into, text);
}

static void numbered(struct bytes *into, const char *before, const char *after, size_t count) {
  for (size_t i = 0; i < count; i++) bytes_add_format(into, "%s%zu%s", before, i, after);
}

static void plain(struct bytes *into) {
  bytes_add_text(into,
                 "<!DOCTYPE html><html lang=en><head><title>t</title></head><body class=\"a b\">"
                 "<p>text &amp; more &notit; text</p><!-- comment --><?pi data?></body></html>");
}

static void empty(struct bytes *into) { bytes_add(into, "", 0); }

static void newlines(struct bytes *into) {
  repeat(into, "a\r\nb\rc\n", 400);
  bytes_add(into, "\0<p title='\0\r\n'>\0", 18);
}

static void many_nodes(struct bytes *into) { repeat(into, "<p>x<b>y</b>", 600); }

static void many_names(struct bytes *into) {
  numbered(into, "<x-", ">", 300);
  numbered(into, "<p data-", "=1>", 300);
}

static void many_attributes(struct bytes *into) {
  bytes_add_text(into, "<p");
  numbered(into, " a", "=value", 400);
  bytes_add_text(into, ">x<p");
  repeat(into, " a=1", 300);
  bytes_add_text(into, ">");
}

static void many_roots(struct bytes *into) {
  numbered(into, "<html a", "=1>", 60);
  numbered(into, "<body b", "=1 c=2>", 60);
}

static void turned_attributes(struct bytes *into) {
  bytes_add_text(into, "<b");
  for (int i = 0; i < 40; i++) bytes_add_format(into, " a%d", i);
  bytes_add_text(into, "><b");
  for (int i = 40; i-- > 0;) bytes_add_format(into, " a%d", i);
  bytes_add_text(into, ">x</p>");
}

static void pending(struct bytes *into) {
  bytes_add_text(into, "<table>");
  for (int i = 0; i < 80; i++) bytes_add(into, "ab\0", 3);
  bytes_add_text(into, "<tr>");
}

static void long_texts(struct bytes *into) {
  repeat(into, "x&lt;y", 3000);
  bytes_add_text(into, "<!--");
  repeat(into, "long comment ", 800);
  bytes_add_text(into, "--><a href=\"");
  repeat(into, "&amp;value", 700);
  bytes_add_text(into, "\">");
}

static void formatting(struct bytes *into) {
  numbered(into, "<b class=c", ">", 60);
  bytes_add_text(into, "<p>");
  repeat(into, "x</b><p>", 70);
  bytes_add_text(into, "<a><table><a><tr><td></a><nobr><nobr><i><u></i>z");
}

static void tables(struct bytes *into) {
  repeat(into, "<table>a<tr>b<td>c<caption>d<colgroup><col>e", 40);
  bytes_add_text(into, "<table> \n <b>f<input type=hidden></table>");
}

static void deep(struct bytes *into) {
  repeat(into, "<div>", 700);
  bytes_add_text(into, "x");
  repeat(into, "<span></div>", 300);
}

static void templates(struct bytes *into) {
  repeat(into, "<template><tr><td>", 40);
  repeat(into, "<div><template shadowrootmode=open><slot>x</slot></template>y</div>", 10);
  bytes_add_text(into, "</template>");
}

static void shadows(struct bytes *into) {
  repeat(into, "<div><template shadowrootmode=closed><p>x</template>y</div>", 30);
}

static void patches(struct bytes *into) {
  numbered(into, "<div><?start name=\"m", "\">old<?end></div>", 20);
  numbered(into, "<template for=m", "><b>new</b></template>", 22);
}

static void selects(struct bytes *into) {
  bytes_add_text(into, "<select><button><selectedcontent></button>");
  repeat(into, "<option>a<b>c</b><optgroup><option selected>d<template>e</template><hr>", 20);
  bytes_add_text(into, "</select><select><input>");
}

static void foreign(struct bytes *into) {
  repeat(into, "<svg viewBox=1 xlink:href=u><foreignObject><math><mi><mglyph><p>", 30);
  bytes_add_text(into, "<svg><title><![CDATA[x]]></svg><svg><font color=red><script/></svg>");
}

static void raw_text(struct bytes *into) {
  bytes_add_text(
      into,
      "<script>var a = '<!--<script>';</scr</script><style>p{}</style><textarea>\n&amp;</textarea>"
      "<title>&lt;</title><noscript><i></noscript><xmp><b></xmp><iframe>x</iframe>"
      "<!--<!-- a --!><plaintext>");
  repeat(into, "</plaintext>&amp;", 300);
}

static void frames(struct bytes *into) {
  bytes_add_text(into,
                 "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Frameset//EN\" \"x\"><frameset>");
  repeat(into, "<frameset> <frame><noframes>x</noframes></frameset>", 30);
  bytes_add_text(into, "</frameset></html><!--c-->");
}

static void forms(struct bytes *into) {
  repeat(into, "<form><input><isindex><form></form><table><form><tr><td><button><button></table>",
         20);
}

static void legacy(struct bytes *into) {
  repeat(into, "caf\xE9 \xFF\xFE \xE2\x82 \xF0\x9F\x98\x80 ", 400);
  bytes_add_text(into, "<meta charset=windows-1251>");
  repeat(into, "\xEF\xE0\xF0\xE0 ", 400);
}

static void late_meta(struct bytes *into) {
  bytes_add_text(into, "<title>\xEF\xF0</title>");
  repeat(into, "<!-- filling in front of the declaration -->", 40);
  bytes_add_text(into, "<meta charset=koi8-r><p>\xEF\xF0");
}

static void utf16(struct bytes *into) {
  bytes_add(into, "\xFF\xFE", 2);
  for (int i = 0; i < 500; i++) bytes_add(into, "<\0p\0>\0x\0&\0a\0m\0p\0;\0\xAC\x20", 20);
}

static void errors(struct bytes *into) {
  repeat(into, "<a b b c=d\"e f=>&#0;&#x110000;</x y/><!x><1\x01", 60);
}

static void quirks(struct bytes *into) {
  bytes_add_text(
      into,
      "<p><table><tr><td><ruby><rt>a<rp>b<rtc>c<li>d<dd>e<dt>f<h1>g<h2>h<pre>\n\ni<br/>j<hr>");
}

const struct page test_pages[] = {
    {"empty", NULL, 0, empty},
    {"plain", NULL, 0, plain},
    {"plain, checked", NULL, LANNER_ERRORS | LANNER_SPANS, plain},
    {"plain, scripting", NULL, LANNER_SCRIPTING, plain},
    {"newlines", NULL, 0, newlines},
    {"newlines, checked", NULL, LANNER_ERRORS | LANNER_SPANS, newlines},
    {"many nodes", NULL, 0, many_nodes},
    {"many nodes, spans", NULL, LANNER_SPANS, many_nodes},
    {"many names", NULL, 0, many_names},
    {"many attributes", NULL, 0, many_attributes},
    {"many attributes, checked", NULL, LANNER_ERRORS | LANNER_SPANS, many_attributes},
    {"many attributes of html and body", NULL, 0, many_roots},
    {"equal attributes in two orders", NULL, 0, turned_attributes},
    {"long texts", NULL, 0, long_texts},
    {"formatting", NULL, 0, formatting},
    {"tables", NULL, 0, tables},
    {"text in a table", NULL, 0, pending},
    {"text in a table, checked", NULL, LANNER_ERRORS, pending},
    {"deep", NULL, 0, deep},
    {"templates", NULL, 0, templates},
    {"shadow roots", NULL, 0, shadows},
    {"shadow roots off", NULL, LANNER_NO_SHADOW, shadows},
    {"patches", NULL, 0, patches},
    {"selects", NULL, 0, selects},
    {"foreign", NULL, LANNER_SPANS, foreign},
    {"raw text", NULL, 0, raw_text},
    {"raw text, scripting", NULL, LANNER_SCRIPTING | LANNER_ERRORS, raw_text},
    {"frames", NULL, 0, frames},
    {"forms", NULL, 0, forms},
    {"legacy", NULL, 0, legacy},
    {"late meta", NULL, 0, late_meta},
    {"utf-16", NULL, LANNER_ERRORS, utf16},
    {"errors", NULL, LANNER_ERRORS, errors},
    {"quirks", NULL, 0, quirks},
    {"plain text", NULL, LANNER_PLAINTEXT, plain},
    {"in div", "div", 0, plain},
    {"in td", "td", LANNER_ERRORS, tables},
    {"in svg desc", "svg desc", LANNER_SPANS, foreign},
    {"in template", "template", 0, templates},
    {"in select", "select", 0, selects},
    {"in title", "title", 0, raw_text},
};
const size_t test_page_count = sizeof test_pages / sizeof test_pages[0];
