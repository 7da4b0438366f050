/* test_cli.c - the command as a user meets it: outputs, exit statuses, what goes to standard error.
 * The command is $LANNER_COMMAND, else the one of this build. */
#define _POSIX_C_SOURCE 200809L
#include "tree_case.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef LANNER_TEST_BUILD
#define LANNER_TEST_BUILD "build"
#endif

enum { MAX_ARGUMENTS = 16 };

static char scratch[64];

static char *scratch_path(const char *name) { return join_path(scratch, name); }

static void write_file(const char *name, const void *data, size_t length) {
  char *path = scratch_path(name);
  FILE *file = fopen(path, "wb");
  if (TEST_CHECK_MSG(file != NULL, "%s: %s", path, strerror(errno))) {
    TEST_CHECK(fwrite(data, 1, length, file) == length);
    TEST_CHECK(fclose(file) == 0);
  }
  free(path);
}

static void enter(void) {
  snprintf(scratch, sizeof scratch, "/tmp/lanner-test-XXXXXX");
  TEST_CHECK(mkdtemp(scratch) != NULL);
  write_file("page.html", "<!DOCTYPE html><p class=x>a &amp; b", 35);
  write_file("empty.html", "", 0);
}

static void leave(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", scratch);
  TEST_CHECK(system(command) == 0);
}

static const char *command_path(void) {
  const char *path = getenv("LANNER_COMMAND");
  return path && *path ? path : LANNER_TEST_BUILD "/lanner";
}

struct result {
  int status; /* -1: ended by a signal */
  struct bytes out, err;
};

static void result_free(struct result *result) {
  bytes_free(&result->out);
  bytes_free(&result->err);
}

/* Runs `lanner LINE`, LINE split at spaces, "@NAME" being a file in the scratch folder. OUTPUT: an
 * open descriptor for standard output, -1: collected. */
static struct result run_to(const char *line, const char *input, int output) {
  struct result result = {-1, {0}, {0}};
  char *arguments[MAX_ARGUMENTS + 1] = {(char *)(uintptr_t)command_path()};
  char *copy = malloc(strlen(line) + 1);
  size_t count = 1;
  strcpy(copy, line);
  for (char *word = strtok(copy, " "); word && count < MAX_ARGUMENTS; word = strtok(NULL, " "))
    arguments[count++] = word[0] == '@' ? scratch_path(word + 1) : strdup(word);
  char *out = scratch_path("stdout"), *err = scratch_path("stderr"), *in = scratch_path("stdin");
  FILE *file = fopen(in, "wb");
  if (file) {
    if (input) fwrite(input, 1, strlen(input), file);
    fclose(file);
  }
  fflush(stdout);
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGPIPE, SIG_DFL);
    int from = open(in, O_RDONLY);
    int to = output >= 0 ? output : open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int messages = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (from < 0 || to < 0 || messages < 0 || dup2(from, 0) < 0 || dup2(to, 1) < 0 ||
        dup2(messages, 2) < 0)
      _exit(126);
    execv(arguments[0], arguments);
    _exit(127);
  }
  int status = 0;
  if (TEST_CHECK(child > 0) && TEST_CHECK(waitpid(child, &status, 0) == child)) {
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (output < 0) read_file(out, &result.out);
    read_file(err, &result.err);
  }
  TEST_CHECK_MSG(result.status != 127, "%s cannot be run", arguments[0]);
  for (size_t i = 1; i < count; i++) free(arguments[i]);
  free(copy);
  free(out);
  free(err);
  free(in);
  return result;
}

static struct result run(const char *line) { return run_to(line, NULL, -1); }

static size_t lines_of(const struct bytes *text) {
  size_t lines = 0;
  for (size_t i = 0; i < text->length; i++) lines += text->data[i] == '\n';
  return lines;
}

/* One clear line on standard error, nothing on standard output when QUIET. */
static void fails(const char *line, int status, const char *names) {
  struct result result = run(line);
  TEST_CHECK_MSG(result.status == status, "%s: status %d, expected %d: %s", line, result.status,
                 status, result.err.data);
  TEST_CHECK_MSG(lines_of(&result.err) == 1 && result.err.length > 10, "%s: said %s", line,
                 result.err.data);
  if (names)
    TEST_CHECK_MSG(result.err.data && strstr(result.err.data, names), "%s: does not name %s: %s",
                   line, names, result.err.data);
  TEST_CHECK_MSG(result.out.length == 0, "%s: wrote %s", line, result.out.data);
  result_free(&result);
}

static void gives(const char *line, const char *input, const char *expected) {
  struct result result = run_to(line, input, -1);
  TEST_CHECK_MSG(result.status == 0, "%s: status %d: %s", line, result.status, result.err.data);
  TEST_CHECK_MSG(result.err.length == 0, "%s: said %s", line, result.err.data);
  TEST_CHECK_MSG(bytes_are(&result.out, expected, strlen(expected)), "%s: wrote\n%sexpected\n%s",
                 line, result.out.data, expected);
  result_free(&result);
}

void test_cli_outputs(void) {
  enter();
  gives("tree @page.html", NULL,
        "| <!DOCTYPE html>\n| <html>\n|   <head>\n|   <body>\n|     <p>\n|       class=\"x\"\n|    "
        "   \"a & b\"\n");
  gives("tree -", "<b>x", "| <html>\n|   <head>\n|   <body>\n|     <b>\n|       \"x\"\n");
  gives("tree --fragment td -", "<td>x", "| \"x\"\n");
  gives("tree --fragment=div -", "", "");
  gives("tree --scripting -", "<noscript><p>",
        "| <html>\n|   <head>\n|     <noscript>\n|       \"<p>\"\n|   <body>\n");
  gives("tree --no-shadow -", "<p><template shadowrootmode=open>x</template>",
        "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       <template>\n|         "
        "shadowrootmode=\"open\"\n"
        "|         content\n|           \"x\"\n");
  gives(
      "tree -", "<p><template shadowrootmode=open>x</template>",
      "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       #shadow-root open\n|         \"x\"\n");
  for (int chunk = 1; chunk < 12; chunk++) {
    char line[64];
    snprintf(line, sizeof line, "tree --chunk %d @page.html", chunk);
    gives(line, NULL,
          "| <!DOCTYPE html>\n| <html>\n|   <head>\n|   <body>\n|     <p>\n|       class=\"x\"\n|  "
          "     \"a & b\"\n");
  }
  gives("html @page.html", NULL,
        "<!DOCTYPE html><html><head></head><body><p class=\"x\">a &amp; b</p></body></html>");
  gives("decode --encoding iso-8859-2 -", "\xE8", "\xC4\x8D");
  gives("tree --encoding windows-1252 -", "\x80",
        "| <html>\n|   <head>\n|   <body>\n|     \"\xE2\x82\xAC\"\n");
  leave();
}

/* A line a token, each one JSON in the form of the html5lib tests. */
void test_cli_tokens(void) {
  enter();
  struct result result =
      run_to("tokens -", "<!DOCTYPE html><p a=1 b=\"&quot;\"/>x<!--c--></p><?pi d?>", -1);
  static const char *const types[] = {"DOCTYPE", "StartTag", "Character",
                                      "Comment", "EndTag",   "ProcessingInstruction"};
  size_t line = 0;
  TEST_CHECK_MSG(result.status == 0, "status %d: %s", result.status, result.err.data);
  for (char *at = result.out.data; at && *at;) {
    char *end = strchr(at, '\n');
    if (!TEST_CHECK_MSG(end != NULL, "the last line does not end")) break;
    json_error_t error;
    json_t *token = json_loadb(at, (size_t)(end - at), JSON_ALLOW_NUL, &error);
    TEST_CHECK_MSG(json_is_array(token), "not an array: %.*s", (int)(end - at), at);
    const char *type = json_string_value(json_array_get(token, 0));
    if (TEST_CHECK_MSG(line < 6 && type, "token %zu: %.*s", line, (int)(end - at), at))
      TEST_CHECK_MSG(strcmp(type, types[line]) == 0, "token %zu is %s", line, type);
    if (line == 1) {
      const json_t *attributes = json_array_get(token, 2);
      TEST_CHECK(json_text(attributes, "b").data &&
                 strcmp(json_text(attributes, "b").data, "\"") == 0);
      TEST_CHECK(json_is_true(json_array_get(token, 3)));
    }
    json_decref(token);
    line++;
    at = end + 1;
  }
  TEST_CHECK_MSG(line == 6, "%zu tokens", line);
  result_free(&result);
  gives("tokens --state RCDATA --last-start-tag title -", "<b></title>",
        "[\"Character\",\"<b>\"]\n[\"EndTag\",\"title\"]\n");
  leave();
}

void test_cli_errors(void) {
  enter();
  write_file("bad.html", "<!DOCTYPE html>\n<p a a>", 23);
  char *path = scratch_path("bad.html");
  struct bytes expected = {0};
  bytes_add_format(&expected, "%s:2:7: duplicate-attribute\n", path);
  gives("errors @bad.html", NULL, expected.data);
  gives("errors @page.html", NULL, "");
  struct result result = run("errors --max-errors 1 @bad.html");
  TEST_CHECK_MSG(result.status == 0 && lines_of(&result.out) == 1, "status %d, wrote %s",
                 result.status, result.out.data);
  result_free(&result);
  bytes_free(&expected);
  free(path);
  leave();
}

void test_cli_failures(void) {
  static const char *const commands[] = {"tree", "tokens", "html", "errors", "encoding", "decode"};
  enter();
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    char line[128];
    snprintf(line, sizeof line, "%s @no-such-file.html", commands[i]);
    fails(line, 1, "no-such-file.html");
    snprintf(line, sizeof line, "%s %s", commands[i], scratch); /* a directory */
    fails(line, 1, scratch);
    snprintf(line, sizeof line, "%s --no-such-option @page.html", commands[i]);
    fails(line, 2, "no-such-option");
    snprintf(line, sizeof line, "%s --encoding no-such-encoding @page.html", commands[i]);
    fails(line, 2, "no-such-encoding");
    snprintf(line, sizeof line, "%s --max-depth many @page.html", commands[i]);
    fails(line, 2, "max-depth");
    fails(commands[i], 2, NULL); /* no file */
  }
  fails("no-such-command", 2, "no-such-command");
  fails("", 2, NULL);
  fails("tokens --state nonsense @page.html", 2, "nonsense");
  fails("tree --chunk x @page.html", 2, "chunk");
  fails("tree --chunk 0 @page.html", 2, "not a number from 1");
  fails("tokens --chunk 0 @page.html", 2, "not a number from 1");
  fails("bench --rounds 0 @page.html", 2, "not a number from 1");
  fails("warc -j 0 @page.html", 2, "not a number from 1");
  fails("tree --max-memory 1x @page.html", 2, "K, M or G");
  fails("tree --max-memory 99999999999G @page.html", 2, "K, M or G");
  fails("decode --encoding windows1252x @page.html", 2, "windows-1252");
  /* With several files it goes on and gives the worst status. */
  struct result result = run("html @page.html @no-such-file.html @page.html");
  TEST_CHECK_MSG(result.status == 1, "status %d", result.status);
  TEST_CHECK_MSG(lines_of(&result.err) == 1, "said %s", result.err.data);
  const char *first = result.out.data ? strstr(result.out.data, "a &amp; b") : NULL;
  TEST_CHECK_MSG(first && strstr(first + 1, "a &amp; b"), "wrote %s", result.out.data);
  result_free(&result);
  leave();
}

/* Nothing is written over what is read, nor messages into files. */
void test_cli_no_harm(void) {
  static const char *const lines[] = {
      "warc -o @page.html @page.html", "warc --append -o @page.html @empty.html @page.html",
      "warc --summary @page.html @page.html", "warc --summary @x.json -o @x.json @page.html"};
  enter();
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) fails(lines[i], 2, scratch);
  struct bytes content = {0};
  char *path = scratch_path("page.html");
  read_file(path, &content);
  TEST_CHECK(content.length == 35);
  bytes_free(&content);
  free(path);
  /* Where standard error is closed, its number is not that of the next file. */
  char command[768];
  snprintf(command, sizeof command,
           "printf 'WARC/1.0\\r\\nWARC-Type: resource\\r\\nContent-Type: text/html\\r\\n"
           "Content-Length: 4\\r\\n\\r\\n<p>x\\r\\n\\r\\n' >%s/a.warc && "
           "'%s' warc --fields text -o %s/x.json %s/a.warc %s/page.html 2>&-",
           scratch, command_path(), scratch, scratch, scratch);
  TEST_CHECK(system(command) != 0);
  path = scratch_path("x.json");
  read_file(path, &content);
  TEST_CHECK_MSG(bytes_are(&content, "{\"text\":\"x\"}\n", 13), "%s", content.data);
  bytes_free(&content);
  free(path);
  leave();
}

/* A file that may not be read; nothing to see for root, who may. */
void test_cli_unreadable(void) {
  enter();
  if (geteuid() == 0) {
    fails("tree /proc/self/mem", 1, "/proc/self/mem"); /* opens, but reading fails */
  } else {
    char *path = scratch_path("page.html");
    TEST_CHECK(chmod(path, 0) == 0);
    fails("tree @page.html", 1, "page.html");
    free(path);
  }
  leave();
}

void test_cli_full_disk(void) {
  static const char *const lines[] = {"tree @big.html",   "html @big.html",  "tokens @big.html",
                                      "decode @big.html", "tree @page.html", "encoding @page.html",
                                      "errors @big.html", "--help"};
  enter();
  struct bytes big = {0};
  for (int i = 0; i < 20000; i++) bytes_add_text(&big, "<p>words of a large page");
  write_file("big.html", big.data, big.length);
  bytes_free(&big);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    int full = open("/dev/full", O_WRONLY);
    if (!TEST_CHECK_MSG(full >= 0, "/dev/full: %s", strerror(errno))) break;
    struct result result = run_to(lines[i], NULL, full);
    close(full);
    TEST_CHECK_MSG(result.status == 1, "%s: status %d", lines[i], result.status);
    TEST_CHECK_MSG(lines_of(&result.err) == 1, "%s: said %s", lines[i], result.err.data);
    result_free(&result);
  }
  leave();
}

void test_cli_broken_pipe(void) {
  static const char *const lines[] = {"tree @big.html", "html @big.html", "tokens @big.html",
                                      "decode @big.html", "errors @big.html"};
  enter();
  struct bytes big = {0};
  for (int i = 0; i < 20000; i++) bytes_add_text(&big, "<p>words of a large page</i>");
  write_file("big.html", big.data, big.length);
  bytes_free(&big);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    int ends[2];
    if (!TEST_CHECK(pipe(ends) == 0)) break;
    close(ends[0]); /* nobody reads */
    struct result result = run_to(lines[i], NULL, ends[1]);
    close(ends[1]);
    TEST_CHECK_MSG(result.status == 1, "%s: status %d", lines[i], result.status);
    TEST_CHECK_MSG(result.err.length == 0, "%s: said %s", lines[i], result.err.data);
    result_free(&result);
  }
  leave();
}

/* Limits: soft ones are said and give 0, those that stop the parse give 1. */
void test_cli_limits(void) {
  static const struct {
    const char *line;
    int status;
  } cases[] = {{"tree --max-depth 5 @deep.html", 0},    {"tree --max-attributes 1 @deep.html", 0},
               {"tree --max-nodes 50 @deep.html", 1},   {"tree --max-input 100 @deep.html", 1},
               {"tree --max-memory 60K @deep.html", 1}, {"html --max-nodes 50 @deep.html", 1},
               {"errors --max-errors 1 @deep.html", 0}, {"tree --max-depth 0 @deep.html", 0}};
  enter();
  struct bytes deep = {0};
  for (int i = 0; i < 400; i++) bytes_add_text(&deep, "<div a=1 b=2>x");
  write_file("deep.html", deep.data, deep.length);
  bytes_free(&deep);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct result result = run(cases[i].line);
    bool off = strstr(cases[i].line, "max-depth 0") != NULL;
    TEST_CHECK_MSG(result.status == cases[i].status, "%s: status %d: %s", cases[i].line,
                   result.status, result.err.data);
    TEST_CHECK_MSG(lines_of(&result.err) == (off ? 0 : 1), "%s: said %s", cases[i].line,
                   result.err.data);
    /* What was built is printed. */
    TEST_CHECK_MSG(result.out.length > 0, "%s: wrote nothing", cases[i].line);
    result_free(&result);
  }
  leave();
}

void test_cli_encoding(void) {
  enter();
  struct result result = run_to("encoding -", "<meta charset=koi8-r>", -1);
  TEST_CHECK(result.status == 0);
  TEST_CHECK_MSG(result.out.data && strstr(result.out.data, "KOI8-R") &&
                     strstr(result.out.data, "meta"),
                 "wrote %s", result.out.data);
  result_free(&result);
  result = run_to("encoding --transport windows-1251 -", "<meta charset=koi8-r>", -1);
  TEST_CHECK_MSG(result.out.data && strstr(result.out.data, "windows-1251") &&
                     strstr(result.out.data, "transport") && strstr(result.out.data, "certain"),
                 "wrote %s", result.out.data);
  result_free(&result);
  leave();
}

/* A transport label that nothing is known by is ignored, as the Standard says, but not silently. */
void test_cli_unknown_transport(void) {
  enter();
  struct result result = run("encoding --transport uft-8 @page.html");
  TEST_CHECK_MSG(result.status == 0 && lines_of(&result.err) == 1 &&
                     strstr(result.err.data, "uft-8") && strstr(result.err.data, "near it: utf8"),
                 "status %d, said %s", result.status, result.err.data);
  TEST_CHECK_MSG(result.out.data && strstr(result.out.data, "default"), "wrote %s",
                 result.out.data);
  result_free(&result);
  leave();
}

/* `lanner bench --json` is one object with the stages and a positive throughput each. */
void test_cli_bench(void) {
  static const char *const stages[] = {"memcpy",     "input", "tokens",   "tree",
                                       "tree_reuse", "visit", "serialize"};
  enter();
  struct result result = run("bench --json @page.html");
  TEST_CHECK_MSG(result.status == 0, "status %d: %s", result.status, result.err.data);
  json_error_t error;
  json_t *json = json_loadb(result.out.data, result.out.length, 0, &error);
  TEST_CHECK_MSG(json_is_object(json), "not an object: %s",
                 shown(result.out.data, result.out.length));
  TEST_CHECK(json_integer_value(json_object_get(json, "pages")) == 1);
  TEST_CHECK(json_integer_value(json_object_get(json, "bytes")) == 35);
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    json_t *stage = json_object_get(json_object_get(json, "stages"), stages[i]);
    TEST_CHECK_MSG(json_number_value(json_object_get(stage, "mb_per_s")) > 0, "no %s", stages[i]);
  }
  json_decref(json);
  result_free(&result);
  leave();
}

/* The input stage shows the check of ASCII and of multi-byte pages apart, each with its memcpy; a
 * kind without pages has none. */
void test_cli_bench_input(void) {
  enter();
  write_file("wide.html", "<p>\xC3\xA4", 5);
  struct result result = run("bench --json --rounds 1 --stage input @page.html @wide.html");
  json_t *json = json_loadb(result.out.data, result.out.length, 0, NULL);
  json_t *stages = json_object_get(json, "stages");
  TEST_CHECK(json_object_size(stages) == 6 && json_object_get(stages, "memcpy") &&
             json_object_get(stages, "input"));
  static const struct {
    const char *name;
    int bytes;
  } parts[] = {
      {"memcpy_ascii", 35}, {"check_ascii", 35}, {"memcpy_multibyte", 5}, {"check_multibyte", 5}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    json_t *stage = json_object_get(stages, parts[i].name);
    TEST_CHECK_MSG(json_integer_value(json_object_get(stage, "pages")) == 1 &&
                       json_integer_value(json_object_get(stage, "bytes")) == parts[i].bytes &&
                       json_number_value(json_object_get(stage, "mb_per_s")) > 0,
                   "%s: %s", parts[i].name, shown(result.out.data, result.out.length));
  }
  json_decref(json);
  result_free(&result);
  result = run("bench --json --rounds 1 --stage input @wide.html");
  json = json_loadb(result.out.data, result.out.length, 0, NULL);
  TEST_CHECK(json_object_size(json_object_get(json, "stages")) == 4);
  json_decref(json);
  result_free(&result);
  leave();
}
