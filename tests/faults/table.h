/* faults/table.h - tests with planted faults, for run.sh: each but the first must turn a run red. */
#ifndef LANNER_FAULTS_TABLE_H
#define LANNER_FAULTS_TABLE_H

#define LANNER_TESTS(X)                                                                            \
  X(fault, none)                                                                                   \
  X(fault, leak)                                                                                   \
  X(fault, read)                                                                                   \
  X(fault, shift)                                                                                  \
  X(fault, check)                                                                                  \
  X(fault, nothing)                                                                                \
  X(fault, missing)

#endif
