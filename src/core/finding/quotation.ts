const limit = 80;
const shownNames = 8;

/** Quotes a text of a document in a message: on one line, cut if it is long. */
export function quote(text: string): string {
  // Only as much of a long text as is shown, and some space around line ends.
  return inCode(cutText(text.slice(0, 10 * limit).replaceAll(/\s*\n\s*/g, " "), limit));
}

/** Puts a text in backticks, more of them than it has in a row: nothing in it can pass for the words around it. */
export function inCode(text: string): string {
  const ticks = ticksAround(text);
  const space = ticks === "`" ? "" : " ";
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** Puts each of some texts in backticks. */
export function allInCode(texts: readonly string[]): string {
  return texts.map(inCode).join(", ");
}

/** Gives one backtick more than a text has in a row. */
export function ticksAround(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, { length }) => Math.max(most, length), 0) + 1);
}

/** Cuts a text if it is long, and hides the passwords of addresses in it. */
export function cutText(text: string, longest: number): string {
  const line = withoutUsers(text.slice(0, 10 * longest));
  if (line.length <= longest) return line;
  // A cut must not split a surrogate pair.
  return `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Hides what is before the `@` of an address, which may be a password. */
function withoutUsers(line: string): string {
  return line.replaceAll(/(?<=:\/\/)[^\s/?#"'${}]+(?=@)/g, "••••••");
}

/** Quotes the first eight of some names, and says how many more there are. */
export function quoteFew(names: readonly string[]): string {
  return firstOf(names.slice(0, shownNames).map(quote), shownNames, names.length);
}

/** Gives the first of some names: `a, b, c and 7 more`; `all` counts those that are not among them, too. */
export function firstOf(names: readonly string[], most: number, all = names.length): string {
  const shown = names.slice(0, most);
  const left = all - shown.length;
  return `${shown.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
