/* dat.c - see dat.h. */
#include "dat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  const char *at, *end;
  unsigned line;
};

static lanner_string take_line(struct reader *reader) {
  const char *stop = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
  lanner_string line = {reader->at, (size_t)((stop ? stop : reader->end) - reader->at)};
  reader->at = stop ? stop + 1 : reader->end;
  reader->line++;
  return line;
}

static bool is(lanner_string line, const char *text) {
  return line.length == strlen(text) && memcmp(line.data, text, line.length) == 0;
}

lanner_context context_named(lanner_string text) {
  lanner_context context;
  memset(&context, 0, sizeof context);
  if (text.length > 4 && memcmp(text.data, "svg ", 4) == 0) {
    context.name_space = LANNER_SVG;
    text.data += 4;
    text.length -= 4;
  } else if (text.length > 5 && memcmp(text.data, "math ", 5) == 0) {
    context.name_space = LANNER_MATHML;
    text.data += 5;
    text.length -= 5;
  }
  context.name = text.data;
  context.name_length = text.length;
  context.in_form = is(text, "form") && context.name_space == LANNER_HTML;
  return context;
}

static bool parse_error_line(lanner_string line, struct dat_error *error) {
  char text[256];
  if (line.length >= sizeof text) return false;
  memcpy(text, line.data, line.length);
  text[line.length] = 0;
  unsigned a, b, c, d;
  if (sscanf(text, "(%u:%u-%u:%u) %95s", &a, &b, &c, &d, error->code) == 5) {
    *error = (struct dat_error){a, b, c, d, {0}};
    sscanf(text, "(%*u:%*u-%*u:%*u) %95s", error->code);
    return true;
  }
  if (sscanf(text, "(%u:%u) %95s", &a, &b, error->code) == 3) {
    *error = (struct dat_error){a, b, a, b, {0}};
    sscanf(text, "(%*u:%*u) %95s", error->code);
    return true;
  }
  return false;
}

/* One test, from behind its "#data" line. NULL when all is well, else what is wrong. */
static const char *read_case(struct reader *reader, struct dat_case *test) {
  const char *start = reader->at;
  lanner_string line;
  for (;;) {
    if (reader->at == reader->end) return "no #errors";
    line = take_line(reader);
    if (is(line, "#errors")) break;
  }
  test->data.data = start;
  test->data.length = line.data > start ? (size_t)(line.data - start - 1) : 0;
  bool fresh = false;
  for (;;) {
    if (reader->at == reader->end) return "no #document";
    line = take_line(reader);
    if (is(line, "#document")) break;
    if (is(line, "#new-errors")) {
      fresh = test->has_new_errors = true;
    } else if (is(line, "#script-on")) {
      test->script = 1;
    } else if (is(line, "#script-off")) {
      test->script = -1;
    } else if (is(line, "#document-fragment")) {
      if (reader->at == reader->end) return "no context";
      test->fragment = true;
      test->context = context_named(take_line(reader));
    } else if (line.length) {
      test->error_lines++;
      if (!fresh) continue;
      test->new_errors =
          realloc(test->new_errors, (test->new_error_count + 1) * sizeof *test->new_errors);
      if (!test->new_errors) abort();
      if (!parse_error_line(line, &test->new_errors[test->new_error_count++]))
        return "a #new-errors line without position";
    }
  }
  /* The tree reaches to an empty line in front of the next test, or to the end. */
  test->document.data = reader->at;
  const char *end = reader->end;
  while (reader->at < reader->end) {
    const char *before = reader->at;
    line = take_line(reader);
    if (line.length == 0 && reader->at < reader->end) {
      struct reader ahead = *reader;
      lanner_string next = take_line(&ahead);
      if (is(next, "#data") || is(next, "#description")) {
        end = before;
        break;
      }
    }
  }
  /* At the end of the file an empty line may follow the tree. */
  if (end == reader->end && end - test->document.data >= 2 && end[-1] == '\n' && end[-2] == '\n')
    end--;
  test->document.length = (size_t)(end - test->document.data);
  return NULL;
}

bool dat_read(const char *path, struct dat_file *file) {
  memset(file, 0, sizeof *file);
  if (!read_file(path, &file->text)) return false;
  struct reader reader = {file->text.data, file->text.data + file->text.length, 0};
  size_t capacity = 0;
  while (reader.at < reader.end) {
    lanner_string line = take_line(&reader);
    if (is(line, "#description")) {
      while (reader.at < reader.end && !is(line, "#data")) line = take_line(&reader);
    }
    if (!line.length) continue;
    if (!is(line, "#data"))
      return TEST_CHECK_MSG(false, "%s:%u: no test begins here", path, reader.line);
    if (file->count == capacity) {
      capacity = capacity * 2 + 32;
      file->cases = realloc(file->cases, capacity * sizeof *file->cases);
      if (!file->cases) abort();
    }
    struct dat_case *test = &file->cases[file->count++];
    memset(test, 0, sizeof *test);
    test->line = reader.line;
    const char *wrong = read_case(&reader, test);
    if (wrong) return TEST_CHECK_MSG(false, "%s:%u: %s", path, reader.line, wrong);
  }
  return TEST_CHECK_MSG(file->count > 0, "%s: no tests", path);
}

void dat_free(struct dat_file *file) {
  for (size_t i = 0; i < file->count; i++) free(file->cases[i].new_errors);
  free(file->cases);
  bytes_free(&file->text);
  memset(file, 0, sizeof *file);
}
