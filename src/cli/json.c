/* json.c - the streaming JSON writer; json.h says why it exists.
 *
 * Strings are written in runs: only a quote, a backslash, a control character or a byte that is
 * not UTF-8 interrupts a run.
 */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void cli_json_begin(cli_json *json, lanner_write write, void *context) {
  json->write = write;
  json->context = context;
  json->comma = false;
  json->failed = false;
}

static void put(cli_json *json, const char *data, size_t length) {
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
  cli_json_key_string(json, name, strlen(name));
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

void cli_json_string_part(cli_json *json, const char *data, size_t length) {
  const unsigned char *p = (const unsigned char *)data;
  size_t run = 0, i = 0;
  while (i < length) {
    if (p[i] < 0x20 || p[i] == '"' || p[i] == '\\') {
      put(json, data + run, i - run);
      put_escape(json, p[i]);
      run = ++i;
      continue;
    }
    size_t step = character_length(p + i, length - i);
    if (step == 0) {
      put(json, data + run, i - run);
      put(json, "\xEF\xBF\xBD", 3);
      run = ++i;
      continue;
    }
    i += step;
  }
  put(json, data + run, i - run);
}

void cli_json_open_string(cli_json *json) {
  begin_value(json, "\"", 1);
}

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

void cli_json_null(cli_json *json) {
  whole_value(json, "null", 4);
}

void cli_json_end_line(cli_json *json) {
  put(json, "\n", 1);
  json->comma = false;
}
