/* lexbor, through its public C interface: twice. "lexbor" is how its documentation's examples use it
 * (a document has its own parser); "lexbor, kept parser" gives new documents to one parser, which
 * spares it the parser's set-up. */
#include "contestant.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include <lexbor/dom/interfaces/character_data.h>
#include <lexbor/encoding/encoding.h>
#include <lexbor/html/encoding.h>
#include <lexbor/html/html.h>
#include <lexbor/html/serialize.h>
#include <lexbor/html/tokenizer.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#include <stdlib.h>
#include <string.h>

typedef struct instance {
  lxb_html_document_t *document;
  lxb_html_tokenizer_t *tokenizer;
  lxb_html_parser_t *parser;
  lxb_dom_element_t *div; /* the context of reused fragments */
  lxb_html_document_t *fragments;
  lxb_html_encoding_t prescan;
  lxb_char_t *decoded;
  size_t decoded_size;
  tally *work;
} instance;

static lxb_html_token_t *on_token(lxb_html_tokenizer_t *tokenizer, lxb_html_token_t *token,
                                  void *context) {
  tally *work = ((instance *)context)->work, seen = {.items = 1};
  if (token->tag_id == LXB_TAG__TEXT || token->tag_id == LXB_TAG__EM_COMMENT) {
    work_string(&seen, token->text_start, (size_t)(token->text_end - token->text_start));
    work_add(work, &seen);
    return token;
  }
  if (token->tag_id == LXB_TAG__END_OF_FILE) {
    work_add(work, &seen);
    return token;
  }
  size_t length = 0;
  const lxb_char_t *name;
  if (token->tag_id == LXB_TAG__EM_DOCTYPE) { /* its name and identifiers are in its attributes */
    for (lxb_html_token_attr_t *part = token->attr_first; part != NULL; part = part->next) {
      if (part == token->attr_first) {
        name = lxb_html_token_attr_name(part, &length);
        work_string(&seen, name, name == NULL ? 0 : length);
      }
      if (part->value != NULL) work_string(&seen, part->value, part->value_size);
    }
    work_add(work, &seen);
    return token;
  }
  name = lxb_tag_name_by_id(token->tag_id, &length);
  work_string(&seen, name, length);
  for (lxb_html_token_attr_t *attribute = token->attr_first; attribute != NULL;
       attribute = attribute->next) {
    seen.attributes++;
    name = lxb_html_token_attr_name(attribute, &length);
    work_string(&seen, name, name == NULL ? 0 : length);
    if (attribute->value != NULL) work_string(&seen, attribute->value, attribute->value_size);
  }
  work_add(work, &seen);
  /* What the tree builder would do: raw text after <script>, <title>, ... */
  if ((token->type & LXB_HTML_TOKEN_TYPE_CLOSE) == 0)
    lxb_html_tokenizer_set_state_by_tag(tokenizer, false, token->tag_id, LXB_NS_HTML);
  return token;
}

static void close_self(void *context) {
  instance *self = context;
  if (self == NULL) return;
  lxb_html_encoding_destroy(&self->prescan, false);
  lxb_html_document_destroy(self->fragments);
  lxb_html_parser_destroy(self->parser);
  lxb_html_tokenizer_destroy(self->tokenizer);
  lxb_html_document_destroy(self->document);
  free(self->decoded);
  free(self);
}

static void *open_self(void) {
  instance *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->document = lxb_html_document_create();
  self->fragments = lxb_html_document_create();
  self->tokenizer = lxb_html_tokenizer_create();
  self->parser = lxb_html_parser_create();
  if (self->document == NULL || self->fragments == NULL ||
      lxb_html_tokenizer_init(self->tokenizer) != LXB_STATUS_OK ||
      lxb_html_parser_init(self->parser) != LXB_STATUS_OK ||
      lxb_html_encoding_init(&self->prescan) != LXB_STATUS_OK ||
      (self->div = lxb_dom_document_create_element(&self->fragments->dom_document,
                                                   (const lxb_char_t *)"div", 3, NULL)) == NULL) {
    close_self(self);
    return NULL;
  }
  lxb_html_tokenizer_callback_token_done_set(self->tokenizer, on_token, self);
  return self;
}

static bool tokens(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  self->work = work;
  lxb_html_tokenizer_clean(self->tokenizer);
  return lxb_html_tokenizer_begin(self->tokenizer) == LXB_STATUS_OK &&
         lxb_html_tokenizer_chunk(self->tokenizer, (const lxb_char_t *)page, length) ==
             LXB_STATUS_OK &&
         lxb_html_tokenizer_end(self->tokenizer) == LXB_STATUS_OK;
}

static bool tree_new(void *context, const char *page, size_t length, tally *work) {
  (void)context;
  lxb_html_document_t *document = lxb_html_document_create();
  bool good = document != NULL &&
              lxb_html_document_parse(document, (const lxb_char_t *)page, length) == LXB_STATUS_OK;
  work->items += good;
  lxb_html_document_destroy(document);
  return good;
}

static bool tree_new_kept_parser(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  lxb_html_document_t *document = lxb_html_parse(self->parser, (const lxb_char_t *)page, length);
  work->items += document != NULL;
  lxb_html_document_destroy(document);
  return document != NULL;
}

static bool reused(instance *self, const char *page, size_t length) {
  return lxb_html_document_parse(self->document, (const lxb_char_t *)page, length) == LXB_STATUS_OK;
}

static bool tree_reused(void *context, const char *page, size_t length, tally *work) {
  bool good = reused(context, page, length);
  work->items += good;
  return good;
}

/* The node after NODE in tree order, NULL after ROOT's last. */
static lxb_dom_node_t *next_node(lxb_dom_node_t *node, const lxb_dom_node_t *root) {
  if (node->first_child != NULL) return node->first_child;
  while (node != root && node->next == NULL) node = node->parent;
  return node == root ? NULL : node->next;
}

static bool visit(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  if (!reused(self, page, length)) return false;
  tally seen = {0};
  lxb_dom_node_t *root = lxb_dom_interface_node(self->document);
  for (lxb_dom_node_t *node = root; node != NULL; node = next_node(node, root)) {
    seen.items++;
    size_t size;
    if (node->type == LXB_DOM_NODE_TYPE_ELEMENT) {
      lxb_dom_element_t *element = lxb_dom_interface_element(node);
      const lxb_char_t *name = lxb_dom_element_local_name(element, &size);
      work_string(&seen, name, size);
      for (lxb_dom_attr_t *attribute = lxb_dom_element_first_attribute(element); attribute != NULL;
           attribute = lxb_dom_element_next_attribute(attribute)) {
        seen.attributes++;
        name = lxb_dom_attr_qualified_name(attribute, &size);
        work_string(&seen, name, size);
        const lxb_char_t *value = lxb_dom_attr_value(attribute, &size);
        if (value != NULL) work_string(&seen, value, size);
      }
    } else if (node->type == LXB_DOM_NODE_TYPE_TEXT || node->type == LXB_DOM_NODE_TYPE_COMMENT) {
      const lexbor_str_t *data = &lxb_dom_interface_character_data(node)->data;
      work_string(&seen, data->data, data->length);
    }
  }
  work_add(work, &seen);
  return true;
}

static lxb_status_t on_write(const lxb_char_t *data, size_t length, void *context) {
  work_string(context, data, length);
  return LXB_STATUS_OK;
}

static bool serialize(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  return reused(self, page, length) &&
         lxb_html_serialize_tree_cb(lxb_dom_interface_node(self->document), on_write, work) ==
             LXB_STATUS_OK;
}

/* Grows the buffer for decoded text; contents are kept. */
static bool reserve(instance *self, size_t size) {
  if (size <= self->decoded_size) return true;
  lxb_char_t *larger = realloc(self->decoded, 2 * size);
  if (larger == NULL) return false;
  self->decoded = larger;
  self->decoded_size = 2 * size;
  return true;
}

/* lexbor has the parts (prescan, decoder, encoder) and leaves putting them together to its user. */
static bool sniffed(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  const lxb_char_t *data = (const lxb_char_t *)page, *end = data + length;
  lxb_encoding_t encoding = lxb_encoding_bom_sniff(data, length);
  if (encoding == LXB_ENCODING_DEFAULT) {
    size_t size = 0;
    lxb_html_encoding_clean(&self->prescan);
    const lxb_char_t *name =
        lxb_html_encoding_prescan(&self->prescan, data, length > 1024 ? data + 1024 : end, &size);
    const lxb_encoding_data_t *found =
        name == NULL ? NULL : lxb_encoding_data_by_pre_name(name, size);
    encoding = found == NULL ? LXB_ENCODING_WINDOWS_1252 : found->encoding;
  } else if (encoding == LXB_ENCODING_UTF_8) {
    lxb_encoding_utf_8_skip_bom(&data, &length);
  } else if (encoding == LXB_ENCODING_UTF_16LE) {
    lxb_encoding_utf_16le_skip_bom(&data, &length);
  } else if (encoding == LXB_ENCODING_UTF_16BE) {
    lxb_encoding_utf_16be_skip_bom(&data, &length);
  }
  if (encoding == LXB_ENCODING_UTF_8) return tree_reused(self, (const char *)data, length, work);

  const lxb_encoding_data_t *from = lxb_encoding_data(encoding),
                            *utf8 = lxb_encoding_data(LXB_ENCODING_UTF_8);
  lxb_codepoint_t points[4096];
  static const lxb_codepoint_t replacement = LXB_ENCODING_REPLACEMENT_CODEPOINT;
  lxb_encoding_decode_t decoder;
  lxb_encoding_encode_t encoder;
  size_t written = 0;
  if (lxb_encoding_decode_init(&decoder, from, points, sizeof points / sizeof *points) !=
          LXB_STATUS_OK ||
      lxb_encoding_decode_replace_set(&decoder, &replacement, 1) != LXB_STATUS_OK)
    return false;
  for (lxb_status_t status = LXB_STATUS_SMALL_BUFFER; status == LXB_STATUS_SMALL_BUFFER;) {
    lxb_encoding_decode_buf_used_set(&decoder, 0);
    status = from->decode(&decoder, &data, end);
    if (status != LXB_STATUS_SMALL_BUFFER) lxb_encoding_decode_finish(&decoder);
    const lxb_codepoint_t *point = points,
                          *point_end = points + lxb_encoding_decode_buf_used(&decoder);
    if (!reserve(self, written + sizeof points)) return false;
    if (lxb_encoding_encode_init(&encoder, utf8, self->decoded + written,
                                 self->decoded_size - written) != LXB_STATUS_OK)
      return false;
    utf8->encode(&encoder, &point, point_end);
    written += lxb_encoding_encode_buf_used(&encoder);
  }
  return tree_reused(self, (const char *)self->decoded, written, work);
}

static bool checked(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  bool good = reused(self, page, length); /* it always records parse errors */
  lxb_html_parser_t *parser = self->document->dom_document.parser;
  work->items += good;
  work->attributes += lexbor_array_obj_length(parser->tkz->parse_errors) +
                      lexbor_array_obj_length(parser->tree->parse_errors);
  return good;
}

static bool fragment_new(void *context, const char *page, size_t length, tally *work) {
  (void)context;
  lxb_html_document_t *document = lxb_html_document_create();
  if (document == NULL) return false;
  lxb_dom_element_t *div =
      lxb_dom_document_create_element(&document->dom_document, (const lxb_char_t *)"div", 3, NULL);
  bool good = div != NULL && lxb_html_document_parse_fragment(
                                 document, div, (const lxb_char_t *)page, length) != NULL;
  work->items += good;
  lxb_html_document_destroy(document);
  return good;
}

static bool fragment_new_kept_parser(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  lxb_html_document_t *document = lxb_html_document_create();
  if (document == NULL) return false;
  lxb_dom_node_t *root = lxb_html_parse_fragment_by_tag_id(
      self->parser, document, LXB_TAG_DIV, LXB_NS_HTML, (const lxb_char_t *)page, length);
  work->items += root != NULL;
  lxb_html_document_destroy(document);
  return root != NULL;
}

static bool fragment_reused(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  lxb_dom_node_t *root = lxb_html_document_parse_fragment(self->fragments, self->div,
                                                          (const lxb_char_t *)page, length);
  if (root == NULL) return false;
  work->items++;
  lxb_dom_node_destroy_deep(root);
  return true;
}

static bool links(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  if (!reused(self, page, length)) return false;
  lxb_dom_node_t *root = lxb_dom_interface_node(self->document);
  for (lxb_dom_node_t *node = root; node != NULL; node = next_node(node, root)) {
    if (node->type != LXB_DOM_NODE_TYPE_ELEMENT) continue;
    lxb_dom_attr_id_t wanted;
    switch (node->local_name) {
    case LXB_TAG_A:
    case LXB_TAG_AREA:
    case LXB_TAG_LINK: wanted = LXB_DOM_ATTR_HREF; break;
    case LXB_TAG_IMG:
    case LXB_TAG_SCRIPT:
    case LXB_TAG_IFRAME:
    case LXB_TAG_SOURCE: wanted = LXB_DOM_ATTR_SRC; break;
    default: continue;
    }
    lxb_dom_attr_t *attribute = lxb_dom_element_attr_by_id(lxb_dom_interface_element(node), wanted);
    if (attribute == NULL) continue;
    size_t size;
    const lxb_char_t *value = lxb_dom_attr_value(attribute, &size);
    work->items++;
    if (value != NULL) work_string(work, value, size);
  }
  return true;
}

static void *hold(void *context, const char *page, size_t length) {
  (void)context;
  lxb_html_document_t *document = lxb_html_document_create();
  if (document != NULL &&
      lxb_html_document_parse(document, (const lxb_char_t *)page, length) == LXB_STATUS_OK)
    return document;
  lxb_html_document_destroy(document);
  return NULL;
}

static void *hold_kept_parser(void *context, const char *page, size_t length) {
  return lxb_html_parse(((instance *)context)->parser, (const lxb_char_t *)page, length);
}

static void drop(void *context, void *held) {
  (void)context;
  lxb_html_document_destroy(held);
}

const contestant *contestant_at(uint32_t index) {
  static const contestant contestants[] = {
      {
          .abi = CONTESTANT_ABI,
          .name = "lexbor",
          .version = LEXBOR_VERSION_STRING,
          .note = "built from source with Lanner's flags; UTF-8 is not checked; a document has its "
                  "own parser",
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
      },
      {
          .abi = CONTESTANT_ABI,
          .name = "lexbor, kept parser",
          .version = LEXBOR_VERSION_STRING,
          .note = "new documents from one parser, which is not counted as held",
          .open = open_self,
          .close = close_self,
          .tree_new = tree_new_kept_parser,
          .fragment_new = fragment_new_kept_parser,
          .hold = hold_kept_parser,
          .drop = drop,
      },
  };
  return index < sizeof contestants / sizeof *contestants ? &contestants[index] : NULL;
}
