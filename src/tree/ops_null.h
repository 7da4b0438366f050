/* ops_null.h - operations of the tree builder over no tree: the exact token mode. All decisions
 * about tokens are made on the stack of open elements, so a node is only a number that differs
 * from the others. The same functions as ops_document.h, where they are explained.
 */

#undef OPS_KEEP_TEXT
#define OPS_KEEP_TEXT 0

INLINE u32 FN(next_number)(struct parser *P) {
  u32 number = ++P->tree->numbers;
  if (LIKELY(number != 0)) return number;
  P->tree->room = 0; /* it counts them */
  return P->tree->numbers = 2;
}
INLINE bool FN(op_reserve)(struct parser *P, u32 nodes) {
  (void)P;
  (void)nodes;
  return true;
}
INLINE u32 FN(op_made)(const struct parser *P) { return P->tree->numbers; }
INLINE u32 FN(op_room)(const struct parser *P) {
  return P->tree->numbers < UINT32_MAX - 4096 ? 4096 : 64; /* numbers may begin again */
}
INLINE bool FN(op_at_limit)(const struct parser *P) {
  (void)P;
  return false;
}
INLINE u32 FN(op_document)(struct parser *P) {
  (void)P;
  return LANNER_DOCUMENT_NODE;
}
INLINE void FN(op_note_source)(struct parser *P, u32 id) {
  (void)P;
  (void)id;
}
INLINE u32 FN(op_create_element)(struct parser *P, u32 space, u32 name, u32 first, u32 count,
                                 bool shared) {
  (void)space;
  (void)name;
  (void)first;
  (void)count;
  (void)shared;
  return FN(next_number)(P);
}
INLINE u32 FN(op_create_contents)(struct parser *P, u32 element, u32 flags) {
  (void)element;
  (void)flags;
  return FN(next_number)(P);
}
INLINE u32 FN(op_create_fragment)(struct parser *P) { return FN(next_number)(P); }
INLINE u32 FN(op_create_comment)(struct parser *P) { return FN(next_number)(P); }
INLINE u32 FN(op_create_pi)(struct parser *P) { return FN(next_number)(P); }
INLINE u32 FN(op_create_doctype)(struct parser *P) { return FN(next_number)(P); }
INLINE void FN(op_append)(struct parser *P, u32 parent, u32 child) {
  (void)P;
  (void)parent;
  (void)child;
}
INLINE void FN(op_insert)(struct parser *P, u32 parent, u32 child, u32 reference) {
  (void)P;
  (void)parent;
  (void)child;
  (void)reference;
}
INLINE void FN(op_remove)(struct parser *P, u32 child) {
  (void)P;
  (void)child;
}
INLINE u32 FN(op_parent)(struct parser *P, u32 id) {
  (void)P;
  (void)id;
  return 0;
}
INLINE void FN(op_move_children)(struct parser *P, u32 from, u32 to) {
  (void)P;
  (void)from;
  (void)to;
}
INLINE u32 FN(op_contents)(struct parser *P, u32 id) {
  (void)P;
  return id;
}
INLINE u32 FN(op_level_above)(struct parser *P, u32 place) {
  (void)P;
  return place;
}
INLINE bool FN(op_is_inside)(struct parser *P, u32 id, u32 ancestor) {
  (void)P;
  (void)id;
  (void)ancestor;
  return false;
}
INLINE bool FN(op_append_text)(struct parser *P, u32 parent, slice text) {
  (void)P;
  (void)parent;
  (void)text;
  return true;
}
INLINE void FN(op_insert_text)(struct parser *P, u32 parent, u32 reference, slice text) {
  (void)P;
  (void)parent;
  (void)reference;
  (void)text;
}
INLINE bool FN(op_is_document)(struct parser *P, u32 id) {
  (void)P;
  (void)id;
  return false;
}
INLINE void FN(op_set_mode)(struct parser *P, lanner_mode mode) { P->tree->mode_of_null = mode; }
INLINE lanner_mode FN(op_mode)(struct parser *P) { return P->tree->mode_of_null; }
INLINE void FN(op_drop_attributes)(struct parser *P) { (void)P; }
INLINE void FN(op_note_end)(struct parser *P, u32 id) {
  (void)P;
  (void)id;
}
INLINE void FN(op_set_root)(struct parser *P, u32 root) {
  (void)P;
  (void)root;
}
INLINE bool FN(op_was_changed)(struct parser *P) {
  (void)P;
  return false;
}
INLINE void FN(op_add_attributes)(struct parser *P, u32 element, u32 which) {
  (void)P;
  (void)element;
  (void)which;
}
INLINE void FN(op_place_in_patch)(struct parser *P, u32 position, u32 *parent, u32 *reference) {
  (void)P;
  (void)position;
  (void)parent;
  (void)reference;
}
INLINE void FN(op_note_marker)(struct parser *P, u32 id, bool usual) {
  (void)P;
  (void)id;
  (void)usual;
}
INLINE void FN(op_selectedcontent)(struct parser *P) { (void)P; }
INLINE void FN(op_option_popped)(struct parser *P, u32 id) {
  (void)P;
  (void)id;
}
/* A template is on the stack the same way, whatever becomes of it in a tree. */
INLINE bool FN(op_attach_shadow)(struct parser *P) {
  (void)P;
  return false;
}
INLINE bool FN(op_begin_patch)(struct parser *P, u32 scope, bool in_body) {
  (void)P;
  (void)scope;
  (void)in_body;
  return false;
}
INLINE void FN(op_end_patch)(struct parser *P) { (void)P; }
