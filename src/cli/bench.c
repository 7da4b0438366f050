/* bench.c - `lanner bench`: how fast and how large each stage is on the given pages.
 *
 * A round is the whole set of pages, in order, through one stage; the best round counts. Rounds of
 * the stages alternate, so that whatever disturbs the machine disturbs them alike. Very small sets
 * are gone through several times a round, until the clock can tell.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "json.h"
#include "labels.h"
#include "message.h"
#include "options.h"
#include "output.h"

typedef struct bench_result {
  bool wanted;
  double best; /* seconds a round */
  bench_memory memory;
} bench_result;

typedef struct bench_run {
  bench_set set;
  bench_result results[BENCH_STAGES];
  uint32_t rounds;
  bool as_json;
  bool all; /* no --stage was given */
} bench_run;

/* --- timing --- */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The one loop of all stages: seconds for REPEATS times all their pages. */
static double time_set(const bench_stage *stage, bench_work *work, uint64_t repeats) {
  const bench_part *part = &work->set->parts[stage->kind];
  double start = now();
  for (uint64_t repeat = 0; repeat < repeats; repeat++)
    for (size_t i = 0; i < part->count; i++) stage->page(work, part->pages[i]);
  return now() - start;
}

/* How often the set must be gone through for a round to last a millisecond. Warms up, too. */
static uint64_t find_repeats(const bench_stage *stage, bench_work *work) {
  enum { MOST = 1 << 24 };
  uint64_t repeats = 1;
  while (time_set(stage, work, repeats) < 1e-3 && repeats < MOST) repeats *= 2;
  return repeats;
}

static int fail_memory(void) {
  cli_message("%s", lanner_status_text(LANNER_ERROR_MEMORY));
  return CLI_FAILED;
}

/* Runs all wanted stages that do (or do not) keep documents: those that do come last and apart, so
 * that the heap is as a program without them has it while the others run. */
static int run_stages(bench_run *run, bool keeping) {
  bench_work works[BENCH_STAGES];
  uint64_t repeats[BENCH_STAGES];
  bool running[BENCH_STAGES];
  int status = CLI_OK;
  memset(works, 0, sizeof works);
  for (size_t s = 0; s < BENCH_STAGES; s++) {
    works[s].set = &run->set;
    running[s] = run->results[s].wanted && bench_stages[s].keeps_documents == keeping;
    if (!running[s]) continue;
    if (!bench_stages[s].prepare(&works[s])) {
      running[s] = false;
      status = fail_memory();
      continue;
    }
    repeats[s] = find_repeats(&bench_stages[s], &works[s]);
  }
  for (uint32_t round = 0; round < run->rounds; round++) {
    for (size_t s = 0; s < BENCH_STAGES; s++) {
      if (!running[s]) continue;
      double seconds = time_set(&bench_stages[s], &works[s], repeats[s]) / (double)repeats[s];
      bench_result *result = &run->results[s];
      if (round == 0 || seconds < result->best) result->best = seconds;
    }
  }
  for (size_t s = 0; s < BENCH_STAGES; s++) {
    if (running[s]) run->results[s].memory = bench_stages[s].memory(&works[s]);
    if (works[s].status != LANNER_OK) {
      cli_message("%s: %s", bench_stages[s].name, lanner_status_text(works[s].status));
      status = CLI_FAILED;
    }
    bench_work_free(&works[s]);
  }
  return status;
}

/* --- output --- */

static double megabytes_per_second(const bench_run *run, size_t s) {
  double best = run->results[s].best;
  return best > 0 ? (double)run->set.parts[bench_stages[s].kind].bytes / best / 1e6 : 0;
}

/* The memcpy of the same pages, which stands before a stage. */
static size_t yardstick(size_t s) {
  size_t y = s;
  while (y > 0 && (bench_stages[y].kind != bench_stages[s].kind || !bench_stages[y].yardstick)) y--;
  return y;
}

static void print_json(const bench_run *run) {
  cli_json json;
  cli_json_begin(&json, cli_output_write, &cli_stdout);
  cli_json_open_object(&json);
  cli_json_key(&json, "pages");
  cli_json_unsigned(&json, run->set.parts[BENCH_ALL].count);
  cli_json_key(&json, "bytes");
  cli_json_unsigned(&json, run->set.parts[BENCH_ALL].bytes);
  cli_json_key(&json, "rounds");
  cli_json_unsigned(&json, run->rounds);
  cli_json_key(&json, "simd");
  cli_json_text(&json, lanner_simd());
  cli_json_key(&json, "stages");
  cli_json_open_object(&json);
  for (size_t s = 0; s < BENCH_STAGES; s++) {
    if (!run->results[s].wanted) continue;
    cli_json_key(&json, bench_stages[s].name);
    cli_json_open_object(&json);
    if (bench_stages[s].kind != BENCH_ALL) {
      cli_json_key(&json, "pages");
      cli_json_unsigned(&json, run->set.parts[bench_stages[s].kind].count);
      cli_json_key(&json, "bytes");
      cli_json_unsigned(&json, run->set.parts[bench_stages[s].kind].bytes);
    }
    cli_json_key(&json, "mb_per_s");
    cli_json_real(&json, megabytes_per_second(run, s), 1);
    cli_json_key(&json, "held_bytes");
    cli_json_unsigned(&json, run->results[s].memory.held);
    cli_json_key(&json, "text_bytes");
    cli_json_unsigned(&json, run->results[s].memory.text);
    cli_json_close_object(&json);
  }
  cli_json_close_object(&json);
  cli_json_close_object(&json);
  cli_json_end_line(&json);
}

static void print_table(const bench_run *run) {
  char line[160];
  const bench_part *parts = run->set.parts;
  snprintf(line, sizeof line, "%zu %s, %zu bytes, best of %" PRIu32 " rounds, %s\n",
           parts[BENCH_ALL].count, parts[BENCH_ALL].count == 1 ? "page" : "pages",
           parts[BENCH_ALL].bytes, run->rounds, lanner_simd());
  cli_output_text(&cli_stdout, line);
  cli_output_text(&cli_stdout,
                  "stage                  MB/s   of memcpy   held bytes   a byte   text bytes\n");
  for (size_t s = 0; s < BENCH_STAGES; s++) {
    const bench_result *result = &run->results[s];
    if (!result->wanted) continue;
    double speed = megabytes_per_second(run, s);
    double memcpy_speed = megabytes_per_second(run, yardstick(s));
    double bytes = (double)parts[bench_stages[s].kind].bytes;
    if (bytes == 0) bytes = 1;
    snprintf(line, sizeof line, "%-17s %9.1f %11.4f %12" PRIu64 " %8.3f %12" PRIu64 "\n",
             bench_stages[s].name, speed, memcpy_speed > 0 ? speed / memcpy_speed : 0,
             result->memory.held, (double)result->memory.held / bytes, result->memory.text);
    cli_output_text(&cli_stdout, line);
  }
}

/* --- the command --- */

static bool want_stage(void *context, const char *value) {
  bench_run *run = context;
  const char *names[BENCH_STAGES + 1] = {NULL};
  size_t count = 0;
  for (size_t s = 0; s < BENCH_STAGES; s++)
    if (strcmp(bench_stages[s].name, bench_stages[s].option) == 0)
      names[count++] = bench_stages[s].name;
  if (cli_choose("stage", value, names) < 0) return false;
  for (size_t s = 0; s < BENCH_STAGES; s++)
    if (strcmp(bench_stages[s].option, value) == 0) run->results[s].wanted = true;
  run->all = false;
  return true;
}

static void add_to_part(bench_part *part, size_t page, size_t bytes) {
  part->pages[part->count++] = page;
  part->bytes += bytes;
}

static int read_pages(bench_set *set, const cli_settings *settings) {
  int status = CLI_OK;
  set->pages = calloc((size_t)settings->file_count, sizeof set->pages[0]);
  if (set->pages == NULL) return fail_memory();
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    bench_part *part = &set->parts[kind];
    part->pages = calloc((size_t)settings->file_count, sizeof part->pages[0]);
    if (part->pages == NULL) return fail_memory();
  }
  for (int i = 0; i < settings->file_count; i++) {
    cli_file *page = &set->pages[set->count];
    if (!cli_file_read(page, settings->files[i], (uint64_t)LANNER_MAX_INPUT + 1)) {
      cli_file_free(page);
      status = CLI_FAILED;
      continue;
    }
    if (settings->guess) page->guess = cli_guess_encoding(settings, page->bytes, page->length);
    add_to_part(&set->parts[BENCH_ALL], set->count, page->length);
    unsigned seen = lanner_check(page->bytes, page->length);
    if (seen & LANNER_CHECK_ASCII) {
      add_to_part(&set->parts[BENCH_ASCII], set->count, page->length);
    } else if (seen & LANNER_CHECK_VALID) {
      add_to_part(&set->parts[BENCH_MULTIBYTE], set->count, page->length);
    }
    set->count++;
    if (page->length > set->largest) set->largest = page->length;
  }
  return status;
}

/* Measures the pages that could be read. */
static int measure(bench_run *run) {
  if (run->set.count == 0) return CLI_FAILED;
  for (size_t s = 0; s < BENCH_STAGES; s++)
    if (run->set.parts[bench_stages[s].kind].count == 0) run->results[s].wanted = false;
  int status = run_stages(run, false);
  int kept = run_stages(run, true);
  if (run->as_json) {
    print_json(run);
  } else {
    print_table(run);
  }
  return status != CLI_OK ? status : kept;
}

static int run_bench(const cli_command *command, int argc, char **argv) {
  bench_run run;
  memset(&run, 0, sizeof run);
  run.rounds = 20;
  run.all = true;
  bool copy = false, errors = false, spans = false, scripting = false;
  cli_option_callback stage = {want_stage, &run};
  const cli_option own[] = {
      {"json", 0, NULL, "print one JSON object", CLI_FLAG, &run.as_json},
      {"stage", 0, "S",
       "only this stage (may be repeated) and memcpy: input (and its check\n"
       "alone), tokens, tree, tree_reuse, visit, serialize",
       CLI_CALLBACK, &stage},
      {"rounds", 0, "N", "rounds a stage (default 20)", CLI_COUNT, &run.rounds},
      {"copy", 0, NULL, "promise no padding: the parser copies each page", CLI_FLAG, &copy},
      {"errors", 0, NULL, "record parse errors", CLI_FLAG, &errors},
      {"spans", 0, NULL, "keep source spans", CLI_FLAG, &spans},
      {"scripting", 0, NULL, "parse as with scripting", CLI_FLAG, &scripting},
  };
  cli_settings settings;
  int status;
  if (!cli_parse_options(command, argc, argv, own, sizeof own / sizeof own[0], 0, &settings,
                         &status))
    return status;
  run.results[0].wanted = true; /* the yardstick */
  for (size_t s = 0; s < BENCH_STAGES && run.all; s++) run.results[s].wanted = true;

  run.set.parse = settings.parse;
  if (!copy) run.set.parse.flags |= LANNER_INPUT_PADDED;
  if (errors) run.set.parse.flags |= LANNER_ERRORS;
  if (spans) run.set.parse.flags |= LANNER_SPANS;
  if (scripting) run.set.parse.flags |= LANNER_SCRIPTING;
  lanner_tokenizer_options_init(&run.set.tokens);
  run.set.tokens.flags = run.set.parse.flags & ~(uint32_t)LANNER_SPANS;
  run.set.tokens.encoding = settings.parse.encoding;
  run.set.tokens.transport = settings.parse.transport;

  status = read_pages(&run.set, &settings);
  int measured = measure(&run);
  for (size_t i = 0; i < run.set.count; i++) cli_file_free(&run.set.pages[i]);
  for (int kind = 0; kind < BENCH_KINDS; kind++) free(run.set.parts[kind].pages);
  free(run.set.pages);
  return measured != CLI_OK ? measured : status;
}

const cli_command cli_command_bench = {
    .name = "bench",
    .arguments = "FILE...",
    .summary = "Measure speed and memory of each stage on the given pages",
    .details =
        "memcpy copies each page once into one buffer, input sniffs the encoding and checks the\n"
        "bytes, or decodes them where they are neither ASCII nor valid UTF-8; check_ascii and\n"
        "check_multibyte are the check alone, over the pages that are ASCII and those that are\n"
        "other valid UTF-8, each beside the memcpy of the same pages. tokens\n"
        "runs the tokenizer alone, tree parses each page into a new document, tree_reuse into one\n"
        "document for all, visit walks the trees, serialize writes them (to nowhere). MB are 10^6\n"
        "bytes of input. Held bytes are those of all documents (tree_reuse, tokens: of the one\n"
        "object) beside the input and beside copies of it, decoded or not, which are the text "
        "bytes\n"
        "(as much as was asked for, which is more than the copy needs).",
    .run = run_bench,
};
