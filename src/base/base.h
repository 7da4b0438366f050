/* base.h - compiler words, integer types and memory growth shared by all rooms.
 * Knows nothing of HTML. */
#ifndef LANNER_BASE_H
#define LANNER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lanner.h"

typedef unsigned char byte;
typedef uint32_t u32;
typedef uint64_t u64;

#if defined(__GNUC__)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define INLINE static inline __attribute__((always_inline))
#define COLD __attribute__((noinline, cold))
#define HOT __attribute__((hot))
#define NOINLINE __attribute__((noinline))
#define UNUSED __attribute__((unused))
#define ASSUME(x) ((x) ? (void)0 : __builtin_unreachable())
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define INLINE static inline
#define COLD
#define HOT
#define NOINLINE
#define UNUSED
#define ASSUME(x) ((void)0)
#endif

/* Room that was asked for before is there. Only builds for the address sanitizer look, which does not see
 * what runs over inside of a document's first block. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOOKS_FOR_ROOM 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(LOOKS_FOR_ROOM)
#define HAS_ROOM(count, capacity) ((count) < (capacity) ? (void)0 : abort())
#else
#define HAS_ROOM(count, capacity) ((void)0)
#endif

/* Unaligned load of eight bytes as they lie. */
INLINE u64 load64(const void *p) {
  u64 w;
  memcpy(&w, p, 8);
  return w;
}

/* The same; the byte at p is the lowest. */
INLINE u64 load64_little(const void *p) {
  u64 w;
  memcpy(&w, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap64(w);
#endif
  return w;
}

INLINE void store64_little(void *p, u64 w) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap64(w);
#endif
  memcpy(p, &w, 8);
}
INLINE void store32_little(void *p, u32 w) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap32(w);
#endif
  memcpy(p, &w, sizeof w);
}

/* Zeroes, by a call of memset: gcc would put "rep stos" in its place, which takes longer to begin than
 * what it has to do here takes. From 2 KB on glibc's memset begins that way too. */
INLINE void clear(void *p, size_t size) {
#if defined(__GNUC__)
  __asm__("" : "+r"(size)); /* a size that the compiler does not know */
#endif
  memset(p, 0, size);
}

/* Number of the lowest bit set; V is not 0. */
INLINE unsigned lowest_bit(u64 v) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(v);
#else
  unsigned n = 0;
  while (!(v & 1)) v >>= 1, n++;
  return n;
#endif
}

INLINE bool is_html_space(byte c) { return c == ' ' || c == '\n' || c == '\t' || c == '\f'; }

#endif
