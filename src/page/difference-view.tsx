import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { LayoutLine } from "../render/change/change-layout.js";
import { moreLines } from "../render/change/change-text.js";
import { splitRows, type SplitRow } from "./split-rows.js";

const mostLines = 60;
const shownLines = 40;

const signs = { context: " ", removed: "−", added: "+" } as const;
const spoken = { context: "", removed: "removed: ", added: "added: " } as const;

/** A difference of texts, inline or side by side; a long one is folded. */
export function DifferenceView({ lines, isSplit }: { lines: readonly LayoutLine[]; isSplit: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || lines.length <= mostLines ? lines : lines.slice(0, shownLines);
  const hasBoth = lines.some(({ kind }) => kind === "removed") && lines.some(({ kind }) => kind === "added");
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

function Split({ lines }: { lines: readonly LayoutLine[] }) {
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

function inlineLine(line: LayoutLine) {
  switch (line.kind) {
    case "hunk":
      return <div class="line hunk">⋯ line {line.line}</div>;
    case "note":
      return <div class="line note">{line.text}</div>;
    case "more":
      return <div class="line note">{moreLines(line.left)}</div>;
    case "part":
      return <SignedLine kind="context">{line.text}</SignedLine>;
    case "moved":
      return (
        <SignedLine kind="context">
          {line.name} <ins>{line.fate}</ins>
        </SignedLine>
      );
    default: {
      const Word = line.kind === "removed" ? "del" : "ins";
      return (
        <SignedLine kind={line.kind}>
          {line.segments.map(({ text, changed }) => (changed ? <Word>{text}</Word> : text))}
        </SignedLine>
      );
    }
  }
}

interface SignedLineProps {
  readonly kind: keyof typeof signs;
  readonly children: ComponentChildren;
}

function SignedLine({ kind, children }: SignedLineProps) {
  return (
    <div class={`line ${kind}`}>
      <span class="sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <span class="text">
        {kind !== "context" && <span class="unseen">{spoken[kind]}</span>}
        {children}
      </span>
    </div>
  );
}
