/* options.c - the keyword arguments of parse, parse_fragment and Parser. */
#include "binding.h"

#include <string.h>

/* What a keyword sets: a bit (or, negated, its absence), a label, a limit. */
enum option_kind { FLAG, NO_FLAG, LABEL, LIMIT_32, LIMIT_64, MODE, NAMESPACE, IN_FORM, CONTEXT };
typedef struct option_row {
  const char *name;
  Py_ssize_t length; /* of the name */
  enum option_kind kind;
  uint32_t flag;
  size_t offset; /* in lanner_options */
} option_row;

#define ROW(name, kind, flag, offset)                                                              \
  { name, sizeof name - 1, kind, flag, offset }
static const option_row rows[] = {
    ROW("encoding", LABEL, 0, offsetof(lanner_options, encoding)),
    ROW("transport", LABEL, 0, offsetof(lanner_options, transport)),
    ROW("fallback", LABEL, 0, offsetof(lanner_options, fallback)),
    ROW("scripting", FLAG, LANNER_SCRIPTING, 0),
    ROW("shadow_roots", NO_FLAG, LANNER_NO_SHADOW, 0),
    ROW("errors", FLAG, LANNER_ERRORS, 0),
    ROW("spans", FLAG, LANNER_SPANS, 0),
    ROW("srcdoc", FLAG, LANNER_SRCDOC, 0),
    ROW("plaintext", FLAG, LANNER_PLAINTEXT, 0),
    ROW("mode", MODE, 0, 0),
    ROW("max_depth", LIMIT_32, 0, offsetof(lanner_options, limits.depth)),
    ROW("max_nodes", LIMIT_32, 0, offsetof(lanner_options, limits.nodes)),
    ROW("max_attributes", LIMIT_32, 0, offsetof(lanner_options, limits.attributes)),
    ROW("max_errors", LIMIT_32, 0, offsetof(lanner_options, limits.errors)),
    ROW("max_memory", LIMIT_64, 0, offsetof(lanner_options, limits.memory)),
    ROW("max_input", LIMIT_64, 0, offsetof(lanner_options, limits.input)),
    ROW("context", CONTEXT, 0, 0),
    /* Behind it: options of fragments only. */
    ROW("namespace", NAMESPACE, 0, 0),
    ROW("in_form", IN_FORM, 0, 0),
};

/* The text of a str, kept alive by OPTIONS; NULL: an exception is set. */
static const char *hold(parse_options *options, const char *name, PyObject *value,
                        Py_ssize_t *length) {
  if (!PyUnicode_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s must be a str, not %.100s", name, Py_TYPE(value)->tp_name);
    return NULL;
  }
  if (options->held_count == OPTION_STRINGS) { /* C code can give a keyword twice */
    PyErr_Format(PyExc_TypeError, "%s was given twice", name);
    return NULL;
  }
  const char *text = PyUnicode_AsUTF8AndSize(value, length);
  if (!text) return NULL;
  Py_INCREF(value);
  options->held[options->held_count++] = value;
  return text;
}

bool options_set_context(parse_options *options, PyObject *name) {
  Py_ssize_t length;
  const char *text = hold(options, "context", name, &length);
  if (!text) return false;
  if (length == 0) {
    PyErr_SetString(PyExc_ValueError, "context must not be empty");
    return false;
  }
  options->fragment = true;
  options->context.name = text;
  options->context.name_length = (size_t)length;
  return true;
}

static bool set_label(parse_options *options, const option_row *row, PyObject *value) {
  if (value == Py_None) return true;
  Py_ssize_t length;
  const char *text = hold(options, row->name, value, &length);
  if (!text) return false;
  if (strlen(text) != (size_t)length) {
    PyErr_Format(PyExc_ValueError, "%s holds a NUL", row->name);
    return false;
  }
  memcpy((char *)&options->options + row->offset, &text, sizeof text);
  if (row->offset == offsetof(lanner_options, encoding)) options->has_encoding = true;
  return true;
}

/* None: no limit, which is 0 in C; a limit of 0 would allow nothing and is refused. */
static bool set_limit(parse_options *options, const option_row *row, PyObject *value) {
  uint64_t limit = 0, most = row->kind == LIMIT_32 ? UINT32_MAX : UINT64_MAX;
  if (value != Py_None) {
    if (!PyLong_Check(value)) {
      PyErr_Format(PyExc_TypeError, "%s must be an int or None, not %.100s", row->name,
                   Py_TYPE(value)->tp_name);
      return false;
    }
    limit = PyLong_AsUnsignedLongLong(value);
    bool failed = limit == UINT64_MAX && PyErr_Occurred();
    if (failed && !PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
    if (failed || limit == 0 || limit > most) {
      PyErr_Clear();
      PyErr_Format(PyExc_ValueError, "%s must be at least 1 and at most %llu; None: no limit",
                   row->name, (unsigned long long)most);
      return false;
    }
  }
  char *into = (char *)&options->options + row->offset;
  uint32_t narrow = (uint32_t)limit;
  if (row->kind == LIMIT_32)
    memcpy(into, &narrow, sizeof narrow);
  else
    memcpy(into, &limit, sizeof limit);
  return true;
}

/* The index of VALUE in CHOICES; -1: an exception is set. */
static int choose(const char *name, PyObject *value, const char *const choices[3]) {
  if (!PyUnicode_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s must be a str, not %.100s", name, Py_TYPE(value)->tp_name);
    return -1;
  }
  for (int i = 0; i < 3; i++)
    if (PyUnicode_CompareWithASCIIString(value, choices[i]) == 0) return i;
  PyErr_Format(PyExc_ValueError, "%s must be '%s', '%s' or '%s'", name, choices[0], choices[1],
               choices[2]);
  return -1;
}

static bool set_option(parse_options *options, const option_row *row, PyObject *value) {
  static const char *const modes[3] = {"no-quirks", "limited-quirks", "quirks"};
  static const char *const namespaces[3] = {"html", "svg", "mathml"};
  bool truth = false;
  int choice;
  switch (row->kind) {
  case FLAG:
  case NO_FLAG:
    if (!read_flag(value, &truth)) return false;
    if (truth == (row->kind == FLAG))
      options->options.flags |= row->flag;
    else
      options->options.flags &= ~row->flag;
    return true;
  case LABEL: return set_label(options, row, value);
  case LIMIT_32:
  case LIMIT_64: return set_limit(options, row, value);
  case MODE:
    choice = choose(row->name, value, modes);
    if (choice == 1) options->options.flags |= LANNER_IN_LIMITED_QUIRKS;
    if (choice == 2) options->options.flags |= LANNER_IN_QUIRKS;
    return choice >= 0;
  case NAMESPACE:
    choice = choose(row->name, value, namespaces);
    if (choice >= 0) options->context.name_space = (lanner_namespace)choice;
    return choice >= 0;
  case IN_FORM: return read_flag(value, &options->context.in_form);
  case CONTEXT: return value == Py_None || options_set_context(options, value);
  }
  return false;
}

bool options_read(parse_options *options, const char *function, bool fragment,
                  PyObject *const *values, PyObject *names) {
  memset(options, 0, sizeof *options);
  lanner_options_init(&options->options);
  Py_ssize_t count = names ? PyTuple_GET_SIZE(names) : 0;
  const option_row *of_fragments = NULL;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *name = PyTuple_GET_ITEM(names, i);
    const option_row *row = rows, *end = rows + sizeof rows / sizeof *rows;
    while (row < end && (PyUnicode_GET_LENGTH(name) != row->length ||
                         PyUnicode_CompareWithASCIIString(name, row->name) != 0))
      row++;
    if (row == end || (!fragment && row->kind >= NAMESPACE)) {
      PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function, name);
      return false;
    }
    if (row->kind == NAMESPACE || row->kind == IN_FORM) of_fragments = row;
    if (!set_option(options, row, values[i])) return false;
  }
  if (of_fragments) options->of_fragments = of_fragments->name;
  return true;
}

void options_clear(parse_options *options) {
  for (int i = 0; i < options->held_count; i++) Py_DECREF(options->held[i]);
  options->held_count = 0;
}
