/* extract_json.c - see extract_json.h. Strings of the extractor are UTF-8 already. */
#include "extract_json.h"

void cli_json_member(cli_json *json, const char *name, lanner_string value) {
  if (value.data == NULL) return;
  cli_json_key(json, name);
  cli_json_utf8(json, value.data, value.length);
}

void cli_json_link(cli_json *json, const lanner_link *link, bool resolves) {
  cli_json_open_object(json);
  cli_json_member(json, "element", link->element);
  cli_json_member(json, "attribute", link->attribute);
  cli_json_member(json, "value", link->value);
  if (link->url.data != NULL) {
    cli_json_member(json, "url", link->url);
  } else if (resolves) {
    cli_json_key(json, "url");
    cli_json_null(json);
  }
  cli_json_member(json, "rel", link->rel);
  cli_json_member(json, "text", link->text);
  cli_json_close_object(json);
}

/* --- metadata --- */

void cli_robots_names(uint32_t flags, void (*write)(void *context, const char *name),
                      void *context) {
  static const struct {
    uint32_t flag;
    const char *name;
  } names[] = {{LANNER_ROBOTS_NOINDEX, "noindex"},
               {LANNER_ROBOTS_NOFOLLOW, "nofollow"},
               {LANNER_ROBOTS_NOARCHIVE, "noarchive"},
               {LANNER_ROBOTS_NOSNIPPET, "nosnippet"},
               {LANNER_ROBOTS_NOIMAGEINDEX, "noimageindex"},
               {LANNER_ROBOTS_NOTRANSLATE, "notranslate"},
               {LANNER_ROBOTS_NOODP, "noodp"},
               {LANNER_ROBOTS_INDEXIFEMBEDDED, "indexifembedded"},
               {LANNER_ROBOTS_NOAI, "noai"},
               {LANNER_ROBOTS_NOIMAGEAI, "noimageai"},
               {LANNER_ROBOTS_INDEX, "index"},
               {LANNER_ROBOTS_FOLLOW, "follow"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (flags & names[i].flag) write(context, names[i].name);
}

static void write_directive(void *context, const char *name) { cli_json_text(context, name); }

static void put_robots(cli_json *json, const lanner_meta *meta) {
  if (meta->robots_count == 0) return;
  cli_json_key(json, "robots");
  cli_json_open_array(json);
  for (size_t i = 0; i < meta->robots_count; i++) {
    cli_json_open_object(json);
    cli_json_member(json, "bot", meta->robots[i].bot);
    cli_json_member(json, "value", meta->robots[i].value);
    cli_json_key(json, "directives");
    cli_json_open_array(json);
    cli_robots_names(meta->robots[i].flags, write_directive, json);
    cli_json_close_array(json);
    cli_json_close_object(json);
  }
  cli_json_close_array(json);
}

static void put_alternates(cli_json *json, const char *name, const lanner_alternate *rows,
                           size_t count) {
  if (count == 0) return;
  cli_json_key(json, name);
  cli_json_open_array(json);
  for (size_t i = 0; i < count; i++) {
    cli_json_open_object(json);
    cli_json_member(json, "url", rows[i].url);
    cli_json_member(json, "rel", rows[i].rel);
    cli_json_member(json, "hreflang", rows[i].hreflang);
    cli_json_member(json, "type", rows[i].type);
    cli_json_member(json, "title", rows[i].title);
    cli_json_member(json, "media", rows[i].media);
    cli_json_member(json, "sizes", rows[i].sizes);
    cli_json_close_object(json);
  }
  cli_json_close_array(json);
}

/* Names may come more than once, so this is a list of pairs, in the order of the page. */
static void put_properties(cli_json *json, const char *name, const lanner_property *rows,
                           size_t count) {
  if (count == 0) return;
  cli_json_key(json, name);
  cli_json_open_array(json);
  for (size_t i = 0; i < count; i++) {
    cli_json_open_array(json);
    cli_json_utf8(json, rows[i].name.data, rows[i].name.length);
    cli_json_utf8(json, rows[i].value.data, rows[i].value.length);
    cli_json_close_array(json);
  }
  cli_json_close_array(json);
}

static void put_refresh(cli_json *json, const lanner_meta *meta) {
  if (meta->refresh_seconds < 0) return;
  cli_json_key(json, "refresh");
  cli_json_open_object(json);
  cli_json_key(json, "seconds");
  cli_json_signed(json, meta->refresh_seconds);
  cli_json_member(json, "url", meta->refresh_url);
  cli_json_close_object(json);
}

void cli_json_meta(cli_json *json, const lanner_meta *meta) {
  cli_json_open_object(json);
  cli_json_member(json, "title", meta->title);
  cli_json_member(json, "lang", meta->language);
  cli_json_member(json, "charset", meta->charset);
  cli_json_member(json, "description", meta->description);
  cli_json_member(json, "keywords", meta->keywords);
  cli_json_member(json, "author", meta->author);
  cli_json_member(json, "generator", meta->generator);
  cli_json_member(json, "base", meta->base);
  cli_json_member(json, "canonical", meta->canonical);
  cli_json_member(json, "amphtml", meta->amp);
  cli_json_member(json, "prev", meta->previous);
  cli_json_member(json, "next", meta->next);
  put_refresh(json, meta);
  put_robots(json, meta);
  put_alternates(json, "alternate", meta->alternates, meta->alternate_count);
  put_alternates(json, "feeds", meta->feeds, meta->feed_count);
  put_alternates(json, "icons", meta->icons, meta->icon_count);
  put_properties(json, "open_graph", meta->open_graph, meta->open_graph_count);
  put_properties(json, "twitter", meta->twitter, meta->twitter_count);
  put_properties(json, "dates", meta->dates, meta->date_count);
  if (meta->json_ld_count > 0) {
    cli_json_key(json, "json_ld");
    cli_json_open_array(json);
    for (size_t i = 0; i < meta->json_ld_count; i++)
      cli_json_utf8(json, meta->json_ld[i].data, meta->json_ld[i].length);
    cli_json_close_array(json);
  }
  if (meta->microdata) {
    cli_json_key(json, "microdata");
    cli_json_bool(json, true);
  }
  if (meta->rdfa) {
    cli_json_key(json, "rdfa");
    cli_json_bool(json, true);
  }
  cli_json_close_object(json);
}
