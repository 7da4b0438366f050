#define _GNU_SOURCE
#include "pages.h"

#include "contestant.h"

#include <dirent.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>

const char *const group_names[GROUP_COUNT] = {
    "under 2 KB", "2-8 KB",       "8-32 KB",      "32-128 KB",       "128-512 KB", "over 512 KB",
    "text-heavy", "markup-heavy", "script-heavy", "attribute-heavy", "non-Latin",
};
const char *const group_rules[GROUP_COUNT] = {
    "",
    "",
    "",
    "",
    "",
    "",
    "text at least 45% of the bytes",
    "at least 25 tags a KB",
    "script, style and comments at least 60% of the bytes",
    "tags with their attributes at least 70% of the bytes",
    "at least a fifth of the text's bytes beyond U+024F",
};

/* Fresh zeroed memory that does not touch the heap, whose state the contestants' figures depend on; page
 * by page from a part of the address space that was set aside, so that it is in the same place in the
 * process that loads and in those that read. Never given back. */
static char *free_memory, *memory_end;
static char *memory(size_t size) {
  char *block = free_memory;
  size = (size + 4095) & ~(size_t)4095;
  if ((size_t)(memory_end - block) < size) return NULL;
  free_memory += size;
  return block;
}

bool pages_reserve(size_t size) {
  void *block =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) return false;
  free_memory = block;
  memory_end = free_memory + size;
  return true;
}

static const char *copy_of(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = memory(size);
  return copy == NULL ? "" : memcpy(copy, text, size);
}

/* --- encodings ------------------------------------------------------------------------------ */

/* The length of the UTF-8 sequence at P, 0 if there is none. */
static size_t utf8_sequence(const unsigned char *p, size_t left) {
  unsigned lead = p[0];
  if (lead < 0x80) return 1;
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || length > left) return 0;
  for (size_t i = 1; i < length; i++)
    if ((p[i] & 0xC0) != 0x80) return 0;
  if ((lead == 0xE0 && p[1] < 0xA0) || (lead == 0xED && p[1] > 0x9F) ||
      (lead == 0xF0 && p[1] < 0x90) || (lead == 0xF4 && p[1] > 0x8F))
    return 0;
  return length;
}

static bool is_utf8(const char *data, size_t length) {
  const unsigned char *p = (const unsigned char *)data, *end = p + length;
  while (p < end) {
    size_t step = utf8_sequence(p, (size_t)(end - p));
    if (step == 0) return false;
    p += step;
  }
  return true;
}

/* The page's encoding as iconv names it. A rough prescan: it prepares the input of the rows that
 * take UTF-8, whose exact text does not matter as long as it is the same for all. */
static const char *guess_encoding(const char *data, size_t length) {
  if (length >= 2 && memcmp(data, "\xFF\xFE", 2) == 0) return "UTF-16LE";
  if (length >= 2 && memcmp(data, "\xFE\xFF", 2) == 0) return "UTF-16BE";
  static const struct {
    const char *label, *name;
  } known[] = {
      {"windows-1251", "CP1251"},
      {"windows-1250", "CP1250"},
      {"windows-1256", "CP1256"},
      {"iso-8859-2", "ISO-8859-2"},
      {"iso-8859-15", "ISO-8859-15"},
      {"shift_jis", "CP932"},
      {"gb2312", "GB18030"},
      {"gbk", "GB18030"},
      {"euc-kr", "CP949"},
      {"euc-jp", "EUC-JP"},
      {"big5", "BIG5-HKSCS"},
      {"koi8-r", "KOI8-R"},
      {"utf-8", "UTF-8"},
  };
  size_t window = length < 4096 ? length : 4096;
  for (size_t i = 0; i + 8 < window; i++) {
    if (strncasecmp(data + i, "charset=", 8) != 0) continue;
    const char *label = data + i + 8;
    label += strspn(label, "\"' ");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      if (strncasecmp(label, known[k].label, strlen(known[k].label)) == 0) return known[k].name;
    break;
  }
  return "CP1252";
}

/* LENGTH bytes at DATA as UTF-8; what cannot be converted becomes U+FFFD. */
static bool to_utf8(const char *data, size_t length, const char *encoding, bench_page *page) {
  size_t room = 3 * length + CONTESTANT_PADDING + 8;
  char *out = memory(room), *to = out, *from = (char *)(uintptr_t)data;
  iconv_t converter = iconv_open("UTF-8", encoding);
  if (out == NULL || converter == (iconv_t)-1) return false;
  while (length > 0 && iconv(converter, &from, &length, &to, &room) == (size_t)-1 && length > 0) {
    memcpy(to, "\xEF\xBF\xBD", 3);
    to += 3, room -= 3, from++, length--;
  }
  iconv_close(converter);
  page->data = out;
  page->length = (size_t)(to - out);
  return true;
}

static void skip_mark(bench_page *page) {
  if (page->length >= 3 && memcmp(page->data, "\xEF\xBB\xBF", 3) == 0)
    page->data += 3, page->length -= 3;
}

/* --- kinds ---------------------------------------------------------------------------------- */

static bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* The end of a raw text element that begins at P (at its "<"), or NULL if none does. */
static const char *raw_text_end(const char *p, const char *end) {
  static const char *const names[] = {"script", "style"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if ((size_t)(end - p) <= length + 1 || strncasecmp(p + 1, names[i], length) != 0 ||
        is_letter(p[1 + length]))
      continue;
    for (const char *q = p + length; q + length + 2 < end; q++)
      if (q[0] == '<' && q[1] == '/' && strncasecmp(q + 2, names[i], length) == 0) return q;
    return end;
  }
  return NULL;
}

static uint32_t groups_of(const bench_page *page) {
  static const struct {
    size_t limit;
    page_group group;
  } classes[] = {{2048, GROUP_UNDER_2K},   {8192, GROUP_2K_8K},       {32768, GROUP_8K_32K},
                 {131072, GROUP_32K_128K}, {524288, GROUP_128K_512K}, {SIZE_MAX, GROUP_512K_UP}};
  uint32_t groups = 0;
  for (size_t i = 0; groups == 0; i++)
    if (page->length < classes[i].limit) groups = 1u << classes[i].group;

  size_t text = 0, in_tags = 0, raw = 0, tags = 0, far = 0;
  const char *p = page->data, *end = p + page->length;
  while (p < end) {
    if (*p != '<' || p + 1 >= end || !(is_letter(p[1]) || p[1] == '/' || p[1] == '!')) {
      unsigned char byte = (unsigned char)*p++;
      text++;
      if (byte >= 0xC9) far += byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4; /* from U+0240 */
      continue;
    }
    if (p[1] == '!' && end - p > 4 && memcmp(p, "<!--", 4) == 0) {
      const char *close = memmem(p + 4, (size_t)(end - p - 4), "-->", 3);
      close = close == NULL ? end : close + 3;
      raw += (size_t)(close - p);
      p = close;
      continue;
    }
    const char *raw_end = raw_text_end(p, end);
    const char *close = memchr(p, '>', (size_t)(end - p));
    close = close == NULL ? end : close + 1;
    tags++;
    in_tags += (size_t)(close - p);
    p = close;
    if (raw_end != NULL && raw_end > p) {
      raw += (size_t)(raw_end - p);
      p = raw_end;
    }
  }
  size_t all = page->length == 0 ? 1 : page->length;
  if (text * 100 >= all * 45) groups |= 1u << GROUP_TEXT;
  if (tags * 1000 >= all * 25) groups |= 1u << GROUP_MARKUP;
  if (raw * 100 >= all * 60) groups |= 1u << GROUP_SCRIPT;
  if (in_tags * 100 >= all * 70) groups |= 1u << GROUP_ATTRIBUTE;
  if (text > 0 && far * 5 >= text) groups |= 1u << GROUP_NON_LATIN;
  return groups;
}

/* --- loading -------------------------------------------------------------------------------- */

static bool load_file(bench_page *page, const char *path) {
  FILE *file = fopen(path, "rb");
  struct stat status;
  if (file == NULL) return false;
  bool good = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
  if (good) {
    size_t size = (size_t)status.st_size;
    char *data = memory(size + CONTESTANT_PADDING);
    good = data != NULL && fread(data, 1, size, file) == size;
    page->raw = page->data = data;
    page->raw_length = page->length = size;
  }
  fclose(file);
  return good;
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void sum_up(page_set *set) {
  set->bytes = set->raw_bytes = set->longest = 0;
  for (size_t i = 0; i < set->count; i++) {
    set->bytes += set->pages[i].length;
    set->raw_bytes += set->pages[i].raw_length;
    if (set->pages[i].length > set->longest) set->longest = set->pages[i].length;
  }
}

bool pages_load(page_set *set, const char *directory, size_t step) {
  struct dirent **entries;
  int count = scandir(directory, &entries, visible, alphasort);
  if (count < 0) {
    fprintf(stderr, "%s: cannot be read\n", directory);
    return false;
  }
  memset(set, 0, sizeof *set);
  set->pages = (bench_page *)(void *)memory((size_t)count * sizeof(bench_page) + 1);
  if (set->pages == NULL) return false;
  for (int i = 0; i < count; i++) {
    char path[4096];
    bench_page *page = &set->pages[set->count];
    if ((size_t)i % step == 0 &&
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name) < (int)sizeof path &&
        load_file(page, path)) {
      if (!is_utf8(page->data, page->length)) {
        if (!to_utf8(page->raw, page->raw_length, guess_encoding(page->raw, page->raw_length),
                     page))
          return false;
        set->converted++;
      }
      skip_mark(page);
      page->name = copy_of(entries[i]->d_name);
      page->groups = groups_of(page);
      set->count++;
    }
    free(entries[i]);
  }
  free(entries);
  sum_up(set);
  if (set->count == 0) fprintf(stderr, "%s: no pages\n", directory);
  return set->count != 0;
}

/* --- cutting -------------------------------------------------------------------------------- */

/* A fixed sequence: the same pieces in every run. */
static uint64_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

/* A piece of at least MINIMUM bytes of a page of SET: from a start tag outside scripts to behind a
 * ">". Pages are chosen by their length. */
static bool choose_piece(const page_set *set, uint64_t *state, size_t minimum, const char **piece,
                         size_t *length) {
  for (int attempt = 0; attempt < 100; attempt++) {
    uint64_t at = (next_random(state) << 20 ^ next_random(state)) % set->bytes;
    const bench_page *page = set->pages;
    while (at >= page->length) at -= page->length, page++;
    const char *end = page->data + page->length, *p = page->data + at, *q = p;
    while (p < end && !(p[0] == '<' && is_letter(p[1]))) p++;
    if ((size_t)(end - p) < minimum + 1 || p - q > 2000) continue;
    q = memchr(p + minimum - 1, '>', (size_t)(end - p) - minimum + 1);
    if (q == NULL || (size_t)(q - p) > minimum + minimum / 4 + 20) continue;
    /* Not from inside a script: the text of such a piece is not what it was in its page. */
    const char *b = p;
    size_t back = 0;
    while (b > page->data && back < 4000 && !(b[0] == '<' && strncasecmp(b, "<script", 7) == 0) &&
           !(b[0] == '<' && strncasecmp(b, "</script", 8) == 0))
      b--, back++;
    if (strncasecmp(b, "<script", 7) == 0 && b != p) continue;
    *piece = p;
    *length = (size_t)(q + 1 - p);
    return true;
  }
  return false;
}

static bool cut(page_set *set, const page_set *from, size_t count, const char *before,
                const char *after, size_t shortest, size_t longest) {
  uint64_t state = 20260801 + longest;
  size_t room =
      count * (longest + longest / 4 + 64 + strlen(before) + strlen(after) + CONTESTANT_PADDING);
  char *out = memory(room);
  memset(set, 0, sizeof *set);
  set->pages = (bench_page *)(void *)memory(count * sizeof(bench_page) + 1);
  if (out == NULL || set->pages == NULL) return false;
  for (set->count = 0; set->count < count; set->count++) {
    const char *piece;
    size_t length, wanted = shortest + next_random(&state) % (longest - shortest + 1);
    if (!choose_piece(from, &state, wanted, &piece, &length)) break;
    bench_page *page = &set->pages[set->count];
    page->name = "";
    page->data = page->raw = out;
    out = stpcpy(out, before);
    out = mempcpy(out, piece, length);
    out = stpcpy(out, after);
    page->length = page->raw_length = (size_t)(out - page->data);
    out += CONTESTANT_PADDING;
  }
  sum_up(set);
  return set->count == count;
}

bool pages_cut_small(page_set *set, const page_set *from, size_t count) {
  return cut(set, from, count,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>A "
             "page</title>\n</head>\n<body>\n",
             "\n</body>\n</html>\n", 800, 1000);
}

bool pages_cut_fragments(page_set *set, const page_set *from, size_t count) {
  return cut(set, from, count, "", "", 45, 400);
}
