/* feedback.h - what the tokenizer of the token API has to know of tree construction, guessed from
 * tag names alone: which elements switch the tokenizer's state (13.2.6.4) and whether the adjusted
 * current node is foreign (13.2.6.5). Exact for pages whose foreign content is well nested; raises
 * `approximate` where only full tree construction knows.
 */
#ifndef LANNER_FEEDBACK_H
#define LANNER_FEEDBACK_H

#include "tokenizer/parser.h"
#include "tokenizer/words.h"

/* Foreign elements that are open, and the integration points among them. */
#define FEEDBACK_DEPTH 64

struct feedback {
  u32 depth;
  u32 names[FEEDBACK_DEPTH]; /* name id, FEEDBACK_* */
  bool approximate;
  bool in_template;
};

#define FEEDBACK_POINT 0x80000000u /* HTML goes inside */
#define FEEDBACK_MATHML 0x40000000u
#define FEEDBACK_NAME 0x00FFFFFFu

static void feedback_reset(struct feedback *f) {
  f->depth = 0;
  f->approximate = f->in_template = false;
}

static bool feedback_foreign(const struct feedback *f) {
  return f->depth && !(f->names[f->depth - 1] & FEEDBACK_POINT);
}

/* CDATA sections are for all elements that are not HTML, integration points among them; whether one
 * of these has HTML inside by now is more than is known here. */
static bool feedback_cdata(struct feedback *f) {
  if (f->depth && !feedback_foreign(f)) f->approximate = true;
  return f->depth != 0;
}

static void feedback_push(struct feedback *f, u32 entry) {
  if (f->depth == FEEDBACK_DEPTH)
    f->approximate = true;
  else
    f->names[f->depth++] = entry;
}

static bool feedback_font_breaks_out(const struct parser *P) {
  const lanner_document *d = P->document;
  for (u32 i = 0; i < P->token.attribute_count; i++) {
    u32 name = attribute_name(&d->attributes[P->token.attribute_first + i]);
    if (name == ATTR_COLOR || name == ATTR_FACE || name == ATTR_SIZE) return true;
  }
  return false;
}

static bool feedback_encoding_is_html(const struct parser *P) {
  const lanner_document *d = P->document;
  for (u32 i = 0; i < P->token.attribute_count; i++) {
    const attribute *a = &d->attributes[P->token.attribute_first + i];
    const byte *v = slice_bytes(d, a->value, (a->name & ATTRIBUTE_STRING) != 0);
    static const char html[] = "text/html", xhtml[] = "application/xhtml+xml";
    const char *wanted = a->length == sizeof html - 1 ? html : xhtml;
    if (attribute_name(a) != ATTR_ENCODING || a->length != strlen(wanted)) continue;
    u32 k = 0;
    while (k < a->length && byte_lower(v[k]) == (byte)wanted[k]) k++;
    if (k == a->length) return true;
  }
  return false;
}

/* Leaves foreign content: to the next integration point or to HTML. */
static void feedback_break_out(struct feedback *f) {
  while (feedback_foreign(f)) f->depth--;
}

/* Whether a start tag's name means anything here. */
INLINE bool feedback_minds(const struct feedback *f, u32 name) {
  return f->depth != 0 || (name < ELEMENT_NAMES && (element_category[name] & CATEGORY_FEEDBACK));
}

static NOINLINE void feedback_start_tag(struct feedback *f, struct parser *P) {
  u32 name = P->token.name;
  if (UNLIKELY(f->depth != 0)) {
    u32 top = f->names[f->depth - 1];
    bool mathml = (top & FEEDBACK_MATHML) != 0;
    bool text_point =
        mathml && (top & FEEDBACK_POINT) && (top & FEEDBACK_NAME) != TAG_ANNOTATION_XML;
    bool foreign =
        !(top & FEEDBACK_POINT) || (text_point && (name == TAG_MGLYPH || name == TAG_MALIGNMARK));
    if (foreign && (top & FEEDBACK_NAME) == TAG_ANNOTATION_XML && name == TAG_SVG) foreign = false;
    if (foreign) {
      bool out = name < ELEMENT_NAMES && (element_category[name] & CATEGORY_BREAKOUT);
      if (name == TAG_FONT) out = feedback_font_breaks_out(P);
      if (!out) {
        u32 entry = name | (mathml ? FEEDBACK_MATHML : 0);
        if (mathml ? name == TAG_MI || name == TAG_MO || name == TAG_MN || name == TAG_MS ||
                         name == TAG_MTEXT ||
                         (name == TAG_ANNOTATION_XML && feedback_encoding_is_html(P))
                   : name == TAG_FOREIGNOBJECT || name == TAG_DESC || name == TAG_TITLE)
          entry |= FEEDBACK_POINT;
        if (!P->token.self_closing) feedback_push(f, entry);
        return;
      }
      feedback_break_out(f);
    }
    /* HTML inside an integration point: closed by rules that are not followed here. */
    if (f->depth) f->approximate = true;
  }
  if (!(name < ELEMENT_NAMES && (element_category[name] & CATEGORY_FEEDBACK))) return;
  switch (name) {
  case TAG_SVG:
  case TAG_MATH:
    if (!P->token.self_closing) feedback_push(f, name | (name == TAG_MATH ? FEEDBACK_MATHML : 0));
    return;
  case TAG_FRAMESET: /* what follows may be ignored, without its switch of state */
    f->approximate = true;
    return;
  case TAG_TEMPLATE: f->in_template = true; return;
  case TAG_COL:
    if (f->in_template) f->approximate = true;
    return;
  default: P->next_state = (uint16_t)text_state(name, (P->flags & LANNER_SCRIPTING) != 0);
  }
}

static void feedback_end_tag(struct feedback *f, const struct parser *P) {
  u32 name = P->token.name, i = f->depth;
  if (LIKELY(i == 0)) return;
  if ((f->names[i - 1] & FEEDBACK_NAME) == name) {
    f->depth--;
    return;
  }
  f->approximate = true;
  if (feedback_foreign(f) && (name == TAG_P || name == TAG_BR)) {
    feedback_break_out(f);
    return;
  }
  while (i && !(f->names[i - 1] & FEEDBACK_POINT)) {
    i--;
    if ((f->names[i] & FEEDBACK_NAME) == name) {
      f->depth = i;
      return;
    }
  }
}

#endif
