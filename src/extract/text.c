/* text.c - readable text: what is shown, and the whitespace between.
 *
 * Whitespace is collapsed as it is copied. What stands between two visible bytes is kept as a
 * request (x->flow) and written when the second one comes, so nothing has to be taken back.
 */

static const byte ex_displays[ELEMENT_NAMES] = {
    [TAG_ADDRESS] = EX_BLOCK,    [TAG_ARTICLE] = EX_BLOCK,  [TAG_ASIDE] = EX_BLOCK,
    [TAG_BLOCKQUOTE] = EX_BLOCK, [TAG_BODY] = EX_BLOCK,     [TAG_CAPTION] = EX_BLOCK,
    [TAG_CENTER] = EX_BLOCK,     [TAG_DD] = EX_BLOCK,       [TAG_DETAILS] = EX_BLOCK,
    [TAG_DIALOG] = EX_BLOCK,     [TAG_DIR] = EX_BLOCK,      [TAG_DIV] = EX_BLOCK,
    [TAG_DL] = EX_BLOCK,         [TAG_DT] = EX_BLOCK,       [TAG_FIELDSET] = EX_BLOCK,
    [TAG_FIGCAPTION] = EX_BLOCK, [TAG_FIGURE] = EX_BLOCK,   [TAG_FOOTER] = EX_BLOCK,
    [TAG_FORM] = EX_BLOCK,       [TAG_FRAMESET] = EX_BLOCK, [TAG_H1] = EX_BLOCK,
    [TAG_H2] = EX_BLOCK,         [TAG_H3] = EX_BLOCK,       [TAG_H4] = EX_BLOCK,
    [TAG_H5] = EX_BLOCK,         [TAG_H6] = EX_BLOCK,       [TAG_HEADER] = EX_BLOCK,
    [TAG_HGROUP] = EX_BLOCK,     [TAG_HR] = EX_BLOCK,       [TAG_HTML] = EX_BLOCK,
    [TAG_LEGEND] = EX_BLOCK,     [TAG_LI] = EX_BLOCK,       [TAG_MAIN] = EX_BLOCK,
    [TAG_MENU] = EX_BLOCK,       [TAG_NAV] = EX_BLOCK,      [TAG_OL] = EX_BLOCK,
    [TAG_OPTGROUP] = EX_BLOCK,   [TAG_OPTION] = EX_BLOCK,   [TAG_SEARCH] = EX_BLOCK,
    [TAG_SECTION] = EX_BLOCK,    [TAG_SUMMARY] = EX_BLOCK,  [TAG_TABLE] = EX_BLOCK,
    [TAG_UL] = EX_BLOCK,         [TAG_P] = EX_PARAGRAPH,    [TAG_BR] = EX_BREAK,
    [TAG_TR] = EX_ROW,           [TAG_TD] = EX_CELL,        [TAG_TH] = EX_CELL,
    [TAG_PRE] = EX_PRE,          [TAG_LISTING] = EX_PRE,    [TAG_PLAINTEXT] = EX_PRE,
    [TAG_XMP] = EX_PRE,          [TAG_IMG] = EX_IMAGE,      [TAG_AREA] = EX_NONE,
    [TAG_AUDIO] = EX_NONE,       [TAG_BASE] = EX_NONE,      [TAG_CANVAS] = EX_NONE,
    [TAG_DATALIST] = EX_NONE,    [TAG_HEAD] = EX_NONE,      [TAG_IFRAME] = EX_NONE,
    [TAG_LINK] = EX_NONE,        [TAG_META] = EX_NONE,      [TAG_NOEMBED] = EX_NONE,
    [TAG_NOFRAMES] = EX_NONE,    [TAG_NOSCRIPT] = EX_NONE,  [TAG_PARAM] = EX_NONE,
    [TAG_RP] = EX_NONE,          [TAG_SCRIPT] = EX_NONE,    [TAG_STYLE] = EX_NONE,
    [TAG_TEMPLATE] = EX_NONE,    [TAG_TEXTAREA] = EX_NONE,  [TAG_TITLE] = EX_NONE,
    [TAG_VIDEO] = EX_NONE,
};

/* How an element of SVG or MathML shows. */
static enum ex_display ex_foreign_display(u32 name) {
  switch (name) {
  case TAG_TITLE:
  case TAG_DESC:
  case TAG_METADATA:
  case TAG_STYLE:
  case TAG_SCRIPT:
  case TAG_DEFS:
  case TAG_SYMBOL:
  case TAG_ANNOTATION:
  case TAG_ANNOTATION_XML: return EX_NONE;
  case TAG_TEXT: return EX_BLOCK;
  default: return EX_INLINE;
  }
}

/* --- between the bytes --- */

/* The border of a block that asks for COUNT line ends. */
INLINE void ex_border(lanner_extract *x, u32 count) {
  ex_flow *f = &x->flow;
  f->space = false;
  f->fresh = true;
  if (f->cell) return;
  if (f->breaks < count) f->breaks = count;
}

static void ex_enter_cell(lanner_extract *x, u32 id) {
  const struct node *nodes = x->document->nodes;
  ex_flow *f = &x->flow;
  u32 before = nodes[id].prev;
  while (before &&
         !(word_kind(nodes[before].word) == LANNER_ELEMENT &&
           (word_name(nodes[before].word) == TAG_TD || word_name(nodes[before].word) == TAG_TH)))
    before = nodes[before].prev;
  f->space = false;
  f->fresh = true;
  if (before) {
    f->tabs++;
    /* The lines of the cell before end with it. But the row's own line end is still to come when
     * nothing of the row is visible. */
    if (!f->cell) f->breaks = f->newlines = 0;
  }
  f->cell = true;
}

static void ex_leave_row(lanner_extract *x) {
  ex_flow *f = &x->flow;
  f->cell = false;
  f->tabs = 0;
  f->newlines = 0;
  ex_border(x, 1);
}

/* Writes what stands between the last visible byte and the next one. Room is reserved for 8 bytes
 * and all newlines and tabs. */
static byte *ex_flush(lanner_extract *x, byte *out) {
  ex_flow *f = &x->flow;
  if (out > x->text.data) {
    /* The last br of a block shows no line of its own. */
    u32 lines = f->newlines;
    if (f->breaks > 0) lines = f->breaks + (lines > 0 ? lines - 1 : 0);
    for (; lines > 0; lines--) *out++ = '\n';
    for (u32 i = f->tabs; i > 0; i--) *out++ = '\t';
    if (f->space && !f->fresh) *out++ = ' ';
  }
  f->breaks = f->newlines = f->tabs = 0;
  f->space = f->fresh = f->cell = false;
  return out;
}

/* --- the bytes --- */

/* The length of the run at the front of P that can be copied as it is: no whitespace but single
 * spaces between visible bytes. It neither begins nor ends with a space. */
static size_t ex_clean_run(const byte *p, const byte *end) {
  const byte *start = p;
  const u64 ones = UINT64_C(0x0101010101010101), highs = ones * 0x80;
  for (;;) {
    while (end - p >= 8) {
      u64 w;
      memcpy(&w, p, 8);
      /* The lowest bit set is right: a byte below 0x21. */
      if ((w - ones * 0x21) & ~w & highs) break;
      p += 8;
    }
    while (p<end && * p> 0x20) p++;
    if (p == end) return (size_t)(p - start);
    if (*p == ' ') {
      if (p + 1 < end && p[1] > 0x20) {
        p += 2;
        continue;
      }
      return (size_t)(p - start);
    }
    if (ex_space(*p)) return (size_t)(p - start);
    p++; /* a control character: visible enough */
  }
}

/* The bytes of text node ID are those of SPAN, one for one. Where lengths are the same by chance it is
 * not so: a node that is put together (its span is that of its first run), or decoded text. */
static bool ex_is_exact(lanner_extract *x, u32 id, lanner_span span) {
  const struct node *n = &x->document->nodes[id];
  if (x->exact_node == id) return x->exact;
  x->exact_node = id;
  x->exact = !(n->word & WORD_STRING) && span.end - span.start == n->b &&
             (strcmp(lanner_document_encoding(x->document), "UTF-8") == 0 ||
              lanner_check(ex_data(x, id).data, n->b) & LANNER_CHECK_ASCII);
  return x->exact;
}

static void ex_add_piece(lanner_extract *x, u32 id, size_t begin, size_t length, size_t in_node) {
  lanner_span span = lanner_node_span(x->document, id);
  lanner_text_piece *row = ex_add(x, &x->pieces, sizeof *row);
  if (!row) return;
  row->begin = begin;
  row->end = begin + length;
  row->node = id;
  row->span = span;
  row->exact = ex_is_exact(x, id, span);
  if (row->exact) {
    row->span.start = span.start + (u32)in_node;
    row->span.end = row->span.start + (u32)length;
  }
}

static bool ex_text_room(lanner_extract *x, size_t length) {
  const ex_flow *f = &x->flow;
  return ex_reserve(x, &x->text, length + 16 + f->newlines + f->breaks + f->tabs);
}

/* Shows TEXT, whitespace collapsed. ID: the text node that it is, 0: from elsewhere. */
static void ex_show(lanner_extract *x, u32 id, lanner_string text) {
  if (!ex_text_room(x, 2 * text.length)) return;
  const byte *begin = (const byte *)text.data, *p = begin, *end = p + text.length;
  byte *out = x->text.data + x->text.length;
  bool pieces = id && (x->flags & LANNER_EXTRACT_PIECES);
  while (p < end) {
    if (ex_space(*p)) {
      do p++;
      while (p < end && ex_space(*p));
      x->flow.space = true;
      continue;
    }
    size_t run = ex_clean_run(p, end);
    out = ex_flush(x, out);
    memcpy(out, p, run);
    if (pieces) ex_add_piece(x, id, (size_t)(out - x->text.data), run, (size_t)(p - begin));
    out += run;
    p += run;
  }
  x->text.length = (size_t)(out - x->text.data);
}

/* Shows TEXT as it is; its newlines are those of br. */
static void ex_show_pre(lanner_extract *x, u32 id, lanner_string text) {
  const char *p = text.data, *end = text.data + text.length;
  while (p < end) {
    const char *line = memchr(p, '\n', (size_t)(end - p));
    size_t run = line ? (size_t)(line - p) : (size_t)(end - p);
    if (run > 0) {
      if (!ex_text_room(x, run)) return;
      byte *out = ex_flush(x, x->text.data + x->text.length);
      memcpy(out, p, run);
      if (id && (x->flags & LANNER_EXTRACT_PIECES))
        ex_add_piece(x, id, (size_t)(out - x->text.data), run, (size_t)(p - text.data));
      x->text.length = (size_t)(out - x->text.data) + run;
      p += run;
    }
    if (p < end) {
      x->flow.newlines++;
      x->flow.fresh = true;
      p++;
    }
  }
}

static void ex_show_text(lanner_extract *x, u32 id) {
  lanner_string text = ex_data(x, id);
  if (text.length == 0) return;
  if (x->pre)
    ex_show_pre(x, id, text);
  else
    ex_show(x, id, text);
}

static void ex_show_alt(lanner_extract *x, u32 id) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b;
  for (; a < end; a++)
    if (attribute_name(a) == ATTR_ALT) ex_show(x, 0, ex_value(x, a));
}

/* --- the borders of elements --- */

static void ex_enter_text(lanner_extract *x, u32 id, enum ex_display display) {
  switch (display) {
  case EX_BLOCK: ex_border(x, 1); break;
  case EX_PARAGRAPH: ex_border(x, 2); break;
  case EX_BREAK:
    x->flow.newlines++;
    x->flow.space = false;
    x->flow.fresh = true;
    break;
  case EX_ROW:
    x->flow.cell = false;
    x->flow.tabs = 0;
    ex_border(x, 1);
    break;
  case EX_CELL: ex_enter_cell(x, id); break;
  case EX_PRE:
    ex_border(x, 1);
    x->pre++;
    break;
  case EX_IMAGE:
    if ((x->flags & LANNER_EXTRACT_ALT) && ex_shows(x)) ex_show_alt(x, id);
    break;
  case EX_INLINE:
  case EX_NONE: break;
  }
}

static void ex_leave_text(lanner_extract *x, enum ex_display display) {
  switch (display) {
  case EX_BLOCK: ex_border(x, 1); break;
  case EX_PARAGRAPH: ex_border(x, 2); break;
  case EX_ROW: ex_leave_row(x); break;
  case EX_PRE:
    ex_border(x, 1);
    x->pre--;
    break;
  default: break;
  }
}
