/* parser.c - lanner.Parser: a page or fragment in pieces. */
#include "binding.h"

#include <string.h>

typedef struct parser_object {
  PyObject_HEAD document_object *document; /* NULL: closed, or it failed */
  parse_options options; /* until the first piece, which says whether it is text */
  bool begun, text, fed;
  bool busy; /* a piece is being parsed without the GIL */
} parser_object;

static PyObject *parser_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  module_state *state = PyType_GetModuleState(type);
  if (PyTuple_GET_SIZE(arguments)) {
    PyErr_SetString(PyExc_TypeError, "Parser() takes keyword arguments only");
    return NULL;
  }
  /* options_read wants what a vector call has: a tuple of names, and the values. They are held: the
   * truth of one may be asked by code that changes the dict. */
  Py_ssize_t count = keywords ? PyDict_GET_SIZE(keywords) : 0, at = 0, i = 0;
  PyObject *names = PyTuple_New(count), *values = names ? PyTuple_New(count) : NULL, *name, *value;
  parser_object *parser = values ? PyObject_New(parser_object, type) : NULL;
  if (!parser) {
    Py_XDECREF(values);
    Py_XDECREF(names);
    return NULL;
  }
  memset((char *)parser + sizeof(PyObject), 0, sizeof *parser - sizeof(PyObject));
  while (keywords && i < count && PyDict_Next(keywords, &at, &name, &value)) {
    Py_INCREF(name);
    PyTuple_SET_ITEM(names, i, name);
    Py_INCREF(value);
    PyTuple_SET_ITEM(values, i++, value);
  }
  bool ok =
      options_read(&parser->options, "Parser", true, ((PyTupleObject *)values)->ob_item, names);
  if (ok && !parser->options.fragment && parser->options.of_fragments) {
    PyErr_Format(PyExc_TypeError, "Parser(): %s needs a context", parser->options.of_fragments);
    ok = false;
  }
  Py_DECREF(values);
  Py_DECREF(names);
  if (ok) parser->document = document_take(state, 0);
  /* Labels that nobody knows are an error here, not at the first piece. */
  if (parser->document) {
    const lanner_options *options = &parser->options.options;
    lanner_status status =
        lanner_parse_begin(parser->document->tree,
                           parser->options.fragment ? &parser->options.context : NULL, options);
    if (status == LANNER_OK) return (PyObject *)parser;
    set_status_error(state, status, parser->document, &parser->options);
  }
  Py_DECREF(parser);
  return NULL;
}

static void parser_dealloc(PyObject *self) {
  parser_object *parser = (parser_object *)self;
  options_clear(&parser->options);
  Py_XDECREF(parser->document);
  free_object(self);
}

/* Whether the parser can take a call. */
static bool parser_ready(parser_object *parser) {
  if (parser->busy)
    PyErr_SetString(PyExc_RuntimeError, "another thread is in this parser");
  else if (!parser->document)
    PyErr_SetString(PyExc_ValueError, "the parser is closed");
  return !parser->busy && parser->document;
}

/* After a failure nothing more can be fed. */
static void parser_fail(parser_object *parser, lanner_status status) {
  document_object *document = parser->document;
  parser->document = NULL;
  set_status_error(document->state, status, document, &parser->options);
  Py_DECREF(document);
}

static lanner_status feed(parser_object *parser, input *in) {
  if (!input_encode(in, true, !parser->fed)) return LANNER_ERROR_MEMORY;
  return lanner_parse_feed(parser->document->tree, in->bytes, in->length);
}

static PyObject *parser_feed(PyObject *self, PyObject *data) {
  parser_object *parser = (parser_object *)self;
  input in;
  lanner_status status = LANNER_OK;
  if (!parser_ready(parser) || !input_open(&in, data)) return NULL;
  if (!parser_ready(parser)) { /* getting a buffer may run code */
    input_close(&in);
    return NULL;
  }
  if (parser->begun && in.text != parser->text) {
    PyErr_SetString(PyExc_TypeError, "pieces must be all str or all bytes-like");
    input_close(&in);
    return NULL;
  }
  if (in.text && !parser->begun) {
    if (parser->options.has_encoding) {
      PyErr_SetString(PyExc_ValueError, "a str is decoded already: encoding is for bytes");
      input_close(&in);
      return NULL;
    }
    parser->options.options.encoding = "utf-8";
    status = lanner_parse_begin(parser->document->tree,
                                parser->options.fragment ? &parser->options.context : NULL,
                                &parser->options.options);
  }
  parser->begun = true;
  parser->text = parser->document->from_str = in.text;
  bool empty = in.object ? PyUnicode_GET_LENGTH(in.object) == 0 : in.length == 0;
  if (status == LANNER_OK && !empty) {
    parser->busy = true;
    Py_BEGIN_ALLOW_THREADS status = feed(parser, &in);
    Py_END_ALLOW_THREADS parser->busy = false;
    parser->fed = true;
  }
  input_close(&in);
  if (status == LANNER_OK) Py_RETURN_NONE;
  parser_fail(parser, status);
  return NULL;
}

static PyObject *parser_close(PyObject *self, PyObject *unused) {
  parser_object *parser = (parser_object *)self;
  lanner_status status;
  (void)unused;
  if (!parser_ready(parser)) return NULL;
  parser->busy = true;
  Py_BEGIN_ALLOW_THREADS status = lanner_parse_end(parser->document->tree);
  Py_END_ALLOW_THREADS parser->busy = false;
  if (status != LANNER_OK) {
    parser_fail(parser, status);
    return NULL;
  }
  PyObject *document = (PyObject *)parser->document;
  parser->document = NULL;
  return document;
}

static PyMethodDef parser_methods[] = {
    {"feed", parser_feed, METH_O,
     PyDoc_STR(
         "feed($self, data, /)\n--\n\nParses the next piece: str or bytes-like, cut anywhere.")},
    {"close", parser_close, METH_NOARGS,
     PyDoc_STR("close($self, /)\n--\n\nEnds the input and returns the Document.")},
    {NULL, NULL, 0, NULL}};

static PyType_Slot parser_slots[] = {
    {Py_tp_new, parser_new},
    {Py_tp_dealloc, parser_dealloc},
    {Py_tp_methods, parser_methods},
    {Py_tp_doc, (void *)PyDoc_STR("Parses a page in pieces, or a fragment with context=NAME. "
                                  "The options are those of parse() and parse_fragment().")},
    {0, NULL}};
PyType_Spec parser_spec = {"lanner.Parser", sizeof(parser_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, parser_slots};
