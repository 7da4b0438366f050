/* labels.c - checks encoding labels, and asks a detector about pages that declare nothing.
 *
 * The library guesses nothing by statistics. The command can: with uchardet, when it was built in
 * (LANNER_HAVE_UCHARDET), and only for pages whose own words do not settle the matter.
 */
#include "labels.h"

#include <stdio.h>
#include <string.h>

#include "lanner_encoding.h"
#include "message.h"

#ifdef LANNER_HAVE_UCHARDET
#include <uchardet/uchardet.h>
#endif

static void say_unknown(const char *option, const char *label, const char *effect) {
  const char *names[3];
  size_t count = lanner_encoding_suggest(label, strlen(label), names, 3);
  char text[256] = "";
  size_t used = 0;
  for (size_t i = 0; i < count && used < sizeof text; i++) {
    const char *joint = i == 0 ? "; near it: " : ", ";
    int printed = snprintf(text + used, sizeof text - used, "%s%s", joint, names[i]);
    used += printed < 0 ? sizeof text : (size_t)printed;
  }
  cli_message("--%s: unknown encoding label '%s'%s%s", option, label, effect, text);
}

static lanner_encoding for_label(const char *label) {
  return lanner_encoding_for_label(label, strlen(label));
}

bool cli_guess_built_in(void) {
#ifdef LANNER_HAVE_UCHARDET
  return true;
#else
  return false;
#endif
}

bool cli_check_labels(cli_settings *settings) {
  lanner_options *parse = &settings->parse;
  if (parse->encoding != NULL && for_label(parse->encoding) == LANNER_ENCODING_NONE) {
    say_unknown("encoding", parse->encoding, "");
    return false;
  }
  if (parse->transport != NULL && for_label(parse->transport) == LANNER_ENCODING_NONE) {
    /* A whole Content-Type value is taken too. */
    lanner_encoding encoding =
        lanner_encoding_for_content_type(parse->transport, strlen(parse->transport));
    if (encoding == LANNER_ENCODING_NONE)
      say_unknown("transport", parse->transport, " (ignored, as the Standard says)");
    parse->transport = lanner_encoding_name(encoding);
  }
  if (settings->guess && !cli_guess_built_in()) {
    cli_message("--guess: this lanner was built without a detector (uchardet)");
    return false;
  }
  return true;
}

#ifdef LANNER_HAVE_UCHARDET
/* The detector's name for what it found, as a web encoding. It says ASCII of bytes that any
 * encoding would do for: that is no finding. */
static const char *detect(const char *bytes, size_t length) {
  enum { ENOUGH = 1 << 20 };
  uchardet_t detector = uchardet_new();
  if (detector == NULL) return NULL;
  lanner_encoding encoding = LANNER_ENCODING_NONE;
  if (uchardet_handle_data(detector, bytes, length < ENOUGH ? length : ENOUGH) == 0) {
    uchardet_data_end(detector);
    const char *found = uchardet_get_charset(detector);
    if (strcmp(found, "MAC-CYRILLIC") == 0) found = "x-mac-cyrillic";
    if (strcmp(found, "UHC") == 0) found = "euc-kr";
    if (strcmp(found, "ASCII") != 0) encoding = for_label(found);
  }
  uchardet_delete(detector);
  return lanner_encoding_name(encoding);
}
#endif

const char *cli_guess_encoding(const cli_settings *settings, const char *bytes, size_t length) {
#ifdef LANNER_HAVE_UCHARDET
  const lanner_options *parse = &settings->parse;
  lanner_sniff_options known;
  memset(&known, 0, sizeof known);
  if (parse->encoding != NULL) known.user = for_label(parse->encoding);
  if (parse->transport != NULL) known.transport = for_label(parse->transport);
  lanner_sniff_result found;
  lanner_sniff(bytes, length < LANNER_SNIFF_BYTES ? length : LANNER_SNIFF_BYTES, &known, &found);
  if (found.source == LANNER_SOURCE_DEFAULT) return detect(bytes, length);
#else
  (void)settings, (void)bytes, (void)length;
#endif
  return NULL;
}
