#define _GNU_SOURCE
#include "worker.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(2);
}

void *worker_memory(size_t size) {
  void *memory =
      mmap(NULL, size + !size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("runner: shared memory");
  return memory;
}

void worker_memory_free(void *memory, size_t size) { munmap(memory, size + !size); }

/* The child's life: a byte a turn comes in, one goes out when it is done; 'e' is the last. */
static void serve(int from, int to, worker_action *begin, worker_action *turn, worker_action *end,
                  void *context) {
  char order;
  if (begin != NULL) begin(context);
  while (read(from, &order, 1) == 1 && order == 't') {
    turn(context);
    if (write(to, &order, 1) != 1) break;
  }
  if (end != NULL) end(context);
  exit(0); /* not _exit: a build that counts for a profile writes it now */
}

void worker_start(struct worker *worker, worker_action *begin, worker_action *turn,
                  worker_action *end, void *context) {
  int orders[2], answers[2];
  if (pipe(orders) != 0 || pipe(answers) != 0) fail("runner: pipe");
  signal(SIGPIPE, SIG_IGN); /* a child that is gone is told by worker_turn */
  fflush(NULL);             /* else the child would print it again */
  pid_t runner = getpid(), child = fork();
  if (child < 0) fail("runner: fork");
  if (child == 0) {
    /* Not for longer than the runner. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != runner) _exit(1);
    close(orders[1]);
    close(answers[0]);
    /* What a parser prints is no part of the runner's JSON. */
    if (freopen("/dev/null", "w", stdout) == NULL) _exit(1);
    serve(orders[0], answers[1], begin, turn, end, context);
  }
  close(orders[0]);
  close(answers[1]);
  *worker = (struct worker){child, orders[1], answers[0]};
}

bool worker_turn(struct worker *worker) {
  char order = 't';
  return write(worker->to, &order, 1) == 1 && read(worker->from, &order, 1) == 1;
}

bool worker_end(struct worker *worker) {
  int status = 0;
  if (worker->pid == 0) return true;
  (void)!write(worker->to, "e", 1);
  close(worker->to);
  close(worker->from);
  bool ended = waitpid(worker->pid, &status, 0) == worker->pid;
  worker->pid = 0;
  return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool worker_once(worker_action *action, void *context) {
  struct worker worker;
  worker_start(&worker, NULL, action, NULL, context);
  bool good = worker_turn(&worker);
  return worker_end(&worker) && good;
}

bool worker_heap_is_fresh(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  size_t before = mallinfo2().hblks;
  void *volatile block = malloc((size_t)128 << 10);
  return block != NULL && mallinfo2().hblks == before + 1;
#else
  return true;
#endif
}
