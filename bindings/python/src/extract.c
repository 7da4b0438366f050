/* extract.c - what a page links to, says of itself, and says: lanner_extract.h. The keys of meta()
 * are those of the command `lanner meta`.
 */
#include "binding.h"

/* Runs an extractor; NULL: an exception is set. */
static lanner_extract *extract_run(document_object *document, uint32_t flags) {
  lanner_extract_options options;
  lanner_extract_options_init(&options);
  options.flags = flags;
  lanner_extract *extract = lanner_extract_new(&python_allocator);
  lanner_status status =
      extract ? lanner_extract_run(extract, document->tree, &options) : LANNER_ERROR_MEMORY;
  if (status == LANNER_OK) return extract;
  lanner_extract_free(extract);
  set_status_error(document->state, status, NULL, NULL);
  return NULL;
}

/* A str, None for a string that was not given. */
static PyObject *optional_new(lanner_string string) {
  if (!string.data) Py_RETURN_NONE;
  return string_new(string);
}

/* --- links --- */
static PyObject *link_new(document_object *document, const lanner_link *link) {
  PyObject *row = PyStructSequence_New(document->state->link);
  if (!row) return NULL;
  uint32_t id = lanner_name_id(document->tree, link->node);
  PyStructSequence_SET_ITEM(row, 0, node_new(document, link->node));
  PyStructSequence_SET_ITEM(row, 1, name_new(document->state, id, link->element));
  PyStructSequence_SET_ITEM(row, 2, string_new(link->attribute));
  PyStructSequence_SET_ITEM(row, 3, string_new(link->value));
  PyStructSequence_SET_ITEM(row, 4, optional_new(link->rel));
  PyStructSequence_SET_ITEM(row, 5, optional_new(link->text));
  for (int i = 0; i < 6; i++) {
    if (PyStructSequence_GET_ITEM(row, i)) continue;
    Py_DECREF(row);
    return NULL;
  }
  return row;
}

PyObject *extract_links(document_object *document, bool text) {
  lanner_extract *extract = extract_run(
      document, LANNER_EXTRACT_LINKS | (text ? LANNER_EXTRACT_LINK_TEXT | LANNER_EXTRACT_ALT : 0u));
  if (!extract) return NULL;
  size_t count = 0;
  const lanner_link *links = lanner_extract_links(extract, &count);
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *row = link_new(document, &links[i]);
    if (!row) {
      Py_CLEAR(list);
      break;
    }
    PyList_SET_ITEM(list, (Py_ssize_t)i, row);
  }
  lanner_extract_free(extract);
  return list;
}

/* --- text --- */
PyObject *extract_text(document_object *document, uint32_t flags) {
  lanner_extract *extract = extract_run(document, LANNER_EXTRACT_TEXT | flags);
  if (!extract) return NULL;
  PyObject *text = string_new(lanner_extract_text(extract));
  lanner_extract_free(extract);
  return text;
}

static bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r';
}
/* As meta() has it, without a walk through the page. */
PyObject *extract_title(document_object *document) {
  const lanner_document *tree = document->tree;
  lanner_node root = lanner_fragment_root(tree), node;
  if (!root) root = LANNER_DOCUMENT_NODE;
  for (node = root; (node = lanner_next(tree, node, root)) != 0;)
    if (lanner_name_id(tree, node) == LANNER_TAG_TITLE &&
        lanner_node_kind(tree, node) == LANNER_ELEMENT &&
        lanner_node_namespace(tree, node) == LANNER_HTML)
      break;
  if (!node) Py_RETURN_NONE;
  output out = {NULL, 0, 0};
  bool ok = true, gap = false;
  for (lanner_node child = lanner_first_child(tree, node); ok && child;
       child = lanner_next_sibling(tree, child)) {
    lanner_string data = lanner_data(tree, child);
    if (lanner_node_kind(tree, child) != LANNER_TEXT) continue;
    for (size_t i = 0; ok && i < data.length; i++) {
      if (is_space(data.data[i])) {
        gap = out.length != 0;
        continue;
      }
      if (gap) ok = output_write(&out, " ", 1) == 0;
      gap = false;
      ok = ok && output_write(&out, &data.data[i], 1) == 0;
    }
  }
  PyObject *title = NULL;
  if (ok)
    title = string_new((lanner_string){out.data ? out.data : "", out.length});
  else
    PyErr_NoMemory();
  output_free(&out);
  return title;
}

/* --- metadata --- */
/* Puts VALUE, a new reference, into DICT; false: an exception is set. */
static bool put(PyObject *dict, const char *key, PyObject *value) {
  bool ok = value && PyDict_SetItemString(dict, key, value) == 0;
  Py_XDECREF(value);
  return ok;
}
static bool put_string(PyObject *dict, const char *key, lanner_string value) {
  return !value.data || put(dict, key, string_new(value));
}

static PyObject *directives_new(uint32_t flags) {
  static const char *const names[] = {"noindex",      "nofollow",    "noarchive", "nosnippet",
                                      "noimageindex", "notranslate", "noodp",     "indexifembedded",
                                      "noai",         "noimageai",   "index",     "follow"};
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < sizeof names / sizeof *names; i++) {
    if (!(flags >> i & 1)) continue;
    PyObject *name = PyUnicode_FromString(names[i]);
    if (!name || PyList_Append(list, name) < 0) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  return list;
}

/* Rows of the lists in lanner_meta as Python objects. */
static PyObject *robots_new(const void *rows, size_t i) {
  const lanner_robots *row = (const lanner_robots *)rows + i;
  PyObject *dict = PyDict_New();
  if (dict && put_string(dict, "bot", row->bot) && put_string(dict, "value", row->value) &&
      put(dict, "directives", directives_new(row->flags)))
    return dict;
  Py_XDECREF(dict);
  return NULL;
}
static PyObject *alternate_new(const void *rows, size_t i) {
  const lanner_alternate *row = (const lanner_alternate *)rows + i;
  PyObject *dict = PyDict_New();
  if (dict && put_string(dict, "url", row->url) && put_string(dict, "rel", row->rel) &&
      put_string(dict, "hreflang", row->hreflang) && put_string(dict, "type", row->type) &&
      put_string(dict, "title", row->title) && put_string(dict, "media", row->media) &&
      put_string(dict, "sizes", row->sizes))
    return dict;
  Py_XDECREF(dict);
  return NULL;
}
static PyObject *property_new(const void *rows, size_t i) {
  const lanner_property *row = (const lanner_property *)rows + i;
  PyObject *name = string_new(row->name), *value = string_new(row->value);
  PyObject *pair = name && value ? PyTuple_Pack(2, name, value) : NULL;
  Py_XDECREF(name);
  Py_XDECREF(value);
  return pair;
}
static PyObject *block_new(const void *rows, size_t i) {
  return string_new(((const lanner_string *)rows)[i]);
}
static bool put_list(PyObject *dict, const char *key, const void *rows, size_t count,
                     PyObject *(*row_new)(const void *rows, size_t i)) {
  if (!count) return true;
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *row = row_new(rows, i);
    if (row)
      PyList_SET_ITEM(list, (Py_ssize_t)i, row);
    else
      Py_CLEAR(list);
  }
  return put(dict, key, list);
}
static bool put_refresh(PyObject *dict, const lanner_meta *meta) {
  if (meta->refresh_seconds < 0) return true;
  PyObject *refresh = PyDict_New();
  if (!refresh || !put(refresh, "seconds", PyLong_FromLongLong(meta->refresh_seconds)) ||
      !put_string(refresh, "url", meta->refresh_url)) {
    Py_XDECREF(refresh);
    return false;
  }
  return put(dict, "refresh", refresh);
}

static bool put_meta(PyObject *dict, const lanner_meta *m) {
  const struct {
    const char *key;
    lanner_string value;
  } strings[] = {{"title", m->title},         {"lang", m->language},
                 {"charset", m->charset},     {"description", m->description},
                 {"keywords", m->keywords},   {"author", m->author},
                 {"generator", m->generator}, {"base", m->base},
                 {"canonical", m->canonical}, {"amphtml", m->amp},
                 {"prev", m->previous},       {"next", m->next}};
  for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
    if (!put_string(dict, strings[i].key, strings[i].value)) return false;
  return put_refresh(dict, m) && put_list(dict, "robots", m->robots, m->robots_count, robots_new) &&
         put_list(dict, "alternate", m->alternates, m->alternate_count, alternate_new) &&
         put_list(dict, "feeds", m->feeds, m->feed_count, alternate_new) &&
         put_list(dict, "icons", m->icons, m->icon_count, alternate_new) &&
         put_list(dict, "open_graph", m->open_graph, m->open_graph_count, property_new) &&
         put_list(dict, "twitter", m->twitter, m->twitter_count, property_new) &&
         put_list(dict, "dates", m->dates, m->date_count, property_new) &&
         put_list(dict, "json_ld", m->json_ld, m->json_ld_count, block_new) &&
         (!m->microdata || put(dict, "microdata", PyBool_FromLong(1))) &&
         (!m->rdfa || put(dict, "rdfa", PyBool_FromLong(1)));
}

PyObject *extract_meta(document_object *document) {
  lanner_extract *extract = extract_run(document, LANNER_EXTRACT_META);
  if (!extract) return NULL;
  PyObject *dict = PyDict_New();
  if (dict && !put_meta(dict, lanner_extract_meta(extract))) Py_CLEAR(dict);
  lanner_extract_free(extract);
  return dict;
}
