/* attributes.h - html and body collect the attributes of all their start tags (13.2.6.4.7): the
 * ones that the element does not have yet are added. Included once an instance by
 * ops_document.h. However many tags there are, the work is linear: blocks of attributes that move
 * get room to double in, and a set of names is kept for long ones.
 */

/* Slot of NAME in the set of ROOT (0: html, 1: body); the set has room. */
static u32 *FN(root_slot)(struct roots *r, u32 name) {
  u32 mask = r->slot_count - 1, i = name * 2654435761u >> 7 & mask;
  while (r->slots[i] && r->slots[i] != name) i = (i + 1) & mask;
  return &r->slots[i];
}

/* A set of the names of N's attributes, with room for MORE. */
static bool FN(root_set)(struct parser *P, struct roots *r, const struct node *n, u32 more) {
  lanner_document *d = P->document;
  u32 count = 64;
  while (count < 2 * (n->b + more)) count *= 2;
  if (count > r->slot_capacity) {
    u32 *slots =
        heap_resize(&d->heap, r->slots, r->slot_capacity * sizeof *slots, count * sizeof *slots);
    if (!slots) return store_failed(d);
    r->slots = slots;
    r->slot_capacity = count;
  }
  if (!r->filled || count > r->slot_count) {
    r->slot_count = count;
    memset(r->slots, 0, r->slot_count * sizeof *r->slots);
    for (u32 i = 0; i < n->b; i++) {
      u32 name = attribute_name(&d->attributes[n->a + i]);
      *FN(root_slot)(r, name) = name;
    }
    r->filled = true;
  }
  return true;
}

/* Adds the token's attributes that ELEMENT lacks. WHICH: 0 html, 1 body. */
static COLD void FN(op_add_attributes)(struct parser *P, u32 element, u32 which) {
  lanner_document *d = P->document;
  struct node *n = &d->nodes[element];
  struct roots *r = &P->tree->roots[which];
  u32 first = P->token.attribute_first, count = P->token.attribute_count, added = 0;
  if (count == 0) return;
  if (d->edited) r->filled = false;
  bool large = n->b + count > 16;
  if (large && !FN(root_set)(P, r, n, count)) goto failed;
  /* The new ones, moved together at the beginning of the token's block. */
  for (u32 i = first; i < first + count; i++) {
    u32 name = attribute_name(&d->attributes[i]);
    if (large) {
      u32 *slot = FN(root_slot)(r, name);
      if (*slot) continue;
      *slot = name;
    } else {
      u32 j = n->a;
      while (j < n->a + n->b && attribute_name(&d->attributes[j]) != name) j++;
      if (j < n->a + n->b) continue;
    }
    d->attributes[first + added++] = d->attributes[i];
  }
  if (!large) r->filled = false;
  d->attribute_count = first + added;
  if (added == 0) return;
  if (n->a + n->b == first) { /* right behind the element's own */
    n->b += added;
    return;
  }
  if (r->first != n->a || r->capacity < n->b + added) {
    u32 capacity = 2 * (n->b + added);
    if (!store_reserve_attributes(d, capacity)) goto failed;
    u32 to = d->attribute_count;
    if (n->b) memcpy(d->attributes + to, d->attributes + n->a, n->b * sizeof(attribute));
    d->attribute_count = to + capacity;
    n->a = r->first = to;
    r->capacity = capacity;
  }
  memcpy(d->attributes + n->a + n->b, d->attributes + first, added * sizeof(attribute));
  n->b += added;
  if (d->attribute_count == first + added) d->attribute_count = first;
  return;
failed:
  FN(op_drop_attributes)(P);
  P->stop = (uint8_t)(d->status ? d->status : LANNER_ERROR_MEMORY);
}
