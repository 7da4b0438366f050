/* encoder.c - UTF-8 to the bytes of an encoding, for forms and URLs. */
#include "input/bytes.h"

/* An index backwards: see put_encoder in gen/encodings.py. */
struct enc_reverse {
  const unsigned char *pages;
  size_t page_count;
  const u64 *bits;
  const uint16_t *base, *pointers;
};

#define ENC_REVERSE(name)                                                                          \
  {                                                                                                \
    enc_##name##_pages, sizeof enc_##name##_pages, enc_##name##_bits, enc_##name##_base,           \
        enc_##name##_pointers                                                                      \
  }

static const struct enc_reverse enc_reverse_big5 = ENC_REVERSE(big5);
static const struct enc_reverse enc_reverse_euc_kr = ENC_REVERSE(euc_kr);
static const struct enc_reverse enc_reverse_gb18030 = ENC_REVERSE(gb18030);
static const struct enc_reverse enc_reverse_jis0208 = ENC_REVERSE(jis0208);

#define ENC_NO_POINTER UINT32_C(0xFFFFFFFF)

/* How many bits are set. */
static unsigned enc_bit_count(u64 v) {
  v -= v >> 1 & UINT64_C(0x5555555555555555);
  v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
  v = (v + (v >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  return (unsigned)((v * ENC_ONES) >> 56);
}

/* "Index pointer for code point in index". */
static u32 enc_pointer(const struct enc_reverse *index, u32 code) {
  if (code >> 8 >= index->page_count) return ENC_NO_POINTER;
  size_t block = index->pages[code >> 8] * 4u + (code >> 6 & 3);
  u64 bit = UINT64_C(1) << (code & 63);
  if (!(index->bits[block] & bit)) return ENC_NO_POINTER;
  return index->pointers[index->base[block] + enc_bit_count(index->bits[block] & (bit - 1))];
}

INLINE int enc_put_pair(byte *out, u32 first, u32 second) {
  out[0] = (byte)first;
  out[1] = (byte)second;
  return 2;
}

/* The functions below write a character above U+007F and return the number of bytes, 0 when the
 * encoding does not have it. */

static int enc_encode_single(lanner_encoding encoding, u32 code, byte *out) {
  if (code > 0xFFFF) return 0;
  byte utf8[4] = {0};
  int length = (int)(enc_put_bmp(utf8, code) - utf8);
  u32 wanted = (u32)length << 24 | (u32)utf8[0] | (u32)utf8[1] << 8;
  if (length == 3) wanted |= (u32)utf8[2] << 16;
  const u32 *high = enc_single_byte[enc_single_byte_row[encoding]];
  for (unsigned i = 0; i < 128; i++) {
    if (high[i] == wanted) {
      *out = (byte)(0x80 + i);
      return 1;
    }
  }
  return 0;
}

static int enc_encode_gb18030(bool gbk, u32 code, byte *out) {
  if (code == 0xE5E5) return 0;
  if (gbk && code == 0x20AC) {
    *out = 0x80;
    return 1;
  }
  if (code >= 0xE000 && code <= 0xF8FF) {
    for (size_t i = 0; i < sizeof enc_gb18030_private / sizeof *enc_gb18030_private; i++) {
      u32 bytes = enc_gb18030_private[i].bytes;
      if (enc_gb18030_private[i].code == code) return enc_put_pair(out, bytes >> 8, bytes & 0xFF);
    }
  }
  u32 pointer = enc_pointer(&enc_reverse_gb18030, code);
  if (pointer != ENC_NO_POINTER) {
    u32 trail = pointer % 190;
    return enc_put_pair(out, pointer / 190 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x41));
  }
  if (gbk) return 0;
  if (code == 0xE7C7) {
    pointer = 7457;
  } else if (code >= 0x10000) {
    pointer = code - 0x10000 + 189000;
  } else {
    unsigned i = sizeof enc_gb18030_range_code / sizeof *enc_gb18030_range_code - 1;
    while (enc_gb18030_range_code[i] > code) i--;
    pointer = enc_gb18030_range_pointer[i] + (code - enc_gb18030_range_code[i]);
  }
  out[3] = (byte)(pointer % 10 + 0x30);
  out[2] = (byte)(pointer / 10 % 126 + 0x81);
  out[1] = (byte)(pointer / 1260 % 10 + 0x30);
  out[0] = (byte)(pointer / 12600 + 0x81);
  return 4;
}

static int enc_encode_big5(u32 code, byte *out) {
  u32 pointer = enc_pointer(&enc_reverse_big5, code);
  if (pointer == ENC_NO_POINTER) return 0;
  u32 trail = pointer % 157;
  return enc_put_pair(out, pointer / 157 + 0x81, trail + (trail < 0x3F ? 0x40 : 0x62));
}

static int enc_encode_euc_kr(u32 code, byte *out) {
  u32 pointer = enc_pointer(&enc_reverse_euc_kr, code);
  if (pointer == ENC_NO_POINTER) return 0;
  return enc_put_pair(out, pointer / 190 + 0x81, pointer % 190 + 0x41);
}

static int enc_encode_euc_jp(u32 code, byte *out) {
  if (code == 0xA5 || code == 0x203E) {
    *out = code == 0xA5 ? 0x5C : 0x7E;
    return 1;
  }
  if (code >= 0xFF61 && code <= 0xFF9F) return enc_put_pair(out, 0x8E, code - 0xFF61 + 0xA1);
  u32 pointer = enc_pointer(&enc_reverse_jis0208, code == 0x2212 ? 0xFF0D : code);
  if (pointer == ENC_NO_POINTER) return 0;
  return enc_put_pair(out, pointer / 94 + 0xA1, pointer % 94 + 0xA1);
}

static int enc_encode_shift_jis(u32 code, byte *out) {
  if (code == 0x80 || code == 0xA5 || code == 0x203E) {
    *out = code == 0x80 ? 0x80 : code == 0xA5 ? 0x5C : 0x7E;
    return 1;
  }
  if (code >= 0xFF61 && code <= 0xFF9F) {
    *out = (byte)(code - 0xFF61 + 0xA1);
    return 1;
  }
  if (code == 0x2212) code = 0xFF0D;
  u32 pointer = enc_pointer(&enc_reverse_jis0208, code);
  if (pointer == ENC_NO_POINTER) return 0;
  if (pointer >= 8272 && pointer <= 8835) {
    /* Shift_JIS leaves out these rows: their characters stand a second time in rows 114 to 119. */
    for (pointer = 114 * 94; enc_jis0208_cells[pointer] != code;) {
      if (++pointer == 120 * 94) return 0;
    }
  }
  u32 lead = pointer / 188, trail = pointer % 188;
  return enc_put_pair(out, lead + (lead < 0x1F ? 0x81 : 0xC1),
                      trail + (trail < 0x3F ? 0x40 : 0x41));
}

/* Writes the escape sequence for STATE and makes it the current one. */
static int enc_2022_enter(lanner_encoder *e, enum enc_2022_state state, byte *out) {
  out[0] = ENC_ESCAPE;
  out[1] = state == ENC_2022_DOUBLE ? '$' : '(';
  out[2] = state == ENC_2022_ROMAN ? 'J' : 'B';
  e->state = (uint8_t)state;
  return 3;
}

/* Any character. *MAPPED tells whether it was written; an escape sequence may be even when not. */
static int enc_encode_2022(lanner_encoder *e, u32 code, byte *out, bool *mapped) {
  int n = 0;
  *mapped = true;
  if (code < 0x80) {
    bool stays =
        e->state == ENC_2022_ASCII || (e->state == ENC_2022_ROMAN && code != 0x5C && code != 0x7E);
    if ((code | 1) == 0x0F || code == ENC_ESCAPE) {
      /* These would be taken for commands; the error is reported for U+FFFD. */
      if (e->state == ENC_2022_DOUBLE) n = enc_2022_enter(e, ENC_2022_ASCII, out);
      e->unmappable = 0xFFFD;
      *mapped = false;
      return n;
    }
    if (!stays) n = enc_2022_enter(e, ENC_2022_ASCII, out);
    out[n] = (byte)code;
    return n + 1;
  }
  if (code == 0xA5 || code == 0x203E) {
    if (e->state != ENC_2022_ROMAN) n = enc_2022_enter(e, ENC_2022_ROMAN, out);
    out[n] = code == 0xA5 ? 0x5C : 0x7E;
    return n + 1;
  }
  e->unmappable = code;
  if (code == 0x2212) code = 0xFF0D;
  if (code >= 0xFF61 && code <= 0xFF9F) code = enc_katakana[code - 0xFF61];
  u32 pointer = enc_pointer(&enc_reverse_jis0208, code);
  if (pointer == ENC_NO_POINTER) {
    *mapped = false;
    return e->state == ENC_2022_DOUBLE ? enc_2022_enter(e, ENC_2022_ASCII, out) : 0;
  }
  if (e->state != ENC_2022_DOUBLE) n = enc_2022_enter(e, ENC_2022_DOUBLE, out);
  return n + enc_put_pair(out + n, pointer / 94 + 0x21, pointer % 94 + 0x21);
}

/* Writes one character (at most 8 bytes); when the encoding does not have it, *MAPPED is false and
 * e->unmappable says which one. */
static int enc_encode_code(lanner_encoder *e, u32 code, byte *out, bool *mapped) {
  enum enc_kind kind = (enum enc_kind)enc_kinds[e->encoding];
  if (kind == ENC_KIND_ISO_2022_JP) return enc_encode_2022(e, code, out, mapped);
  *mapped = true;
  if (code < 0x80) {
    *out = (byte)code;
    return 1;
  }
  int n = 0;
  switch (kind) {
  case ENC_KIND_UTF_8: return (int)(enc_put(out, code) - out);
  case ENC_KIND_SINGLE_BYTE: n = enc_encode_single((lanner_encoding)e->encoding, code, out); break;
  case ENC_KIND_GBK: n = enc_encode_gb18030(true, code, out); break;
  case ENC_KIND_GB18030: n = enc_encode_gb18030(false, code, out); break;
  case ENC_KIND_BIG5: n = enc_encode_big5(code, out); break;
  case ENC_KIND_EUC_JP: n = enc_encode_euc_jp(code, out); break;
  case ENC_KIND_SHIFT_JIS: n = enc_encode_shift_jis(code, out); break;
  case ENC_KIND_EUC_KR: n = enc_encode_euc_kr(code, out); break;
  default:
    if (code >= 0xF780 && code <= 0xF7FF) {
      *out = (byte)(code - 0xF700);
      n = 1;
    }
  }
  if (n == 0) {
    e->unmappable = code;
    *mapped = false;
  }
  return n;
}

/* Writes &#N; in the encoding's present state; returns the bytes. */
static int enc_encode_reference(lanner_encoder *e, u32 code, byte *out) {
  char digits[12];
  int count = 0, n = 0;
  bool mapped;
  digits[count++] = ';';
  do {
    digits[count++] = (char)('0' + code % 10);
    code /= 10;
  } while (code);
  digits[count++] = '#';
  digits[count++] = '&';
  while (count) n += enc_encode_code(e, (u32)digits[--count], out + n, &mapped);
  return n;
}

void lanner_encoder_init(lanner_encoder *e, lanner_encoding encoding, unsigned flags) {
  memset(e, 0, sizeof *e);
  bool known = encoding > LANNER_ENCODING_NONE && encoding < LANNER_ENCODING_END;
  e->encoding = (uint8_t)(known ? lanner_encoding_for_output(encoding) : LANNER_ENCODING_UTF_8);
  e->flags = (uint8_t)flags;
}

/* Encodes the character at P, if it fits. *USED is how many bytes of text it has (for malformed
 * ones, their maximal subpart), 0 when its end has not come yet. */
static lanner_encode_status enc_encode_one(lanner_encoder *e, const byte *p, const byte *end,
                                           bool last, size_t *used, byte **out, const byte *limit) {
  *used = 0;
  int length = enc_utf8_look(p, end, false);
  if (length == 0 && !last) return LANNER_ENCODE_DONE;
  u32 code = length > 0 ? enc_utf8_code(p, length) : 0xFFFD;
  byte bytes[24];
  lanner_encoder saved = *e;
  bool mapped;
  int n = enc_encode_code(e, code, bytes, &mapped);
  if (!mapped && (e->flags & LANNER_ENCODE_HTML)) {
    n += enc_encode_reference(e, e->unmappable, bytes + n);
    mapped = true;
  }
  if (n > limit - *out) {
    *e = saved;
    return LANNER_ENCODE_FULL;
  }
  memcpy(*out, bytes, (size_t)n);
  *out += n;
  *used = length > 0 ? (size_t)length : length < 0 ? (size_t)-length : (size_t)(end - p);
  return mapped ? LANNER_ENCODE_DONE : LANNER_ENCODE_UNMAPPABLE;
}

lanner_encode_status lanner_encode(lanner_encoder *e, const char *text, size_t length,
                                   size_t *consumed, void *out, size_t room, size_t *written,
                                   bool last) {
  static const byte nothing[1] = {0};
  byte none[1];
  const byte *start = length ? (const byte *)text : nothing, *p = start, *end = start + length;
  byte *first = room ? out : none, *to = first, *limit = first + room;
  const bool plain = enc_kinds[e->encoding] != ENC_KIND_ISO_2022_JP;
  lanner_encode_status status = LANNER_ENCODE_DONE;
  size_t used;
  while (e->pending_count && status == LANNER_ENCODE_DONE) {
    byte joined[sizeof e->pending + 4];
    size_t count = e->pending_count, more = enc_smaller((size_t)(end - p), 4);
    memcpy(joined, e->pending, count);
    memcpy(joined + count, p, more);
    bool final = last && more == (size_t)(end - p);
    status = enc_encode_one(e, joined, joined + count + more, final, &used, &to, limit);
    if (used == 0 && status == LANNER_ENCODE_DONE) {
      memcpy(e->pending, joined, count + more);
      e->pending_count = (uint8_t)(count + more);
      p += more;
      break;
    }
    if (used == 0) break;
    /* A malformed part never ends before the pending bytes do: they were the start of something. */
    e->pending_count = 0;
    p += used - count;
  }
  while (status == LANNER_ENCODE_DONE && p < end && e->pending_count == 0) {
    if (plain) {
      size_t n = enc_ascii_copy(to, p, enc_smaller((size_t)(end - p), (size_t)(limit - to)));
      p += n;
      to += n;
      if (p == end) break;
    }
    status = enc_encode_one(e, p, end, last, &used, &to, limit);
    p += used;
    if (used == 0 && status == LANNER_ENCODE_DONE) {
      e->pending_count = (uint8_t)(end - p);
      memcpy(e->pending, p, e->pending_count);
      p = end;
    }
  }
  if (status == LANNER_ENCODE_DONE && last && p == end && e->state != ENC_2022_ASCII) {
    if (limit - to < 3) {
      status = LANNER_ENCODE_FULL;
    } else {
      to += enc_2022_enter(e, ENC_2022_ASCII, to);
    }
  }
  *consumed = (size_t)(p - start);
  *written = (size_t)(to - first);
  return status;
}

size_t lanner_encode_bound(size_t length) {
  /* A malformed byte can become an escape sequence and &#65533;. */
  return length > (SIZE_MAX - 64) / 11 ? 0 : 11 * length + 64;
}
