/* archive.c - taking units: files one after the other, runs of gzip members. See archive.h. */
#include "archive_private.h"

#include <errno.h>

warc_archive *warc_archive_new(const warc_archive_options *options) {
  warc_archive *archive = calloc(1, sizeof *archive);
  if (archive == NULL) return NULL;
  archive->options = *options;
  archive->source.descriptor = -1;
  archive->inflater = warc_inflater_new();
  if (archive->inflater == NULL) {
    free(archive);
    return NULL;
  }
  return archive;
}

void warc_archive_free(warc_archive *archive) {
  if (archive == NULL) return;
  warc_source_free(&archive->source);
  warc_stream_free(&archive->stream);
  warc_inflater_free(archive->inflater);
  free(archive);
}

static void close_file(warc_archive *archive) {
  if (archive->open) warc_source_close(&archive->source);
  archive->open = false;
}

void warc_archive_begin(warc_archive *archive, size_t file, warc_place place) {
  close_file(archive);
  archive->file = file;
  archive->start = place;
  archive->restarts = 0;
}

/* Fills UNIT as the end of the file under way, for whatever reason. */
static void end_file(warc_archive *archive, warc_unit *unit, const char *failure) {
  unit->kind = WARC_UNIT_FILE_END;
  unit->failure = failure;
  unit->end.offset = archive->source.offset;
  unit->end.inner = 0;
  if (archive->has_tail) unit->end = archive->tail;
  close_file(archive);
  archive->file++;
  archive->restarts = 0;
  archive->start.offset = archive->start.inner = 0;
}

/* Passes over COUNT bytes of the stream. */
static bool skip_content(warc_stream *stream, uint64_t count) {
  while (count > 0) {
    size_t length = warc_stream_need(stream, 1);
    if (length == 0) return false;
    size_t step = count < length ? (size_t)count : length;
    warc_stream_consume(stream, step);
    count -= step;
  }
  return true;
}

/* --- opening --- */

const char *warc_open_problem(int error) {
  return error == EISDIR ? "is a directory, not an archive" : strerror(error);
}

static const char *unknown_coding(warc_coding coding) {
  return coding == WARC_ZSTD ? "is compressed with zstd, which this program was built without"
                             : "is compressed with gzip, which this program was built without";
}

/* The coding of what stands at the source's front, CODING unless that is plainly another one: a file
 * may be joined of parts in several forms. */
static warc_coding coding_here(warc_source *source, warc_coding coding) {
  size_t length = warc_source_need(source, WARC_RECORD_LOOK);
  const uint8_t *bytes = warc_source_bytes(source);
  warc_coding here = warc_guess_coding(bytes, length);
  if (here != WARC_PLAIN) return here;
  return warc_may_follow((const char *)bytes, length, true) ? WARC_PLAIN : coding;
}

/* Starts reading FILE at archive->start. Answers with why it cannot be read. */
static const char *open_file(warc_archive *archive) {
  warc_source *source = &archive->source;
  int error = warc_source_open(source, archive->options.files[archive->file]);
  if (error != 0) return warc_open_problem(error);
  archive->open = true;
  archive->any = archive->has_tail = archive->past_first = false;
  archive->stay = archive->restarts >= RESTARTS;
  size_t length = warc_source_need(source, 8);
  if (source->error != 0) return warc_open_problem(source->error);
  if (length == 0) return "is empty";
  warc_coding coding = warc_guess_coding(warc_source_bytes(source), length);
  if (!warc_coding_known(coding)) return unknown_coding(coding);
  if (!source->seekable) archive->stay = true;
  if (archive->start.offset > 0) {
    if (coding == WARC_ZSTD) { /* the dictionary, if there is one, stands at the front */
      warc_stream_start(&archive->stream, source, archive->inflater, coding);
      warc_stream_need(&archive->stream, 1);
    }
    if (source->seekable && archive->start.offset > source->size)
      return "is shorter than the offset to start from";
    if (!warc_source_seek(source, archive->start.offset)) return "cannot be read from that offset";
    archive->any = true; /* not the beginning: what it is has been checked */
    coding = coding_here(source, coding);
    if (!warc_coding_known(coding)) return unknown_coding(coding);
  }
  archive->members = coding == WARC_GZIP && source->seekable && !archive->stay &&
                     archive->start.inner == 0 && archive->restarts == 0;
  warc_stream_start(&archive->stream, source, archive->inflater, coding);
  if (archive->start.inner > 0 && !skip_content(&archive->stream, archive->start.inner))
    return "is shorter than the offset to start from";
  return NULL;
}

void warc_archive_restart(warc_archive *archive, size_t file, warc_place place) {
  if (archive->file != file) archive->restarts = 0;
  unsigned restarts = archive->restarts + 1;
  warc_archive_begin(archive, file, place);
  archive->restarts = restarts;
}

/* --- runs of members --- */

/* Fills UNIT with the members from here to the first likely boundary behind RUN bytes. */
static bool take_members(warc_archive *archive, warc_unit *unit) {
  warc_source *source = &archive->source;
  size_t end = 0, length = 0;
  for (size_t wanted = 4 * RUN;; wanted *= 2) {
    length = warc_source_need(source, wanted);
    if (length == 0) return false;
    if (length > RUN) {
      const uint8_t *bytes = warc_source_bytes(source);
      size_t from = end > RUN ? end : RUN;
      size_t hit = warc_find_member(bytes + from, length - from);
      if (hit < length - from) {
        end = from + hit;
        break;
      }
      end = length > 16 ? length - 16 : 0; /* searched so far */
    }
    if (length < wanted) {
      end = length;
      unit->last = true;
      break;
    }
    if (wanted >= RUN_LIMIT) { /* too long: through the stream */
      warc_stream_start(&archive->stream, source, archive->inflater, WARC_GZIP);
      archive->members = archive->past_first = false;
      return true;
    }
  }
  if (warc_guess_coding(warc_source_bytes(source), end) != WARC_GZIP) {
    warc_stream_start(&archive->stream, source, archive->inflater, WARC_GZIP);
    archive->members = archive->past_first = false;
    return true;
  }
  unit->kind = WARC_UNIT_MEMBERS;
  unit->begin.offset = source->offset;
  unit->begin.inner = 0;
  if (!warc_buffer_append(&unit->bytes, warc_source_bytes(source), end)) {
    source->error = ENOMEM;
    return false;
  }
  warc_source_consume(source, end);
  unit->end.offset = source->offset;
  unit->end.inner = 0;
  archive->any = true;
  return true;
}

bool warc_archive_next(warc_archive *archive, warc_unit *unit) {
  unit->bytes.length = 0;
  unit->last = unit->record_cut = unit->record_large = unit->record_shared = false;
  unit->failure = NULL;
  warc_notes_clear(&unit->notes);
  if (archive->file >= archive->options.file_count) return false;
  unit->file = archive->file;
  if (!archive->open) {
    unit->begin = archive->start;
    const char *failure = open_file(archive);
    if (failure != NULL) {
      end_file(archive, unit, failure);
      return true;
    }
  }
  unit->begin = warc_stream_place(&archive->stream, 0);
  const char *failure = NULL;
  for (;;) {
    if (archive->members) {
      if (!take_members(archive, unit)) {
        int error = archive->source.error;
        end_file(archive, unit, error != 0 ? warc_open_problem(error) : NULL);
        return true;
      }
      if (archive->members) return true;
      continue;
    }
    taken result = warc_take_from_stream(archive, unit, &failure);
    if (result == TAKEN_UNIT) return true;
    if (result == TAKEN_ALL) {
      end_file(archive, unit, failure);
      return true;
    }
  }
}
