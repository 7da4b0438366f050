/* table.h - the one list of all tests: LANNER_TESTS(X) expands X(group, name) for each; the body is
 * test_GROUP_NAME(void). Suites from the shared test data first come in their own groups, so that
 * `plain regress api` is what a checkout alone can run. */
#ifndef LANNER_TEST_TABLE_H
#define LANNER_TEST_TABLE_H

#define LANNER_TESTS(X)                 \
  X(api, texts)                         \
  X(api, arguments)                     \
  X(api, states)                        \
  X(api, reuse)                         \
  X(api, input_not_kept)                \
  X(api, neutral)                       \
  X(api, reading)                       \
  X(api, reading_between_feeds)         \
  X(api, flags)                         \
  X(api, mutation)                      \
  X(api, shared_attributes)             \
  X(api, serialize)                     \
  X(api, token_callbacks)               \
  X(api, token_insertion)               \
  X(api, token_states)                  \
  X(api, token_arguments)               \
  X(api, token_memory)                  \
  X(api, deep_nesting)                  \
  X(api, threads)                       \
  X(memory, failing_documents)          \
  X(memory, failing_tokenizers)         \
  X(memory, failing_changes)            \
  X(memory, accounting)                 \
  X(memory, warm)                       \
  X(limits, depth)                      \
  X(limits, depth_default)              \
  X(limits, attributes)                 \
  X(limits, errors)                     \
  X(limits, nodes)                      \
  X(limits, memory)                     \
  X(limits, input)                      \
  X(limits, off)                        \
  X(limits, square)                     \
  X(errors, codes)                      \
  X(errors, conforming)                 \
  X(errors, nonconforming)              \
  X(errors, trailing_solidus)           \
  X(regress, tokenizer)                 \
  X(regress, tree_whole)                \
  X(regress, tree_bytes)                \
  X(regress, tree_cuts)                 \
  X(regress, tree_tokens)               \
  X(tokenizer, suite_whole)             \
  X(tokenizer, suite_bytes)             \
  X(tokenizer, suite_cuts)              \
  X(tokenizer, suite_segments)          \
  X(tokenizer, processing_instructions) \
  X(tokenizer, error_samples)           \
  X(tree, suites_whole)                 \
  X(tree, suites_bytes)                 \
  X(tree, suites_cuts)                  \
  X(tree, suites_tokens)                \
  X(tree, derived)                      \
  X(tree, error_counts)                 \
  X(tree, browser_whole)                \
  X(tree, browser_bytes)                \
  X(tree, browser_cuts)                 \
  X(tree, browser_tokens)               \
  X(tree, template_for)                 \
  X(tree, template_for_fragments)       \
  X(tree, declarative_shadow)           \
  X(tree, quirks)                       \
  X(tree, serialization)                \
  X(tree, round_trip)                   \
  X(tree, shared_cases)                 \
  X(corpus, tokens)                     \
  X(corpus, trees)                      \
  X(corpus, exact_tokens)               \
  X(corpus, memory)                     \
  X(corpus, browser_trees)              \
  X(cli, outputs)                       \
  X(cli, tokens)                        \
  X(cli, errors)                        \
  X(cli, failures)                      \
  X(cli, unreadable)                    \
  X(cli, full_disk)                     \
  X(cli, broken_pipe)                   \
  X(cli, limits)                        \
  X(cli, encoding)                      \
  X(cli, bench)

#endif
