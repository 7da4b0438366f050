/* decode.c - `lanner decode`: the text of a file as UTF-8.
 *
 * The encoding is the one that `lanner encoding` tells, so the page is parsed first. What is
 * written is the whole text, markup and newlines as they stand, without a byte order mark.
 */
#include <string.h>

#include "commands.h"
#include "lanner_encoding.h"
#include "output.h"
#include "page.h"

static void write_decoded(lanner_encoding encoding, const char *bytes, size_t length) {
  char text[1 << 14];
  lanner_decoder decoder;
  lanner_decoder_init(&decoder, encoding, LANNER_BOM_SNIFF, 0);
  lanner_decode_status status;
  do {
    size_t consumed = 0, written = 0;
    status = lanner_decode(&decoder, bytes, length, &consumed, text, sizeof text, &written, true);
    cli_output_write(&cli_stdout, text, written);
    bytes += consumed;
    length -= consumed;
  } while (status == LANNER_DECODE_FULL && !cli_stdout.failed);
}

static int decode_file(void *context, const cli_settings *settings, const cli_file *file,
                       lanner_document *document) {
  (void)context;
  int status;
  if (!cli_parse_page(document, settings, file, 0, &status)) return status;
  const char *name = lanner_document_encoding(document);
  uint64_t most = settings->parse.limits.input;
  size_t length = most > 0 && file->length > most ? (size_t)most : file->length;
  write_decoded(lanner_encoding_for_label(name, strlen(name)), file->bytes, length);
  return status;
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_settings settings;
  int status;
  if (!cli_parse_options(command, argc, argv, NULL, 0, 0, &settings, &status)) return status;
  return cli_each_page(&settings, decode_file, NULL);
}

const cli_command cli_command_decode = {
    .name = "decode",
    .arguments = "FILE...",
    .summary = "Write the text of a page as UTF-8",
    .details =
        "The encoding is found as 'lanner encoding' finds it. Malformed bytes become U+FFFD.",
    .run = run,
};
