const heading = /^\s{0,3}#{1,6}\s+\S/;
const tag = /^\s*<[A-Za-z][\w-]*>\s*$/;
const bold = /^\s*(\*\*|__)\S.*\1:?\s*$/;
const item = /^\s*(?:[-*+•]|\d{1,4}[.)])\s/;
const underline = /^\s{0,3}(?:={3,}|-{3,})\s*$/;
const longestTitle = 160;
// How far above a line its title is looked for.
const mostLines = 2000;

/** Gives the nearest heading above a line of a text, or the title of the list that the line is in; undefined if there is none. */
export function titleAbove(lines: readonly string[], at: number): string | undefined {
  const first = lines[at] ?? "";
  const isInList = item.test(first) || /^\s+\S/.test(first);
  // What stands above a list that has ended is no title of what comes after it.
  let isPastList = false;
  for (let index = at - 1; index >= Math.max(0, at - mostLines); index--) {
    const line = lines[index] ?? "";
    const text = line.trim();
    if (text === "" || text.length > longestTitle) continue;
    if (isHeading(line, lines[index + 1])) return text;
    if (item.test(line)) isPastList ||= !isInList;
    else if (!isPastList && (text.endsWith(":") || (isInList && !/^\s/.test(line)))) return text;
  }
  return undefined;
}

// Most lines are none, which their first signs say.
function isHeading(line: string, next = ""): boolean {
  return (
    (/^\s*[#<*_]/.test(line) && (heading.test(line) || tag.test(line) || bold.test(line))) ||
    (/^\s{0,3}[=-]/.test(next) && underline.test(next))
  );
}
