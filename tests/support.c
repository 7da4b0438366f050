/* support.c - see support.h: bytes, files, JSON, input plans. Recorders: record.c. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <execinfo.h>
#endif

void note_failing_call(void) {
#if defined(__GLIBC__)
  enum { DEPTH = 6, KNOWN = 4096 };
  static const void *known[KNOWN]; /* by address */
  const char *path = getenv("LANNER_TEST_SITES");
  void *frames[DEPTH];
  if (!path) return;
  int count = backtrace(frames, DEPTH);
  for (int i = 1; i < count; i++) {
    size_t slot = (uintptr_t)frames[i] % KNOWN;
    if (known[slot] == frames[i]) continue;
    known[slot] = frames[i];
    FILE *file = fopen(path, "a");
    if (!file) continue;
    fprintf(file, "%p\n", frames[i]);
    fclose(file);
  }
#endif
}

static void *must(void *pointer) {
  if (!pointer) {
    fputs("tests: out of memory\n", stderr);
    abort();
  }
  return pointer;
}

void bytes_clear(struct bytes *bytes) {
  bytes->length = 0;
  if (bytes->data) bytes->data[0] = 0;
}

void bytes_free(struct bytes *bytes) {
  free(bytes->data);
  memset(bytes, 0, sizeof *bytes);
}

void bytes_add(struct bytes *bytes, const void *data, size_t length) {
  if (bytes->length + length + 1 > bytes->capacity) {
    bytes->capacity = (bytes->length + length + 1) * 2;
    bytes->data = must(realloc(bytes->data, bytes->capacity));
  }
  if (length) memcpy(bytes->data + bytes->length, data, length);
  bytes->length += length;
  bytes->data[bytes->length] = 0;
}

void bytes_add_text(struct bytes *bytes, const char *text) { bytes_add(bytes, text, strlen(text)); }

void bytes_add_format(struct bytes *bytes, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof text) abort();
  bytes_add(bytes, text, (size_t)length);
}

void bytes_add_quoted(struct bytes *bytes, const char *data, size_t length) {
  bytes_add(bytes, "\"", 1);
  size_t from = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)data[i];
    if (c >= 0x20 && c != 0x7F && c != '"' && c != '\\') continue;
    bytes_add(bytes, data + from, i - from);
    from = i + 1;
    if (c == '"' || c == '\\')
      bytes_add_format(bytes, "\\%c", c);
    else
      bytes_add_format(bytes, "\\x%02X", c);
  }
  bytes_add(bytes, data + from, length - from);
  bytes_add(bytes, "\"", 1);
}

void bytes_add_code_point(struct bytes *bytes, uint32_t code) {
  char out[4];
  size_t n;
  if (code < 0x80) {
    out[0] = (char)code;
    n = 1;
  } else if (code < 0x800) {
    out[0] = (char)(0xC0 | code >> 6);
    out[1] = (char)(0x80 | (code & 63));
    n = 2;
  } else if (code < 0x10000) {
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 63));
    out[2] = (char)(0x80 | (code & 63));
    n = 3;
  } else {
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 63));
    out[2] = (char)(0x80 | (code >> 6 & 63));
    out[3] = (char)(0x80 | (code & 63));
    n = 4;
  }
  bytes_add(bytes, out, n);
}

bool bytes_are(const struct bytes *bytes, const char *data, size_t length) {
  return bytes->length == length && (length == 0 || memcmp(bytes->data, data, length) == 0);
}

bool string_is(lanner_string string, const char *text) {
  return string.data && string.length == strlen(text) &&
         memcmp(string.data, text, string.length) == 0;
}

bool bytes_equal(const struct bytes *a, const struct bytes *b) {
  return bytes_are(a, b->data, b->length);
}

static char *static_buffer(void) {
  static char buffers[4][1024];
  static unsigned next;
  return buffers[next++ % 4];
}

const char *shown(const char *data, size_t length) {
  enum { MOST = 300 };
  char *out = static_buffer(), *to = out;
  size_t i = 0;
  for (; i < length && i < MOST && to - out < 900; i++) {
    unsigned char c = (unsigned char)data[i];
    if (c == '\\') {
      *to++ = '\\';
      *to++ = '\\';
    } else if (c == '\n') {
      *to++ = '\\';
      *to++ = 'n';
    } else if (c < 0x20 || c == 0x7F) {
      to += snprintf(to, 8, "\\x%02X", c);
    } else {
      *to++ = (char)c;
    }
  }
  if (i < length)
    snprintf(to, 40, "... (%zu bytes)", length);
  else
    *to = 0;
  return out;
}

const char *difference(const struct bytes *a, const struct bytes *b) {
  size_t i = 0;
  while (i < a->length && i < b->length && a->data[i] == b->data[i]) i++;
  size_t from = i > 60 ? i - 60 : 0;
  size_t a_end = i + 90 < a->length ? i + 90 : a->length;
  size_t b_end = i + 90 < b->length ? i + 90 : b->length;
  char *out = static_buffer();
  snprintf(out, 1024, "first difference at byte %zu:\n  got      %.450s\n  expected %.450s", i,
           a->data ? shown(a->data + from, a_end - from) : "",
           b->data ? shown(b->data + from, b_end - from) : "");
  return out;
}

bool read_file(const char *path, struct bytes *into) {
  bytes_clear(into);
  bytes_add(into, "", 0);
  FILE *file = fopen(path, "rb");
  if (!file) return TEST_CHECK_MSG(false, "%s: %s", path, strerror(errno));
  char block[65536];
  size_t got;
  while ((got = fread(block, 1, sizeof block, file)) > 0) bytes_add(into, block, got);
  bool good = !ferror(file);
  fclose(file);
  return TEST_CHECK_MSG(good, "%s: cannot be read", path);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names list_folder(const char *folder, const char *suffix) {
  struct names names = {NULL, 0};
  DIR *open = opendir(folder);
  if (!open) {
    TEST_CHECK_MSG(false, "%s: %s", folder, strerror(errno));
    return names;
  }
  struct dirent *entry;
  size_t capacity = 0, tail = strlen(suffix);
  while ((entry = readdir(open)) != NULL) {
    size_t length = strlen(entry->d_name);
    if (entry->d_name[0] == '.' || length < tail || strcmp(entry->d_name + length - tail, suffix))
      continue;
    if (names.count == capacity) {
      capacity = capacity * 2 + 64;
      names.items = must(realloc(names.items, capacity * sizeof *names.items));
    }
    names.items[names.count++] = must(strdup(entry->d_name));
  }
  closedir(open);
  if (names.count) qsort(names.items, names.count, sizeof *names.items, by_name);
  TEST_CHECK_MSG(names.count > 0, "%s: nothing ends in %s", folder, suffix);
  return names;
}

void names_free(struct names *names) {
  for (size_t i = 0; i < names->count; i++) free(names->items[i]);
  free(names->items);
  names->items = NULL;
  names->count = 0;
}

char *join_path(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = must(malloc(size));
  snprintf(path, size, "%s/%s", folder, name);
  return path;
}

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define UNINSTRUMENTED 1
#endif
#endif

#if defined(UNINSTRUMENTED)
/* MemorySanitizer does not see what jansson, built without it, writes: cleared memory counts as
 * written, and so does the stack that jansson is about to use. */
static void *cleared(size_t size) { return calloc(1, size ? size : 1); }
static __attribute__((__noinline__)) void begin_uninstrumented(void) {
  char below[1 << 16];
  __msan_unpoison(below, sizeof below);
  json_set_alloc_funcs(cleared, free);
}
#else
static void begin_uninstrumented(void) {}
#endif

json_t *load_json(const char *data, size_t length, json_error_t *error) {
  begin_uninstrumented();
  return json_loadb(data, length, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, error);
}

json_t *read_json(const char *path) {
  struct bytes text = {0};
  json_error_t error;
  json_t *json = NULL;
  if (read_file(path, &text)) {
    json = load_json(text.data, text.length, &error);
    TEST_CHECK_MSG(json != NULL, "%s:%d: %s", path, json ? 0 : error.line, json ? "" : error.text);
  }
  bytes_free(&text);
  return json;
}

lanner_string json_text(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  lanner_string text = {NULL, 0};
  if (json_is_string(value)) {
    text.data = json_string_value(value);
    text.length = json_string_length(value);
  }
  return text;
}

bool json_flag(const json_t *object, const char *key, bool otherwise) {
  const json_t *value = json_object_get(object, key);
  return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

void add_decoded_input(struct bytes *into, const char *data, size_t length) {
  if (length >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) bytes_add(into, data, 3);
  bytes_add(into, data, length);
}

void position_start(struct position *position, const char *data, size_t length) {
  position->data = data;
  position->length = length;
  position->offset = length >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  position->line = position->column = 1;
}

void position_seek(struct position *position, size_t offset) {
  const char *data = position->data;
  if (offset < position->offset) position_start(position, data, position->length);
  for (; position->offset < offset && position->offset < position->length; position->offset++) {
    unsigned char c = (unsigned char)data[position->offset];
    if (c == '\n' && position->offset > 0 && data[position->offset - 1] == '\r') continue;
    if (c == '\n' || c == '\r') {
      position->line++;
      position->column = 1;
    } else if ((c & 0xC0) != 0x80) {
      position->column += c >= 0xF0 ? 2 : 1;
    }
  }
}

size_t plan_next(const struct plan *plan, size_t done, size_t length) {
  size_t end = length;
  if (plan->kind == STEPS)
    end = done + plan->at;
  else if (plan->kind == CUT && done < plan->at)
    end = plan->at;
  return end < length ? end : length;
}

bool next_cut(size_t length, uint32_t seed, size_t *state, size_t *cut) {
  enum { SAMPLE = 3 };
  if (length < 2) return false;
  size_t step = ++*state;
  if (test_full_effort() || length <= SAMPLE + 1) {
    *cut = step;
    return step < length;
  }
  uint64_t random = seed + step * UINT64_C(0x9E3779B97F4A7C15);
  *cut = 1 + (size_t)(random_next(&random) % (length - 1));
  return step <= SAMPLE;
}

uint64_t hash_bytes(const void *data, size_t length) {
  const unsigned char *at = data;
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < length; i++) hash = (hash ^ at[i]) * UINT64_C(1099511628211);
  return hash;
}

uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

int write_bytes(void *context, const char *data, size_t length) {
  bytes_add(context, data, length);
  return 0;
}
