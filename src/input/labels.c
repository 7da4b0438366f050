/* labels.c - names and labels of encodings, and which one a label or a hint means. */
#include "input/bytes.h"

_Static_assert(ENC_LABEL_COUNT == LANNER_LABEL_COUNT, "the header states the number of labels");
_Static_assert(sizeof enc_names / sizeof *enc_names == LANNER_ENCODING_END, "enumeration");

INLINE bool enc_is_space(byte b) {
  return b == ' ' || b == '\t' || b == '\n' || b == '\f' || b == '\r';
}

INLINE byte enc_lower(byte b) { return b >= 'A' && b <= 'Z' ? (byte)(b | 0x20) : b; }

/* Whether LENGTH bytes at P are WORD (lower case), in any ASCII case. */
static bool enc_is_word(const byte *p, size_t length, const char *word) {
  for (size_t i = 0; i < length; i++) {
    if (!word[i] || enc_lower(p[i]) != (byte)word[i]) return false;
  }
  return !word[length];
}

lanner_encoding lanner_encoding_for_label(const char *label, size_t length) {
  const byte *p = (const byte *)label;
  while (length && enc_is_space(*p)) p++, length--;
  while (length && enc_is_space(p[length - 1])) length--;
  if (length == 0 || length > ENC_LABEL_LONGEST) return LANNER_ENCODING_NONE;
  /* What a short page is asked for most, without a search. */
  if (length == 5 && memcmp(p, "utf-8", 5) == 0) return LANNER_ENCODING_UTF_8;
  char lower[ENC_LABEL_LONGEST];
  for (size_t i = 0; i < length; i++) lower[i] = (char)enc_lower(p[i]);
  size_t low = enc_label_first[length], high = enc_label_first[length + 1];
  const char *text = enc_label_text + enc_label_start[length];
  for (size_t first = low; low < high;) {
    size_t middle = (low + high) / 2;
    int order = memcmp(lower, text + (middle - first) * (length + 1), length);
    if (order == 0) return (lanner_encoding)enc_label_encoding[middle];
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return LANNER_ENCODING_NONE;
}

const char *lanner_encoding_name(lanner_encoding encoding) {
  return (unsigned)encoding < LANNER_ENCODING_END ? enc_names[encoding] : NULL;
}

const char *lanner_encoding_label(size_t i, lanner_encoding *encoding) {
  if (i >= ENC_LABEL_COUNT) return NULL;
  size_t length = 1;
  while (enc_label_first[length + 1] <= i) length++;
  if (encoding) *encoding = (lanner_encoding)enc_label_encoding[i];
  return enc_label_text + enc_label_start[length] + (i - enc_label_first[length]) * (length + 1);
}

lanner_encoding lanner_encoding_for_output(lanner_encoding encoding) {
  switch (encoding) {
  case LANNER_ENCODING_REPLACEMENT:
  case LANNER_ENCODING_UTF_16BE:
  case LANNER_ENCODING_UTF_16LE: return LANNER_ENCODING_UTF_8;
  default: return encoding;
  }
}

lanner_encoding lanner_encoding_for_bom(const void *bytes, size_t length, size_t *mark) {
  const byte *p = bytes;
  size_t n = 0;
  lanner_encoding encoding = LANNER_ENCODING_NONE;
  if (length >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF) {
    n = 3, encoding = LANNER_ENCODING_UTF_8;
  } else if (length >= 2 && p[0] == 0xFE && p[1] == 0xFF) {
    n = 2, encoding = LANNER_ENCODING_UTF_16BE;
  } else if (length >= 2 && p[0] == 0xFF && p[1] == 0xFE) {
    n = 2, encoding = LANNER_ENCODING_UTF_16LE;
  }
  if (mark) *mark = n;
  return encoding;
}

/* Locale names have an underscore where language tags have a hyphen. */
INLINE byte enc_hint_byte(char c) { return c == '_' ? '-' : enc_lower((byte)c); }

lanner_encoding lanner_encoding_for_hint(const char *hint, size_t length) {
  /* The longest entry that is HINT or ends where a subtag of it ends. */
  size_t best = 0;
  lanner_encoding encoding = LANNER_ENCODING_WINDOWS_1252;
  for (size_t i = 0; i < sizeof enc_hints / sizeof *enc_hints; i++) {
    const char *text = enc_hints[i].text;
    size_t n = strlen(text), same = 0;
    if (n <= best || n > length) continue;
    while (same < n && enc_hint_byte(hint[same]) == (byte)text[same]) same++;
    if (same < n || (n < length && enc_hint_byte(hint[n]) != '-')) continue;
    best = n;
    encoding = (lanner_encoding)enc_hints[i].encoding;
  }
  return encoding;
}

lanner_encoding lanner_encoding_for_content_type(const char *value, size_t length) {
  const byte *p = (const byte *)value, *end = p + length;
  while (p < end && *p != ';') p++;
  while (p < end) {
    p++; /* the semicolon */
    while (p < end && enc_is_space(*p)) p++;
    const byte *name = p;
    while (p < end && *p != ';' && *p != '=') p++;
    size_t name_length = (size_t)(p - name);
    if (p == end || *p == ';') continue;
    p++;
    const byte *start = p;
    if (p < end && *p == '"') {
      start = ++p;
      while (p < end && *p != '"') p++;
    } else {
      while (p < end && *p != ';') p++;
    }
    size_t value_length = (size_t)(p - start);
    while (p < end && *p != ';') p++;
    if (enc_is_word(name, name_length, "charset")) {
      return lanner_encoding_for_label((const char *)start, value_length);
    }
  }
  return LANNER_ENCODING_NONE;
}

/* --- near matches --- */

#define ENC_SUGGEST_LONGEST 32

/* Letters and digits of a label in lower case; 0: too long. */
static size_t enc_plain_label(const char *label, size_t length, byte *plain) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    byte b = enc_lower((byte)label[i]);
    if ((b < 'a' || b > 'z') && (b < '0' || b > '9')) continue;
    if (n == ENC_SUGGEST_LONGEST) return 0;
    plain[n++] = b;
  }
  return n;
}

/* How many insertions, deletions, changes and swaps of neighbours lead from A to B. */
static unsigned enc_distance(const byte *a, size_t a_length, const byte *b, size_t b_length) {
  unsigned rows[3][ENC_SUGGEST_LONGEST + 1];
  unsigned *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b_length; j++) last[j] = (unsigned)j;
  for (size_t i = 1; i <= a_length; i++) {
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= b_length; j++) {
      unsigned best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < best) {
        best = before[j - 2] + 1;
      }
      row[j] = best;
    }
    unsigned *spare = before;
    before = last;
    last = row;
    row = spare;
  }
  return last[b_length];
}

size_t lanner_encoding_suggest(const char *label, size_t length, const char *suggestions[],
                               size_t max) {
  byte wanted[ENC_SUGGEST_LONGEST], plain[ENC_SUGGEST_LONGEST];
  size_t wanted_length = enc_plain_label(label, length, wanted);
  if (wanted_length == 0) return 0;
  /* The best label of each encoding, by distance. */
  unsigned distance[LANNER_ENCODING_END];
  size_t best[LANNER_ENCODING_END];
  unsigned limit = wanted_length < 6 ? 2 : wanted_length < 9 ? 3 : (unsigned)wanted_length / 3;
  for (size_t i = 0; i < LANNER_ENCODING_END; i++) distance[i] = limit + 1;
  for (size_t i = 0; i < ENC_LABEL_COUNT; i++) {
    lanner_encoding encoding;
    const char *text = lanner_encoding_label(i, &encoding);
    size_t n = enc_plain_label(text, strlen(text), plain);
    unsigned d = enc_distance(wanted, wanted_length, plain, n);
    if (d < distance[encoding]) distance[encoding] = d, best[encoding] = i;
  }
  size_t count = 0;
  for (unsigned d = 0; d <= limit; d++) {
    for (size_t i = 1; i < LANNER_ENCODING_END && count < max; i++) {
      if (distance[i] == d) suggestions[count++] = lanner_encoding_label(best[i], NULL);
    }
  }
  return count;
}
