/* lanner_tree.h - the tree builder over a tree that is not Lanner's: a DOM that a browser engine
 * owns, the objects of another language, a tree of your own.
 *
 * You give a table of functions that make, place and remove nodes; the parser calls them in the
 * order of the Standard and gets the tree that lanner_parse would build (section 13.2.6). It keeps
 * no tree itself and knows of yours what these functions answer. What lanner.h says of strings,
 * offsets, threads, limits and errors holds here too. With LANNER_ERRORS, LANNER_SPANS or without,
 * all options of lanner_options work.
 *
 * - A node is a number of your choice, 32 bits wide and not 0: the parser keeps thousands of them,
 *   in arrays that a pointer would double. If your nodes are pointers, keep an array of them, or a
 *   table of handles. A number stands for the same node until the parse ends, also when that node
 *   was removed from the tree; 0xFFFFFFFF is never passed to you and must not be used.
 * - All that a function is given is valid during the call only.
 * - A function that makes a node answers 0 when it cannot (memory, a node of yours that does not
 *   allow it); others answer false. Then no function is called any more and the parse ends with
 *   LANNER_STOPPED: what was built so far is yours, the parser needs nothing freed.
 * - Functions must not call the parser that calls them, but for lanner_tree_changed.
 * - The parser asks for nothing above ROOT.
 */
#ifndef LANNER_TREE_H
#define LANNER_TREE_H

#include "lanner.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an element is made of. */
typedef struct lanner_element_init {
  lanner_namespace name_space;
  lanner_string name; /* local name; names of SVG adjusted: foreignObject */
  uint32_t name_id;   /* as lanner_name_id; unknown names have numbers of this parse */
  uint32_t attribute_count;
  const lanner_attribute *attributes; /* in source order; adjusted in SVG and MathML */
  /* For elements that may have a form owner (13.2.6.1): the form element that the parser gives it,
   * 0: none. It counts if the element gets into the same tree as that form; of a name with "-" only
   * if it is a form-associated custom element. */
  lanner_node form;
} lanner_element_init;

/* What lanner_tree_operations.describe tells of a node. */
typedef struct lanner_node_facts {
  lanner_kind kind;
  lanner_namespace name_space; /* elements */
  lanner_string name;          /* local name of an element, target of a processing instruction */
  lanner_string data;          /* of a processing instruction */
} lanner_node_facts;

/* What script_ended may answer besides LANNER_CONTINUE and LANNER_STOP. */
enum { LANNER_PAUSE = 2 };

/* Functions get lanner_tree.context first. The first group is required. */
typedef struct lanner_tree_operations {
  size_t size; /* sizeof(lanner_tree_operations): lets the struct grow */

  /* --- required --- */

  /* A new element in no parent. One with the local name "template" in the HTML namespace has
   * contents of its own (template_contents). Called again for one tag, with its attributes, when a
   * formatting element is opened again; lanner_limits.attributes bounds what a page can make of
   * that. */
  lanner_node (*create_element)(void *tree, const lanner_element_init *element);
  lanner_node (*create_comment)(void *tree, lanner_string data);
  /* Inserts CHILD, which has no parent, into PARENT before BEFORE (0: at the end). An insertion
   * that your tree does not allow (a cycle, after somebody else moved nodes) is left out and
   * answered with true. */
  bool (*insert)(void *tree, lanner_node parent, lanner_node child, lanner_node before);
  /* "Insert a character" for a run of them: appended to the text node that is the previous sibling
   * of BEFORE (BEFORE 0: the last child of PARENT) or, when there is none, to a new one there.
   * SOURCE: where the run stands in the input, with LANNER_SPANS; else, and for text that waited
   * for the end of a table's part after it was decoded, all 0. */
  bool (*insert_text)(void *tree, lanner_node parent, lanner_node before, lanner_string text,
                      lanner_span source);
  /* Takes NODE out of its parent, if it has one. It may be inserted again. */
  bool (*remove)(void *tree, lanner_node node);
  /* Moves all children of FROM behind those of TO. */
  bool (*move_children)(void *tree, lanner_node from, lanner_node to);
  /* The parent; 0: there is none, also of template contents and shadow roots. */
  lanner_node (*parent)(void *tree, lanner_node node);

  /* --- optional: NULL has the consequence that is named --- */

  /* NULL: the tree has no processing instructions, and nothing that <template for> could change. */
  lanner_node (*create_processing_instruction)(void *tree, lanner_string target,
                                               lanner_string data);
  /* data is NULL in identifiers (and a name) that are missing. NULL: the tree has no DOCTYPE. */
  lanner_node (*create_doctype)(void *tree, lanner_string name, lanner_string public_id,
                                lanner_string system_id);
  /* The fragment that takes the children of a template element; 0 for other nodes. NULL, or 0 for a
   * template: its children are those of the element. */
  lanner_node (*template_contents)(void *tree, lanner_node element);
  /* "Attach a shadow root" to HOST for a template tag with these attributes (shadowrootmode, which
   * OPEN is read from, shadowrootdelegatesfocus, ...). *ROOT: the fragment that takes its children;
   * 0: HOST has a shadow root already or cannot have one, the template stays a template. NULL: as
   * with LANNER_NO_SHADOW. */
  bool (*attach_shadow)(void *tree, lanner_node host, bool open, const lanner_attribute *attributes,
                        uint32_t attribute_count, lanner_node *root);
  /* Adds those attributes that ELEMENT, html or body, does not have yet. NULL: they are lost. */
  bool (*add_attributes)(void *tree, lanner_node element, const lanner_attribute *attributes,
                         uint32_t attribute_count);
  /* The document's mode is not no-quirks. NULL: you need not know. */
  bool (*set_mode)(void *tree, lanner_mode mode);
  /* With LANNER_SPANS: where the start tag of an element, or the whole of a comment, a processing
   * instruction or DOCTYPE stands; told when the node was made. With END_TAG: the end tag that
   * closed NODE, which for templates and shadow roots is what took their children. */
  bool (*note_source)(void *tree, lanner_node node, lanner_span source, bool end_tag);
  /* With LANNER_ERRORS: a parse error, in the order of their positions; lanner_limits.errors limits
   * how many are told. LANNER_STOP ends the parse. */
  int (*error)(void *tree, const lanner_error *error);
  /* The end tag of a script element (HTML or SVG) was handled, the element is complete: the moment
   * to run it. LANNER_PAUSE: nothing behind it is parsed before lanner_tree_resume is called (a
   * parse in pieces; else it means LANNER_CONTINUE). LANNER_STOP ends the parse. What the script
   * writes (document.write) cannot be put in front of the input. */
  int (*script_ended)(void *tree, lanner_node script);
  /* A late meta element declared another encoding, the input is read once more from its beginning
   * (13.2.3.4): throw away all that is in ROOT, and the errors. Numbers of nodes may be used
   * again. NULL: the encoding that was assumed is kept. */
  bool (*start_over)(void *tree);
  /* "Maybe clone an option into selectedcontent" (4.10 of the Standard): OPTION was popped off the
   * stack. For trees that know which option is selected; the parser then leaves selectedcontent
   * elements to them. NULL: the parser fills them itself, with the questions below. */
  bool (*option_popped)(void *tree, lanner_node option);

  /* --- optional questions: all of them, or the parser does without. With them it fills
   * selectedcontent elements and carries out <template for>; else such an element stays empty
   * and such a template stays a template. --- */
  lanner_node (*first_child)(void *tree, lanner_node node);                 /* 0: there is none */
  lanner_node (*next_sibling)(void *tree, lanner_node node);                /* 0: there is none */
  bool (*describe)(void *tree, lanner_node node, lanner_node_facts *facts); /* false: unknown */
  /* An attribute in no namespace; false: there is none. VALUE is never NULL. */
  bool (*get_attribute)(void *tree, lanner_node element, const char *name, size_t length,
                        lanner_string *value);
  /* A copy of NODE in no parent, without its children; of a template with empty contents. */
  lanner_node (*clone_node)(void *tree, lanner_node node);
} lanner_tree_operations;

/* A tree to parse into. Copied; the functions and what they work on are yours. */
typedef struct lanner_tree {
  const lanner_tree_operations *operations;
  void *context;
  /* The Document; for a fragment the node that gets the children (13.4: the root). */
  lanner_node root;
} lanner_tree;

/* The parser: its state, and the text of the page that it works on (until the next one, or
 * lanner_tree_builder_free). It serves one page after the other and keeps its memory. */
typedef struct lanner_tree_builder lanner_tree_builder;

/* ALLOCATOR as for lanner_document_new. NULL when memory is short. */
lanner_tree_builder *lanner_tree_builder_new(const lanner_allocator *allocator);
/* Not while a function of the tree is being called. */
void lanner_tree_builder_free(lanner_tree_builder *builder);

/* Parses a whole page, or with CONTEXT a fragment, as lanner_parse and lanner_parse_fragment do.
 * LANNER_STOPPED: a function failed or asked to stop. LANNER_ERROR_LIMIT: html, head and body are
 * there all the same. Limits on nodes count a run of text that is not next to the last one as a
 * node; limits on memory are about the builder's own. */
lanner_status lanner_tree_parse(lanner_tree_builder *builder, const lanner_tree *tree,
                                const lanner_context *context, const void *bytes, size_t length,
                                const lanner_options *options);

/* The same in pieces, as lanner_parse_begin, _feed and _end. */
lanner_status lanner_tree_begin(lanner_tree_builder *builder, const lanner_tree *tree,
                                const lanner_context *context, const lanner_options *options);
lanner_status lanner_tree_feed(lanner_tree_builder *builder, const void *bytes, size_t length);
lanner_status lanner_tree_end(lanner_tree_builder *builder);

/* script_ended asked for a pause, which lasts. Pieces that are fed meanwhile, and the end, wait. */
bool lanner_tree_paused(const lanner_tree_builder *builder);
/* Goes on after a pause, possibly to the next one. LANNER_ERROR_STATE: there is none. */
lanner_status lanner_tree_resume(lanner_tree_builder *builder);

/* Somebody else moved or removed nodes that the parser made (a script, between pieces or inside of
 * script_ended). Needed for selectedcontent and <template for>, which then look at the tree where
 * they knew the way. Holds to the end of the parse. */
void lanner_tree_changed(lanner_tree_builder *builder);

/* For questions about the parse: a document that has no nodes, which lanner_document_mode, _limits,
 * _limit_offset, _encoding, _encoding_source, _encoding_confidence, _error_total and _memory can be
 * asked. As long lived as BUILDER; NULL for NULL. */
const lanner_document *lanner_tree_builder_document(const lanner_tree_builder *builder);

#ifdef __cplusplus
}
#endif
#endif
