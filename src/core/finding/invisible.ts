/**
 * The characters that move the cursor, reorder or hide text, or that are shown as nothing or as a blank other than
 * a space, as the inside of a character class of a regular expression with the flag `u`: C0, C1 and DEL, bidirectional controls,
 * zero-width and filler characters, the braille blank, variation selectors except those of emoji, tags, lone
 * surrogates. Listed one by one, so that the result does not depend on the Unicode version of the runtime.
 */
export const invisible =
  "\\0-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e" +
  "\\u2060-\\u206f\\u2800\\u3164\\ud800-\\udfff\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb" +
  "\\u{1bca0}-\\u{1bca3}\\u{1d159}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";

/** The variation selectors of emoji, in the same form: shown with an emoji, and as nothing elsewhere. */
export const emojiSelectors = "\\ufe0e\\ufe0f";

/** Matches a letter that is read from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const hidden = new RegExp(`[${invisible}${emojiSelectors}]`, "gu");

/** Escapes control and invisible characters, and cuts after a number of characters. */
export function excerpt(text: string, length: number): string {
  const start = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  return start.replace(hidden, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}
