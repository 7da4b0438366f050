/* url_ada.h - the few functions of ada, a C++ library, that url.c needs, for C. */
#ifndef LANNER_CLI_URL_ADA_H
#define LANNER_CLI_URL_ADA_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A parsed URL, relative to BASE (NULL: absolute ones only). NULL when it does not parse, or
 * when memory is short: then *MEMORY becomes true. */
void *url_ada_parse(const char *text, size_t length, const void *base, bool *memory);
void url_ada_free(void *url);
const char *url_ada_href(const void *url, size_t *length);

/* The URL that TEXT stands for, written to where ROOM says; NULL as of url_ada_parse. */
const char *url_ada_resolve(const void *base, const char *text, size_t length,
                            char *(*room)(void *context, size_t length), void *context,
                            size_t *written, bool *memory);

#ifdef __cplusplus
}
#endif
#endif
