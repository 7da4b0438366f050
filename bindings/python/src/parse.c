/* parse.c - lanner.parse and lanner.parse_fragment; documents taken and given back. */
#include "binding.h"

#include <string.h>

/* Below this many bytes a parse takes less than handing the GIL over may cost. */
enum { KEEP_GIL_BYTES = 4096 };

static void *reallocate(void *context, void *pointer, size_t old_size, size_t new_size) {
  (void)context, (void)old_size;
  return PyMem_RawRealloc(pointer, new_size);
}
static void release(void *context, void *pointer, size_t size) {
  (void)context, (void)size;
  PyMem_RawFree(pointer);
}
const lanner_allocator python_allocator = {reallocate, release, NULL};

/* A spare whose memory fits a page of SIZE bytes (0: unknown): a small page that is kept shall not hold
 * what a large one needed. NULL: there is none. */
static lanner_document *take_spare(module_state *state, size_t size) {
  for (int i = 0; i < state->spare_count; i++) {
    lanner_document *tree = state->spares[i];
    if (lanner_document_memory(tree).held / 8 > size + (32 << 10)) continue;
    state->spares[i] = state->spares[--state->spare_count];
    return tree;
  }
  return NULL;
}

document_object *document_take(module_state *state, size_t size) {
  if (!state->document) { /* the interpreter is being taken down */
    PyErr_SetString(PyExc_RuntimeError, "the module lanner is gone");
    return NULL;
  }
  document_object *document = PyObject_New(document_object, state->document);
  if (!document) return NULL;
  document->state = state;
  document->text = NULL;
  document->text_size = 0;
  document->from_str = false;
  document->tree = take_spare(state, size);
  if (!document->tree) document->tree = lanner_document_new(&python_allocator);
  if (!document->tree) {
    Py_DECREF(document);
    PyErr_NoMemory();
    return NULL;
  }
  return document;
}

void document_drop(document_object *document) {
  module_state *state = document->state;
  lanner_document *tree = document->tree;
  if (tree && state->document && state->spare_count < SPARES &&
      lanner_document_memory(tree).held <= SPARE_BYTES) {
    lanner_document_reset(tree);
    state->spares[state->spare_count++] = tree;
  } else {
    lanner_document_free(tree);
  }
  PyMem_RawFree(document->text);
}

/* "The limits max_nodes and max_memory stopped the parse at byte 17". */
static void set_limit_error(module_state *state, document_object *document) {
  static const struct {
    uint32_t limit;
    const char *name;
  } stops[] = {{LANNER_LIMIT_NODES, "max_nodes"},
               {LANNER_LIMIT_MEMORY, "max_memory"},
               {LANNER_LIMIT_INPUT, "max_input"}};
  const char *name = "a limit";
  uint64_t offset = 0;
  uint32_t struck = document ? lanner_document_limits(document->tree) : 0;
  for (int i = 2; i >= 0; i--)
    if (struck & stops[i].limit) {
      name = stops[i].name;
      offset = lanner_document_limit_offset(document->tree, stops[i].limit);
    }
  PyObject *message =
      PyUnicode_FromFormat("%s stopped the parse at byte %llu", name, (unsigned long long)offset);
  PyObject *error = message ? PyObject_CallOneArg(state->limit_error, message) : NULL;
  PyObject *built = document ? (PyObject *)document : Py_None;
  if (error && PyObject_SetAttrString(error, "document", built) == 0)
    PyErr_SetObject(state->limit_error, error);
  Py_XDECREF(message);
  Py_XDECREF(error);
}

void set_status_error(module_state *state, lanner_status status, document_object *document,
                      const parse_options *options) {
  switch (status) {
  case LANNER_ERROR_MEMORY: PyErr_NoMemory(); return;
  case LANNER_ERROR_LIMIT: set_limit_error(state, document); return;
  case LANNER_ERROR_ENCODING: {
    const char *encoding = options ? options->options.encoding : NULL;
    const char *fallback = options ? options->options.fallback : NULL;
    bool first = encoding && (!fallback || lanner_encoding_for_label(encoding, strlen(encoding)) ==
                                               LANNER_ENCODING_NONE);
    PyErr_Format(state->encoding_error, "unknown encoding: '%s'",
                 first      ? encoding
                 : fallback ? fallback
                            : "");
    return;
  }
  case LANNER_ERROR_TOO_LARGE:
    PyErr_Format(PyExc_ValueError, "input above %lu bytes", (unsigned long)LANNER_MAX_INPUT);
    return;
  default: PyErr_SetString(state->error, lanner_status_text(status)); return;
  }
}

/* Encodes and parses; with the GIL or without. */
static lanner_status run(document_object *document, input *in, parse_options *options) {
  if (!input_encode(in, false, true)) return LANNER_ERROR_MEMORY;
  lanner_options *given = &options->options;
  uint64_t most = given->limits.input;
  /* What is cut off may be half a character. */
  if (most && in->length > most) in->flags = 0;
  given->flags |= in->flags;
  if (options->fragment)
    return lanner_parse_fragment(document->tree, &options->context, in->bytes, in->length, given);
  return lanner_parse(document->tree, in->bytes, in->length, given);
}

static PyObject *parse(PyObject *module, PyObject *data, parse_options *options) {
  module_state *state = PyModule_GetState(module);
  input in;
  lanner_status status;
  if (!input_open(&in, data)) return NULL;
  if (in.text && options->has_encoding) {
    PyErr_SetString(PyExc_ValueError, "a str is decoded already: encoding is for bytes");
    input_close(&in);
    return NULL;
  }
  if (in.text) options->options.encoding = "utf-8";
  size_t size = in.object ? (size_t)PyUnicode_GET_LENGTH(in.object) : in.length;
  document_object *document = document_take(state, size);
  if (!document) {
    input_close(&in);
    return NULL;
  }
  if (size < KEEP_GIL_BYTES) {
    status = run(document, &in, options);
  } else {
    Py_BEGIN_ALLOW_THREADS status = run(document, &in, options);
    Py_END_ALLOW_THREADS
  }
  document->from_str = in.text;
  if (in.flags & LANNER_INPUT_PADDED) { /* the tree points into it */
    document->text = in.block;
    document->text_size = in.block_size;
    in.block = NULL;
  }
  input_close(&in);
  if (status == LANNER_OK) return (PyObject *)document;
  set_status_error(state, status, document, options);
  Py_DECREF(document);
  return NULL;
}

PyObject *module_parse(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *names) {
  parse_options options;
  PyObject *document = NULL;
  if (count != 1) {
    PyErr_Format(PyExc_TypeError, "parse() takes 1 positional argument (data), %zd were given",
                 count);
    return NULL;
  }
  if (options_read(&options, "parse", false, arguments + count, names))
    document = parse(module, arguments[0], &options);
  options_clear(&options);
  return document;
}

PyObject *module_parse_fragment(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                                PyObject *names) {
  parse_options options;
  PyObject *document = NULL;
  if (count != 1 && count != 2) {
    PyErr_Format(
        PyExc_TypeError,
        "parse_fragment() takes 1 or 2 positional arguments (data, context), %zd were given",
        count);
    return NULL;
  }
  bool ok = options_read(&options, "parse_fragment", true, arguments + count, names);
  if (ok && count == 2) {
    if (options.fragment)
      PyErr_SetString(PyExc_TypeError, "parse_fragment() got two values for context");
    ok = !options.fragment && options_set_context(&options, arguments[1]);
  }
  if (ok) {
    if (!options.fragment) {
      options.fragment = true;
      options.context.name = "div";
      options.context.name_length = 3;
    }
    document = parse(module, arguments[0], &options);
  }
  options_clear(&options);
  return document;
}
