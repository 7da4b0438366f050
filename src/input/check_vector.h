/* check_vector.h - input_check for one instruction set. Included by check.c once for each, with the
 * macros CHECK_NAME, CHECK_TARGET and V..., which it undefines at the end. */

CHECK_TARGET static unsigned CHECK_NAME(const byte *bytes, size_t length) {
  const V first_high = V_TABLE(enc_utf8_first_high);
  const V first_low = V_TABLE(enc_utf8_first_low);
  const V second_high = V_TABLE(enc_utf8_second_high);
  const V complete = V_LOAD(check_complete + sizeof check_complete - V_BYTES);
  const V returns = V_ALL('\r'), nibble = V_ALL(15), bit7 = V_ALL(0x80);
  const V third = V_ALL(0xE0 - 0x80), fourth = V_ALL(0xF0 - 0x80);

  V error = V_ALL(0);
  V unfinished = V_ALL(0); /* not zero: the block before ended within a sequence */
  V previous = V_ALL(0);
  V zero = V_ALL(0xFF), cr = V_ALL(0xFF); /* smallest byte, smallest difference to CR */
  bool ascii = true;
#if !defined(V_LOAD_PART)
  byte rest[4 * V_BYTES];
#endif

  const byte *p = bytes;
  size_t left = length;
  while (left > 0) {
    V v[4];
    /* The hardware's own prefetching stops at each 4 KB; this asks for what lies behind, into the
     * second cache, so that the few places for the first are free for what comes next. */
    for (int i = 0; i < 4 * V_BYTES; i += 64) CHECK_PREFETCH(p + 4096 + i);
      /* The last block is filled up with spaces: they change no answer, and a sequence that they
     * cut off is bad. */
#if defined(V_LOAD_PART)
    if (UNLIKELY(left < 4 * V_BYTES)) {
      for (size_t i = 0; i < 4; i++) v[i] = V_LOAD_PART(p, i * V_BYTES, left);
      left = 4 * V_BYTES;
    } else {
      for (int i = 0; i < 4; i++) v[i] = V_LOAD(p + i * V_BYTES);
    }
#else
    if (UNLIKELY(left < sizeof rest)) {
      memset(rest, ' ', sizeof rest);
      memcpy(rest, p, left);
      p = rest;
      left = sizeof rest;
    }
    for (int i = 0; i < 4; i++) v[i] = V_LOAD(p + i * V_BYTES);
#endif
    for (int i = 0; i < 4; i++) {
      zero = V_MIN(zero, v[i]);
      cr = V_MIN(cr, V_XOR(v[i], returns));
    }
    if (LIKELY(!V_ANY_HIGH(V_OR(V_OR(v[0], v[1]), V_OR(v[2], v[3]))))) {
      error = V_OR(error, unfinished);
      unfinished = V_ALL(0);
      previous = V_ALL(0);
    } else {
      ascii = false;
      for (int i = 0; i < 4; i++) {
        V before1 = V_BEFORE(v[i], previous, 1);
        V before2 = V_BEFORE(v[i], previous, 2);
        V before3 = V_BEFORE(v[i], previous, 3);
        V bad = V_AND(V_AND(V_LOOKUP(first_high, V_HIGH_NIBBLE(before1)),
                            V_LOOKUP(first_low, V_AND(before1, nibble))),
                      V_LOOKUP(second_high, V_HIGH_NIBBLE(v[i])));
        /* Bit 7: must be a third or fourth byte, against: is a second continuation byte. */
        V must = V_OR(V_LESS(before2, third), V_LESS(before3, fourth));
        error = V_OR(error, V_XOR(V_AND(must, bit7), bad));
        previous = v[i];
      }
      unfinished = V_LESS(previous, complete);
    }
    p += 4 * V_BYTES;
    left -= 4 * V_BYTES;
  }
  error = V_OR(error, unfinished);

  unsigned flags = ascii ? INPUT_ASCII : 0;
  if (!V_ANY(error)) flags |= INPUT_VALID;
  if (V_ANY_ZERO(cr)) flags |= INPUT_CR;
  if (V_ANY_ZERO(zero)) flags |= INPUT_NUL;
  return flags;
}

#undef CHECK_NAME
#undef CHECK_TARGET
#undef V
#undef V_BYTES
#undef V_LOAD
#undef V_LOAD_PART
#undef V_TABLE
#undef V_ALL
#undef V_OR
#undef V_AND
#undef V_XOR
#undef V_MIN
#undef V_LESS
#undef V_LOOKUP
#undef V_HIGH_NIBBLE
#undef V_BEFORE
#undef V_ANY_HIGH
#undef V_ANY_ZERO
#undef V_ANY
