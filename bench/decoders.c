/* decoders.c - the decoders against iconv of the C library, on the same pages in one run.
 *
 *   decoders [-r ROUNDS] PAGE...
 *
 * The encoding of a page is the label that its file name begins with. The pages of an encoding are
 * decoded to UTF-8 one after another, often enough for a round to last, by either side in turn; the
 * best round of each counts. Where iconv has no table of the same repertoire it gets the nearest;
 * what it refuses is skipped a byte at a time, with a U+FFFD written, and counted. Byte order marks
 * are kept. Prints a line an encoding, the smallest ratio first, then those that no page is in.
 */
#define _POSIX_C_SOURCE 200809L
#include "lanner_encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUND_BYTES = 4 << 20, MOST_PAGES = 1000 };

typedef struct page {
  char *bytes;
  size_t length;
  lanner_encoding encoding;
} page;

typedef struct row {
  const char *name, *other;
  size_t pages, bytes, refused;
  double ours, theirs; /* seconds for BYTES, best */
} row;

static page pages[MOST_PAGES];
static size_t page_count;
static char *text; /* room for the largest page decoded */
static size_t room;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* iconv's name for the web's encodings that it calls otherwise. */
static const char *iconv_name(lanner_encoding encoding) {
  switch (encoding) {
  case LANNER_ENCODING_ISO_8859_8_I: return "ISO-8859-8";
  case LANNER_ENCODING_BIG5: return "BIG5-HKSCS";
  case LANNER_ENCODING_EUC_KR: return "UHC";
  case LANNER_ENCODING_SHIFT_JIS: return "CP932";
  case LANNER_ENCODING_EUC_JP: return "EUC-JP-MS";
  case LANNER_ENCODING_WINDOWS_874: return "CP874";
  case LANNER_ENCODING_X_MAC_CYRILLIC: return "MAC-CYRILLIC";
  default: return lanner_encoding_name(encoding);
  }
}

/* The longest beginning of a file's name, up to a '-', that is a label. */
static lanner_encoding encoding_of(const char *path) {
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  for (size_t n = strlen(name); n > 0; n--) {
    if (name[n] != '-') continue;
    lanner_encoding encoding = lanner_encoding_for_label(name, n);
    if (encoding != LANNER_ENCODING_NONE) return encoding;
  }
  return LANNER_ENCODING_NONE;
}

static int read_page(const char *path) {
  page *p = &pages[page_count];
  p->encoding = encoding_of(path);
  if (p->encoding == LANNER_ENCODING_NONE) {
    printf("%s: its name begins with no label, left out\n", path);
    return 0;
  }
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) return -1;
  long length = ftell(file);
  if (length < 0) return -1;
  rewind(file);
  p->length = (size_t)length;
  p->bytes = malloc(p->length + 1);
  if (!p->bytes || fread(p->bytes, 1, p->length, file) != p->length) return -1;
  fclose(file);
  if (lanner_decode_bound(p->length) > room) room = lanner_decode_bound(p->length);
  page_count++;
  return 0;
}

/* Seconds for REPEATS times all pages in ENCODING. */
static double time_ours(lanner_encoding encoding, size_t repeats) {
  double start = now();
  for (size_t repeat = 0; repeat < repeats; repeat++)
    for (size_t i = 0; i < page_count; i++)
      if (pages[i].encoding == encoding)
        lanner_decode_whole(encoding, LANNER_BOM_KEEP, pages[i].bytes, pages[i].length, text, room);
  return now() - start;
}

static double time_theirs(iconv_t converter, lanner_encoding encoding, size_t repeats,
                          size_t *refused) {
  *refused = 0;
  double start = now();
  for (size_t repeat = 0; repeat < repeats; repeat++) {
    for (size_t i = 0; i < page_count; i++) {
      if (pages[i].encoding != encoding) continue;
      char *in = pages[i].bytes, *out = text;
      size_t left = pages[i].length, space = room;
      iconv(converter, NULL, NULL, NULL, NULL);
      while (iconv(converter, &in, &left, &out, &space) == (size_t)-1 && errno != E2BIG && left) {
        memcpy(out, "\xEF\xBF\xBD", 3);
        in++, left--, out += 3, space -= 3;
        (*refused)++;
      }
    }
  }
  *refused /= repeats;
  return now() - start;
}

static int smaller_ratio(const void *a, const void *b) {
  const row *x = a, *y = b;
  double left = x->theirs / x->ours, right = y->theirs / y->ours;
  return (left > right) - (left < right);
}

static int compare(lanner_encoding encoding, int rounds, row *result) {
  for (size_t i = 0; i < page_count; i++) {
    if (pages[i].encoding != encoding) continue;
    result->pages++;
    result->bytes += pages[i].length;
  }
  if (result->bytes == 0) return 0;
  result->name = lanner_encoding_name(encoding);
  result->other = iconv_name(encoding);
  iconv_t converter = iconv_open("UTF-8", result->other);
  if (converter == (iconv_t)-1) {
    fprintf(stderr, "iconv does not have %s\n", result->other);
    return -1;
  }
  size_t repeats = ROUND_BYTES / result->bytes + 1;
  for (int round = 0; round < rounds; round++) {
    double ours = time_ours(encoding, repeats) / (double)repeats;
    double theirs = time_theirs(converter, encoding, repeats, &result->refused) / (double)repeats;
    if (round == 0 || ours < result->ours) result->ours = ours;
    if (round == 0 || theirs < result->theirs) result->theirs = theirs;
  }
  iconv_close(converter);
  return 1;
}

int main(int count, char **arguments) {
  int rounds = 10, first = 1;
  if (count > 2 && strcmp(arguments[1], "-r") == 0) {
    rounds = atoi(arguments[2]);
    first = 3;
  }
  if (first >= count || rounds < 1 || count - first > MOST_PAGES) {
    fprintf(stderr, "usage: decoders [-r ROUNDS] PAGE... (at most %d)\n", MOST_PAGES);
    return 2;
  }
  for (int i = first; i < count; i++) {
    if (read_page(arguments[i]) == 0) continue;
    fprintf(stderr, "%s: cannot be read\n", arguments[i]);
    return 1;
  }
  text = malloc(room);
  if (!text) return 1;
  memset(text, 0, room);
  row rows[LANNER_ENCODING_END];
  memset(rows, 0, sizeof rows);
  size_t used = 0;
  char without[1000] = "";
  for (int e = LANNER_ENCODING_UTF_8; e < LANNER_ENCODING_END; e++) {
    int got = compare((lanner_encoding)e, rounds, &rows[used]);
    if (got < 0) return 1;
    if (got > 0) {
      used++;
    } else {
      size_t end = strlen(without);
      snprintf(without + end, sizeof without - end, " %s",
               lanner_encoding_name((lanner_encoding)e));
    }
  }
  qsort(rows, used, sizeof rows[0], smaller_ratio);
  printf("%-16s %5s %9s %9s %9s %6s   %-12s %s\n", "encoding", "pages", "bytes", "MB/s", "iconv",
         "ratio", "iconv's name", "refused");
  for (size_t i = 0; i < used; i++) {
    const row *r = &rows[i];
    double megabytes = (double)r->bytes / 1e6;
    printf("%-16s %5zu %9zu %9.0f %9.0f %6.1f   %-12s %zu\n", r->name, r->pages, r->bytes,
           megabytes / r->ours, megabytes / r->theirs, r->theirs / r->ours, r->other, r->refused);
  }
  printf("no pages in:%s\n", without);
  return 0;
}
