/* runner.c - times all contestants side by side and prints one JSON object.
 *
 *   runner [OPTIONS] [LABEL=]PLUGIN.so...
 *
 * A row is one operation over one page set. In a round every contestant does the whole set once,
 * one contestant after the other, in an order that moves on by one each round; a figure is the best
 * round, in processor time of the thread. Pages come one after the other, so no page is warm. A slow
 * contestant that has used up its budget of seconds sits out the rest of the rounds, but has at least
 * three. In each row each contestant has a process of its own (worker.h); the runner waits while one
 * works.
 */
#define _GNU_SOURCE
#include "contestant.h"
#include "pages.h"
#include "worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ENTRANTS = 32, MINIMUM_ROUNDS = 3 };

struct entrant {
  const contestant *of;
  const char *label;
  bool variant; /* takes part in row (m) only */
};

struct setup {
  struct entrant entrants[MAX_ENTRANTS];
  size_t count;
  page_set pages, small, fragments, first; /* first: before each turn, see FIRST_DOCUMENTS */
  const char *rows;
  unsigned rounds;
  double budget;
  bool progress, kept_heap;
};

/* What one contestant reached in one row: in memory that its process shares with the runner. */
struct result {
  bool takes_part;
  void *self;
  double last, best; /* seconds for the set, last and best round */
  double spent;
  unsigned rounds;
  size_t failures; /* pages, last round */
  tally work;      /* of one round */
  double *pages;   /* best time of each page; NULL: not taken */
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What this thread has used: other programs on the machine take the processor away now and then. */
static double used(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("runner: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

static void *must(void *memory) {
  if (memory == NULL) fail("out of memory");
  return memory;
}

static void progress(const struct setup *setup, const char *row, unsigned round, unsigned rounds,
                     const char *name) {
  if (!setup->progress) return;
  fprintf(stderr, "\r\033[K(%s) round %u of %u, %s", row, round + 1, rounds, name);
  fflush(stderr);
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void print_string(const char *text) {
  putchar('"');
  for (; *text != 0; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    if ((unsigned char)*text >= 0x20) putchar(*text);
  }
  putchar('"');
}

/* --- rows ----------------------------------------------------------------------------------- */

static double run_plain(struct result *result, contestant_operation operation,
                        const page_set *set) {
  size_t failures = 0;
  tally work = {0};
  double start = used();
  for (size_t i = 0; i < set->count; i++)
    failures += !operation(result->self, set->pages[i].data, set->pages[i].length, &work);
  double seconds = used() - start;
  result->failures = failures;
  result->work = work;
  return seconds;
}

/* Pages are timed by the clock on the wall, which is read without entering the kernel: the thread's own
 * clock enters it, and what the kernel leaves in the caches and in the branch predictor costs a small
 * page more than its parse. The best of many rounds is no interrupted one. The whole round is timed by
 * the thread's clock. This is what reading the clock costs by itself; it is taken off each page. */
static double clock_cost(void) {
  double least = 1;
  for (int i = 0; i < 2000; i++) {
    double start = now(), cost = now() - start;
    if (cost >= 0 && cost < least) least = cost;
  }
  return least;
}

static double run_by_page(struct result *result, contestant_operation operation,
                          const page_set *set, bool raw, double cost) {
  size_t failures = 0;
  tally work = {0};
  double begin = used(), start = now();
  for (size_t i = 0; i < set->count; i++) {
    const bench_page *page = &set->pages[i];
    failures += !operation(result->self, raw ? page->raw : page->data,
                           raw ? page->raw_length : page->length, &work);
    double stop = now(), seconds = stop - start - cost;
    if (seconds > 0 && (result->pages[i] == 0 || seconds < result->pages[i]))
      result->pages[i] = seconds;
    start = stop;
  }
  result->failures = failures;
  result->work = work;
  return used() - begin - cost * (double)set->count;
}

static contestant_operation operation_at(const contestant *of, size_t offset) {
  contestant_operation operation;
  memcpy(&operation, (const char *)of + offset, sizeof operation);
  return operation;
}

static void print_result(const struct entrant *entrant, const struct result *result,
                         const page_set *set, bool first) {
  printf("%s\n      {\"name\": ", first ? "" : ",");
  print_string(entrant->label);
  printf(", \"seconds\": %.9f, \"rounds\": %u, \"failures\": %zu", result->best, result->rounds,
         result->failures);
  printf(", \"items\": %llu, \"attributes\": %llu, \"string_bytes\": %llu",
         (unsigned long long)result->work.items, (unsigned long long)result->work.attributes,
         (unsigned long long)result->work.bytes);
  if (result->pages != NULL) {
    fputs(", \"groups\": [", stdout);
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
      double seconds = 0;
      for (size_t i = 0; i < set->count; i++)
        if ((set->pages[i].groups >> g & 1) != 0) seconds += result->pages[i];
      printf("%s%.9f", g == 0 ? "" : ", ", seconds);
    }
    fputs("], \"pages\": [", stdout);
    for (size_t i = 0; i < set->count; i++) printf("%s%.9f", i == 0 ? "" : ", ", result->pages[i]);
    putchar(']');
  }
  putchar('}');
}

struct row {
  char letter;
  const char *key, *title;
  size_t operation;
  enum { ON_PAGES, ON_RAW_PAGES, ON_SMALL, ON_FRAGMENTS } set;
  bool variants; /* Lanner's variants take part, and of the others only lexbor */
};

#define OPERATION(name) offsetof(contestant, name)
static const struct row rows[] = {
    {'a', "a", "tokens only", OPERATION(tokens), ON_PAGES, false},
    {'b', "b", "tree, new document each page", OPERATION(tree_new), ON_PAGES, false},
    {'c', "c", "tree, document reused", OPERATION(tree_reused), ON_PAGES, false},
    {'d', "d", "tree, then visit every node, attribute name and value", OPERATION(visit), ON_PAGES,
     false},
    {'e', "e", "tree, then serialize", OPERATION(serialize), ON_PAGES, false},
    {'f', "f", "bytes in, encoding sniffed, tree", OPERATION(sniffed), ON_RAW_PAGES, false},
    {'g', "g-new", "pages of about 1 KB, new document each page", OPERATION(tree_new), ON_SMALL,
     false},
    {'g', "g-reused", "pages of about 1 KB, document reused", OPERATION(tree_reused), ON_SMALL,
     false},
    {'h', "h-new", "fragments of 50 to 500 bytes, new document each", OPERATION(fragment_new),
     ON_FRAGMENTS, false},
    {'h', "h-reused", "fragments of 50 to 500 bytes, all reused", OPERATION(fragment_reused),
     ON_FRAGMENTS, false},
    {'i', "i", "all links extracted", OPERATION(links), ON_PAGES, false},
    {'l', "l", "tree with parse errors and positions", OPERATION(checked), ON_PAGES, false},
    {'m', "m", "builds of Lanner, document reused", OPERATION(tree_reused), ON_PAGES, true},
};

static bool takes_part(const struct row *row, const struct entrant *entrant) {
  if (operation_at(entrant->of, row->operation) == NULL) return false;
  if (!row->variants) return !entrant->variant;
  return entrant->variant || strcmp(entrant->label, "lanner") == 0 ||
         strcmp(entrant->label, "lexbor") == 0;
}

/* The documents at the beginning of a contestant's turn, untimed: the contestant before has taken the
 * caches, and what it costs to get its own code and tables back is none of the pages' that come first.
 * They are no pages of the set, so that no page is warm. */
#define FIRST_DOCUMENTS 300

/* A contestant's part of a row, for its process. */
struct part {
  const struct setup *setup;
  const struct entrant *entrant;
  contestant_operation operation;
  const page_set *set;
  bool raw;
  double cost; /* of reading the clock */
  struct result *result;
};

static void begin_part(void *context) {
  struct part *part = context;
  if (!part->setup->kept_heap && !worker_heap_is_fresh())
    fail("the heap of a contestant's process was used before");
  part->result->self = must(part->entrant->of->open());
}
static void end_part(void *context) {
  struct part *part = context;
  part->entrant->of->close(part->result->self);
}
static void do_round(void *context) {
  struct part *part = context;
  struct result *result = part->result;
  if (result->pages != NULL) {
    run_plain(result, part->operation, &part->setup->first);
    result->last = run_by_page(result, part->operation, part->set, part->raw, part->cost);
  } else {
    result->last = run_plain(result, part->operation, part->set);
  }
}

static void run_row(const struct setup *setup, const struct row *row) {
  const page_set *set = row->set == ON_SMALL       ? &setup->small
                        : row->set == ON_FRAGMENTS ? &setup->fragments
                                                   : &setup->pages;
  bool raw = row->set == ON_RAW_PAGES, by_page = raw || row->set == ON_PAGES;
  double cost = clock_cost();
  struct result *results = worker_memory(MAX_ENTRANTS * sizeof *results);
  struct worker workers[MAX_ENTRANTS] = {0};
  for (size_t i = 0; i < setup->count; i++) {
    const struct entrant *entrant = &setup->entrants[i];
    if (!takes_part(row, entrant)) continue;
    if (by_page) results[i].pages = worker_memory(set->count * sizeof(double));
    results[i].takes_part = true;
    struct part part = {setup, entrant,    operation_at(entrant->of, row->operation), set, raw,
                        cost,  &results[i]};
    worker_start(&workers[i], begin_part, do_round, end_part, &part); /* the child has its copy */
  }
  for (unsigned round = 0; round < setup->rounds; round++) {
    for (size_t k = 0; k < setup->count; k++) {
      size_t i = (k + round) % setup->count;
      struct result *result = &results[i];
      if (!result->takes_part ||
          (result->rounds >= MINIMUM_ROUNDS && result->spent > setup->budget))
        continue;
      progress(setup, row->key, round, setup->rounds, setup->entrants[i].label);
      if (!worker_turn(&workers[i]))
        fail("%s ended in row (%s)", setup->entrants[i].label, row->key);
      if (result->rounds == 0 || result->last < result->best) result->best = result->last;
      result->spent += result->last;
      result->rounds++;
    }
  }
  printf(",\n    {\"row\": \"%s\", \"title\": ", row->key);
  print_string(row->title);
  printf(", \"pages\": %zu, \"bytes\": %llu, \"results\": [", set->count,
         (unsigned long long)(raw ? set->raw_bytes : set->bytes));
  bool first = true;
  for (size_t i = 0; i < setup->count; i++) {
    if (!results[i].takes_part) continue;
    print_result(&setup->entrants[i], &results[i], set, first);
    first = false;
    if (!worker_end(&workers[i]))
      fail("%s ended badly after row (%s)", setup->entrants[i].label, row->key);
    if (by_page) worker_memory_free(results[i].pages, set->count * sizeof(double));
  }
  worker_memory_free(results, MAX_ENTRANTS * sizeof *results);
  fputs("]}", stdout);
}

/* --- memcpy: each page once, in order, into one buffer of the largest page's size -------------- */

static double copy_set(const page_set *set, char *buffer) {
  double start = used();
  for (size_t i = 0; i < set->count; i++) {
    memcpy(buffer, set->pages[i].data, set->pages[i].length);
    __asm__ volatile("" : : "r"(buffer) : "memory");
  }
  return used() - start;
}

static void run_memcpy(const struct setup *setup) {
  char *buffer = worker_memory(setup->pages.longest);
  double best = 0;
  for (unsigned round = 0; round < setup->rounds + 10; round++) {
    double seconds = copy_set(&setup->pages, buffer);
    if (round == 0 || seconds < best) best = seconds;
  }
  worker_memory_free(buffer, setup->pages.longest);
  printf(",\n    {\"row\": \"memcpy\", \"title\": \"each page copied once into one buffer\", "
         "\"pages\": %zu, \"bytes\": %llu, "
         "\"results\": [{\"name\": \"memcpy\", \"seconds\": %.9f}]}",
         setup->pages.count, (unsigned long long)setup->pages.bytes, best);
}

/* --- (j) memory -------------------------------------------------------------------------------- */

struct heapcount {
  int64_t (*live)(void), (*peak)(void);
  void (*mark)(void);
};

static bool find_heapcount(struct heapcount *count) {
  *(void **)&count->live = dlsym(RTLD_DEFAULT, "heapcount_live");
  *(void **)&count->peak = dlsym(RTLD_DEFAULT, "heapcount_peak");
  *(void **)&count->mark = dlsym(RTLD_DEFAULT, "heapcount_mark");
  return count->live != NULL && count->peak != NULL && count->mark != NULL;
}

static void run_memory(const struct setup *setup) {
  struct heapcount count;
  if (!find_heapcount(&count)) return;
  printf(",\n    {\"row\": \"j\", \"title\": \"heap bytes of a document\", \"pages\": %zu, "
         "\"bytes\": %llu, \"results\": [",
         setup->pages.count, (unsigned long long)setup->pages.bytes);
  bool first = true;
  for (size_t i = 0; i < setup->count; i++) {
    const struct entrant *entrant = &setup->entrants[i];
    if (entrant->of->hold == NULL || entrant->variant) continue;
    void *self = must(entrant->of->open());
    int64_t held = 0, peak = 0;
    double worst = 0;
    for (size_t p = 0; p < setup->pages.count; p++) {
      const bench_page *page = &setup->pages.pages[p];
      progress(setup, "j", (unsigned)p, (unsigned)setup->pages.count, entrant->label);
      int64_t before = count.live();
      count.mark();
      void *document = entrant->of->hold(self, page->data, page->length);
      if (document == NULL) continue;
      int64_t page_held = count.live() - before;
      held += page_held;
      peak += count.peak() - before;
      if (page->length >= 8192 && (double)page_held / (double)page->length > worst)
        worst = (double)page_held / (double)page->length;
      entrant->of->drop(self, document);
    }
    entrant->of->close(self);
    printf("%s\n      {\"name\": ", first ? "" : ",");
    print_string(entrant->label);
    printf(", \"held\": %lld, \"peak\": %lld, \"worst\": %.4f}", (long long)held, (long long)peak,
           worst);
    first = false;
  }
  fputs("]}", stdout);
}

/* --- (k) threads ------------------------------------------------------------------------------- */

struct crew {
  const page_set *set;
  const contestant *of;
  size_t tasks;       /* the set, as often as it takes to be measured */
  atomic_size_t next; /* task to take */
  pthread_barrier_t barrier;
};

static void *thread_of_crew(void *context) {
  struct crew *crew = context;
  void *self = crew->of->open();
  contestant_operation operation =
      crew->of->tree_reused != NULL ? crew->of->tree_reused : crew->of->tree_new;
  tally work = {0};
  /* Twice: the first time grows what is kept. */
  for (int pass = 0; pass < 2; pass++) {
    pthread_barrier_wait(&crew->barrier);
    for (;;) {
      size_t i = atomic_fetch_add(&crew->next, 1);
      if (i >= crew->tasks) break;
      /* The largest first: else one thread would wait while the other has the last and largest. */
      const bench_page *page = &crew->set->pages[crew->set->count - 1 - i % crew->set->count];
      if (self != NULL) operation(self, page->data, page->length, &work);
    }
    pthread_barrier_wait(&crew->barrier);
  }
  if (self != NULL) crew->of->close(self);
  return NULL;
}

static double crew_seconds(const page_set *set, const contestant *of, unsigned threads) {
  struct crew crew = {.set = set, .of = of};
  pthread_t ids[2];
  if (pthread_barrier_init(&crew.barrier, NULL, threads + 1) != 0) fail("pthread_barrier_init");
  for (unsigned i = 0; i < threads; i++)
    if (pthread_create(&ids[i], NULL, thread_of_crew, &crew) != 0) fail("pthread_create");
  double seconds = 0;
  size_t times = 1;
  for (int pass = 0; pass < 2; pass++) {
    atomic_store(&crew.next, 0);
    /* A tenth of a second, so that neither beginning nor end counts. */
    while (pass && times < 10 && (double)times * seconds < 0.1) times++;
    crew.tasks = times * set->count;
    pthread_barrier_wait(&crew.barrier);
    double start = now();
    pthread_barrier_wait(&crew.barrier);
    seconds = now() - start;
  }
  seconds /= (double)times;
  for (unsigned i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  pthread_barrier_destroy(&crew.barrier);
  return seconds;
}

struct crew_part {
  const page_set *set;
  const contestant *of;
  unsigned threads;
  double seconds;
};
static void do_crew(void *context) {
  struct crew_part *part = context;
  part->seconds = crew_seconds(part->set, part->of, part->threads);
}
static double run_crew(struct crew_part *part, const page_set *set, const struct entrant *entrant,
                       unsigned threads) {
  *part = (struct crew_part){set, entrant->of, threads, 0};
  if (!worker_once(do_crew, part)) fail("%s ended in row (k)", entrant->label);
  return part->seconds;
}

/* COUNT processes, each copying the set several times; the seconds from the common start to the last. */
static double run_copiers(const page_set *set, unsigned count) {
  pthread_barrier_t *barrier =
      mmap(NULL, sizeof *barrier, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrierattr_t shared;
  if (barrier == MAP_FAILED || pthread_barrierattr_init(&shared) != 0 ||
      pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED) != 0 ||
      pthread_barrier_init(barrier, &shared, count + 1) != 0)
    fail("no shared barrier");
  fflush(stdout);
  for (unsigned i = 0; i < count; i++) {
    pid_t child = fork();
    if (child < 0) fail("fork: %s", strerror(errno));
    if (child != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* not for longer than the runner */
    char *buffer = malloc(set->longest);
    if (buffer != NULL) copy_set(set, buffer);
    pthread_barrier_wait(barrier);
    if (buffer != NULL)
      for (int pass = 0; pass < 10; pass++) copy_set(set, buffer);
    pthread_barrier_wait(barrier);
    _exit(0);
  }
  pthread_barrier_wait(barrier);
  double start = now();
  pthread_barrier_wait(barrier);
  double seconds = (now() - start) / 10;
  while (wait(NULL) > 0) {
  }
  munmap(barrier, sizeof *barrier);
  return seconds;
}

/* Of one entrant: seconds by round, with one thread and with two. */
struct rounds {
  double *one, *two;
  size_t count;
};

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
/* The clock on the wall may jump, so that the best round would be none. */
static double median(double *values, size_t count) {
  qsort(values, count, sizeof *values, by_value);
  return values[count / 2];
}

/* A row of (k): medians, the scaling's too, round by round: TASKS with two threads in the time of one. */
static void print_rounds(struct rounds *r, double tasks) {
  double *scaling = must(malloc(r->count * sizeof *scaling));
  for (size_t i = 0; i < r->count; i++) scaling[i] = tasks * r->one[i] / r->two[i];
  printf(", \"one\": %.9f, \"two\": %.9f, \"scaling\": %.4f}", median(r->one, r->count),
         median(r->two, r->count), median(scaling, r->count));
  free(scaling);
  free(r->one);
  free(r->two);
}

static void run_threads(const struct setup *setup) {
  static struct rounds taken[MAX_ENTRANTS + 1];
  double spent[MAX_ENTRANTS] = {0};
  struct crew_part *part = worker_memory(sizeof *part);
  for (size_t i = 0; i <= MAX_ENTRANTS; i++) {
    taken[i].one = must(malloc(setup->rounds * sizeof(double)));
    taken[i].two = must(malloc(setup->rounds * sizeof(double)));
    taken[i].count = 0;
  }
  for (unsigned round = 0; round < setup->rounds; round++) {
    struct rounds *copies = &taken[MAX_ENTRANTS];
    copies->one[round] = run_copiers(&setup->pages, 1);
    copies->two[round] = run_copiers(&setup->pages, 2);
    copies->count++;
    for (size_t i = 0; i < setup->count; i++) {
      const contestant *of = setup->entrants[i].of;
      if (setup->entrants[i].variant || (of->tree_reused == NULL && of->tree_new == NULL)) continue;
      if (round >= MINIMUM_ROUNDS && spent[i] > setup->budget) continue;
      progress(setup, "k", round, setup->rounds, setup->entrants[i].label);
      double start = now();
      taken[i].one[taken[i].count] = run_crew(part, &setup->pages, &setup->entrants[i], 1);
      taken[i].two[taken[i].count++] = run_crew(part, &setup->pages, &setup->entrants[i], 2);
      spent[i] += now() - start;
    }
  }
  worker_memory_free(part, sizeof *part);
  printf(",\n    {\"row\": \"k\", \"title\": \"two threads, one page each at a time\", \"pages\": "
         "%zu, \"bytes\": %llu, \"results\": [",
         setup->pages.count, (unsigned long long)setup->pages.bytes);
  printf("\n      {\"name\": \"memcpy\"");
  print_rounds(&taken[MAX_ENTRANTS], 2);
  for (size_t i = 0; i < setup->count; i++) {
    if (taken[i].count == 0) continue;
    fputs(",\n      {\"name\": ", stdout);
    print_string(setup->entrants[i].label);
    print_rounds(&taken[i], 1);
  }
  fputs("]}", stdout);
}

/* --- start ------------------------------------------------------------------------------------- */

static void load_plugin(struct setup *setup, const char *argument, bool variant) {
  const char *equals = strchr(argument, '='), *path = equals == NULL ? argument : equals + 1;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fail("%s", dlerror());
  const contestant *(*at)(uint32_t);
  *(void **)&at = dlsym(library, "contestant_at");
  if (at == NULL) fail("%s: not a contestant", path);
  const contestant *of;
  for (uint32_t index = 0; (of = at(index)) != NULL; index++) {
    if (of->abi != CONTESTANT_ABI) fail("%s: built against another contestant.h", path);
    if (setup->count == MAX_ENTRANTS) fail("too many contestants");
    struct entrant *entrant = &setup->entrants[setup->count++];
    entrant->of = of;
    entrant->variant = variant;
    entrant->label = of->name;
    if (equals != NULL) {
      char *label = must(strndup(argument, (size_t)(equals - argument)));
      entrant->label = label;
    }
  }
}

/* Keeps freed memory in the process: lexbor's figure moves by a third with it. */
static const char kept_heap[] =
    "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967296";

static void keep_heap(char **arguments) {
  const char *set = getenv("GLIBC_TUNABLES");
  if (set != NULL && strcmp(set, kept_heap) == 0) return;
  setenv("GLIBC_TUNABLES", kept_heap, 1);
  execv("/proc/self/exe", arguments);
  fail("cannot start again: %s", strerror(errno));
}

static const char usage[] =
    "usage: runner [OPTIONS] [LABEL=]PLUGIN.so...\n"
    "  --pages DIR      the real pages\n"
    "  --rows LETTERS   default abcdefghiklm; j needs the preloaded counter\n"
    "  --rounds N       default 20\n"
    "  --budget S       seconds a contestant may use in a row after three rounds, default 6\n"
    "  --small N        small pages and fragments in (g) and (h), default 100000\n"
    "  --step N         every Nth page only\n"
    "  --kept-heap      start again with a heap that keeps freed memory\n"
    "  --variant [LABEL=]PLUGIN.so   takes part in row (m) only\n";

/* What there is to load, for the process that does it: the runner's own heap stays as it was. */
struct loading {
  const char *directory;
  size_t small, step;
  struct setup *setup;
  page_set pages, small_pages, fragments, first; /* shared */
  bool good;
};
static void load(void *context) {
  struct loading *l = context;
  const char *letters = l->setup->rows;
  if (!pages_load(&l->pages, l->directory, l->step)) return;
  if (!pages_cut_small(&l->first, &l->pages, FIRST_DOCUMENTS) ||
      (strchr(letters, 'g') != NULL && !pages_cut_small(&l->small_pages, &l->pages, l->small)) ||
      (strchr(letters, 'h') != NULL && !pages_cut_fragments(&l->fragments, &l->pages, l->small)))
    fail("cannot cut pages: %s has too few or too large ones", l->directory);
  l->good = true;
}
static bool load_pages(struct setup *setup, const char *directory, size_t small, size_t step) {
  struct loading *l = worker_memory(sizeof *l);
  *l = (struct loading){.directory = directory, .small = small, .step = step, .setup = setup};
  if (!pages_reserve((size_t)8 << 30)) fail("no room for pages: %s", strerror(errno));
  bool good = worker_once(load, l) && l->good;
  setup->pages = l->pages;
  setup->small = l->small_pages;
  setup->fragments = l->fragments;
  setup->first = l->first;
  worker_memory_free(l, sizeof *l);
  return good;
}

int main(int count, char **arguments) {
  static struct setup setup = {.rows = "abcdefghiklm", .rounds = 20, .budget = 6};
  const char *directory = NULL;
  size_t small = 100000, step = 1;
  for (int i = 1; i < count; i++) {
    const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
    if (name[0] != '-') {
      load_plugin(&setup, name, false);
      continue;
    }
    if (strcmp(name, "--kept-heap") == 0) {
      keep_heap(arguments);
      setup.kept_heap = true;
      continue;
    }
    if (value == NULL) {
      fputs(usage, stderr);
      return 2;
    }
    i++;
    if (strcmp(name, "--pages") == 0)
      directory = value;
    else if (strcmp(name, "--rows") == 0)
      setup.rows = value;
    else if (strcmp(name, "--rounds") == 0)
      setup.rounds = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(name, "--budget") == 0)
      setup.budget = strtod(value, NULL);
    else if (strcmp(name, "--small") == 0)
      small = strtoul(value, NULL, 10);
    else if (strcmp(name, "--step") == 0)
      step = strtoul(value, NULL, 10);
    else if (strcmp(name, "--variant") == 0)
      load_plugin(&setup, value, true);
    else {
      fputs(usage, stderr);
      return 2;
    }
  }
  if (directory == NULL || setup.count == 0 || setup.rounds == 0 || step == 0) {
    fputs(usage, stderr);
    return 2;
  }
  setup.progress = isatty(STDERR_FILENO) == 1;
  if (!load_pages(&setup, directory, small, step)) return 1;

  printf("{\"heap\": \"%s\", \"pages\": %zu, \"bytes\": %llu, \"converted\": %zu,\n  "
         "\"contestants\": [",
         setup.kept_heap ? "kept" : "default", setup.pages.count,
         (unsigned long long)setup.pages.bytes, setup.pages.converted);
  for (size_t i = 0; i < setup.count; i++) {
    const struct entrant *entrant = &setup.entrants[i];
    printf("%s\n    {\"name\": ", i == 0 ? "" : ",");
    print_string(entrant->label);
    fputs(", \"version\": ", stdout);
    print_string(entrant->of->version);
    fputs(", \"note\": ", stdout);
    print_string(entrant->of->note);
    printf(", \"variant\": %s}", entrant->variant ? "true" : "false");
  }
  fputs("],\n  \"groups\": [", stdout);
  for (unsigned g = 0; g < GROUP_COUNT; g++) {
    uint64_t bytes = 0, raw = 0;
    size_t members = 0;
    for (size_t i = 0; i < setup.pages.count; i++) {
      if ((setup.pages.pages[i].groups >> g & 1) == 0) continue;
      members++;
      bytes += setup.pages.pages[i].length;
      raw += setup.pages.pages[i].raw_length;
    }
    printf("%s\n    {\"name\": \"%s\", \"rule\": \"%s\", \"pages\": %zu, \"bytes\": %llu, "
           "\"raw_bytes\": %llu}",
           g == 0 ? "" : ",", group_names[g], group_rules[g], members, (unsigned long long)bytes,
           (unsigned long long)raw);
  }
  fputs("],\n  \"page_names\": [", stdout);
  for (size_t i = 0; i < setup.pages.count; i++) {
    fputs(i == 0 ? "" : ", ", stdout);
    print_string(setup.pages.pages[i].name);
  }
  fputs("],\n  \"page_bytes\": [", stdout);
  for (size_t i = 0; i < setup.pages.count; i++)
    printf("%s%zu", i == 0 ? "" : ", ", setup.pages.pages[i].length);
  fputs("],\n  \"rows\": [\n    {\"row\": \"\", \"results\": []}", stdout);
  run_memcpy(&setup);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strchr(setup.rows, rows[i].letter) != NULL) run_row(&setup, &rows[i]);
    fflush(stdout);
  }
  if (strchr(setup.rows, 'j') != NULL) run_memory(&setup);
  if (strchr(setup.rows, 'k') != NULL) run_threads(&setup);
  fputs("\n  ]\n}\n", stdout);
  if (setup.progress) fputs("\r\033[K", stderr);
  return 0;
}
