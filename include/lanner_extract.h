/* lanner_extract.h - links, metadata and readable text of a parsed page.
 *
 * One call walks the tree once and collects what its flags ask for. The rules of lanner.h hold
 * here too. Strings of the result point into the document where they stand there as they are, else
 * into the extractor; they stay valid until the document changes or the extractor is run again.
 */
#ifndef LANNER_EXTRACT_H
#define LANNER_EXTRACT_H

#include "lanner.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  LANNER_EXTRACT_LINKS = 1 << 0,
  LANNER_EXTRACT_META = 1 << 1,
  LANNER_EXTRACT_TEXT = 1 << 2,
  /* Those below add to LINKS or TEXT, as they say, and do nothing without it. */
  /* Links: the text inside a and area elements (of area: its alt). */
  LANNER_EXTRACT_LINK_TEXT = 1 << 3,
  /* Text: where each piece comes from (parse with LANNER_SPANS). */
  LANNER_EXTRACT_PIECES = 1 << 4,
  /* Text: the main content only, see below. */
  LANNER_EXTRACT_MAIN = 1 << 5,
  /* Text and link text: the alt text of images stands in their place. */
  LANNER_EXTRACT_ALT = 1 << 6,
  /* Text: " (URL)" behind the text of links, the URL as resolved, else as given. */
  LANNER_EXTRACT_INLINE_LINKS = 1 << 7
  /* Other bits are refused: LANNER_ERROR_ARGUMENT. */
};

/* Makes an absolute URL of VALUE, which stands in the page; false when it is none. *URL stays
 * valid until the extractor is run again. */
typedef bool (*lanner_resolve)(void *context, lanner_string value, lanner_string *url);

typedef struct lanner_extract_options {
  size_t size;            /* sizeof(lanner_extract_options): lets the struct grow */
  uint32_t flags;         /* LANNER_EXTRACT_LINKS ... */
  lanner_resolve resolve; /* NULL: no URLs, raw values only */
  void *resolve_context;
} lanner_extract_options;

/* Fills OPTIONS: links, metadata and text, nothing resolved. */
void lanner_extract_options_init(lanner_extract_options *options);

typedef struct lanner_extract lanner_extract;

/* An extractor, to be run on any number of documents. ALLOCATOR may be NULL (the C library's
 * heap). NULL when memory is short. */
lanner_extract *lanner_extract_new(const lanner_allocator *allocator);
void lanner_extract_free(lanner_extract *extract);

/* The href of the base element that counts: the first in tree order that has one, wherever it
 * stands. False when there is none. A resolver needs it before the extractor is run. */
bool lanner_extract_base(const lanner_document *document, lanner_string *href);

/* Collects what OPTIONS (NULL: defaults) ask for, replacing what was collected before. On
 * LANNER_ERROR_MEMORY what was collected so far can be read. */
lanner_status lanner_extract_run(lanner_extract *extract, const lanner_document *document,
                                 const lanner_extract_options *options);

/* True: the page has more links than the extractor takes (all together 16 times the page's size and
 * 1 MiB, at most 256 MiB): the further ones were left out. Happens to pages that were made for it. */
bool lanner_extract_cut(const lanner_extract *extract);

/* Gives memory back that the last result does not need. */
void lanner_extract_trim(lanner_extract *extract);
/* Bytes held. */
size_t lanner_extract_memory(const lanner_extract *extract);

/* ---------------------------------------------------------------------------------------------
 * Links, in tree order; of one element, in the order of its attributes.
 *
 * What counts: a, area, link [href], form [action], iframe, frame, script, embed, audio, track [src],
 * img, source [src, srcset], video [src, poster], object [data], input with type=image [src],
 * blockquote, q, del, ins [cite], meta refresh [content], and href and xlink:href of SVG elements, of
 * those with a name of HTML only a, image and script.
 * Each URL of a srcset is a link of its own. The text of a link ends where another link begins inside
 * it. Template contents do not count (nothing loads them), declarative shadow roots do.
 */
typedef struct lanner_link {
  lanner_node node;
  lanner_string element;
  lanner_string attribute; /* qualified */
  lanner_string value;     /* as it stands in the attribute */
  lanner_string url;       /* resolved; data is NULL when it does not parse or nothing resolves */
  lanner_string rel;       /* data is NULL when there is none */
  lanner_string text;      /* data is NULL unless asked for; whitespace collapsed */
} lanner_link;

const lanner_link *lanner_extract_links(const lanner_extract *extract, size_t *count);

/* ---------------------------------------------------------------------------------------------
 * Metadata. A string whose data is NULL was not given. Where several elements give the same thing,
 * the first one counts. URLs are resolved when a resolver was given and the URL parses, else as they
 * stand in the page.
 */

/* Directives of a robots meta element. */
enum {
  LANNER_ROBOTS_NOINDEX = 1 << 0,
  LANNER_ROBOTS_NOFOLLOW = 1 << 1,
  LANNER_ROBOTS_NOARCHIVE = 1 << 2,
  LANNER_ROBOTS_NOSNIPPET = 1 << 3,
  LANNER_ROBOTS_NOIMAGEINDEX = 1 << 4,
  LANNER_ROBOTS_NOTRANSLATE = 1 << 5,
  LANNER_ROBOTS_NOODP = 1 << 6,
  LANNER_ROBOTS_INDEXIFEMBEDDED = 1 << 7,
  LANNER_ROBOTS_NOAI = 1 << 8,
  LANNER_ROBOTS_NOIMAGEAI = 1 << 9,
  LANNER_ROBOTS_INDEX = 1 << 10, /* said, not just implied */
  LANNER_ROBOTS_FOLLOW = 1 << 11
};

typedef struct lanner_robots {
  lanner_string bot;   /* "robots" for all, or the bot's name as given */
  lanner_string value; /* as it stands in the page */
  uint32_t flags;      /* "none" is NOINDEX and NOFOLLOW, "all" is INDEX and FOLLOW */
} lanner_robots;

/* Reads a list of directives (also those of an X-Robots-Tag field). */
uint32_t lanner_robots_flags(const char *value, size_t length);

/* A named value: an Open Graph property, a date, ... */
typedef struct lanner_property {
  lanner_string name;
  lanner_string value;
} lanner_property;

/* What link elements point to. */
typedef struct lanner_alternate {
  lanner_string url;
  lanner_string rel;      /* as given */
  lanner_string hreflang; /* these: data is NULL when not given */
  lanner_string type;
  lanner_string title;
  lanner_string media;
  lanner_string sizes;
} lanner_alternate;

typedef struct lanner_meta {
  lanner_string title;    /* of the first title element; whitespace stripped and collapsed */
  lanner_string language; /* lang (xml:lang) of html, else a content-language meta */
  lanner_string charset;  /* as declared by a meta element */
  lanner_string description;
  lanner_string keywords;
  lanner_string author;
  lanner_string generator;
  lanner_string base; /* href of the base element, as it stands there */
  lanner_string canonical;
  lanner_string amp; /* link rel=amphtml */
  lanner_string previous, next;
  lanner_string refresh_url; /* meta refresh; the page itself when it names no URL: data is NULL */
  int64_t refresh_seconds;   /* -1: no refresh */
  bool microdata;            /* an itemscope attribute stands somewhere */
  bool rdfa;                 /* a typeof or vocab attribute does */
  const lanner_robots *robots;
  const lanner_alternate *alternates; /* rel=alternate, not feeds */
  const lanner_alternate *feeds;      /* rel=alternate with the type of a feed */
  const lanner_alternate *icons;
  const lanner_property
      *open_graph; /* og:, article:, book:, profile:, music:, video:, product:, fb: */
  const lanner_property *twitter;
  const lanner_property *dates; /* from meta and time elements, the values as given */
  const lanner_string *json_ld; /* raw text of each block */
  size_t robots_count, alternate_count, feed_count, icon_count;
  size_t open_graph_count, twitter_count, date_count, json_ld_count;
} lanner_meta;

/* All empty unless LANNER_EXTRACT_META was given. Valid until the extractor is run again. */
const lanner_meta *lanner_extract_meta(const lanner_extract *extract);

/* ---------------------------------------------------------------------------------------------
 * Text: what innerText of body would give if there were no style sheets but the browser's own.
 *
 * Blocks begin lines, paragraphs stand apart by an empty line, br breaks the line (the last one of a
 * block shows no line of its own), rows of tables are lines and their cells are divided by tabs, pre
 * keeps its whitespace, elsewhere it is collapsed. Not shown: head, script, style, template,
 * noscript, textarea, datalist, dialog unless open, what has a hidden attribute (but for
 * hidden=until-found), rp, the fallback of audio, video, canvas, iframe, and SVG's and MathML's
 * title, desc, metadata and annotations. Details are shown whether open or not.
 *
 * The main content (LANNER_EXTRACT_MAIN) is found by few rules, none of which reads more than names,
 * roles and amounts of text:
 * 1. When main elements (or role=main) hold at least 200 bytes of text, only they are read.
 *    Otherwise, when article elements do, only they; otherwise body.
 * 2. nav, aside, footer, menu, form controls and dialog are dropped, header too unless it stands in
 *    main or article; and what has the role navigation, banner, contentinfo, complementary, search,
 *    menu, menubar, toolbar, dialog or alertdialog.
 * 3. Lists of links are dropped: any ul, ol, dl, table, tr, td, div, section or p with at least 3
 *    links whose text is two thirds or more of its text.
 * 4. Elements whose class or id has one of the words nav, navbar, navigation, menu, breadcrumb,
 *    breadcrumbs, sidebar, footer, cookie, cookies, consent, share, sharing, social, related, promo,
 *    advert, advertisement, ads, newsletter, pagination, pager, skip (words divided by anything but
 *    letters and digits; not behind has, no, with, without) are dropped, but for main and article.
 * Rules 3 and 4 leave elements alone that hold more than a third of all text.
 */
lanner_string lanner_extract_text(const lanner_extract *extract);

/* A piece of the text and where it comes from. Pieces are in order and do not overlap; separators
 * (spaces, newlines, tabs that were put in) are in no piece. */
typedef struct lanner_text_piece {
  size_t begin, end; /* bytes of the text */
  lanner_span span;  /* bytes of the input: the piece itself when EXACT, else lanner_node_span */
  lanner_node node;
  bool exact;
} lanner_text_piece;

const lanner_text_piece *lanner_extract_pieces(const lanner_extract *extract, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
