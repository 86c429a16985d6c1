import type { Json } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { eachText } from "../expression/reference.js";
import { isProhibition, marker, plainWords } from "./prohibition.js";
import type { RemarkOf, Subject } from "./rule.js";

/** Finds sentences that forbid something and that a field of an agent no longer has, or has in other words. */
export function prohibitionsLost({ before, after, changed }: Subject): RemarkOf<"prohibition-lost">[] {
  return Object.entries(before.body).flatMap(([field, was]) => {
    if (!changed.has(field)) return [];
    const old = sentencesIn(was);
    const now = sentencesIn(after.body[field] ?? null);
    const left = prohibitionsIn([...old].filter((text) => !now.has(text)));
    if (left.length === 0) return [];
    const known = new Set([...now].map(plainWords));
    const lost = left.filter(([words]) => !known.has(words));
    if (lost.length === 0) return [];
    const fresh = prohibitionsIn([...now].filter((text) => !old.has(text)));
    return remarksOn(field, lost, fresh.slice(0, mostCompared).map(withWords));
  });
}

function prohibitionsIn(sentences: readonly string[]): PromptSentence[] {
  const found = new Map<string, string>();
  for (const text of sentences) {
    const words = plainWords(text);
    if (isProhibition(words) && !found.has(words)) found.set(words, text.replace(marker, "").trim());
  }
  return [...found];
}

/** A sentence as written, by its plain words. */
type PromptSentence = readonly [words: string, text: string];

// A text of many thousand sentences is compared with no more than these, so that the time grows with its size alone.
const mostCompared = 100;

function remarksOn(
  field: string,
  lost: readonly PromptSentence[],
  fresh: readonly Compared[],
): RemarkOf<"prohibition-lost">[] {
  const gone: string[] = [];
  const reworded: { before: string; after: string }[] = [];
  for (const [words, text] of lost) {
    const other = nearest(words, fresh);
    if (other === undefined) gone.push(text);
    else reworded.push({ before: text, after: other });
  }
  const path = pathSegment(field);
  return [
    ...(gone.length > 0 ? [{ path, parts: { field, gone } }] : []),
    ...(reworded.length > 0 ? [{ path, parts: { field, reworded } }] : []),
  ];
}

interface Compared {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

function withWords([words, text]: PromptSentence): Compared {
  return { text, words: new Set(words.split(" ")) };
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

function sentencesIn(value: Json): Set<string> {
  const sentences = new Set<string>();
  eachText(value, (text) => {
    for (const block of blocksOf(text)) {
      for (const sentence of block.split(/(?<=[.!?;])\s+/)) sentences.add(sentence);
    }
  });
  return sentences;
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
