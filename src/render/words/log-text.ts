// What CI passes over inside a command, by rules of a language, and before one, where it trims.
const unseen = "(?:\\x1b\\[[\\d;]*m|[\\p{M}\\p{Cf}\\p{Default_Ignorable_Code_Point}])*";
const blank = "(?:\\x1b\\[[\\d;]*m|[\\t\\x85\\p{Zs}\\p{M}\\p{Cf}\\p{Default_Ignorable_Code_Point}])*";

// GitHub takes `::…` at the start of a line, and `##[…]` anywhere; Azure `##vso[…]`. GitLab needs control characters.
const lineCommand = new RegExp(`^(${blank}):(?=${unseen}:)`, "gmu");
const bracketCommand = new RegExp(
  `(#${unseen})#(?=${unseen}(?:(?:${[..."vso"].join(unseen)}|${[..."teamcity"].join(unseen)})${unseen})?\\[)`,
  "giu",
);

// All but tabs, ends of lines and colours.
const control = /\x1b(?!\[[\d;]*m)|[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]|\r(?!\n)/g;

/** Makes a text dead for readers of a job's log: no commands, no control characters but tabs, line ends, colours. */
export function deadText(text: string, kept?: RegExp): string {
  const unsafe = kept === undefined ? control : new RegExp(`${kept.source}|${control.source}`, "g");
  const plain = withoutBracketCommand(text.replace(unsafe, escapeControl), "\\x23");
  return escaping(plain, lineCommand, ":", "\\x3a");
}

/** Gives what matches begin and end of a link to an anchor of a page (OSC 8), and no other link. */
export function linksTo(page: string): RegExp {
  return new RegExp(`\\x1b\\]8;;(?:${page.replaceAll(/\W/g, "\\$&")}#[a-z-]+)?\\x1b\\\\`);
}

/** Puts an escape of `#` into what a CI takes for a command wherever it is in a line, such as `##[error]`. */
export function withoutBracketCommand(text: string, escape: string): string {
  return text.includes("#") ? escaping(text, bracketCommand, "#", escape) : text;
}

function escaping(text: string, command: RegExp, sign: string, escape: string): string {
  try {
    return text.replace(command, `$1${escape}`);
  } catch {
    // Of millions of characters that cannot be seen, more than the engine can go back over.
    return text.replaceAll(sign, escape);
  }
}

// A link that is kept has more than one character.
function escapeControl(char: string): string {
  if (char.length > 1) return char;
  return `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
