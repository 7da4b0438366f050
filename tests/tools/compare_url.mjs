// The URLs that `lanner warc` resolves, against Node's URL: lists every difference.
//
//   lanner warc FILE... | node compare_url.mjs
//   for pages: node compare_url.mjs LANNER PAGE...   (each with the URL https://host.example/dir/NAME)
//
// The last line counts links and differences; the exit status is 1 when there are any that
// known_difference() does not explain.
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';

function parse(value, base) {
  try {
    return new URL(value, base);
  } catch {
    return null;
  }
}

// The document base URL: the base element's, unless it does not parse or is of a kind that does not
// count.
function base_of(document_url, base) {
  const own = parse(document_url, undefined);
  if (base === undefined) return own;
  const other = parse(base, own ?? undefined);
  if (other === null || other.protocol === 'data:' || other.protocol === 'javascript:') return own;
  return other;
}

// Why two URLs may differ: the library is newer than Node's copy of it, and Node takes every page for
// UTF-8.
function known_difference(value, mine, theirs) {
  if (mine === null || theirs === null) return null;
  const without_query = (url) => url.replace(/\?[^#]*/, '?');
  if (/\?[^#]*[^\0-\x7F]/.test(value) && without_query(mine) === without_query(theirs))
    return "a query is in the page's encoding";
  if (mine.replaceAll('%5E', '^') === theirs.replaceAll('%5E', '^'))
    return '^ in a path is escaped now (a newer rule)';
  const spaces = (url) => url.replace(/(?:%20| )+(?=[?#]|$)/, '');
  if (spaces(mine) === spaces(theirs))
    return 'a trailing space of an opaque path is escaped, not stripped, now (a newer rule)';
  return null;
}

const counts = { pages: 0, links: 0, same: 0, explained: 0, different: 0 };
const reasons = new Map();

function check(links, document_url, base_href) {
  const base = base_of(document_url, base_href);
  counts.pages++;
  for (const link of links) {
    counts.links++;
    const theirs = parse(link.value, base ?? undefined)?.href ?? null;
    if (theirs === link.url) {
      counts.same++;
      continue;
    }
    const reason = known_difference(link.value, link.url, theirs);
    if (reason === null) counts.different++;
    else counts.explained++;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    console.log(JSON.stringify({ value: link.value, lanner: link.url, node: theirs, reason }));
  }
}

if (process.argv.length > 3) {
  const [lanner, ...pages] = process.argv.slice(2);
  const run = (...args) =>
    execFileSync(lanner, args, { encoding: 'utf8', maxBuffer: 1 << 30 }).split('\n').filter(Boolean);
  for (const page of pages) {
    const url = 'https://host.example/dir/' + encodeURIComponent(basename(page));
    const links = run('links', '--json', '--url', url, page).map((line) => JSON.parse(line));
    const meta = JSON.parse(run('meta', '--json', page)[0]);
    check(links, url, meta.base);
  }
} else {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const page = JSON.parse(line);
    if (page.links) check(page.links, page.url, page.meta?.base);
  }
}
for (const [reason, count] of reasons) console.log(`${count}: ${reason ?? 'not explained'}`);
console.log(JSON.stringify(counts));
process.exitCode = counts.different > 0 ? 1 : 0;
