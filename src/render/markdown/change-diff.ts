import type { Action, Change } from "../../generated/plan.js";
import { actionChanges } from "../change/action-changes.js";
import { type LayoutLine, layOutChange } from "../change/change-layout.js";
import { besideField, type ShownChange } from "../change/shown-change.js";
import { countText } from "../words/count-text.js";
import { headOf, tailOf } from "../words/cut-text.js";
import { sharesOf } from "../words/shared-room.js";
import { withoutContext } from "../view/plan-review.js";
import { inertLine } from "./markdown-text.js";

/** The lines of a `diff` block. */
export interface DiffLines {
  readonly lines: readonly string[];
  /** Whether lines that change are left out. */
  readonly isCut: boolean;
}

/** Lays out changes of an action as the lines of a `diff` block of at most so many bytes. */
export function differenceLines(action: Action, changes: readonly Change[], bytes: number): DiffLines {
  return changesDiff(actionChanges(action, changes), bytes);
}

/** Lays out a `diff` block in so many bytes: with context, without, or only the changed lines that have room. */
export function changesDiff(changes: readonly ShownChange[], bytes: number): DiffLines {
  const whole = diffLines(changes);
  if (bytes === Infinity || sizeOf(whole) <= bytes) return { lines: whole, isCut: false };
  const changed = diffLines(changes.map(withoutContext));
  if (sizeOf(changed) <= bytes - markBytes) return { lines: changed, isCut: false };
  let room = bytes - markBytes;
  // One line that is as long as all of the room would hide itself and all that comes after it.
  const shares = sharesOf(changed.map(lineSize), room);
  const longest = shares.reduce((most, share) => Math.max(most, share - 1), Math.max(leastLine, room / 4));
  const shown = changed.map((line) => cutWithin(line, longest));
  const first = shown.findIndex((line) => {
    room -= lineSize(line);
    return room < 0;
  });
  return { lines: first < 0 ? shown : firstLines(shown, first, ""), isCut: true };
}

// No line is cut to less.
const leastLine = 400;

// What is added to a text at its end is to be seen, too.
function cutWithin(line: string, bytes: number): string {
  const size = Buffer.byteLength(line);
  if (size <= bytes) return line;
  const half = Math.floor((line.length * bytes) / size / 2) - 3;
  return `${headOf(line, half)} … ${tailOf(line, half)}`;
}

// What says how many lines are left out.
const markBytes = 60;

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + lineSize(line), 0);
}

function lineSize(line: string): number {
  return Buffer.byteLength(line) + 1;
}

function diffLines(changes: readonly ShownChange[]): string[] {
  const rendered = changes.map(diffOf);
  // After the lines of a text, a line of its own could be taken for one of them.
  const inOrder = [
    ...rendered.filter(({ isBlock }) => !isBlock),
    ...rendered.filter(({ isBlock }) => isBlock),
  ];
  return inOrder.flatMap(({ lines }) => lines);
}

/** Gives the first lines of a `diff` block, and says how many more there are, and where. */
export function firstLines(lines: readonly string[], most: number, where: string): string[] {
  const left = lines.length - most;
  if (left <= 0) return [...lines];
  return [...lines.slice(0, most), `@@ ${countText(left, "more line")} of this difference${where} @@`];
}

/** Lays out a change as `diff` lines; each begins with `+ `, `- `, two spaces or `@@ `, whatever its text does. */
export function renderChangeDiff(change: ShownChange): string[] {
  return diffOf(change).lines;
}

function diffOf(change: ShownChange): { readonly lines: string[]; readonly isBlock: boolean } {
  const { path: field, sign, content } = change;
  const beside = besideField(change);
  const path = beside === undefined ? field : `${field} (${beside})`;
  const { before, after, said, note, lines } = layOutChange(change);
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
  const isMarked = sides.length === 0 && (isMoved || sign === "~" || said === undefined);
  const own = isMoved ? [] : [isMarked ? mark(title) : `${sign} ${title}`];
  const head = sides.length > 0 ? sides : own;
  const all = [...head, ...(startsLater ? rest : lines).map((line) => lineText(line, sign, path))];
  return { lines: all.map(inertLine), isBlock: isMarked && all.length > 1 };
}

function mark(text: string): string {
  return `@@ ${text} @@`;
}

function lineText(line: LayoutLine, sign: ShownChange["sign"], path: string): string {
  switch (line.kind) {
    case "hunk":
      return mark(`line ${line.line}`);
    case "note":
      return mark(line.text);
    case "more":
      return mark(countText(line.left, "more line"));
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
