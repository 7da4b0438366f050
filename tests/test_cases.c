/* test_cases.c - small inputs that parsers got wrong (cases/ of the shared data): trees, encodings,
 * texts, errors. What belongs to link extraction is tested there. */
#include "tree_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- SHA-256 (FIPS 180-4), for expected texts that are given by their digest --- */

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void sha256_block(uint32_t state[8], const unsigned char *block) {
  /* The constants are the first 32 bits of the fractional parts of cube roots of primes. */
  static uint32_t k[64];
  if (!k[0]) {
    int count = 0;
    for (uint32_t prime = 2; count < 64; prime++) {
      bool divides = false;
      for (uint32_t d = 2; d * d <= prime; d++) divides |= prime % d == 0;
      if (divides) continue;
      long double low = 1, high = 8; /* cube roots of primes up to 311 */
      for (int i = 0; i < 80; i++) {
        long double middle = (low + high) / 2;
        if (middle * middle * middle < prime)
          low = middle;
        else
          high = middle;
      }
      k[count++] = (uint32_t)((low - (long double)(uint32_t)low) * 4294967296.0L);
    }
  }
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  memcpy(v, state, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
    uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
    uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
    uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) state[i] += v[i];
}

static void sha256(const struct bytes *data, char hex[65]) {
  uint32_t state[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                       0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  struct bytes padded = {0};
  bytes_add(&padded, data->data, data->length);
  bytes_add(&padded, "\x80", 1);
  while (padded.length % 64 != 56) bytes_add(&padded, "\0", 1);
  for (int i = 7; i >= 0; i--) {
    char byte = (char)(unsigned char)((uint64_t)data->length * 8 >> (8 * i));
    bytes_add(&padded, &byte, 1);
  }
  for (size_t i = 0; i < padded.length; i += 64)
    sha256_block(state, (const unsigned char *)padded.data + i);
  for (size_t i = 0; i < 8; i++) snprintf(hex + 8 * i, 9, "%08x", (unsigned)state[i]);
  bytes_free(&padded);
}

/* --- one case --- */

static void body_text(const lanner_document *document, struct bytes *into) {
  lanner_node body = 0;
  bytes_clear(into);
  bytes_add(into, "", 0);
  for (lanner_node node = LANNER_DOCUMENT_NODE; node;
       node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) {
    lanner_string name = lanner_name(document, node);
    if (lanner_node_kind(document, node) == LANNER_ELEMENT && name.length == 4 &&
        !memcmp(name.data, "body", 4))
      body = node;
  }
  for (lanner_node node = body; node; node = lanner_next(document, node, body))
    if (lanner_node_kind(document, node) == LANNER_TEXT) {
      lanner_string text = lanner_data(document, node);
      bytes_add(into, text.data, text.length);
    }
}

static void check_text(const lanner_document *document, const json_t *expect, const char *what) {
  struct bytes text = {0};
  size_t points = 0, replaced = 0;
  bool mark = false;
  body_text(document, &text);
  for (size_t i = 0; i < text.length; i++) {
    points += (text.data[i] & 0xC0) != 0x80;
    if (i + 2 < text.length) {
      replaced += memcmp(text.data + i, "\xEF\xBF\xBD", 3) == 0;
      mark |= memcmp(text.data + i, "\xEF\xBB\xBF", 3) == 0;
    }
  }
  const json_t *value;
  if ((value = json_object_get(expect, "body_text")) != NULL) {
    lanner_string want = json_text(expect, "body_text");
    TEST_CHECK_MSG(bytes_are(&text, want.data, want.length), "%s: text %s", what,
                   shown(text.data, text.length));
  }
  if ((value = json_object_get(expect, "body_text_sha256")) != NULL) {
    char hex[65];
    sha256(&text, hex);
    TEST_CHECK_MSG(strcmp(hex, json_string_value(value)) == 0, "%s: digest %s", what, hex);
  }
  if ((value = json_object_get(expect, "body_text_utf8_bytes")) != NULL)
    TEST_CHECK_MSG(text.length == (size_t)json_integer_value(value), "%s: %zu bytes", what,
                   text.length);
  if ((value = json_object_get(expect, "body_text_code_points")) != NULL)
    TEST_CHECK_MSG(points == (size_t)json_integer_value(value), "%s: %zu code points", what,
                   points);
  if ((value = json_object_get(expect, "replacement_characters")) != NULL)
    TEST_CHECK_MSG(replaced == (size_t)json_integer_value(value), "%s: %zu replacements", what,
                   replaced);
  if ((value = json_object_get(expect, "bom_in_text")) != NULL)
    TEST_CHECK_MSG(mark == json_is_true(value), "%s: byte order mark", what);
  if ((value = json_object_get(expect, "encoding")) != NULL)
    TEST_CHECK_MSG(strcasecmp(lanner_document_encoding(document), json_string_value(value)) == 0,
                   "%s: %s", what, lanner_document_encoding(document));
  if ((value = json_object_get(expect, "parse_errors")) != NULL) {
    size_t count = 0, index;
    const json_t *code;
    const lanner_error *errors = lanner_document_errors(document, &count);
    TEST_CHECK_MSG(count == json_array_size(value), "%s: %zu errors", what, count);
    json_array_foreach(value, index, code) {
      if (index < count)
        TEST_CHECK_MSG(strcmp(lanner_error_name(errors[index].code), json_string_value(code)) == 0,
                       "%s: %s", what, lanner_error_name(errors[index].code));
    }
  }
  bytes_free(&text);
}

static void json_case(const char *name, const struct bytes *input, const json_t *expect) {
  static const char *const known[] = {
      "transport_encoding", "prescan_1024", "encoding", "confidence", "body_text",
      "body_text_sha256", "body_text_utf8_bytes", "body_text_code_points", "replacement_characters",
      "same_for_input_chunk_sizes", "bom_in_text", "parse_errors",
      /* tested with the extraction */
      "document_url", "base_url", "links"};
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)expect, key, value) {
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) found |= strcmp(key, known[i]) == 0;
    TEST_CHECK_MSG(found, "%s: the key %s is not tested", name, key);
  }
  lanner_document *document = lanner_document_new(NULL);
  struct tree_run run;
  tree_run_init(&run, LANNER_ERRORS);
  run.options.encoding = NULL;
  run.options.transport = json_text(expect, "transport_encoding").data;
  json_t *sizes = json_object_get(expect, "same_for_input_chunk_sizes");
  for (size_t i = 0; i <= json_array_size(sizes); i++) {
    char what[160];
    run.plan.kind = i ? STEPS : WHOLE;
    run.plan.at = i ? (size_t)json_integer_value(json_array_get(sizes, i - 1)) : 0;
    snprintf(what, sizeof what, "%s, steps of %zu", name, run.plan.at);
    if (run_tree(document, &run, input->data, input->length, LANNER_OK, what))
      check_text(document, expect, what);
  }
  lanner_document_free(document);
}

static void tree_case(const char *name, const struct bytes *input, const struct bytes *expected) {
  struct tree_case test;
  lanner_context context;
  const char *at = expected->data, *end = at + expected->length;
  bool off_only = false;
  memset(&test, 0, sizeof test);
  if (strncmp(at, "#script-off\n", 12) == 0) {
    off_only = true;
    at += 12;
  }
  if (strncmp(at, "#document-fragment\n", 19) == 0) {
    const char *line = at + 19;
    at = strchr(line, '\n') + 1;
    context = context_named((lanner_string){line, (size_t)(at - 1 - line)});
    test.context = &context;
  }
  if (!TEST_CHECK_MSG(strncmp(at, "#document\n", 10) == 0, "%s: not a tree", name)) return;
  at += 10;
  test.data.data = input->data;
  test.data.length = input->length;
  test.expected.data = at;
  test.expected.length = (size_t)(end - at);
  for (int scripting = 0; scripting <= (off_only ? 0 : 1); scripting++) {
    snprintf(test.name, sizeof test.name, "%s%s", name, scripting ? " (scripting)" : "");
    test.flags = scripting ? LANNER_SCRIPTING : 0;
    tree_case_whole(&test);
    tree_case_bytes(&test);
    tree_case_cuts(&test);
    tree_case_tokens(&test);
  }
}

void test_tree_shared_cases(void) {
  char *folder = test_shared_path("cases");
  if (!folder) return;
  struct names names = list_folder(folder, ".expected");
  TEST_CHECK_MSG(names.count == 12, "%zu cases instead of 12", names.count);
  struct bytes input = {0}, expected = {0};
  for (size_t i = 0; i < names.count; i++) {
    char *path = join_path(folder, names.items[i]);
    read_file(path, &expected);
    size_t stem = strlen(path) - strlen(".expected");
    snprintf(path + stem, strlen(".expected") + 1, ".html");
    if (read_file(path, &input)) {
      if (expected.data[0] == '{') {
        char *again = join_path(folder, names.items[i]);
        json_t *json = read_json(again);
        free(again);
        json_case(names.items[i], &input, json_object_get(json, "expect"));
        json_decref(json);
      } else {
        tree_case(names.items[i], &input, &expected);
      }
    }
    free(path);
  }
  tree_case_finish();
  bytes_free(&input);
  bytes_free(&expected);
  names_free(&names);
  free(folder);
}
