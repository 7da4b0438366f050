/* message.c - messages on standard error, and near matches for mistyped words.
 *
 * A message is formatted into one buffer and written by one call, so that lines of several
 * processes or threads do not mix and a strange file name cannot break the line.
 */
#include "message.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void cli_message(const char *format, ...) {
  static const char begin[] = "lanner: ";
  char line[4096];
  memcpy(line, begin, sizeof begin);
  va_list arguments;
  va_start(arguments, format);
  int printed = vsnprintf(line + sizeof begin - 1, sizeof line - sizeof begin, format, arguments);
  va_end(arguments);
  size_t length = printed < 0 ? 0 : (size_t)printed;
  if (length > sizeof line - sizeof begin - 1) length = sizeof line - sizeof begin - 1;
  length += sizeof begin - 1;
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)line[i];
    if (byte < 0x20 || byte == 0x7F) line[i] = '?';
  }
  line[length++] = '\n';
  fwrite(line, 1, length, stderr);
}

/* ASCII only: all names compared here are ASCII, and no locale is asked. */
static unsigned char fold(char c) {
  return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

/* The number of single letters inserted, dropped, changed or swapped between A and B (optimal
 * string alignment), or SIZE_MAX for words too long for a typing error to be found. */
static size_t edit_distance(const char *a, const char *b) {
  enum { LONGEST = 40 };
  size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length > LONGEST || b_length > LONGEST) return SIZE_MAX;
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b_length; j++) last[j] = before[j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      unsigned char x = fold(a[i - 1]), y = fold(b[j - 1]);
      size_t best = last[j - 1] + (x != y);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      if (i > 1 && j > 1 && x == fold(b[j - 2]) && y == fold(a[i - 2]) && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
    }
    size_t *spare = before;
    before = last;
    last = row;
    row = spare;
  }
  return last[b_length];
}

/* NAME begins with WORD, which is long enough to say something. */
static int is_prefix(const char *word, const char *name) {
  size_t i = 0;
  while (word[i] != '\0' && fold(word[i]) == fold(name[i])) i++;
  return word[i] == '\0' && i >= 2;
}

void cli_near_begin(cli_near *near, const char *word) {
  near->word = word;
  near->count = 0;
}

void cli_near_try(cli_near *near, const char *name) {
  size_t distance = is_prefix(near->word, name) ? 1 : edit_distance(near->word, name);
  size_t length = strlen(near->word);
  if (distance > 1 + length / 4) return;
  size_t capacity = sizeof near->best / sizeof near->best[0];
  size_t at = near->count;
  while (at > 0 && near->best[at - 1].distance > distance) at--;
  if (at == capacity) return;
  if (near->count < capacity) near->count++;
  for (size_t i = near->count - 1; i > at; i--) near->best[i] = near->best[i - 1];
  near->best[at].name = name;
  near->best[at].distance = distance;
}

const char *cli_near_text(const cli_near *near, const char *prefix, char *buffer, size_t size) {
  buffer[0] = '\0';
  size_t used = 0;
  for (size_t i = 0; i < near->count; i++) {
    const char *joint = i == 0 ? " (did you mean " : i + 1 == near->count ? " or " : ", ";
    int printed =
        snprintf(buffer + used, size - used, "%s'%s%s'", joint, prefix, near->best[i].name);
    if (printed < 0 || (size_t)printed + 3 > size - used) break;
    used += (size_t)printed;
  }
  if (used > 0) snprintf(buffer + used, size - used, "?)");
  return buffer;
}
