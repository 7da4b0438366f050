/* warc_job.h - what the files of `lanner warc` share: settings, results, the parts of the job.
 *
 * warc.c reads the options, warc_run.c hands units of the archive to workers and takes results in
 * order, warc_line.c makes lines of records, warc_output.c keeps what is written safe, and
 * warc_report.c says how it goes.
 */
#ifndef LANNER_CLI_WARC_JOB_H
#define LANNER_CLI_WARC_JOB_H

#include <time.h>

#include "json.h"
#include "lanner_extract.h"
#include "options.h"
#include "output.h"
#include "url.h"
#include "warc/archive.h"

/* --- settings --- */

/* The fields of a line, in their order. */
/* clang-format off */
#define WARC_FIELDS(FIELD)                                                                      \
  FIELD(url) FIELD(date) FIELD(status) FIELD(content_type) FIELD(charset) FIELD(charset_source) \
  FIELD(title) FIELD(lang) FIELD(meta) FIELD(links) FIELD(text) FIELD(bytes) FIELD(truncated)   \
  FIELD(parse) FIELD(warc)
/* clang-format on */
#define WARC_FIELD_NUMBER(name) warc_number_##name,
enum { WARC_FIELDS(WARC_FIELD_NUMBER) warc_field_count };
#undef WARC_FIELD_NUMBER
#define WARC_FIELD_BIT(name) warc_field_##name = 1 << warc_number_##name,
enum { WARC_FIELDS(WARC_FIELD_BIT) warc_all_fields = (1 << warc_field_count) - 1 };
#undef WARC_FIELD_BIT

typedef struct warc_status_range {
  unsigned from, to;
} warc_status_range;

typedef struct warc_settings {
  const cli_settings *shared; /* the shared options: how to parse */
  lanner_options parse;       /* of them, with the limits of this command */
  const char *const *files;
  size_t file_count;
  uint32_t workers;
  uint32_t fields;
  uint32_t extract; /* LANNER_EXTRACT_... */
  warc_status_range status[32];
  size_t status_count; /* 0: all */
  uint64_t limit;      /* lines, 0: all */
  size_t most;         /* bytes of a record */
  const char *output;  /* NULL: standard output */
  bool gzip, append, quiet;
  const char *since; /* FILE:OFFSET[+INNER] */
  const char *summary;
} warc_settings;

/* A place among the files. */
typedef struct warc_position {
  size_t file;
  warc_place place;
} warc_position;

/* "FILE:OFFSET" or "FILE:OFFSET+INNER", for people and for --since. */
void warc_position_text(const warc_settings *settings, warc_position position, char *buffer,
                        size_t size);

/* --- lines --- */

typedef struct warc_counts {
  uint64_t lines;
  uint64_t page_bytes; /* decoded, of the pages among them */
  uint64_t limited;    /* a limit struck while parsing */
  uint64_t stopped;    /* and ended the parse */
  uint64_t undecoded;  /* a coding that is not known: the page is not read */
  uint64_t half_coded; /* a coding that breaks or ends too early: the page is read up to there */
} warc_counts;

/* Of each line of a result: where it ends in the text, and where its record is. */
typedef struct warc_line_end {
  size_t end;
  warc_place place;
} warc_line_end;

typedef struct warc_result {
  struct warc_result *next_unused;
  warc_unit unit;
  uint64_t round; /* of the archive reader when the unit was taken */
  bool ready;
  bool restart; /* reading must start over at BEHIND, as a stream */
  warc_place behind;
  const char *failure; /* memory */
  warc_counts counts;
  cli_buffer text;
  warc_line_end *ends;
  size_t end_count, end_capacity;
} warc_result;

typedef struct warc_worker warc_worker;
warc_worker *warc_worker_new(const warc_settings *settings);
void warc_worker_free(warc_worker *worker);
/* Makes the lines of RESULT's unit. */
void warc_make_lines(warc_worker *worker, warc_result *result);
void warc_result_free(warc_result *result);

/* --- output --- */

typedef struct warc_output warc_output;

/* Opens what the settings say. With --append, *START is moved behind what is there, unless SINCE
 * says otherwise. NULL after a message; *STATUS is the exit status then. */
warc_output *warc_output_open(const warc_settings *settings, bool has_since, warc_position *start,
                              int *status);
/* Takes whole lines; BEHIND: the first record behind them. False: the output has failed. */
bool warc_output_lines(warc_output *output, const char *lines, size_t length, warc_position behind);
/* Everything is written: moves it to its final name. False after a message. */
bool warc_output_finish(warc_output *output);
/* Nothing was read: takes the temporary file away; what has the final name stays as it was. */
void warc_output_discard(warc_output *output);
/* Something went wrong or was interrupted: writes what is there and leaves it under the temporary
 * name. Answers with the first record that is not in it. */
warc_position warc_output_leave(warc_output *output);
/* The temporary name; NULL: standard output. */
const char *warc_output_temporary(const warc_output *output);
bool warc_output_failed(const warc_output *output);
/* Its name, when it has failed because its reader has closed it; else NULL. */
const char *warc_output_closed(const warc_output *output);
void warc_output_free(warc_output *output);

/* --- report --- */

typedef struct warc_report {
  const warc_settings *settings;
  bool terminal;
  bool shown;         /* a progress line is on the terminal */
  double start, last; /* seconds */
  uint64_t total;     /* bytes of all files, 0: unknown */
  uint64_t *sizes;
  warc_notes notes;
  warc_counts counts;
  uint64_t read;          /* bytes of archives */
  warc_position position; /* up to here */
  uint64_t failed_files;
} warc_report;

/* Records of all types. */
uint64_t warc_report_records(const warc_notes *notes);
void warc_report_begin(warc_report *report, const warc_settings *settings, warc_position start);
void warc_report_free(warc_report *report);
/* Adds what RESULT noticed, and prints its problems; BEHIND: how far reading has come. */
void warc_report_add(warc_report *report, const warc_result *result, warc_position behind);
/* Shows how far reading has come, if it is time. */
void warc_report_progress(warc_report *report);
/* The summary, in --summary's file and, when SHOWN, on standard error. False after a message when the
 * file cannot be written. */
bool warc_report_end(warc_report *report, warc_position position, bool complete, bool shown);

/* --- the run --- */

/* Reads from START on and writes to OUTPUT; the exit status. */
int warc_run(const warc_settings *settings, warc_position start, warc_output *output);

#endif
