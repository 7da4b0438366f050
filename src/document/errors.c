/* errors.c - names of parse errors and of statuses. */
#include "document/store.h"

const char *lanner_error_name(uint16_t code) { return code < ERROR_COUNT ? error_names[code] : ""; }

bool lanner_error_is_standard(uint16_t code) { return code && code <= LAST_STANDARD_ERROR; }

const char *lanner_status_text(lanner_status status) {
  switch (status) {
  case LANNER_OK: return "no error";
  case LANNER_ERROR_MEMORY: return "out of memory";
  case LANNER_ERROR_LIMIT: return "a limit on nodes, memory or input stopped the parse";
  case LANNER_ERROR_ARGUMENT: return "an unsuitable argument";
  case LANNER_ERROR_STATE: return "a call that does not fit here";
  case LANNER_ERROR_ENCODING: return "an unknown encoding label";
  case LANNER_ERROR_TOO_LARGE: return "the input is too large for one document";
  case LANNER_STOPPED: return "stopped by a callback";
  }
  return "unknown status";
}

const char *lanner_simd(void) { return SIMD_NAME; }
