/* document.c - lanner.Document: the whole page, and what was found out about it. It never changes. */
#include "binding.h"

#define DOCUMENT(self) ((document_object *)(self))
#define TREE(self) (DOCUMENT(self)->tree)

static void document_dealloc(PyObject *self) {
  if (TREE(self)) document_drop(DOCUMENT(self));
  free_object(self);
}

static PyObject *document_repr(PyObject *self) {
  return PyUnicode_FromFormat("<lanner.Document, %lu nodes>",
                              (unsigned long)lanner_document_node_count(TREE(self)));
}

/* --- nodes --- */
static lanner_node root_of(PyObject *self) {
  lanner_node fragment = lanner_fragment_root(TREE(self));
  return fragment ? fragment : LANNER_DOCUMENT_NODE;
}
static PyObject *document_root(PyObject *self, void *unused) {
  (void)unused;
  return node_new(DOCUMENT(self), root_of(self));
}

static bool is_html(const lanner_document *tree, lanner_node node, uint32_t name) {
  return lanner_name_id(tree, node) == name && lanner_node_kind(tree, node) == LANNER_ELEMENT &&
         lanner_node_namespace(tree, node) == LANNER_HTML;
}
/* The first child of PARENT that is one of two HTML elements. */
static lanner_node child_named(const lanner_document *tree, lanner_node parent, uint32_t one,
                               uint32_t other) {
  lanner_node node = lanner_first_child(tree, parent);
  while (node && !is_html(tree, node, one) && !is_html(tree, node, other))
    node = lanner_next_sibling(tree, node);
  return node;
}
static lanner_node html_of(const lanner_document *tree) {
  return child_named(tree, LANNER_DOCUMENT_NODE, LANNER_TAG_HTML, LANNER_TAG_HTML);
}
/* As the DOM's properties of these names: those of a page; a fragment has none. */
static PyObject *document_html(PyObject *self, void *unused) {
  (void)unused;
  return node_new(DOCUMENT(self), lanner_fragment_root(TREE(self)) ? 0 : html_of(TREE(self)));
}
static PyObject *document_part(PyObject *self, void *is_body) {
  uint32_t one = is_body ? LANNER_TAG_BODY : LANNER_TAG_HEAD;
  uint32_t other = is_body ? LANNER_TAG_FRAMESET : LANNER_TAG_HEAD;
  if (lanner_fragment_root(TREE(self))) Py_RETURN_NONE;
  return node_new(DOCUMENT(self), child_named(TREE(self), html_of(TREE(self)), one, other));
}

static PyObject *document_iter(PyObject *self, PyObject *const *tags, Py_ssize_t count) {
  return walk_new(DOCUMENT(self), root_of(self), false, tags, count);
}
static PyObject *document_values(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  return walk_values(DOCUMENT(self), root_of(self), arguments, count);
}
static PyObject *document_by_id(PyObject *self, PyObject *id) {
  return walk_find_id(DOCUMENT(self), root_of(self), id);
}

/* --- facts --- */
static PyObject *document_mode(PyObject *self, void *unused) {
  (void)unused;
  PyObject *mode = DOCUMENT(self)->state->modes[lanner_document_mode(TREE(self))];
  Py_INCREF(mode);
  return mode;
}
static PyObject *document_encoding(PyObject *self, void *which) {
  static const char *(*const facts[])(const lanner_document *) = {
      lanner_document_encoding, lanner_document_encoding_source,
      lanner_document_encoding_confidence};
  if (DOCUMENT(self)->from_str) Py_RETURN_NONE; /* a str has none */
  return PyUnicode_FromString(facts[(uintptr_t)which](TREE(self)));
}
static PyObject *document_node_count(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(lanner_document_node_count(TREE(self)));
}
static size_t held(PyObject *self) {
  return lanner_document_memory(TREE(self)).held + DOCUMENT(self)->text_size;
}
static PyObject *document_memory(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(held(self));
}
static PyObject *document_sizeof(PyObject *self, PyObject *unused) {
  (void)unused;
  return PyLong_FromSize_t(sizeof(document_object) + held(self));
}

static PyObject *document_limits(PyObject *self, void *unused) {
  (void)unused;
  static const char *const names[] = {"max_depth",  "max_nodes",  "max_attributes",
                                      "max_errors", "max_memory", "max_input"};
  uint32_t struck = lanner_document_limits(TREE(self));
  PyObject *all = PyDict_New();
  for (int i = 0; all && i < 6; i++) {
    if (!(struck >> i & 1)) continue;
    PyObject *offset =
        PyLong_FromUnsignedLongLong(lanner_document_limit_offset(TREE(self), UINT32_C(1) << i));
    if (!offset || PyDict_SetItemString(all, names[i], offset) < 0) Py_CLEAR(all);
    Py_XDECREF(offset);
  }
  return all;
}

static PyObject *page_error_new(PyTypeObject *type, const lanner_error *error) {
  PyObject *row = PyStructSequence_New(type);
  if (!row) return NULL;
  PyStructSequence_SET_ITEM(row, 0, PyUnicode_FromString(lanner_error_name(error->code)));
  PyStructSequence_SET_ITEM(row, 1, PyLong_FromUnsignedLong(error->offset));
  PyStructSequence_SET_ITEM(row, 2, PyLong_FromUnsignedLong(error->line));
  PyStructSequence_SET_ITEM(row, 3, PyLong_FromUnsignedLong(error->column));
  PyStructSequence_SET_ITEM(row, 4, PyBool_FromLong(lanner_error_is_standard(error->code)));
  for (int i = 0; i < 5; i++) {
    if (PyStructSequence_GET_ITEM(row, i)) continue;
    Py_DECREF(row);
    return NULL;
  }
  return row;
}
static PyObject *document_errors(PyObject *self, void *unused) {
  (void)unused;
  size_t count = 0;
  const lanner_error *errors = lanner_document_errors(TREE(self), &count);
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *row = page_error_new(DOCUMENT(self)->state->page_error, &errors[i]);
    if (!row) {
      Py_CLEAR(list);
      break;
    }
    PyList_SET_ITEM(list, (Py_ssize_t)i, row);
  }
  return list;
}
static PyObject *document_error_total(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(lanner_document_error_total(TREE(self)));
}

/* --- output --- */
static PyObject *document_serialize(PyObject *self, PyObject *const *values, Py_ssize_t count,
                                    PyObject *names) {
  if (count) {
    PyErr_SetString(PyExc_TypeError, "serialize() takes keyword arguments only");
    return NULL;
  }
  return serialize(DOCUMENT(self), root_of(self), false, false, values, names);
}
static PyObject *document_bytes(PyObject *self, PyObject *unused) {
  (void)unused;
  return serialize(DOCUMENT(self), root_of(self), true, false, NULL, NULL);
}

/* --- what the page says --- */
static PyObject *document_title(PyObject *self, void *unused) {
  (void)unused;
  return extract_title(DOCUMENT(self));
}
static PyObject *document_links(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"text", NULL};
  int text = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$p:links", names, &text)) return NULL;
  return extract_links(DOCUMENT(self), text != 0);
}
static PyObject *document_meta(PyObject *self, PyObject *unused) {
  (void)unused;
  return extract_meta(DOCUMENT(self));
}
static PyObject *document_text(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static char *names[] = {"main", "alt", "links", NULL};
  int main = 0, alt = 0, links = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$ppp:text", names, &main, &alt, &links))
    return NULL;
  return extract_text(DOCUMENT(self), (main ? LANNER_EXTRACT_MAIN : 0u) |
                                          (alt ? LANNER_EXTRACT_ALT : 0u) |
                                          (links ? LANNER_EXTRACT_INLINE_LINKS : 0u));
}

static PyGetSetDef document_getset[] = {
    {"root", document_root, NULL,
     PyDoc_STR("The node above all others: of type 'document', or 'fragment' after "
               "parse_fragment()."),
     NULL},
    {"html", document_html, NULL, PyDoc_STR("The html element; None in a fragment."), NULL},
    {"head", document_part, NULL, PyDoc_STR("The head element or None."), NULL},
    {"body", document_part, NULL, PyDoc_STR("The body or frameset element or None."), (void *)1},
    {"title", document_title, NULL,
     PyDoc_STR("The text of the first title element, whitespace collapsed; None: there is none."),
     NULL},
    {"mode", document_mode, NULL, PyDoc_STR("'no-quirks', 'limited-quirks' or 'quirks'."), NULL},
    {"encoding", document_encoding, NULL,
     PyDoc_STR("The name of the encoding that was used; None when a str was parsed."), NULL},
    {"encoding_source", document_encoding, NULL,
     PyDoc_STR("What said so: 'bom', 'user', 'transport', 'meta', 'default', ..."), (void *)1},
    {"encoding_confidence", document_encoding, NULL, PyDoc_STR("'certain' or 'tentative'."),
     (void *)2},
    {"errors", document_errors, NULL,
     PyDoc_STR("With errors=True: a list of PageError, the parse errors."), NULL},
    {"error_total", document_error_total, NULL,
     PyDoc_STR("How many parse errors there were, recorded or not."), NULL},
    {"limits", document_limits, NULL,
     PyDoc_STR("The limits that struck: their names and the byte offsets where they did."), NULL},
    {"node_count", document_node_count, NULL, PyDoc_STR("The number of nodes of all types."), NULL},
    {"memory", document_memory, NULL, PyDoc_STR("Bytes held by the document."), NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef document_methods[] = {
    {"iter", (PyCFunction)(void (*)(void))document_iter, METH_FASTCALL,
     PyDoc_STR("iter(*tags)\n\nAll nodes in tree order but for the root; with tags only elements "
               "of these local names.")},
    {"attribute_values", (PyCFunction)(void (*)(void))document_values, METH_FASTCALL,
     PyDoc_STR("attribute_values(tag, name, /)\n\nA list: attribute `name` of all elements `tag` "
               "that have it, in tree order. None as tag: of all elements.")},
    {"get_element_by_id", document_by_id, METH_O,
     PyDoc_STR("get_element_by_id($self, id, /)\n--\n\nThe first element with this id, or None.")},
    {"serialize", (PyCFunction)(void (*)(void))document_serialize, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("serialize(*, scripting=False)\n\nThe document as HTML, by the Standard's "
               "algorithm.")},
    {"links", (PyCFunction)(void (*)(void))document_links, METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("links($self, /, *, text=False)\n--\n\nA list of Link: all that the page refers "
               "to. text: their text too, images by their alt.")},
    {"meta", document_meta, METH_NOARGS,
     PyDoc_STR("meta($self, /)\n--\n\nA dict of what the page says of itself; only what is "
               "there.")},
    {"text", (PyCFunction)(void (*)(void))document_text, METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("text($self, /, *, main=False, alt=False, links=False)\n--\n\nThe text that a "
               "reader sees (innerText). main: only the main content; alt: with alt texts of "
               "images; links: with the URLs of links.")},
    {"__bytes__", document_bytes, METH_NOARGS,
     PyDoc_STR("__bytes__($self, /)\n--\n\nserialize() as UTF-8.")},
    {"__sizeof__", document_sizeof, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyType_Slot document_slots[] = {{Py_tp_new, no_new},
                                       {Py_tp_dealloc, document_dealloc},
                                       {Py_tp_repr, document_repr},
                                       {Py_tp_getset, document_getset},
                                       {Py_tp_methods, document_methods},
                                       {Py_tp_doc, (void *)PyDoc_STR("A parsed page or fragment.")},
                                       {0, NULL}};
PyType_Spec document_spec = {"lanner.Document", sizeof(document_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, document_slots};
