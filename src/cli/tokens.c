/* tokens.c - `lanner tokens`: the tokens of a page, one a line, as JSON in html5lib's form.
 *
 * Runs of characters that follow one another are one token, however the tokenizer cut them: a
 * string stays open until another token comes. Errors are `lanner errors`' business.
 */
#include <ctype.h>
#include <string.h>

#include "commands.h"
#include "json.h"
#include "message.h"
#include "output.h"
#include "page.h"

typedef struct token_printer {
  /* what the options say */
  const char *state, *last_start_tag, *feedback;
  bool cdata;
  uint32_t chunk;
  /* as the library wants it */
  lanner_tokenizer_options options;
  lanner_tokenizer *tokenizer;
  /* while printing */
  cli_json json;
  bool in_text; /* a ["Character","... is open */
} token_printer;

static void end_text(token_printer *printer) {
  if (!printer->in_text) return;
  printer->in_text = false;
  cli_json_close_string(&printer->json);
  cli_json_close_array(&printer->json);
  cli_json_end_line(&printer->json);
}

static void print_text(token_printer *printer, const lanner_token *token) {
  cli_json *json = &printer->json;
  if (!printer->in_text) {
    printer->in_text = true;
    cli_json_open_array(json);
    cli_json_text(json, "Character");
    cli_json_open_string(json);
  }
  cli_json_string_part(json, token->data.data, token->data.length);
}

static void print_string(cli_json *json, lanner_string string) {
  cli_json_string(json, string.data, string.length);
}

static void print_string_or_null(cli_json *json, lanner_string string, bool present) {
  if (present) {
    print_string(json, string);
  } else {
    cli_json_null(json);
  }
}

static void print_start_tag(cli_json *json, const lanner_token *token) {
  print_string(json, token->name);
  cli_json_open_object(json);
  for (uint32_t i = 0; i < token->attribute_count; i++) {
    const lanner_attribute *attribute = &token->attributes[i];
    cli_json_key_string(json, attribute->name.data, attribute->name.length);
    print_string(json, attribute->value);
  }
  cli_json_close_object(json);
  if (token->self_closing) cli_json_bool(json, true);
}

static void print_doctype(cli_json *json, const lanner_token *token) {
  print_string_or_null(json, token->name, token->has_name);
  print_string_or_null(json, token->public_id, token->public_id.data != NULL);
  print_string_or_null(json, token->system_id, token->system_id.data != NULL);
  cli_json_bool(json, !token->force_quirks);
}

static int on_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  static const char *const names[] = {
      [LANNER_TOKEN_DOCTYPE] = "DOCTYPE",
      [LANNER_TOKEN_START_TAG] = "StartTag",
      [LANNER_TOKEN_END_TAG] = "EndTag",
      [LANNER_TOKEN_COMMENT] = "Comment",
      [LANNER_TOKEN_PROCESSING_INSTRUCTION] = "ProcessingInstruction",
  };
  (void)tokenizer;
  token_printer *printer = context;
  cli_json *json = &printer->json;
  if (token->type == LANNER_TOKEN_CHARACTERS) {
    print_text(printer, token);
    return json->failed ? LANNER_STOP : LANNER_CONTINUE;
  }
  end_text(printer);
  if (token->type == LANNER_TOKEN_EOF) return LANNER_CONTINUE;
  cli_json_open_array(json);
  cli_json_text(json, names[token->type]);
  switch (token->type) {
  case LANNER_TOKEN_DOCTYPE: print_doctype(json, token); break;
  case LANNER_TOKEN_START_TAG: print_start_tag(json, token); break;
  case LANNER_TOKEN_END_TAG: print_string(json, token->name); break;
  case LANNER_TOKEN_PROCESSING_INSTRUCTION: print_string(json, token->name); /* fall through */
  case LANNER_TOKEN_COMMENT: print_string(json, token->data); break;
  case LANNER_TOKEN_CHARACTERS:
  case LANNER_TOKEN_EOF: break;
  }
  cli_json_close_array(json);
  cli_json_end_line(json);
  return json->failed ? LANNER_STOP : LANNER_CONTINUE;
}

static lanner_status tokenize(token_printer *printer, const lanner_tokenizer_options *options,
                              const char *bytes, size_t length) {
  lanner_tokenizer *tokenizer = printer->tokenizer;
  if (printer->chunk == 0) return lanner_tokenize(tokenizer, bytes, length, options);
  lanner_status status = lanner_tokenizer_begin(tokenizer, options);
  for (size_t at = 0; at < length && status == LANNER_OK;) {
    size_t piece = length - at < printer->chunk ? length - at : printer->chunk;
    status = lanner_tokenizer_feed(tokenizer, bytes + at, piece);
    at += piece;
  }
  return status == LANNER_OK ? lanner_tokenizer_end(tokenizer) : status;
}

static int print_tokens(void *context, const cli_settings *settings, const cli_file *file) {
  token_printer *printer = context;
  lanner_tokenizer_options options = printer->options;
  options.flags |= settings->parse.flags;
  if (printer->chunk == 0) options.flags |= LANNER_INPUT_PADDED;
  options.encoding = settings->parse.encoding != NULL ? settings->parse.encoding : file->guess;
  options.transport = settings->parse.transport;
  options.on_token = on_token;
  options.context = printer;
  cli_json_begin(&printer->json, cli_output_write, &cli_stdout);
  printer->in_text = false;

  int status = CLI_OK;
  size_t length = file->length;
  uint64_t most = settings->parse.limits.input;
  if (most > 0 && length > most) {
    length = (size_t)most;
    file->bytes[length] = '\0'; /* the padding begins here now */
    cli_message("%s: --max-input struck at byte %zu; the rest was not read", file->title, length);
    status = CLI_FAILED;
  }
  lanner_status result = tokenize(printer, &options, file->bytes, length);
  end_text(printer);
  if (result == LANNER_STOPPED) return CLI_FAILED;
  if (result != LANNER_OK) {
    cli_message("%s: %s", file->title, lanner_status_text(result));
    return CLI_FAILED;
  }
  if (lanner_tokenizer_approximate(printer->tokenizer))
    cli_message("%s: the tokens may differ from those of a document; --feedback exact gives those",
                file->title);
  return status;
}

/* "Script data state", "script-data": the same state. Answers false after a message. */
static bool choose_state(const char *value, lanner_tokenizer_state *state) {
  static const char *const names[] = {"data",      "rcdata",        "rawtext", "script-data",
                                      "plaintext", "cdata-section", NULL};
  static const lanner_tokenizer_state states[] = {
      LANNER_STATE_DATA,        LANNER_STATE_RCDATA,    LANNER_STATE_RAWTEXT,
      LANNER_STATE_SCRIPT_DATA, LANNER_STATE_PLAINTEXT, LANNER_STATE_CDATA_SECTION};
  char name[32];
  size_t length = 0;
  for (; value[length] != '\0' && length < sizeof name - 1; length++) {
    unsigned char c = (unsigned char)value[length];
    name[length] = c == ' ' || c == '_' ? '-' : (char)tolower(c);
  }
  name[length] = '\0';
  if (length > 6 && strcmp(name + length - 6, "-state") == 0) name[length - 6] = '\0';
  int chosen = cli_choose("state", name, names);
  if (chosen >= 0) *state = states[chosen];
  return chosen >= 0;
}

/* Turns what the options say into what the library wants. */
static bool prepare(token_printer *printer) {
  static const char *const names[] = {"simulated", "exact", "none", NULL};
  static const lanner_feedback feedbacks[] = {LANNER_FEEDBACK_SIMULATED, LANNER_FEEDBACK_EXACT,
                                              LANNER_FEEDBACK_NONE};
  lanner_tokenizer_options *options = &printer->options;
  lanner_tokenizer_options_init(options);
  if (printer->state != NULL) {
    if (!choose_state(printer->state, &options->state)) return false;
    options->feedback = LANNER_FEEDBACK_NONE;
  }
  if (printer->feedback != NULL) {
    int chosen = cli_choose("feedback", printer->feedback, names);
    if (chosen < 0) return false;
    options->feedback = feedbacks[chosen];
  }
  options->last_start_tag = printer->last_start_tag;
  options->cdata_allowed = printer->cdata;
  return true;
}

static int run(const cli_command *command, int argc, char **argv) {
  token_printer printer;
  memset(&printer, 0, sizeof printer);
  bool scripting = false;
  const cli_option own[] = {
      {"state", 0, "S",
       "start in this state: data, rcdata, rawtext, script-data, plaintext or\n"
       "cdata-section (or as html5lib writes it: 'RCDATA state')",
       CLI_TEXT, &printer.state},
      {"last-start-tag", 0, "T", "the start tag that an appropriate end tag has to match", CLI_TEXT,
       &printer.last_start_tag},
      {"feedback", 0, "F",
       "what switches states: simulated (by tag names; the default), exact\n"
       "(tree construction) or none (the default with --state)",
       CLI_TEXT, &printer.feedback},
      {"cdata", 0, NULL, "CDATA sections are allowed (with --feedback none)", CLI_FLAG,
       &printer.cdata},
      {"scripting", 0, NULL, "as with scripting: noscript holds raw text", CLI_FLAG, &scripting},
      {"chunk", 0, "N", "feed the tokenizer in pieces of N bytes", CLI_COUNT, &printer.chunk},
  };
  cli_settings settings;
  int status;
  if (!cli_parse_options(command, argc, argv, own, sizeof own / sizeof own[0], 0, &settings,
                         &status))
    return status;
  if (!prepare(&printer)) return CLI_USAGE;
  if (scripting) settings.parse.flags |= LANNER_SCRIPTING;
  printer.tokenizer = lanner_tokenizer_new(NULL);
  if (printer.tokenizer == NULL) {
    cli_message("%s", lanner_status_text(LANNER_ERROR_MEMORY));
    return CLI_FAILED;
  }
  status = cli_each_file(&settings, print_tokens, &printer);
  lanner_tokenizer_free(printer.tokenizer);
  return status;
}

const cli_command cli_command_tokens = {
    .name = "tokens",
    .arguments = "FILE...",
    .summary = "Print the tokens of a page, one a line, as JSON in the html5lib form",
    .details = "[\"DOCTYPE\", name, public, system, correct]   [\"StartTag\", name, {attributes}]\n"
               "[\"EndTag\", name]   [\"Comment\", data]   [\"Character\", data]\n"
               "[\"ProcessingInstruction\", target, data]\n"
               "A self-closing start tag has true as its last entry. No tree is built, so of the\n"
               "limits only --max-input applies.",
    .run = run,
};
