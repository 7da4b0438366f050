/* module.c - the module lanner._lanner: its types, exceptions and constants. All state is the
 * module's, none the process's, so each interpreter has its own.
 */
#include "binding.h"

PyObject *no_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  (void)arguments, (void)keywords;
  PyErr_Format(PyExc_TypeError, "cannot create '%.100s' objects: parse() makes them",
               type->tp_name);
  return NULL;
}

static PyStructSequence_Field link_fields[] = {
    {"node", PyDoc_STR("the element")},
    {"element", PyDoc_STR("its local name")},
    {"attribute", PyDoc_STR("the attribute's qualified name")},
    {"value", PyDoc_STR("the URL as it stands there")},
    {"rel", PyDoc_STR("the rel attribute or None")},
    {"text", PyDoc_STR("with text=True: the link's text, whitespace collapsed")},
    {NULL, NULL}};
static PyStructSequence_Desc link_desc = {"lanner.Link", PyDoc_STR("A reference in a page."),
                                          link_fields, 6};
static PyStructSequence_Field page_error_fields[] = {
    {"code", PyDoc_STR("the Standard's name, or Lanner's own (tree-...)")},
    {"offset", PyDoc_STR("in bytes of the input, 0-based; of a str: of its UTF-8")},
    {"line", PyDoc_STR("1-based")},
    {"column", PyDoc_STR("1-based, in UTF-16 code units")},
    {"is_standard", PyDoc_STR("the Standard names this code")},
    {NULL, NULL}};
static PyStructSequence_Desc page_error_desc = {
    "lanner.PageError", PyDoc_STR("A parse error of a page."), page_error_fields, 5};

static bool make_strings(PyObject **into, const char *const *names, int count) {
  for (int i = 0; i < count; i++) {
    into[i] = PyUnicode_InternFromString(names[i]);
    if (!into[i]) return false;
  }
  return true;
}
static PyTypeObject *make_type(PyObject *module, PyType_Spec *spec) {
  PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
  if (type && PyModule_AddType(module, type) < 0) Py_CLEAR(type);
  return type;
}
static PyTypeObject *make_row_type(PyObject *module, PyStructSequence_Desc *desc) {
  PyTypeObject *type = PyStructSequence_NewType(desc);
  if (type && PyModule_AddType(module, type) < 0) Py_CLEAR(type);
  return type;
}
static PyObject *make_exception(PyObject *module, const char *name, const char *doc, PyObject *base,
                                PyObject *other) {
  PyObject *bases = other ? PyTuple_Pack(2, base, other) : PyTuple_Pack(1, base);
  PyObject *error = bases ? PyErr_NewExceptionWithDoc(name, doc, bases, NULL) : NULL;
  Py_XDECREF(bases);
  if (error && PyModule_AddType(module, (PyTypeObject *)error) < 0) Py_CLEAR(error);
  return error;
}

static int module_exec(PyObject *module) {
  static const char *const kinds[] = {
      "none",    "element",  "text",    "comment", "processing-instruction",
      "doctype", "document", "fragment"};
  static const char *const namespaces[] = {"html", "svg", "mathml"};
  static const char *const modes[] = {"no-quirks", "limited-quirks", "quirks"};
  module_state *state = PyModule_GetState(module);
  bool ok = make_strings(state->kinds, kinds, LANNER_FRAGMENT + 1) &&
            make_strings(state->namespaces, namespaces, 3) && make_strings(state->modes, modes, 3);
  ok = ok && (state->document = make_type(module, &document_spec)) &&
       (state->node = make_type(module, &node_spec)) &&
       (state->iterator = make_type(module, &iterator_spec)) &&
       (state->parser = make_type(module, &parser_spec)) &&
       (state->link = make_row_type(module, &link_desc)) &&
       (state->page_error = make_row_type(module, &page_error_desc));
  ok = ok &&
       (state->error = make_exception(module, "lanner.LannerError",
                                      "What this module raises itself.", PyExc_Exception, NULL)) &&
       (state->limit_error = make_exception(
            module, "lanner.LimitError",
            "max_nodes, max_memory or max_input stopped a parse. document: what was built so far.",
            state->error, NULL)) &&
       (state->encoding_error = make_exception(
            module, "lanner.EncodingError", "An encoding that the Encoding Standard does not know.",
            state->error, PyExc_LookupError));
  ok = ok && PyObject_SetAttrString(state->limit_error, "document", Py_None) == 0;
  PyObject *version = ok ? PyUnicode_FromFormat("%d.%d.%d", LANNER_VERSION_MAJOR,
                                                LANNER_VERSION_MINOR, LANNER_VERSION_PATCH)
                         : NULL;
  ok = version && PyObject_SetAttrString(module, "__version__", version) == 0;
  Py_XDECREF(version);
  ok = ok && PyModule_AddStringConstant(module, "SIMD", lanner_simd()) == 0;
  return ok ? 0 : -1;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg) {
  module_state *state = PyModule_GetState(module);
  Py_VISIT(state->document);
  Py_VISIT(state->node);
  Py_VISIT(state->iterator);
  Py_VISIT(state->parser);
  Py_VISIT(state->link);
  Py_VISIT(state->page_error);
  Py_VISIT(state->error);
  Py_VISIT(state->limit_error);
  Py_VISIT(state->encoding_error);
  return 0;
}
/* Breaks the cycles: only these types refer to the module. Objects that outlive this ask before they
 * make others. */
static int module_clear(PyObject *module) {
  module_state *state = PyModule_GetState(module);
  Py_CLEAR(state->document);
  Py_CLEAR(state->node);
  Py_CLEAR(state->iterator);
  Py_CLEAR(state->parser);
  return 0;
}
static void module_free(void *module) {
  module_state *state = PyModule_GetState(module);
  module_clear(module);
  Py_CLEAR(state->link);
  Py_CLEAR(state->page_error);
  Py_CLEAR(state->error);
  Py_CLEAR(state->limit_error);
  Py_CLEAR(state->encoding_error);
  for (int i = 0; i <= LANNER_FRAGMENT; i++) Py_CLEAR(state->kinds[i]);
  for (int i = 0; i < 3; i++) Py_CLEAR(state->namespaces[i]);
  for (int i = 0; i < 3; i++) Py_CLEAR(state->modes[i]);
  for (int i = 0; i < LANNER_KNOWN_NAMES; i++) Py_CLEAR(state->names[i]);
  while (state->spare_count) lanner_document_free(state->spares[--state->spare_count]);
}

static PyMethodDef module_methods[] = {
    {"parse", (PyCFunction)(void (*)(void))module_parse, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("parse(data, **options)\n\nParses a whole page, str or bytes-like, and returns its "
               "Document.")},
    {"parse_fragment", (PyCFunction)(void (*)(void))module_parse_fragment,
     METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("parse_fragment(data, context='div', *, namespace='html', in_form=False, "
               "**options)\n\nParses a fragment as the children of an element `context`.")},
    {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
#ifdef Py_mod_multiple_interpreters /* 3.12 */
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL}};
static PyModuleDef module_def = {PyModuleDef_HEAD_INIT, "lanner._lanner", "The C part of lanner.",
                                 sizeof(module_state),  module_methods,   module_slots,
                                 module_traverse,       module_clear,     module_free};

PyMODINIT_FUNC PyInit__lanner(void);
PyMODINIT_FUNC PyInit__lanner(void) { return PyModuleDef_Init(&module_def); }
