/* input.c - the input room in one piece, in the order in which its parts need each other. */
#include "input/input.h"

#include "encodings.inc"

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
#include "input/stream.c"
