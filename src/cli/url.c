/* url.c - URLs of one page: its base, and memory for what resolves. */
#include "url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ada_here.h" /* made by the build: LANNER_HAVE_ADA when the library was found */

#ifdef LANNER_HAVE_ADA

#include "lanner_encoding.h"
#include "output.h"
#include "url_ada.h"

/* Each URL that is resolved may copy its base once: of all pages only those that were made for it have
 * copied so many bytes. */
enum { BLOCK = 1 << 16, MOST_COPIED = 1 << 30 };

typedef struct url_block {
  struct url_block *next;
  size_t used, size;
} url_block;

struct cli_urls {
  void *base;        /* of ada; NULL: none */
  url_block *blocks; /* in use, the front one has room */
  url_block *spare;
  lanner_encoding encoding; /* of queries */
  cli_buffer coded;         /* a URL whose query is in it */
  bool failed;
  size_t base_length; /* of the page's base */
  size_t copied;
};

bool cli_urls_built_in(void) { return true; }

cli_urls *cli_urls_new(void) { return calloc(1, sizeof(cli_urls)); }

static void free_blocks(url_block *block) {
  while (block != NULL) {
    url_block *next = block->next;
    free(block);
    block = next;
  }
}

void cli_urls_free(cli_urls *urls) {
  if (urls == NULL) return;
  url_ada_free(urls->base);
  free_blocks(urls->blocks);
  free_blocks(urls->spare);
  cli_buffer_free(&urls->coded);
  free(urls);
}

/* Keeps the blocks of the usual size. */
static void recycle(cli_urls *urls) {
  while (urls->blocks != NULL) {
    url_block *block = urls->blocks;
    urls->blocks = block->next;
    if (block->size > BLOCK) {
      free(block);
      continue;
    }
    block->next = urls->spare;
    urls->spare = block;
  }
}

static char *room(cli_urls *urls, size_t length) {
  url_block *block = urls->blocks;
  if (block == NULL || block->size - block->used < length) {
    if (length <= BLOCK && urls->spare != NULL) {
      block = urls->spare;
      urls->spare = block->next;
    } else {
      size_t size = length > BLOCK ? length : BLOCK;
      block = malloc(sizeof *block + size);
      if (block == NULL) return NULL;
      block->size = size;
    }
    block->used = 0;
    block->next = urls->blocks;
    urls->blocks = block;
  }
  char *bytes = (char *)(block + 1) + block->used;
  block->used += length;
  return bytes;
}

bool cli_urls_failed(const cli_urls *urls) { return urls->failed; }

bool cli_urls_cut(const cli_urls *urls) { return urls->copied > MOST_COPIED; }

/* --- queries in the page's encoding (URL Standard, "percent-encode after encoding") --- */

/* VALUE without the controls and spaces that a URL loses at its end. */
static lanner_string trim_end(lanner_string value) {
  while (value.length > 0 && (unsigned char)value.data[value.length - 1] <= 0x20) value.length--;
  return value;
}

/* The part of VALUE between its first "?" and "#", if it is not all ASCII; else empty. */
static lanner_string query_to_encode(lanner_string value) {
  lanner_string query = {value.data, 0};
  const char *end = value.length > 0 ? memchr(value.data, '#', value.length) : NULL;
  if (end == NULL) end = value.data + value.length;
  const char *mark = value.length > 0 ? memchr(value.data, '?', (size_t)(end - value.data)) : NULL;
  if (mark == NULL) return query;
  query.data = mark + 1;
  query.length = (size_t)(end - query.data);
  if (lanner_check(query.data, query.length) & LANNER_CHECK_ASCII) query.length = 0;
  return query;
}

/* Only these have their queries in the page's encoding. */
static bool is_encoded_scheme(const char *url, size_t length) {
  static const char *const schemes[] = {"http:", "https:", "file:", "ftp:"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    size_t scheme = strlen(schemes[i]);
    if (length >= scheme && memcmp(url, schemes[i], scheme) == 0) return true;
  }
  return false;
}

static void add_coded(cli_buffer *into, const unsigned char *bytes, size_t length) {
  static const char digits[] = "0123456789ABCDEF";
  for (size_t i = 0; i < length; i++) {
    unsigned char c = bytes[i];
    const char escape[3] = {'%', digits[c >> 4], digits[c & 15]};
    if (c == '\t' || c == '\n' || c == '\r') continue; /* as the parser of URLs does */
    bool kept = c > 0x20 && c < 0x7F && memchr("\"#<>'", c, 5) == NULL;
    cli_buffer_write(into, kept ? (const char *)&bytes[i] : escape, kept ? 1 : 3);
  }
}

static void add_query(cli_urls *urls, lanner_string query) {
  lanner_encoder encoder;
  lanner_encode_status status;
  lanner_encoder_init(&encoder, urls->encoding, LANNER_ENCODE_FATAL);
  do {
    unsigned char bytes[256];
    size_t consumed, written;
    status = lanner_encode(&encoder, query.data, query.length, &consumed, bytes, sizeof bytes,
                           &written, true);
    add_coded(&urls->coded, bytes, written);
    query.data += consumed;
    query.length -= consumed;
    if (status == LANNER_ENCODE_UNMAPPABLE) {
      char reference[32];
      int length =
          snprintf(reference, sizeof reference, "%%26%%23%u%%3B", (unsigned)encoder.unmappable);
      cli_buffer_write(&urls->coded, reference, (size_t)length);
    }
  } while (status != LANNER_ENCODE_DONE);
}

/* VALUE with its QUERY percent-encoded. */
static lanner_string with_coded_query(cli_urls *urls, lanner_string value, lanner_string query) {
  const char *end = query.data + query.length;
  urls->coded.length = 0;
  cli_buffer_write(&urls->coded, value.data, (size_t)(query.data - value.data));
  add_query(urls, query);
  cli_buffer_write(&urls->coded, end, (size_t)(value.data + value.length - end));
  if (urls->coded.failed) urls->failed = true;
  return (lanner_string){urls->coded.data, urls->coded.length};
}

/* Parses VALUE; a query that is not ASCII is seen to be one of these when the URL's scheme is known. */
static void *parse(cli_urls *urls, lanner_string value) {
  void *url = url_ada_parse(value.data, value.length, urls->base, &urls->failed);
  if (url == NULL || urls->encoding == LANNER_ENCODING_UTF_8) return url;
  size_t length;
  const char *href = url_ada_href(url, &length);
  lanner_string whole = trim_end(value), query = query_to_encode(whole);
  if (query.length == 0 || !is_encoded_scheme(href, length)) return url;
  url_ada_free(url);
  whole = with_coded_query(urls, whole, query);
  return url_ada_parse(whole.data, whole.length, urls->base, &urls->failed);
}

/* --- the page --- */

/* A base that does not parse, or is a data or javascript URL, does not count. */
static void use_base(cli_urls *urls, lanner_string base) {
  void *own = parse(urls, base);
  if (own == NULL) return;
  size_t length;
  const char *href = url_ada_href(own, &length);
  if ((length >= 5 && memcmp(href, "data:", 5) == 0) ||
      (length >= 11 && memcmp(href, "javascript:", 11) == 0)) {
    url_ada_free(own);
    return;
  }
  url_ada_free(urls->base);
  urls->base = own;
}

void cli_urls_begin(cli_urls *urls, lanner_string document_url, const lanner_string *base,
                    const char *encoding) {
  recycle(urls);
  url_ada_free(urls->base);
  urls->failed = urls->coded.failed = false;
  urls->encoding = LANNER_ENCODING_UTF_8;
  if (encoding != NULL)
    urls->encoding =
        lanner_encoding_for_output(lanner_encoding_for_label(encoding, strlen(encoding)));
  urls->base = url_ada_parse(document_url.data, document_url.length, NULL, &urls->failed);
  if (base != NULL) use_base(urls, *base);
  urls->copied = 0;
  urls->base_length = cli_urls_base(urls).length;
}

lanner_string cli_urls_base(const cli_urls *urls) {
  lanner_string url = {"", 0};
  if (urls != NULL && urls->base != NULL) url.data = url_ada_href(urls->base, &url.length);
  return url;
}

static char *keep(void *context, size_t length) { return room(context, length); }

bool cli_urls_resolve(void *context, lanner_string value, lanner_string *url) {
  cli_urls *urls = context;
  if (cli_urls_cut(urls)) return false;
  urls->copied += urls->base_length;
  url->data = url_ada_resolve(urls->base, value.data, value.length, keep, urls, &url->length,
                              &urls->failed);
  if (url->data == NULL || urls->encoding == LANNER_ENCODING_UTF_8) return url->data != NULL;
  lanner_string whole = trim_end(value), query = query_to_encode(whole);
  if (query.length == 0 || !is_encoded_scheme(url->data, url->length)) return true;
  whole = with_coded_query(urls, whole, query);
  url->data = url_ada_resolve(urls->base, whole.data, whole.length, keep, urls, &url->length,
                              &urls->failed);
  return url->data != NULL;
}

#else

bool cli_urls_built_in(void) { return false; }

cli_urls *cli_urls_new(void) { return NULL; }

void cli_urls_free(cli_urls *urls) { (void)urls; }

void cli_urls_begin(cli_urls *urls, lanner_string document_url, const lanner_string *base,
                    const char *encoding) {
  (void)urls, (void)document_url, (void)base, (void)encoding;
}

bool cli_urls_failed(const cli_urls *urls) {
  (void)urls;
  return false;
}

bool cli_urls_cut(const cli_urls *urls) {
  (void)urls;
  return false;
}

lanner_string cli_urls_base(const cli_urls *urls) {
  lanner_string url = {"", 0};
  (void)urls;
  return url;
}

bool cli_urls_resolve(void *context, lanner_string value, lanner_string *url) {
  (void)context, (void)value, (void)url;
  return false;
}

#endif
