/* content.c - what belongs to the main content; lanner_extract.h states the rules.
 *
 * One walk beforehand adds up the text of every subtree, the part of it in links, and the links; the
 * rest is decided at each element while the text is collected.
 */

enum { EX_ENOUGH = 200, EX_FEW_LINKS = 3 };

static ex_amount *ex_amount_of(lanner_extract *x, u32 id) {
  return (ex_amount *)(void *)x->amounts.data + id;
}

/* --- roles and names --- */

static lanner_string ex_attribute(const lanner_extract *x, u32 id, u32 name) {
  const struct node *n = &x->document->nodes[id];
  const attribute *a = &x->document->attributes[n->a], *end = a + n->b;
  for (; a < end; a++)
    if (attribute_name(a) == name) return ex_value(x, a);
  return ex_none();
}

static bool ex_has_role(const lanner_extract *x, u32 id, const char *const *roles) {
  lanner_string rest = ex_attribute(x, id, ATTR_ROLE), word;
  if (!rest.data || !ex_word(&rest, &word)) return false;
  for (; *roles; roles++)
    if (ex_same(word, *roles)) return true;
  return false;
}

static bool ex_is_main(const lanner_extract *x, u32 id, u32 bits) {
  static const char *const roles[] = {"main", NULL};
  return word_name(x->document->nodes[id].word) == TAG_MAIN ||
         ((bits & EX_ROLE) && ex_has_role(x, id, roles));
}

static bool ex_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* "has-sidebar" is no sidebar. */
static bool ex_is_about(lanner_string word) {
  return ex_same(word, "has") || ex_same(word, "no") || ex_same(word, "with") ||
         ex_same(word, "without");
}

/* VALUE, a class or id, has a word that names something else than content. */
static bool ex_names_boilerplate(lanner_string value) {
  static const char *const words[] = {
      "nav",     "navbar",     "navigation", "menu",    "breadcrumb", "breadcrumbs",
      "sidebar", "footer",     "cookie",     "cookies", "consent",    "share",
      "sharing", "social",     "related",    "promo",   "advert",     "advertisement",
      "ads",     "newsletter", "pagination", "pager",   "skip"};
  size_t at = 0;
  bool about = false;
  while (at < value.length) {
    while (at < value.length && !ex_word_character(value.data[at])) {
      if (ex_space((byte)value.data[at])) about = false;
      at++;
    }
    size_t end = at;
    while (end < value.length && ex_word_character(value.data[end])) end++;
    lanner_string word = {value.data + at, end - at};
    at = end;
    bool was_about = about;
    about = ex_is_about(word);
    if (was_about || word.length < 3 || word.length > 13) continue;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
      if (ex_same(word, words[i])) return true;
  }
  return false;
}

/* --- amounts --- */

static u32 ex_visible_bytes(lanner_string text) {
  u32 count = 0;
  for (size_t i = 0; i < text.length; i++) count += (byte)text.data[i] > 0x20;
  return count;
}

/* Fills x->amounts: first with the totals at an element's start, then with its own. */
static bool ex_measure(lanner_extract *x, u32 root) {
  const lanner_document *d = x->document;
  x->amounts.length = 0;
  if (!ex_reserve(x, &x->amounts, (d->node_count + 1) * sizeof(ex_amount))) return false;
  memset(x->amounts.data, 0, (d->node_count + 1) * sizeof(ex_amount));
  ex_amount total = {0, 0, 0};
  u32 link = 0; /* the outermost open one */
  u32 id = root;
  for (;;) {
    const struct node *n = &d->nodes[id];
    bool down = n->first != 0;
    if (word_kind(n->word) == LANNER_TEXT) {
      u32 bytes = ex_visible_bytes(ex_data(x, id));
      total.text += bytes;
      if (link) total.link_text += bytes;
    } else if (word_kind(n->word) == LANNER_ELEMENT) {
      u32 name = word_name(n->word);
      *ex_amount_of(x, id) = total;
      if (word_namespace(n->word) != LANNER_HTML) {
        down = down && ex_foreign_display(name) != EX_NONE;
      } else if (name < ELEMENT_NAMES && ex_displays[name] == EX_NONE) {
        down = false;
      } else if (name == TAG_A && !link && ex_attribute(x, id, ATTR_HREF).data) {
        link = id;
        total.links++;
      }
    }
    if (down) {
      id = n->first;
      continue;
    }
    for (;;) {
      n = &d->nodes[id];
      if (word_kind(n->word) == LANNER_ELEMENT) {
        ex_amount *a = ex_amount_of(x, id);
        a->text = total.text - a->text;
        a->link_text = total.link_text - a->link_text;
        a->links = total.links - a->links;
        if (link == id) link = 0;
      }
      if (id == root) {
        x->total = total;
        return true;
      }
      if (n->next) break;
      id = n->parent;
    }
    id = n->next;
  }
}

/* Which elements the content is looked for in: rule 1. */
static void ex_choose_gate(lanner_extract *x) {
  const lanner_document *d = x->document;
  u64 in_main = 0, in_article = 0;
  for (u32 id = 1; id < d->node_count; id++) {
    u32 word = d->nodes[id].word;
    if (word_kind(word) != LANNER_ELEMENT || word_namespace(word) != LANNER_HTML) continue;
    u32 text = ex_amount_of(x, id)->text;
    if (text == 0) continue;
    if (ex_is_main(x, id, ex_bits(x, &d->nodes[id])))
      in_main += text;
    else if (word_name(word) == TAG_ARTICLE)
      in_article += text;
  }
  x->gate = in_main >= EX_ENOUGH ? TAG_MAIN : in_article >= EX_ENOUGH ? TAG_ARTICLE : 0;
  x->inside = 0;
}

static bool ex_opens_gate(const lanner_extract *x, u32 id, u32 bits) {
  u32 name = word_name(x->document->nodes[id].word);
  if (x->gate == TAG_MAIN) return ex_is_main(x, id, bits);
  return x->gate == TAG_ARTICLE ? name == TAG_ARTICLE : name == TAG_BODY;
}

/* --- rules 2 to 4 --- */

/* What holds most of the text, or a third of it, is no menu, whatever it is called. */
static bool ex_is_part(const lanner_extract *x, const ex_amount *amount) {
  return (u64)amount->text * 3 <= x->total.text;
}

static bool ex_is_link_list(lanner_extract *x, u32 id, u32 name) {
  switch (name) {
  case TAG_UL:
  case TAG_OL:
  case TAG_DL:
  case TAG_TABLE:
  case TAG_TR:
  case TAG_TD:
  case TAG_DIV:
  case TAG_SECTION:
  case TAG_P: break;
  default: return false;
  }
  const ex_amount *a = ex_amount_of(x, id);
  return a->links >= EX_FEW_LINKS && (u64)a->link_text * 3 >= (u64)a->text * 2 && ex_is_part(x, a);
}

/* The HTML element ID and what is in it are not content. */
static bool ex_is_boilerplate(lanner_extract *x, u32 id, u32 name, u32 bits) {
  static const char *const roles[] = {"navigation", "banner",      "contentinfo", "complementary",
                                      "search",     "menu",        "menubar",     "toolbar",
                                      "dialog",     "alertdialog", NULL};
  switch (name) {
  case TAG_NAV:
  case TAG_ASIDE:
  case TAG_FOOTER:
  case TAG_MENU:
  case TAG_DIALOG:
  case TAG_BUTTON:
  case TAG_SELECT:
  case TAG_INPUT:
  case TAG_FIELDSET:
  case TAG_SEARCH: return true;
  case TAG_HEADER:
    if (x->gate == 0 && !x->inside) return true;
    if (x->gate == 0) {
      /* In body: only that of an article stays. */
      u32 up = x->document->nodes[id].parent;
      while (up && word_name(x->document->nodes[up].word) != TAG_ARTICLE)
        up = x->document->nodes[up].parent;
      return up == 0;
    }
    break;
  default: break;
  }
  if ((bits & EX_ROLE) && ex_has_role(x, id, roles)) return true;
  if ((bits & (EX_CLASS | EX_ID)) && name != TAG_BODY && name != TAG_HTML && name != TAG_MAIN &&
      name != TAG_ARTICLE && ex_is_part(x, ex_amount_of(x, id))) {
    if ((bits & EX_CLASS) && ex_names_boilerplate(ex_attribute(x, id, ATTR_CLASS))) return true;
    if ((bits & EX_ID) && ex_names_boilerplate(ex_attribute(x, id, ATTR_ID))) return true;
  }
  return ex_is_link_list(x, id, name);
}
