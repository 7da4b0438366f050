/* http.c - see http.h. */
#include "http.h"

#include "text.h"

/* --- header --- */

/* "HTTP/1.1 200 OK", "HTTP/2 200", "ICY 200 OK"; the status, 0 for other lines. */
static unsigned parse_status_line(lanner_string line) {
  if (!warc_begins(line, "http") && !warc_begins(line, "icy ")) return 0;
  const char *p = line.data, *end = line.data + line.length;
  while (p < end && *p != ' ') p++;
  while (p < end && *p == ' ') p++;
  unsigned status = 0;
  for (int i = 0; i < 3; i++, p++) {
    if (p == end || *p < '0' || *p > '9') return 0;
    status = status * 10 + (unsigned)(*p - '0');
  }
  return status;
}

static void add_codings(warc_codings *codings, lanner_string value) {
  if (codings->count < WARC_CODING_LINES) codings->lines[codings->count] = value;
  codings->count++;
}

static void set_http_field(warc_response *response, lanner_string name, lanner_string value) {
  lanner_string *field = NULL;
  if (warc_same(name, "content-type")) field = &response->content_type;
  if (warc_same(name, "content-encoding")) add_codings(&response->content_encoding, value);
  if (warc_same(name, "transfer-encoding")) add_codings(&response->transfer_encoding, value);
  if (warc_same(name, "x-robots-tag")) field = &response->robots;
  if (field != NULL && field->length == 0) *field = value;
}

void warc_split_media_type(lanner_string value, lanner_string *media_type, lanner_string *charset) {
  const char *semicolon = value.length > 0 ? memchr(value.data, ';', value.length) : NULL;
  size_t length = semicolon != NULL ? (size_t)(semicolon - value.data) : value.length;
  *media_type = warc_trim(warc_text(value.data, length));
  *charset = warc_text("", 0);
  size_t at = length;
  while (at < value.length) {
    at++;
    size_t end = at;
    bool quoted = false;
    while (end < value.length && (quoted || value.data[end] != ';')) {
      if (value.data[end] == '"') quoted = !quoted;
      end++;
    }
    lanner_string parameter = warc_trim(warc_text(value.data + at, end - at));
    at = end;
    const char *equals =
        parameter.length > 0 ? memchr(parameter.data, '=', parameter.length) : NULL;
    if (equals == NULL) continue;
    size_t name_length = (size_t)(equals - parameter.data);
    if (!warc_same(warc_trim(warc_text(parameter.data, name_length)), "charset")) continue;
    lanner_string label = warc_trim(warc_text(equals + 1, parameter.length - name_length - 1));
    while (label.length > 0 && (label.data[0] == '"' || label.data[0] == '\'')) {
      label.data++;
      label.length--;
    }
    while (label.length > 0 &&
           (label.data[label.length - 1] == '"' || label.data[label.length - 1] == '\''))
      label.length--;
    if (charset->length == 0) *charset = warc_trim(label);
  }
}

void warc_parse_response(const char *bytes, size_t length, warc_response *response) {
  memset(response, 0, sizeof *response);
  response->content_type = response->media_type = response->charset = response->robots =
      warc_text("", 0);
  lanner_string rest = {bytes, length};
  lanner_string line = warc_line(&rest);
  response->status = parse_status_line(line);
  if (response->status == 0 && !warc_begins(line, "http/")) return;
  while (rest.length > 0 && !response->complete) {
    lanner_string name, value;
    line = warc_line(&rest);
    if (line.length == 0) {
      response->complete = true;
      break;
    }
    while (rest.length > 0 && warc_is_blank(rest.data[0])) {
      lanner_string more = warc_line(&rest);
      line.length = (size_t)(more.data + more.length - line.data);
    }
    if (warc_field(line, &name, &value)) set_http_field(response, name, value);
  }
  response->length = (size_t)(rest.data - bytes);
  warc_split_media_type(response->content_type, &response->media_type, &response->charset);
}

/* --- media types --- */

bool warc_is_html_type(lanner_string media_type) {
  return warc_same(media_type, "text/html") || warc_same(media_type, "application/xhtml+xml");
}

bool warc_sniffs_as_html(const uint8_t *bytes, size_t length) {
  static const char *const tags[] = {
      "!doctype html", "html", "head",  "script", "iframe", "h1",   "div", "font",
      "table",         "a",    "style", "title",  "b",      "body", "br",  "p"};
  size_t at = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  while (at < length && memchr("\t\n\f\r ", bytes[at], 5) != NULL) at++;
  if (at == length || bytes[at] != '<') return false;
  lanner_string rest = {(const char *)bytes + at + 1, length - at - 1};
  if (warc_begins(rest, "!--")) return true;
  for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
    size_t end = strlen(tags[i]);
    if (warc_begins(rest, tags[i]) && rest.length > end &&
        (rest.data[end] == ' ' || rest.data[end] == '>'))
      return true;
  }
  return false;
}

/* --- body --- */

static int hex(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  char lower = warc_lower((char)c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Reads a chunk's size line at *AT. False when there is none. */
static bool chunk_size(const uint8_t *body, size_t length, size_t *at, uint64_t *size) {
  size_t p = *at, digits = 0;
  *size = 0;
  for (; p < length && hex(body[p]) >= 0 && digits < 15; p++, digits++)
    *size = *size * 16 + (uint64_t)hex(body[p]);
  if (digits == 0) return false;
  while (p < length && warc_is_blank((char)body[p])) p++;
  if (p < length && body[p] == ';')
    while (p < length && body[p] != '\n' && body[p] != '\r') p++;
  if (p < length && body[p] == '\r') p++;
  if (p == length || body[p] != '\n') return false;
  *at = p + 1;
  return true;
}

/* Joins the chunks of BODY at its front. Answers with false when BODY is not chunked at all;
 * *CUT: the last chunk is missing or something else stands between two. */
static bool join_chunks(uint8_t *body, size_t *length, bool *cut) {
  size_t from = 0, to = 0;
  uint64_t size;
  *cut = true;
  if (!chunk_size(body, *length, &from, &size)) return false;
  for (;;) {
    if (size == 0) {
      *cut = false;
      break;
    }
    size_t left = *length - from;
    size_t take = size < left ? (size_t)size : left;
    memmove(body + to, body + from, take);
    to += take;
    from += take;
    if (take < size) break;
    if (from < *length && body[from] == '\r') from++;
    if (from < *length && body[from] == '\n') from++;
    if (from == *length || !chunk_size(body, *length, &from, &size)) break;
  }
  *length = to;
  return true;
}

/* BYTES are text as far as their beginning tells: none of the MIME Sniffing Standard's binary data
 * bytes. NUL does not count as one, for UTF-16. */
static bool is_text(const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length && i < 512; i++) {
    uint8_t c = bytes[i];
    if (c < 0x20 && c != 0 && c != '\t' && c != '\n' && c != '\f' && c != '\r' && c != 0x1B)
      return false;
  }
  return true;
}

/* A coding whose data begin with a mark of their own. */
static bool has_magic(warc_coding coding) { return coding == WARC_GZIP || coding == WARC_ZSTD; }

/* The coding that NAME means, and for deflate, which of the two BODY is in. */
static warc_coding find_coding(lanner_string name, const uint8_t *body, size_t length,
                               bool *unknown) {
  *unknown = false;
  if (warc_same(name, "gzip") || warc_same(name, "x-gzip")) return WARC_GZIP;
  if (warc_same(name, "deflate") || warc_same(name, "x-deflate")) {
    bool framed = length >= 2 && (body[0] & 0x0F) == 8 && (body[0] * 256 + body[1]) % 31 == 0;
    return framed ? WARC_ZLIB : WARC_DEFLATE;
  }
  if (warc_same(name, "br")) return WARC_BROTLI;
  if (warc_same(name, "zstd")) return WARC_ZSTD;
  *unknown = name.length > 0 && !warc_same(name, "identity") && !warc_same(name, "none") &&
             !warc_same(name, "utf-8");
  return WARC_PLAIN;
}

/* Takes the last word of a list "gzip, br;q=1" off its end, without its parameters. */
static lanner_string last_coding(lanner_string *list) {
  size_t begin = list->length;
  while (begin > 0 && list->data[begin - 1] != ',') begin--;
  lanner_string word = warc_text(list->data + begin, list->length - begin);
  list->length = begin > 0 ? begin - 1 : 0;
  const char *semicolon = word.length > 0 ? memchr(word.data, ';', word.length) : NULL;
  if (semicolon != NULL) word.length = (size_t)(semicolon - word.data);
  return warc_trim(word);
}

/* More codings than this over one another are nobody's page. */
enum { MOST_LAYERS = 4 };

/* A body whose codings are being undone. */
typedef struct decoding {
  warc_inflater *inflater;
  size_t most;
  warc_buffer *spare; /* two of them */
  uint8_t *bytes;
  size_t length;
  int layers;
  bool cut;
} decoding;

/* Undoes CODING, if the bytes are in it. */
static warc_body undo_coding(decoding *d, warc_coding coding) {
  bool text = is_text(d->bytes, d->length);
  if (has_magic(coding) && warc_guess_coding(d->bytes, d->length) != coding) {
    if (text) return WARC_BODY_OK;
    d->cut = true; /* nothing can be decoded */
    d->length = 0;
    return WARC_BODY_OK;
  }
  if (d->layers++ == MOST_LAYERS) return WARC_BODY_UNKNOWN;
  /* Never the one that the bytes lie in, also behind a coding that was passed over. */
  warc_buffer *target = &d->spare[d->bytes == d->spare[0].bytes];
  warc_inflated done = warc_inflate_all(d->inflater, coding, d->bytes, d->length, target, d->most);
  if (done == WARC_INFLATE_MEMORY) return WARC_BODY_MEMORY;
  if (done == WARC_INFLATE_LARGE) return WARC_BODY_LARGE;
  /* Without a mark, text is only taken for coded where it decodes to the end; and to something, since
   * what holds nothing is short in every coding. */
  if (text && !has_magic(coding) &&
      (done != WARC_INFLATE_DONE || (target->length == 0 && d->length > 32)))
    return WARC_BODY_OK;
  if (done != WARC_INFLATE_DONE) d->cut = true;
  if (!warc_buffer_reserve(target, 1)) return WARC_BODY_MEMORY;
  d->bytes = target->bytes;
  d->length = target->length;
  return WARC_BODY_OK;
}

/* Undoes the codings that the lines of a field name, the last one first. */
static warc_body undo_codings(decoding *d, const warc_codings *codings, bool transfer) {
  if (codings->count > WARC_CODING_LINES) return WARC_BODY_UNKNOWN;
  for (unsigned i = codings->count; i-- > 0;) {
    lanner_string list = codings->lines[i];
    while (list.length > 0 && d->length > 0) {
      bool unknown, cut;
      lanner_string name = last_coding(&list);
      if (transfer && warc_same(name, "chunked")) {
        if (join_chunks(d->bytes, &d->length, &cut) && cut) d->cut = true;
        continue;
      }
      warc_coding coding = find_coding(name, d->bytes, d->length, &unknown);
      if (unknown || !warc_coding_known(coding)) return WARC_BODY_UNKNOWN;
      if (coding == WARC_PLAIN) continue;
      warc_body result = undo_coding(d, coding);
      if (result != WARC_BODY_OK) return result;
    }
  }
  return WARC_BODY_OK;
}

warc_body warc_decode_body(warc_inflater *inflater, const warc_response *response, uint8_t *body,
                           size_t body_length, size_t most, warc_buffer spare[2], uint8_t **decoded,
                           size_t *length) {
  decoding d = {.inflater = inflater, .most = most, .spare = spare, .bytes = body};
  d.length = body_length;
  warc_body result = undo_codings(&d, &response->transfer_encoding, true);
  if (result == WARC_BODY_OK) result = undo_codings(&d, &response->content_encoding, false);
  *decoded = d.bytes;
  *length = d.length;
  if (result != WARC_BODY_OK) return result;
  if (d.length > most) return WARC_BODY_LARGE;
  return d.cut ? WARC_BODY_CUT : WARC_BODY_OK;
}
