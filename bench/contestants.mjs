// The contestants that are Node packages: node contestants.mjs PACKAGES PAGES STEP ROUNDS, JSON on
// stdout. The same work and the same form as contestants.py.
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, directory, step, rounds] = process.argv.slice(2);
const require = createRequire(join(packages, "package.json"));

async function load(name) {
  const version = JSON.parse(readFileSync(join(packages, "node_modules", name, "package.json"), "utf8")).version;
  return [await import(pathToFileURL(require.resolve(name)).href), version];
}

// Depth first without recursion; calls SEE for each element's attribute.
function walk(root, children, see) {
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    see(node);
    for (const child of children(node)) stack.push(child);
  }
}

const makers = {
  parse5: (module) => ({
    tree: (page) => module.parse(page),
    links: (tree) => {
      let found = 0;
      walk(tree, (node) => node.childNodes ?? [], (node) => {
        if (node.tagName === "a" && node.attrs.some((attribute) => attribute.name === "href")) found++;
      });
      return found;
    },
  }),
  htmlparser2: (module) => ({
    tree: (page) => module.parseDocument(page),
    links: (tree) => {
      let found = 0;
      walk(tree, (node) => node.children ?? [], (node) => {
        if (node.name === "a" && node.attribs.href !== undefined) found++;
      });
      return found;
    },
  }),
};

const decoder = new TextDecoder("utf-8", { fatal: true });
const pages = [];
let bytes = 0;
readdirSync(directory).sort().forEach((name, index) => {
  if (index % Number(step) !== 0) return;
  const data = readFileSync(join(directory, name));
  try {
    pages.push(decoder.decode(data));
    bytes += data.length;
  } catch {
    // not UTF-8: left out, as in contestants.py
  }
});

const entrants = [];
const missing = {};
for (const [name, make] of Object.entries(makers)) {
  try {
    const [module, version] = await load(name);
    entrants.push([{ name, version }, make(module)]);
  } catch (error) {
    missing[name] = String(error.message).slice(0, 200);
  }
}
for (let turn = 0; turn < Number(rounds); turn++) {
  for (const [result, { tree, links }] of entrants) {
    for (const [task, call] of Object.entries({ tree: (page) => (tree(page) ? 1 : 0), links: (page) => links(tree(page)) })) {
      const start = process.cpuUsage();
      let found = 0;
      for (const page of pages) found += call(page);
      const used = process.cpuUsage(start);
      const seconds = (used.user + used.system) / 1e6;
      result[task] = Math.min(seconds, result[task] ?? seconds);
      if (task === "links") result.found = found;
    }
  }
}
console.log(JSON.stringify({ language: `Node ${process.versions.node}`, pages: pages.length, bytes, results: entrants.map(([result]) => result), missing }));
