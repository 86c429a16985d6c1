import { useState } from "preact/hooks";
import type { PageLine } from "../render/html/page-data.js";
import { splitRows, type SplitRow } from "./split-rows.js";

const mostLines = 60;
const shownLines = 40;

const kinds = { " ": "context", "-": "removed", "+": "added", "@": "hunk", "!": "note" } as const;
const spoken = { " ": "", "-": "removed: ", "+": "added: ", "@": "", "!": "" } as const;

/** A difference of texts, inline or side by side; a long one is folded. */
export function DifferenceView({ lines, isSplit }: { lines: readonly PageLine[]; isSplit: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || lines.length <= mostLines ? lines : lines.slice(0, shownLines);
  const hasBoth = lines.some(([kind]) => kind === "-") && lines.some(([kind]) => kind === "+");
  return (
    <div class="difference">
      {isSplit && hasBoth ? <Split lines={shown} /> : <div class="inline">{shown.map(inlineLine)}</div>}
      {shown.length < lines.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </div>
  );
}

function Split({ lines }: { lines: readonly PageLine[] }) {
  return <div class="split">{splitRows(lines).map(splitRow)}</div>;
}

function splitRow(row: SplitRow) {
  if ("whole" in row) return <div class="row whole">{inlineLine(row.whole)}</div>;
  return (
    <div class="row">
      {row.left ? inlineLine(row.left) : <div class="line empty" />}
      {row.right ? inlineLine(row.right) : <div class="line empty" />}
    </div>
  );
}

function inlineLine(line: PageLine) {
  const [kind] = line;
  if (kind === "@") return <div class="line hunk">⋯ line {line[1]}</div>;
  if (kind === "!") return <div class="line note">{line[1]}</div>;
  const [, ...segments] = line;
  const Word = kind === "-" ? "del" : "ins";
  return (
    <div class={`line ${kinds[kind]}`}>
      <span class="sign" aria-hidden="true">
        {kind === "-" ? "−" : kind}
      </span>
      <span class="text">
        {kind !== " " && <span class="unseen">{spoken[kind]}</span>}
        {segments.map((part) => (typeof part === "object" ? <Word>{part[0]}</Word> : part))}
      </span>
    </div>
  );
}
