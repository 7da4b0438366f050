/* warc_output.c - where lines go: standard output, or a file that has its name only when complete.
 *
 * FILE is written as FILE.part and renamed at the end. Lines are written whole, and a compressed file
 * is a row of gzip members of whole lines, so that whatever ends the run leaves lines that count and
 * at most a piece behind them. --append takes that piece off, finds the last record written in the
 * last line and goes on behind it.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "warc/deflate.h"
#include "warc_job.h"

/* Lines are collected up to so many bytes. */
enum { BATCH = 1 << 18, COMPRESSED_BATCH = 1 << 20 };

struct warc_output {
  const warc_settings *settings;
  int descriptor;
  const char *name; /* for messages */
  char *target;     /* the file that the temporary one becomes */
  char *temporary;  /* NULL: standard output, a device, a pipe */
  bool failed;
  bool closed;       /* by its reader: why it has failed */
  bool was_complete; /* --append: a complete file was taken to go on with */
  bool regular;
  cli_buffer lines;        /* not yet written */
  warc_position pending;   /* behind them */
  warc_position written;   /* behind what is written */
  uint64_t good;           /* length of the file as far as it holds whole lines */
  warc_deflater *deflater; /* NULL: not compressed */
  warc_buffer packed;
};

const char *warc_output_temporary(const warc_output *output) { return output->temporary; }

bool warc_output_failed(const warc_output *output) { return output->failed; }

const char *warc_output_closed(const warc_output *output) {
  return output->closed ? output->name : NULL;
}

void warc_output_free(warc_output *output) {
  if (output == NULL) return;
  if (output->descriptor >= 0 && output->descriptor != STDOUT_FILENO) close(output->descriptor);
  warc_deflater_free(output->deflater);
  free(output->target);
  free(output->temporary);
  cli_buffer_free(&output->lines);
  warc_buffer_free(&output->packed);
  free(output);
}

/* --- writing --- */

/* A reader that has enough closes its pipe: that is said with the place where the output ends. */
static void fail(warc_output *output, int error) {
  if (!output->failed && error == EPIPE) output->closed = true;
  if (!output->failed && error != EPIPE) cli_message("%s: %s", output->name, strerror(error));
  output->failed = true;
}

static bool write_all(warc_output *output, const void *data, size_t length) {
  const char *at = data;
  size_t left = length;
  while (left > 0) {
    ssize_t written = write(output->descriptor, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      fail(output, errno);
      /* What was begun is taken off again: it may not be whole lines. */
      if (output->regular && ftruncate(output->descriptor, (off_t)output->good) != 0)
        fail(output, errno);
      return false;
    }
    at += written;
    left -= (size_t)written;
  }
  output->good += length;
  return true;
}

static bool write_packed(warc_output *output) {
  if (warc_deflate_member(output->deflater, output->lines.data, output->lines.length,
                          &output->packed))
    return write_all(output, output->packed.bytes, output->packed.length);
  fail(output, ENOMEM);
  return false;
}

static bool flush(warc_output *output) {
  if (output->failed) return false;
  if (output->lines.length > 0) {
    bool good = output->settings->gzip
                    ? write_packed(output)
                    : write_all(output, output->lines.data, output->lines.length);
    if (!good) return false;
    output->lines.length = 0;
  }
  output->written = output->pending;
  return true;
}

bool warc_output_lines(warc_output *output, const char *lines, size_t length,
                       warc_position behind) {
  if (output->failed) return false;
  if (length > 0 && cli_buffer_write(&output->lines, lines, length) != 0) {
    fail(output, ENOMEM);
    return false;
  }
  output->pending = behind;
  if (output->lines.length < (output->settings->gzip ? COMPRESSED_BATCH : BATCH)) return true;
  return flush(output);
}

bool warc_output_finish(warc_output *output) {
  if (!flush(output)) return false;
  if (output->temporary == NULL) return true;
  if ((output->regular && fsync(output->descriptor) != 0) || close(output->descriptor) != 0) {
    fail(output, errno);
    output->descriptor = -1;
    return false;
  }
  output->descriptor = -1;
  if (rename(output->temporary, output->target) != 0) {
    cli_message("%s: cannot be renamed to %s: %s", output->temporary, output->target,
                strerror(errno));
    output->failed = true;
    return false;
  }
  return true;
}

void warc_output_discard(warc_output *output) {
  if (output->temporary == NULL) return;
  close(output->descriptor);
  output->descriptor = -1;
  unlink(output->temporary);
  if (access(output->target, F_OK) == 0) cli_message("%s: left as it was", output->target);
}

warc_position warc_output_leave(warc_output *output) {
  flush(output);
  return output->written;
}

/* --- going on where a run ended --- */

/* What the end of an unfinished file says. */
typedef struct file_tail {
  uint64_t length; /* of the whole lines (members) */
  char *line;      /* the last one, NULL: none */
} file_tail;

/* The last whole line of LENGTH bytes of a plain file. */
static bool plain_tail(int descriptor, uint64_t length, file_tail *tail) {
  uint64_t end = length, begin = 0;
  bool found_end = false;
  char piece[1 << 12];
  for (uint64_t at = length; at > 0;) {
    size_t step = at < sizeof piece ? (size_t)at : sizeof piece;
    at -= step;
    if (pread(descriptor, piece, step, (off_t)at) != (ssize_t)step) return false;
    for (size_t i = step; i-- > 0;) {
      if (piece[i] != '\n') continue;
      if (!found_end) {
        end = at + i + 1;
        found_end = true;
      } else {
        begin = at + i + 1;
        at = 0;
        break;
      }
    }
  }
  tail->length = found_end ? end : 0;
  if (!found_end) return true;
  size_t size = (size_t)(end - begin);
  tail->line = malloc(size + 1);
  if (tail->line == NULL || pread(descriptor, tail->line, size, (off_t)begin) != (ssize_t)size)
    return false;
  tail->line[size] = '\0';
  return true;
}

/* The last line of the whole members of a compressed file. */
static bool packed_tail(int descriptor, uint64_t length, file_tail *tail) {
  warc_source source = {
      .descriptor = descriptor, .seekable = true, .borrowed = true, .size = length};
  warc_inflater *inflater = warc_inflater_new();
  warc_buffer content = {NULL, 0, 0};
  bool good = inflater != NULL && lseek(descriptor, 0, SEEK_SET) == 0 &&
              warc_buffer_reserve(&source.buffer, BATCH);
  while (good) {
    size_t used = 0, wanted = 4 * COMPRESSED_BATCH;
    warc_inflated result;
    do {
      size_t have = warc_source_need(&source, wanted);
      result = warc_inflate_member(inflater, warc_source_bytes(&source), have, &content,
                                   SIZE_MAX / 4, &used);
      if (have < wanted) break;
      wanted *= 2;
    } while (result == WARC_INFLATE_MORE);
    if (result != WARC_INFLATE_DONE) break;
    warc_source_consume(&source, used);
    tail->length = source.offset;
    size_t end = content.length, begin = end > 0 ? end - 1 : 0;
    while (begin > 0 && content.bytes[begin - 1] != '\n') begin--;
    free(tail->line);
    tail->line = malloc(end - begin + 1);
    if (tail->line == NULL)
      good = false;
    else if (end > begin)
      memcpy(tail->line, content.bytes + begin, end - begin);
    if (tail->line != NULL) tail->line[end - begin] = '\0';
  }
  warc_buffer_free(&source.buffer);
  warc_buffer_free(&content);
  warc_inflater_free(inflater);
  return good;
}

/* The record of LINE, and the place behind it. */
static bool place_of_line(const warc_settings *settings, const char *line, warc_position *record,
                          warc_position *behind) {
  json_t *object = json_loads(line, JSON_ALLOW_NUL, NULL);
  const json_t *place = json_object_get(object, "warc");
  const char *file = json_string_value(json_object_get(place, "file"));
  const json_t *offset = json_object_get(place, "offset"), *inner = json_object_get(place, "inner");
  const json_t *length = json_object_get(place, "length");
  bool found = false;
  if (file != NULL && json_is_integer(offset) && json_is_integer(length)) {
    for (size_t i = 0; i < settings->file_count && !found; i++) {
      if (strcmp(settings->files[i], file) != 0) continue;
      found = true;
      record->file = i;
      record->place.offset = (uint64_t)json_integer_value(offset);
      record->place.inner = inner != NULL ? (uint64_t)json_integer_value(inner) : 0;
      *behind = *record;
      uint64_t size = (uint64_t)json_integer_value(length);
      if (inner != NULL)
        behind->place.inner += size;
      else
        behind->place.offset += size;
    }
  }
  json_decref(object);
  return found;
}

static bool before(warc_position a, warc_position b) {
  if (a.file != b.file) return a.file < b.file;
  if (a.place.offset != b.place.offset) return a.place.offset < b.place.offset;
  return a.place.inner < b.place.inner;
}

/* Takes the lines at and behind START off the file, or moves START behind its last line. */
static bool join_tail(warc_output *output, bool has_since, warc_position *start, uint64_t length,
                      int *status) {
  const warc_settings *settings = output->settings;
  for (;;) {
    file_tail tail = {0, NULL};
    bool read = settings->gzip ? packed_tail(output->descriptor, length, &tail)
                               : plain_tail(output->descriptor, length, &tail);
    if (!read) {
      cli_message("%s: cannot be read", output->name);
      free(tail.line);
      return false;
    }
    output->good = tail.length;
    warc_position record, behind;
    bool known = tail.line != NULL && place_of_line(settings, tail.line, &record, &behind);
    size_t line_length = tail.line != NULL ? strlen(tail.line) : 0;
    bool any = tail.line != NULL;
    free(tail.line);
    if (!any) return true;
    if (!known && !has_since) {
      cli_message("%s: its last line does not name a record of these files; --since says where to "
                  "go on",
                  output->name);
      *status = CLI_USAGE;
      return false;
    }
    if (!has_since) {
      *start = behind;
      return true;
    }
    if (!known || before(record, *start)) return true;
    if (settings->gzip) {
      cli_message("%s: holds records behind --since already", output->name);
      *status = CLI_USAGE;
      return false;
    }
    length = tail.length - line_length; /* that line will be written again */
  }
}

/* --- opening --- */

static char *temporary_name(const char *name) {
  size_t length = strlen(name);
  char *temporary = malloc(length + 6);
  if (temporary != NULL) {
    memcpy(temporary, name, length);
    memcpy(temporary + length, ".part", 6);
  }
  return temporary;
}

/* Opens the temporary file, new or, with --append, the one that is there. */
static bool open_temporary(warc_output *output, int *status) {
  const warc_settings *settings = output->settings;
  int flags = O_RDWR | O_CLOEXEC | O_NOCTTY | O_CREAT | (settings->append ? 0 : O_EXCL);
  if (settings->append && access(output->temporary, F_OK) != 0 &&
      access(output->target, F_OK) == 0) {
    if (rename(output->target, output->temporary) != 0) {
      fail(output, errno);
      return false;
    }
    output->was_complete = true;
  }
  output->descriptor = open(output->temporary, flags, 0666);
  if (output->descriptor >= 0) return true;
  if (errno == EEXIST) {
    cli_message(
        "%s: is left from a run that did not finish; --append goes on with it, or remove it",
        output->temporary);
    *status = CLI_USAGE;
  } else {
    fail(output, errno);
  }
  return false;
}

/* What a link names is replaced, not the link. */
static char *target_name(const char *name) {
  struct stat state;
  if (lstat(name, &state) == 0 && S_ISLNK(state.st_mode)) {
    char *target = realpath(name, NULL);
    if (target != NULL) return target;
  }
  return strdup(name);
}

static bool open_file(warc_output *output, bool has_since, warc_position *start, int *status) {
  struct stat state;
  const char *name = output->name = output->settings->output;
  bool exists = stat(name, &state) == 0;
  if (exists && S_ISDIR(state.st_mode)) {
    cli_message("%s: is a directory", name);
    return false;
  }
  /* A device or a pipe is written to as it is: a rename would put a file in its place. */
  if (exists && !S_ISREG(state.st_mode)) {
    output->descriptor = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (output->descriptor < 0) fail(output, errno);
    return output->descriptor >= 0;
  }
  output->target = target_name(name);
  if (output->target != NULL) output->temporary = temporary_name(output->target);
  if (output->temporary == NULL) return false;
  output->name = output->temporary;
  if (!open_temporary(output, status)) return false;
  if (fstat(output->descriptor, &state) != 0) {
    fail(output, errno);
    return false;
  }
  output->regular = S_ISREG(state.st_mode);
  if (!output->settings->append || !output->regular) return true;
  if (!join_tail(output, has_since, start, (uint64_t)state.st_size, status)) {
    /* Nothing was changed: a complete file gets its name back. */
    if (output->was_complete && rename(output->temporary, output->target) != 0) fail(output, errno);
    return false;
  }
  if (ftruncate(output->descriptor, (off_t)output->good) == 0 &&
      lseek(output->descriptor, 0, SEEK_END) >= 0)
    return true;
  fail(output, errno);
  return false;
}

warc_output *warc_output_open(const warc_settings *settings, bool has_since, warc_position *start,
                              int *status) {
  warc_output *output = calloc(1, sizeof *output);
  *status = CLI_FAILED;
  if (output == NULL) return NULL;
  output->settings = settings;
  output->descriptor = STDOUT_FILENO;
  output->name = "standard output";
  if (settings->gzip && warc_deflate_built_in()) output->deflater = warc_deflater_new();
  bool ready = !settings->gzip || output->deflater != NULL;
  if (!ready)
    cli_message(warc_deflate_built_in() ? "out of memory"
                                        : "--gzip: this program was built without zlib");
  if (ready && settings->output != NULL) ready = open_file(output, has_since, start, status);
  if (!ready) {
    warc_output_free(output);
    return NULL;
  }
  output->pending = output->written = *start;
  *status = CLI_OK;
  return output;
}
