/* tree.h - one instance of the tree builder. The including unit (src/lanner.c) defines
 *
 *   FN(name)          name with the instance's suffix
 *   CHECKED           1: errors, positions and spans are recorded; 0: none of that code exists
 *   TREE_OPS          the operations header: "tree/ops_document.h", "tree/ops_table.h", "tree/ops_null.h"
 *   TREE_ERROR(P, c)  records a parse error, at the start of the token
 *   TREE_META(P)      a meta element was inserted: its attributes may change the encoding
 *
 * No include guard. Order: each header calls the ones above it.
 */
#include "tree/memory.h"
#include "tree/quirks.h"

#include TREE_OPS
#include "tree/insert.h"
#include "tree/actions.h"
#include "tree/adoption.h"
#include "tree/foreign.h"
#include "tree/modes.h"
#include "tree/dispatch.h"
