/* links.c - what a page links to: attributes that hold URLs, srcset lists, meta refresh. */

static const uint16_t ex_link_elements[ELEMENT_NAMES] = {
    [TAG_A] = EX_HREF,
    [TAG_AREA] = EX_HREF,
    [TAG_LINK] = EX_HREF,
    [TAG_FORM] = EX_ACTION,
    [TAG_IFRAME] = EX_SRC,
    [TAG_FRAME] = EX_SRC,
    [TAG_IMG] = EX_SRC | EX_SRCSET,
    [TAG_SOURCE] = EX_SRC | EX_SRCSET,
    [TAG_VIDEO] = EX_SRC | EX_POSTER,
    [TAG_AUDIO] = EX_SRC,
    [TAG_TRACK] = EX_SRC,
    [TAG_SCRIPT] = EX_SRC,
    [TAG_EMBED] = EX_SRC,
    [TAG_OBJECT] = EX_DATA,
    [TAG_INPUT] = EX_SRC,
    [TAG_BLOCKQUOTE] = EX_CITE,
    [TAG_Q] = EX_CITE,
    [TAG_INS] = EX_CITE,
    [TAG_DEL] = EX_CITE,
};

static void ex_add_link(lanner_extract *x, u32 id, const attribute *a, lanner_string value,
                        lanner_string rel) {
  const lanner_document *d = x->document;
  if (!ex_spend(x, sizeof(lanner_link) + sizeof(ex_range) + value.length + rel.length)) return;
  lanner_link *link = ex_add(x, &x->links, sizeof *link);
  ex_range *range = link ? ex_add(x, &x->ranges, sizeof *range) : NULL;
  if (!range) return;
  range->begin = range->end = SIZE_MAX;
  link->node = id;
  link->element = store_name(d, word_name(d->nodes[id].word));
  link->attribute = store_name(d, attribute_name(a));
  link->value = value;
  link->url = ex_none();
  if (x->resolve && !x->resolve(x->resolve_context, value, &link->url)) link->url = ex_none();
  if (link->url.data && !ex_spend(x, link->url.length)) x->cut = true;
  link->rel = rel;
  link->text = ex_none();
}

/* The URLs of a srcset attribute ("parse a srcset attribute", the URL part of it). */
static void ex_add_srcset(lanner_extract *x, u32 id, const attribute *a) {
  lanner_string value = ex_value(x, a);
  const char *p = value.data, *end = value.data + value.length;
  for (;;) {
    while (p < end && (ex_space((byte)*p) || *p == ',')) p++;
    if (p == end || x->cut) return;
    lanner_string url = {p, 0};
    while (p < end && !ex_space((byte)*p)) p++;
    url.length = (size_t)(p - url.data);
    bool closed = url.data[url.length - 1] == ',';
    while (url.length > 0 && url.data[url.length - 1] == ',') url.length--;
    if (url.length > 0) ex_add_link(x, id, a, url, ex_none());
    /* Descriptors, up to a comma that is in no parentheses. */
    bool inside = false;
    while (!closed && p < end) {
      if (*p == '(') inside = true;
      if (*p == ')') inside = false;
      if (*p == ',' && !inside) break;
      p++;
    }
  }
}

/* "Shared declarative refresh steps": the seconds and the URL part of VALUE. False: no refresh. */
static bool ex_parse_refresh(lanner_string value, int64_t *seconds, lanner_string *url) {
  const char *p = value.data, *end = value.data + value.length;
  while (p < end && ex_space((byte)*p)) p++;
  const char *digits = p;
  int64_t number = 0;
  for (; p < end && *p >= '0' && *p <= '9'; p++)
    if (number < INT64_MAX / 100) number = number * 10 + (*p - '0');
  if (p == digits && (p == end || *p != '.')) return false;
  while (p < end && ((*p >= '0' && *p <= '9') || *p == '.')) p++;
  *seconds = number;
  *url = ex_none();
  if (p == end) return true;
  if (*p != ';' && *p != ',' && !ex_space((byte)*p)) return false;
  while (p < end && ex_space((byte)*p)) p++;
  if (p < end && (*p == ';' || *p == ',')) p++;
  while (p < end && ex_space((byte)*p)) p++;
  if (p == end) return true;
  url->data = p;
  url->length = (size_t)(end - p);
  lanner_string rest = *url;
  if (ex_begins(rest, "url")) {
    p += 3;
    while (p < end && ex_space((byte)*p)) p++;
    if (p == end || *p != '=') return true;
    p++;
    while (p < end && ex_space((byte)*p)) p++;
  }
  char quote = 0;
  if (p < end && (*p == '"' || *p == '\'')) quote = *p++;
  url->data = p;
  url->length = (size_t)(end - p);
  if (quote) {
    const char *close = url->length ? memchr(p, quote, url->length) : NULL;
    if (close) url->length = (size_t)(close - p);
  }
  return true;
}

/* A meta element with http-equiv=refresh is a link when it names a URL. */
static void ex_refresh_link(lanner_extract *x, u32 id, const attribute *content) {
  int64_t seconds;
  lanner_string url;
  if (ex_parse_refresh(ex_value(x, content), &seconds, &url) && url.data)
    ex_add_link(x, id, content, url, ex_none());
}

/* Which bit of ex_link_elements an attribute is. */
INLINE u32 ex_link_attribute(u32 name) {
  switch (name) {
  case ATTR_HREF: return EX_HREF;
  case ATTR_SRC: return EX_SRC;
  case ATTR_SRCSET: return EX_SRCSET;
  case ATTR_POSTER: return EX_POSTER;
  case ATTR_DATA: return EX_DATA;
  case ATTR_ACTION: return EX_ACTION;
  case ATTR_CITE: return EX_CITE;
  default: return 0;
  }
}

/* The links of an element of which WANTED are link attributes. Answers with the index behind its
 * first link with an href in x->links, 0: none (whose text may be wanted). */
static size_t ex_element_links(lanner_extract *x, u32 id, u32 wanted, lanner_string rel) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b;
  size_t first = 0;
  if (!ex_spend(x, n->b)) return 0;
  for (; a < end; a++) {
    u32 bit = ex_link_attribute(attribute_name(a)) & wanted;
    if (!bit) continue;
    if (bit == EX_SRCSET) {
      ex_add_srcset(x, id, a);
    } else {
      ex_add_link(x, id, a, ex_value(x, a), rel);
      if (bit == EX_HREF && !first) first = x->links.length / sizeof(lanner_link);
    }
  }
  return first;
}

/* href and xlink:href of SVG elements. */
static size_t ex_svg_links(lanner_extract *x, u32 id) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b;
  size_t first = 0;
  for (; a < end; a++) {
    u32 name = attribute_name(a);
    if (name != ATTR_HREF && name != ATTR_XLINK_HREF) continue;
    ex_add_link(x, id, a, ex_value(x, a), ex_none());
    if (!first) first = x->links.length / sizeof(lanner_link);
  }
  return first;
}

/* --- the text of links --- */

/* The text of a link that another one stands in ends there: else the same text would be given again
 * for every link around it. */
static void ex_end_link_text(lanner_extract *x, ex_open_link *open) {
  if (open->ended || !open->listed) return;
  ex_range *range = (ex_range *)(void *)x->ranges.data + open->link;
  open->ended = true;
  range->begin = open->begin;
  range->end = x->link_text.length;
  if (range->begin < range->end && x->link_text.data[range->begin] == ' ') range->begin++;
}

static ex_open_link *ex_innermost(lanner_extract *x) {
  return (ex_open_link *)(void *)(x->open_links.data + x->open_links.length) - 1;
}

static void ex_open_link_text(lanner_extract *x, u32 id, size_t link, lanner_string url) {
  if (x->open_links.length) ex_end_link_text(x, ex_innermost(x));
  ex_open_link *open = ex_add(x, &x->open_links, sizeof *open);
  if (!open) return;
  open->node = id;
  open->ended = false;
  open->listed = link > 0 && (x->flags & LANNER_EXTRACT_LINK_TEXT);
  open->link = link ? link - 1 : 0;
  open->begin = x->link_text.length;
  open->url = url;
  if (x->open_links.length == sizeof *open) x->link_space = false;
}

/* Appends TEXT to the text of the open links, whitespace collapsed. */
static void ex_link_text(lanner_extract *x, lanner_string text) {
  if (!ex_reserve(x, &x->link_text, text.length + 1)) return;
  byte *out = x->link_text.data + x->link_text.length;
  const byte *p = (const byte *)text.data, *end = p + text.length;
  bool space = x->link_space;
  for (; p < end; p++) {
    if (ex_space(*p)) {
      space = true;
      continue;
    }
    if (space) *out++ = ' ';
    space = false;
    *out++ = *p;
  }
  x->link_space = space;
  x->link_text.length = (size_t)(out - x->link_text.data);
}

/* The innermost open link is left: its text is complete. */
static void ex_close_link_text(lanner_extract *x) {
  ex_end_link_text(x, ex_innermost(x));
  x->open_links.length -= sizeof(ex_open_link);
}

/* Now that link_text does not move any more. */
static void ex_set_link_texts(lanner_extract *x) {
  lanner_link *links = (lanner_link *)(void *)x->links.data;
  const ex_range *ranges = (const ex_range *)(const void *)x->ranges.data;
  size_t count = x->ranges.length / sizeof *ranges;
  for (size_t i = 0; i < count; i++) {
    if (ranges[i].begin == SIZE_MAX) continue;
    links[i].text.data = x->link_text.data ? (const char *)x->link_text.data + ranges[i].begin : "";
    links[i].text.length = ranges[i].end - ranges[i].begin;
  }
}
