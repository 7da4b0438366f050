/* binding.h - what the files of the extension module share.
 *
 * module.c makes the types and exceptions, options.c reads keyword arguments, input.c makes bytes of
 * what Python hands over, parse.c parses whole input, parser.c pieces; document.c, node.c, walk.c and
 * extract.c are what one can ask. All functions run with the GIL held, but for those that say so.
 */
#ifndef LANNER_PYTHON_BINDING_H
#define LANNER_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef LANNER_AMALGAMATED
#include "lanner-amalgamated.h"
#else
#include "lanner.h"
#include "lanner_encoding.h"
#include "lanner_extract.h"
#include "lanner_names.h"
#endif

#if PY_VERSION_HEX < 0x03090000
#error "CPython 3.9 or later"
#endif
#ifndef Py_TPFLAGS_IMMUTABLETYPE /* 3.10 */
#define Py_TPFLAGS_IMMUTABLETYPE 0
#endif

/* Documents of closed pages that wait for the next one: their memory need not be taken from the
 * system again. Larger ones are given back. */
enum { SPARES = 2, SPARE_BYTES = 8 << 20 };

typedef struct module_state {
  PyTypeObject *document, *node, *iterator, *parser;
  PyTypeObject *link, *page_error; /* named tuples */
  PyObject *error, *limit_error, *encoding_error;
  PyObject *kinds[LANNER_FRAGMENT + 1], *namespaces[3], *modes[3];
  PyObject *names[LANNER_KNOWN_NAMES]; /* made when first asked for */
  lanner_document *spares[SPARES];
  int spare_count;
} module_state;

/* Objects reach the module's state through their document: looking it up by type costs more. Their
 * types keep the module alive. */
typedef struct document_object {
  PyObject_HEAD lanner_document *tree;
  module_state *state;
  void *text; /* a str as UTF-8, which the tree's strings point into; NULL: the tree has its own */
  size_t text_size;
  bool from_str;
} document_object;

typedef struct node_object {
  PyObject_HEAD document_object *document;
  lanner_node id;
} node_object;

/* --- memory: Python's raw allocator, which needs no GIL and which tracemalloc sees --- */
extern const lanner_allocator python_allocator;

/* --- options.c --- */
enum { OPTION_STRINGS = 4 }; /* encoding, transport, fallback, context */
typedef struct parse_options {
  lanner_options options;
  bool fragment;
  lanner_context context;
  PyObject *held[OPTION_STRINGS]; /* the strings that options and context point into */
  int held_count;
  bool has_encoding;
  const char *of_fragments; /* the name of an option that only fragments have, if one was given */
} parse_options;

/* Reads keyword arguments (vectorcall: names and values); context is known when FRAGMENT. False:
 * an exception is set. Call options_clear afterwards in both cases. */
bool options_read(parse_options *options, const char *function, bool fragment,
                  PyObject *const *values, PyObject *names);
void options_clear(parse_options *options);
/* The context of a fragment by its name. */
bool options_set_context(parse_options *options, PyObject *name);

/* --- input.c --- */
typedef struct input {
  const void *bytes;
  size_t length;
  PyObject *object; /* str whose characters are read, else NULL */
  Py_buffer view;   /* of a bytes-like object; view.obj NULL: none */
  void *block;      /* our own copy or encoding */
  size_t block_size;
  uint32_t flags; /* LANNER_INPUT_PADDED, LANNER_INPUT_CLEAN */
  bool text;      /* it was a str */
} input;

/* Looks at OBJECT; false: an exception is set, nothing is open. */
bool input_open(input *in, PyObject *object);
/* Makes the bytes; needs no GIL. PIECE: one of several; FIRST: the first of them, or all. False: memory. */
bool input_encode(input *in, bool piece, bool first);
void input_close(input *in);

/* --- parse.c --- */
/* A Document for a page of about SIZE bytes. */
document_object *document_take(module_state *state, size_t size);
void document_drop(document_object *document);
/* Sets an exception for STATUS. DOCUMENT (may be NULL) is what was built, for a LimitError. */
void set_status_error(module_state *state, lanner_status status, document_object *document,
                      const parse_options *options);
PyObject *module_parse(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *names);
PyObject *module_parse_fragment(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                                PyObject *names);

/* --- node.c, walk.c --- */
/* A Node, None for 0. */
PyObject *node_new(document_object *document, lanner_node id);
PyObject *string_new(lanner_string string);
/* The str of a name; one object for each name that the library knows. */
PyObject *name_new(module_state *state, uint32_t id, lanner_string name);
PyObject *walk_new(document_object *document, lanner_node root, bool with_root,
                   PyObject *const *tags, Py_ssize_t count);
PyObject *walk_values(document_object *document, lanner_node root, PyObject *const *arguments,
                      Py_ssize_t count);
PyObject *walk_text(document_object *document, lanner_node root);
PyObject *walk_find_id(document_object *document, lanner_node root, PyObject *wanted);

/* --- output.c --- */
typedef struct output {
  char *data;
  size_t length, capacity;
} output;
int output_write(void *context, const char *data, size_t length);
void output_free(output *out);
PyObject *serialize(document_object *document, lanner_node node, bool bytes, bool outer,
                    PyObject *const *values, PyObject *names);

/* --- extract.c --- */
PyObject *extract_links(document_object *document, bool text);
PyObject *extract_meta(document_object *document);
PyObject *extract_text(document_object *document, uint32_t flags);
PyObject *extract_title(document_object *document);

extern PyType_Spec document_spec, node_spec, iterator_spec, parser_spec;
/* tp_new of types that Python code cannot make objects of. */
PyObject *no_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords);
/* Frees an object of a heap type. */
static inline void free_object(void *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_Free(object);
  Py_DECREF(type);
}
/* The value of a bool keyword argument; false: an exception is set. */
static inline bool read_flag(PyObject *value, bool *into) {
  int truth = PyObject_IsTrue(value);
  *into = truth > 0;
  return truth >= 0;
}

#endif
