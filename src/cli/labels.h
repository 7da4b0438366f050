/* labels.h - encoding labels on the command line, and guessing an encoding.
 *
 * Nothing is guessed silently: an unknown label of --encoding is an error that lists near matches,
 * one of --transport is said to be ignored (as the Standard asks for).
 */
#ifndef LANNER_CLI_LABELS_H
#define LANNER_CLI_LABELS_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

/* This program can ask a detector. */
bool cli_guess_built_in(void);

/* Checks --encoding, --transport and --guess. False after a message. */
bool cli_check_labels(cli_settings *settings);

/* The name of the encoding that a detector finds in BYTES; NULL when the page or the settings name
 * one, when it finds none, or when this program was built without a detector. Static storage. */
const char *cli_guess_encoding(const cli_settings *settings, const char *bytes, size_t length);

#endif
