/* extract_json.h - results of the extractor as JSON values; shared by links, meta and warc. */
#ifndef LANNER_CLI_EXTRACT_JSON_H
#define LANNER_CLI_EXTRACT_JSON_H

#include "json.h"
#include "lanner_extract.h"

/* {"element": .., "attribute": .., "value": .., "url": .., "rel": .., "text": ..}: url is null when
 * it does not parse and left out when nothing RESOLVES; rel and text are left out when there are
 * none. */
void cli_json_link(cli_json *json, const lanner_link *link, bool resolves);

/* An object of what was given. */
void cli_json_meta(cli_json *json, const lanner_meta *meta);

/* "name": value, unless the value's data is NULL. */
void cli_json_member(cli_json *json, const char *name, lanner_string value);

/* The directives of lanner_robots_flags by name, for all that are set: calls WRITE with each. */
void cli_robots_names(uint32_t flags, void (*write)(void *context, const char *name),
                      void *context);

#endif
