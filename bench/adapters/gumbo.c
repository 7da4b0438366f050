/* gumbo as the distribution ships it. It has neither a tokenizer of its own, nor reuse, nor a
 * serializer in its library, and takes UTF-8 only. */
#include "contestant.h"

#include <gumbo.h>
#include <stdlib.h>
#include <string.h>

static void *open_self(void) {
  GumboOptions *options = malloc(sizeof *options);
  if (options == NULL) return NULL;
  *options = kGumboDefaultOptions;
  options->max_errors = 0;
  return options;
}

static bool tree_new(void *context, const char *page, size_t length, tally *work) {
  GumboOptions *options = context;
  GumboOutput *output = gumbo_parse_with_options(options, page, length);
  if (output == NULL) return false;
  work->items++;
  gumbo_destroy_output(options, output);
  return true;
}

static bool checked(void *context, const char *page, size_t length, tally *work) {
  (void)context;
  GumboOutput *output = gumbo_parse_with_options(&kGumboDefaultOptions, page, length);
  if (output == NULL) return false;
  work->items++;
  work->attributes += output->errors.length;
  gumbo_destroy_output(&kGumboDefaultOptions, output);
  return true;
}

static const GumboVector *children(const GumboNode *node) {
  if (node->type == GUMBO_NODE_DOCUMENT) return &node->v.document.children;
  if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE)
    return &node->v.element.children;
  return NULL;
}

/* The node after NODE in tree order, NULL after ROOT's last. */
static const GumboNode *next_node(const GumboNode *node, const GumboNode *root) {
  const GumboVector *below = children(node);
  if (below != NULL && below->length != 0) return below->data[0];
  while (node != root) {
    const GumboVector *beside = children(node->parent);
    if (node->index_within_parent + 1 < beside->length)
      return beside->data[node->index_within_parent + 1];
    node = node->parent;
  }
  return NULL;
}

static void visit_node(const GumboNode *node, tally *work) {
  work->items++;
  if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) {
    const GumboElement *element = &node->v.element;
    if (element->tag == GUMBO_TAG_UNKNOWN) {
      GumboStringPiece name = element->original_tag;
      gumbo_tag_from_original_text(&name);
      work_string(work, name.data, name.length);
    } else {
      const char *name = gumbo_normalized_tagname(element->tag);
      work_string(work, name, strlen(name));
    }
    work->attributes += element->attributes.length;
    for (unsigned i = 0; i < element->attributes.length; i++) {
      const GumboAttribute *attribute = element->attributes.data[i];
      work_string(work, attribute->name, strlen(attribute->name));
      work_string(work, attribute->value, strlen(attribute->value));
    }
  } else if (node->type != GUMBO_NODE_DOCUMENT) {
    work_string(work, node->v.text.text, strlen(node->v.text.text));
  }
}

static bool visit(void *context, const char *page, size_t length, tally *work) {
  GumboOptions *options = context;
  GumboOutput *output = gumbo_parse_with_options(options, page, length);
  if (output == NULL) return false;
  for (const GumboNode *node = output->document; node != NULL;
       node = next_node(node, output->document))
    visit_node(node, work);
  gumbo_destroy_output(options, output);
  return true;
}

static bool links(void *context, const char *page, size_t length, tally *work) {
  GumboOptions *options = context;
  GumboOutput *output = gumbo_parse_with_options(options, page, length);
  if (output == NULL) return false;
  for (const GumboNode *node = output->document; node != NULL;
       node = next_node(node, output->document)) {
    if (node->type != GUMBO_NODE_ELEMENT) continue;
    const char *wanted;
    switch (node->v.element.tag) {
    case GUMBO_TAG_A:
    case GUMBO_TAG_AREA:
    case GUMBO_TAG_LINK: wanted = "href"; break;
    case GUMBO_TAG_IMG:
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_SOURCE: wanted = "src"; break;
    default: continue;
    }
    const GumboAttribute *attribute = gumbo_get_attribute(&node->v.element.attributes, wanted);
    if (attribute == NULL) continue;
    work->items++;
    work_string(work, attribute->value, strlen(attribute->value));
  }
  gumbo_destroy_output(options, output);
  return true;
}

static bool fragment_new(void *context, const char *page, size_t length, tally *work) {
  GumboOptions options = *(GumboOptions *)context;
  options.fragment_context = GUMBO_TAG_DIV;
  return tree_new(&options, page, length, work);
}

static void *hold(void *context, const char *page, size_t length) {
  return gumbo_parse_with_options(context, page, length);
}

static void drop(void *context, void *held) { gumbo_destroy_output(context, held); }

#ifndef GUMBO_VERSION
#define GUMBO_VERSION ""
#endif

const contestant *contestant_at(uint32_t index) {
  static const contestant gumbo = {
      .abi = CONTESTANT_ABI,
      .name = "gumbo",
      .version = GUMBO_VERSION,
      .note = "the distribution's build; records no errors but in the checked row",
      .open = open_self,
      .close = free,
      .tree_new = tree_new,
      .visit = visit,
      .fragment_new = fragment_new,
      .links = links,
      .checked = checked,
      .hold = hold,
      .drop = drop,
  };
  return index == 0 ? &gumbo : NULL;
}
