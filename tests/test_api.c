/* test_api.c - the contract of lanner.h: arguments, states, reuse, reading, changing, callbacks. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lanner_status parse_text(lanner_document *document, const char *text, uint32_t flags) {
  lanner_options options;
  lanner_options_init(&options);
  options.flags = flags;
  options.encoding = "UTF-8";
  return lanner_parse(document, text, strlen(text), &options);
}

/* The tree that parsing TEXT into a new document gives. */
static void fresh_tree(const char *text, uint32_t flags, struct bytes *into) {
  lanner_document *document = lanner_document_new(NULL);
  TEST_CHECK(parse_text(document, text, flags) == LANNER_OK);
  tree_text(document, into);
  lanner_document_free(document);
}

static lanner_node find(const lanner_document *document, const char *name) {
  lanner_node node = LANNER_DOCUMENT_NODE;
  while ((node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) != 0)
    if (lanner_node_kind(document, node) == LANNER_ELEMENT &&
        string_is(lanner_name(document, node), name))
      return node;
  return 0;
}

static void tree_is(const lanner_document *document, const char *expected) {
  struct bytes text = {0};
  tree_text(document, &text);
  TEST_CHECK_MSG(bytes_are(&text, expected, strlen(expected)), "got\n%sexpected\n%s", text.data,
                 expected);
  tree_sound(document, "api");
  bytes_free(&text);
}

#define BODY(lines) "| <html>\n|   <head>\n|   <body>\n" lines

/* --- constants --- */

void test_api_texts(void) {
  for (int i = LANNER_OK; i <= LANNER_STOPPED; i++) {
    const char *text = lanner_status_text((lanner_status)i);
    TEST_CHECK(text && *text);
    for (int j = LANNER_OK; j < i; j++)
      TEST_CHECK(strcmp(text, lanner_status_text((lanner_status)j)) != 0);
  }
  TEST_CHECK(lanner_status_text((lanner_status)999) != NULL);
  TEST_CHECK(lanner_error_name(65535) != NULL);
  const char *expected = getenv("LANNER_EXPECT_SIMD");
  const char *simd = lanner_simd();
  TEST_CHECK_MSG(strcmp(simd, "avx512") == 0 || strcmp(simd, "avx2") == 0 ||
                     strcmp(simd, "sse2") == 0 || strcmp(simd, "neon") == 0 ||
                     strcmp(simd, "scalar") == 0,
                 "%s", simd);
  if (expected && *expected)
    TEST_CHECK_MSG(strcmp(simd, expected) == 0, "%s, expected %s", simd, expected);
  test_note("SIMD: %s", simd);
}

/* --- documents --- */

void test_api_arguments(void) {
  lanner_document *document = lanner_document_new(NULL);
  lanner_context context = {LANNER_HTML, "div", 3, NULL, 0, false};
  lanner_options options;
  lanner_options_init(&options);
  TEST_CHECK(options.size == sizeof options);
  TEST_CHECK(options.limits.depth == 512);
  TEST_CHECK(lanner_parse(NULL, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_parse(document, NULL, 1, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_parse(document, NULL, 0, NULL) == LANNER_OK);
  tree_is(document, "| <html>\n|   <head>\n|   <body>\n");
  TEST_CHECK(lanner_parse(document, "x", 1, NULL) == LANNER_OK);
  TEST_CHECK(lanner_parse_fragment(document, NULL, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  /* "nothing was changed" */
  tree_is(document, BODY("|     \"x\"\n"));
  TEST_CHECK(lanner_parse_fragment(NULL, &context, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  context.name = NULL;
  TEST_CHECK(lanner_parse_fragment(document, &context, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  context.name = "div";
  context.name_space = (lanner_namespace)3;
  TEST_CHECK(lanner_parse_fragment(document, &context, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  for (uint32_t flag = LANNER_SURROGATES * 2; flag; flag <<= 1) {
    options.flags = LANNER_ERRORS | flag;
    TEST_CHECK(lanner_parse(document, "y", 1, &options) == LANNER_ERROR_ARGUMENT);
    TEST_CHECK(lanner_parse_begin(document, NULL, &options) == LANNER_ERROR_ARGUMENT);
  }
  options.flags = LANNER_SURROGATES * 2 - 1 - LANNER_INPUT_PADDED;
  TEST_CHECK(lanner_parse(document, "x", 1, &options) == LANNER_OK);
  options.flags = 0;
  TEST_CHECK(lanner_parse(document, "x", 1, NULL) == LANNER_OK);
  TEST_CHECK(lanner_parse_begin(NULL, NULL, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_parse_feed(NULL, "x", 1) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_parse_end(NULL) == LANNER_ERROR_ARGUMENT);
  if (sizeof(size_t) > 4) {
    size_t huge = (size_t)LANNER_MAX_INPUT;
    huge++;
    TEST_CHECK(lanner_parse(document, "x", huge, NULL) == LANNER_ERROR_TOO_LARGE);
  }
  options.encoding = "no-such-encoding";
  TEST_CHECK(lanner_parse(document, "x", 1, &options) == LANNER_ERROR_ENCODING);
  options.encoding = NULL;
  options.fallback = "no-such-encoding";
  TEST_CHECK(lanner_parse(document, "x", 1, &options) == LANNER_ERROR_ENCODING);
  options.fallback = NULL;
  options.transport = "no-such-encoding"; /* unknown labels of servers are ignored */
  TEST_CHECK(lanner_parse(document, "x", 1, &options) == LANNER_OK);
  lanner_document_free(document);
  lanner_document_free(NULL);
  lanner_tokenizer_free(NULL);
}

void test_api_states(void) {
  lanner_document *document = lanner_document_new(NULL);
  TEST_CHECK(lanner_parse_feed(document, "x", 1) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_parse_end(document) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_parse_begin(document, NULL, NULL) == LANNER_OK);
  TEST_CHECK(lanner_parse_feed(document, "<p>a", 4) == LANNER_OK);
  TEST_CHECK(lanner_parse_feed(document, NULL, 0) == LANNER_OK);
  TEST_CHECK(lanner_parse_feed(document, NULL, 1) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_parse_end(document) == LANNER_OK);
  TEST_CHECK(lanner_parse_end(document) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_parse_feed(document, "x", 1) == LANNER_ERROR_STATE);
  tree_is(document, BODY("|     <p>\n|       \"a\"\n"));
  /* A new begin drops what was there, also in the middle of a parse. */
  TEST_CHECK(lanner_parse_begin(document, NULL, NULL) == LANNER_OK);
  TEST_CHECK(lanner_parse_feed(document, "<table><tr>", 11) == LANNER_OK);
  TEST_CHECK(lanner_parse_begin(document, NULL, NULL) == LANNER_OK);
  TEST_CHECK(lanner_parse_feed(document, "b", 1) == LANNER_OK);
  TEST_CHECK(lanner_parse_end(document) == LANNER_OK);
  tree_is(document, BODY("|     \"b\"\n"));
  /* Freed in the middle of a parse. */
  TEST_CHECK(lanner_parse_begin(document, NULL, NULL) == LANNER_OK);
  TEST_CHECK(lanner_parse_feed(document, "<b><i a=\"", 9) == LANNER_OK);
  lanner_document_free(document);
}

void test_api_reuse(void) {
  static const char *const pages[] = {"<!DOCTYPE html><title>one</title><p class=a>text",
                                      "",
                                      "<svg><foreignObject><x-y a b=&amp;>",
                                      "<table>a<tr><td>b<template><p>c</template><select><option>d",
                                      "plain \xE2\x82\xAC text",
                                      "<a><b><p></a></b>x<custom-1 data-q=1><custom-2 data-r=2>"};
  enum { COUNT = sizeof pages / sizeof *pages };
  lanner_document *document = lanner_document_new(NULL);
  struct bytes fresh = {0}, reused = {0};
  for (size_t i = 0; i < 40; i++) {
    const char *page = pages[(i * 7 + i / 3) % COUNT];
    if (i % 4 == 1) lanner_document_reset(document);
    if (i % 4 == 2) lanner_document_trim(document);
    TEST_CHECK(parse_text(document, page, i % 2 ? LANNER_ERRORS : 0) == LANNER_OK);
    fresh_tree(page, 0, &fresh);
    tree_text(document, &reused);
    TEST_CHECK_MSG(bytes_equal(&fresh, &reused), "%s: %s", page, difference(&reused, &fresh));
    if (i % 3 == 0) {
      lanner_document_trim(document); /* the content stays */
      tree_text(document, &reused);
      TEST_CHECK(bytes_equal(&fresh, &reused));
    }
  }
  lanner_document_reset(document);
  TEST_CHECK(lanner_document_node_count(document) == 1);
  TEST_CHECK(lanner_first_child(document, LANNER_DOCUMENT_NODE) == 0);
  TEST_CHECK(lanner_document_error_total(document) == 0);
  lanner_document_free(document);
  bytes_free(&fresh);
  bytes_free(&reused);
}

/* The document keeps nothing of the caller's bytes. */
void test_api_input_not_kept(void) {
  static const char page[] = "<!DOCTYPE html><p title='a b'>some text<!-- c --><x-a>&amp;";
  char *copy = malloc(sizeof page);
  struct bytes expected = {0}, got = {0};
  lanner_document *document = lanner_document_new(NULL);
  memcpy(copy, page, sizeof page);
  fresh_tree(page, 0, &expected);
  TEST_CHECK(lanner_parse(document, copy, sizeof page - 1, NULL) == LANNER_OK);
  memset(copy, '#', sizeof page);
  free(copy);
  tree_text(document, &got);
  TEST_CHECK_MSG(bytes_equal(&expected, &got), "%s", difference(&got, &expected));
  lanner_document_free(document);
  bytes_free(&expected);
  bytes_free(&got);
}

/* Accessors answer neutrally for 0, for ids that do not exist and for nodes of another kind. */
void test_api_neutral(void) {
  lanner_document *document = lanner_document_new(NULL);
  parse_text(document, "<!DOCTYPE html PUBLIC 'p' 's'><p a=1>t<!--c--><?pi d?>", 0);
  uint32_t count = lanner_document_node_count(document);
  const lanner_node strange[] = {0, count + 1, count + 1000, UINT32_MAX};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
    lanner_node node = strange[i];
    TEST_CHECK(lanner_node_kind(document, node) == LANNER_NONE);
    TEST_CHECK(!lanner_parent(document, node) && !lanner_first_child(document, node) &&
               !lanner_last_child(document, node) && !lanner_next_sibling(document, node) &&
               !lanner_previous_sibling(document, node));
    TEST_CHECK(!lanner_next(document, node, LANNER_DOCUMENT_NODE) &&
               !lanner_next_skip(document, node, LANNER_DOCUMENT_NODE));
    TEST_CHECK(!lanner_template_contents(document, node) &&
               !lanner_shadow_root(document, node, NULL) && !lanner_host(document, node));
    TEST_CHECK(lanner_name(document, node).length == 0 && lanner_data(document, node).length == 0 &&
               lanner_public_id(document, node).length == 0 &&
               lanner_system_id(document, node).length == 0);
    TEST_CHECK(lanner_name_id(document, node) == 0 && lanner_attribute_count(document, node) == 0);
    lanner_attribute attribute = lanner_attribute_at(document, node, 0);
    TEST_CHECK(attribute.name.length == 0 && attribute.value.length == 0);
    TEST_CHECK(!lanner_get_attribute(document, node, "a", 1, NULL));
    lanner_span span = lanner_node_span(document, node);
    TEST_CHECK(!span.start && !span.end);
    span = lanner_end_tag_span(document, node);
    TEST_CHECK(!span.start && !span.end);
  }
  for (lanner_node node = 1; node <= count; node++) {
    lanner_kind kind = lanner_node_kind(document, node);
    bool named =
        kind == LANNER_ELEMENT || kind == LANNER_DOCTYPE || kind == LANNER_PROCESSING_INSTRUCTION;
    bool data =
        kind == LANNER_TEXT || kind == LANNER_COMMENT || kind == LANNER_PROCESSING_INSTRUCTION;
    TEST_CHECK((lanner_name(document, node).length > 0) == named);
    TEST_CHECK((lanner_data(document, node).length > 0) == data);
    TEST_CHECK((lanner_public_id(document, node).length > 0) == (kind == LANNER_DOCTYPE));
    if (kind != LANNER_ELEMENT) TEST_CHECK(lanner_attribute_count(document, node) == 0);
    TEST_CHECK(lanner_name(document, node).data != NULL || !named);
  }
  lanner_node p = find(document, "p");
  TEST_CHECK(lanner_attribute_at(document, p, 1).name.length == 0);
  TEST_CHECK(lanner_document_node_count(NULL) == 0);
  TEST_CHECK(lanner_node_kind(NULL, 1) == LANNER_NONE);
  TEST_CHECK(lanner_document_limits(document) == 0);
  TEST_CHECK(lanner_fragment_root(document) == 0);
  lanner_document_free(document);
}

void test_api_reading(void) {
  lanner_document *document = lanner_document_new(NULL);
  parse_text(
      document,
      "<!DOCTYPE html PUBLIC \"pub\" \"sys\"><body id=b z=2 a=1 Z=3>"
      "<svg xlink:href=u viewbox=v><foreignobject/></svg><math><mi definitionURL=d></mi></math>"
      "<x-y>t</x-y><!--c--><?target  data?><template><i>in</i></template>",
      0);
  lanner_node doctype = lanner_first_child(document, LANNER_DOCUMENT_NODE);
  TEST_CHECK(lanner_node_kind(document, doctype) == LANNER_DOCTYPE);
  TEST_CHECK(string_is(lanner_name(document, doctype), "html"));
  TEST_CHECK(string_is(lanner_public_id(document, doctype), "pub"));
  TEST_CHECK(string_is(lanner_system_id(document, doctype), "sys"));
  lanner_node body = find(document, "body");
  /* Source order, duplicates dropped, names lowercased. */
  static const char *const names[] = {"id", "z", "a"}, *const values[] = {"b", "2", "1"};
  TEST_CHECK(lanner_attribute_count(document, body) == 3);
  for (uint32_t i = 0; i < 3; i++) {
    lanner_attribute attribute = lanner_attribute_at(document, body, i);
    TEST_CHECK(string_is(attribute.name, names[i]) && string_is(attribute.value, values[i]));
    TEST_CHECK(attribute.name_space == LANNER_NO_NAMESPACE);
  }
  lanner_string value;
  TEST_CHECK(lanner_get_attribute(document, body, "z", 1, &value) && string_is(value, "2"));
  TEST_CHECK(!lanner_get_attribute(document, body, "Z", 1, &value));
  TEST_CHECK(!lanner_get_attribute(document, body, "i", 1, &value));
  TEST_CHECK(lanner_get_attribute(document, body, "id", 2, NULL));
  lanner_node svg = find(document, "svg"), mi = find(document, "mi");
  TEST_CHECK(lanner_node_namespace(document, svg) == LANNER_SVG);
  TEST_CHECK(lanner_node_namespace(document, mi) == LANNER_MATHML);
  TEST_CHECK(lanner_node_namespace(document, body) == LANNER_HTML);
  TEST_CHECK(find(document, "foreignObject") != 0);
  TEST_CHECK(lanner_get_attribute(document, svg, "xlink:href", 10, &value) &&
             string_is(value, "u"));
  TEST_CHECK(lanner_attribute_at(document, svg, 0).name_space == LANNER_XLINK);
  TEST_CHECK(lanner_get_attribute(document, svg, "viewBox", 7, &value) && string_is(value, "v"));
  TEST_CHECK(lanner_get_attribute(document, mi, "definitionURL", 13, NULL));
  /* Known names have the same number in every document, others one of their own. */
  lanner_document *other = lanner_document_new(NULL);
  parse_text(other, "<x-z><x-y></x-y></x-z>", 0);
  TEST_CHECK(lanner_name_id(document, body) == lanner_name_id(other, find(other, "body")));
  TEST_CHECK(lanner_name_id(document, body) != lanner_name_id(document, svg));
  TEST_CHECK(lanner_name_id(other, find(other, "x-y")) !=
             lanner_name_id(other, find(other, "x-z")));
  TEST_CHECK(lanner_name_id(document, find(document, "x-y")) > lanner_name_id(document, body));
  lanner_document_free(other);
  /* Template contents are apart. */
  lanner_node template_ = find(document, "template");
  lanner_node contents = lanner_template_contents(document, template_);
  TEST_CHECK(contents && lanner_node_kind(document, contents) == LANNER_FRAGMENT);
  TEST_CHECK(lanner_host(document, contents) == template_ &&
             lanner_parent(document, contents) == 0);
  TEST_CHECK(lanner_first_child(document, template_) == 0 && find(document, "i") == 0);
  lanner_node inside = lanner_first_child(document, contents);
  TEST_CHECK(string_is(lanner_name(document, inside), "i"));
  /* Walks: skipping a subtree, staying below a root. */
  TEST_CHECK(lanner_next_skip(document, find(document, "head"), LANNER_DOCUMENT_NODE) == body);
  TEST_CHECK(lanner_next(document, lanner_first_child(document, inside), contents) == 0);
  TEST_CHECK(lanner_next(document, svg, svg) == find(document, "foreignObject"));
  TEST_CHECK(lanner_next(document, find(document, "foreignObject"), svg) == 0);
  TEST_CHECK(lanner_next_skip(document, svg, svg) == 0);
  lanner_node pi = lanner_previous_sibling(document, template_);
  TEST_CHECK(string_is(lanner_name(document, pi), "target") &&
             string_is(lanner_data(document, pi), "data"));
  lanner_node comment = lanner_previous_sibling(document, pi);
  TEST_CHECK(string_is(lanner_data(document, comment), "c"));
  TEST_CHECK(strcmp(lanner_document_encoding(document), "UTF-8") == 0);
  TEST_CHECK(strcmp(lanner_document_encoding_source(document), "user") == 0);
  TEST_CHECK(strcmp(lanner_document_encoding_confidence(document), "certain") == 0);
  TEST_CHECK(lanner_document_mode(document) == LANNER_NO_QUIRKS);
  lanner_document_free(document);
}

/* The tree can be read between feeds. */
void test_api_reading_between_feeds(void) {
  lanner_document *document = lanner_document_new(NULL);
  static const char page[] = "<p>one<b>two</b></p><table><tr><td>three</table>";
  TEST_CHECK(lanner_parse_begin(document, NULL, NULL) == LANNER_OK);
  uint32_t before = 0;
  for (size_t i = 0; i < sizeof page - 1; i++) {
    TEST_CHECK(lanner_parse_feed(document, page + i, 1) == LANNER_OK);
    tree_sound(document, "between feeds");
    uint32_t count = lanner_document_node_count(document);
    TEST_CHECK(count >= before);
    before = count;
  }
  TEST_CHECK(lanner_parse_end(document) == LANNER_OK);
  tree_is(document,
          BODY("|     <p>\n|       \"one\"\n|       <b>\n|         \"two\"\n|     <table>\n"
               "|       <tbody>\n|         <tr>\n|           <td>\n|             \"three\"\n"));
  lanner_document_free(document);
}

void test_api_flags(void) {
  lanner_document *document = lanner_document_new(NULL);
  parse_text(document, "<!DOCTYPE html><b>&amp;</b>\n", LANNER_PLAINTEXT);
  lanner_node pre = find(document, "pre");
  TEST_CHECK(pre != 0 && find(document, "b") == 0);
  TEST_CHECK(string_is(lanner_data(document, lanner_first_child(document, pre)),
                       "<!DOCTYPE html><b>&amp;</b>\n"));
  /* A table closes a p but in quirks mode; fragments get the mode of their document. */
  lanner_context context = {LANNER_HTML, "body", 4, NULL, 0, false};
  lanner_options options;
  lanner_options_init(&options);
  TEST_CHECK(lanner_parse_fragment(document, &context, "<p><table>", 10, &options) == LANNER_OK);
  tree_is(document, "| <p>\n| <table>\n");
  options.flags = LANNER_IN_LIMITED_QUIRKS;
  TEST_CHECK(lanner_parse_fragment(document, &context, "<p><table>", 10, &options) == LANNER_OK);
  tree_is(document, "| <p>\n| <table>\n");
  TEST_CHECK(lanner_document_mode(document) == LANNER_LIMITED_QUIRKS);
  options.flags = LANNER_IN_QUIRKS;
  TEST_CHECK(lanner_parse_fragment(document, &context, "<p><table>", 10, &options) == LANNER_OK);
  tree_is(document, "| <p>\n|   <table>\n");
  TEST_CHECK(lanner_document_mode(document) == LANNER_QUIRKS);
  /* The form pointer of a context inside a form: a form start tag is ignored. */
  context.name = "div";
  context.name_length = 3;
  options.flags = 0;
  TEST_CHECK(lanner_parse_fragment(document, &context, "<form><i>", 9, &options) == LANNER_OK);
  tree_is(document, "| <form>\n|   <i>\n");
  context.in_form = true;
  TEST_CHECK(lanner_parse_fragment(document, &context, "<form><i>", 9, &options) == LANNER_OK);
  tree_is(document, "| <i>\n");
  /* Integration points depend on the context's attributes. */
  lanner_attribute encoding = {{"encoding", 8}, {"text/html", 9}, LANNER_NO_NAMESPACE, 0};
  lanner_context annotation = {LANNER_MATHML, "annotation-xml", 14, NULL, 0, false};
  TEST_CHECK(lanner_parse_fragment(document, &annotation, "<x>", 3, NULL) == LANNER_OK);
  tree_is(document, "| <math x>\n");
  annotation.attributes = &encoding;
  annotation.attribute_count = 1;
  TEST_CHECK(lanner_parse_fragment(document, &annotation, "<x>", 3, NULL) == LANNER_OK);
  tree_is(document, "| <x>\n");
  TEST_CHECK(lanner_node_kind(document, lanner_fragment_root(document)) == LANNER_FRAGMENT);
  /* noscript by scripting mode. */
  context.in_form = false;
  TEST_CHECK(lanner_parse_fragment(document, &context, "<noscript><b>", 13, NULL) == LANNER_OK);
  tree_is(document, "| <noscript>\n|   <b>\n");
  options.flags = LANNER_SCRIPTING;
  TEST_CHECK(lanner_parse_fragment(document, &context, "<noscript><b>", 13, &options) == LANNER_OK);
  tree_is(document, "| <noscript>\n|   \"<b>\"\n");
  lanner_document_free(document);
}

/* --- changing the tree --- */

void test_api_mutation(void) {
  lanner_document *document = lanner_document_new(NULL);
  parse_text(document, "<div id=a><p>x</p></div><span></span>", 0);
  lanner_node div = find(document, "div"), p = find(document, "p"), span = find(document, "span");
  lanner_node body = find(document, "body");
  lanner_node created = 0, text = 0, comment = 0;
  uint32_t count = lanner_document_node_count(document);
  /* Nothing of this is a tree, or of this document. */
  TEST_CHECK(lanner_append(document, p, div) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, p, p) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, div, body) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, div, LANNER_DOCUMENT_NODE) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, div, 0) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, 0, div) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, div, count + 1) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, count + 7, div) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, lanner_first_child(document, p), span) ==
             LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_insert_before(document, div, span, body) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_insert_before(document, div, span, count + 1) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_remove(document, LANNER_DOCUMENT_NODE) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_remove(document, 0) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_move_children(document, div, p) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_move_children(document, div, 0) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_set_data(document, div, "x", 1) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_set_attribute(document, lanner_first_child(document, p), "a", 1, "b", 1) ==
             LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_set_attribute(document, div, "", 0, "b", 1) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_create_element(document, LANNER_HTML, "", 0, &created) ==
             LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_create_element(document, LANNER_HTML, "b", 1, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_create_element(NULL, LANNER_HTML, "b", 1, &created) == LANNER_ERROR_ARGUMENT);
  tree_is(document,
          BODY("|     <div>\n|       id=\"a\"\n|       <p>\n|         \"x\"\n|     <span>\n"));
  /* What is allowed. */
  TEST_CHECK(lanner_create_element(document, LANNER_SVG, "foreignObject", 13, &created) ==
             LANNER_OK);
  TEST_CHECK(lanner_node_kind(document, created) == LANNER_ELEMENT &&
             !lanner_parent(document, created));
  TEST_CHECK(lanner_create_text(document, "t\0u", 3, &text) == LANNER_OK);
  TEST_CHECK(lanner_data(document, text).length == 3);
  TEST_CHECK(lanner_create_comment(document, "c", 1, &comment) == LANNER_OK);
  TEST_CHECK(lanner_insert_before(document, div, created, p) == LANNER_OK);
  TEST_CHECK(lanner_append(document, created, text) == LANNER_OK);
  TEST_CHECK(lanner_append(document, created, comment) == LANNER_OK);
  TEST_CHECK(lanner_insert_before(document, created, comment, text) == LANNER_OK);    /* moves it */
  TEST_CHECK(lanner_insert_before(document, created, comment, comment) == LANNER_OK); /* stays */
  TEST_CHECK(lanner_set_data(document, text, "text", 4) == LANNER_OK);
  tree_is(document,
          BODY("|     <div>\n|       id=\"a\"\n|       <svg foreignObject>\n|         <!-- c -->\n"
               "|         \"text\"\n|       <p>\n|         \"x\"\n|     <span>\n"));
  TEST_CHECK(lanner_move_children(document, created, span) == LANNER_OK);
  TEST_CHECK(lanner_remove(document, div) == LANNER_OK);
  TEST_CHECK(lanner_parent(document, div) == 0 && lanner_first_child(document, div) == created);
  TEST_CHECK(lanner_remove(document, div) == LANNER_OK); /* it has no parent: nothing to do */
  tree_is(document, BODY("|     <span>\n|       <!-- c -->\n|       \"text\"\n"));
  TEST_CHECK(lanner_append(document, span, div) == LANNER_OK);
  /* Attributes: set, replaced in place, removed; the next ones keep their order. */
  TEST_CHECK(lanner_set_attribute(document, div, "b", 1, "1", 1) == LANNER_OK);
  TEST_CHECK(lanner_set_attribute(document, div, "c", 1, "2", 1) == LANNER_OK);
  TEST_CHECK(lanner_set_attribute(document, div, "b", 1, "three", 5) == LANNER_OK);
  TEST_CHECK(lanner_attribute_count(document, div) == 3);
  TEST_CHECK(string_is(lanner_attribute_at(document, div, 1).value, "three"));
  TEST_CHECK(lanner_remove_attribute(document, div, "id", 2) == LANNER_OK);
  TEST_CHECK(lanner_remove_attribute(document, div, "id", 2) == LANNER_OK);
  TEST_CHECK(lanner_attribute_count(document, div) == 2);
  TEST_CHECK(string_is(lanner_attribute_at(document, div, 0).name, "b"));
  tree_is(document, BODY("|     <span>\n|       <!-- c -->\n|       \"text\"\n|       <div>\n"
                         "|         b=\"three\"\n|         c=\"2\"\n|         <svg foreignObject>\n"
                         "|         <p>\n|           \"x\"\n"));
  /* A template's contents are below it: putting it into them would be a cycle. */
  parse_text(document, "<template><i></i></template>", 0);
  lanner_node template_ = find(document, "template");
  lanner_node contents = lanner_template_contents(document, template_);
  TEST_CHECK(lanner_append(document, contents, template_) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_append(document, lanner_first_child(document, contents), template_) ==
             LANNER_ERROR_ARGUMENT);
  lanner_document_free(document);
}

/* An attribute block that clones share is copied when one of them changes. */
void test_api_shared_attributes(void) {
  lanner_document *document = lanner_document_new(NULL);
  parse_text(document, "<b class=k id=i><p>1<p>2</b><p>3", 0);
  lanner_node first = 0, node = LANNER_DOCUMENT_NODE;
  size_t clones = 0;
  while ((node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) != 0) {
    if (!string_is(lanner_name(document, node), "b")) continue;
    clones++;
    if (!first) first = node;
    TEST_CHECK(lanner_attribute_count(document, node) == 2);
  }
  TEST_CHECK(clones >= 2);
  TEST_CHECK(lanner_set_attribute(document, first, "class", 5, "changed", 7) == LANNER_OK);
  TEST_CHECK(lanner_remove_attribute(document, first, "id", 2) == LANNER_OK);
  node = LANNER_DOCUMENT_NODE;
  while ((node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) != 0) {
    if (!string_is(lanner_name(document, node), "b")) continue;
    lanner_string value;
    TEST_CHECK(lanner_get_attribute(document, node, "class", 5, &value));
    TEST_CHECK(string_is(value, node == first ? "changed" : "k"));
    TEST_CHECK(lanner_get_attribute(document, node, "id", 2, NULL) == (node != first));
  }
  lanner_document_free(document);
}

/* --- serialization --- */

struct stopping {
  size_t calls, allowed;
};

static int stop_after(void *context, const char *data, size_t length) {
  struct stopping *stopping = context;
  (void)data;
  (void)length;
  return ++stopping->calls > stopping->allowed;
}

void test_api_serialize(void) {
  lanner_document *document = lanner_document_new(NULL);
  parse_text(document, "<!DOCTYPE html><div a='<\"&'>1 &lt; 2<br><!--c--></div>", 0);
  struct bytes out = {0};
  lanner_node div = find(document, "div");
  TEST_CHECK(lanner_serialize_outer(document, div, false, write_bytes, &out) == LANNER_OK);
  TEST_CHECK_MSG(strcmp(out.data, "<div a=\"&lt;&quot;&amp;\">1 &lt; 2<br><!--c--></div>") == 0,
                 "%s", out.data);
  bytes_clear(&out);
  TEST_CHECK(lanner_serialize_inner(document, div, false, write_bytes, &out) == LANNER_OK);
  TEST_CHECK_MSG(strcmp(out.data, "1 &lt; 2<br><!--c-->") == 0, "%s", out.data);
  bytes_clear(&out);
  TEST_CHECK(lanner_serialize_inner(document, find(document, "br"), false, write_bytes, &out) ==
             LANNER_OK);
  TEST_CHECK(out.length == 0);
  struct stopping stopping = {0, 0};
  TEST_CHECK(lanner_serialize_outer(document, LANNER_DOCUMENT_NODE, false, stop_after, &stopping) ==
             LANNER_STOPPED);
  TEST_CHECK(stopping.calls == 1);
  stopping.calls = 0;
  TEST_CHECK(lanner_serialize_test(document, LANNER_DOCUMENT_NODE, stop_after, &stopping) ==
             LANNER_STOPPED);
  TEST_CHECK(stopping.calls == 1);
  TEST_CHECK(lanner_serialize_inner(document, 0, false, write_bytes, &out) ==
             LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_serialize_inner(document, div, false, NULL, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_serialize_test(NULL, 1, write_bytes, &out) == LANNER_ERROR_ARGUMENT);
  lanner_document_free(document);
  bytes_free(&out);
}

/* The limit on nodes strikes at one place, whether errors are asked for or not. */
void test_api_limit_place(void) {
  static const char *const pages[] = {
      "<!DOCTYPE html><html><head><title>a</title></head><body>x</body></html>",
      "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=utf-8>\n<script>x</script>\n</head>\n"
      "<body>\n<table><tr><td>1</td></tr></table><p>y</p>\n</body>\n</html>\n"};
  lanner_document *document = lanner_document_new(NULL);
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    for (uint64_t nodes = 1; nodes < 40; nodes++) {
      uint64_t place[2];
      uint32_t struck[2];
      for (int errors = 0; errors < 2; errors++) {
        lanner_options options;
        lanner_options_init(&options);
        options.encoding = "utf-8";
        options.limits.nodes = (uint32_t)nodes;
        if (errors) options.flags |= LANNER_ERRORS;
        lanner_parse(document, pages[i], strlen(pages[i]), &options);
        struck[errors] = lanner_document_limits(document);
        place[errors] = lanner_document_limit_offset(document, LANNER_LIMIT_NODES);
      }
      TEST_CHECK_MSG(struck[0] == struck[1] && place[0] == place[1],
                     "page %zu, %d nodes: struck at %d, with errors at %d", i, (int)nodes,
                     (int)place[0], (int)place[1]);
    }
  lanner_document_free(document);
}

/* --- depth, threads --- */

enum { DEEP = 1000000 };

static int count_bytes(void *context, const char *data, size_t length) {
  (void)data;
  *(size_t *)context += length;
  return 0;
}

/* A million nested elements, limit off: build, walk, serialize, free on a small stack. */
static void *deep(void *argument) {
  static const char tag[] = "<div>";
  size_t length = DEEP * (sizeof tag - 1);
  char *page = malloc(length);
  for (size_t i = 0; i < DEEP; i++) memcpy(page + i * (sizeof tag - 1), tag, sizeof tag - 1);
  lanner_document *document = lanner_document_new(NULL);
  lanner_options options;
  lanner_options_init(&options);
  options.limits.depth = 0;
  options.encoding = "UTF-8";
  TEST_CHECK(lanner_parse(document, page, length, &options) == LANNER_OK);
  TEST_CHECK_MSG(lanner_document_node_count(document) == DEEP + 4, "%u nodes",
                 (unsigned)lanner_document_node_count(document));
  size_t visited = 0, depth = 0, written = 0;
  for (lanner_node node = LANNER_DOCUMENT_NODE; node;
       node = lanner_next(document, node, LANNER_DOCUMENT_NODE))
    visited++;
  TEST_CHECK(visited == DEEP + 4);
  lanner_node node = LANNER_DOCUMENT_NODE, next;
  while ((next = lanner_last_child(document, node)) != 0) {
    node = next;
    depth++;
  }
  TEST_CHECK(depth == DEEP + 2);
  TEST_CHECK(lanner_serialize_inner(document, LANNER_DOCUMENT_NODE, false, count_bytes, &written) ==
             LANNER_OK);
  TEST_CHECK_MSG(written == DEEP * 11 + strlen("<html><head></head><body></body></html>"), "%zu",
                 written);
  /* Moving the deepest below the root's sibling checks for cycles without recursion, too. */
  lanner_node body = find(document, "body");
  TEST_CHECK(lanner_append(document, node, body) == LANNER_ERROR_ARGUMENT);
  lanner_document_free(document);
  free(page);
  return argument;
}

void test_api_deep_nesting(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  TEST_CHECK(pthread_attr_init(&attributes) == 0);
  TEST_CHECK(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
  if (TEST_CHECK(pthread_create(&thread, &attributes, deep, NULL) == 0)) pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

struct worker {
  const char *page;
  struct bytes tree;
  int rounds;
  bool same;
};

static void *work(void *argument) {
  struct worker *worker = argument;
  lanner_document *document = lanner_document_new(NULL);
  struct bytes tree = {0};
  lanner_options options;
  lanner_options_init(&options);
  options.encoding = "UTF-8";
  options.flags = LANNER_ERRORS;
  worker->same = true;
  for (int i = 0; i < worker->rounds; i++) {
    bytes_clear(&tree);
    if (lanner_parse(document, worker->page, strlen(worker->page), &options) != LANNER_OK)
      worker->same = false;
    lanner_serialize_test(document, LANNER_DOCUMENT_NODE, write_bytes, &tree);
    worker->same &= bytes_equal(&tree, &worker->tree);
  }
  bytes_free(&tree);
  lanner_document_free(document);
  return NULL;
}

/* Documents of different threads share nothing. */
void test_api_threads(void) {
  static const char *const pages[] = {"<p>a<b>&amp;<i></b>c<x-1 y=2>",
                                      "<table>x<tr><td><svg><title>t",
                                      "<!DOCTYPE html><select><option>a<hr><input>",
                                      "<?pi x?><template><td></template>\r\n\xE2\x82\xAC&notit;"};
  pthread_t threads[4];
  struct worker workers[4];
  for (int i = 0; i < 4; i++) {
    workers[i] = (struct worker){pages[i], {0}, test_full_effort() ? 2000 : 200, false};
    fresh_tree(pages[i], 0, &workers[i].tree);
  }
  for (int i = 0; i < 4; i++) TEST_CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    TEST_CHECK_MSG(workers[i].same, "thread %d got another tree", i);
    bytes_free(&workers[i].tree);
  }
}
