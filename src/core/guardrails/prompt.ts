import { groupBy } from "../../json/groups.js";
import { member, type Json } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { eachText } from "../expression/reference.js";
import { isProhibition, marker, plainWords } from "./prohibition.js";
import type { RemarkOf, Subject } from "./rule.js";

/** Finds sentences that forbid something and that a field of an agent no longer has, or has in other words. */
export function prohibitionsLost({ before, after, changed }: Subject): RemarkOf<"prohibition-lost">[] {
  return [...changed].flatMap((field) => {
    const was = member(before.body, field);
    if (was === undefined) return [];
    const old = sentencesIn(was);
    const now = sentencesIn(member(after.body, field) ?? null);
    const left = prohibitionsIn([...old].filter(([text]) => !now.has(text)));
    if (left.length === 0) return [];
    const known = new Set([...now.keys()].map(plainWords));
    const lost = left.filter(([words]) => !known.has(words));
    if (lost.length === 0) return [];
    const fresh = prohibitionsIn([...now].filter(([text]) => !old.has(text)));
    return remarksOn(field, lost, fresh.slice(0, mostCompared).map(withWords));
  });
}

/** A sentence, and the heading or line above its list that forbids what it says. */
interface TitledText {
  readonly text: string;
  readonly title?: string;
}

function prohibitionsIn(sentences: readonly (readonly [text: string, said: TitledText])[]): PromptSentence[] {
  const found = new Map<string, TitledText>();
  for (const [meant, said] of sentences) {
    const words = plainWords(meant);
    if (isProhibition(words) && !found.has(words)) found.set(words, said);
  }
  return [...found];
}

/** A sentence as written, by its plain words. */
type PromptSentence = readonly [words: string, said: TitledText];

// A text of many thousand sentences is compared with no more than these, so that the time grows with its size alone.
const mostCompared = 100;

function remarksOn(
  field: string,
  lost: readonly PromptSentence[],
  fresh: readonly Compared[],
): RemarkOf<"prohibition-lost">[] {
  const gone: TitledText[] = [];
  const reworded: { before: string; after: string }[] = [];
  for (const [words, said] of lost) {
    const other = nearest(words, fresh);
    if (other === undefined) gone.push(said);
    else reworded.push({ before: said.text, after: other });
  }
  const path = pathSegment(field);
  return [
    ...[...groupBy(gone, ({ title }) => title === undefined).values()].map((all) => {
      const titles = [...new Set(all.flatMap(({ title }) => title ?? []))];
      const parts = { field, gone: all.map(({ text }) => text), ...(titles.length > 0 && { titles }) };
      return { path, parts };
    }),
    ...(reworded.length > 0 ? [{ path, parts: { field, reworded } }] : []),
  ];
}

interface Compared {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

function withWords([words, { text, title }]: PromptSentence): Compared {
  return { text, words: new Set((title === undefined ? words : plainWords(text)).split(" ")) };
}

/** Gives the sentence with the most words in common, if it has at least half of the words. */
function nearest(words: string, others: readonly Compared[]): string | undefined {
  const own = [...new Set(words.split(" "))];
  let best: { text: string; shared: number } | undefined;
  for (const other of others) {
    const shared = own.filter((word) => other.words.has(word)).length;
    if (shared * 2 >= own.length && shared > (best?.shared ?? 0)) best = { text: other.text, shared };
  }
  return best?.text;
}

/** Gives the sentences of a value by what each means. */
function sentencesIn(value: Json): Map<string, TitledText> {
  const sentences = new Map<string, TitledText>();
  eachText(value, (whole) => {
    const titleOf = readTitles();
    for (const block of blocksOf(whole)) {
      const title = titleOf(block);
      const [first = "", ...others] = block
        .replace(marker, "")
        .trim()
        .split(/(?<=[.!?;])\s+/);
      // What an item says that forbids nothing by itself, its title forbids.
      if (title === undefined || isProhibition(plainWords(first))) sentences.set(first, { text: first });
      else sentences.set(`Never ${first}`, { text: first, title });
      for (const text of others) sentences.set(text, { text });
    }
  });
  return sentences;
}

const longestTitle = 1000;
// A longer line above a list is no title unless it ends as one.
const longestLine = 200;

const tagAlone = /^<\/?[A-Za-z][^<>]*>$/;
const endsAsTitle = /:[*_]{0,3}$/;
const boldAlone = /^(\*\*|__)[^*_]+\1$/;

/** Makes what gives the title of each block of a text that is an item of a list, if that title forbids something. */
function readTitles(): (block: string) => string | undefined {
  let heading: string | undefined;
  // Of a part in a tag or below a line in bold.
  let part: string | undefined;
  let lead: string | undefined;
  let hasLead = false;
  // An item above its own list.
  let outer: string | undefined;
  let above = "";
  return (block) => {
    if (/^(?:[-+*•‣→\p{Pd}\p{So}]\uFE0F?|(?:\d{1,3}|[A-Za-z])[.)])\s/u.test(block)) {
      const title = forbidding(above);
      above = "";
      if (title !== undefined) [lead, hasLead] = [title, true];
      const around = hasLead ? lead : (part ?? heading);
      if (!endsAsTitle.test(block)) return outer ?? around;
      outer = forbidding(block);
      return around;
    }
    const under = above;
    [above, hasLead, outer] = ["", false, undefined];
    if (/^#{1,6}\s/.test(block)) [heading, part] = [forbidding(block), undefined];
    else if (under !== "" && /^(?:={3,}|-{3,})$/.test(block))
      [heading, part] = [forbidding(under), undefined];
    else if (endsAsTitle.test(block)) [lead, hasLead] = [forbidding(block), true];
    else if (tagAlone.test(block) || boldAlone.test(block))
      part = block.startsWith("</") ? undefined : forbidding(block);
    // A sentence is no title of what comes after it.
    else if (block.length <= longestLine && !/[.!?;][^\p{L}\p{N}]*$/u.test(block)) above = block;
    return undefined;
  };
}

function forbidding(block: string): string | undefined {
  if (block.length > longestTitle) return undefined;
  const isTag = block.startsWith("<");
  // A tag may be of several words: `<never-do>`, `<NeverDo>`.
  const said = isTag ? block.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|-/gu, " ") : block;
  const words = said.replaceAll(/[^\p{L}\p{N}'’\s-]+/gu, " ");
  if (!isProhibition(plainWords(words))) return undefined;
  return isTag ? block : block.replace(marker, "").replaceAll(/[*_`]|:\W*$/g, "");
}

// A line that goes on in lower case was only wrapped.
function blocksOf(text: string): string[] {
  const blocks: string[][] = [];
  let isOpen = false;
  for (const each of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const line = each.trim();
    const last = blocks.at(-1);
    if (line === "") isOpen = false;
    else if (isOpen && last && /^\p{Ll}/u.test(line)) last.push(line);
    else {
      blocks.push([line]);
      isOpen = true;
    }
  }
  return blocks.map((lines) => lines.join(" "));
}
