const limit = 80;

/** Quotes a text of a document in a message: on one line, and cut where it is long. */
export function quote(text: string): string {
  // Of a long text no more than is shown, and some space around line ends.
  const line = text.slice(0, 10 * limit).replaceAll(/\s*\n\s*/g, " ");
  if (line.length <= limit) return `\`${line}\``;
  // A cut never goes through a surrogate pair.
  return `\`${line.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}…\``;
}
