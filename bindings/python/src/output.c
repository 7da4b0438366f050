/* output.c - serialization to str and bytes. */
#include "binding.h"

#include <string.h>

int output_write(void *context, const char *data, size_t length) {
  output *out = context;
  if (length > out->capacity - out->length) {
    size_t capacity = out->capacity ? out->capacity : 1024;
    while (capacity - out->length < length) {
      if (capacity > PY_SSIZE_T_MAX / 2) return 1;
      capacity *= 2;
    }
    char *grown = PyMem_RawRealloc(out->data, capacity);
    if (!grown) return 1;
    out->data = grown;
    out->capacity = capacity;
  }
  memcpy(out->data + out->length, data, length);
  out->length += length;
  return 0;
}

void output_free(output *out) { PyMem_RawFree(out->data); }

PyObject *serialize(document_object *document, lanner_node node, bool bytes, bool outer,
                    PyObject *const *values, PyObject *names) {
  bool inner = !outer, scripting = false;
  Py_ssize_t count = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *name = PyTuple_GET_ITEM(names, i);
    bool *into = outer && PyUnicode_CompareWithASCIIString(name, "inner") == 0 ? &inner
                 : PyUnicode_CompareWithASCIIString(name, "scripting") == 0    ? &scripting
                                                                               : NULL;
    if (!into) {
      PyErr_Format(PyExc_TypeError, "serialize() got an unexpected keyword argument '%U'", name);
      return NULL;
    }
    if (!read_flag(values[i], into)) return NULL;
  }
  /* What has no outside is its children. */
  lanner_kind kind = lanner_node_kind(document->tree, node);
  if (kind == LANNER_DOCUMENT || kind == LANNER_FRAGMENT) inner = true;
  output out = {NULL, 0, 0};
  lanner_status status =
      inner ? lanner_serialize_inner(document->tree, node, scripting, output_write, &out)
            : lanner_serialize_outer(document->tree, node, scripting, output_write, &out);
  PyObject *result = NULL;
  const char *data = out.data ? out.data : "";
  if (status == LANNER_STOPPED)
    PyErr_NoMemory();
  else if (status != LANNER_OK)
    set_status_error(document->state, status, NULL, NULL);
  else
    result = bytes ? PyBytes_FromStringAndSize(data, (Py_ssize_t)out.length)
                   : string_new((lanner_string){data, out.length});
  output_free(&out);
  return result;
}
