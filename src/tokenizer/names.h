/* names.h - from the bytes of a tag or attribute name to its number.
 *
 * A name of up to 8 bytes is one word, so known names (grammar/elements.txt, attributes.txt) cost a
 * multiplication and one comparison. The name is tried as it stands; only when that fails is it
 * lowercased and tried again, so pages in lower case pay nothing for case. Unknown names are
 * interned in the document.
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
  return (size_t)(known_name_offset[id + 1] - known_name_offset[id]) == length &&
         memcmp(known_name_bytes + known_name_offset[id] + 16, name + 16, length - 16) == 0;
}

#define KNOWN_LOOKUP(kind, KIND)                                                                   \
  INLINE u32 known_##kind(struct name_words w, const byte *name, size_t length) {                  \
    u64 h = (w.first ^ w.second >> 7) * KIND##_HASH_MULTIPLIER;                                    \
    u32 id = kind##_hash_slots[h >> (64 - KIND##_HASH_BITS)];                                      \
    if (LIKELY(known_name_is(id, w, name, length))) return id;                                     \
    id = kind##_hash_slots[h >> (64 - 2 * KIND##_HASH_BITS) & ((1u << KIND##_HASH_BITS) - 1)];     \
    return known_name_is(id, w, name, length) ? id : 0;                                            \
  }
KNOWN_LOOKUP(tag, TAG)
KNOWN_LOOKUP(attribute, ATTRIBUTE)

/* Names with capitals, and unknown ones; known names as they stand were looked for already. 0: memory
 * is short. */
static NOINLINE u32 name_slow(lanner_document *d, const byte *name, size_t length,
                              bool is_attribute) {
  u32 at, id = 0;
  byte *copy;
  bool capitals = false;
  for (size_t i = 0; i < length; i++) capitals |= (byte)(name[i] - 'A') < 26;
  if (!capitals) return store_intern(d, name, length);
  if (!store_reserve_strings(d, (u32)length + 16)) return 0;
  at = d->strings_length;
  copy = d->strings + at;
  for (size_t i = 0; i < length; i++) copy[i] = byte_lower(name[i]);
  struct name_words w = name_words(copy, length);
  id = is_attribute ? known_attribute(w, copy, length) : known_tag(w, copy, length);
  if (!id) id = store_intern(d, copy, length);
  return id;
}

#endif
