/** The pages of the site: the documents of the repository, with each code on a page of its own. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const home = dirname(dirname(fileURLToPath(import.meta.url)));

const codesFile = "docs/reference/diagnostics.md";
const top = { "README.md": "index.md", "docs/README.md": "contents.md", "SECURITY.md": "security.md" };

/** The parts of the site, by folder, with their titles. */
export const parts = {
  tutorial: "Tutorial",
  "how-to": "How-to",
  reference: "Reference",
  explanation: "Explanation",
  project: "The project",
};

const read = (file) => readFileSync(join(home, file), "utf8");

const { repository } = JSON.parse(read("package.json"));

/** The address of a file of the repository that is no page; undefined before the package says where it is. */
const addressOf = (file) => {
  const [, url] = /^(?:git\+)?(https:.+?)(?:\.git)?\/?$/.exec(repository?.url ?? repository ?? "") ?? [];
  return url === undefined ? undefined : `${url}/blob/HEAD/${file}`;
};

/** Gives the Markdown of every page, by its path in the site. */
export function readPages() {
  const documents = readdirSync(join(home, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file.replaceAll("\\", "/")}`);
  const places = new Map([...documents, ...Object.keys(top)].map((file) => [file, placeOf(file)]));
  const { codes, index } = readCodes();
  const pages = new Map();
  const add = (file, place, text) => pages.set(place, withLinks(text, { file, place, places, codes }));
  for (const [file, place] of places) add(file, place, file === codesFile ? index : read(file));
  for (const [code, text] of codes) add(codesFile, codePage(code), text);
  return pages;
}

/** The title of a page, without marks. */
export const titleOf = (text) => /^# (.*)$/m.exec(text)[1].replaceAll("`", "");

/** The pages of a part of the site, in the order of the list of all documents. */
export function pagesOf(pages, part) {
  const contents = pages.get("contents.md");
  const rank = (place) => contents.indexOf(`(${place}`) >>> 0;
  return [...pages.keys()]
    .filter((place) => place.startsWith(`${part}/`))
    .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}

const placeOf = (file) => top[file] ?? file.replace(/^docs\//, "").replace(/(^|\/)README\.md$/, "$1index.md");

const codePage = (code) => `codes/${code}.md`;

/** Cuts the page of all codes into one for each, and an index of them. */
function readCodes() {
  const codes = new Map();
  const [intro, ...sections] = read(codesFile)
    .replaceAll(/<!--.*?-->\n/g, "")
    .split(/^(?=#{2,3} )/m);
  let index = intro;
  for (const section of sections) {
    const [, code] = /^### `([a-z-]+)`\n/.exec(section) ?? [];
    if (code === undefined) {
      index += section;
      continue;
    }
    const [meaning] = section.split("\n\n").slice(1);
    index += `- [\`${code}\`](#${code}): ${meaning.replaceAll("\n", " ")}\n`;
    codes.set(code, `${section.slice(2).trimEnd()}\n\n[All codes](diagnostics.md)\n`);
  }
  return { codes, index };
}

/** Makes the links of a document those of its page. What is only in the repository stays a text until that has an address. */
function withLinks(text, { file, place, places, codes }) {
  const linked = (whole, words, link) => {
    if (/^[a-z]+:/.test(link)) return whole;
    const [path, heading] = link.split("#");
    const target = path === "" ? file : posix.join(posix.dirname(file), path);
    const isCode = target === codesFile && codes.has(heading);
    const page = isCode ? codePage(heading) : places.get(target);
    if (page === undefined) {
      if (!existsSync(join(home, target))) throw new Error(`${file} links to ${link}, which is not there`);
      if (isPicture(target)) return `[${words}](${relative(place, target.slice("docs/".length))})`;
      const address = addressOf(target);
      return address === undefined ? words : `[${words}](${address})`;
    }
    const anchor = heading === undefined || isCode ? "" : `#${heading}`;
    return page === place && anchor !== ""
      ? `[${words}](${anchor})`
      : `[${words}](${relative(place, page)}${anchor})`;
  };
  return text
    .split(/^(```[^]*?^```)$/m)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replaceAll(/\[([^\][]*)\]\(([^)\s]+)\)/g, linked)))
    .join("");
}

const isPicture = (file) => file.endsWith(".png");

const relative = (from, to) => posix.relative(posix.dirname(from), to);
