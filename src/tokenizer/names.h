/* names.h - from the bytes of a tag or attribute name to its number.
 *
 * A name of up to 8 bytes is one word, so known names (grammar/elements.txt, attributes.txt) cost a
 * multiplication and one comparison. The name is tried as it stands; only when that fails is it
 * lowercased, in the word, and tried again, so pages in lower case pay nothing for case. Longer names
 * and those that are not in their first slot are looked up out of line. Unknown names are interned in
 * the document.
 */
#ifndef LANNER_TOKENIZER_NAMES_H
#define LANNER_TOKENIZER_NAMES_H

#include "document/store.h"
#include "tokenizer/skip.h"

struct name_words {
  u64 first, second;
};

/* LENGTH bytes (at least 1) in the upper end of one or two words; 16 bytes are read. */
INLINE struct name_words name_words(const byte *name, size_t length) {
  struct name_words w = {load64_little(name), 0};
  if (LIKELY(length <= 8)) {
    w.first <<= 64 - 8 * length;
  } else {
    size_t rest = length > 16 ? 8 : length - 8;
    w.second = load64_little(name + 8) << (64 - 8 * rest);
  }
  return w;
}

INLINE bool known_name_is(u32 id, struct name_words w, const byte *name, size_t length) {
  if (known_name_words[id].first != w.first || known_name_words[id].second != w.second)
    return false;
  if (LIKELY(length <= 16)) return true;
  return KNOWN_NAME_LENGTH(id) == length &&
         memcmp(KNOWN_NAME_AT(id) + 16, name + 16, length - 16) == 0;
}

/* Capital letters become small. */
INLINE u64 lower_word(u64 w) {
  const u64 ones = UINT64_C(0x0101010101010101);
  u64 low = w & 0x7F * ones;
  u64 capital = (low + (0x80 - 'A') * ones) & ~(low + (0x7F - 'Z') * ones) & ~w & 0x80 * ones;
  return w | capital >> 2;
}

/* The name from START to END, 1 to 8 bytes, in the upper end of a word. */
INLINE u64 short_word(const byte *start, const byte *end) {
  size_t bits = (size_t)(start - end) * 8;
#if defined(__GNUC__)
  __asm__("" : "+r"(bits)); /* gcc would mask it, which the shift does by itself */
#endif
  return load64_little(start) << (bits & 63);
}

/* known_KIND_as_is: the number of a name that is known as it stands; 0: it is not. known_KIND: the
 * same, capitals counting as small letters in names of up to 16 bytes; most are in the first slot of
 * their word (short_KIND). */
#define KNOWN_LOOKUP(kind, KIND)                                                                   \
  static u32 known_##kind##_as_is(struct name_words w, const byte *name, size_t length) {          \
    u64 h = (w.first ^ w.second >> 7) * KIND##_HASH_MULTIPLIER;                                    \
    u32 id = kind##_hash_slots[h >> (64 - KIND##_HASH_BITS)];                                      \
    if (known_name_is(id, w, name, length)) return id;                                             \
    id = kind##_hash_slots[h >> (64 - 2 * KIND##_HASH_BITS) & ((1u << KIND##_HASH_BITS) - 1)];     \
    return known_name_is(id, w, name, length) ? id : 0;                                            \
  }                                                                                                \
  INLINE u32 short_##kind(u64 word) {                                                              \
    u32 id = kind##_hash_slots[word * KIND##_HASH_MULTIPLIER >> (64 - KIND##_HASH_BITS)];          \
    if (UNLIKELY(known_short_words[id] != word)) return 0;                                         \
    ASSUME(id != 0); /* no word is 0: the name's last byte stands in its upper end */              \
    return id;                                                                                     \
  }                                                                                                \
  static NOINLINE HOT u32 known_##kind##_slow(const byte *name, size_t length) {                   \
    struct name_words w = name_words(name, length);                                                \
    struct name_words low = {lower_word(w.first), lower_word(w.second)};                           \
    u32 id;                                                                                        \
    if (length <= 8 && low.first != w.first && (id = short_##kind(low.first)) != 0) return id;     \
    id = known_##kind##_as_is(w, name, length);                                                    \
    if (id || length > 16) return id;                                                              \
    if (low.first == w.first && low.second == w.second) return 0;                                  \
    return known_##kind##_as_is(low, name, length);                                                \
  }                                                                                                \
  INLINE u32 known_##kind(const byte *name, size_t length) {                                       \
    if (LIKELY(length <= 8)) {                                                                     \
      u32 id = short_##kind(short_word(name, name + length));                                      \
      if (LIKELY(id)) return id;                                                                   \
    }                                                                                              \
    return known_##kind##_slow(name, length);                                                      \
  }
KNOWN_LOOKUP(tag, TAG)
KNOWN_LOOKUP(attribute, ATTRIBUTE)

/* The number of a known tag name from START to END, which has up to 8 bytes, in any case; 0: it is none,
 * and other bytes than a name's may stand there. */
UNUSED INLINE u32 known_short_tag(const byte *start, const byte *end) {
  if (UNLIKELY((size_t)(end - start) > 8)) return 0;
  u64 word = short_word(start, end);
  u32 id = short_tag(word);
  if (LIKELY(id)) return id;
  u64 lower = lower_word(word);
  return lower != word ? short_tag(lower) : 0;
}

/* The place behind the end tag at TAG ("</" and a letter), if it is that of the known name NAME in any
 * case, up to 8 bytes long, and nothing else stands in it; NULL: it is not. */
INLINE const byte *end_tag_named(const byte *tag, u32 name) {
  const byte *end = tag + 2 + end_tag_words[name].length;
  u64 word = load64_little(tag + 2) << end_tag_words[name].shift;
  if (*end != '>') return NULL;
  if (UNLIKELY(word != end_tag_words[name].word) && lower_word(word) != end_tag_words[name].word)
    return NULL;
  return end + 1;
}

/* Names with capitals, and unknown ones; known names as they stand were looked for already. 8 bytes
 * are read at least. 0: memory is short. */
static NOINLINE u32 name_slow(lanner_document *d, const byte *name, size_t length,
                              bool is_attribute) {
  u32 at, id = 0;
  byte *copy;
  u64 capitals = 0;
  size_t last = length < 8 ? 0 : length - 8; /* where the last word begins */
  for (size_t i = 0;; i = i + 8 < last ? i + 8 : last) {
    u64 word = load64_little(name + i);
    if (length < 8) word <<= 64 - 8 * length;
    capitals |= lower_word(word) ^ word;
    if (i == last) break;
  }
  if (!capitals) return store_intern(d, name, length);
  if (!store_reserve_strings(d, (u32)length + 16)) return 0;
  at = d->strings_length;
  copy = d->strings + at;
  for (size_t i = 0;; i = i + 8 < last ? i + 8 : last) {
    store64_little(copy + i, lower_word(load64_little(name + i)));
    if (i == last) break;
  }
  struct name_words w = name_words(copy, length);
  id = is_attribute ? known_attribute_as_is(w, copy, length) : known_tag_as_is(w, copy, length);
  if (!id) id = store_intern(d, copy, length);
  return id;
}

#endif
