import type { Change } from "../../generated/plan.js";
import { canonical, equal, type Json } from "../../json/json.js";
import type { ChangeStyle } from "./change-style.js";
import type { Palette } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import { flowText } from "../words/value-text.js";

const mostItems = 50;

/** Renders what differs between two lists, taken as sets: removed items, added ones, and references that move. */
export function listLines(
  { order, references = [] }: Change,
  before: readonly Json[],
  after: readonly Json[],
  style: ChangeStyle,
): string[] {
  const { palette, width } = style;
  const moved = movedLines(references, style);
  if (order)
    return [...(equal([...before], [...after]) ? [] : [`now ${flowText([...after], width)}`]), ...moved];
  const removed = itemsWithout(before, after);
  const added = itemsWithout(after, before);
  return [
    ...itemLines("-", removed, palette.removed, style),
    ...itemLines("+", added, palette.added, style),
    ...moved,
  ];
}

function itemLines(
  symbol: "-" | "+",
  items: readonly Json[],
  paint: Palette["added"],
  { palette, width }: ChangeStyle,
): string[] {
  const left = items.length - mostItems;
  return [
    ...items.slice(0, mostItems).map((item) => paint(`${symbol} ${flowText(item, width)}`)),
    ...(left > 0 ? [palette.dim(`… ${left} more ${symbol === "-" ? "removed" : "added"}`)] : []),
  ];
}

/** Renders references whose text stays while what they stand for changes. */
export function movedLines(references: readonly string[], { palette, fateOf }: ChangeStyle): string[] {
  return references.map(
    (name) => `${palette.changed("~")} ${safeLine(`\${${name}}`)} (${safeLine(fateOf(name))})`,
  );
}

/** Gives the items that others lack; one that stands twice here and once there differs once. */
export function itemsWithout(items: readonly Json[], others: readonly Json[]): Json[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(canonical(other), (counts.get(canonical(other)) ?? 0) + 1);
  return items.filter((item) => {
    const count = counts.get(canonical(item)) ?? 0;
    counts.set(canonical(item), count - 1);
    return count <= 0;
  });
}
