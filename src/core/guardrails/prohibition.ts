/** Spellings that mean the same, written as the second one before anything is compared; in lower case. */
const spellings: readonly (readonly [string, string])[] = [
  ["cannot", "can not"],
  ["can't", "can not"],
  ["won't", "will not"],
  ["shan't", "shall not"],
  ["n't", " not"],
];

/** Words that forbid or restrict, in lower case; `…` means any words between. */
const phrases = [
  "never",
  "do not",
  "does not",
  "can not",
  "may not",
  "must not",
  "shall not",
  "should not",
  "will not",
  "would not",
  "are not",
  "is not",
  "not to",
  "not allowed",
  "not permitted",
  "no … without",
  "not … without",
  "no … unless",
  "not … unless",
  "without approval",
  "without confirmation",
  "without consent",
  "without permission",
  "in no case",
  "at no time",
  "by no means",
  "under no circumstances",
  "no one",
  "nobody",
  "only",
  "at most",
  "no more than",
  "nothing but",
  "avoid",
  "ban",
  "banned",
  "confidential",
  "decline",
  "deny",
  "disallowed",
  "forbid",
  "forbidden",
  "off limits",
  "off-limits",
  "prohibit",
  "prohibited",
  "prohibits",
  "refrain",
  "refuse",
  "reject",
  "stop",
  "strictly",
].map((phrase) => phrase.split("…").map((part) => ` ${part.trim()} `));

/** Conditions that contain such words and forbid nothing, in plain words with a space at both ends. */
const conditions =
  / (?:if|when|whenever|where|unless|because) (?:you|they|we|i|he|she|it|this|that|there) (?:do|does|did|can|could|is|are|will) not /g;

const gapped = phrases.filter(({ length }) => length > 1);
// One pattern for all the others is many times faster than one after the other.
const plain = new RegExp(
  ` (?:${phrases.flatMap(([part = "", gap]) => (gap ? [] : [part.trim()])).join("|")}) `,
);

/** Writes a sentence for comparison: lower case, one spelling, without Markdown, list markers and punctuation. */
export function plainWords(written: string): string {
  // Not as NFKC: letters in another form look the same to a reader, and not to a model.
  const text = ascii.test(written) ? written : written.normalize("NFC").replaceAll(/[’‘]/g, "'");
  const bare = text
    .toLowerCase()
    .replace(marker, "")
    .replaceAll(/[*_`"“”„«»()]+/g, "");
  const words = bare.split(/\s+/).map(withoutEndMarks).filter(Boolean).join(" ");
  return spellings.reduce(
    (spelt, [from, to]) => (spelt.includes(from) ? spelt.replaceAll(from, to) : spelt),
    words,
  );
}

const ascii = /^[\p{ASCII}]*$/u;

// A pattern would look at each end of a long row of marks again.
function withoutEndMarks(word: string): string {
  let end = word.length;
  while (end > 0 && ".,;:!?…".includes(word[end - 1] ?? " ")) end--;
  return word.slice(0, end);
}

/** The mark at the start of an item of a list, a heading or a quotation. */
export const marker = /^\s*(?:(?:[-+*•‣→–—>]|#{1,6}|(?:\d{1,3}|[A-Za-z])[.)])\s+){1,1000}/;

/** Whether plain words forbid or restrict something, in whatever form their letters are. */
export function isProhibition(words: string): boolean {
  const read = ascii.test(words) ? words : words.normalize("NFKC").toLowerCase();
  const padded = ` ${read} `.replaceAll(conditions, " ");
  return plain.test(padded) || gapped.some((parts) => hasInOrder(padded, parts));
}

/** Whether the words of a name may be what makes a sentence or a title forbid something. */
export function mayForbid(name: string): boolean {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words.includes("no") || words.includes("not") || isProhibition(words.join(" "));
}

function hasInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part, from);
    // The space at the end of one part may be the one at the start of the next.
    from = at + part.length - 1;
    return at >= 0;
  });
}
