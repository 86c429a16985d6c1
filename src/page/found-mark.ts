import { wordsOf } from "./matching.js";

const mostMarks = 1000;
const name = "found";

/** Highlights the words of a query in the actions, without changing the document. */
export function markFound(query: string): void {
  // Older browsers find as much, but highlight nothing.
  if (!("highlights" in CSS)) return;
  const words = wordsOf(query);
  if (words.length === 0) {
    CSS.highlights.delete(name);
    return;
  }
  const ranges: Range[] = [];
  for (const cards of document.querySelectorAll(".cards")) {
    const walker = document.createTreeWalker(cards, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && ranges.length < mostMarks)
      ranges.push(...rangesIn(walker.currentNode, words));
  }
  CSS.highlights.set(name, new Highlight(...ranges));
}

function rangesIn(node: Node, words: readonly string[]): Range[] {
  const text = node.nodeValue ?? "";
  const lower = text.toLowerCase();
  // A letter whose lower case is longer would shift everything after it.
  if (lower.length !== text.length) return [];
  return words.flatMap((word) => {
    const ranges: Range[] = [];
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      ranges.push(range);
    }
    return ranges;
  });
}
