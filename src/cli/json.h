/* json.h - a JSON writer that streams.
 *
 * Values go out as they are named; nothing is kept but "does a comma come first". The library
 * jansson was weighed: it builds each value in memory before it writes it, which a token stream or
 * a 100 MB text node must not cost. The output is valid UTF-8 whatever comes in: U+0000 is
 * \u0000, bytes that are not UTF-8 (file names, HTTP headers) become U+FFFD.
 */
#ifndef LANNER_CLI_JSON_H
#define LANNER_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lanner.h"
#include "output.h"

typedef struct cli_json {
  lanner_write write; /* or, when MEMORY is not NULL, straight into that */
  void *context;
  cli_buffer *memory;
  bool comma;  /* a value stands before the next one */
  bool failed; /* WRITE answered with non-zero; nothing more is written */
} cli_json;

void cli_json_begin(cli_json *json, lanner_write write, void *context);
/* Writes into MEMORY: several times as fast as by way of a function. */
void cli_json_begin_memory(cli_json *json, cli_buffer *memory);

void cli_json_open_object(cli_json *json);
void cli_json_close_object(cli_json *json);
void cli_json_open_array(cli_json *json);
void cli_json_close_array(cli_json *json);
/* The name of the next value of an object: a name of ours, with nothing to escape. */
void cli_json_key(cli_json *json, const char *name);
/* The same for any name. */
void cli_json_key_string(cli_json *json, const char *name, size_t length);

void cli_json_string(cli_json *json, const char *data, size_t length);
/* A string that is known to be valid UTF-8: what comes out of the library. */
void cli_json_utf8(cli_json *json, const char *data, size_t length);
/* A string, or null when TEXT is NULL. */
void cli_json_text(cli_json *json, const char *text);
void cli_json_unsigned(cli_json *json, uint64_t number);
void cli_json_signed(cli_json *json, int64_t number);
/* With DECIMALS digits behind the point; null for infinities and NaN. */
void cli_json_real(cli_json *json, double number, int decimals);
void cli_json_bool(cli_json *json, bool value);
void cli_json_null(cli_json *json);

/* A string in parts, each of whole characters. */
void cli_json_open_string(cli_json *json);
void cli_json_string_part(cli_json *json, const char *data, size_t length);
void cli_json_close_string(cli_json *json);

/* The end of a line of JSON lines: a newline; the next value starts afresh. */
void cli_json_end_line(cli_json *json);

#endif
