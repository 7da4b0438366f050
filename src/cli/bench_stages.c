/* bench_stages.c - what each stage of `lanner bench` does with a page.
 *
 * memcpy is the yardstick: each page copied once into one buffer of the largest page's size. The
 * others do what a program that uses the library does, with pages that lie padded in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static void note(bench_work *work, lanner_status status) {
  if (status != LANNER_OK && work->status == LANNER_OK) work->status = status;
}

/* --- memcpy --- */

static bool prepare_buffer(bench_work *work, size_t size) {
  work->buffer_size = size;
  work->buffer = malloc(size > 0 ? size : 1);
  if (work->buffer == NULL) return false;
  memset(work->buffer, 0, size); /* its pages are mapped before the clock runs */
  return true;
}

static bool prepare_memcpy(bench_work *work) { return prepare_buffer(work, work->set->largest); }

static void copy_page(bench_work *work, size_t index) {
  const cli_file *page = &work->set->pages[index];
  memcpy(work->buffer, page->bytes, page->length);
}

static bench_memory buffer_memory(bench_work *work) {
  return (bench_memory){.text = work->buffer_size};
}

/* --- input: sniff the encoding, check or decode the bytes --- */

static lanner_encoding for_label(const char *label) {
  return label == NULL ? LANNER_ENCODING_NONE : lanner_encoding_for_label(label, strlen(label));
}

static bool prepare_input(bench_work *work) {
  work->sniff.user = for_label(work->set->parse.encoding);
  work->sniff.transport = for_label(work->set->parse.transport);
  size_t bound = lanner_decode_bound(work->set->largest);
  return (bound > 0 || work->set->largest == 0) && prepare_buffer(work, bound);
}

/* What the parser does with bytes before it parses. What is ASCII, or UTF-8 and valid, is used
 * where it lies: it is looked at once and nothing is written. */
static void read_input(bench_work *work, size_t index) {
  const cli_file *page = &work->set->pages[index];
  lanner_sniff_result found;
  lanner_sniff(page->bytes, page->length, &work->sniff, &found);
  unsigned wanted = LANNER_CHECK_ASCII;
  if (found.encoding == LANNER_ENCODING_UTF_8) wanted = LANNER_CHECK_VALID;
  if (found.encoding == LANNER_ENCODING_UTF_16BE || found.encoding == LANNER_ENCODING_UTF_16LE ||
      found.encoding == LANNER_ENCODING_ISO_2022_JP ||
      found.encoding == LANNER_ENCODING_REPLACEMENT)
    wanted = 0; /* their ASCII bytes may mean something else */
  size_t length = page->length;
  if (wanted == 0 || !(lanner_check(page->bytes, page->length) & wanted))
    length = lanner_decode_whole(found.encoding, LANNER_BOM_SNIFF, page->bytes, page->length,
                                 work->buffer, work->buffer_size);
  work->sum += length;
}

/* --- check: the look at the bytes alone --- */

static bool prepare_nothing(bench_work *work) {
  (void)work;
  return true;
}

static void check_page(bench_work *work, size_t index) {
  const cli_file *page = &work->set->pages[index];
  work->sum += lanner_check(page->bytes, page->length);
}

static bench_memory no_memory(bench_work *work) {
  (void)work;
  return (bench_memory){0, 0};
}

/* --- tokens --- */

static int count_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  (void)tokenizer;
  bench_work *work = context;
  work->sum += token->type;
  return LANNER_CONTINUE;
}

static bool prepare_tokens(bench_work *work) {
  work->tokenizer = lanner_tokenizer_new(NULL);
  return work->tokenizer != NULL;
}

static void tokenize_page(bench_work *work, size_t index) {
  const cli_file *page = &work->set->pages[index];
  lanner_tokenizer_options options = work->set->tokens;
  options.on_token = count_token;
  options.context = work;
  note(work, lanner_tokenize(work->tokenizer, page->bytes, page->length, &options));
}

static bench_memory split(lanner_memory memory) {
  return (bench_memory){.held = memory.held - memory.text, .text = memory.text};
}

static bench_memory tokenizer_memory(bench_work *work) {
  return split(lanner_tokenizer_memory(work->tokenizer));
}

/* --- tree: a new document for each page --- */

static lanner_status parse_into(lanner_document *document, const bench_set *set, size_t index) {
  const cli_file *page = &set->pages[index];
  lanner_options options = set->parse;
  if (page->guess != NULL) options.fallback = page->guess;
  return lanner_parse(document, page->bytes, page->length, &options);
}

static void parse_page(bench_work *work, size_t index) {
  lanner_document *document = lanner_document_new(NULL);
  if (document == NULL) {
    note(work, LANNER_ERROR_MEMORY);
    return;
  }
  note(work, parse_into(document, work->set, index));
  lanner_document_free(document);
}

/* The sum over the documents of all pages, each just parsed. */
static bench_memory tree_memory(bench_work *work) {
  bench_memory sum = {0, 0};
  for (size_t i = 0; i < work->set->count; i++) {
    lanner_document *document = lanner_document_new(NULL);
    if (document == NULL) break;
    parse_into(document, work->set, i);
    bench_memory one = split(lanner_document_memory(document));
    sum.held += one.held;
    sum.text += one.text;
    lanner_document_free(document);
  }
  return sum;
}

/* --- tree_reuse: one document for all pages --- */

static bool prepare_reuse(bench_work *work) {
  work->document = lanner_document_new(NULL);
  return work->document != NULL;
}

static void parse_again(bench_work *work, size_t index) {
  note(work, parse_into(work->document, work->set, index));
}

static bench_memory reuse_memory(bench_work *work) {
  return split(lanner_document_memory(work->document));
}

/* --- visit and serialize: documents parsed beforehand --- */

static bool prepare_documents(bench_work *work) {
  work->documents = calloc(work->set->count + 1, sizeof work->documents[0]);
  if (work->documents == NULL) return false;
  for (size_t i = 0; i < work->set->count; i++) {
    work->documents[i] = lanner_document_new(NULL);
    if (work->documents[i] == NULL) return false;
    note(work, parse_into(work->documents[i], work->set, i));
  }
  return true;
}

/* Every node in tree order, with its name, attributes and text. */
static void visit_page(bench_work *work, size_t index) {
  const lanner_document *document = work->documents[index];
  uint64_t sum = 0;
  for (lanner_node node = LANNER_DOCUMENT_NODE; node != 0;
       node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) {
    if (lanner_node_kind(document, node) != LANNER_ELEMENT) {
      sum += lanner_data(document, node).length;
      continue;
    }
    sum += lanner_name_id(document, node) + lanner_name(document, node).length;
    uint32_t count = lanner_attribute_count(document, node);
    for (uint32_t i = 0; i < count; i++) {
      lanner_attribute attribute = lanner_attribute_at(document, node, i);
      sum += attribute.name.length + attribute.value.length;
    }
  }
  work->sum += sum;
}

static int count_output(void *context, const char *data, size_t length) {
  (void)data;
  bench_work *work = context;
  work->sum += length;
  return 0;
}

static void serialize_page(bench_work *work, size_t index) {
  note(work, lanner_serialize_inner(work->documents[index], LANNER_DOCUMENT_NODE,
                                    (work->set->parse.flags & LANNER_SCRIPTING) != 0, count_output,
                                    work));
}

static bench_memory documents_memory(bench_work *work) {
  bench_memory sum = {0, 0};
  for (size_t i = 0; i < work->set->count; i++) {
    bench_memory one = split(lanner_document_memory(work->documents[i]));
    sum.held += one.held;
    sum.text += one.text;
  }
  return sum;
}

/* A yardstick stands before what is measured by it: the memcpy of the same pages. */
const bench_stage bench_stages[BENCH_STAGES] = {
    {"memcpy", "memcpy", BENCH_ALL, true, false, prepare_memcpy, copy_page, buffer_memory},
    {"input", "input", BENCH_ALL, false, false, prepare_input, read_input, buffer_memory},
    {"memcpy_ascii", "input", BENCH_ASCII, true, false, prepare_memcpy, copy_page, buffer_memory},
    {"check_ascii", "input", BENCH_ASCII, false, false, prepare_nothing, check_page, no_memory},
    {"memcpy_multibyte", "input", BENCH_MULTIBYTE, true, false, prepare_memcpy, copy_page,
     buffer_memory},
    {"check_multibyte", "input", BENCH_MULTIBYTE, false, false, prepare_nothing, check_page,
     no_memory},
    {"tokens", "tokens", BENCH_ALL, false, false, prepare_tokens, tokenize_page, tokenizer_memory},
    {"tree", "tree", BENCH_ALL, false, false, prepare_nothing, parse_page, tree_memory},
    {"tree_reuse", "tree_reuse", BENCH_ALL, false, false, prepare_reuse, parse_again, reuse_memory},
    {"visit", "visit", BENCH_ALL, false, true, prepare_documents, visit_page, documents_memory},
    {"serialize", "serialize", BENCH_ALL, false, true, prepare_documents, serialize_page,
     documents_memory},
};

void bench_work_free(bench_work *work) {
  if (work->documents != NULL)
    for (size_t i = 0; i < work->set->count; i++) lanner_document_free(work->documents[i]);
  free(work->documents);
  free(work->buffer);
  lanner_tokenizer_free(work->tokenizer);
  lanner_document_free(work->document);
}
