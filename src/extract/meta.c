/* meta.c - what a page says about itself: title, html, meta, link, script and time elements. */

/* --- robots --- */

u32 lanner_robots_flags(const char *value, size_t length) {
  static const struct {
    const char *name;
    u32 flags;
  } names[] = {{"noindex", LANNER_ROBOTS_NOINDEX},
               {"nofollow", LANNER_ROBOTS_NOFOLLOW},
               {"none", LANNER_ROBOTS_NOINDEX | LANNER_ROBOTS_NOFOLLOW},
               {"all", LANNER_ROBOTS_INDEX | LANNER_ROBOTS_FOLLOW},
               {"index", LANNER_ROBOTS_INDEX},
               {"follow", LANNER_ROBOTS_FOLLOW},
               {"noarchive", LANNER_ROBOTS_NOARCHIVE},
               {"nocache", LANNER_ROBOTS_NOARCHIVE},
               {"nosnippet", LANNER_ROBOTS_NOSNIPPET},
               {"noimageindex", LANNER_ROBOTS_NOIMAGEINDEX},
               {"notranslate", LANNER_ROBOTS_NOTRANSLATE},
               {"noodp", LANNER_ROBOTS_NOODP},
               {"indexifembedded", LANNER_ROBOTS_INDEXIFEMBEDDED},
               {"noai", LANNER_ROBOTS_NOAI},
               {"noimageai", LANNER_ROBOTS_NOIMAGEAI}};
  u32 flags = 0;
  size_t at = 0;
  while (at < length) {
    size_t end = at;
    while (end < length && value[end] != ',' && value[end] != ';' && !ex_space((byte)value[end]))
      end++;
    lanner_string word = {value + at, end - at};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
      if (ex_same(word, names[i].name)) flags |= names[i].flags;
    at = end + 1;
  }
  return flags;
}

static void ex_add_robots(lanner_extract *x, lanner_string bot, lanner_string value) {
  lanner_robots *row = ex_add(x, &x->robots, sizeof *row);
  if (!row) return;
  row->bot = bot;
  row->value = value;
  row->flags = lanner_robots_flags(value.data, value.length);
}

/* --- names of meta elements --- */

enum ex_meta_name {
  EX_META_OTHER = 0,
  EX_META_DESCRIPTION,
  EX_META_KEYWORDS,
  EX_META_AUTHOR,
  EX_META_GENERATOR,
  EX_META_ROBOTS,
  EX_META_DATE,
};

static const struct {
  const char *name;
  enum ex_meta_name meaning;
} ex_meta_names[] = {
    {"description", EX_META_DESCRIPTION},
    {"keywords", EX_META_KEYWORDS},
    {"author", EX_META_AUTHOR},
    {"generator", EX_META_GENERATOR},
    {"robots", EX_META_ROBOTS},
    {"googlebot", EX_META_ROBOTS},
    {"googlebot-news", EX_META_ROBOTS},
    {"bingbot", EX_META_ROBOTS},
    {"msnbot", EX_META_ROBOTS},
    {"slurp", EX_META_ROBOTS},
    {"yandex", EX_META_ROBOTS},
    {"yandexbot", EX_META_ROBOTS},
    {"baiduspider", EX_META_ROBOTS},
    {"duckduckbot", EX_META_ROBOTS},
    {"applebot", EX_META_ROBOTS},
    {"gptbot", EX_META_ROBOTS},
    {"ccbot", EX_META_ROBOTS},
    {"otherbot", EX_META_ROBOTS},
    {"article:published_time", EX_META_DATE},
    {"article:modified_time", EX_META_DATE},
    {"og:updated_time", EX_META_DATE},
    {"og:published_time", EX_META_DATE},
    {"book:release_date", EX_META_DATE},
    {"date", EX_META_DATE},
    {"pubdate", EX_META_DATE},
    {"publishdate", EX_META_DATE},
    {"publish-date", EX_META_DATE},
    {"publish_date", EX_META_DATE},
    {"publication_date", EX_META_DATE},
    {"publicationdate", EX_META_DATE},
    {"last-modified", EX_META_DATE},
    {"lastmod", EX_META_DATE},
    {"revised", EX_META_DATE},
    {"datepublished", EX_META_DATE},
    {"datemodified", EX_META_DATE},
    {"datecreated", EX_META_DATE},
    {"uploaddate", EX_META_DATE},
    {"dc.date", EX_META_DATE},
    {"dc.date.issued", EX_META_DATE},
    {"dc.date.created", EX_META_DATE},
    {"dc.date.modified", EX_META_DATE},
    {"dcterms.date", EX_META_DATE},
    {"dcterms.created", EX_META_DATE},
    {"dcterms.issued", EX_META_DATE},
    {"dcterms.modified", EX_META_DATE},
    {"citation_publication_date", EX_META_DATE},
    {"citation_date", EX_META_DATE},
    {"parsely-pub-date", EX_META_DATE},
    {"sailthru.date", EX_META_DATE},
    {"article.published", EX_META_DATE},
};

static enum ex_meta_name ex_find_meta_name(lanner_string name) {
  if (name.length < 4 || name.length > 25) return EX_META_OTHER;
  byte first = ex_lower((byte)name.data[0]);
  for (size_t i = 0; i < sizeof ex_meta_names / sizeof ex_meta_names[0]; i++)
    if ((byte)ex_meta_names[i].name[0] == first && ex_same(name, ex_meta_names[i].name))
      return ex_meta_names[i].meaning;
  return EX_META_OTHER;
}

static void ex_set(lanner_string *field, lanner_string value) {
  if (!field->data) *field = value;
}

static void ex_add_property(lanner_extract *x, ex_buffer *list, lanner_string name,
                            lanner_string value) {
  lanner_property *row = ex_add(x, list, sizeof *row);
  if (!row) return;
  row->name = name;
  row->value = value;
}

static bool ex_is_open_graph(lanner_string name) {
  static const char *const prefixes[] = {
      "og:", "article:", "book:", "profile:", "music:", "video:", "product:", "fb:"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
    if (ex_begins(name, prefixes[i])) return true;
  return false;
}

/* CONTENT under NAME, from a name, property or itemprop attribute. */
static void ex_named_meta(lanner_extract *x, lanner_string name, lanner_string content) {
  lanner_meta *m = &x->meta;
  name = ex_strip(name);
  content = ex_strip(content);
  switch (ex_find_meta_name(name)) {
  case EX_META_DESCRIPTION: ex_set(&m->description, content); break;
  case EX_META_KEYWORDS: ex_set(&m->keywords, content); break;
  case EX_META_AUTHOR: ex_set(&m->author, content); break;
  case EX_META_GENERATOR: ex_set(&m->generator, content); break;
  case EX_META_ROBOTS: ex_add_robots(x, name, content); break;
  case EX_META_DATE: ex_add_property(x, &x->dates, name, content); break;
  case EX_META_OTHER: break;
  }
  if (ex_begins(name, "twitter:")) {
    ex_add_property(x, &x->twitter, name, content);
  } else if (ex_is_open_graph(name)) {
    ex_add_property(x, &x->open_graph, name, content);
  }
}

static void ex_http_equiv(lanner_extract *x, lanner_string name, lanner_string content) {
  lanner_meta *m = &x->meta;
  name = ex_strip(name);
  if (ex_same(name, "refresh")) {
    lanner_string url;
    if (m->refresh_seconds < 0 && ex_parse_refresh(content, &m->refresh_seconds, &url) && url.data)
      m->refresh_url = ex_url(x, url);
  } else if (ex_same(name, "content-type")) {
    /* What stands behind "charset=". */
    for (size_t i = 0; i + 8 <= content.length; i++) {
      lanner_string rest = {content.data + i, content.length - i};
      if (!ex_begins(rest, "charset")) continue;
      const char *equals = memchr(rest.data, '=', rest.length);
      if (!equals) return;
      lanner_string label = {equals + 1, (size_t)(rest.data + rest.length - equals - 1)};
      label = ex_strip(label);
      size_t end = 0;
      while (end < label.length && label.data[end] != ';' && !ex_space((byte)label.data[end]))
        end++;
      label.length = end;
      ex_set(&m->charset, label);
      return;
    }
  } else if (ex_same(name, "content-language")) {
    ex_set(&m->language, ex_strip(content));
  } else if (ex_same(name, "x-robots-tag")) {
    ex_add_robots(x, name, ex_strip(content));
  } else if (ex_same(name, "last-modified") || ex_same(name, "date")) {
    ex_add_property(x, &x->dates, name, ex_strip(content));
  }
}

static void ex_meta_element(lanner_extract *x, u32 id) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b, *content = NULL;
  lanner_string name = ex_none(), property = ex_none(), item = ex_none(), equiv = ex_none();
  for (; a < end; a++) {
    switch (attribute_name(a)) {
    case ATTR_CONTENT: content = a; break;
    case ATTR_NAME: name = ex_value(x, a); break;
    case ATTR_PROPERTY: property = ex_value(x, a); break;
    case ATTR_ITEMPROP: item = ex_value(x, a); break;
    case ATTR_HTTP_EQUIV: equiv = ex_value(x, a); break;
    case ATTR_CHARSET:
      if (x->flags & LANNER_EXTRACT_META) ex_set(&x->meta.charset, ex_strip(ex_value(x, a)));
      break;
    default: break;
    }
  }
  if (!content) return;
  if ((x->flags & LANNER_EXTRACT_LINKS) && equiv.data && ex_same(ex_strip(equiv), "refresh"))
    ex_refresh_link(x, id, content);
  if (!(x->flags & LANNER_EXTRACT_META)) return;
  lanner_string value = ex_value(x, content);
  if (name.data) ex_named_meta(x, name, value);
  if (property.data && !(name.data && name.length == property.length &&
                         memcmp(name.data, property.data, name.length) == 0))
    ex_named_meta(x, property, value);
  if (item.data && !name.data && !property.data &&
      ex_find_meta_name(ex_strip(item)) == EX_META_DATE)
    ex_named_meta(x, item, value);
  if (equiv.data) ex_http_equiv(x, equiv, value);
}

/* --- link elements --- */

static void ex_add_alternate(lanner_extract *x, ex_buffer *list, const lanner_alternate *row) {
  lanner_alternate *added = ex_add(x, list, sizeof *added);
  if (!added) return;
  *added = *row;
  added->url = ex_url(x, row->url);
}

static bool ex_is_feed(lanner_string type) {
  type = ex_strip(type);
  return ex_same(type, "application/rss+xml") || ex_same(type, "application/atom+xml") ||
         ex_same(type, "application/feed+json") || ex_same(type, "application/rdf+xml") ||
         ex_same(type, "application/json+feed");
}

static void ex_link_element(lanner_extract *x, u32 id) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b;
  lanner_alternate row;
  memset(&row, 0, sizeof row);
  for (; a < end; a++) {
    switch (attribute_name(a)) {
    case ATTR_HREF: row.url = ex_value(x, a); break;
    case ATTR_REL: row.rel = ex_value(x, a); break;
    case ATTR_HREFLANG: row.hreflang = ex_value(x, a); break;
    case ATTR_TYPE: row.type = ex_value(x, a); break;
    case ATTR_TITLE: row.title = ex_value(x, a); break;
    case ATTR_MEDIA: row.media = ex_value(x, a); break;
    case ATTR_SIZES: row.sizes = ex_value(x, a); break;
    default: break;
    }
  }
  if (!row.url.data || !row.rel.data) return;
  lanner_string rest = row.rel, word;
  bool alternate = false, style = false, icon = false;
  while (ex_word(&rest, &word)) {
    if (ex_same(word, "canonical")) {
      if (!x->meta.canonical.data) x->meta.canonical = ex_url(x, row.url);
    } else if (ex_same(word, "amphtml")) {
      if (!x->meta.amp.data) x->meta.amp = ex_url(x, row.url);
    } else if (ex_same(word, "prev") || ex_same(word, "previous")) {
      if (!x->meta.previous.data) x->meta.previous = ex_url(x, row.url);
    } else if (ex_same(word, "next")) {
      if (!x->meta.next.data) x->meta.next = ex_url(x, row.url);
    } else if (ex_same(word, "alternate")) {
      alternate = true;
    } else if (ex_same(word, "stylesheet")) {
      style = true;
    } else if (ex_same(word, "icon") || ex_begins(word, "apple-touch-icon") ||
               ex_same(word, "mask-icon") || ex_same(word, "fluid-icon")) {
      icon = true;
    }
  }
  if (icon) ex_add_alternate(x, &x->icons, &row);
  if (alternate && !style)
    ex_add_alternate(x, row.type.data && ex_is_feed(row.type) ? &x->feeds : &x->alternates, &row);
}

/* --- other elements --- */

/* The text of ID's text children as one string. */
static lanner_string ex_child_text(lanner_extract *x, u32 id) {
  const struct node *nodes = x->document->nodes;
  lanner_string text = {"", 0};
  size_t length = 0;
  u32 count = 0;
  for (u32 c = nodes[id].first; c; c = nodes[c].next) {
    if (word_kind(nodes[c].word) != LANNER_TEXT) continue;
    text = ex_data(x, c);
    length += text.length;
    count++;
  }
  if (count < 2) return text;
  char *joined = ex_keep(x, length), *out = joined;
  if (!joined) return text;
  for (u32 c = nodes[id].first; c; c = nodes[c].next) {
    if (word_kind(nodes[c].word) != LANNER_TEXT) continue;
    lanner_string part = ex_data(x, c);
    memcpy(out, part.data, part.length);
    out += part.length;
  }
  text.data = joined;
  text.length = length;
  return text;
}

/* Whitespace stripped and collapsed; copied only when something inside is collapsed. */
static lanner_string ex_collapse(lanner_extract *x, lanner_string s) {
  s = ex_strip(s);
  size_t i = 0;
  while (i < s.length &&
         (!ex_space((byte)s.data[i]) || (s.data[i] == ' ' && !ex_space((byte)s.data[i + 1]))))
    i++;
  if (i == s.length) return s;
  char *out = ex_keep(x, s.length);
  if (!out) return s;
  size_t length = 0;
  bool space = false;
  for (i = 0; i < s.length; i++) {
    if (ex_space((byte)s.data[i])) {
      space = true;
      continue;
    }
    if (space) out[length++] = ' ';
    space = false;
    out[length++] = s.data[i];
  }
  s.data = out;
  s.length = length;
  return s;
}

static void ex_html_element(lanner_extract *x, u32 id) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b;
  lanner_string plain = ex_none(), xml = ex_none();
  for (; a < end; a++) {
    if (attribute_name(a) == ATTR_LANG) plain = ex_strip(ex_value(x, a));
    if (attribute_name(a) == ATTR_XML_LANG) xml = ex_strip(ex_value(x, a));
  }
  if (plain.data && plain.length > 0)
    x->meta.language = plain;
  else if (xml.data && xml.length > 0)
    x->meta.language = xml;
}

static void ex_json_ld(lanner_extract *x, u32 id) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b;
  for (; a < end; a++) {
    if (attribute_name(a) != ATTR_TYPE) continue;
    lanner_string type = ex_strip(ex_value(x, a));
    if (!ex_begins(type, "application/ld+json")) return;
    lanner_string *row = ex_add(x, &x->json_ld, sizeof *row);
    if (row) *row = ex_child_text(x, id);
    return;
  }
}

/* Comment sections have thousands of dates; the first ones are the page's. */
enum { EX_MOST_TIMES = 16 };

static void ex_time_element(lanner_extract *x, u32 id) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b;
  lanner_string name = {"time", 4}, value = ex_none();
  if (x->dates.length >= EX_MOST_TIMES * sizeof(lanner_property)) return;
  for (; a < end; a++) {
    if (attribute_name(a) == ATTR_DATETIME) value = ex_strip(ex_value(x, a));
    if (attribute_name(a) == ATTR_ITEMPROP) name = ex_strip(ex_value(x, a));
  }
  if (value.data && value.length > 0) ex_add_property(x, &x->dates, name, value);
}

/* An HTML element that may say something. */
static void ex_meta_at(lanner_extract *x, u32 id, u32 name) {
  switch (name) {
  case TAG_HTML: ex_html_element(x, id); break;
  case TAG_TITLE:
    if (x->title_node) break;
    x->title_node = id;
    x->meta.title = ex_collapse(x, ex_child_text(x, id));
    break;
  case TAG_LINK: ex_link_element(x, id); break;
  case TAG_SCRIPT: ex_json_ld(x, id); break;
  case TAG_TIME: ex_time_element(x, id); break;
  default: break;
  }
}
