/* nomemory.c - for the tests: makes the allocations of Python's three domains fail from a number on. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyMemAllocatorEx originals[3];
static const PyMemAllocatorDomain domains[3] = {PYMEM_DOMAIN_RAW, PYMEM_DOMAIN_MEM,
                                                PYMEM_DOMAIN_OBJ};
static long before_failure; /* allocations that still succeed */
static int once, failed;

static int fails(void) {
  if (before_failure-- > 0) return 0;
  if (once && failed) return 0;
  failed = 1;
  return 1;
}
static void *failing_malloc(void *context, size_t size) {
  PyMemAllocatorEx *original = context;
  return fails() ? NULL : original->malloc(original->ctx, size);
}
static void *failing_calloc(void *context, size_t count, size_t size) {
  PyMemAllocatorEx *original = context;
  return fails() ? NULL : original->calloc(original->ctx, count, size);
}
static void *failing_realloc(void *context, void *pointer, size_t size) {
  PyMemAllocatorEx *original = context;
  return fails() ? NULL : original->realloc(original->ctx, pointer, size);
}
static void plain_free(void *context, void *pointer) {
  PyMemAllocatorEx *original = context;
  original->free(original->ctx, pointer);
}

/* call(function, number, once): calls it with allocation NUMBER failing, or all from it on. Returns
 * (whether one failed, the exception or None). */
static PyObject *call(PyObject *module, PyObject *arguments) {
  PyObject *function;
  long number;
  int only_once;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "Olp", &function, &number, &only_once)) return NULL;
  before_failure = number;
  once = only_once;
  failed = 0;
  for (int i = 0; i < 3; i++) {
    PyMem_GetAllocator(domains[i], &originals[i]);
    PyMemAllocatorEx hook = {&originals[i], failing_malloc, failing_calloc, failing_realloc,
                             plain_free};
    PyMem_SetAllocator(domains[i], &hook);
  }
  PyObject *result = PyObject_CallNoArgs(function);
  for (int i = 0; i < 3; i++) PyMem_SetAllocator(domains[i], &originals[i]);
  if (result) {
    Py_DECREF(result);
    return Py_BuildValue("(OO)", failed ? Py_True : Py_False, Py_None);
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return Py_BuildValue("(ON)", failed ? Py_True : Py_False, value);
}

static PyMethodDef methods[] = {{"call", call, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_nomemory", .m_size = -1, .m_methods = methods};
PyMODINIT_FUNC PyInit__nomemory(void);
PyMODINIT_FUNC PyInit__nomemory(void) { return PyModule_Create(&definition); }
