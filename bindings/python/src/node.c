/* node.c - lanner.Node: a document and a number. Nodes are made when they are asked for, so two of
 * the same node are equal, not identical.
 */
#include "binding.h"

PyObject *string_new(lanner_string string) {
  return PyUnicode_DecodeUTF8(string.data, (Py_ssize_t)string.length, "replace");
}

PyObject *name_new(module_state *state, uint32_t id, lanner_string name) {
  if (id == 0 || id >= LANNER_KNOWN_NAMES) return string_new(name);
  PyObject *known = state->names[id];
  if (!known) {
    known = string_new(name);
    if (!known) return NULL;
    PyUnicode_InternInPlace(&known);
    state->names[id] = known;
  }
  Py_INCREF(known);
  return known;
}

PyObject *node_new(document_object *document, lanner_node id) {
  if (!id) Py_RETURN_NONE;
  if (!document->state->node) {
    PyErr_SetString(PyExc_RuntimeError, "the module lanner is gone");
    return NULL;
  }
  node_object *node = PyObject_New(node_object, document->state->node);
  if (!node) return NULL;
  Py_INCREF(document);
  node->document = document;
  node->id = id;
  return (PyObject *)node;
}

static void node_dealloc(PyObject *self) {
  Py_DECREF(((node_object *)self)->document);
  free_object(self);
}

#define NODE(self) ((node_object *)(self))
#define TREE(self) (NODE(self)->document->tree)
#define ID(self) (NODE(self)->id)

static PyObject *node_compare(PyObject *self, PyObject *other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(self) != Py_TYPE(other))
    Py_RETURN_NOTIMPLEMENTED;
  bool same = NODE(self)->document == NODE(other)->document && ID(self) == ID(other);
  return PyBool_FromLong(same == (operation == Py_EQ));
}
static Py_hash_t node_hash(PyObject *self) {
  Py_hash_t hash = (Py_hash_t)(((size_t)NODE(self)->document >> 4) ^
                               (size_t)ID(self) * (size_t)UINT64_C(0x9E3779B97F4A7C15));
  return hash == -1 ? -2 : hash;
}

static PyObject *node_repr(PyObject *self) {
  const lanner_document *tree = TREE(self);
  lanner_kind kind = lanner_node_kind(tree, ID(self));
  lanner_string name = lanner_name(tree, ID(self));
  if (name.length == 0)
    return PyUnicode_FromFormat("<lanner.Node %U>", NODE(self)->document->state->kinds[kind]);
  PyObject *text = string_new(name);
  PyObject *repr = text ? PyUnicode_FromFormat("<lanner.Node %U %R>",
                                               NODE(self)->document->state->kinds[kind], text)
                        : NULL;
  Py_XDECREF(text);
  return repr;
}

/* --- what it is --- */
static PyObject *constant(PyObject *object) {
  Py_INCREF(object);
  return object;
}
static PyObject *node_document(PyObject *self, void *unused) {
  (void)unused;
  return constant((PyObject *)NODE(self)->document);
}
static PyObject *node_id(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(ID(self));
}
static PyObject *node_type(PyObject *self, void *unused) {
  (void)unused;
  return constant(NODE(self)->document->state->kinds[lanner_node_kind(TREE(self), ID(self))]);
}
static PyObject *node_tag(PyObject *self, void *unused) {
  (void)unused;
  const lanner_document *tree = TREE(self);
  if (lanner_node_kind(tree, ID(self)) != LANNER_ELEMENT) Py_RETURN_NONE;
  return name_new(NODE(self)->document->state, lanner_name_id(tree, ID(self)),
                  lanner_name(tree, ID(self)));
}
static PyObject *node_name(PyObject *self, void *unused) {
  (void)unused;
  const lanner_document *tree = TREE(self);
  lanner_kind kind = lanner_node_kind(tree, ID(self));
  if (kind != LANNER_ELEMENT && kind != LANNER_DOCTYPE && kind != LANNER_PROCESSING_INSTRUCTION)
    Py_RETURN_NONE;
  return name_new(NODE(self)->document->state, lanner_name_id(tree, ID(self)),
                  lanner_name(tree, ID(self)));
}
static PyObject *node_namespace(PyObject *self, void *unused) {
  (void)unused;
  const lanner_document *tree = TREE(self);
  if (lanner_node_kind(tree, ID(self)) != LANNER_ELEMENT) Py_RETURN_NONE;
  return constant(NODE(self)->document->state->namespaces[lanner_node_namespace(tree, ID(self))]);
}
static PyObject *node_data(PyObject *self, void *unused) {
  (void)unused;
  lanner_kind kind = lanner_node_kind(TREE(self), ID(self));
  if (kind != LANNER_TEXT && kind != LANNER_COMMENT && kind != LANNER_PROCESSING_INSTRUCTION)
    Py_RETURN_NONE;
  return string_new(lanner_data(TREE(self), ID(self)));
}
static PyObject *node_identifier(PyObject *self, void *is_system) {
  if (lanner_node_kind(TREE(self), ID(self)) != LANNER_DOCTYPE) Py_RETURN_NONE;
  return string_new(is_system ? lanner_system_id(TREE(self), ID(self))
                              : lanner_public_id(TREE(self), ID(self)));
}
static PyObject *node_text(PyObject *self, void *unused) {
  (void)unused;
  return walk_text(NODE(self)->document, ID(self));
}

/* --- attributes --- */
static PyObject *node_attributes(PyObject *self, void *unused) {
  (void)unused;
  const lanner_document *tree = TREE(self);
  PyObject *all = PyDict_New();
  uint32_t count = lanner_attribute_count(tree, ID(self));
  for (uint32_t i = 0; all && i < count; i++) {
    lanner_attribute a = lanner_attribute_at(tree, ID(self), i);
    PyObject *name = name_new(NODE(self)->document->state, a.name_id, a.name);
    PyObject *value = name ? string_new(a.value) : NULL;
    if (!value || PyDict_SetItem(all, name, value) < 0) Py_CLEAR(all);
    Py_XDECREF(name);
    Py_XDECREF(value);
  }
  return all;
}

static PyObject *node_get(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  if (count != 1 && count != 2) {
    PyErr_Format(PyExc_TypeError, "get() takes 1 or 2 arguments (name, default), %zd were given",
                 count);
    return NULL;
  }
  if (!PyUnicode_Check(arguments[0])) {
    PyErr_Format(PyExc_TypeError, "name must be a str, not %.100s", Py_TYPE(arguments[0])->tp_name);
    return NULL;
  }
  Py_ssize_t length;
  const char *name = PyUnicode_AsUTF8AndSize(arguments[0], &length);
  if (!name) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return NULL;
    PyErr_Clear(); /* lone surrogates: no attribute is called that */
    length = 0;
    name = "";
  }
  lanner_string value;
  if (lanner_get_attribute(TREE(self), ID(self), name, (size_t)length, &value))
    return string_new(value);
  return constant(count == 2 ? arguments[1] : Py_None);
}

/* --- where it is --- */
typedef lanner_node (*step)(const lanner_document *document, lanner_node node);
static const step steps[] = {lanner_parent,       lanner_first_child,      lanner_last_child,
                             lanner_next_sibling, lanner_previous_sibling, lanner_template_contents,
                             lanner_host};
static PyObject *node_step(PyObject *self, void *which) {
  return node_new(NODE(self)->document, steps[(uintptr_t)which](TREE(self), ID(self)));
}
static PyObject *node_shadow_root(PyObject *self, void *unused) {
  (void)unused;
  return node_new(NODE(self)->document, lanner_shadow_root(TREE(self), ID(self), NULL));
}
static PyObject *node_shadow_mode(PyObject *self, void *unused) {
  (void)unused;
  bool open;
  if (!lanner_shadow_root(TREE(self), ID(self), &open)) Py_RETURN_NONE;
  return PyUnicode_FromString(open ? "open" : "closed");
}
static PyObject *node_children(PyObject *self, void *unused) {
  (void)unused;
  PyObject *list = PyList_New(0);
  const lanner_document *tree = TREE(self);
  lanner_node child = lanner_first_child(tree, ID(self));
  for (; list && child; child = lanner_next_sibling(tree, child)) {
    PyObject *node = node_new(NODE(self)->document, child);
    if (!node || PyList_Append(list, node) < 0) Py_CLEAR(list);
    Py_XDECREF(node);
  }
  return list;
}

static PyObject *span_new(lanner_span span) {
  if (!span.end) Py_RETURN_NONE;
  return Py_BuildValue("(kk)", (unsigned long)span.start, (unsigned long)span.end);
}
static PyObject *node_span(PyObject *self, void *end_tag) {
  return span_new(end_tag ? lanner_end_tag_span(TREE(self), ID(self))
                          : lanner_node_span(TREE(self), ID(self)));
}

/* --- subtrees --- */
static PyObject *node_iter(PyObject *self, PyObject *const *tags, Py_ssize_t count) {
  return walk_new(NODE(self)->document, ID(self), true, tags, count);
}
static PyObject *node_values(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  return walk_values(NODE(self)->document, ID(self), arguments, count);
}
static PyObject *node_serialize(PyObject *self, PyObject *const *values, Py_ssize_t count,
                                PyObject *names) {
  if (count) {
    PyErr_SetString(PyExc_TypeError, "serialize() takes keyword arguments only");
    return NULL;
  }
  return serialize(NODE(self)->document, ID(self), false, true, values, names);
}

#define STEP(name, index, doc)                                                                     \
  { name, node_step, NULL, PyDoc_STR(doc), (void *)(uintptr_t)(index) }
static PyGetSetDef node_getset[] = {
    {"document", node_document, NULL, PyDoc_STR("The Document that the node belongs to."), NULL},
    {"id", node_id, NULL, PyDoc_STR("The number of the node in its document."), NULL},
    {"type", node_type, NULL,
     PyDoc_STR("'element', 'text', 'comment', 'processing-instruction', 'doctype', 'document' or "
               "'fragment'."),
     NULL},
    {"tag", node_tag, NULL, PyDoc_STR("An element's local name; None for other nodes."), NULL},
    {"name", node_name, NULL,
     PyDoc_STR("The name of an element or doctype, the target of a processing instruction."), NULL},
    {"namespace", node_namespace, NULL,
     PyDoc_STR("'html', 'svg' or 'mathml'; None for what is not an element."), NULL},
    {"data", node_data, NULL,
     PyDoc_STR("The data of a text, comment or processing instruction; None for other nodes."),
     NULL},
    {"public_id", node_identifier, NULL, PyDoc_STR("A doctype's public identifier."), NULL},
    {"system_id", node_identifier, NULL, PyDoc_STR("A doctype's system identifier."), (void *)1},
    {"text", node_text, NULL,
     PyDoc_STR("All text inside of it (textContent); the data of a text or comment."), NULL},
    {"attributes", node_attributes, NULL,
     PyDoc_STR("A new dict of all attributes, in source order, names qualified (xlink:href)."),
     NULL},
    STEP("parent", 0, "The parent or None."),
    STEP("first_child", 1, "The first child or None."),
    STEP("last_child", 2, "The last child or None."),
    STEP("next", 3, "The next sibling or None."),
    STEP("prev", 4, "The previous sibling or None."),
    STEP("template_contents", 5, "The fragment that holds what stands in a template element."),
    STEP("host", 6, "The element that template contents or a shadow root belong to."),
    {"shadow_root", node_shadow_root, NULL, PyDoc_STR("The declarative shadow root or None."),
     NULL},
    {"shadow_mode", node_shadow_mode, NULL, PyDoc_STR("'open', 'closed' or None."), NULL},
    {"children", node_children, NULL, PyDoc_STR("A list of the children."), NULL},
    {"span", node_span, NULL,
     PyDoc_STR("With spans=True: (start, end) of the start tag, comment, ... in the input."), NULL},
    {"end_tag_span", node_span, NULL, PyDoc_STR("With spans=True: (start, end) of the end tag."),
     (void *)1},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef node_methods[] = {
    {"get", (PyCFunction)(void (*)(void))node_get, METH_FASTCALL,
     PyDoc_STR("get(name, default=None, /)\n\nThe value of an attribute.")},
    {"iter", (PyCFunction)(void (*)(void))node_iter, METH_FASTCALL,
     PyDoc_STR("iter(*tags)\n\nThe node and all below it in tree order; with tags only elements "
               "of these local names.")},
    {"attribute_values", (PyCFunction)(void (*)(void))node_values, METH_FASTCALL,
     PyDoc_STR("attribute_values(tag, name, /)\n\nA list: attribute `name` of all elements `tag` "
               "that have it, in tree order. None as tag: of all elements.")},
    {"serialize", (PyCFunction)(void (*)(void))node_serialize, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("serialize(*, inner=False, scripting=False)\n\nThe node as HTML (outerHTML, or "
               "innerHTML).")},
    {NULL, NULL, 0, NULL}};

static PyType_Slot node_slots[] = {{Py_tp_new, no_new},
                                   {Py_tp_dealloc, node_dealloc},
                                   {Py_tp_richcompare, node_compare},
                                   {Py_tp_hash, node_hash},
                                   {Py_tp_repr, node_repr},
                                   {Py_tp_getset, node_getset},
                                   {Py_tp_methods, node_methods},
                                   {Py_tp_doc, (void *)PyDoc_STR("A node of a Document.")},
                                   {0, NULL}};
PyType_Spec node_spec = {"lanner.Node", sizeof(node_object), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, node_slots};
