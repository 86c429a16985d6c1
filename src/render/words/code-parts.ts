/** Matches what stands in backticks, in as many at its end as at its start: `ticks` are these, `code` is the rest. */
export const codePattern =
  "(?<!`)(?<ticks>`+)(?!`)(?<code>(?:[^`]|(?!\\k<ticks>(?!`))`+(?!`))+)\\k<ticks>(?!`)";

/** Gives the text that stands in backticks, without the spaces that part it from these. */
export function codeWithin({ ticks = "", code = "" }: Readonly<Record<string, string>>): string {
  return ticks.length > 1 && /^ .* $/s.test(code) ? code.slice(1, -1) : code;
}

/** A part of a sentence. */
export interface SentencePart {
  readonly text: string;
  readonly isCode: boolean;
}

/** Cuts a sentence where something stands in backticks; a backtick without a partner is an ordinary character. */
export function codeParts(text: string): SentencePart[] {
  const parts: SentencePart[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(codePattern, "g"))) {
    parts.push({ text: text.slice(end, match.index), isCode: false });
    parts.push({ text: codeWithin(match.groups ?? {}), isCode: true });
    end = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(end), isCode: false }];
}
