/* warc_line.c - one record in, one JSON line out. Each worker has its own document and extractor, so
 * nothing here is shared. */
#include "extract_json.h"
#include "labels.h"
#include "warc/text.h"
#include "warc_job.h"

struct warc_worker {
  const warc_settings *settings;
  warc_inflater *inflater;
  lanner_document *document;
  lanner_extract *extract;
  cli_urls *urls;
  warc_buffer content;  /* of a gzip member */
  warc_buffer spare[2]; /* of content codings */
};

/* What only an unusually large page needed is given back: of a worker's buffers, and of a result's, of
 * which there are many. */
enum { WARC_LARGE_BUFFER = 1 << 23, WARC_LARGE_RESULT = 1 << 20 };

warc_worker *warc_worker_new(const warc_settings *settings) {
  warc_worker *worker = calloc(1, sizeof *worker);
  if (worker == NULL) return NULL;
  worker->settings = settings;
  worker->inflater = warc_inflater_new();
  worker->document = lanner_document_new(NULL);
  worker->extract = lanner_extract_new(NULL);
  worker->urls = cli_urls_new();
  if (worker->inflater == NULL || worker->document == NULL || worker->extract == NULL ||
      (worker->urls == NULL && cli_urls_built_in())) {
    warc_worker_free(worker);
    return NULL;
  }
  return worker;
}

void warc_worker_free(warc_worker *worker) {
  if (worker == NULL) return;
  cli_urls_free(worker->urls);
  lanner_extract_free(worker->extract);
  lanner_document_free(worker->document);
  warc_inflater_free(worker->inflater);
  warc_buffer_free(&worker->content);
  warc_buffer_free(&worker->spare[0]);
  warc_buffer_free(&worker->spare[1]);
  free(worker);
}

void warc_result_free(warc_result *result) {
  warc_unit_free(&result->unit);
  cli_buffer_free(&result->text);
  free(result->ends);
}

static bool wanted_status(const warc_settings *settings, unsigned status) {
  if (settings->status_count == 0) return true;
  for (size_t i = 0; i < settings->status_count; i++)
    if (status >= settings->status[i].from && status <= settings->status[i].to) return true;
  return false;
}

/* --- the page --- */

typedef struct warc_html {
  const warc_record *record;
  const char *truncated; /* a reason, or NULL */
  bool decoded;          /* the body is there */
  bool half_coded;       /* as far as its codings could be undone */
  size_t bytes;
  bool parsed;
  lanner_status status;
} warc_html;

/* LABEL as a C string that the library takes; NULL: none. */
static const char *label_text(lanner_string label, char *buffer, size_t size) {
  if (label.length == 0 || label.length >= size || memchr(label.data, 0, label.length) != NULL)
    return NULL;
  memcpy(buffer, label.data, label.length);
  buffer[label.length] = '\0';
  return buffer;
}

static void parse_page(warc_worker *worker, warc_html *page, uint8_t *body) {
  const warc_settings *settings = worker->settings;
  lanner_options options = settings->parse;
  char label[64];
  body[page->bytes] = 0;
  options.flags |= LANNER_INPUT_PADDED;
  const char *transport = label_text(page->record->response.charset, label, sizeof label);
  if (transport != NULL) options.transport = transport;
  if (settings->shared->guess && options.fallback == NULL && transport == NULL)
    options.fallback = cli_guess_encoding(settings->shared, (const char *)body, page->bytes);
  page->status = lanner_parse(worker->document, body, page->bytes, &options);
  page->parsed = page->status == LANNER_OK || page->status == LANNER_ERROR_LIMIT ||
                 page->status == LANNER_ERROR_MEMORY;
}

static lanner_status extract_page(warc_worker *worker, const warc_html *page) {
  lanner_extract_options options;
  lanner_extract_options_init(&options);
  options.flags = worker->settings->extract;
  if (worker->urls != NULL &&
      (options.flags & (LANNER_EXTRACT_LINKS | LANNER_EXTRACT_META | LANNER_EXTRACT_TEXT))) {
    lanner_string base;
    bool has_base = lanner_extract_base(worker->document, &base);
    cli_urls_begin(worker->urls, page->record->header.url, has_base ? &base : NULL,
                   lanner_document_encoding(worker->document));
    options.resolve = cli_urls_resolve;
    options.resolve_context = worker->urls;
  }
  lanner_status status = lanner_extract_run(worker->extract, worker->document, &options);
  return options.resolve != NULL && cli_urls_failed(worker->urls) ? LANNER_ERROR_MEMORY : status;
}

/* --- the line --- */

static void put_string(cli_json *json, lanner_string text) {
  if (text.data == NULL)
    cli_json_null(json);
  else
    cli_json_utf8(json, text.data, text.length);
}

static void put_header_string(cli_json *json, lanner_string text) {
  if (text.length == 0)
    cli_json_null(json);
  else
    cli_json_string(json, text.data, text.length);
}

/* ARC's 14 digits as a date of WARC. */
static void put_date(cli_json *json, const warc_header *header) {
  lanner_string date = header->date;
  if (!header->arc || date.length != 14) {
    put_header_string(json, date);
    return;
  }
  char text[] = "YYYY-MM-DDTHH:MM:SSZ";
  static const unsigned char places[14] = {0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18};
  for (size_t i = 0; i < 14; i++) text[places[i]] = date.data[i];
  cli_json_string(json, text, sizeof text - 1);
}

static void put_links(cli_json *json, const warc_worker *worker) {
  size_t count;
  const lanner_link *links = lanner_extract_links(worker->extract, &count);
  cli_json_open_array(json);
  for (size_t i = 0; i < count; i++) cli_json_link(json, &links[i], worker->urls != NULL);
  cli_json_close_array(json);
}

static void put_parse(cli_json *json, const warc_worker *worker, const warc_html *page) {
  static const struct {
    uint32_t limit;
    const char *name;
  } limits[] = {{LANNER_LIMIT_DEPTH, "depth"},           {LANNER_LIMIT_NODES, "nodes"},
                {LANNER_LIMIT_ATTRIBUTES, "attributes"}, {LANNER_LIMIT_MEMORY, "memory"},
                {LANNER_LIMIT_INPUT, "input"},           {LANNER_LIMIT_ERRORS, "errors"}};
  if (!page->parsed) {
    cli_json_null(json);
    return;
  }
  cli_json_open_object(json);
  cli_json_key(json, "nodes");
  cli_json_unsigned(json, lanner_document_node_count(worker->document));
  cli_json_key(json, "limits");
  cli_json_open_array(json);
  uint32_t struck = lanner_document_limits(worker->document);
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
    if (struck & limits[i].limit) cli_json_text(json, limits[i].name);
  cli_json_close_array(json);
  cli_json_close_object(json);
}

static void put_place(cli_json *json, const warc_worker *worker, size_t file,
                      const warc_record *record) {
  cli_json_open_object(json);
  cli_json_key(json, "file");
  cli_json_text(json, worker->settings->files[file]);
  cli_json_key(json, "offset");
  cli_json_unsigned(json, record->place.offset);
  cli_json_key(json, "length");
  cli_json_unsigned(json, record->length);
  if (record->shared) {
    cli_json_key(json, "inner");
    cli_json_unsigned(json, record->place.inner);
  }
  cli_json_close_object(json);
}

/* The value of field NUMBER. */
static void put_field(cli_json *json, const warc_worker *worker, const warc_html *page, size_t file,
                      int number) {
  const warc_record *record = page->record;
  const lanner_meta *meta = lanner_extract_meta(worker->extract);
  bool have = page->parsed;
  switch (number) {
  case warc_number_url: put_header_string(json, record->header.url); break;
  case warc_number_date: put_date(json, &record->header); break;
  case warc_number_status:
    if (record->response.status == 0)
      cli_json_null(json);
    else
      cli_json_unsigned(json, record->response.status);
    break;
  case warc_number_content_type: put_header_string(json, record->response.content_type); break;
  case warc_number_charset:
    cli_json_text(json, have ? lanner_document_encoding(worker->document) : NULL);
    break;
  case warc_number_charset_source:
    cli_json_text(json, have ? lanner_document_encoding_source(worker->document) : NULL);
    break;
  case warc_number_title: put_string(json, have ? meta->title : (lanner_string){NULL, 0}); break;
  case warc_number_lang: put_string(json, have ? meta->language : (lanner_string){NULL, 0}); break;
  case warc_number_meta:
    if (have)
      cli_json_meta(json, meta);
    else
      cli_json_null(json);
    break;
  case warc_number_links:
    if (have)
      put_links(json, worker);
    else
      cli_json_null(json);
    break;
  case warc_number_text:
    put_string(json, have ? lanner_extract_text(worker->extract) : (lanner_string){NULL, 0});
    break;
  case warc_number_bytes:
    if (page->decoded)
      cli_json_unsigned(json, page->bytes);
    else
      cli_json_null(json);
    break;
  case warc_number_truncated:
    if (record->header.truncated.length > 0)
      put_header_string(json, record->header.truncated);
    else
      cli_json_text(json, page->truncated);
    break;
  case warc_number_parse: put_parse(json, worker, page); break;
  case warc_number_warc: put_place(json, worker, file, record); break;
  default: break;
  }
}

static void put_line(const warc_worker *worker, const warc_html *page, warc_result *result) {
#define FIELD_NAME(name) #name,
  static const char *const names[] = {WARC_FIELDS(FIELD_NAME)};
#undef FIELD_NAME
  cli_json json;
  cli_json_begin_memory(&json, &result->text);
  cli_json_open_object(&json);
  for (int number = 0; number < warc_field_count; number++) {
    if (!(worker->settings->fields & (1u << number))) continue;
    cli_json_key(&json, names[number]);
    put_field(&json, worker, page, result->unit.file, number);
  }
  cli_json_close_object(&json);
  cli_json_end_line(&json);
}

static bool end_line(warc_result *result, warc_place place) {
  if (result->end_count == result->end_capacity) {
    size_t capacity = result->end_capacity > 0 ? 2 * result->end_capacity : 16;
    warc_line_end *ends = realloc(result->ends, capacity * sizeof *ends);
    if (ends == NULL) return false;
    result->ends = ends;
    result->end_capacity = capacity;
  }
  warc_line_end *end = &result->ends[result->end_count++];
  end->end = result->text.length;
  end->place = place;
  return true;
}

/* --- records --- */

/* Of a body that is too large to be read, so many bytes tell what it is: fewer than any reader keeps. */
enum { BEGINNING = 1 << 12 };

/* Undoes the codings of the record's body. False: it is no page after all. */
static bool decode_page(warc_worker *worker, warc_html *page, uint8_t **body) {
  const warc_record *record = page->record;
  *body = record->body;
  if (record->large) {
    page->truncated = "max-record";
    return record->page == WARC_PAGE ||
           warc_sniffs_as_html(record->body,
                               record->body_length < BEGINNING ? record->body_length : BEGINNING);
  }
  switch (warc_decode_body(worker->inflater, &record->response, record->body, record->body_length,
                           worker->settings->most, worker->spare, body, &page->bytes)) {
  case WARC_BODY_OK: break;
  case WARC_BODY_CUT:
    page->truncated = "coding";
    page->half_coded = true;
    break;
  case WARC_BODY_LARGE: page->truncated = "max-record"; return true;
  case WARC_BODY_UNKNOWN: page->truncated = "unknown-coding"; return true;
  case WARC_BODY_MEMORY: page->truncated = "memory"; return true;
  }
  page->decoded = true;
  if (record->cut) page->truncated = "record";
  return record->page == WARC_PAGE || warc_sniffs_as_html(*body, page->bytes);
}

static void make_line(warc_worker *worker, warc_result *result, const warc_record *record) {
  warc_html page = {.record = record};
  uint8_t *body;
  if (!wanted_status(worker->settings, record->response.status)) return;
  if (!decode_page(worker, &page, &body)) return;
  if (record->page == WARC_MAYBE_PAGE) result->unit.notes.pages++;
  if (!page.decoded) {
    if (page.truncated[0] == 'm')
      result->unit.notes.large++;
    else
      result->counts.undecoded++;
  } else {
    parse_page(worker, &page, body);
    if (page.parsed && lanner_document_limits(worker->document) != 0) result->counts.limited++;
    if (page.status != LANNER_OK) result->counts.stopped++;
    if (page.parsed && extract_page(worker, &page) != LANNER_OK) result->failure = "memory";
    if (page.parsed && page.truncated == NULL &&
        (lanner_extract_cut(worker->extract) ||
         (worker->urls != NULL && cli_urls_cut(worker->urls))))
      page.truncated = "links";
    result->counts.page_bytes += page.bytes;
    if (page.half_coded) result->counts.half_coded++;
  }
  put_line(worker, &page, result);
  if (result->text.failed || !end_line(result, record->place)) result->failure = "memory";
  result->counts.lines++;
}

/* Gives back what only a very large page needed. */
static void relax(warc_worker *worker) {
  warc_buffer_relax(&worker->content, WARC_LARGE_BUFFER);
  warc_buffer_relax(&worker->spare[0], WARC_LARGE_BUFFER);
  warc_buffer_relax(&worker->spare[1], WARC_LARGE_BUFFER);
  lanner_memory memory = lanner_document_memory(worker->document);
  if (memory.held > WARC_LARGE_BUFFER && memory.used < memory.held / 4)
    lanner_document_trim(worker->document);
  if (lanner_extract_memory(worker->extract) > WARC_LARGE_BUFFER)
    lanner_extract_trim(worker->extract);
}

void warc_make_lines(warc_worker *worker, warc_result *result) {
  result->restart = false;
  result->failure = NULL;
  result->text.length = 0;
  result->text.failed = false;
  result->end_count = 0;
  memset(&result->counts, 0, sizeof result->counts);
  if (result->text.capacity > WARC_LARGE_RESULT) cli_buffer_free(&result->text);
  warc_cursor cursor;
  warc_record record;
  warc_step step;
  warc_cursor_begin(&cursor, &result->unit, worker->inflater, &worker->content,
                    worker->settings->most);
  while ((step = warc_cursor_next(&cursor, &record)) == WARC_STEP_RECORD && result->failure == NULL)
    make_line(worker, result, &record);
  result->restart = step == WARC_STEP_RESTART;
  result->behind = result->unit.kind == WARC_UNIT_MEMBERS ? cursor.place : result->unit.end;
  relax(worker);
  if (result->unit.bytes.capacity > WARC_LARGE_RESULT) warc_buffer_free(&result->unit.bytes);
}
