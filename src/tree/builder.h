/* builder.h - the state of tree construction (13.2.4): stack of open elements, list of active
 * formatting elements, modes, pointers. Compiled once; the instances of the tree builder
 * (tree/tree.h) share it. Neighbours: stack.h and formatting.h work on these structures, the
 * tables of insertion modes come from grammar/tree.
 */
#ifndef LANNER_TREE_BUILDER_H
#define LANNER_TREE_BUILDER_H

#include "tokenizer/parser.h"
#include "tree_modes.h" /* generated: MODE_*, KIND_* */

/* An entry of the stack of open elements. Position 0 of the stack is unused, position 1 is the
 * html element (in the fragment case the fragment that takes its children). No question is
 * answered by walking: special, scope and link are those of all entries up to this one.
 *
 * An entry removed from the middle stays as a hole: node 0, prev_same the entry below. Values that
 * point to a hole, or to an entry that the adoption agency put there, are followed through what
 * that position itself says; stack.h has the functions. */
struct open_element {
  u32 node;      /* where its children go: the element, or the contents of a template */
  u32 word;      /* identity (name id in lower case, namespace) and ENTRY_* */
  u32 prev_same; /* the entry below with this name, HTML and foreign elements apart; 0: none */
  u32 next_same; /* the entry above with this name, when this one is not the last */
  u32 special;   /* position of the last special element, up to here */
  u32 scope;     /* position of the last boundary of "in scope", up to here */
  u32 link;      /* foreign entries: position of the last HTML element below; special HTML entries:
                    where the search for li, dd, dt goes on (address, div, p), else their own */
  u32 format;    /* formatting elements: entry of the list, 0: none; special elements: position of
                    the next special one above */
};

#define ENTRY_IDENTITY WORD_IDENTITY
#define ENTRY_HTML_POINT 0x04000000u /* HTML integration point */
#define ENTRY_TEXT_POINT 0x08000000u /* MathML text integration point */
#define ENTRY_PATCH 0x10000000u      /* template with an insertion target: children go elsewhere */
#define ENTRY_CONTEXT 0x20000000u    /* position 1, and the context element is not HTML */

/* An entry of the list of active formatting elements, a marker when word is 0. */
struct formatting {
  u32 node; /* 0: a marker, or not in use */
  u32 word; /* name id */
  u32 attribute_first, attribute_count;
  u32 prev, next;           /* in the list; next also links unused entries */
  u32 prev_same, next_same; /* entries of this name */
  u32 depth;                /* number of markers before it */
  u32 position;             /* on the stack; 0: not open */
  u32 bucket_next;          /* in the index by hash, when there is one */
  u64 hash;                 /* of name, attributes and depth; valid in the index only */
};

/* An open template with an insertion target (template for=...). */
struct patch {
  u32 position;   /* on the stack */
  u32 start, end; /* insertion start marker, insertion end marker or 0 */
};
struct patching;

/* A select that shows its selected option in a selectedcontent element; see choice.h. */
struct choice {
  u32 select, content;
  u32 option; /* the selected one; 0: none yet */
};

/* Attributes of html and body that came from further tags; see attributes.h. */
struct roots {
  u32 first, capacity; /* a block of their own with room to grow */
  u32 *slots;          /* set of their names, when they are many */
  u32 slot_capacity, slot_count;
  bool filled;
};

struct tree {
  struct open_element *stack;
  u32 top;
  u32 capacity;
  u32 depth_top; /* the limit on depth strikes when top is above this: limit + holes */
  u32 holes;
  u32 usual_top; /* nodes go into the current node up to this top: depth_top, 0 when foster parenting */
  u32 room;      /* while fewer nodes were made, a token needs no growth of any array */
  byte mode, original_mode;
  bool foster; /* foster parenting is enabled */
  bool frameset_ok;
  bool fragment; /* the fragment case */
  bool scripting;
  bool self_closing_done; /* the self-closing flag is acknowledged */
  bool body_end_checked;
  bool clean;   /* all of last[] is 0 */
  bool by_hash; /* attributes are compared by hash: they are not kept (exact token mode) */
  bool stopped; /* stop parsing was done */
  u32 closing;  /* name of the end tag being handled, until its element was popped */
  u32 head;     /* head element pointer */
  u32 form;     /* form element pointer */
  u32 form_position;
  u32 context;      /* fragment case: identity and ENTRY_* of the context element */
  u32 source_end;   /* of the run of characters (checked instance) */
  u32 run_end;      /* while characters are handled: end of their run in the source; else 0 */
  slice characters; /* the run that is handled */
  /* list of active formatting elements */
  struct formatting *formats; /* entry 0 is unused */
  u32 format_capacity, format_used, format_free;
  u32 format_last; /* 0: the list is empty */
  u32 format_count;
  u32 markers;  /* in the list */
  u32 *buckets; /* index by hash; NULL: none yet */
  u32 bucket_count, bucket_capacity;
  bool indexed;
  bool out_of_memory; /* the next token stops the parse */
  /* stack of template insertion modes */
  byte *template_modes;
  u32 template_mode_count, template_mode_capacity;
  /* pending table character tokens */
  slice *pending;
  u32 pending_count, pending_capacity;
  bool pending_text; /* not only white space */
  u32 behind_pending; /* while they are inserted (checked instance): start of the token behind them */
  struct patch *patches;
  u32 patch_count, patch_capacity;
  u32 numbers;               /* no tree: the last node number */
  lanner_mode mode_of_null;  /* no tree: the document's mode */
  struct patching *patching; /* markers for patches; NULL: never any */
  bool marked;               /* there are some in this document */
  u32 watch;                 /* the highest position of an element with markers; 0: none */
  struct choice *choices;    /* selects with a selectedcontent element */
  u32 choice_count, choice_capacity;
  u64 climbed; /* steps towards the root in searches for a select */
  struct roots roots[2];
  u32 *scratch;
  u32 scratch_capacity;
  u32 text_errors
      [ERROR_COUNT]; /* by code: one more than where the last run of characters with it ended */
  u32 last_format[FORMATTING_NAMES];
  u32 last[2][ELEMENT_NAMES]; /* last position by name id: HTML elements, foreign elements */
};

#endif
