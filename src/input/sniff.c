/* sniff.c - which encoding a page has: 13.2.3 of the HTML Standard. */
#include "input/bytes.h"

const char *lanner_source_name(lanner_source source) {
  switch (source) {
  case LANNER_SOURCE_BOM: return "bom";
  case LANNER_SOURCE_USER: return "user";
  case LANNER_SOURCE_TRANSPORT: return "transport";
  case LANNER_SOURCE_UTF_16_PATTERN: return "utf-16-pattern";
  case LANNER_SOURCE_META: return "meta";
  case LANNER_SOURCE_XML: return "xml";
  case LANNER_SOURCE_LATE_META: return "late-meta";
  case LANNER_SOURCE_PARENT: return "parent";
  case LANNER_SOURCE_GUESS: return "guess";
  default: return "default";
  }
}

const char *lanner_confidence_name(lanner_confidence confidence) {
  switch (confidence) {
  case LANNER_CONFIDENCE_CERTAIN: return "certain";
  case LANNER_CONFIDENCE_IRRELEVANT: return "irrelevant";
  default: return "tentative";
  }
}

static bool sniff_is_utf16(lanner_encoding encoding) {
  return encoding == LANNER_ENCODING_UTF_16BE || encoding == LANNER_ENCODING_UTF_16LE;
}

/* What a declaration inside the page really means: that it can be read shows it is not UTF-16. */
static lanner_encoding sniff_declared(lanner_encoding encoding) {
  if (sniff_is_utf16(encoding)) return LANNER_ENCODING_UTF_8;
  if (encoding == LANNER_ENCODING_X_USER_DEFINED) return LANNER_ENCODING_WINDOWS_1252;
  return encoding;
}

lanner_encoding lanner_encoding_for_meta_content(const char *value, size_t length) {
  const byte *p = (const byte *)value, *end = p + length;
  for (;;) {
    while (end - p >= 7 && !enc_is_word(p, 7, "charset")) p++;
    if (end - p < 7) return LANNER_ENCODING_NONE;
    p += 7;
    while (p < end && enc_is_space(*p)) p++;
    if (p == end) return LANNER_ENCODING_NONE;
    if (*p == '=') break;
  }
  p++;
  while (p < end && enc_is_space(*p)) p++;
  if (p == end) return LANNER_ENCODING_NONE;
  const byte *start = p;
  if (*p == '"' || *p == '\'') {
    byte quote = *p;
    start = ++p;
    while (p < end && *p != quote) p++;
    if (p == end) return LANNER_ENCODING_NONE;
  } else {
    while (p < end && !enc_is_space(*p) && *p != ';') p++;
  }
  return lanner_encoding_for_label((const char *)start, (size_t)(p - start));
}

/* --- the prescan --- */

struct sniff_attribute {
  const byte *name, *value;
  size_t name_length, value_length;
};

enum sniff_got { SNIFF_NONE, SNIFF_ATTRIBUTE, SNIFF_OUT_OF_BYTES };

/* "Get an attribute". Letter case is left as it is: all that is done with the result ignores it. */
static enum sniff_got sniff_attribute(const byte **at, const byte *end, struct sniff_attribute *a) {
  const byte *p = *at;
  while (p < end && (enc_is_space(*p) || *p == '/')) p++;
  *at = p;
  if (p == end) return SNIFF_OUT_OF_BYTES;
  if (*p == '>') return SNIFF_NONE;
  a->name = p;
  while (p < end && !enc_is_space(*p) && *p != '/' && *p != '>' && (*p != '=' || p == a->name)) p++;
  a->name_length = (size_t)(p - a->name);
  a->value = p;
  a->value_length = 0;
  while (p < end && enc_is_space(*p)) p++;
  if (p == end) return SNIFF_OUT_OF_BYTES;
  if (*p == '=') {
    p++;
    while (p < end && enc_is_space(*p)) p++;
    if (p == end) return SNIFF_OUT_OF_BYTES;
    if (*p == '"' || *p == '\'') {
      byte quote = *p;
      a->value = ++p;
      while (p < end && *p != quote) p++;
      a->value_length = (size_t)(p - a->value);
      if (p == end) return SNIFF_OUT_OF_BYTES;
      p++;
    } else {
      a->value = p;
      while (p < end && !enc_is_space(*p) && *p != '>') p++;
      a->value_length = (size_t)(p - a->value);
      if (p == end) return SNIFF_OUT_OF_BYTES;
    }
  }
  *at = p;
  return SNIFF_ATTRIBUTE;
}

/* Reads the attributes of a meta element from *AT on. False: the bytes ran out. *ENCODING becomes
 * what it declares, or NONE. */
static bool sniff_meta(const byte **at, const byte *end, lanner_encoding *encoding) {
  bool seen_equiv = false, seen_content = false, seen_charset = false;
  bool got_pragma = false, need_pragma = false;
  struct sniff_attribute a;
  enum sniff_got got;
  *encoding = LANNER_ENCODING_NONE;
  while ((got = sniff_attribute(at, end, &a)) == SNIFF_ATTRIBUTE) {
    const char *value = (const char *)a.value;
    if (!seen_equiv && enc_is_word(a.name, a.name_length, "http-equiv")) {
      seen_equiv = true;
      got_pragma = enc_is_word(a.value, a.value_length, "content-type");
    } else if (!seen_content && enc_is_word(a.name, a.name_length, "content")) {
      seen_content = true;
      /* A charset attribute, even a bad one, has decided already. */
      if (seen_charset) continue;
      *encoding = lanner_encoding_for_meta_content(value, a.value_length);
      need_pragma = *encoding != LANNER_ENCODING_NONE;
    } else if (!seen_charset && enc_is_word(a.name, a.name_length, "charset")) {
      seen_charset = true;
      *encoding = lanner_encoding_for_label(value, a.value_length);
      need_pragma = false;
    }
  }
  if (need_pragma && !got_pragma) *encoding = LANNER_ENCODING_NONE;
  *encoding = sniff_declared(*encoding);
  return got == SNIFF_NONE;
}

/* Whether the bytes at P start with WORD (lower case), in any ASCII case. */
static bool sniff_starts(const byte *p, const byte *end, const char *word) {
  size_t length = strlen(word);
  return (size_t)(end - p) >= length && enc_is_word(p, length, word);
}

INLINE bool sniff_is_letter(byte b) { return enc_lower(b) >= 'a' && enc_lower(b) <= 'z'; }

/* What a meta element in the bytes declares, or NONE. */
static lanner_encoding sniff_metas(const byte *p, const byte *end) {
  struct sniff_attribute a;
  while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
    size_t slash = end - p >= 2 && p[1] == '/';
    if (sniff_starts(p, end, "<!--")) {
      /* The dashes that close may be those that opened. */
      for (p += 2; p < end && !sniff_starts(p, end, "-->"); p++) continue;
      if (p == end) return LANNER_ENCODING_NONE;
      p += 2;
    } else if (sniff_starts(p, end, "<meta") && end - p > 5 &&
               (enc_is_space(p[5]) || p[5] == '/')) {
      lanner_encoding encoding;
      p += 5;
      if (!sniff_meta(&p, end, &encoding)) return LANNER_ENCODING_NONE;
      if (encoding != LANNER_ENCODING_NONE) return encoding;
    } else if ((size_t)(end - p) > 1 + slash && sniff_is_letter(p[1 + slash])) {
      enum sniff_got got;
      while (p < end && !enc_is_space(*p) && *p != '>') p++;
      while ((got = sniff_attribute(&p, end, &a)) == SNIFF_ATTRIBUTE) continue;
      if (got == SNIFF_OUT_OF_BYTES) return LANNER_ENCODING_NONE;
    } else if (end - p >= 2 && (p[1] == '!' || p[1] == '/' || p[1] == '?')) {
      while (p < end && *p != '>') p++;
      if (p == end) return LANNER_ENCODING_NONE;
    }
    p++;
  }
  return LANNER_ENCODING_NONE;
}

/* "Get an XML encoding". */
static lanner_encoding sniff_xml(const byte *p, const byte *end) {
  if (end - p < 5 || memcmp(p, "<?xml", 5) != 0) return LANNER_ENCODING_NONE;
  if (!memchr(p, '>', (size_t)(end - p))) return LANNER_ENCODING_NONE;
  while (end - p >= 8 && memcmp(p, "encoding", 8) != 0) p++;
  if (end - p < 8) return LANNER_ENCODING_NONE;
  p += 8;
  while (p < end && *p <= 0x20) p++;
  if (p == end || *p != '=') return LANNER_ENCODING_NONE;
  p++;
  while (p < end && *p <= 0x20) p++;
  if (p == end || (*p != '"' && *p != '\'')) return LANNER_ENCODING_NONE;
  byte quote = *p++;
  const byte *start = p;
  while (p<end && * p != quote && * p> 0x20) p++;
  if (p == end || *p != quote) return LANNER_ENCODING_NONE;
  lanner_encoding encoding = lanner_encoding_for_label((const char *)start, (size_t)(p - start));
  return sniff_is_utf16(encoding) ? LANNER_ENCODING_UTF_8 : encoding;
}

lanner_encoding lanner_prescan(const void *bytes, size_t length, lanner_source *source) {
  const byte *p = bytes;
  lanner_source from = LANNER_SOURCE_DEFAULT;
  lanner_encoding encoding = LANNER_ENCODING_NONE;
  if (length >= 6 && memcmp(p, "<\0?\0x", 6) == 0) {
    from = LANNER_SOURCE_UTF_16_PATTERN, encoding = LANNER_ENCODING_UTF_16LE;
  } else if (length >= 6 && memcmp(p, "\0<\0?\0x", 6) == 0) {
    from = LANNER_SOURCE_UTF_16_PATTERN, encoding = LANNER_ENCODING_UTF_16BE;
  } else if (length > 0) {
    from = LANNER_SOURCE_META;
    encoding = sniff_metas(p, p + length);
    if (encoding == LANNER_ENCODING_NONE) {
      from = LANNER_SOURCE_XML;
      encoding = sniff_xml(p, p + length);
    }
  }
  if (source && encoding != LANNER_ENCODING_NONE) *source = from;
  return encoding;
}

void lanner_sniff(const void *bytes, size_t length, const lanner_sniff_options *options,
                  lanner_sniff_result *result) {
  static const lanner_sniff_options nothing_known;
  const lanner_sniff_options *o = options ? options : &nothing_known;
  size_t mark;
  lanner_encoding encoding = lanner_encoding_for_bom(bytes, length, &mark);
  lanner_source source = LANNER_SOURCE_BOM;
  if (encoding == LANNER_ENCODING_NONE) source = LANNER_SOURCE_USER, encoding = o->user;
  if (encoding == LANNER_ENCODING_NONE) source = LANNER_SOURCE_TRANSPORT, encoding = o->transport;
  result->mark = (unsigned)mark;
  result->confidence = LANNER_CONFIDENCE_CERTAIN;
  if (encoding == LANNER_ENCODING_NONE) {
    result->confidence = LANNER_CONFIDENCE_TENTATIVE;
    encoding = lanner_prescan(bytes, enc_smaller(length, LANNER_SNIFF_BYTES), &source);
  }
  if (encoding == LANNER_ENCODING_NONE && !sniff_is_utf16(o->parent)) {
    source = LANNER_SOURCE_PARENT, encoding = o->parent;
  }
  if (encoding == LANNER_ENCODING_NONE && o->guess) {
    source = LANNER_SOURCE_GUESS, encoding = o->guess(o->guess_context, bytes, length);
  }
  if (encoding == LANNER_ENCODING_NONE) {
    source = LANNER_SOURCE_DEFAULT;
    encoding = o->fallback != LANNER_ENCODING_NONE ? o->fallback : LANNER_ENCODING_WINDOWS_1252;
  }
  result->encoding = encoding;
  result->source = source;
}

/* --- changing the encoding --- */

lanner_change lanner_change_encoding(lanner_encoding current, lanner_encoding declared,
                                     lanner_encoding *result) {
  *result = current;
  if (declared == LANNER_ENCODING_NONE || sniff_is_utf16(current)) return LANNER_CHANGE_KEEP;
  declared = sniff_declared(declared);
  if (declared == current) return LANNER_CHANGE_KEEP;
  *result = declared;
  return LANNER_CHANGE_SWITCH;
}

/* Whether bytes below 0x80, SO, SI and ESC excepted, are ASCII in ENCODING. */
static bool sniff_is_ascii_like(lanner_encoding encoding) {
  return encoding != LANNER_ENCODING_REPLACEMENT && !sniff_is_utf16(encoding);
}

bool lanner_encodings_agree(lanner_encoding a, lanner_encoding b, const void *bytes,
                            size_t length) {
  if (a == b || length == 0) return true;
  if (!sniff_is_ascii_like(a) || !sniff_is_ascii_like(b)) return false;
  const byte *p = bytes, *end = p + length;
  bool iso_2022 = a == LANNER_ENCODING_ISO_2022_JP || b == LANNER_ENCODING_ISO_2022_JP;
  /* ASCII first: then only what is left has to be decoded twice. */
  byte scratch[2][1024];
  while (p < end) {
    size_t most = enc_smaller((size_t)(end - p), sizeof scratch[0]);
    size_t n = iso_2022 ? enc_plain_copy(scratch[0], p, most) : enc_ascii_copy(scratch[0], p, most);
    p += n;
    if (n < most) break;
  }
  lanner_decoder d[2];
  lanner_decoder_init(&d[0], a, LANNER_BOM_KEEP, 0);
  lanner_decoder_init(&d[1], b, LANNER_BOM_KEEP, 0);
  /* Pieces that always fit; the texts must be equal after each one. */
  while (p < end) {
    size_t n = enc_smaller((size_t)(end - p), sizeof scratch[0] / 3 - 8), consumed, written[2];
    for (int i = 0; i < 2; i++) {
      lanner_decode(&d[i], p, n, &consumed, (char *)scratch[i], sizeof scratch[i], &written[i],
                    false);
    }
    if (written[0] != written[1] || memcmp(scratch[0], scratch[1], written[0]) != 0) return false;
    p += n;
  }
  /* Neither may be in the middle of something. */
  return !d[0].pending_count && !d[1].pending_count && !d[0].state && !d[1].state;
}
