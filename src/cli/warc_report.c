/* warc_report.c - how a run goes: problems as they are met, a progress line on a terminal, a
 * summary at the end. Called by one thread at a time, in the order of the archive. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "warc_job.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void warc_position_text(const warc_settings *settings, warc_position position, char *buffer,
                        size_t size) {
  const char *name = position.file < settings->file_count ? settings->files[position.file] : "";
  if (position.place.inner > 0) {
    snprintf(buffer, size, "%s:%" PRIu64 "+%" PRIu64, name, position.place.offset,
             position.place.inner);
  } else {
    snprintf(buffer, size, "%s:%" PRIu64, name, position.place.offset);
  }
}

void warc_report_begin(warc_report *report, const warc_settings *settings, warc_position start) {
  memset(report, 0, sizeof *report);
  report->settings = settings;
  report->position = start;
  report->terminal = !settings->quiet && isatty(STDERR_FILENO);
  report->start = report->last = now();
  report->sizes = calloc(settings->file_count + 1, sizeof *report->sizes);
  for (size_t i = 0; i < settings->file_count && report->sizes != NULL; i++) {
    struct stat state;
    if (stat(settings->files[i], &state) == 0 && S_ISREG(state.st_mode) && state.st_size > 0)
      report->sizes[i] = (uint64_t)state.st_size;
    if (i >= start.file) report->total += report->sizes[i];
  }
  report->total -= start.place.offset < report->total ? start.place.offset : report->total;
}

void warc_report_free(warc_report *report) {
  warc_notes_free(&report->notes);
  free(report->sizes);
  report->sizes = NULL;
}

/* --- progress --- */

static void erase(warc_report *report) {
  if (report->shown) fputs("\r\033[K", stderr);
  report->shown = false;
}

static void show(warc_report *report, double time) {
  enum { WIDTH = 24 };
  double seconds = time - report->start;
  double rate = seconds > 0 ? (double)report->read / seconds : 0;
  double part = report->total > 0 ? (double)report->read / (double)report->total : 0;
  if (part > 1) part = 1;
  char bar[WIDTH + 1], eta[32] = "";
  for (int i = 0; i < WIDTH; i++) bar[i] = i < (int)(part * WIDTH) ? '#' : '.';
  bar[WIDTH] = '\0';
  if (rate > 0 && report->total > report->read) {
    uint64_t left = (uint64_t)((double)(report->total - report->read) / rate);
    snprintf(eta, sizeof eta, ", %" PRIu64 ":%02u left", left / 60, (unsigned)(left % 60));
  }
  fprintf(stderr, "\r\033[K[%s] %3.0f%%  %.1f MB/s, %.0f pages/s%s", bar, 100 * part, rate / 1e6,
          seconds > 0 ? (double)report->counts.lines / seconds : 0, eta);
  fflush(stderr);
  report->shown = true;
}

void warc_report_progress(warc_report *report) {
  if (!report->terminal) return;
  double time = now();
  if (time - report->last < 0.2) return;
  report->last = time;
  show(report, time);
}

/* --- results --- */

static void print_problem(warc_report *report, size_t file, warc_place place, const char *text) {
  char where[4096];
  warc_position position = {file, place};
  warc_position_text(report->settings, position, where, sizeof where);
  erase(report);
  cli_message("%s: %s", where, text);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

void warc_report_add(warc_report *report, const warc_result *result, warc_position behind) {
  const warc_unit *unit = &result->unit;
  const warc_notes *notes = &unit->notes;
  warc_notes *sum = &report->notes;
  for (int i = 0; i < WARC_TYPES; i++) sum->records[i] += notes->records[i];
  sum->dns += notes->dns;
  sum->pages += notes->pages;
  sum->large += notes->large;
  sum->broken += notes->broken;
  sum->inflated += notes->inflated;
  for (size_t i = 0; i < notes->problem_count; i++)
    print_problem(report, unit->file, notes->problems[i].place, notes->problems[i].text);
  if (notes->broken > notes->problem_count) {
    char text[80];
    uint64_t more = notes->broken - notes->problem_count;
    snprintf(text, sizeof text, "and %" PRIu64 " more problem%s like these", more, plural(more));
    print_problem(report, unit->file, unit->end, text);
  }
  if (notes->strange_version != 0 && sum->strange_version != notes->strange_version) {
    sum->strange_version = notes->strange_version;
    erase(report);
    cli_message("%s: WARC version %u.%u is not known; read like 1.1",
                report->settings->files[unit->file], notes->strange_version / 1000,
                notes->strange_version % 1000);
  }
  if (unit->kind == WARC_UNIT_FILE_END && unit->failure != NULL) {
    report->failed_files++;
    erase(report);
    const char *name = report->settings->files[unit->file];
    cli_message("%s: %s", strcmp(name, "-") == 0 ? "standard input" : name, unit->failure);
  }
  warc_counts *counts = &report->counts;
  counts->lines += result->counts.lines;
  counts->page_bytes += result->counts.page_bytes;
  counts->limited += result->counts.limited;
  counts->stopped += result->counts.stopped;
  counts->undecoded += result->counts.undecoded;
  counts->half_coded += result->counts.half_coded;
  uint64_t from = behind.file == report->position.file ? report->position.place.offset : 0;
  if (behind.place.offset > from) report->read += behind.place.offset - from;
  report->position = behind;
}

/* --- the summary --- */

uint64_t warc_report_records(const warc_notes *notes) {
  uint64_t sum = 0;
  for (int i = 0; i < WARC_TYPES; i++) sum += notes->records[i];
  return sum;
}

static void print_summary(const warc_report *report, double seconds) {
  const warc_counts *counts = &report->counts;
  double rate = seconds > 0 ? 1 / seconds : 0;
  char more[160] = "";
  size_t used = 0;
  const struct {
    uint64_t count;
    const char *what;
  } odd[] = {{report->notes.large, "too large"},
             {counts->undecoded, "not decoded"},
             {counts->half_coded, "with a broken coding"},
             {counts->limited, "at a parser limit"}};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    if (odd[i].count == 0) continue;
    int printed =
        snprintf(more + used, sizeof more - used, ", %" PRIu64 " %s", odd[i].count, odd[i].what);
    if (printed > 0) used += (size_t)printed;
  }
  uint64_t records = warc_report_records(&report->notes);
  cli_message("%" PRIu64 " line%s of %" PRIu64 " page%s in %" PRIu64 " record%s%s; %" PRIu64
              " broken; %.1f MB, unpacked %.1f MB, in %.2f s: %.1f MB/s, %.0f pages/s",
              counts->lines, plural(counts->lines), report->notes.pages,
              plural(report->notes.pages), records, plural(records), more, report->notes.broken,
              (double)report->read / 1e6, (double)report->notes.inflated / 1e6, seconds,
              (double)report->notes.inflated / 1e6 * rate, (double)counts->lines * rate);
}

static void put_number(cli_json *json, const char *name, uint64_t number) {
  cli_json_key(json, name);
  cli_json_unsigned(json, number);
}

static void put_summary(cli_json *json, const warc_report *report, warc_position position,
                        bool complete, double seconds) {
  cli_json_open_object(json);
  cli_json_key(json, "complete");
  cli_json_bool(json, complete);
  cli_json_key(json, "files");
  cli_json_unsigned(json, report->settings->file_count);
  put_number(json, "failed_files", report->failed_files);
  cli_json_key(json, "records");
  cli_json_open_object(json);
  for (int i = 0; i < WARC_TYPES; i++)
    put_number(json, warc_type_name((warc_type)i), report->notes.records[i]);
  put_number(json, "dns", report->notes.dns);
  cli_json_close_object(json);
  put_number(json, "pages", report->notes.pages);
  put_number(json, "lines", report->counts.lines);
  put_number(json, "page_bytes", report->counts.page_bytes);
  put_number(json, "broken", report->notes.broken);
  put_number(json, "too_large", report->notes.large);
  put_number(json, "not_decoded", report->counts.undecoded);
  put_number(json, "broken_coding", report->counts.half_coded);
  put_number(json, "limited", report->counts.limited);
  put_number(json, "stopped", report->counts.stopped);
  put_number(json, "bytes_read", report->read);
  put_number(json, "bytes_unpacked", report->notes.inflated);
  cli_json_key(json, "seconds");
  cli_json_real(json, seconds, 3);
  cli_json_key(json, "next");
  if (position.file < report->settings->file_count) {
    char where[4096];
    warc_position_text(report->settings, position, where, sizeof where);
    cli_json_text(json, where);
  } else {
    cli_json_null(json);
  }
  cli_json_close_object(json);
  cli_json_end_line(json);
}

bool warc_report_end(warc_report *report, warc_position position, bool complete, bool shown) {
  double seconds = now() - report->start;
  const char *name = report->settings->summary;
  erase(report);
  /* Where no file could be read, the message about it is all there is to say. */
  bool nothing = warc_report_records(&report->notes) == 0 && report->notes.broken == 0 &&
                 report->failed_files == report->settings->file_count;
  if (shown && !report->settings->quiet && !nothing) print_summary(report, seconds);
  if (name == NULL) return true;
  cli_buffer text = {NULL, 0, 0, false};
  cli_json json;
  cli_json_begin(&json, cli_buffer_write, &text);
  put_summary(&json, report, position, complete, seconds);
  FILE *file = fopen(name, "w");
  bool good =
      file != NULL && !text.failed && fwrite(text.data, 1, text.length, file) == text.length;
  if (file != NULL && fclose(file) != 0) good = false;
  if (!good) cli_message("%s: the summary cannot be written", name);
  cli_buffer_free(&text);
  return good;
}
