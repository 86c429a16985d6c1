import { ticksAround } from "../../core/finding/quotation.js";
import { codePattern, codeWithin } from "../words/code-parts.js";
import { safeLine } from "../words/terminal-text.js";

// GitHub's runner takes `##[…]` for a command wherever it stands in a line of the log, and `::…` at its start.
const legacyCommand = /##(?=\[)/g;
const command = /^(\s*):(?=:)/;

// The parsers of GitHub and GitLab know no code that begins with more than 80 backticks, and count 255 of a fence.
const manyTicks = /(`{40})`/g;

// Letters alone or a short number: a mixture may be a mention, an issue, a commit, an emoji to some renderer.
const letters = /^\p{L}{1,1000}(?:['’-]\p{L}{1,1000}){0,100}$/u;
const number = /^\d{1,6}$/;
const dash = /^[—–→·…]$/;
const hexadecimal = /[\da-f]{7}/i;

/** Makes a line of a block no command of a CI log, wherever it stands, and no end of the block; expects safe text. */
export function inertLine(line: string): string {
  return inert(line).replace(command, "$1\\x3a");
}

function inert(text: string): string {
  return text.replace(legacyCommand, "#\\x23").replace(manyTicks, "$1\\x60");
}

/** Renders a text as Markdown code on one line, whatever it holds, and for table cells too; nothing if it is empty. */
export function code(text: string): string {
  const safe = inert(safeLine(text));
  if (safe === "") return "";
  // Parsers of tables disagree on a backslash before an escaped pipe, so none stands inside of code.
  return safe
    .split("|")
    .map((part) => (part === "" ? "" : codeSpan(part)))
    .join("&#124;");
}

function codeSpan(text: string): string {
  const fence = ticksAround(text);
  const isPadded = text.startsWith("`") || text.endsWith("`") || (/^ .* $/.test(text) && text.trim() !== "");
  return isPadded ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** Renders a sentence on one line: all but plain words as code, so that nothing is Markdown, HTML, mention or link. */
export function prose(text: string): string {
  const tokens: Token[] = [];
  for (const token of tokensOf(safeLine(text))) {
    const last = tokens.at(-1);
    const isOne = last?.joins === true && token.joins && last.tail === "" && token.lead === "";
    if (isOne) tokens.splice(-1, 1, { ...token, lead: last.lead, core: `${last.core} ${token.core}` });
    else tokens.push(token);
  }
  return tokens
    .map(({ lead, core, tail, isPlain }) => `${lead}${isPlain ? core : code(core)}${tail}`)
    .join(" ");
}

/** A word, or what stands in backticks, with the brackets and punctuation around it. */
interface Token {
  readonly lead: string;
  readonly core: string;
  readonly tail: string;
  readonly isPlain: boolean;
  /** Whether it is code that goes together with such code beside it. */
  readonly joins: boolean;
}

const codeOrWord = new RegExp(
  `(?<lead>[("]{0,20})${codePattern}(?<tail>[).,;:?"]*)(?=\\s|$)|(?<word>\\S+)`,
  "g",
);

function tokensOf(text: string): Token[] {
  return [...text.matchAll(codeOrWord)].map(({ groups = {} }, index) => {
    const { lead = "", tail = "", word } = groups;
    if (word !== undefined) return tokenOf(word, index === 0);
    return { lead, core: codeWithin(groups), tail, isPlain: false, joins: false };
  });
}

const longestWord = 500;

function tokenOf(word: string, isFirst: boolean): Token {
  // No word is that long, and what stands around it is looked for again at each of its characters.
  const known = word.length > longestWord ? null : /^([("]*)(.*?)([).,;:?"]*)$/.exec(word);
  const [, lead = "", core = "", tail = ""] = known ?? [];
  if (core === "") return { lead: "", core: word, tail: "", isPlain: false, joins: true };
  // At the start it would number a list.
  const isNumber = number.test(core) && !(isFirst && /^[.)]/.test(tail));
  const isPlain = (letters.test(core) && !hexadecimal.test(core)) || isNumber || dash.test(core);
  return { lead, core, tail, isPlain, joins: !isPlain };
}

/** Renders a text as code inside of HTML on one line, where Markdown has no say. */
export function htmlCode(text: string): string {
  const safe = inert(safeLine(text));
  const escaped = safe.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<code>${escaped.replaceAll('"', "&quot;")}</code>`;
}

/** Renders the lines of a difference as a fenced block that none of them can close. */
export function fence(lines: readonly string[]): string {
  const marks = ticksAround(lines.join("\n")).padEnd(3, "`");
  return `${marks}diff\n${lines.join("\n")}\n${marks}`;
}

/** The bytes that are kept free for what is around the lines of a difference. */
export const fenceBytes = 120;

/** Renders blocks folded below a summary. */
export function details(summary: string, blocks: readonly string[]): string {
  return [`<details><summary>${summary}</summary>`, ...blocks, "</details>"].join("\n\n");
}

/** Renders a text as an item of a list, with a block below it that belongs to the item, if there is one. */
export function inItem(text: string, block: string): string {
  const below =
    block === "" ? [] : ["", ...block.split("\n").map((line) => (line === "" ? "" : `  ${line}`))];
  return [`- ${text}`, ...below].join("\n");
}
