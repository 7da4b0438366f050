/* worker.h - processes that work when they are told to.
 *
 * A contestant runs each row in a process of its own, forked from the runner, which allocates next to
 * nothing: so it meets the heap that a program's own parser meets. In one process all would share the
 * thresholds of glibc's malloc, which rise for good with the largest block that anybody frees; then
 * nobody's blocks go back to the kernel any more, and "the heap as it is" would be a kept one.
 */
#ifndef LANNER_BENCH_WORKER_H
#define LANNER_BENCH_WORKER_H

#include <stdbool.h>
#include <stddef.h>

struct worker {
  int pid; /* 0: not started */
  int to, from;
};

typedef void worker_action(void *context);

/* Zeroed memory that forked processes share with this one; ends the program when there is none. */
void *worker_memory(size_t size);
void worker_memory_free(void *memory, size_t size);

/* Forks. BEGIN runs in the child at once, TURN at each worker_turn, END at worker_end; all get CONTEXT,
 * and what they say, they say through memory that is shared; what they print goes nowhere. BEGIN and END
 * may be NULL. Ends the program when it cannot fork. */
void worker_start(struct worker *worker, worker_action *begin, worker_action *turn,
                  worker_action *end, void *context);

/* One turn, waited for. False: the process has ended, which is none of its rights. */
bool worker_turn(struct worker *worker);

/* The last; waits for the process to end. Nothing if it was not started. False: it ended otherwise than by
 * itself and well. */
bool worker_end(struct worker *worker);

/* ACTION in a process that is there for nothing else. False: it ended otherwise than by returning. */
bool worker_once(worker_action *action, void *context);

/* Whether the process's heap gives blocks of 128 KB back to the kernel, as glibc's does at the start of
 * a program. Takes one that is never freed. */
bool worker_heap_is_fresh(void);

#endif
