/* Lanner through its public header. Built several times: as it ships, and with SIMD forced. */
#include "contestant.h"

#include <lanner.h>
#include <stdlib.h>
#include <string.h>

typedef struct instance {
  lanner_document *document;
  lanner_tokenizer *tokenizer;
  lanner_options utf8, sniff, checked;
  lanner_tokenizer_options tokens;
  lanner_context div;
  tally *work;
} instance;

static int on_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  (void)tokenizer;
  tally *work = ((instance *)context)->work, seen = {.items = 1};
  switch (token->type) {
  case LANNER_TOKEN_START_TAG:
  case LANNER_TOKEN_END_TAG:
    work_string(&seen, token->name.data, token->name.length);
    seen.attributes = token->attribute_count;
    for (uint32_t i = 0; i < token->attribute_count; i++) {
      work_string(&seen, token->attributes[i].name.data, token->attributes[i].name.length);
      work_string(&seen, token->attributes[i].value.data, token->attributes[i].value.length);
    }
    break;
  case LANNER_TOKEN_DOCTYPE:
    work_string(&seen, token->public_id.data, token->public_id.length);
    work_string(&seen, token->system_id.data, token->system_id.length);
    work_string(&seen, token->name.data, token->name.length);
    break;
  case LANNER_TOKEN_PROCESSING_INSTRUCTION:
    work_string(&seen, token->name.data, token->name.length);
    work_string(&seen, token->data.data, token->data.length);
    break;
  default: work_string(&seen, token->data.data, token->data.length);
  }
  work_add(work, &seen);
  return LANNER_CONTINUE;
}

static void close_self(void *context) {
  instance *self = context;
  if (self == NULL) return;
  lanner_tokenizer_free(self->tokenizer);
  lanner_document_free(self->document);
  free(self);
}

static void *open_self(void) {
  instance *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->document = lanner_document_new(NULL);
  self->tokenizer = lanner_tokenizer_new(NULL);
  if (self->document == NULL || self->tokenizer == NULL) {
    close_self(self);
    return NULL;
  }
  lanner_options_init(&self->utf8);
  self->utf8.flags |= LANNER_INPUT_PADDED;
  self->sniff = self->utf8;
  self->utf8.encoding = "utf-8";
  self->checked = self->utf8;
  self->checked.flags |= LANNER_ERRORS | LANNER_SPANS;
  lanner_tokenizer_options_init(&self->tokens);
  self->tokens.flags |= LANNER_INPUT_PADDED;
  self->tokens.encoding = "utf-8";
  self->tokens.on_token = on_token;
  self->tokens.context = self;
  self->div.name = "div";
  self->div.name_length = 3;
  return self;
}

static bool tokens(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  self->work = work;
  return lanner_tokenize(self->tokenizer, page, length, &self->tokens) == LANNER_OK;
}

static bool tree_new(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  lanner_document *document = lanner_document_new(NULL);
  bool good = document != NULL && lanner_parse(document, page, length, &self->utf8) == LANNER_OK;
  work->items += lanner_document_node_count(document);
  lanner_document_free(document);
  return good;
}

static bool reused(instance *self, const char *page, size_t length, const lanner_options *options) {
  return lanner_parse(self->document, page, length, options) == LANNER_OK;
}

static bool tree_reused(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  bool good = reused(self, page, length, &self->utf8);
  work->items += lanner_document_node_count(self->document);
  return good;
}

static void visit_subtree(const lanner_document *document, lanner_node root, tally *work) {
  tally seen = {0};
  for (lanner_node node = root; node != 0; node = lanner_next(document, node, root)) {
    seen.items++;
    switch (lanner_node_kind(document, node)) {
    case LANNER_ELEMENT: {
      lanner_string name = lanner_name(document, node);
      work_string(&seen, name.data, name.length);
      uint32_t count = lanner_attribute_count(document, node);
      seen.attributes += count;
      for (uint32_t i = 0; i < count; i++) {
        lanner_attribute attribute = lanner_attribute_at(document, node, i);
        work_string(&seen, attribute.name.data, attribute.name.length);
        work_string(&seen, attribute.value.data, attribute.value.length);
      }
      break;
    }
    case LANNER_TEXT:
    case LANNER_COMMENT:
    case LANNER_PROCESSING_INSTRUCTION: {
      lanner_string data = lanner_data(document, node);
      work_string(&seen, data.data, data.length);
      break;
    }
    default: break;
    }
  }
  work_add(work, &seen);
}

static bool visit(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  bool good = reused(self, page, length, &self->utf8);
  visit_subtree(self->document, LANNER_DOCUMENT_NODE, work);
  return good;
}

static int on_write(void *context, const char *data, size_t length) {
  work_string(context, data, length);
  return 0;
}

static bool serialize(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  return reused(self, page, length, &self->utf8) &&
         lanner_serialize_inner(self->document, LANNER_DOCUMENT_NODE, false, on_write, work) ==
             LANNER_OK;
}

static bool sniffed(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  bool good = reused(self, page, length, &self->sniff);
  work->items += lanner_document_node_count(self->document);
  return good;
}

static bool checked(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  bool good = reused(self, page, length, &self->checked);
  work->items += lanner_document_node_count(self->document);
  work->attributes += lanner_document_error_total(self->document);
  return good;
}

static bool fragment(instance *self, lanner_document *document, const char *page, size_t length,
                     tally *work) {
  bool good = document != NULL &&
              lanner_parse_fragment(document, &self->div, page, length, &self->utf8) == LANNER_OK;
  work->items += lanner_document_node_count(document);
  return good;
}

static bool fragment_new(void *context, const char *page, size_t length, tally *work) {
  lanner_document *document = lanner_document_new(NULL);
  bool good = fragment(context, document, page, length, work);
  lanner_document_free(document);
  return good;
}

static bool fragment_reused(void *context, const char *page, size_t length, tally *work) {
  return fragment(context, ((instance *)context)->document, page, length, work);
}

static bool is(lanner_string name, const char *literal, size_t length) {
  return name.length == length && memcmp(name.data, literal, length) == 0;
}
#define IS(name, literal) is(name, literal, sizeof literal - 1)

static bool links(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  if (!reused(self, page, length, &self->utf8)) return false;
  const lanner_document *document = self->document;
  for (lanner_node node = LANNER_DOCUMENT_NODE; node != 0;
       node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) {
    if (lanner_node_kind(document, node) != LANNER_ELEMENT) continue;
    lanner_string name = lanner_name(document, node);
    const char *attribute = NULL;
    size_t attribute_length = 0;
    if (IS(name, "a") || IS(name, "link") || IS(name, "area"))
      attribute = "href", attribute_length = 4;
    else if (IS(name, "img") || IS(name, "script") || IS(name, "iframe") || IS(name, "source"))
      attribute = "src", attribute_length = 3;
    lanner_string value;
    if (attribute != NULL &&
        lanner_get_attribute(document, node, attribute, attribute_length, &value)) {
      work->items++;
      work_string(work, value.data, value.length);
    }
  }
  return true;
}

static void *hold(void *context, const char *page, size_t length) {
  instance *self = context;
  lanner_document *document = lanner_document_new(NULL);
  if (document != NULL && lanner_parse(document, page, length, &self->utf8) == LANNER_OK)
    return document;
  lanner_document_free(document);
  return NULL;
}

static void *hold_trimmed(void *context, const char *page, size_t length) {
  lanner_document *document = hold(context, page, length);
  lanner_document_trim(document);
  return document;
}

static void drop(void *context, void *held) {
  (void)context;
  lanner_document_free(held);
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const contestant *contestant_at(uint32_t index) {
  static const contestant lanner = {
      .abi = CONTESTANT_ABI,
      .name = "lanner",
      .version =
          TEXT(LANNER_VERSION_MAJOR) "." TEXT(LANNER_VERSION_MINOR) "." TEXT(LANNER_VERSION_PATCH),
      .note =
          "LANNER_INPUT_PADDED (nothing is copied); UTF-8 is checked; tokens: simulated feedback",
      .open = open_self,
      .close = close_self,
      .tokens = tokens,
      .tree_new = tree_new,
      .tree_reused = tree_reused,
      .visit = visit,
      .serialize = serialize,
      .sniffed = sniffed,
      .fragment_new = fragment_new,
      .fragment_reused = fragment_reused,
      .links = links,
      .checked = checked,
      .hold = hold,
      .drop = drop,
  };
  /* A document that is to be kept is trimmed; otherwise it has room for the next page. */
  static const contestant trimmed = {
      .abi = CONTESTANT_ABI,
      .name = "lanner, trimmed",
      .version = "",
      .note = "with lanner_document_trim; (j) only",
      .open = open_self,
      .close = close_self,
      .hold = hold_trimmed,
      .drop = drop,
  };
  return index == 0 ? &lanner : index == 1 ? &trimmed : NULL;
}
