/* The smallest complete program: prints the link targets of the page on standard input. */
#include <lanner.h>
#include <stdio.h>

int main(void) {
  static char page[1 << 20];
  size_t length = fread(page, 1, sizeof page, stdin);
  lanner_document *document = lanner_document_new(NULL);
  if (!document || lanner_parse(document, page, length, NULL) != LANNER_OK) return 1;
  lanner_node node = LANNER_DOCUMENT_NODE;
  while ((node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) != 0) {
    lanner_string href;
    if (lanner_get_attribute(document, node, "href", 4, &href))
      printf("%.*s\n", (int)href.length, href.data);
  }
  lanner_document_free(document);
  return 0;
}
