/* walk.c - going through a subtree: the iterator, text, values of attributes. Nothing recurses. */
#include "binding.h"

#include <string.h>

/* A local name that is looked for. Its number is learnt from the first element that has it (that of a
 * processing instruction is another); before, bytes are compared. */
typedef struct wanted {
  PyObject *object;
  const char *name;
  size_t length;
  uint32_t id;
} wanted;

static bool wanted_set(wanted *w, PyObject *tag) {
  if (!PyUnicode_Check(tag)) {
    PyErr_Format(PyExc_TypeError, "tag must be a str, not %.100s", Py_TYPE(tag)->tp_name);
    return false;
  }
  Py_ssize_t length;
  w->name = PyUnicode_AsUTF8AndSize(tag, &length);
  if (!w->name) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
    PyErr_Clear(); /* lone surrogates: no element is called that */
    w->name = "";
    length = 0;
  }
  w->length = (size_t)length;
  w->id = 0;
  Py_INCREF(tag);
  w->object = tag;
  return true;
}

/* ID is the name of NODE. */
static bool wanted_is(wanted *w, const lanner_document *tree, lanner_node node, uint32_t id) {
  if (w->id) return w->id == id;
  lanner_string name = lanner_name(tree, node);
  if (name.length != w->length || memcmp(name.data, w->name, w->length) != 0 ||
      lanner_node_kind(tree, node) != LANNER_ELEMENT)
    return false;
  w->id = id;
  return true;
}

/* --- the iterator --- */
typedef struct iterator_object {
  PyObject_VAR_HEAD document_object *document; /* NULL: at the end */
  lanner_node at, root;
  bool started; /* AT was given out, or is not to be */
  wanted tags[1];
} iterator_object;

PyObject *walk_new(document_object *document, lanner_node root, bool with_root,
                   PyObject *const *tags, Py_ssize_t count) {
  if (!document->state->iterator) {
    PyErr_SetString(PyExc_RuntimeError, "the module lanner is gone");
    return NULL;
  }
  iterator_object *walk = PyObject_NewVar(iterator_object, document->state->iterator, count);
  if (!walk) return NULL;
  Py_SET_SIZE(walk, 0);
  Py_INCREF(document);
  walk->document = document;
  walk->at = walk->root = root;
  walk->started = !with_root;
  for (Py_ssize_t i = 0; i < count; i++) {
    if (!wanted_set(&walk->tags[i], tags[i])) {
      Py_DECREF(walk);
      return NULL;
    }
    Py_SET_SIZE(walk, i + 1);
  }
  return (PyObject *)walk;
}

static void walk_dealloc(PyObject *self) {
  iterator_object *walk = (iterator_object *)self;
  for (Py_ssize_t i = 0; i < Py_SIZE(walk); i++) Py_DECREF(walk->tags[i].object);
  Py_XDECREF(walk->document);
  free_object(self);
}

static PyObject *walk_next(PyObject *self) {
  iterator_object *walk = (iterator_object *)self;
  if (!walk->document) return NULL;
  const lanner_document *tree = walk->document->tree;
  lanner_node node = walk->at, root = walk->root;
  Py_ssize_t count = Py_SIZE(walk);
  if (walk->started) node = lanner_next(tree, node, root);
  walk->started = true;
  if (count) {
    for (; node; node = lanner_next(tree, node, root)) {
      uint32_t id = lanner_name_id(tree, node);
      if (!id) continue; /* not an element */
      Py_ssize_t i = 0;
      while (i < count && !wanted_is(&walk->tags[i], tree, node, id)) i++;
      if (i < count && lanner_node_kind(tree, node) == LANNER_ELEMENT) break;
    }
  }
  walk->at = node;
  if (node) return node_new(walk->document, node);
  Py_CLEAR(walk->document); /* the page need not wait for the iterator */
  return NULL;
}

static PyType_Slot iterator_slots[] = {{Py_tp_new, no_new},
                                       {Py_tp_dealloc, walk_dealloc},
                                       {Py_tp_iter, PyObject_SelfIter},
                                       {Py_tp_iternext, walk_next},
                                       {0, NULL}};
PyType_Spec iterator_spec = {"lanner.NodeIterator", offsetof(iterator_object, tags), sizeof(wanted),
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, iterator_slots};

/* --- all at once --- */
PyObject *walk_values(document_object *document, lanner_node root, PyObject *const *arguments,
                      Py_ssize_t count) {
  if (count != 2) {
    PyErr_Format(PyExc_TypeError,
                 "attribute_values() takes 2 arguments (tag, name), %zd were given", count);
    return NULL;
  }
  wanted tag = {NULL, "", 0, 0}, name = {NULL, "", 0, 0};
  bool any = arguments[0] == Py_None;
  PyObject *list = NULL;
  if ((any || wanted_set(&tag, arguments[0])) && wanted_set(&name, arguments[1]))
    list = PyList_New(0);
  const lanner_document *tree = document->tree;
  lanner_node node = root;
  while (list && (node = lanner_next(tree, node, root)) != 0) {
    lanner_string value;
    uint32_t id = lanner_name_id(tree, node);
    if (!id || (!any && !wanted_is(&tag, tree, node, id))) continue;
    if (!lanner_get_attribute(tree, node, name.name, name.length, &value)) continue;
    PyObject *text = string_new(value);
    if (!text || PyList_Append(list, text) < 0) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  Py_XDECREF(tag.object);
  Py_XDECREF(name.object);
  return list;
}

PyObject *walk_find_id(document_object *document, lanner_node root, PyObject *id) {
  wanted value;
  const lanner_document *tree = document->tree;
  lanner_node node = root;
  if (!wanted_set(&value, id)) return NULL;
  if (value.length) {
    lanner_string found;
    while ((node = lanner_next(tree, node, root)) != 0)
      if (lanner_get_attribute(tree, node, "id", 2, &found) && found.length == value.length &&
          memcmp(found.data, value.name, value.length) == 0)
        break;
  } else {
    node = 0; /* the empty string is no id */
  }
  Py_DECREF(value.object);
  return node_new(document, node);
}

PyObject *walk_text(document_object *document, lanner_node root) {
  const lanner_document *tree = document->tree;
  lanner_kind kind = lanner_node_kind(tree, root);
  if (kind == LANNER_TEXT || kind == LANNER_COMMENT || kind == LANNER_PROCESSING_INSTRUCTION)
    return string_new(lanner_data(tree, root));
  lanner_node only = lanner_first_child(tree, root);
  if (only && !lanner_next_sibling(tree, only) && lanner_node_kind(tree, only) == LANNER_TEXT)
    return string_new(lanner_data(tree, only));
  output out = {NULL, 0, 0};
  PyObject *text = NULL;
  lanner_node node = root;
  bool ok = true;
  while (ok && (node = lanner_next(tree, node, root)) != 0) {
    if (lanner_node_kind(tree, node) != LANNER_TEXT) continue;
    lanner_string data = lanner_data(tree, node);
    ok = output_write(&out, data.data, data.length) == 0;
  }
  if (ok)
    text = string_new((lanner_string){out.data ? out.data : "", out.length});
  else
    PyErr_NoMemory();
  output_free(&out);
  return text;
}
