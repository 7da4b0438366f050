/* warc_run.c - workers that share one archive reader, and results in the archive's order.
 *
 * Each worker does everything: it takes the next unit (one at a time may), makes its lines, and puts
 * the result into a ring; whoever finds the oldest result ready writes it and those behind it. So N
 * workers are N threads, the queue is as long as the ring, and results that wait are bounded in
 * bytes too. With one worker no thread is started.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>

#include "message.h"
#include "warc_job.h"

/* A page that takes long must not stop the others: many results may wait for an older one, as long as
 * they hold no more than so many bytes. */
enum { RING = 64, RING_PER_WORKER = 16, WAITING_BYTES = 1 << 26 };

typedef struct warc_job {
  const warc_settings *settings;
  warc_output *output;
  warc_archive *archive;
  pthread_mutex_t taking; /* the archive; taken before `state` */
  uint64_t archive_round; /* under `taking` */

  pthread_mutex_t state; /* all that follows */
  pthread_cond_t changed;
  warc_result **ring; /* results under way, by number */
  size_t ring_size;
  warc_result *unused; /* the last one used first: it is still in the cache */
  uint64_t next;       /* number of the next unit to take */
  uint64_t committed;  /* results before this one are written */
  uint64_t waiting;    /* bytes of results that are ready */
  uint64_t round;      /* goes up when reading starts over */
  warc_position over;  /* where, then */
  bool writing;        /* somebody writes */
  bool stop;           /* no more units are taken */
  bool full;           /* no more results are written: the limit, or the output has failed */
  bool done;           /* all units are written */
  const char *failure;
  warc_position position; /* behind what was written */
  warc_report report;
} warc_job;

static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

/* --- results, in order --- */

static bool limit_reached(const warc_job *job) {
  return job->settings->limit > 0 && job->report.counts.lines >= job->settings->limit;
}

/* Cuts RESULT behind the line with which the limit is reached. */
static void cut_at_limit(const warc_job *job, warc_result *result, warc_position *behind) {
  uint64_t limit = job->settings->limit, before = job->report.counts.lines;
  if (limit == 0 || before + result->end_count <= limit) return;
  size_t keep = (size_t)(limit - before);
  result->text.length = keep > 0 ? result->ends[keep - 1].end : 0;
  behind->place = result->ends[keep].place;
  result->counts.lines = keep;
}

/* Writes one result. Called without the lock, by one thread at a time. False: no more is wanted. */
static bool write_result(warc_job *job, warc_result *result) {
  warc_position behind = {result->unit.file, result->behind};
  cut_at_limit(job, result, &behind);
  warc_report_add(&job->report, result, behind);
  job->position = behind;
  bool good = warc_output_lines(job->output, result->text.data, result->text.length, behind);
  warc_report_progress(&job->report);
  return good && !limit_reached(job);
}

/* Writes all results that are ready, in order. Holds `state` when called and when it returns. */
static void commit(warc_job *job) {
  if (job->writing) return;
  job->writing = true;
  for (;;) {
    warc_result *result = job->ring[job->committed % job->ring_size];
    if (job->committed == job->next || !result->ready) break;
    job->waiting -= result->text.length;
    if (result->failure != NULL && job->failure == NULL) job->failure = result->failure;
    if (result->round == job->round && job->failure == NULL && !job->full) {
      bool restart = result->restart;
      warc_position over = {result->unit.file, result->behind};
      pthread_mutex_unlock(&job->state);
      bool more = write_result(job, result);
      pthread_mutex_lock(&job->state);
      if (!more) job->full = job->stop = true;
      if (restart) {
        job->over = over;
        job->round++;
      }
    }
    result->ready = false;
    result->next_unused = job->unused;
    job->unused = result;
    job->committed++;
    pthread_cond_broadcast(&job->changed);
  }
  job->writing = false;
}

/* --- units --- */

/* Waits until a unit may be taken. Holds both locks. False: there is nothing more to do. */
static bool wait_for_room(warc_job *job) {
  for (;;) {
    if (interrupted || job->failure != NULL) job->stop = true;
    if (job->stop || job->done) return false;
    bool room = job->next - job->committed < job->ring_size &&
                (job->waiting < WAITING_BYTES || job->next == job->committed);
    if (room) return true;
    pthread_cond_wait(&job->changed, &job->state);
  }
}

/* A result to fill. Holds `state`. NULL: memory. */
static warc_result *unused_result(warc_job *job) {
  warc_result *result = job->unused;
  if (result != NULL)
    job->unused = result->next_unused;
  else
    result = calloc(1, sizeof *result);
  if (result == NULL) job->failure = "memory";
  return result;
}

/* Takes the next unit. NULL: there is none. */
static warc_result *take(warc_job *job) {
  warc_result *result = NULL;
  pthread_mutex_lock(&job->taking);
  pthread_mutex_lock(&job->state);
  while (wait_for_room(job)) {
    if (job->archive_round != job->round) {
      job->archive_round = job->round;
      warc_archive_restart(job->archive, job->over.file, job->over.place);
    }
    warc_result *free_one = unused_result(job);
    if (free_one == NULL) continue;
    pthread_mutex_unlock(&job->state);
    bool got = warc_archive_next(job->archive, &free_one->unit);
    pthread_mutex_lock(&job->state);
    if (got) {
      result = free_one;
      result->round = job->archive_round;
      job->ring[job->next++ % job->ring_size] = result;
      break;
    }
    free_one->next_unused = job->unused;
    job->unused = free_one;
    /* All read; but a result that is not written yet may ask to start over. */
    if (job->committed == job->next && job->archive_round == job->round) {
      job->done = true;
      pthread_cond_broadcast(&job->changed);
    } else if (job->committed != job->next) {
      pthread_cond_wait(&job->changed, &job->state);
    }
  }
  pthread_mutex_unlock(&job->state);
  pthread_mutex_unlock(&job->taking);
  return result;
}

static void *work(void *context) {
  warc_job *job = context;
  warc_worker *worker = warc_worker_new(job->settings);
  if (worker == NULL) {
    pthread_mutex_lock(&job->state);
    job->failure = "memory";
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->state);
    return NULL;
  }
  for (warc_result *result; (result = take(job)) != NULL;) {
    warc_make_lines(worker, result);
    pthread_mutex_lock(&job->state);
    result->ready = true;
    job->waiting += result->text.length;
    commit(job);
    pthread_mutex_unlock(&job->state);
  }
  warc_worker_free(worker);
  return NULL;
}

static void run_workers(warc_job *job) {
  uint32_t count = job->settings->workers, started = 0;
  pthread_t *threads = count > 1 ? calloc(count - 1, sizeof *threads) : NULL;
  if (threads != NULL)
    while (started < count - 1 && pthread_create(&threads[started], NULL, work, job) == 0)
      started++;
  work(job);
  for (uint32_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
  free(threads);
}

/* --- the whole --- */

static void catch_interrupts(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupt;
  action.sa_flags = (int)SA_RESETHAND; /* the second one ends the program at once */
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* Says where an unfinished run stands. */
static void tell_rest(const warc_job *job, warc_position written) {
  char where[4096];
  warc_position_text(job->settings, written, where, sizeof where);
  if (warc_output_temporary(job->output) != NULL) {
    cli_message("what is written so far is in %s; the first record not in it is %s (go on with "
                "--since %s --append)",
                warc_output_temporary(job->output), where, where);
  } else if (warc_output_closed(job->output) != NULL) {
    cli_message(
        "%s: closed by its reader; --since %s goes on (some of what was read may come again)",
        warc_output_closed(job->output), where);
  } else {
    cli_message("the first record not written is %s", where);
  }
}

static int finish(warc_job *job) {
  bool stopped = job->stop && !limit_reached(job);
  bool complete = !stopped && job->failure == NULL && !warc_output_failed(job->output);
  /* An archive's name that was mistyped should not cost what an earlier run wrote. */
  bool nothing = complete && warc_report_records(&job->report.notes) == 0 &&
                 !job->settings->append &&
                 (job->report.failed_files > 0 || job->report.notes.broken > 0);
  if (nothing)
    warc_output_discard(job->output);
  else if (complete && !warc_output_finish(job->output))
    complete = false;
  /* Counts of lines that were not written would mislead. */
  bool shown = !warc_output_failed(job->output);
  bool summary = warc_report_end(&job->report, job->position, complete, shown);
  if (job->failure != NULL) cli_message("out of memory");
  if (!complete) tell_rest(job, warc_output_leave(job->output));
  bool good = complete && summary && job->report.notes.broken == 0 && job->report.failed_files == 0;
  return good ? CLI_OK : CLI_FAILED;
}

int warc_run(const warc_settings *settings, warc_position start, warc_output *output) {
  warc_job job;
  memset(&job, 0, sizeof job);
  warc_archive_options options = {settings->files, settings->file_count, settings->most};
  job.settings = settings;
  job.output = output;
  job.archive = warc_archive_new(&options);
  job.ring_size = RING + RING_PER_WORKER * (size_t)settings->workers;
  job.ring = calloc(job.ring_size, sizeof *job.ring);
  job.position = start;
  int status = CLI_FAILED;
  if (job.archive == NULL || job.ring == NULL) {
    cli_message("out of memory");
  } else {
    warc_archive_begin(job.archive, start.file, start.place);
    warc_report_begin(&job.report, settings, start);
    pthread_mutex_init(&job.taking, NULL);
    pthread_mutex_init(&job.state, NULL);
    pthread_cond_init(&job.changed, NULL);
    catch_interrupts();
    run_workers(&job);
    status = finish(&job);
    warc_report_free(&job.report);
  }
  while (job.unused != NULL) {
    warc_result *result = job.unused;
    job.unused = result->next_unused;
    warc_result_free(result);
    free(result);
  }
  free(job.ring);
  warc_archive_free(job.archive);
  return status;
}
