/* input.c - the input room in one piece. Its parts stand in the order in which they need each
 * other, which is not the alphabet's. */
#include "input/input.h"

#include "encodings.inc"

/* clang-format off */
#include "input/bytes.h"
#include "input/check.c"
#include "input/newlines.c"

#include "input/labels.c"
#include "input/decode_utf.c"
#include "input/decode_single.c"
#include "input/decode_multi.c"
#include "input/decode_2022.c"
#include "input/decoder.c"
#include "input/encoder.c"
#include "input/sniff.c"
#include "input/map.c"
#include "input/stream.c"
/* clang-format on */
