/* libxml2's HTML parser as the distribution ships it. It is not an HTML5 parser (it follows HTML 4
 * and its own repairs) and so does less. Its SAX interface stands in the tokens row. */
#include "contestant.h"

#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/xmlversion.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPTIONS = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
            HTML_PARSE_COMPACT
};

typedef struct instance {
  htmlParserCtxtPtr parser;
  htmlParserCtxtPtr sax;
  htmlSAXHandler handler;
} instance;

static void see(tally *work, const xmlChar *text) {
  work_string(work, text, strlen((const char *)text));
}

static void on_start(void *context, const xmlChar *name, const xmlChar **attributes) {
  tally *work = context;
  work->items++;
  see(work, name);
  for (; attributes != NULL && *attributes != NULL; attributes += 2) {
    work->attributes++;
    see(work, attributes[0]);
    if (attributes[1] != NULL) see(work, attributes[1]);
  }
}

static void on_end(void *context, const xmlChar *name) {
  tally *work = context;
  work->items++;
  see(work, name);
}

static void on_text(void *context, const xmlChar *text, int length) {
  tally *work = context;
  work->items++;
  work_string(work, text, (size_t)length);
}

static void on_comment(void *context, const xmlChar *text) {
  tally *work = context;
  work->items++;
  see(work, text);
}

static void on_message(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}

static void on_error(void *context, xmlErrorPtr error) {
  (void)context;
  (void)error;
}

static void close_self(void *context) {
  instance *self = context;
  if (self == NULL) return;
  if (self->parser != NULL) htmlFreeParserCtxt(self->parser);
  if (self->sax != NULL) htmlFreeParserCtxt(self->sax);
  free(self);
}

static void *open_self(void) {
  instance *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  xmlInitParser();
  xmlSetGenericErrorFunc(NULL, on_message);
  xmlSetStructuredErrorFunc(NULL, on_error);
  self->parser = htmlNewParserCtxt();
  self->sax = htmlNewParserCtxt();
  if (self->parser == NULL || self->sax == NULL) {
    close_self(self);
    return NULL;
  }
  self->handler = (htmlSAXHandler){.startElement = on_start,
                                   .endElement = on_end,
                                   .characters = on_text,
                                   .cdataBlock = on_text,
                                   .ignorableWhitespace = on_text,
                                   .comment = on_comment};
  return self;
}

static bool tokens(void *context, const char *page, size_t length, tally *work) {
  instance *self = context;
  htmlCtxtReset(self->sax);
  *self->sax->sax = self->handler;
  self->sax->userData = work;
  htmlDocPtr document = htmlCtxtReadMemory(self->sax, page, (int)length, NULL, "UTF-8", OPTIONS);
  if (document != NULL) xmlFreeDoc(document);
  return true;
}

static bool tree_new(void *context, const char *page, size_t length, tally *work) {
  (void)context;
  htmlDocPtr document = htmlReadMemory(page, (int)length, NULL, "UTF-8", OPTIONS);
  if (document == NULL) return false;
  work->items++;
  xmlFreeDoc(document);
  return true;
}

static htmlDocPtr read_page(instance *self, const char *page, size_t length, const char *encoding) {
  return htmlCtxtReadMemory(self->parser, page, (int)length, NULL, encoding, OPTIONS);
}

static bool kept_parser(void *context, const char *page, size_t length, tally *work,
                        const char *encoding) {
  htmlDocPtr document = read_page(context, page, length, encoding);
  if (document == NULL) return false;
  work->items++;
  xmlFreeDoc(document);
  return true;
}

static bool tree_reused(void *context, const char *page, size_t length, tally *work) {
  return kept_parser(context, page, length, work, "UTF-8");
}

static bool sniffed(void *context, const char *page, size_t length, tally *work) {
  return kept_parser(context, page, length, work, NULL);
}

static const xmlNode *next_node(const xmlNode *node, const xmlNode *root) {
  if (node->children != NULL && node->type != XML_DTD_NODE) return node->children;
  while (node != root && node->next == NULL) node = node->parent;
  return node == root ? NULL : node->next;
}

static bool visit(void *context, const char *page, size_t length, tally *work) {
  htmlDocPtr document = read_page(context, page, length, "UTF-8");
  if (document == NULL) return false;
  const xmlNode *root = (const xmlNode *)document;
  for (const xmlNode *node = root; node != NULL; node = next_node(node, root)) {
    work->items++;
    if (node->type == XML_ELEMENT_NODE) {
      see(work, node->name);
      for (const xmlAttr *attribute = node->properties; attribute != NULL;
           attribute = attribute->next) {
        work->attributes++;
        see(work, attribute->name);
        for (const xmlNode *value = attribute->children; value != NULL; value = value->next)
          if (value->content != NULL) see(work, value->content);
      }
    } else if (node->type != XML_HTML_DOCUMENT_NODE && node->type != XML_DTD_NODE &&
               node->content != NULL) {
      see(work, node->content);
    }
  }
  xmlFreeDoc(document);
  return true;
}

static bool serialize(void *context, const char *page, size_t length, tally *work) {
  htmlDocPtr document = read_page(context, page, length, "UTF-8");
  if (document == NULL) return false;
  xmlBufferPtr buffer = xmlBufferCreate();
  bool good = buffer != NULL && htmlNodeDump(buffer, document, (xmlNodePtr)document) >= 0;
  if (good) work_string(work, xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer));
  if (buffer != NULL) xmlBufferFree(buffer);
  xmlFreeDoc(document);
  return good;
}

static bool links(void *context, const char *page, size_t length, tally *work) {
  htmlDocPtr document = read_page(context, page, length, "UTF-8");
  if (document == NULL) return false;
  const xmlNode *root = (const xmlNode *)document;
  for (const xmlNode *node = root; node != NULL; node = next_node(node, root)) {
    if (node->type != XML_ELEMENT_NODE) continue;
    const char *name = (const char *)node->name, *wanted;
    if (strcmp(name, "a") == 0 || strcmp(name, "link") == 0 || strcmp(name, "area") == 0)
      wanted = "href";
    else if (strcmp(name, "img") == 0 || strcmp(name, "script") == 0 ||
             strcmp(name, "iframe") == 0 || strcmp(name, "source") == 0)
      wanted = "src";
    else
      continue;
    for (const xmlAttr *attribute = node->properties; attribute != NULL;
         attribute = attribute->next) {
      if (strcmp((const char *)attribute->name, wanted) != 0) continue;
      work->items++;
      if (attribute->children != NULL && attribute->children->content != NULL)
        see(work, attribute->children->content);
      break;
    }
  }
  xmlFreeDoc(document);
  return true;
}

static void *hold(void *context, const char *page, size_t length) {
  return read_page(context, page, length, "UTF-8");
}

static void drop(void *context, void *held) {
  (void)context;
  xmlFreeDoc(held);
}

#ifndef LIBXML2_VERSION
#define LIBXML2_VERSION LIBXML_DOTTED_VERSION
#endif

const contestant *contestant_at(uint32_t index) {
  static const contestant libxml2 = {
      .abi = CONTESTANT_ABI,
      .name = "libxml2",
      .version = LIBXML2_VERSION,
      .note = "the distribution's build; not an HTML5 parser; tokens: its SAX interface; reused: "
              "the parser context",
      .open = open_self,
      .close = close_self,
      .tokens = tokens,
      .tree_new = tree_new,
      .tree_reused = tree_reused,
      .visit = visit,
      .serialize = serialize,
      .sniffed = sniffed,
      .links = links,
      .hold = hold,
      .drop = drop,
  };
  return index == 0 ? &libxml2 : NULL;
}
