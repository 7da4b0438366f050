/* test_extract.c - links, metadata and text of small pages, and sentences of real ones. */
#include "lanner_extract.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lanner_document *document;
static lanner_extract *extract;

/* Resolves by putting the value in angle brackets: shows what was asked for. Values with a '!' do
 * not resolve. */
static bool resolve(void *context, lanner_string value, lanner_string *url) {
  char *room = context;
  static size_t used;
  if (value.length > 0 && memchr(value.data, '!', value.length) != NULL) return false;
  if (used + value.length + 2 > 4096) used = 0;
  url->data = room + used;
  url->length = value.length + 2;
  room[used++] = '<';
  memcpy(room + used, value.data, value.length);
  used += value.length;
  room[used++] = '>';
  return true;
}

static bool begin(const char *html, uint32_t parse_flags, uint32_t flags, bool resolving) {
  static char room[4096];
  lanner_options parse;
  lanner_options_init(&parse);
  parse.flags = parse_flags;
  parse.encoding = "utf-8";
  document = lanner_document_new(NULL);
  extract = lanner_extract_new(NULL);
  lanner_extract_options options;
  lanner_extract_options_init(&options);
  options.flags = flags;
  if (resolving) {
    options.resolve = resolve;
    options.resolve_context = room;
  }
  return TEST_CHECK(document != NULL && extract != NULL) &&
         TEST_CHECK(lanner_parse(document, html, strlen(html), &parse) == LANNER_OK) &&
         TEST_CHECK(lanner_extract_run(extract, document, &options) == LANNER_OK);
}

static void end(void) {
  lanner_extract_free(extract);
  lanner_document_free(document);
}

static bool is(lanner_string s, const char *text) {
  if (text == NULL) return s.data == NULL;
  return s.data != NULL && s.length == strlen(text) && memcmp(s.data, text, s.length) == 0;
}

/* --- links --- */

typedef struct link {
  const char *element, *attribute, *value, *rel, *text;
} link;

static void check_links(const char *html, const link *expected, size_t count) {
  if (begin(html, 0, LANNER_EXTRACT_LINKS | LANNER_EXTRACT_LINK_TEXT, false)) {
    size_t found;
    const lanner_link *links = lanner_extract_links(extract, &found);
    TEST_CHECK_MSG(found == count, "%zu links for %zu: %s", found, count, html);
    for (size_t i = 0; i < found && i < count; i++) {
      TEST_CHECK_MSG(is(links[i].element, expected[i].element) &&
                         is(links[i].attribute, expected[i].attribute) &&
                         is(links[i].value, expected[i].value) &&
                         is(links[i].rel, expected[i].rel) &&
                         (expected[i].text == NULL || is(links[i].text, expected[i].text)),
                     "link %zu: %.*s %.*s '%.*s' text '%.*s'", i, (int)links[i].element.length,
                     links[i].element.data, (int)links[i].attribute.length, links[i].attribute.data,
                     (int)links[i].value.length, links[i].value.data, (int)links[i].text.length,
                     links[i].text.data != NULL ? links[i].text.data : "");
    }
  }
  end();
}
#define CHECK_LINKS(html, ...)                                                                     \
  do {                                                                                             \
    const link expected[] = {__VA_ARGS__};                                                         \
    check_links(html, expected, sizeof expected / sizeof expected[0]);                             \
  } while (0)

void test_extract_links(void) {
  CHECK_LINKS("<a href=1 rel='nofollow me'> one <b>two</b>\n<div>three</div>four</a><a>none</a>",
              {"a", "href", "1", "nofollow me", "one two three four"});
  CHECK_LINKS("<map><area href=1 alt='the alt'></map>", {"area", "href", "1", NULL, "the alt"});
  CHECK_LINKS("<link rel=next href=n><form action=f></form><iframe src=i></iframe>"
              "<script src=s></script><embed src=e><audio src=a></audio><video src=v poster=p>"
              "<track src=t><source src=w></video><object data=o></object>",
              {"link", "href", "n", "next", NULL}, {"form", "action", "f", NULL, NULL},
              {"iframe", "src", "i", NULL, NULL}, {"script", "src", "s", NULL, NULL},
              {"embed", "src", "e", NULL, NULL}, {"audio", "src", "a", NULL, NULL},
              {"video", "src", "v", NULL, NULL}, {"video", "poster", "p", NULL, NULL},
              {"track", "src", "t", NULL, NULL}, {"source", "src", "w", NULL, NULL},
              {"object", "data", "o", NULL, NULL});
  CHECK_LINKS("<frameset><frame src=1></frameset>", {"frame", "src", "1", NULL, NULL});
  CHECK_LINKS(
      "<input src=no><input type=IMAGE src=yes><blockquote cite=b></blockquote><q cite=q></q>"
      "<ins cite=i></ins><del cite=d></del>",
      {"input", "src", "yes", NULL, NULL}, {"blockquote", "cite", "b", NULL, NULL},
      {"q", "cite", "q", NULL, NULL}, {"ins", "cite", "i", NULL, NULL},
      {"del", "cite", "d", NULL, NULL});
  /* Commas at the end of a candidate end it; data URLs hold commas. */
  CHECK_LINKS("<img src=s srcset=' a.png 1x, b.png 2x,c.png,, data:,x 3x , d.png (a,b) 4x'>",
              {"img", "src", "s", NULL, NULL}, {"img", "srcset", "a.png", NULL, NULL},
              {"img", "srcset", "b.png", NULL, NULL}, {"img", "srcset", "c.png", NULL, NULL},
              {"img", "srcset", "data:,x", NULL, NULL}, {"img", "srcset", "d.png", NULL, NULL});
  CHECK_LINKS(
      "<meta http-equiv=Refresh content=' 5 ; URL = \"a b\" x'><meta http-equiv=refresh content=5>"
      "<meta http-equiv=refresh content='0,u'><meta http-equiv=refresh content='x;url=u'>",
      {"meta", "content", "a b", NULL, NULL}, {"meta", "content", "u", NULL, NULL});
  CHECK_LINKS("<svg><a xlink:href=1 href=2>t</a><use href=#u /><image xlink:href=i.png /></svg>"
              "<math href=no></math>",
              {"a", "xlink:href", "1", NULL, "t"}, {"a", "href", "2", NULL, NULL},
              {"use", "href", "#u", NULL, NULL}, {"image", "xlink:href", "i.png", NULL, NULL});
  /* base, link and area mean nothing in SVG; names that are not known may. */
  CHECK_LINKS("<svg><base href=no /><link href=no /><area href=no /><input type=image href=no />"
              "<script href=s></script><mpath href=#m /><linearGradient href=#g /></svg><a href=y>",
              {"script", "href", "s", NULL, NULL}, {"mpath", "href", "#m", NULL, NULL},
              {"linearGradient", "href", "#g", NULL, NULL}, {"a", "href", "y", NULL, ""});
  /* What nothing loads; what a shadow root shows. */
  CHECK_LINKS("<template><a href=no></a></template><noscript><img src=yes></noscript>"
              "<div><template shadowrootmode=open><a href=shadow>s</a></template><a href=light></a>"
              "</div>",
              {"img", "src", "yes", NULL, NULL}, {"a", "href", "shadow", NULL, "s"},
              {"a", "href", "light", NULL, ""});
  CHECK_LINKS("<a href=1>a<script>no</script><style>no</style>b</a>",
              {"a", "href", "1", NULL, "ab"});
  CHECK_LINKS("<svg><a href=1>x<a href=2>y</a>z</a></svg>", {"a", "href", "1", NULL, "x"},
              {"a", "href", "2", NULL, "y"});
}

void test_extract_resolving(void) {
  if (begin("<svg><base href=no></svg><math><base href=no></math><a href=1>t</a>", 0,
            LANNER_EXTRACT_LINKS | LANNER_EXTRACT_META, true)) {
    lanner_string base;
    TEST_CHECK(!lanner_extract_base(document, &base));
    TEST_CHECK(lanner_extract_meta(extract)->base.data == NULL);
  }
  end();
  if (begin("<base target=x><a href=1>t</a><base href=' b '><base href=c><a href='2!'>u</a>", 0,
            LANNER_EXTRACT_LINKS | LANNER_EXTRACT_META, true)) {
    size_t count;
    lanner_string base;
    const lanner_link *links = lanner_extract_links(extract, &count);
    TEST_CHECK(lanner_extract_base(document, &base) && is(base, " b "));
    TEST_CHECK(is(lanner_extract_meta(extract)->base, "b"));
    if (TEST_CHECK(count == 2)) {
      TEST_CHECK(is(links[0].url, "<1>") && is(links[1].url, NULL) && is(links[1].value, "2!"));
      TEST_CHECK(is(links[0].text, NULL));
    }
  }
  end();
  if (begin("<template><base href=no></template>", 0, 0, false))
    TEST_CHECK(!lanner_extract_base(document, NULL));
  end();
}

/* --- metadata --- */

void test_extract_meta(void) {
  static const char page[] =
      "<html xml:lang=xx lang=de-AT><head><meta charset=utf-8><title>\n A\n  title </title>"
      "<title>another</title><meta name=Description content=' d '><meta name=keywords content=k>"
      "<meta name=author content=a><meta name=generator content=g>"
      "<meta name=robots content='NoIndex, nofollow'><meta name=googlebot content=none>"
      "<link rel='Canonical' href=can><link rel=amphtml href=amp><link rel=prev href=p>"
      "<link rel=next href=n><link rel='shortcut icon' href=i sizes=16x16>"
      "<link rel=alternate hreflang=fr href=fr><link rel='alternate stylesheet' href=no>"
      "<link rel=alternate type=application/rss+xml title=T href=feed>"
      "<meta http-equiv=refresh content='7;url=r'><meta property=og:title content=O>"
      "<meta property=article:published_time content=2020-01-02><meta name=twitter:card content=c>"
      "<script type='application/ld+json'>{\"a\": \"</b>\"}</script>"
      "<script type=text/javascript>no</script></head><body><div itemscope vocab=x>"
      "<time datetime=2021>then</time><svg><title>no</title></svg>";
  if (begin(page, 0, LANNER_EXTRACT_META, true)) {
    const lanner_meta *m = lanner_extract_meta(extract);
    TEST_CHECK(is(m->title, "A title") && is(m->language, "de-AT") && is(m->charset, "utf-8"));
    TEST_CHECK(is(m->description, "d") && is(m->keywords, "k") && is(m->author, "a") &&
               is(m->generator, "g") && is(m->base, NULL));
    TEST_CHECK(is(m->canonical, "<can>") && is(m->amp, "<amp>") && is(m->previous, "<p>") &&
               is(m->next, "<n>"));
    TEST_CHECK(m->refresh_seconds == 7 && is(m->refresh_url, "<r>"));
    TEST_CHECK(m->microdata && m->rdfa);
    if (TEST_CHECK(m->robots_count == 2)) {
      TEST_CHECK(is(m->robots[0].bot, "robots") && is(m->robots[1].bot, "googlebot"));
      TEST_CHECK(m->robots[0].flags == (LANNER_ROBOTS_NOINDEX | LANNER_ROBOTS_NOFOLLOW));
      TEST_CHECK(m->robots[1].flags == m->robots[0].flags);
    }
    TEST_CHECK(m->icon_count == 1 && is(m->icons[0].url, "<i>") && is(m->icons[0].sizes, "16x16"));
    TEST_CHECK(m->alternate_count == 1 && is(m->alternates[0].hreflang, "fr"));
    TEST_CHECK(m->feed_count == 1 && is(m->feeds[0].title, "T"));
    TEST_CHECK(m->open_graph_count == 2 && is(m->open_graph[0].name, "og:title") &&
               is(m->open_graph[0].value, "O"));
    TEST_CHECK(m->twitter_count == 1 && is(m->twitter[0].value, "c"));
    TEST_CHECK(m->date_count == 2 && is(m->dates[0].value, "2020-01-02") &&
               is(m->dates[1].value, "2021"));
    TEST_CHECK(m->json_ld_count == 1 && is(m->json_ld[0], "{\"a\": \"</b>\"}"));
  }
  end();
  if (begin("<meta http-equiv=content-type content='text/html; charset = koi8-r ;x'>"
            "<meta http-equiv=content-language content=ru><p>",
            0, LANNER_EXTRACT_META, false)) {
    const lanner_meta *m = lanner_extract_meta(extract);
    TEST_CHECK(is(m->charset, "koi8-r") && is(m->language, "ru") && is(m->title, NULL));
    TEST_CHECK(m->refresh_seconds == -1 && !m->microdata && !m->rdfa && m->robots_count == 0);
  }
  end();
  TEST_CHECK(lanner_robots_flags("all; max-snippet:5, NOAI", 24) ==
             (LANNER_ROBOTS_INDEX | LANNER_ROBOTS_FOLLOW | LANNER_ROBOTS_NOAI));
}

/* --- text --- */

static void check_text_with(const char *html, uint32_t flags, const char *expected) {
  if (begin(html, 0, LANNER_EXTRACT_TEXT | flags, (flags & LANNER_EXTRACT_INLINE_LINKS) != 0)) {
    lanner_string text = lanner_extract_text(extract);
    TEST_CHECK_MSG(is(text, expected), "%s\n gives '%.*s'\n not   '%s'", html, (int)text.length,
                   text.data, expected);
  }
  end();
}

static void check_text(const char *html, const char *expected) {
  check_text_with(html, 0, expected);
}

void test_extract_text(void) {
  check_text("", "");
  check_text("  a  <b> b\n</b>\tc ", "a b c");
  check_text("a<b>b</b>c", "abc");
  check_text("<p>one<p>two<div>three</div>four", "one\n\ntwo\n\nthree\nfour");
  check_text("<div><div><p> </p></div></div>x", "x");
  check_text("a<br>b<br><br>c<br>", "a\nb\n\nc");
  check_text("<div>a<br></div><div>b</div>", "a\nb");
  check_text("a <br> b", "a\nb");
  check_text("a&nbsp; b", "a\xC2\xA0 b");
  check_text("<ul><li>1<li>2<ul><li>3</ul></ul>4", "1\n2\n3\n4");
  check_text("<table><tr><td>a<td>b<td><tr><th>c<td></td><td>d</table>e", "a\tb\nc\t\td\ne");
  check_text("<table><tr><td><p>a</p></td><td><div>b</div></td></tr></table>", "a\tb");
  check_text("<table><caption>t</caption><tbody><tr><td>a</tbody><tfoot><tr><td>b</table>",
             "t\na\nb");
  check_text("x<pre> a\n  b\t\n\nc\n</pre>y", "x\n a\n  b\t\n\nc\ny");
  check_text("a<script>s</script><style>t</style><template>u</template><noscript>n</noscript>b",
             "ab");
  check_text("<title>t</title>a<textarea>no</textarea><iframe>no</iframe>", "a");
  check_text(
      "a<div hidden>no</div><div hidden=until-found>b</div><dialog>no</dialog><dialog open>c",
      "a\nb\nc");
  check_text("<select><option>1<option>2</select>", "1\n2");
  check_text("<details><summary>s</summary>d</details>", "s\nd");
  check_text("<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>", "ab");
  check_text("<svg><title>no</title><text>a</text><text>b</text></svg>", "a\nb");
  check_text("<math><mi>x</mi><annotation>no</annotation></math>", "x");
  check_text("<video>no</video><canvas>no</canvas><object>fallback</object>", "fallback");
  check_text("<div><template shadowrootmode=open>shadow <slot></slot></template>light</div>",
             "shadow light");
  check_text("<h1>h</h1><hr><address>a</address>", "h\na");
  check_text("a<!-- c -->b", "ab");
  check_text_with("a <img alt='the cat'> b", LANNER_EXTRACT_ALT, "a the cat b");
  check_text_with("a <img alt='the cat'> b", 0, "a b");
  check_text_with("<a href=1>one</a>, <a href=#x>two</a> <a href='3!'>three</a>",
                  LANNER_EXTRACT_INLINE_LINKS, "one (<1>), two three (3!)");
}

void test_extract_main(void) {
  static const char sentence[] =
      "This sentence is long enough to count as content, all by itself, and says so at length. ";
  char page[4096];
  snprintf(
      page, sizeof page,
      "<header>head</header><nav><a href=1>n</a></nav><main><header>title</header><p>%s%s%s</p>"
      "<ul><li><a href=1>one link</a><li><a href=2>two link</a><li><a href=3>three</a></ul>"
      "<aside>aside</aside><div class='social share'>share</div></main><footer>foot</footer>",
      sentence, sentence, sentence);
  char expected[4096];
  snprintf(expected, sizeof expected, "title\n\n%s%s%.*s", sentence, sentence,
           (int)sizeof sentence - 2, sentence);
  check_text_with(page, LANNER_EXTRACT_MAIN, expected);
  snprintf(page, sizeof page,
           "<div id=nav>n</div><div class='x menu'>m</div><header>h</header>"
           "<div role=navigation>r</div><button>b</button><p>%s</p>",
           sentence);
  snprintf(expected, sizeof expected, "%.*s", (int)sizeof sentence - 2, sentence);
  check_text_with(page, LANNER_EXTRACT_MAIN, expected);
  snprintf(page, sizeof page, "<p>outside</p><article><header>h</header><p>%s%s%s</p></article>",
           sentence, sentence, sentence);
  snprintf(expected, sizeof expected, "h\n\n%s%s%.*s", sentence, sentence, (int)sizeof sentence - 2,
           sentence);
  check_text_with(page, LANNER_EXTRACT_MAIN, expected);
}

void test_extract_pieces(void) {
  static const char page[] = "<p>one  <b>two</b>\n<p>th&amp;ee";
  if (begin(page, LANNER_SPANS, LANNER_EXTRACT_TEXT | LANNER_EXTRACT_PIECES, false)) {
    size_t count, exact = 0;
    const lanner_text_piece *pieces = lanner_extract_pieces(extract, &count);
    lanner_string text = lanner_extract_text(extract);
    TEST_CHECK(is(text, "one two\n\nth&ee"));
    for (size_t i = 0; i < count; i++) {
      TEST_CHECK(pieces[i].begin < pieces[i].end && pieces[i].end <= text.length);
      if (!pieces[i].exact) continue;
      exact++;
      TEST_CHECK(pieces[i].span.end - pieces[i].span.start == pieces[i].end - pieces[i].begin &&
                 memcmp(page + pieces[i].span.start, text.data + pieces[i].begin,
                        pieces[i].end - pieces[i].begin) == 0);
    }
    TEST_CHECK(count == 3 && exact == 2);
  }
  end();
}

/* Lengths that are the same by chance make no piece exact. */
void test_extract_inexact_pieces(void) {
  static const struct {
    const char *page, *encoding;
    bool exact;
  } cases[] = {{"<p>&amp;&amp;&amp;&amp;&amp;", "utf-8", false},
               {"<p>&nbsp;&nbsp;&nbsp;", "utf-8", false},
               {"<p>\xD0\x96 x\xE2\x82\xAC", "utf-8", true},
               {"<p>plain", "iso-2022-jp", true},
               {"<p>\x1B$B$\"$\"$\"$\"$\"$\"\x1B(B", "iso-2022-jp", false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    lanner_document *d = lanner_document_new(NULL);
    lanner_extract *x = lanner_extract_new(NULL);
    lanner_options options;
    lanner_options_init(&options);
    options.flags |= LANNER_SPANS;
    options.encoding = cases[i].encoding;
    lanner_extract_options what;
    lanner_extract_options_init(&what);
    what.flags = LANNER_EXTRACT_TEXT | LANNER_EXTRACT_PIECES;
    size_t count = 0;
    TEST_CHECK(lanner_parse(d, cases[i].page, strlen(cases[i].page), &options) == LANNER_OK &&
               lanner_extract_run(x, d, &what) == LANNER_OK);
    const lanner_text_piece *pieces = lanner_extract_pieces(x, &count);
    TEST_CHECK_MSG(count > 0 && pieces[0].exact == cases[i].exact, "case %zu: %zu pieces", i,
                   count);
    lanner_extract_free(x);
    lanner_document_free(d);
  }
}

/* --- arguments, memory --- */

static size_t allocations_left;

static void *scarce_reallocate(void *context, void *pointer, size_t old_size, size_t new_size) {
  (void)context, (void)old_size;
  if (allocations_left == 0) {
    note_failing_call();
    return NULL;
  }
  allocations_left--;
  return realloc(pointer, new_size);
}

static void scarce_release(void *context, void *pointer, size_t size) {
  (void)context, (void)size;
  free(pointer);
}

void test_extract_arguments(void) {
  size_t count = 1;
  lanner_document *d = lanner_document_new(NULL);
  TEST_CHECK(lanner_extract_run(NULL, d, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_extract_links(NULL, &count) == NULL && count == 0);
  TEST_CHECK(lanner_extract_text(NULL).length == 0);
  TEST_CHECK(lanner_extract_meta(NULL)->refresh_seconds == -1);
  TEST_CHECK(!lanner_extract_base(NULL, NULL));
  lanner_extract_free(NULL);
  lanner_extract_trim(NULL);
  lanner_extract *x = lanner_extract_new(NULL);
  TEST_CHECK(lanner_extract_run(x, NULL, NULL) == LANNER_ERROR_ARGUMENT);
  lanner_extract_options options;
  lanner_extract_options_init(&options);
  options.flags = LANNER_EXTRACT_INLINE_LINKS * 2;
  TEST_CHECK(lanner_extract_run(x, d, &options) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_extract_run(x, d, NULL) == LANNER_OK);
  lanner_extract_links(x, &count);
  TEST_CHECK(lanner_extract_text(x).length == 0 && count == 0);
  lanner_extract_trim(x);
  lanner_extract_free(x);
  lanner_document_free(d);
}

void test_extract_memory(void) {
  static const char page[] =
      "<title>a\n b</title><meta name=robots content=none><link rel=icon href=i><a href=1>text</a>"
      "<p>text<svg><a href=2>b</a></svg><script type=application/ld+json>{}</script>";
  const lanner_allocator scarce = {scarce_reallocate, scarce_release, NULL};
  lanner_document *d = lanner_document_new(NULL);
  lanner_extract_options options;
  lanner_extract_options_init(&options);
  options.flags |= LANNER_EXTRACT_LINK_TEXT | LANNER_EXTRACT_PIECES | LANNER_EXTRACT_MAIN;
  TEST_CHECK(lanner_parse(d, page, sizeof page - 1, NULL) == LANNER_OK);
  size_t failed = 0;
  for (size_t n = 0; n < 100; n++) {
    allocations_left = n;
    lanner_extract *x = lanner_extract_new(&scarce);
    if (x == NULL) {
      failed++;
      continue;
    }
    lanner_status status = lanner_extract_run(x, d, &options);
    if (status != LANNER_OK) failed++;
    TEST_CHECK(status == LANNER_OK || status == LANNER_ERROR_MEMORY);
    lanner_extract_free(x);
    if (status == LANNER_OK) break;
  }
  TEST_CHECK(failed > 3);
  lanner_document_free(d);
}

/* Pages whose links would take the square of their size. */
void test_extract_bombs(void) {
  enum { LONG = 100000, MANY = 20000 };
  static const struct {
    const char *head, *tail, *each;
  } bombs[] = {{"<div><a href='", "'></div>", "<p>x</p>"},
               {"<base href='http://h/", "/'>", "<a href=a>x</a>"},
               {"<b title='", "'>", "<p><svg><a href=1>x</p>"}};
  for (size_t i = 0; i < sizeof bombs / sizeof bombs[0]; i++) {
    struct bytes page = {0};
    bytes_add_text(&page, bombs[i].head);
    for (int n = 0; n < LONG; n++) bytes_add(&page, "x", 1);
    bytes_add_text(&page, bombs[i].tail);
    for (int n = 0; n < MANY; n++) bytes_add_text(&page, bombs[i].each);
    if (begin(page.data, 0, LANNER_EXTRACT_LINKS | LANNER_EXTRACT_LINK_TEXT | LANNER_EXTRACT_TEXT,
              false)) {
      size_t count, total = 0;
      const lanner_link *links = lanner_extract_links(extract, &count);
      for (size_t n = 0; n < count; n++) total += links[n].value.length + links[n].text.length;
      TEST_CHECK_MSG(count > 0 && total < 32 * page.length, "bomb %zu: %zu links, %zu bytes", i,
                     count, total);
      TEST_CHECK(lanner_extract_cut(extract) == (i == 0));
      TEST_CHECK(lanner_extract_memory(extract) < 64 * page.length);
    }
    end();
    bytes_free(&page);
  }
}

/* --- real pages --- */

/* Text with every run of whitespace as one space. */
static char *squeeze(const char *data, size_t length) {
  char *out = malloc(length + 1);
  size_t used = 0;
  for (size_t i = 0; out != NULL && i < length; i++) {
    bool space = memchr(" \t\n\r\f", data[i], 5) != NULL;
    if (space && (used == 0 || out[used - 1] == ' ')) continue;
    out[used++] = space ? ' ' : data[i];
  }
  if (out != NULL) out[used] = '\0';
  return out;
}

static const struct sentence {
  const char *page;
  size_t offset, length;
  bool shown;
} sentences[] = {
#include "tools/sentences.inc"
};

/* The text of PAGE, squeezed. */
static char *page_text(const struct bytes *page) {
  char *text = NULL;
  document = lanner_document_new(NULL);
  extract = lanner_extract_new(NULL);
  if (TEST_CHECK(lanner_parse(document, page->data, page->length, NULL) == LANNER_OK) &&
      TEST_CHECK(lanner_extract_run(extract, document, NULL) == LANNER_OK)) {
    lanner_string whole = lanner_extract_text(extract);
    text = squeeze(whole.data, whole.length);
  }
  end();
  return text;
}

/* Sentences that the text of a page must hold, and parts of its scripts, styles and comments that it
 * must not. */
void test_extract_sentences(void) {
  struct bytes page = {0};
  char *folder = test_shared_path("corpus/pages"), *text = NULL;
  const char *open = "";
  size_t checked = 0, pages = 0;
  for (size_t i = 0; folder && i < sizeof sentences / sizeof sentences[0]; i++) {
    const struct sentence *row = &sentences[i];
    if (strcmp(row->page, open) != 0) {
      char *path = join_path(folder, row->page);
      open = row->page;
      free(text);
      text = read_file(path, &page) ? page_text(&page) : NULL;
      free(path);
      pages++;
    }
    if (!text || !TEST_CHECK(row->offset + row->length <= page.length)) continue;
    char *sentence = squeeze(page.data + row->offset, row->length);
    TEST_CHECK_MSG((strstr(text, sentence) != NULL) == row->shown, "%s: %s: %s", row->page,
                   row->shown ? "missing" : "shown", sentence);
    free(sentence);
    checked++;
  }
  free(text);
  free(folder);
  bytes_free(&page);
  test_note("%zu sentences and strings of %zu pages", checked, pages);
}
