const limit = 80;

/** Quotes a text of a document in a message: on one line, and cut where it is long. */
export function quote(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, " ");
  if (line.length <= limit) return `\`${line}\``;
  // A cut never goes through a surrogate pair.
  return `\`${line.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}…\``;
}
