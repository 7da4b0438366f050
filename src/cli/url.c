/* url.c - URLs of one page: its base, and memory for what resolves. */
#include "url.h"

#include <stdlib.h>
#include <string.h>

#include "ada_here.h" /* made by the build: LANNER_HAVE_ADA when the library was found */

#ifdef LANNER_HAVE_ADA

#include "url_ada.h"

enum { BLOCK = 1 << 16 };

typedef struct url_block {
  struct url_block *next;
  size_t used, size;
} url_block;

struct cli_urls {
  void *base;        /* of ada; NULL: none */
  url_block *blocks; /* in use, the front one has room */
  url_block *spare;
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

void cli_urls_begin(cli_urls *urls, lanner_string document_url, const lanner_string *base) {
  recycle(urls);
  url_ada_free(urls->base);
  urls->base = url_ada_parse(document_url.data, document_url.length, NULL);
  if (base == NULL) return;
  /* A base that does not parse, or is a data or javascript URL, does not count. */
  void *own = url_ada_parse(base->data, base->length, urls->base);
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

lanner_string cli_urls_base(const cli_urls *urls) {
  lanner_string url = {"", 0};
  if (urls != NULL && urls->base != NULL) url.data = url_ada_href(urls->base, &url.length);
  return url;
}

static char *keep(void *context, size_t length) { return room(context, length); }

bool cli_urls_resolve(void *context, lanner_string value, lanner_string *url) {
  cli_urls *urls = context;
  url->data = url_ada_resolve(urls->base, value.data, value.length, keep, urls, &url->length);
  return url->data != NULL;
}

#else

bool cli_urls_built_in(void) { return false; }

cli_urls *cli_urls_new(void) { return NULL; }

void cli_urls_free(cli_urls *urls) { (void)urls; }

void cli_urls_begin(cli_urls *urls, lanner_string document_url, const lanner_string *base) {
  (void)urls, (void)document_url, (void)base;
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
