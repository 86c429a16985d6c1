import { wordsOf } from "./matching.js";

const mostMarks = 1000;
const name = "found";

/** Highlights the words of a query in what is drawn, now and later, without changing the document; gives what ends it. */
export function markFound(query: string): (() => void) | undefined {
  const root = document.querySelector(".parts");
  const words = wordsOf(query);
  // Older browsers find as much, but highlight nothing.
  if (!("highlights" in CSS) || root === null || words.length === 0) return undefined;
  const observer = new MutationObserver(() => mark(root, words));
  observer.observe(root, { childList: true, subtree: true });
  mark(root, words);
  return () => {
    observer.disconnect();
    CSS.highlights.delete(name);
  };
}

function mark(root: Element, words: readonly string[]): void {
  const ranges: Range[] = [];
  for (const part of root.querySelectorAll(".cards, .edit, .consequences ul")) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && ranges.length < mostMarks)
      for (const range of rangesIn(walker.currentNode, words)) ranges.push(range);
  }
  CSS.highlights.set(name, new Highlight(...ranges.slice(0, mostMarks)));
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
