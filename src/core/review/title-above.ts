const heading = /^\s{0,3}(#{1,6})\s+\S/;
// With attributes, as a heading of HTML, and in square brackets as well.
const tag = /^\s*(?:<[A-Za-z][^<>]*>|<h[1-6][^<>]*>[^<>]*<\/h[1-6]>|\[[^[\]()]+\])\s*$/;
const bold = /^\s*(\*\*|__)\S.*\1:?\s*$/;
const item = /^(\s*)(?:([-*+•‣→\p{Pd}\p{So}]\uFE0F?)|(?:\d{1,4}|[A-Za-z])[.)])\s/u;
const underline = /^\s{0,3}(={3,}|-{3,})\s*$/;
const fence = /^\s*(?:```|~~~)/;
// A line between signs may say all, as a heading that is a cross.
const spoken = /[\p{L}\p{N}\p{So}]/u;
const closing = /<\/([A-Za-z][^\s<>]*)\s*>\s*$/;
// Of a longer title both ends.
const longestTitle = 1000;
// How far above a line its titles are looked for.
const mostLines = 2000;
/** The levels of titles that are no headings: of a part in bold or in a tag, and of a list. */
const levels = { part: 7, list: 8 };

/** Gives the titles above a line, the outermost first: its list, the nearest heading, and those of higher levels. */
export function titlesAbove(lines: readonly string[], at: number): readonly string[] {
  const first = lines[at] ?? "";
  // What goes on below an item is in it.
  const own = item.exec(first) ?? /^(\s+)(?=\S)/.exec(first);
  const isInList = own !== null;
  const titles: string[] = [];
  let level = Infinity;
  // Tags that end above the line.
  const ended: string[] = [];
  let isInTag = false;
  // What stands above a list that has ended is no title of what comes after it.
  let isPastList = false;
  for (let index = at - 1; index >= Math.max(0, at - mostLines) && (level > 1 || !isInTag); index--) {
    const line = lines[index] ?? "";
    const text = line.trim();
    const end = text.endsWith(">") ? closing.exec(text)?.[1] : undefined;
    if (end !== undefined && !text.includes(`<${end}`)) {
      ended.push(end);
      continue;
    }
    if (!spoken.test(text) || fence.test(line)) continue;
    const found = levelOf(line, lines[index + 1]);
    const other = item.exec(line);
    if (found !== undefined) {
      const isTag = found === levels.part && text.lastIndexOf("<") === 0;
      if (isTag && ended.length > 0 && text.startsWith(`<${ended.at(-1)}`)) {
        ended.pop();
        continue;
      }
      // The nearest tag that has not ended is around the headings in it.
      if (found >= level && (isInTag || !isTag)) continue;
      isInTag ||= isTag;
      level = Math.min(level, found);
    } else if (level !== Infinity) continue;
    else if (other) {
      if (!own || !isOuter(other, own)) {
        isPastList ||= !isInList;
        continue;
      }
      level = levels.list;
    } else {
      if (isPastList || !(text.endsWith(":") || (isInList && !/^\s/.test(line)))) continue;
      level = levels.list;
    }
    titles.unshift(
      text.length > longestTitle
        ? `${text.slice(0, longestTitle / 2)} … ${text.slice(-longestTitle / 2)}`
        : text,
    );
  }
  return titles;
}

// An item with less space before it, or of the other sort: a number above points, or points above numbers.
function isOuter(
  [, indent = "", point]: RegExpExecArray,
  [, ownIndent = "", ownPoint]: RegExpExecArray,
): boolean {
  const isOtherSort = (point === undefined) !== (ownPoint === undefined);
  return indent.length < ownIndent.length || (isOtherSort && indent.length === ownIndent.length);
}

// Most lines are none, which their first signs say.
function levelOf(line: string, next = ""): number | undefined {
  if (/^\s*[#<*_[]/.test(line)) {
    const marks = heading.exec(line)?.[1];
    if (marks !== undefined) return marks.length;
    if (tag.test(line) || bold.test(line)) return levels.part;
  }
  const under = /^\s{0,3}[=-]/.test(next) ? underline.exec(next)?.[1] : undefined;
  return under === undefined || item.test(line) ? undefined : under.startsWith("=") ? 1 : 2;
}
