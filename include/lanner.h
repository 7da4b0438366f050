/* lanner.h - an HTML parser for programs that read the web in bulk.
 *
 * This header is the manual. What holds everywhere:
 *
 * - Strings are UTF-8 with an explicit length; they may hold U+0000 and are not NUL-terminated.
 * - Offsets are byte offsets, 0-based, into the input as given. Lines and columns are 1-based;
 *   a column counts UTF-16 code units after newline normalization, as the html5lib tests do.
 * - Every object belongs to one thread at a time. Different objects share nothing, so threads
 *   need no lock. The library keeps no globals that change, and never prints, aborts or exits.
 * - Pointers handed out by a document stay valid until the document is next changed, reset or
 *   freed. Node ids stay valid until the document is reset or freed.
 * - Accessors take any id: for 0 and for ids of the wrong kind they answer with a neutral value
 *   (0, an empty string). "free" functions take NULL.
 * - Errors of the page (parse errors) are data, not failures. Functions fail only for the reasons
 *   in lanner_status.
 */
#ifndef LANNER_H
#define LANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LANNER_VERSION_MAJOR 0
#define LANNER_VERSION_MINOR 1
#define LANNER_VERSION_PATCH 0

/* Bytes that must be readable behind the end of an input given with LANNER_INPUT_PADDED. The
 * first of them must be 0 (else: LANNER_ERROR_ARGUMENT), the others may hold anything and are never
 * interpreted. The flag means whole input; pieces are copied. */
#define LANNER_PADDING 64

/* The largest input of one document, in bytes. Longer input is refused. */
#define LANNER_MAX_INPUT (UINT32_C(0xFFFFFFFF) - LANNER_PADDING)

typedef enum lanner_status {
  LANNER_OK = 0,
  LANNER_ERROR_MEMORY,    /* an allocation failed; what was built so far can be read */
  LANNER_ERROR_LIMIT,     /* a limit on nodes, memory or input stopped the parse */
  LANNER_ERROR_ARGUMENT,  /* a NULL, foreign or unsuitable argument; nothing was changed */
  LANNER_ERROR_STATE,     /* the call does not fit here (feed without begin, ...) */
  LANNER_ERROR_ENCODING,  /* an encoding label that the Encoding Standard does not know */
  LANNER_ERROR_TOO_LARGE, /* input above LANNER_MAX_INPUT */
  LANNER_STOPPED          /* a callback asked to stop */
} lanner_status;

/* A constant English sentence for STATUS; static storage. */
const char *lanner_status_text(lanner_status status);

typedef struct lanner_string {
  const char *data; /* not NUL-terminated; never NULL for a string that exists */
  size_t length;    /* bytes */
} lanner_string;

/* Where memory comes from. All functions get CONTEXT first and may be called from the thread that
 * uses the document only. reallocate must behave like realloc (POINTER may be NULL); it returns
 * NULL on failure and then leaves the old block alone. Sizes passed are exact, so an arena needs
 * no headers. */
typedef struct lanner_allocator {
  void *(*reallocate)(void *context, void *pointer, size_t old_size, size_t new_size);
  void (*release)(void *context, void *pointer, size_t size);
  void *context;
} lanner_allocator;

/* ---------------------------------------------------------------------------------------------
 * Documents and nodes
 */

typedef struct lanner_document lanner_document;

/* A node of a document: an index, 0 for "none". Valid until the document is reset or freed. */
typedef uint32_t lanner_node;

/* The Document node itself. */
#define LANNER_DOCUMENT_NODE ((lanner_node)1)

typedef enum lanner_kind {
  LANNER_NONE = 0,
  LANNER_ELEMENT,
  LANNER_TEXT,
  LANNER_COMMENT,
  LANNER_PROCESSING_INSTRUCTION,
  LANNER_DOCTYPE,
  LANNER_DOCUMENT,
  LANNER_FRAGMENT /* template contents, a shadow root, or the result of fragment parsing */
} lanner_kind;

typedef enum lanner_namespace {
  LANNER_HTML = 0,
  LANNER_SVG = 1,
  LANNER_MATHML = 2
} lanner_namespace;

typedef enum lanner_attribute_namespace {
  LANNER_NO_NAMESPACE = 0,
  LANNER_XLINK = 1,
  LANNER_XML = 2,
  LANNER_XMLNS = 3
} lanner_attribute_namespace;

typedef enum lanner_mode { LANNER_NO_QUIRKS = 0, LANNER_LIMITED_QUIRKS, LANNER_QUIRKS } lanner_mode;

/* A new, empty document. ALLOCATOR may be NULL (the C library's heap), it is copied. NULL when
 * memory is short. Parsing into a document that holds something resets it first. */
lanner_document *lanner_document_new(const lanner_allocator *allocator);
void lanner_document_free(lanner_document *document);

/* Empties DOCUMENT and keeps its memory for the next page. All ids and pointers become invalid.
 * A document's first page gives back at its end what room it reserved in vain, where that is more than
 * 32 KB: most documents live for one page. From the second page on all room is kept. */
void lanner_document_reset(lanner_document *document);

/* Gives memory that the current content does not need back to the allocator. Does nothing between
 * the pieces of a parse. */
void lanner_document_trim(lanner_document *document);

typedef struct lanner_memory {
  size_t held; /* bytes held now, all of them: nodes, attributes, strings, names, parser state */
  size_t used; /* bytes of it that hold content */
  size_t peak; /* the highest value of held so far */
  size_t text; /* bytes of held that are room for the document's own copy of the input */
} lanner_memory;
lanner_memory lanner_document_memory(const lanner_document *document);

lanner_mode lanner_document_mode(const lanner_document *document);

/* Number of nodes, all kinds, the Document included; ids run from 1 to this number. */
uint32_t lanner_document_node_count(const lanner_document *document);

/* --- reading the tree --- */
lanner_kind lanner_node_kind(const lanner_document *document, lanner_node node);
lanner_node lanner_parent(const lanner_document *document, lanner_node node);
lanner_node lanner_first_child(const lanner_document *document, lanner_node node);
lanner_node lanner_last_child(const lanner_document *document, lanner_node node);
lanner_node lanner_next_sibling(const lanner_document *document, lanner_node node);
lanner_node lanner_previous_sibling(const lanner_document *document, lanner_node node);

/* The node after NODE in tree order inside ROOT's subtree, 0 at the end. Start with ROOT. Template
 * contents and shadow roots are not descended into. Constant amortized time, no recursion. */
lanner_node lanner_next(const lanner_document *document, lanner_node node, lanner_node root);
/* Like lanner_next, but skips the descendants of NODE. */
lanner_node lanner_next_skip(const lanner_document *document, lanner_node node, lanner_node root);

/* The contents of a template element, 0 for other nodes. */
lanner_node lanner_template_contents(const lanner_document *document, lanner_node node);
/* The shadow root of a host element, 0 if it has none. *OPEN (may be NULL): its mode is open. */
lanner_node lanner_shadow_root(const lanner_document *document, lanner_node node, bool *open);
/* The template or host element that a template's contents or a shadow root belongs to, else 0. */
lanner_node lanner_host(const lanner_document *document, lanner_node fragment);

/* An element's local name (SVG names adjusted: foreignObject), a DOCTYPE's name, a processing
 * instruction's target. */
lanner_string lanner_name(const lanner_document *document, lanner_node node);
lanner_namespace lanner_node_namespace(const lanner_document *document, lanner_node node);

/* A small number for a name that the library knows (the generated lanner_names.h lists them), the same in every
 * document; other names get numbers of their document, from LANNER_KNOWN_NAMES up. 0 for nodes
 * that have no name. */
uint32_t lanner_name_id(const lanner_document *document, lanner_node node);

/* The data of a text, comment or processing instruction node. */
lanner_string lanner_data(const lanner_document *document, lanner_node node);

/* A DOCTYPE's identifiers; a missing one is the empty string. */
lanner_string lanner_public_id(const lanner_document *document, lanner_node node);
lanner_string lanner_system_id(const lanner_document *document, lanner_node node);

/* --- attributes: in source order, duplicates dropped --- */
typedef struct lanner_attribute {
  lanner_string name; /* qualified: "xlink:href" */
  lanner_string value;
  lanner_attribute_namespace name_space;
  uint32_t name_id; /* as lanner_name_id, for attribute names */
} lanner_attribute;

uint32_t lanner_attribute_count(const lanner_document *document, lanner_node element);
/* The attribute at INDEX; all empty beyond the last one. */
lanner_attribute lanner_attribute_at(const lanner_document *document, lanner_node element,
                                     uint32_t index);
/* Finds NAME (qualified, case-sensitive); true and *VALUE (may be NULL) when it is there. */
bool lanner_get_attribute(const lanner_document *document, lanner_node element, const char *name,
                          size_t length, lanner_string *value);

/* --- changing the tree: checked; LANNER_ERROR_ARGUMENT and no change when the result would not
 *     be a tree (a cycle), a node is not of a suitable kind, or an id is not of this document --- */
lanner_status lanner_create_element(lanner_document *document, lanner_namespace name_space,
                                    const char *name, size_t length, lanner_node *created);
lanner_status lanner_create_text(lanner_document *document, const char *data, size_t length,
                                 lanner_node *created);
lanner_status lanner_create_comment(lanner_document *document, const char *data, size_t length,
                                    lanner_node *created);
/* Inserts CHILD under PARENT before REFERENCE (0: at the end), taking it out of where it is. */
lanner_status lanner_insert_before(lanner_document *document, lanner_node parent, lanner_node child,
                                   lanner_node reference);
lanner_status lanner_append(lanner_document *document, lanner_node parent, lanner_node child);
/* Takes NODE out of its parent. It stays part of the document and can be inserted again. */
lanner_status lanner_remove(lanner_document *document, lanner_node node);
/* Moves all children of FROM behind those of TO. */
lanner_status lanner_move_children(lanner_document *document, lanner_node from, lanner_node to);
/* LANNER_ERROR_STATE between two pieces of input that were cut inside a tag. */
lanner_status lanner_set_attribute(lanner_document *document, lanner_node element, const char *name,
                                   size_t name_length, const char *value, size_t value_length);
lanner_status lanner_remove_attribute(lanner_document *document, lanner_node element,
                                      const char *name, size_t name_length);
/* Replaces the data of a text or comment node. */
lanner_status lanner_set_data(lanner_document *document, lanner_node node, const char *data,
                              size_t length);

/* --- source spans, kept when LANNER_SPANS was given --- */
typedef struct lanner_span {
  uint32_t start, end; /* byte offsets into the input; both 0: the node is not from the source */
} lanner_span;
/* The start tag of an element, the whole of a comment, DOCTYPE or processing instruction, the
 * first run of a text node. */
lanner_span lanner_node_span(const lanner_document *document, lanner_node node);
/* The end tag that closed the element; empty when it was implied. */
lanner_span lanner_end_tag_span(const lanner_document *document, lanner_node node);
/* Name and value (without quotes) of an attribute that came from the source. */
lanner_span lanner_attribute_name_span(const lanner_document *document, lanner_node element,
                                       uint32_t index);
lanner_span lanner_attribute_value_span(const lanner_document *document, lanner_node element,
                                        uint32_t index);

/* ---------------------------------------------------------------------------------------------
 * Parsing
 */

enum {
  /* Scripting mode (section 13.2.4.5): default is Disabled. */
  LANNER_SCRIPTING = 1 << 0, /* noscript is raw text */
  /* The document is an iframe's srcdoc document: no quirks mode from its DOCTYPE. */
  LANNER_SRCDOC = 1 << 1,
  /* Declarative shadow roots are not attached: their templates stay templates. */
  LANNER_NO_SHADOW = 1 << 2,
  /* Record parse errors (lanner_document_errors). Costs time; off, none of it is executed. */
  LANNER_ERRORS = 1 << 3,
  /* Keep source spans. */
  LANNER_SPANS = 1 << 4,
  /* The bytes behind the input are as LANNER_PADDING asks, and the input stays in place and
   * unchanged as long as the document's content is used: nothing is copied. */
  LANNER_INPUT_PADDED = 1 << 5,
  /* The input is valid UTF-8 without a byte order mark and without CR: neither is looked for. */
  LANNER_INPUT_CLEAN = 1 << 6,
  /* Plain text (text/plain shown by a browser): the Standard's "plaintext" document. */
  LANNER_PLAINTEXT = 1 << 7,
  /* A document in quirks or limited-quirks mode to begin with (fragments of such documents). */
  LANNER_IN_QUIRKS = 1 << 8,
  LANNER_IN_LIMITED_QUIRKS = 1 << 9,
  /* Fragment parsing by createContextualFragment rules: scripting mode Fragment, not Inert. */
  LANNER_RUN_SCRIPTS = 1 << 10,
  /* UTF-8 input may hold lone surrogates (generalized UTF-8); they are kept, and reported as
   * surrogate-in-input-stream. Conformance tests have them, pages do not. */
  LANNER_SURROGATES = 1 << 11
  /* Other bits are refused: LANNER_ERROR_ARGUMENT. */
};

/* About a hundred times the maxima of 500 real pages (74 MB): 100,635 nodes, 39 attributes on a tag,
 * 4.1 MB of input, 8.1 MB held (21 with errors and spans); 2,820 errors, but for two pages in encodings
 * that the web does not have (6,344 and 434,457). Depth is what browsers have. */
#define LANNER_DEFAULT_DEPTH 512
#define LANNER_DEFAULT_NODES 10000000
#define LANNER_DEFAULT_ATTRIBUTES 4000
#define LANNER_DEFAULT_ERRORS 1000000
#define LANNER_DEFAULT_INPUT (UINT64_C(400) << 20)
#define LANNER_DEFAULT_MEMORY (UINT64_C(1750) << 20)

/* 0 in a limit means: none. lanner_options_init fills in the defaults. */
typedef struct lanner_limits {
  uint32_t depth;      /* open elements, default 512 as browsers have it: the deepest element has
                        * depth + 1 as its level, html being 1 */
  uint32_t nodes;      /* nodes of the document; the token that passes it is completed */
  uint32_t attributes; /* attributes of one tag */
  uint32_t errors;     /* recorded errors */
  uint64_t memory;     /* bytes held by the document */
  uint64_t input;      /* bytes of input */
} lanner_limits;

typedef struct lanner_options {
  size_t size;           /* sizeof(lanner_options): lets the struct grow */
  uint32_t flags;        /* LANNER_SCRIPTING ... */
  const char *encoding;  /* label of a certain encoding, NULL: sniff (transport, BOM, meta, ...) */
  const char *transport; /* label from Content-Type, NULL: none; an unknown one is ignored */
  /* Label of the encoding when nothing says otherwise, NULL: windows-1252. An unknown one is an error,
   * as in encoding. */
  const char *fallback;
  lanner_limits limits;
} lanner_options;

/* Fills OPTIONS with the defaults. */
void lanner_options_init(lanner_options *options);

/* Parses LENGTH bytes of a whole page (13.2). OPTIONS may be NULL. The document keeps no pointer
 * to BYTES unless LANNER_INPUT_PADDED was given. */
lanner_status lanner_parse(lanner_document *document, const void *bytes, size_t length,
                           const lanner_options *options);

/* The element in whose context a fragment is parsed. */
typedef struct lanner_context {
  lanner_namespace name_space;
  const char *name; /* any legal local name */
  size_t name_length;
  /* Its attributes, for integration points (annotation-xml encoding); may be NULL. */
  const lanner_attribute *attributes;
  uint32_t attribute_count;
  /* The context or one of its ancestors is a form. */
  bool in_form;
} lanner_context;

/* Parses a fragment (13.4). The result's nodes are the children of lanner_fragment_root. */
lanner_status lanner_parse_fragment(lanner_document *document, const lanner_context *context,
                                    const void *bytes, size_t length,
                                    const lanner_options *options);
/* The fragment node that holds what was parsed; 0 for whole documents. */
lanner_node lanner_fragment_root(const lanner_document *document);

/* The same in pieces: begin, feed any number of times, end. CONTEXT is NULL for whole pages. The
 * tree may be read and changed between the calls. A piece may be cut anywhere, also inside a
 * character. Unless the encoding is certain the first 1024 bytes wait for each other: the encoding is
 * sniffed. */
lanner_status lanner_parse_begin(lanner_document *document, const lanner_context *context,
                                 const lanner_options *options);
lanner_status lanner_parse_feed(lanner_document *document, const void *bytes, size_t length);
lanner_status lanner_parse_end(lanner_document *document);

/* Which limits struck: a set of LANNER_LIMIT_*; each with the byte offset of the input where it first
 * did: the start of the tag, comment or run of text (depth, nodes), of the first attribute or error
 * that was left out, the number of bytes taken (input). How the input was cut does not matter; for
 * memory it does, whose offset is where reading was. */
enum {
  LANNER_LIMIT_DEPTH = 1 << 0,
  LANNER_LIMIT_NODES = 1 << 1,
  LANNER_LIMIT_ATTRIBUTES = 1 << 2,
  LANNER_LIMIT_ERRORS = 1 << 3,
  LANNER_LIMIT_MEMORY = 1 << 4,
  LANNER_LIMIT_INPUT = 1 << 5
};
uint32_t lanner_document_limits(const lanner_document *document);
uint64_t lanner_document_limit_offset(const lanner_document *document, uint32_t limit);

/* The encoding that was used: its name ("UTF-8"), where it came from ("bom", "user", "transport",
 * "utf-16-pattern", "meta", "xml", "late-meta", "default": options.fallback or windows-1252) and the
 * confidence ("certain", "tentative", "irrelevant"). Static strings. */
const char *lanner_document_encoding(const lanner_document *document);
const char *lanner_document_encoding_source(const lanner_document *document);
const char *lanner_document_encoding_confidence(const lanner_document *document);

/* --- parse errors, kept when LANNER_ERRORS was given --- */
typedef struct lanner_error {
  uint16_t code;   /* LANNER_PARSE_ERROR_* of the generated lanner_errors.h */
  uint32_t offset; /* byte offset of the character at which it was raised */
  uint32_t line, column;
} lanner_error;
/* The recorded errors; *COUNT is how many. Those of a token are together, the tokenizer's first; tree
 * construction's stand at the start of the token. Errors about characters stand at their place. When
 * the limit on nodes stopped the parse, they are those before that place. */
const lanner_error *lanner_document_errors(const lanner_document *document, size_t *count);
/* How many there were, recorded or not. When the limits on nodes and on errors both struck, some that
 * were read behind the place of the first may be among them, more or fewer by the pieces of the input. */
uint64_t lanner_document_error_total(const lanner_document *document);
/* The Standard's name of a code ("eof-in-tag"), or our own ("tree-..."); static storage. */
const char *lanner_error_name(uint16_t code);
/* True for the codes that the Standard names, false for Lanner's own (tree construction). */
bool lanner_error_is_standard(uint16_t code);

/* ---------------------------------------------------------------------------------------------
 * Serialization. Output goes to a callback in pieces; a non-zero answer stops with LANNER_STOPPED.
 */
typedef int (*lanner_write)(void *context, const char *data, size_t length);

/* "HTML fragment serialization algorithm" (13.3): the children of NODE. SCRIPTING: noscript holds
 * raw text. */
lanner_status lanner_serialize_inner(const lanner_document *document, lanner_node node,
                                     bool scripting, lanner_write write, void *context);
/* NODE itself with its children. */
lanner_status lanner_serialize_outer(const lanner_document *document, lanner_node node,
                                     bool scripting, lanner_write write, void *context);
/* The html5lib/WPT test format: the children of NODE, a newline after each line. */
lanner_status lanner_serialize_test(const lanner_document *document, lanner_node node,
                                    lanner_write write, void *context);

/* ---------------------------------------------------------------------------------------------
 * Tokens without a tree
 */

typedef enum lanner_token_type {
  LANNER_TOKEN_DOCTYPE = 1,
  LANNER_TOKEN_START_TAG,
  LANNER_TOKEN_END_TAG,
  LANNER_TOKEN_COMMENT,
  LANNER_TOKEN_PROCESSING_INSTRUCTION,
  LANNER_TOKEN_CHARACTERS, /* a run; consecutive runs may belong together */
  LANNER_TOKEN_EOF
} lanner_token_type;

typedef struct lanner_token {
  lanner_token_type type;
  lanner_string name; /* tag name (lowercased), DOCTYPE name, processing instruction target */
  uint32_t name_id;   /* as lanner_name_id */
  lanner_string data; /* characters, comment data, processing instruction data */
  lanner_string public_id, system_id; /* data is NULL when the identifier is missing */
  bool has_name;                      /* DOCTYPE: the name is not missing */
  bool force_quirks;                  /* DOCTYPE */
  bool self_closing;                  /* tags */
  uint32_t attribute_count;
  const lanner_attribute *attributes;
  uint64_t start, end; /* with LANNER_SPANS: byte offsets of the whole token in the input; else 0 */
} lanner_token;

typedef struct lanner_tokenizer lanner_tokenizer;

/* What a token handler answers. */
enum { LANNER_CONTINUE = 0, LANNER_STOP = 1 };
/* Called for each token. TOKEN and all it points to are valid during the call only. */
typedef int (*lanner_token_handler)(void *context, lanner_tokenizer *tokenizer,
                                    const lanner_token *token);
/* Called for each parse error of the tokenizer and the input stream; LANNER_STOP ends the parse. It is
 * in the middle of a token: calls that would feed, insert, switch or start over are refused with
 * LANNER_ERROR_STATE. */
typedef int (*lanner_error_handler)(void *context, lanner_tokenizer *tokenizer,
                                    const lanner_error *error);

/* The tokenizer states that a caller may ask for (13.2.5.1 to 5, 69). */
typedef enum lanner_tokenizer_state {
  LANNER_STATE_DATA = 1,
  LANNER_STATE_RCDATA = 2,
  LANNER_STATE_RAWTEXT = 3,
  LANNER_STATE_SCRIPT_DATA = 4,
  LANNER_STATE_PLAINTEXT = 5,
  LANNER_STATE_CDATA_SECTION = 69
} lanner_tokenizer_state;

typedef enum lanner_feedback {
  /* A small simulator of tree construction switches to RCDATA, RAWTEXT, ... by tag names and
   * follows foreign content. lanner_tokenizer_approximate tells when it may be wrong. */
  LANNER_FEEDBACK_SIMULATED = 0,
  /* Only the caller switches states. */
  LANNER_FEEDBACK_NONE,
  /* Full tree construction over no tree: the very tokens that a document would get. */
  LANNER_FEEDBACK_EXACT
} lanner_feedback;

/* Always filled by lanner_tokenizer_options_init first. There are no limits but memory: tokens are
 * handed on as they come. A page that declares no encoding is windows-1252. */
typedef struct lanner_tokenizer_options {
  size_t size;
  uint32_t flags; /* LANNER_SCRIPTING, LANNER_ERRORS, LANNER_SPANS, LANNER_INPUT_PADDED,
                   * LANNER_INPUT_CLEAN, LANNER_SURROGATES; the others matter to LANNER_FEEDBACK_EXACT */
  lanner_feedback feedback;
  lanner_tokenizer_state state; /* to start in, default data */
  const char *last_start_tag;   /* for "appropriate end tag"; NULL: none */
  bool cdata_allowed;           /* LANNER_FEEDBACK_NONE: the adjusted current node is foreign */
  const char *encoding;         /* as in lanner_options */
  const char *transport;
  lanner_token_handler on_token; /* NULL: pull tokens with lanner_tokenizer_next */
  lanner_error_handler on_error; /* with LANNER_ERRORS */
  void *context;
} lanner_tokenizer_options;

void lanner_tokenizer_options_init(lanner_tokenizer_options *options);
lanner_tokenizer *lanner_tokenizer_new(const lanner_allocator *allocator);
void lanner_tokenizer_free(lanner_tokenizer *tokenizer);

/* Starts over with OPTIONS (NULL: defaults). Memory is kept. */
lanner_status lanner_tokenizer_begin(lanner_tokenizer *tokenizer,
                                     const lanner_tokenizer_options *options);
/* Gives the tokenizer a piece of input, cut anywhere. With a handler the tokens come during the
 * call. Memory stays bounded by the longest token plus the piece; BYTES are copied. */
lanner_status lanner_tokenizer_feed(lanner_tokenizer *tokenizer, const void *bytes, size_t length);
/* The last piece was fed. With a handler the rest and LANNER_TOKEN_EOF come during the call. */
lanner_status lanner_tokenizer_end(lanner_tokenizer *tokenizer);
/* begin, feed and end in one call. */
lanner_status lanner_tokenize(lanner_tokenizer *tokenizer, const void *bytes, size_t length,
                              const lanner_tokenizer_options *options);
/* Without a handler: the next token, NULL when more input must be fed (the first 1,024 bytes wait until
 * the encoding is known, unless the options say it), when LANNER_TOKEN_EOF was given, or when
 * lanner_tokenizer_status is not LANNER_OK. Valid until the next call on TOKENIZER. */
const lanner_token *lanner_tokenizer_next(lanner_tokenizer *tokenizer);
/* LANNER_OK, or why no more tokens come: LANNER_STOPPED, LANNER_ERROR_MEMORY, ... */
lanner_status lanner_tokenizer_status(const lanner_tokenizer *tokenizer);
/* Puts LENGTH BYTES of valid UTF-8 in front of the input that is not yet consumed (document.write); they are
 * copied. Lines and columns of errors count inserted text, offsets and spans do not: they name the
 * place in the input where it was inserted. */
lanner_status lanner_tokenizer_insert(lanner_tokenizer *tokenizer, const void *bytes,
                                      size_t length);
/* At a token boundary (inside a handler, between calls of next): switches the state. */
lanner_status lanner_tokenizer_set_state(lanner_tokenizer *tokenizer, lanner_tokenizer_state state);
void lanner_tokenizer_allow_cdata(lanner_tokenizer *tokenizer, bool allowed);
/* The simulator met input for which only full tree construction knows the state. */
bool lanner_tokenizer_approximate(const lanner_tokenizer *tokenizer);
uint64_t lanner_tokenizer_error_total(const lanner_tokenizer *tokenizer);
lanner_memory lanner_tokenizer_memory(const lanner_tokenizer *tokenizer);

/* Which SIMD the library was built with: "avx512", "avx2", "sse2", "neon", "scalar". */
const char *lanner_simd(void);

#ifdef __cplusplus
}
#endif
#endif
