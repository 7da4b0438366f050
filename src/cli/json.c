/* json.c - the streaming JSON writer; json.h says why it exists.
 *
 * Strings are written in runs: only a quote, a backslash, a control character or a byte that is
 * not UTF-8 interrupts a run. Runs are found 16 bytes at a time where SSE2 is there.
 */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

void cli_json_begin(cli_json *json, lanner_write write, void *context) {
  json->write = write;
  json->context = context;
  json->memory = NULL;
  json->comma = false;
  json->failed = false;
}

void cli_json_begin_memory(cli_json *json, cli_buffer *memory) {
  cli_json_begin(json, cli_buffer_write, memory);
  json->memory = memory;
}

static void put(cli_json *json, const char *data, size_t length) {
  cli_buffer *memory = json->memory;
  if (memory != NULL && length <= memory->capacity - memory->length && !memory->failed) {
    if (length > 0) memcpy(memory->data + memory->length, data, length);
    memory->length += length;
    return;
  }
  if (length > 0 && !json->failed) json->failed = json->write(json->context, data, length) != 0;
}

/* Whatever begins a value. */
static void begin_value(cli_json *json, const char *data, size_t length) {
  if (json->comma) put(json, ",", 1);
  put(json, data, length);
}

static void whole_value(cli_json *json, const char *data, size_t length) {
  begin_value(json, data, length);
  json->comma = true;
}

void cli_json_open_object(cli_json *json) {
  begin_value(json, "{", 1);
  json->comma = false;
}

void cli_json_close_object(cli_json *json) {
  put(json, "}", 1);
  json->comma = true;
}

void cli_json_open_array(cli_json *json) {
  begin_value(json, "[", 1);
  json->comma = false;
}

void cli_json_close_array(cli_json *json) {
  put(json, "]", 1);
  json->comma = true;
}

void cli_json_key(cli_json *json, const char *name) {
  begin_value(json, "\"", 1);
  put(json, name, strlen(name));
  put(json, "\":", 2);
  json->comma = false;
}

void cli_json_key_string(cli_json *json, const char *name, size_t length) {
  cli_json_string(json, name, length);
  put(json, ":", 1);
  json->comma = false;
}

/* The length of the UTF-8 character at P (at most LEFT bytes); 0 when it is none (overlong forms,
 * surrogates and numbers above U+10FFFF are none). */
static size_t character_length(const unsigned char *p, size_t left) {
  if (p[0] < 0x80) return 1;
  size_t length = p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
  if (length == 0 || length > left) return 0;
  unsigned low = 0x80, high = 0xBF;
  if (p[0] == 0xE0) low = 0xA0;
  if (p[0] == 0xED) high = 0x9F;
  if (p[0] == 0xF0) low = 0x90;
  if (p[0] == 0xF4) high = 0x8F;
  if (p[1] < low || p[1] > high) return 0;
  for (size_t i = 2; i < length; i++)
    if ((p[i] & 0xC0) != 0x80) return 0;
  return length;
}

static void put_escape(cli_json *json, unsigned char byte) {
  static const char named[] = "\bb\tt\nn\ff\rr\"\"\\\\";
  for (size_t i = 0; i < sizeof named - 1; i += 2) {
    if ((unsigned char)named[i] != byte) continue;
    const char escape[2] = {'\\', named[i + 1]};
    put(json, escape, sizeof escape);
    return;
  }
  char escape[8];
  snprintf(escape, sizeof escape, "\\u%04x", (unsigned)byte);
  put(json, escape, 6);
}

/* How many bytes at the front of P go out as they are; with ASCII_ONLY, bytes from 0x80 up do not. */
static size_t plain_run(const unsigned char *p, size_t length, bool ascii_only) {
  size_t i = 0;
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1F);
  for (; length - i >= 16; i += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
    __m128i stop = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
    stop = _mm_or_si128(stop, _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes));
    unsigned mask = (unsigned)_mm_movemask_epi8(stop);
    if (ascii_only) mask |= (unsigned)_mm_movemask_epi8(bytes);
    if (mask != 0) return i + (size_t)__builtin_ctz(mask);
  }
#endif
  while (i < length && p[i] >= 0x20 && p[i] != '"' && p[i] != '\\' && (p[i] < 0x80 || !ascii_only))
    i++;
  return i;
}

void cli_json_string_part(cli_json *json, const char *data, size_t length) {
  const unsigned char *p = (const unsigned char *)data;
  size_t run = 0, i = 0;
  while (i < length) {
    i += plain_run(p + i, length - i, true);
    if (i == length) break;
    size_t step = p[i] < 0x80 ? 0 : character_length(p + i, length - i);
    if (step > 0) {
      i += step;
      continue;
    }
    put(json, data + run, i - run);
    if (p[i] < 0x80)
      put_escape(json, p[i]);
    else
      put(json, "\xEF\xBF\xBD", 3);
    run = ++i;
  }
  put(json, data + run, i - run);
}

void cli_json_utf8(cli_json *json, const char *data, size_t length) {
  const unsigned char *p = (const unsigned char *)data;
  cli_json_open_string(json);
  for (size_t i = 0; i < length; i++) {
    size_t run = plain_run(p + i, length - i, false);
    put(json, data + i, run);
    i += run;
    if (i < length) put_escape(json, p[i]);
  }
  cli_json_close_string(json);
}

void cli_json_open_string(cli_json *json) { begin_value(json, "\"", 1); }

void cli_json_close_string(cli_json *json) {
  put(json, "\"", 1);
  json->comma = true;
}

void cli_json_string(cli_json *json, const char *data, size_t length) {
  cli_json_open_string(json);
  cli_json_string_part(json, data, length);
  cli_json_close_string(json);
}

void cli_json_text(cli_json *json, const char *text) {
  if (text == NULL) {
    cli_json_null(json);
  } else {
    cli_json_string(json, text, strlen(text));
  }
}

void cli_json_unsigned(cli_json *json, uint64_t number) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
  whole_value(json, digits, (size_t)length);
}

void cli_json_signed(cli_json *json, int64_t number) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRId64, number);
  whole_value(json, digits, (size_t)length);
}

void cli_json_real(cli_json *json, double number, int decimals) {
  char digits[400];
  if (!isfinite(number)) {
    cli_json_null(json);
    return;
  }
  int length = snprintf(digits, sizeof digits, "%.*f", decimals < 0 ? 0 : decimals, number);
  whole_value(json, digits, (size_t)length < sizeof digits ? (size_t)length : sizeof digits - 1);
}

void cli_json_bool(cli_json *json, bool value) {
  if (value) {
    whole_value(json, "true", 4);
  } else {
    whole_value(json, "false", 5);
  }
}

void cli_json_null(cli_json *json) { whole_value(json, "null", 4); }

void cli_json_end_line(cli_json *json) {
  put(json, "\n", 1);
  json->comma = false;
}
