/* input.h - the first room: bytes in, normalized UTF-8 out.
 * The public half (labels, decoders, sniffing) is lanner_encoding.h; this is what the parser and
 * the tests use besides. Knows nothing of HTML but its prescan. */
#ifndef LANNER_INPUT_H
#define LANNER_INPUT_H

#include "base/base.h"
#include "lanner_encoding.h"

/* Which vector instructions may be used. SSE2 and NEON need no dispatch; SSSE3, AVX2 and
 * AVX-512 (with VBMI2: no processor that has that slows down for wide vectors as the first did) are
 * looked for at run time. LANNER_SIMD_SSE2 and LANNER_SIMD_SCALAR are builds that do without. */
#if !defined(LANNER_SIMD_SCALAR)
#if defined(__SSE2__)
#define INPUT_SSE2 1
#if defined(__GNUC__) && !defined(LANNER_SIMD_SSE2)
#define INPUT_DISPATCH 1
#define INPUT_AVX512_TARGET "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi,bmi2"
#endif
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define INPUT_NEON 1
#endif
#endif

#if defined(INPUT_SSE2)
#include <emmintrin.h>
#elif defined(INPUT_NEON)
#include <arm_neon.h>
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define INPUT_LITTLE_ENDIAN 1
#endif

/* The first bytes of a page are asked for before they are needed: while the parser is made ready they come
 * from memory, where those of a small page often still are. The hardware asks for the rest. By 512 bytes, so
 * that the loop ends where it did for pages of about that size. */
INLINE void input_expect(const byte *bytes, size_t length) {
#if defined(__GNUC__)
  for (size_t i = 0; i < length && i < 4096; i += 512)
    for (size_t line = 0; line < 512; line += 64)
      __builtin_prefetch((const void *)((uintptr_t)bytes + i + line)); /* beyond the end, too */
#else
  (void)bytes;
  (void)length;
#endif
}

/* What one pass over the bytes of a page finds out: lanner_check within the library. */
#define INPUT_ASCII LANNER_CHECK_ASCII
#define INPUT_VALID LANNER_CHECK_VALID
#define INPUT_CR LANNER_CHECK_CR
#define INPUT_NUL LANNER_CHECK_NUL

static unsigned input_check(const byte *bytes, size_t length);

/* For the tests: makes input_check use one of its variants. */
enum input_variant { INPUT_AUTO, INPUT_SCALAR, INPUT_SSSE3, INPUT_AVX2, INPUT_AVX512, INPUT_ARM };
/* False when this machine or build does not have VARIANT; nothing changes then. */
UNUSED static bool input_force_variant(enum input_variant variant);

/* The bytes at the end of TEXT (0 to 3) that are the beginning of an unfinished UTF-8 sequence. */
static size_t input_unfinished(const byte *text, size_t length);

/* Copies LENGTH bytes and makes each CR and CR LF one LF. TO may be FROM or lie before it.
 * *AFTER_CR carries a CR at a chunk's end over to the next chunk. Returns the bytes written. */
static size_t input_newlines(byte *to, const byte *from, size_t length, bool *after_cr);

/* A growing piece of memory; grow makes CAPACITY at least NEED, or says false. */
struct input_buffer {
  byte *data;
  size_t length, capacity;
  bool (*grow)(struct input_buffer *buffer, size_t need);
  void *context;
};

/* The way back from offsets of the output, see map.c; kept when there is a buffer for it. */
struct input_map {
  struct input_buffer *marks;
  u64 out, in;  /* where the last character begins */
  u64 mark_out; /* where the last mark stands */
  byte lead;    /* the last character's first byte */
  bool cr;      /* the last character is a LF that was CR or CR LF */
  bool open;    /* there is a last character */
  uint8_t step; /* of the last mark */
  uint8_t encoding;
};

/* Bytes in, in any pieces; UTF-8 without CR out. */
struct input_stream {
  lanner_decoder decoder;
  lanner_confidence confidence;
  lanner_source source;
  bool after_cr;
  bool finished;
  struct input_map map;
  u64 taken;     /* input bytes consumed so far */
  u64 given;     /* output bytes so far */
  unsigned seen; /* INPUT_CR, and INPUT_NUL for UTF-8: whether any came by */
  bool checked;  /* set by the caller: what is fed is valid UTF-8, which holds CR */
  bool changed;  /* offsets of the output are not those of the input; kept without marks, too */
};

/* Takes lone surrogates in UTF-8 for characters. Only conformance tests have them. */
#define INPUT_SURROGATES 128u

/* Starts STREAM. A byte order mark at its start is removed and beats the encoding when the
 * confidence is not certain by another source. MARKS may be NULL: then offsets cannot be mapped. */
UNUSED static void input_begin(struct input_stream *stream, const lanner_sniff_result *sniffed,
                               unsigned flags, struct input_buffer *marks);

/* Takes LENGTH more bytes and appends to OUT. False: OUT or the marks could not grow; all that was
 * taken so far (stream->taken) is in OUT, but offsets from there on may be wrong. */
UNUSED static bool input_feed(struct input_stream *stream, const byte *bytes, size_t length,
                              bool last, struct input_buffer *out);

/* Goes on with another encoding from here on (lanner_encodings_agree said so). */
UNUSED static void input_switch(struct input_stream *stream, lanner_encoding encoding);

/* The offset of the input byte with which the character at the output's OFFSET begins; behind the
 * last one, of the byte that comes next. TEXT is the output from FIRST on, which may not lie behind
 * OFFSET. *HINT makes rising queries cheap; start with all zero. Needs marks. */
struct input_place {
  u64 in, out;
  size_t mark;
};
UNUSED static u64 input_offset(const struct input_stream *stream, const byte *text, u64 first,
                               u64 offset, struct input_place *hint);

/* Offsets differ by *SHIFT only, so far. Constant time. Needs marks. */
UNUSED static bool input_same(const struct input_stream *stream, u64 *shift);

/* The LF at OFFSET was a CR or CR LF. Needs marks. */
UNUSED static bool input_was_cr(const struct input_stream *stream, u64 offset);

/* Drops the marks for what lies before OFFSET, which must not be behind the last character. TEXT and
 * FIRST as above; afterwards TEXT may begin at OFFSET. Hints become invalid. */
UNUSED static void input_forget(struct input_stream *stream, const byte *text, u64 first,
                                u64 offset);

/* --- shared by the decoders --- */

/* Room that a decoder wants before it looks at a non-ASCII sequence. */
#define ENC_UNIT 8

struct enc_run {
  const byte *in, *end;
  byte *out, *limit;
  bool last;
  bool step; /* stop after malformed input, to see where it ended */
};

enum enc_result { ENC_DONE, ENC_FULL, ENC_MALFORMED };

/* A row of a multi-byte index: its cells from the first used one to the last. */
struct enc_row {
  uint16_t start;
  uint8_t first, count;
};

struct enc_pair {
  uint16_t code, bytes;
};

struct enc_hint {
  char text[8];
  unsigned char encoding;
};

/* The kinds of decoder in grammar/encodings/encodings.txt. */
enum enc_kind {
  ENC_KIND_UTF_8,
  ENC_KIND_SINGLE_BYTE,
  ENC_KIND_GBK,
  ENC_KIND_GB18030,
  ENC_KIND_BIG5,
  ENC_KIND_EUC_JP,
  ENC_KIND_ISO_2022_JP,
  ENC_KIND_SHIFT_JIS,
  ENC_KIND_EUC_KR,
  ENC_KIND_REPLACEMENT,
  ENC_KIND_UTF_16,
  ENC_KIND_X_USER_DEFINED
};

#define ENC_ESCAPE 0x1B

#endif
