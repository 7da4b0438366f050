/* encoding_reference.c - see encoding_reference.h. */
#include "encoding_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- indexes --- */

struct index {
  char name[32];
  uint32_t *cells;
  size_t count;
};
static struct index indexes[40];
static size_t index_count;

const uint32_t *reference_index(const char *name, size_t *count) {
  for (size_t i = 0; i < index_count; i++) {
    if (strcmp(indexes[i].name, name) == 0) {
      *count = indexes[i].count;
      return indexes[i].cells;
    }
  }
  char rel[64];
  snprintf(rel, sizeof rel, "encoding/index-%s.txt", name);
  char *path = test_shared_path(rel);
  if (!path) return NULL;
  struct bytes text = {0};
  bool ok = read_file(path, &text);
  free(path);
  if (!ok || index_count == sizeof indexes / sizeof *indexes) return NULL;
  struct index *index = &indexes[index_count++];
  snprintf(index->name, sizeof index->name, "%s", name);
  index->count = 0;
  index->cells = calloc(24000, sizeof *index->cells);
  if (!index->cells) abort();
  for (char *line = text.data; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    unsigned pointer, code;
    if (*line != '#' && sscanf(line, " %u 0x%x", &pointer, &code) == 2 && pointer < 24000) {
      index->cells[pointer] = code;
      index->count = pointer + 1;
    }
  }
  bytes_free(&text);
  *count = index->count;
  return index->cells;
}

void reference_free(void) {
  while (index_count) free(indexes[--index_count].cells);
}

/* --- the machinery of the Standard: a queue of bytes, handlers --- */

enum { END = -1 };                                 /* end-of-queue */
enum { CONTINUE = -1, ERROR = -2, FINISHED = -3 }; /* besides a code point */

struct reader {
  const unsigned char *bytes;
  size_t length, at;
  const uint32_t *index, *index2;
  size_t count, count2;
  const uint32_t *ranges; /* pairs */
  bool big_endian;
  int lead, second, third; /* the Standard's variables, 0 when unset */
  bool jis0212, flag;
  int state, output_state;
  int32_t extra; /* a second code point to give, or 0 */
};

static int next(struct reader *r) {
  int b = r->at < r->length ? r->bytes[r->at] : END;
  r->at++;
  return b;
}

static void restore(struct reader *r, size_t count) { r->at -= count; }

static int32_t look_up(const uint32_t *index, size_t count, long pointer) {
  return pointer >= 0 && (size_t)pointer < count ? (int32_t)index[pointer] : 0;
}

static bool within(int b, int low, int high) { return b >= low && b <= high; }

static int32_t single_byte(struct reader *r) {
  int b = next(r);
  if (b == END) return FINISHED;
  if (b < 0x80) return b;
  int32_t code = look_up(r->index, r->count, b - 0x80);
  return code ? code : ERROR;
}

static int32_t range_code(struct reader *r, uint32_t pointer) {
  if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) return 0;
  if (pointer == 7457) return 0xE7C7;
  const uint32_t *best = r->ranges;
  for (const uint32_t *p = r->ranges; p[1]; p += 2) {
    if (p[0] <= pointer) best = p;
  }
  return (int32_t)(best[1] + pointer - best[0]);
}

static int32_t gb18030(struct reader *r) {
  int b = next(r);
  if (b == END) {
    if (!r->lead && !r->second && !r->third) return FINISHED;
    r->lead = r->second = r->third = 0;
    return ERROR;
  }
  if (r->third) {
    int first = r->lead, second = r->second, third = r->third;
    if (!within(b, 0x30, 0x39)) {
      restore(r, 3);
      r->lead = r->second = r->third = 0;
      return ERROR;
    }
    r->lead = r->second = r->third = 0;
    int32_t code = range_code(r, (uint32_t)((first - 0x81) * 12600 + (second - 0x30) * 1260 +
                                            (third - 0x81) * 10 + b - 0x30));
    return code ? code : ERROR;
  }
  if (r->second) {
    if (within(b, 0x81, 0xFE)) {
      r->third = b;
      return CONTINUE;
    }
    restore(r, 2);
    r->lead = r->second = 0;
    return ERROR;
  }
  if (r->lead) {
    if (within(b, 0x30, 0x39)) {
      r->second = b;
      return CONTINUE;
    }
    int lead = r->lead, offset = b < 0x7F ? 0x40 : 0x41;
    r->lead = 0;
    int32_t code = 0;
    if (within(b, 0x40, 0x7E) || within(b, 0x80, 0xFE)) {
      code = look_up(r->index, r->count, (lead - 0x81) * 190 + b - offset);
    }
    if (code) return code;
    if (b < 0x80) restore(r, 1);
    return ERROR;
  }
  if (b < 0x80) return b;
  if (b == 0x80) return 0x20AC;
  if (b == 0xFF) return ERROR;
  r->lead = b;
  return CONTINUE;
}

/* The end of Big5, EUC-KR, EUC-JP and Shift_JIS alike: END, and a first byte. */
static int32_t first_of_two(struct reader *r, int b, bool is_lead) {
  if (b == END) {
    bool unfinished = r->lead != 0;
    r->lead = 0;
    return unfinished ? ERROR : FINISHED;
  }
  if (b < 0x80) return b;
  if (!is_lead) return ERROR;
  r->lead = b;
  return CONTINUE;
}

static int32_t second_of_two(struct reader *r, int b, int32_t code) {
  r->lead = 0;
  if (code) return code;
  if (b < 0x80) restore(r, 1);
  return ERROR;
}

static int32_t big5(struct reader *r) {
  int b = next(r);
  if (!r->lead || b == END) return first_of_two(r, b, within(b, 0x81, 0xFE));
  int32_t code = 0;
  if (within(b, 0x40, 0x7E) || within(b, 0xA1, 0xFE)) {
    long pointer = (r->lead - 0x81) * 157 + b - (b < 0x7F ? 0x40 : 0x62);
    code = look_up(r->index, r->count, pointer);
    if (pointer == 1133 || pointer == 1135) code = 0xCA;
    if (pointer == 1164 || pointer == 1166) code = 0xEA;
    if (pointer == 1133 || pointer == 1164) r->extra = 0x304;
    if (pointer == 1135 || pointer == 1166) r->extra = 0x30C;
  }
  return second_of_two(r, b, code);
}

static int32_t euc_kr(struct reader *r) {
  int b = next(r);
  if (!r->lead || b == END) return first_of_two(r, b, within(b, 0x81, 0xFE));
  int32_t code = 0;
  if (within(b, 0x41, 0xFE)) code = look_up(r->index, r->count, (r->lead - 0x81) * 190 + b - 0x41);
  return second_of_two(r, b, code);
}

static int32_t euc_jp(struct reader *r) {
  int b = next(r);
  if (b != END && r->lead == 0x8E && within(b, 0xA1, 0xDF)) {
    r->lead = 0;
    return 0xFF61 - 0xA1 + b;
  }
  if (b != END && r->lead == 0x8F && within(b, 0xA1, 0xFE)) {
    r->jis0212 = true;
    r->lead = b;
    return CONTINUE;
  }
  if (!r->lead || b == END) {
    return first_of_two(r, b, b == 0x8E || b == 0x8F || within(b, 0xA1, 0xFE));
  }
  int32_t code = 0;
  if (within(r->lead, 0xA1, 0xFE) && within(b, 0xA1, 0xFE)) {
    long pointer = (r->lead - 0xA1) * 94 + b - 0xA1;
    code =
        r->jis0212 ? look_up(r->index2, r->count2, pointer) : look_up(r->index, r->count, pointer);
  }
  r->jis0212 = false;
  return second_of_two(r, b, code);
}

static int32_t shift_jis(struct reader *r) {
  int b = next(r);
  if (!r->lead || b == END) {
    if (b == 0x80) return b;
    if (within(b, 0xA1, 0xDF)) return 0xFF61 - 0xA1 + b;
    return first_of_two(r, b, within(b, 0x81, 0x9F) || within(b, 0xE0, 0xFC));
  }
  int32_t code = 0;
  if (within(b, 0x40, 0x7E) || within(b, 0x80, 0xFC)) {
    long pointer = (r->lead - (r->lead < 0xA0 ? 0x81 : 0xC1)) * 188 + b - (b < 0x7F ? 0x40 : 0x41);
    if (pointer >= 8836 && pointer <= 10715) {
      code = (int32_t)(0xE000 - 8836 + pointer);
    } else {
      code = look_up(r->index, r->count, pointer);
    }
  }
  return second_of_two(r, b, code);
}

enum { ASCII, ROMAN, KATAKANA, LEAD, TRAIL, ESCAPE_START, ESCAPE };

static int32_t iso_2022_jp(struct reader *r) {
  int b = next(r);
  if (b == 0x1B && r->state < TRAIL) {
    r->state = ESCAPE_START;
    return CONTINUE;
  }
  switch (r->state) {
  case ASCII:
  case ROMAN:
    if (b == END) return FINISHED;
    r->flag = false;
    if (b >= 0x80 || b == 0x0E || b == 0x0F) return ERROR;
    if (r->state == ROMAN && b == 0x5C) return 0xA5;
    if (r->state == ROMAN && b == 0x7E) return 0x203E;
    return b;
  case KATAKANA:
    if (b == END) return FINISHED;
    r->flag = false;
    return within(b, 0x21, 0x5F) ? 0xFF61 - 0x21 + b : ERROR;
  case LEAD:
    if (b == END) return FINISHED;
    r->flag = false;
    if (!within(b, 0x21, 0x7E)) return ERROR;
    r->lead = b;
    r->state = TRAIL;
    return CONTINUE;
  case TRAIL:
    if (b == 0x1B) {
      r->state = ESCAPE_START;
      return ERROR;
    }
    r->state = LEAD;
    if (within(b, 0x21, 0x7E)) {
      int32_t code = look_up(r->index, r->count, (r->lead - 0x21) * 94 + b - 0x21);
      return code ? code : ERROR;
    }
    if (b == END) restore(r, 1);
    return ERROR;
  case ESCAPE_START:
    if (b == 0x24 || b == 0x28) {
      r->lead = b;
      r->state = ESCAPE;
      return CONTINUE;
    }
    restore(r, 1);
    r->flag = false;
    r->state = r->output_state;
    return ERROR;
  default: {
    int state = -1;
    if (r->lead == 0x28 && b == 0x42) state = ASCII;
    if (r->lead == 0x28 && b == 0x4A) state = ROMAN;
    if (r->lead == 0x28 && b == 0x49) state = KATAKANA;
    if (r->lead == 0x24 && (b == 0x40 || b == 0x42)) state = LEAD;
    if (state >= 0) {
      bool flag = r->flag;
      r->state = r->output_state = state;
      r->flag = true;
      return flag ? ERROR : CONTINUE;
    }
    restore(r, 2);
    r->flag = false;
    r->state = r->output_state;
    return ERROR;
  }
  }
}

static int32_t utf_8(struct reader *r) {
  int b = next(r), needed, low = 0x80, high = 0xBF;
  if (b == END) return FINISHED;
  if (b < 0x80) return b;
  if (within(b, 0xC2, 0xDF)) {
    needed = 1;
  } else if (within(b, 0xE0, 0xEF)) {
    needed = 2;
    if (b == 0xE0) low = 0xA0;
    if (b == 0xED) high = 0x9F;
  } else if (within(b, 0xF0, 0xF4)) {
    needed = 3;
    if (b == 0xF0) low = 0x90;
    if (b == 0xF4) high = 0x8F;
  } else {
    return ERROR;
  }
  int32_t code = b & (0x3F >> needed);
  for (; needed; needed--, low = 0x80, high = 0xBF) {
    b = next(r);
    if (!within(b, low, high)) {
      restore(r, 1);
      return ERROR;
    }
    code = code << 6 | (b & 0x3F);
  }
  return code;
}

static int32_t utf_16(struct reader *r) {
  int first = next(r), second = next(r);
  if (first == END) return FINISHED;
  if (second == END) return ERROR;
  int32_t unit = r->big_endian ? first << 8 | second : second << 8 | first;
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF) return ERROR;
  first = next(r), second = next(r);
  if (first == END || second == END) {
    r->at = r->length;
    return ERROR;
  }
  int32_t trail = r->big_endian ? first << 8 | second : second << 8 | first;
  if (trail >= 0xDC00 && trail <= 0xDFFF) {
    return 0x10000 + ((unit - 0xD800) << 10) + (trail - 0xDC00);
  }
  restore(r, 2);
  return ERROR;
}

static int32_t user_defined(struct reader *r) {
  int b = next(r);
  return b == END ? FINISHED : b < 0x80 ? b : 0xF780 + b - 0x80;
}

static int32_t replacement(struct reader *r) {
  if (next(r) == END) return FINISHED;
  r->at = r->length;
  return ERROR;
}

/* The pairs of index-gb18030-ranges.txt, ended by zeros. */
static bool read_ranges(uint32_t *pairs, size_t room) {
  char *path = test_shared_path("encoding/index-gb18030-ranges.txt");
  struct bytes text = {0};
  if (!path || !read_file(path, &text)) return false;
  free(path);
  size_t n = 0;
  for (char *line = text.data; line && n + 4 <= room; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (*line != '#' && sscanf(line, " %u 0x%x", &pairs[n], &pairs[n + 1]) == 2) n += 2;
  }
  pairs[n] = pairs[n + 1] = 0;
  bytes_free(&text);
  return true;
}

bool reference_decode(const char *name, const unsigned char *bytes, size_t length,
                      struct bytes *out) {
  static const struct {
    const char *name, *index;
    int32_t (*step)(struct reader *r);
  } kinds[] = {
      {"UTF-8", NULL, utf_8},
      {"GBK", "gb18030", gb18030},
      {"gb18030", "gb18030", gb18030},
      {"Big5", "big5", big5},
      {"EUC-JP", "jis0208", euc_jp},
      {"ISO-2022-JP", "jis0208", iso_2022_jp},
      {"Shift_JIS", "jis0208", shift_jis},
      {"EUC-KR", "euc-kr", euc_kr},
      {"replacement", NULL, replacement},
      {"UTF-16BE", NULL, utf_16},
      {"UTF-16LE", NULL, utf_16},
      {"x-user-defined", NULL, user_defined},
  };
  struct reader r = {.bytes = bytes, .length = length};
  int32_t (*step)(struct reader *) = single_byte;
  char lower[32];
  snprintf(lower, sizeof lower, "%s", strcmp(name, "ISO-8859-8-I") == 0 ? "iso-8859-8" : name);
  for (char *p = lower; *p; p++) *p = (char)(*p >= 'A' && *p <= 'Z' ? *p | 0x20 : *p);
  const char *index = lower;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].name, name) == 0) step = kinds[i].step, index = kinds[i].index;
  }
  if (index && !(r.index = reference_index(index, &r.count))) return false;
  if (step == euc_jp && !(r.index2 = reference_index("jis0212", &r.count2))) return false;
  uint32_t pairs[512];
  if (step == gb18030 && !read_ranges(pairs, sizeof pairs / sizeof *pairs)) return false;
  r.ranges = pairs;
  r.big_endian = strcmp(name, "UTF-16BE") == 0;
  for (int32_t code; (code = step(&r)) != FINISHED;) {
    if (code == CONTINUE) continue;
    bytes_add_code_point(out, code == ERROR ? 0xFFFD : (uint32_t)code);
    if (r.extra) bytes_add_code_point(out, (uint32_t)r.extra);
    r.extra = 0;
  }
  return true;
}
