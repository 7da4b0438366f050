/* decode_multi.c - the Chinese, Japanese and Korean encodings of one to four bytes a character. */
#include "input/bytes.h"

/* The cell of an index, or 0. */
INLINE u32 enc_cell(const struct enc_row *rows, const uint16_t *cells, unsigned row,
                    unsigned cell) {
  const struct enc_row *r = &rows[row];
  unsigned i = cell - r->first;
  return i < r->count ? cells[r->start + i] : 0;
}

/* The same for jis0208, which is stored without rows. Cells are checked by the caller. */
INLINE u32 enc_jis0208(unsigned row, unsigned cell) { return enc_jis0208_cells[row * 94 + cell]; }

/* Defines one of these decoders. All have one frame: ASCII runs are copied, then STEP looks at the
 * sequence at `in`, whose first byte is above 0x7F, and with room for it. STEP sets `code`, and
 * `in` behind the sequence; or says ENC_BAD(n) or ENC_TOO_SHORT. */
#define ENC_MULTI(name, STEP)                                                                      \
  static enum enc_result name(lanner_decoder *d, struct enc_run *run) {                            \
    const byte *in = run->in, *const end = run->end;                                               \
    byte *out = run->out, *const limit = run->limit;                                               \
    enum enc_result result = ENC_DONE;                                                             \
    while (in < end) {                                                                             \
      if (*in < 0x80) {                                                                            \
        size_t n = enc_smaller((size_t)(end - in), (size_t)(limit - out));                         \
        n = enc_ascii_copy(out, in, n);                                                            \
        in += n;                                                                                   \
        out += n;                                                                                  \
        if (in == end) break;                                                                      \
      }                                                                                            \
      if (limit - out < ENC_UNIT) {                                                                \
        result = ENC_FULL;                                                                         \
        break;                                                                                     \
      }                                                                                            \
      u32 code = 0;                                                                                \
      STEP;                                                                                        \
      out = LIKELY(code < 0x10000) ? enc_put_bmp(out, code) : enc_put_astral(out, code);           \
    }                                                                                              \
  leave:                                                                                           \
    run->in = in;                                                                                  \
    run->out = out;                                                                                \
    return result;                                                                                 \
  }

#define ENC_TOO_SHORT                                                                              \
  {                                                                                                \
    if (!run->last) goto leave;                                                                    \
    ENC_BAD(end - in)                                                                              \
  }

/* A bad pair covers its second byte only if that is not ASCII. */
#define ENC_BAD_PAIR ENC_BAD(in[1] < 0x80 ? 1 : 2)

/* A trail byte of Shift_JIS or gb18030 from 0x40 on without 0x7F: its number, or a large one for
 * smaller bytes and for 0x7F. Arithmetic, because which half it is in cannot be predicted. */
INLINE unsigned enc_trail(unsigned b) {
  return UNLIKELY(b == 0x7F) ? 0xFFu : b - 0x40 - (b > 0x7F);
}

/* --- GBK, gb18030 --- */

/* "Index gb18030 ranges code point", 0 for null. */
static u32 enc_gb18030_range(u32 pointer) {
  if (pointer > 1237575 || (pointer > 39419 && pointer < 189000)) return 0;
  if (pointer >= 189000) return pointer - 189000 + 0x10000;
  if (pointer == 7457) return 0xE7C7;
  unsigned low = 0, high = sizeof enc_gb18030_range_pointer / sizeof *enc_gb18030_range_pointer;
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    if (enc_gb18030_range_pointer[middle] <= pointer) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return enc_gb18030_range_code[low] + (pointer - enc_gb18030_range_pointer[low]);
}

INLINE bool enc_is_digit(byte b) { return b >= '0' && b <= '9'; }

#define ENC_GB18030_STEP                                                                           \
  unsigned lead = in[0] - 0x81u;                                                                   \
  if (UNLIKELY(lead > 0xFE - 0x81)) {                                                              \
    if (in[0] != 0x80) ENC_BAD(1)                                                                  \
    code = 0x20AC;                                                                                 \
    in++;                                                                                          \
  } else if (UNLIKELY(end - in < 2)) {                                                             \
    ENC_TOO_SHORT                                                                                  \
  } else if (LIKELY(!enc_is_digit(in[1]))) {                                                       \
    code = enc_cell(enc_gb18030_rows, enc_gb18030_cells, lead, enc_trail(in[1]));                  \
    if (UNLIKELY(!code)) ENC_BAD_PAIR                                                              \
    in += 2;                                                                                       \
  } else if (end - in < 3) {                                                                       \
    ENC_TOO_SHORT                                                                                  \
  } else if (in[2] < 0x81 || in[2] > 0xFE) {                                                       \
    ENC_BAD(1)                                                                                     \
  } else if (end - in < 4) {                                                                       \
    ENC_TOO_SHORT                                                                                  \
  } else if (!enc_is_digit(in[3])) {                                                               \
    ENC_BAD(1)                                                                                     \
  } else {                                                                                         \
    code = enc_gb18030_range(((lead * 10 + (in[1] - 0x30u)) * 126 + (in[2] - 0x81u)) * 10 +        \
                             (in[3] - 0x30u));                                                     \
    if (!code) ENC_BAD(4)                                                                          \
    in += 4;                                                                                       \
  }

ENC_MULTI(enc_decode_gb18030, ENC_GB18030_STEP)

/* --- Big5 --- */

/* Two pointers a row apart stand for a letter and an accent. */
INLINE bool enc_big5_is_double(unsigned row, unsigned cell) {
  return row == 1133 / 157 &&
         (cell == 1133 % 157 || cell == 1135 % 157 || cell == 1164 % 157 || cell == 1166 % 157);
}
_Static_assert(1166 / 157 == 1133 / 157, "all four double characters of Big5 are in one row");

#define ENC_BIG5_STEP                                                                              \
  unsigned row = in[0] - 0x81u;                                                                    \
  if (UNLIKELY(row > 0xFE - 0x81)) ENC_BAD(1)                                                      \
  if (UNLIKELY(end - in < 2)) ENC_TOO_SHORT                                                        \
  unsigned cell = in[1] - 0x40u - (in[1] >= 0xA1) * 0x22u;                                         \
  if (UNLIKELY(in[1] >= 0x7F && in[1] < 0xA1)) cell = 0xFF;                                        \
  code = enc_cell(enc_big5_rows, enc_big5_cells, row, cell);                                       \
  if (UNLIKELY(code >= 0xD800 && code <= 0xDFFF)) {                                                \
    code = 0x20000u + enc_big5_astral[code - 0xD800];                                              \
  } else if (UNLIKELY(!code)) {                                                                    \
    if (!enc_big5_is_double(row, cell)) ENC_BAD_PAIR                                               \
    out = enc_put_bmp(out, cell < 1164 % 157 ? 0xCA : 0xEA);                                       \
    code = cell == 1133 % 157 || cell == 1164 % 157 ? 0x304 : 0x30C;                               \
  }                                                                                                \
  in += 2;

ENC_MULTI(enc_decode_big5, ENC_BIG5_STEP)

/* --- EUC-KR --- */

#define ENC_EUC_KR_STEP                                                                            \
  unsigned row = in[0] - 0x81u;                                                                    \
  if (UNLIKELY(row > 0xFE - 0x81)) ENC_BAD(1)                                                      \
  if (UNLIKELY(end - in < 2)) ENC_TOO_SHORT                                                        \
  code = enc_cell(enc_euc_kr_rows, enc_euc_kr_cells, row, in[1] - 0x41u);                          \
  if (UNLIKELY(!code)) ENC_BAD_PAIR                                                                \
  in += 2;

ENC_MULTI(enc_decode_euc_kr, ENC_EUC_KR_STEP)

/* --- EUC-JP --- */

#define ENC_EUC_JP_STEP                                                                            \
  unsigned row = in[0] - 0xA1u;                                                                    \
  if (LIKELY(row <= 0xFE - 0xA1)) {                                                                \
    if (UNLIKELY(end - in < 2)) ENC_TOO_SHORT                                                      \
    unsigned cell = in[1] - 0xA1u;                                                                 \
    if (LIKELY(cell < 94)) code = enc_jis0208(row, cell);                                          \
    if (UNLIKELY(!code)) ENC_BAD_PAIR                                                              \
    in += 2;                                                                                       \
  } else if (in[0] == 0x8E) {                                                                      \
    if (end - in < 2) ENC_TOO_SHORT                                                                \
    if (in[1] < 0xA1 || in[1] > 0xDF) ENC_BAD_PAIR                                                 \
    code = 0xFF61u - 0xA1 + in[1];                                                                 \
    in += 2;                                                                                       \
  } else if (in[0] == 0x8F) {                                                                      \
    if (end - in < 2) ENC_TOO_SHORT                                                                \
    if (in[1] < 0xA1 || in[1] > 0xFE) ENC_BAD_PAIR                                                 \
    if (end - in < 3) ENC_TOO_SHORT                                                                \
    code = enc_cell(enc_jis0212_rows, enc_jis0212_cells, in[1] - 0xA1u, in[2] - 0xA1u);            \
    if (!code) ENC_BAD(in[2] < 0x80 ? 2 : 3)                                                       \
    in += 3;                                                                                       \
  } else {                                                                                         \
    ENC_BAD(1)                                                                                     \
  }

ENC_MULTI(enc_decode_euc_jp, ENC_EUC_JP_STEP)

/* --- Shift_JIS --- */

/* The character of a lead and a trail byte, 0 for none. A lead byte covers two rows of jis0208 (E0
 * follows 9F); the rows from pointer 8836 to 10715 are private use. */
INLINE u32 enc_shift_jis_pair(unsigned lead, unsigned trail) {
  unsigned cell = enc_trail(trail);
  if (UNLIKELY(cell > 0xFC - 0x41)) return 0;
  unsigned pointer = ((lead & 0xBF) - 0x81) * 188 + cell;
  u32 code = enc_jis0208_cells[pointer];
  if (UNLIKELY(!code) && pointer >= 8836 && pointer <= 10715) return 0xE000 - 8836 + pointer;
  return code;
}

#define ENC_SHIFT_JIS_STEP                                                                         \
  byte lead = in[0];                                                                               \
  if (lead >= 0xA1 && lead <= 0xDF) {                                                              \
    code = 0xFF61u - 0xA1 + lead;                                                                  \
    in++;                                                                                          \
  } else if (UNLIKELY(lead == 0x80)) {                                                             \
    code = 0x80;                                                                                   \
    in++;                                                                                          \
  } else if (UNLIKELY(lead == 0xA0 || lead > 0xFC)) {                                              \
    ENC_BAD(1)                                                                                     \
  } else if (UNLIKELY(end - in < 2)) {                                                             \
    ENC_TOO_SHORT                                                                                  \
  } else {                                                                                         \
    code = enc_shift_jis_pair(lead, in[1]);                                                        \
    if (UNLIKELY(!code)) ENC_BAD_PAIR                                                              \
    in += 2;                                                                                       \
  }

ENC_MULTI(enc_decode_shift_jis, ENC_SHIFT_JIS_STEP)
