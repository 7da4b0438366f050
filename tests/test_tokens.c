/* test_tokens.c - the contract of the tokens' part of lanner.h: callbacks, pulls, text put in, states. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct token_log {
  struct recorder recorder;
  size_t tokens, errors, stop_token, stop_error;
  const char *insert;         /* put in front of the rest after a start tag "mark" */
  lanner_tokenizer_state raw; /* state to switch to after a start tag "raw" */
};

static int log_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  struct token_log *log = context;
  record_token(&log->recorder, token);
  if (token->type == LANNER_TOKEN_START_TAG && string_is(token->name, "mark") && log->insert)
    TEST_CHECK(lanner_tokenizer_insert(tokenizer, log->insert, strlen(log->insert)) == LANNER_OK);
  if (token->type == LANNER_TOKEN_START_TAG && string_is(token->name, "raw") && log->raw)
    TEST_CHECK(lanner_tokenizer_set_state(tokenizer, log->raw) == LANNER_OK);
  return ++log->tokens == log->stop_token ? LANNER_STOP : LANNER_CONTINUE;
}

static int log_error(void *context, lanner_tokenizer *tokenizer, const lanner_error *error) {
  struct token_log *log = context;
  (void)tokenizer;
  record_error(&log->recorder, error);
  return ++log->errors == log->stop_error ? LANNER_STOP : LANNER_CONTINUE;
}

static lanner_tokenizer_options logging(struct token_log *log, uint32_t flags) {
  lanner_tokenizer_options options;
  lanner_tokenizer_options_init(&options);
  memset(log, 0, sizeof *log);
  options.flags = flags;
  options.feedback = LANNER_FEEDBACK_NONE;
  options.encoding = "UTF-8";
  options.on_token = log_token;
  options.on_error = log_error;
  options.context = log;
  return options;
}

static void tokens_are(struct token_log *log, const char *expected) {
  record_finish(&log->recorder);
  TEST_CHECK_MSG(bytes_are(&log->recorder.tokens, expected, strlen(expected)),
                 "got\n%sexpected\n%s", log->recorder.tokens.data ? log->recorder.tokens.data : "",
                 expected);
}

void test_tokens_callbacks(void) {
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  struct token_log log;
  /* Stopping at a token, at an error; starting over afterwards. */
  for (uint32_t flags = 0; flags <= LANNER_ERRORS; flags += LANNER_ERRORS) {
    lanner_tokenizer_options options = logging(&log, flags);
    log.stop_token = 2;
    TEST_CHECK(lanner_tokenize(tokenizer, "<a><b><c>", 9, &options) == LANNER_STOPPED);
    tokens_are(&log, "StartTag \"a\"\nStartTag \"b\"\n");
    recorder_free(&log.recorder);
    options = logging(&log, flags);
    TEST_CHECK(lanner_tokenize(tokenizer, "<a>", 3, &options) == LANNER_OK);
    tokens_are(&log, "StartTag \"a\"\nEOF\n");
    recorder_free(&log.recorder);
  }
  lanner_tokenizer_options options = logging(&log, LANNER_ERRORS);
  log.stop_error = 1;
  TEST_CHECK(lanner_tokenize(tokenizer, "<a b b><c =>", 12, &options) == LANNER_STOPPED);
  TEST_CHECK(log.errors == 1);
  recorder_free(&log.recorder);
  /* Without LANNER_ERRORS the error handler is not called; with it all are counted. */
  options = logging(&log, 0);
  TEST_CHECK(lanner_tokenize(tokenizer, "<a b b><c =>", 12, &options) == LANNER_OK);
  TEST_CHECK(log.errors == 0);
  recorder_free(&log.recorder);
  options = logging(&log, LANNER_ERRORS);
  TEST_CHECK(lanner_tokenize(tokenizer, "<a b b><c =>", 12, &options) == LANNER_OK);
  TEST_CHECK(log.errors == lanner_tokenizer_error_total(tokenizer) && log.errors >= 2);
  recorder_free(&log.recorder);
  lanner_tokenizer_free(tokenizer);
}

/* An error handler runs in the middle of a token: what it calls is refused and changes nothing. */
static int meddling_error(void *context, lanner_tokenizer *tokenizer, const lanner_error *error) {
  struct token_log *log = context;
  (void)error;
  log->errors++;
  TEST_CHECK(lanner_tokenizer_insert(tokenizer, "<i>more", 7) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tokenizer_feed(tokenizer, "<i>more", 7) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tokenizer_begin(tokenizer, NULL) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tokenize(tokenizer, "<i>more", 7, NULL) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tokenizer_set_state(tokenizer, LANNER_STATE_PLAINTEXT) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tokenizer_next(tokenizer) == NULL);
  return LANNER_CONTINUE;
}
void test_tokens_error_handler(void) {
  static const char page[] = "<a b=1 b=2 c>&lt text<p b b>\x01&#0;<!-->";
  static const char expected[] = "StartTag \"a\" \"b\"=\"1\" \"c\"=\"\"\n"
                                 "Character \"< text\"\n"
                                 "StartTag \"p\" \"b\"=\"\"\n"
                                 "Character \"\\x01\xEF\xBF\xBD\"\n"
                                 "Comment \"\"\nEOF\n";
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  for (int pull = 0; pull < 2; pull++) {
    struct token_log log;
    lanner_tokenizer_options options = logging(&log, LANNER_ERRORS);
    options.on_error = meddling_error;
    if (pull) options.on_token = NULL;
    TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
    TEST_CHECK(lanner_tokenizer_feed(tokenizer, page, 9) == LANNER_OK);
    TEST_CHECK(lanner_tokenizer_feed(tokenizer, page + 9, sizeof page - 10) == LANNER_OK);
    TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_OK);
    for (const lanner_token *token; (token = lanner_tokenizer_next(tokenizer)) != NULL;)
      record_token(&log.recorder, token);
    TEST_CHECK(lanner_tokenizer_status(tokenizer) == LANNER_OK);
    TEST_CHECK_MSG(log.errors == 6, "%zu errors", (size_t)log.errors);
    tokens_are(&log, expected);
    recorder_free(&log.recorder);
  }
  lanner_tokenizer_free(tokenizer);
}

/* Text put in at the mark is read as if it had stood there, however the rest is cut. */
void test_tokens_insertion(void) {
  static const char *const cases[][3] = {{"a<mark>b<c>", "x<y>z", NULL},
                                         {"<mark>ng></x>", "<so", NULL},
                                         {"<mark>t;u", "&am", NULL},
                                         {"<mark>p;u", "&am", NULL},
                                         {"<mark>-c-->d", "<!-", NULL},
                                         {"<mark>\nz", "y\r", NULL},
                                         {"<mark>", "only", NULL},
                                         {"<mark>tail", "", NULL},
                                         {"<mark><mark2>", "<!--", NULL},
                                         {"x<mark>\"'>", "<a b=", NULL},
                                         {"<mark>TYPE html>", "<!DOC", NULL},
                                         {"<mark>/script>", "<script><", NULL},
                                         {"<mark>rest", "\xE2\x82\xAC", NULL}};
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *page = cases[i][0], *insert = cases[i][1];
    const char *mark = strstr(page, "<mark>") + 6;
    struct bytes joined = {0};
    bytes_add(&joined, page, (size_t)(mark - page));
    bytes_add_text(&joined, insert);
    bytes_add_text(&joined, mark);
    for (uint32_t flags = 0; flags <= LANNER_ERRORS; flags += LANNER_ERRORS) {
      struct token_log expected, log;
      lanner_tokenizer_options options = logging(&expected, flags);
      TEST_CHECK(lanner_tokenize(tokenizer, joined.data, joined.length, &options) == LANNER_OK);
      record_finish(&expected.recorder);
      for (size_t cut = 0; cut <= strlen(page); cut++) {
        options = logging(&log, flags);
        log.insert = insert;
        TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
        TEST_CHECK(lanner_tokenizer_feed(tokenizer, page, cut) == LANNER_OK);
        TEST_CHECK(lanner_tokenizer_feed(tokenizer, page + cut, strlen(page) - cut) == LANNER_OK);
        TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_OK);
        record_finish(&log.recorder);
        TEST_CHECK_MSG(bytes_equal(&log.recorder.tokens, &expected.recorder.tokens),
                       "%s + %s, cut %zu: %s", page, insert, cut,
                       difference(&log.recorder.tokens, &expected.recorder.tokens));
        TEST_CHECK_MSG(bytes_equal(&log.recorder.errors, &expected.recorder.errors),
                       "%s + %s, cut %zu: %s", page, insert, cut,
                       difference(&log.recorder.errors, &expected.recorder.errors));
        recorder_free(&log.recorder);
      }
      recorder_free(&expected.recorder);
    }
    bytes_free(&joined);
  }
  lanner_tokenizer_free(tokenizer);
}

/* The same between two pulls: texts of one length come to lie at one address, and pieces are fed in
 * between; what was found out about the text that stood there before must not be believed. */
static const char *nth_insert(size_t i) {
  static const char *const inserts[] = {"<b c=\"1\">x", "x&amp;y>\"z",         "<i d='\"<\"",
                                        "<!--<x>--y",   "\"\"\"\"\"\"\"\"\"<", "          "};
  return inserts[i % (sizeof inserts / sizeof *inserts)];
}
static int insert_at_marks(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  struct token_log *log = context;
  record_token(&log->recorder, token);
  if (token->type == LANNER_TOKEN_START_TAG && string_is(token->name, "mark")) {
    const char *insert = nth_insert(log->tokens++);
    TEST_CHECK(lanner_tokenizer_insert(tokenizer, insert, strlen(insert)) == LANNER_OK);
  }
  return LANNER_CONTINUE;
}
void test_tokens_pulls(void) {
  static const char *const rests[] = {"text</b>", ">\"<p>&lt;", "-->'><u e=\"2\" f>", "<s>\"&"};
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  struct bytes page = {0};
  for (size_t i = 0; i < 60; i++) {
    bytes_add_text(&page, "<mark>");
    bytes_add_text(&page, rests[i % (sizeof rests / sizeof *rests)]);
  }
  for (size_t shift = 0; shift < 6; shift++) {
    struct token_log expected, log;
    lanner_tokenizer_options options = logging(&expected, 0);
    options.on_token = insert_at_marks;
    expected.tokens = shift;
    TEST_CHECK(lanner_tokenize(tokenizer, page.data, page.length, &options) == LANNER_OK);
    TEST_CHECK_MSG(expected.tokens > shift + 20, "only %zu marks", expected.tokens - shift);
    record_finish(&expected.recorder);
    for (size_t step = 1; step <= page.length; step += step < 16 ? 1 : 97) {
      size_t fed = 0;
      options = logging(&log, 0);
      options.on_token = NULL;
      log.tokens = shift;
      TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
      for (bool ended = false; !ended;) {
        size_t piece = page.length - fed < step ? page.length - fed : step;
        ended = piece == 0;
        TEST_CHECK((ended ? lanner_tokenizer_end(tokenizer)
                          : lanner_tokenizer_feed(tokenizer, page.data + fed, piece)) == LANNER_OK);
        fed += piece;
        for (const lanner_token *token; (token = lanner_tokenizer_next(tokenizer)) != NULL;)
          insert_at_marks(&log, tokenizer, token);
      }
      record_finish(&log.recorder);
      TEST_CHECK_MSG(bytes_equal(&log.recorder.tokens, &expected.recorder.tokens),
                     "shift %zu, pieces of %zu: %s", shift, step,
                     difference(&log.recorder.tokens, &expected.recorder.tokens));
      recorder_free(&log.recorder);
    }
    recorder_free(&expected.recorder);
  }
  bytes_free(&page);
  lanner_tokenizer_free(tokenizer);
}

/* The end tag of raw text: its name has letters only, so a heading's ends no text; in every cut. */
void test_tokens_raw_end(void) {
  static const struct {
    const char *name, *page, *tokens;
  } cases[] = {{"h1", "a</h1>b", "Character \"a</h1>b\"\nEOF\n"},
               {"h6", "a</H6 >b", "Character \"a</H6 >b\"\nEOF\n"},
               {"title", "a</TiTle>b", "Character \"a\"\nEndTag \"title\"\nCharacter \"b\"\nEOF\n"},
               {"title", "a</titles>b", "Character \"a</titles>b\"\nEOF\n"},
               {"textarea", "</textarea\t/>b", "EndTag \"textarea\"\nCharacter \"b\"\nEOF\n"},
               {"blockquote", "a</blockquote>", "Character \"a\"\nEndTag \"blockquote\"\nEOF\n"},
               {"x", "a</x><x>", "Character \"a\"\nEndTag \"x\"\nStartTag \"x\"\nEOF\n"},
               {NULL, "a</>b</p>", "Character \"a</>b</p>\"\nEOF\n"}};
  static const lanner_tokenizer_state states[] = {LANNER_STATE_RCDATA, LANNER_STATE_RAWTEXT,
                                                  LANNER_STATE_SCRIPT_DATA};
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t s = 0; s < sizeof states / sizeof *states; s++)
      for (size_t cut = 0; cut <= strlen(cases[i].page); cut++) {
        struct token_log log;
        lanner_tokenizer_options options = logging(&log, 0);
        options.state = states[s];
        options.last_start_tag = cases[i].name;
        TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
        TEST_CHECK(lanner_tokenizer_feed(tokenizer, cases[i].page, cut) == LANNER_OK);
        TEST_CHECK(lanner_tokenizer_feed(tokenizer, cases[i].page + cut,
                                         strlen(cases[i].page) - cut) == LANNER_OK);
        TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_OK);
        tokens_are(&log, cases[i].tokens);
        recorder_free(&log.recorder);
      }
  lanner_tokenizer_free(tokenizer);
}

void test_tokens_states(void) {
  static const struct {
    lanner_tokenizer_state state;
    const char *tokens;
  } cases[] = {
      {LANNER_STATE_RCDATA,
       "StartTag \"raw\"\nCharacter \"<b>& \"\nEndTag \"raw\"\nStartTag \"c\"\nEOF\n"},
      {LANNER_STATE_RAWTEXT,
       "StartTag \"raw\"\nCharacter \"<b>&amp; \"\nEndTag \"raw\"\nStartTag \"c\"\nEOF\n"},
      {LANNER_STATE_SCRIPT_DATA,
       "StartTag \"raw\"\nCharacter \"<b>&amp; \"\nEndTag \"raw\"\nStartTag \"c\"\nEOF\n"},
      {LANNER_STATE_PLAINTEXT, "StartTag \"raw\"\nCharacter \"<b>&amp; </raw><c>\"\nEOF\n"},
      {LANNER_STATE_CDATA_SECTION, "StartTag \"raw\"\nCharacter \"<b>&amp; </raw><c>\"\nEOF\n"},
      {LANNER_STATE_DATA, "StartTag \"raw\"\nStartTag \"b\"\nCharacter \"& \"\nEndTag "
                          "\"raw\"\nStartTag \"c\"\nEOF\n"}};
  static const char page[] = "<raw><b>&amp; </raw><c>";
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size_t step = 0; step < sizeof page; step++) {
      struct token_log log;
      lanner_tokenizer_options options = logging(&log, 0);
      log.raw = cases[i].state;
      TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
      TEST_CHECK(lanner_tokenizer_feed(tokenizer, page, step) == LANNER_OK);
      TEST_CHECK(lanner_tokenizer_feed(tokenizer, page + step, sizeof page - 1 - step) ==
                 LANNER_OK);
      TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_OK);
      tokens_are(&log, cases[i].tokens);
      recorder_free(&log.recorder);
    }
    /* Pulled, the state is switched between two calls. */
    struct recorder recorder = {0};
    lanner_tokenizer_options options;
    lanner_tokenizer_options_init(&options);
    options.feedback = LANNER_FEEDBACK_NONE;
    TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
    TEST_CHECK(lanner_tokenizer_feed(tokenizer, page, sizeof page - 1) == LANNER_OK);
    TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_OK);
    const lanner_token *token;
    while ((token = lanner_tokenizer_next(tokenizer)) != NULL) {
      bool raw = token->type == LANNER_TOKEN_START_TAG && string_is(token->name, "raw");
      record_token(&recorder, token);
      if (raw) TEST_CHECK(lanner_tokenizer_set_state(tokenizer, cases[i].state) == LANNER_OK);
    }
    record_finish(&recorder);
    TEST_CHECK_MSG(bytes_are(&recorder.tokens, cases[i].tokens, strlen(cases[i].tokens)), "%s",
                   recorder.tokens.data);
    recorder_free(&recorder);
  }
  TEST_CHECK(lanner_tokenizer_set_state(tokenizer, (lanner_tokenizer_state)6) ==
             LANNER_ERROR_ARGUMENT);
  lanner_tokenizer_free(tokenizer);
}

void test_tokens_arguments(void) {
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  lanner_tokenizer_options options;
  lanner_tokenizer_options_init(&options);
  TEST_CHECK(options.size == sizeof options && options.state == LANNER_STATE_DATA &&
             options.feedback == LANNER_FEEDBACK_SIMULATED);
  TEST_CHECK(lanner_tokenizer_feed(tokenizer, "x", 1) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tokenizer_next(tokenizer) == NULL);
  TEST_CHECK(lanner_tokenizer_begin(NULL, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_tokenizer_feed(NULL, "x", 1) == LANNER_ERROR_ARGUMENT);
  options.state = (lanner_tokenizer_state)40;
  TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_ERROR_ARGUMENT);
  options.state = LANNER_STATE_DATA;
  options.feedback = (lanner_feedback)(LANNER_FEEDBACK_EXACT + 1);
  TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_ERROR_ARGUMENT);
  options.feedback = LANNER_FEEDBACK_SIMULATED;
  options.flags = LANNER_SURROGATES * 2;
  TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_ERROR_ARGUMENT);
  options.flags = 0;
  options.encoding = "nonsense";
  TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_ERROR_ENCODING);
  options.encoding = NULL;
  options.flags = LANNER_SPANS;
  TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
  TEST_CHECK(lanner_tokenizer_feed(tokenizer, NULL, 1) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_tokenizer_feed(tokenizer, "<a", 2) == LANNER_OK);
  TEST_CHECK(lanner_tokenizer_next(tokenizer) == NULL); /* more input is needed */
  TEST_CHECK(lanner_tokenizer_feed(tokenizer, ">", 1) == LANNER_OK);
  TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_OK);
  const lanner_token *token = lanner_tokenizer_next(tokenizer);
  TEST_CHECK(token && token->type == LANNER_TOKEN_START_TAG && token->start == 0 &&
             token->end == 3);
  token = lanner_tokenizer_next(tokenizer);
  TEST_CHECK(token && token->type == LANNER_TOKEN_EOF);
  TEST_CHECK(lanner_tokenizer_next(tokenizer) == NULL);
  TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_ERROR_STATE);
  lanner_tokenizer_free(tokenizer);
}

/* The memory of the token API is bounded by the longest token, not by the input. */
void test_tokens_memory(void) {
  enum { PIECES = 3000 };
  static const char piece[] = "<p class=x>some words of text &amp; more</p>\n<!-- comment -->\r\n";
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  for (int way = 0; way < 2; way++) {
    struct token_log log;
    lanner_tokenizer_options options = logging(&log, way ? LANNER_ERRORS : 0);
    size_t early = 0;
    log.recorder.ends = 0;
    TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
    for (int i = 0; i < PIECES; i++) {
      TEST_CHECK(lanner_tokenizer_feed(tokenizer, piece, sizeof piece - 1) == LANNER_OK);
      if (i == PIECES / 10) early = lanner_tokenizer_memory(tokenizer).held;
      recorder_clear(&log.recorder);
    }
    size_t late = lanner_tokenizer_memory(tokenizer).held;
    TEST_CHECK_MSG(early > 0 && late <= early + 4096, "%zu bytes held early, %zu late", early,
                   late);
    TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_OK);
    recorder_free(&log.recorder);
  }
  lanner_tokenizer_free(tokenizer);
}
