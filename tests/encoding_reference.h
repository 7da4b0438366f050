/* encoding_reference.h - slow decoders to compare with: the Encoding Standard's algorithms byte by
 * byte, over its own index files. They share nothing with the library. */
#ifndef LANNER_TEST_ENCODING_REFERENCE_H
#define LANNER_TEST_ENCODING_REFERENCE_H

#include "support.h"

/* The index NAME ("big5") as code points by pointer, 0 for none; *COUNT pointers. NULL when the
 * shared data is missing. Kept for the next call; reference_free gives all of them back. */
const uint32_t *reference_index(const char *name, size_t *count);
void reference_free(void);

/* Appends what BYTES decode to in the encoding with NAME, without byte order marks. False when the
 * shared data is missing. */
bool reference_decode(const char *name, const unsigned char *bytes, size_t length,
                      struct bytes *out);

#endif
