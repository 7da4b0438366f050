/* record.c - see record.h. Lenient where archives differ: LF for CR LF, any case of field names,
 * folded lines, angle brackets round the URL. */
#include "record.h"

#include "text.h"

const char *warc_type_name(warc_type type) {
  static const char *const names[WARC_TYPES] = {"response",     "resource", "request",
                                                "metadata",     "revisit",  "conversion",
                                                "continuation", "warcinfo", "other"};
  return names[type];
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* --- WARC --- */

static warc_type parse_type(lanner_string value) {
  for (int type = 0; type < WARC_TYPE_OTHER; type++)
    if (warc_same(value, warc_type_name((warc_type)type))) return (warc_type)type;
  return WARC_TYPE_OTHER;
}

/* Reads "WARC/0.17". */
static bool parse_version(lanner_string line, warc_header *header) {
  if (!warc_begins(line, "warc/")) return false;
  const char *p = line.data + 5, *end = line.data + line.length;
  unsigned parts[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    if (p == end || !is_digit(*p)) return false;
    for (; p < end && is_digit(*p) && parts[i] < 10000; p++)
      parts[i] = parts[i] * 10 + (unsigned)(*p - '0');
    if (i == 0 && (p == end || *p++ != '.')) return false;
  }
  header->major = parts[0];
  header->minor = parts[1];
  return true;
}

bool warc_version_known(const warc_header *header) {
  if (header->arc) return true;
  if (header->major == 0) return header->minor == 17 || header->minor == 18;
  return header->major == 1 && header->minor <= 1;
}

/* Where the line that is empty ends, from the front of BYTES; 0 when there is none. */
static size_t find_header_end(const char *bytes, size_t length) {
  size_t at = 0;
  while (at < length) {
    const char *newline = memchr(bytes + at, '\n', length - at);
    if (newline == NULL) return 0;
    size_t next = (size_t)(newline - bytes) + 1;
    size_t line = next - at;
    if (line == 1 || (line == 2 && bytes[at] == '\r')) return next;
    at = next;
  }
  return 0;
}

static void set_warc_field(warc_header *header, lanner_string name, lanner_string value,
                           lanner_string *length) {
  switch (name.length) {
  case 9:
    if (warc_same(name, "warc-type")) header->type = parse_type(value);
    if (warc_same(name, "warc-date")) header->date = value;
    break;
  case 12:
    if (warc_same(name, "content-type")) header->content_type = value;
    break;
  case 14:
    if (warc_same(name, "content-length")) *length = value;
    if (warc_same(name, "warc-truncated")) header->truncated = value;
    if (warc_same(name, "warc-record-id")) header->record_id = value;
    break;
  case 15:
    if (warc_same(name, "warc-target-uri")) header->url = value;
    break;
  default: break;
  }
}

static warc_header_status parse_warc(const char *bytes, size_t length, warc_header *header) {
  size_t end = find_header_end(bytes, length < WARC_HEADER_LIMIT ? length : WARC_HEADER_LIMIT);
  if (end == 0) return length < WARC_HEADER_LIMIT ? WARC_HEADER_MORE : WARC_HEADER_BROKEN;
  header->length = end;
  header->type = WARC_TYPE_OTHER;
  lanner_string rest = {bytes, end};
  if (!parse_version(warc_line(&rest), header)) return WARC_HEADER_NONE;
  lanner_string content_length = {"", 0};
  while (rest.length > 0) {
    lanner_string line = warc_line(&rest), name, value;
    /* A line that begins with a blank continues the field before it. */
    while (rest.length > 0 && warc_is_blank(rest.data[0])) {
      lanner_string more = warc_line(&rest);
      line.length = (size_t)(more.data + more.length - line.data);
    }
    if (warc_field(line, &name, &value)) set_warc_field(header, name, value, &content_length);
  }
  if (header->url.length >= 2 && header->url.data[0] == '<' &&
      header->url.data[header->url.length - 1] == '>') {
    header->url.data++;
    header->url.length -= 2;
  }
  return warc_number(content_length, &header->content_length) ? WARC_HEADER_OK : WARC_HEADER_BROKEN;
}

/* --- ARC: "URL IP DATE CONTENT-TYPE LENGTH", or with more words before LENGTH --- */

/* Splits LINE into words; answers with their number, at most MOST. */
static size_t split(lanner_string line, lanner_string *words, size_t most) {
  size_t count = 0, at = 0;
  while (at < line.length && count < most) {
    size_t end = at;
    while (end < line.length && line.data[end] != ' ') end++;
    words[count++] = warc_text(line.data + at, end - at);
    at = end + 1;
  }
  return at <= line.length ? most + 1 : count;
}

static bool arc_words(lanner_string line, lanner_string words[10], size_t *count) {
  *count = split(line, words, 10);
  if (*count < 5 || *count > 10 || words[2].length != 14) return false;
  for (size_t i = 0; i < 14; i++)
    if (!is_digit(words[2].data[i])) return false;
  uint64_t number;
  return memchr(words[0].data, ':', words[0].length) != NULL &&
         warc_number(words[*count - 1], &number);
}

static warc_header_status parse_arc(const char *bytes, size_t length, warc_header *header) {
  enum { LONGEST = 1 << 14 };
  const char *end = memchr(bytes, '\n', length < LONGEST ? length : LONGEST);
  if (end == NULL) return length < LONGEST ? WARC_HEADER_MORE : WARC_HEADER_NONE;
  lanner_string rest = {bytes, (size_t)(end - bytes) + 1};
  lanner_string words[10];
  size_t count;
  if (!arc_words(warc_line(&rest), words, &count)) return WARC_HEADER_NONE;
  header->arc = true;
  header->length = (size_t)(end - bytes) + 1;
  header->url = words[0];
  header->date = words[2];
  warc_number(words[count - 1], &header->content_length);
  bool web = warc_begins(words[0], "http:") || warc_begins(words[0], "https:");
  header->type = web                                  ? WARC_TYPE_RESPONSE
                 : warc_begins(words[0], "filedesc:") ? WARC_TYPE_WARCINFO
                                                      : WARC_TYPE_OTHER;
  header->content_type = web ? warc_text("application/http", 16) : words[3];
  return WARC_HEADER_OK;
}

/* --- both --- */

warc_header_status warc_looks_like_record(const char *bytes, size_t length) {
  static const char magic[] = "WARC/";
  size_t known = length < 5 ? length : 5;
  if (known == 0) return WARC_HEADER_MORE;
  if (memcmp(bytes, magic, known) == 0) {
    if (length < 6) return WARC_HEADER_MORE;
    return is_digit(bytes[5]) ? WARC_HEADER_OK : WARC_HEADER_NONE;
  }
  /* A URL's scheme: ARC. The rest of the line is looked at when it is parsed. */
  size_t i = 0;
  while (i < length && i < 12 && (warc_lower(bytes[i]) >= 'a' && warc_lower(bytes[i]) <= 'z')) i++;
  if (i == length && i < 12) return WARC_HEADER_MORE;
  return i >= 3 && i < 12 && bytes[i] == ':' ? WARC_HEADER_OK : WARC_HEADER_NONE;
}

bool warc_may_follow(const char *bytes, size_t length, bool arc) {
  if (warc_looks_like_record(bytes, length) != WARC_HEADER_OK) return false;
  lanner_string next = {bytes, length};
  return arc || warc_begins(next, "warc/") || warc_begins(next, "filedesc:");
}

warc_header_status warc_parse_header(const char *bytes, size_t length, warc_header *header) {
  memset(header, 0, sizeof *header);
  header->url = header->date = header->content_type = header->truncated = header->record_id =
      warc_text("", 0);
  warc_header_status look = warc_looks_like_record(bytes, length);
  if (look != WARC_HEADER_OK) return look;
  return bytes[0] == 'W' && bytes[4] == '/' ? parse_warc(bytes, length, header)
                                            : parse_arc(bytes, length, header);
}

/* "WARC/1.0", a line end, and "WARC-" or "Content-". */
static bool version_and_field(const char *bytes, size_t length) {
  if (length < WARC_RECORD_LOOK || memcmp(bytes, "WARC/", 5) != 0) return false;
  size_t at = 5;
  while (at < 12 && (is_digit(bytes[at]) || bytes[at] == '.')) at++;
  if (at < 8) return false;
  at += bytes[at] == '\r';
  if (bytes[at++] != '\n') return false;
  lanner_string rest = {bytes + at, length - at};
  return warc_begins(rest, "warc-") || warc_begins(rest, "content-");
}

size_t warc_find_record(const char *bytes, size_t length) {
  size_t at = 0;
  while (at + WARC_RECORD_LOOK <= length) {
    const char *hit = memchr(bytes + at, 'W', length - at);
    if (hit == NULL) return length;
    at = (size_t)(hit - bytes);
    if (version_and_field(hit, length - at)) return at;
    at++;
  }
  return length;
}

size_t warc_count_newlines(const char *bytes, size_t length, size_t most) {
  size_t count = 0;
  while (count < length && count < most && (bytes[count] == '\r' || bytes[count] == '\n')) count++;
  return count;
}
