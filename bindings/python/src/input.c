/* input.c - from what Python hands over to bytes that the parser takes.
 *
 * bytes and other read-only buffers are read where they lie. Buffers that somebody may write to while
 * the GIL is released are copied first. A str is the decoded input stream of the Standard: one of
 * ASCII is read in place, others are encoded into a block that the document then keeps and points
 * into (LANNER_INPUT_PADDED), so nothing is copied twice and nothing is cached in the str. Lone
 * surrogates, which UTF-8 does not have, become U+FFFD.
 */
#include "binding.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* --- encoding --- */

static size_t utf8_length_1(const Py_UCS1 *s, size_t n) {
  size_t more = 0;
  for (size_t i = 0; i < n; i++) more += s[i] >> 7;
  return n + more;
}
static size_t utf8_length_2(const Py_UCS2 *s, size_t n) {
  size_t more = 0;
  for (size_t i = 0; i < n; i++) more += (size_t)(s[i] >= 0x80) + (s[i] >= 0x800);
  return n + more;
}
static size_t utf8_length_4(const Py_UCS4 *s, size_t n) {
  size_t more = 0;
  for (size_t i = 0; i < n; i++)
    more += (size_t)(s[i] >= 0x80) + (s[i] >= 0x800) + (s[i] >= 0x10000);
  return n + more;
}

static char *put(char *to, Py_UCS4 c) {
  if (c < 0x80) {
    *to++ = (char)c;
  } else if (c < 0x800) {
    *to++ = (char)(0xC0 | c >> 6);
    *to++ = (char)(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;
    *to++ = (char)(0xE0 | c >> 12);
    *to++ = (char)(0x80 | (c >> 6 & 0x3F));
    *to++ = (char)(0x80 | (c & 0x3F));
  } else {
    *to++ = (char)(0xF0 | c >> 18);
    *to++ = (char)(0x80 | (c >> 12 & 0x3F));
    *to++ = (char)(0x80 | (c >> 6 & 0x3F));
    *to++ = (char)(0x80 | (c & 0x3F));
  }
  return to;
}

/* Sixteen characters at a time as long as they are ASCII: markup is, in every language. Up to 16 bytes
 * behind the end may be written. */
#define ENCODER(name, type)                                                                        \
  static char *name(char *to, const type *s, size_t n) {                                           \
    size_t i = 0;                                                                                  \
    while (i < n) {                                                                                \
      while (n - i >= 16) {                                                                        \
        type all = 0;                                                                              \
        for (int k = 0; k < 16; k++) all |= s[i + (size_t)k];                                      \
        if (all >= 0x80) break;                                                                    \
        for (int k = 0; k < 16; k++) to[k] = (char)s[i + (size_t)k];                               \
        to += 16;                                                                                  \
        i += 16;                                                                                   \
      }                                                                                            \
      for (size_t end = n - i < 16 ? n : i + 16; i < end; i++) to = put(to, s[i]);                 \
    }                                                                                              \
    return to;                                                                                     \
  }
ENCODER(encode_1, Py_UCS1)
ENCODER(encode_4, Py_UCS4)

#ifdef __SSE2__
/* What most pages are, so ASCII is also skipped up to the very character that is not (5.3 GB/s against
 * 3.8 on the UCS-2 pages of the corpus). */
static char *encode_2(char *to, const Py_UCS2 *s, size_t n) {
  const __m128i high = _mm_set1_epi16((short)0xFF80), zero = _mm_setzero_si128();
  size_t i = 0;
  while (n - i >= 16) {
    __m128i a = _mm_loadu_si128((const __m128i *)(s + i));
    __m128i b = _mm_loadu_si128((const __m128i *)(s + i + 8));
    __m128i ascii = _mm_packs_epi16(_mm_cmpeq_epi16(_mm_and_si128(a, high), zero),
                                    _mm_cmpeq_epi16(_mm_and_si128(b, high), zero));
    unsigned other = 0xFFFFu & ~(unsigned)_mm_movemask_epi8(ascii);
    size_t run = other ? (size_t)__builtin_ctz(other) : 16;
    _mm_storeu_si128((__m128i *)to, _mm_packus_epi16(a, b));
    to += run;
    for (i += run; i < n && s[i] >= 0x80; i++) to = put(to, s[i]);
  }
  while (i < n) to = put(to, s[i++]);
  return to;
}
#else
ENCODER(encode_2, Py_UCS2)
#endif

static bool input_block(input *in, size_t length) {
  in->block_size = length + LANNER_PADDING;
  in->block = PyMem_RawMalloc(in->block_size);
  if (!in->block) return false;
  in->bytes = in->block;
  in->length = length;
  return true;
}

/* Counting costs a third of encoding. So the most that it may be is taken, and what is left over given
 * back; but of long text not even for the moment. */
enum { COUNT_FROM = 4 << 20 };
static size_t most_bytes(const void *data, int kind, size_t n) {
  if (n < COUNT_FROM)
    return n * (kind == PyUnicode_1BYTE_KIND ? 2 : kind == PyUnicode_2BYTE_KIND ? 3 : 4);
  return kind == PyUnicode_1BYTE_KIND   ? utf8_length_1(data, n)
         : kind == PyUnicode_2BYTE_KIND ? utf8_length_2(data, n)
                                        : utf8_length_4(data, n);
}

static bool encode_text(input *in, bool piece, bool first) {
  size_t n = (size_t)PyUnicode_GET_LENGTH(in->object);
  const void *data = PyUnicode_DATA(in->object);
  int kind = PyUnicode_KIND(in->object);
  bool marked = false;
  if (PyUnicode_IS_ASCII(in->object)) {
    in->bytes = data;
    in->length = n;
  } else {
    /* A U+FEFF in front of a str is a character of the page. The parser takes one byte order mark
     * away from UTF-8, so it gets one to take. */
    marked = first && PyUnicode_READ(kind, data, 0) == 0xFEFF;
    if (!input_block(in, most_bytes(data, kind, n) + 3)) return false;
    char *to = in->block;
    if (marked) to = put(to, 0xFEFF);
    if (kind == PyUnicode_1BYTE_KIND)
      to = encode_1(to, data, n);
    else if (kind == PyUnicode_2BYTE_KIND)
      to = encode_2(to, data, n);
    else
      to = encode_4(to, data, n);
    in->length = (size_t)(to - (char *)in->block);
    memset(to, 0, LANNER_PADDING);
  }
  if (piece || marked || memchr(in->bytes, '\r', in->length)) return true;
  in->flags = LANNER_INPUT_CLEAN;
  if (!in->block) return true;
  /* The document keeps the block. */
  void *fitting = PyMem_RawRealloc(in->block, in->length + LANNER_PADDING);
  if (fitting) {
    in->bytes = in->block = fitting;
    in->block_size = in->length + LANNER_PADDING;
  }
  in->flags |= LANNER_INPUT_PADDED;
  return true;
}

bool input_encode(input *in, bool piece, bool first) {
  return !in->object || encode_text(in, piece, first);
}

bool input_open(input *in, PyObject *object) {
  memset(in, 0, sizeof *in);
  if (PyUnicode_Check(object)) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(object) < 0) return false;
#endif
    in->text = true;
    in->object = object;
    Py_INCREF(object);
    return true;
  }
  if (!PyObject_CheckBuffer(object)) {
    PyErr_Format(PyExc_TypeError, "data must be bytes-like or str, not %.100s",
                 Py_TYPE(object)->tp_name);
    return false;
  }
  if (PyObject_GetBuffer(object, &in->view, PyBUF_SIMPLE) < 0) return false;
  in->bytes = in->view.buf;
  in->length = (size_t)in->view.len;
  if (in->view.readonly) return true;
  const void *bytes = in->bytes;
  if (!input_block(in, in->length)) {
    input_close(in);
    PyErr_NoMemory();
    return false;
  }
  if (in->length) memcpy(in->block, bytes, in->length);
  PyBuffer_Release(&in->view);
  return true;
}

void input_close(input *in) {
  Py_CLEAR(in->object);
  if (in->view.obj) PyBuffer_Release(&in->view);
  PyMem_RawFree(in->block);
  in->block = NULL;
}
