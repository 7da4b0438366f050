/* url.h - resolving the URLs of a page, by the URL Standard.
 *
 * The work is ada's, the URL library of Node, which the build fetches (fetch_ada.sh) and builds in
 * when it can. Without it nothing resolves, and the output says so.
 */
#ifndef LANNER_CLI_URL_H
#define LANNER_CLI_URL_H

#include "lanner.h"

typedef struct cli_urls cli_urls;

/* This program can resolve URLs. */
bool cli_urls_built_in(void);

/* NULL when memory is short, or when nothing is built in. */
cli_urls *cli_urls_new(void);
void cli_urls_free(cli_urls *urls);

/* A new page: its own URL (empty: unknown), the href of its base element (NULL: none), and the name of
 * its encoding, which queries are in: "?\xC3\xA9" is "?%E9" in windows-1252. URLs given out before
 * are no longer valid. */
void cli_urls_begin(cli_urls *urls, lanner_string document_url, const lanner_string *base,
                    const char *encoding);
/* Memory was short since then: URLs are missing. */
bool cli_urls_failed(const cli_urls *urls);
/* There are more URLs than can be resolved against so long a base: the further ones are missing. */
bool cli_urls_cut(const cli_urls *urls);
/* The URL that relative ones are resolved against; empty: there is none, only absolute ones
 * resolve. */
lanner_string cli_urls_base(const cli_urls *urls);

/* A lanner_resolve; CONTEXT is a cli_urls. */
bool cli_urls_resolve(void *context, lanner_string value, lanner_string *url);

#endif
