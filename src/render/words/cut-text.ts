/** Gives the first `count` UTF-16 code units of a text, never half a character. */
export function headOf(text: string, count: number): string {
  if (text.length <= count) return text;
  return text.slice(0, isHighSurrogate(text, count - 1) ? count - 1 : count);
}

/** Gives a text that is longer than so many UTF-16 code units as its first ones and a mark. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${headOf(text, most)}…` : text;
}

/** Gives the last `count` UTF-16 code units of a text, never half a character. */
export function tailOf(text: string, count: number): string {
  if (text.length <= count) return text;
  const from = text.length - count;
  return text.slice(isHighSurrogate(text, from - 1) ? from + 1 : from);
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code < 0xdc00;
}
