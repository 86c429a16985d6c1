import { type LayoutLine, type LayoutRoom, layOutChange } from "../change/change-layout.js";
import { besideField, type Room, type ShownChange } from "../change/shown-change.js";
import { type ExcerptRoom, wholeRoom } from "../words/value-excerpt.js";
import { withoutCommand } from "./markdown-text.js";

const width = 120;

/** How much room a `diff` block has for a change. */
export const changeRoom: Room = { width, short: 2 * width };

/** How much is shown of a value that is new or gone: three lines of it, eight, or all. */
export type ValueDetail = "few" | "head" | "whole";

const values: Readonly<Record<ValueDetail, ExcerptRoom>> = {
  few: { width, compact: true, whole: 8, head: 3 },
  head: { width, compact: false, whole: 8 },
  whole: wholeRoom(width),
};

/** How much room a `diff` block has for the values of a change. */
export function changeLayout(detail: ValueDetail): LayoutRoom {
  return { width, values: values[detail] };
}

/**
 * Lays out one change as lines of a `diff` block. Every line is `+ …`,
 * `- …`, two spaces and context, or `@@ … @@`, whatever the texts begin with.
 */
export function renderChangeDiff(change: ShownChange, detail: ValueDetail): string[] {
  const { path: field, sign, content } = change;
  const beside = besideField(change);
  const path = beside === undefined ? field : `${field} (${beside})`;
  const { before, after, said, note, lines } = layOutChange(change, changeLayout(detail));
  const sides = [
    ...(before === undefined ? [] : [`- ${after === undefined ? path : field}: ${before}`]),
    ...(after === undefined ? [] : [`+ ${path}: ${after}`]),
  ];
  const secret = content.sort === "secret" ? `secret, ${content.revision}` : undefined;
  const words = [secret ?? said, note].filter((text) => text !== undefined && text !== "").join(" ");
  const titled = words === "" ? path : `${path}: ${words}`;
  const [first, ...rest] = lines;
  const startsLater = sides.length === 0 && words === "" && first?.kind === "hunk";
  const title = startsLater ? `${path}, line ${first.line}` : titled;
  const isMoved = words === "" && lines.length > 0 && lines.every(({ kind }) => kind === "moved");
  const head =
    sides.length > 0
      ? sides
      : isMoved
        ? []
        : [sign === "~" || said === undefined ? mark(title) : `${sign} ${title}`];
  return [...head, ...(startsLater ? rest : lines).map((line) => lineText(line, sign, path))].map(
    withoutCommand,
  );
}

function mark(text: string): string {
  return `@@ ${text} @@`;
}

function lineText(line: LayoutLine, sign: ShownChange["sign"], path: string): string {
  switch (line.kind) {
    case "hunk":
      return mark(`line ${line.line}`);
    case "note":
    case "more":
      return mark(line.text.replace(/^[\\…] /, ""));
    case "part":
      return `${sign}   ${line.text}`.trimEnd();
    case "moved":
      return mark(`${path}: ${line.name} ${line.fate}`);
    default: {
      const text = line.segments.map((segment) => segment.text.replaceAll("\t", "    ")).join("");
      return `${{ context: " ", added: "+", removed: "-" }[line.kind]} ${text}`.trimEnd();
    }
  }
}
