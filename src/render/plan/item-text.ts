import type { Change } from "../../generated/plan.js";
import { actionChanges } from "../change/action-changes.js";
import { type ChangeStyle, renderChange } from "../change/change-text.js";
import { type Room, shownChange, wholeWidth } from "../change/shown-change.js";
import { actionWords } from "../words/action-words.js";
import { countText, firstOf, namesText } from "../words/count-text.js";
import { indented } from "../words/indented.js";
import type { Palette } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import { widestOf } from "../words/widest.js";
import { groupEdit, groupHead, groupSaid, otherLines, pathWithOrigin } from "../view/group-title.js";
import { alike, withoutReasons } from "../view/plan-review.js";
import type {
  AlikeItem,
  EditItem,
  GroupItem,
  Item,
  NoteItem,
  SaidItem,
  StateItem,
} from "../view/plan-section.js";

/** What the lines of an item depend on beside the item. */
export interface ItemStyle {
  readonly palette: Palette;
  /** About how many columns a value may take. */
  readonly width: number;
  /** The room of a change. */
  readonly room: Room;
  /** Whether the values of a new object are shown to their end. */
  readonly isWhole: boolean;
  /** The columns that the addresses of notes take. */
  readonly column?: number;
}

const mostAddresses = 10;
const mostReasons = 20;
const mostPlaces = 5;

/** Renders an item of a section as indented lines for a terminal; the title of a shared edit is not indented. */
export function itemText(item: Item, style: ItemStyle): string {
  if (item.sort === "group") return groupText(item, style);
  return indented(itemLines(item, style), 2).join("\n");
}

/** Gives the columns that the addresses of guardrail notes take. */
export function noteColumn(items: readonly Item[]): number {
  return Math.min(40, widestOf(items.flatMap((item) => (item.sort === "note" ? [namesOf(item)] : []))));
}

function namesOf({ note }: NoteItem): string {
  return safeLine(namesText(note.addresses));
}

/** Renders an item as lines for a terminal. */
export function itemLines(item: Exclude<Item, GroupItem>, style: ItemStyle): string[] {
  switch (item.sort) {
    case "state":
      return stateLines(item, style);
    case "setting":
      return wholeChange(item.change, { ...style, compact: false });
    case "note":
      return noteLines(item, style);
    case "edit":
      return editLines(item, style);
    case "alike":
      return [alikeText(item, style.palette)];
    case "said":
      return saidLines(item);
  }
}

function wholeChange(
  change: Change,
  { palette, compact }: Pick<ChangeStyle, "palette" | "compact">,
): string[] {
  const style = { palette, width: wholeWidth, compact };
  return renderChange(shownChange(change, style), style);
}

function stateLines({ change, name, what }: StateItem, { palette }: ItemStyle): string[] {
  const [symbol, paint] = {
    added: ["+", palette.added] as const,
    removed: ["-", palette.removed] as const,
    changed: ["~", palette.changed] as const,
  }[change.edit];
  const compact = change.edit !== "changed";
  return [
    `${paint(symbol)} ${safeLine(name)}  ${palette.dim(safeLine(what))}`,
    ...indented(
      change.changes.flatMap((each) => wholeChange(each, { palette, compact })),
      4,
    ),
  ];
}

function noteLines(item: NoteItem, style: ItemStyle): string[] {
  const { palette, column = 0 } = style;
  const { effect, message, code } = item.note;
  const symbol = effect === "weakens" ? palette.removed("!") : palette.changed("!");
  const columns = [effect.padEnd("weakens".length), namesOf(item).padEnd(column), safeLine(message)];
  return [`${symbol} ${columns.join("  ")}  [${safeLine(code)}]`, ...indented(notedLines(item, style), 4)];
}

/** Renders the change of a guardrail note, as far as the note has room for it. */
export function notedLines({ change, lines: most, left }: NoteItem, { palette, width }: ItemStyle): string[] {
  if (!change) return [];
  const lines = renderChange(change, { palette, width, compact: true }).slice(0, most);
  if (left === 0) return lines;
  const [head = ""] = lines;
  // A field alone says nothing on a line of its own.
  if (most === 1 && head.endsWith(":"))
    return [`${head} ${palette.dim(`${countText(left, "line")}, below`)}`];
  return [...lines, palette.dim(`… ${countText(left, "more line")}, below`)];
}

function editLines(item: EditItem, style: ItemStyle): string[] {
  const { palette } = style;
  const { action, address, file } = item.action;
  const { symbol, role } = actionWords[action];
  const head = [
    `${palette[role](symbol)} ${safeLine(address)}`,
    ...(file === undefined ? [] : [palette.dim(safeLine(file))]),
    ...item.judged.map((text) => palette.changed(safeLine(text))),
  ];
  return [head.join("  "), ...indented(pointLines(item, style), 4)];
}

/** Renders what is below the first line of an action: why, what changes, and what follows from it. */
export function pointLines(item: EditItem, style: ItemStyle): string[] {
  const { reasons, ways, noted, shared, isHeld, leaves, follows } = item;
  const { palette } = style;
  return [
    ...reasons.map((reason) => `because ${safeLine(reason)}`),
    ...ways.map(({ where, text }) => `${where}: ${text}`),
    ...changeLines(item, style),
    ...noted.map(({ path }) => palette.dim(`${safeLine(path)}: in the notes above`)),
    ...(shared > 0 ? [palette.dim(`${countText(shared, "shared edit")} below`)] : []),
    ...(isHeld ? leaves : []),
    ...follows,
  ];
}

function changeLines({ action, changes }: EditItem, { palette, width, room, isWhole }: ItemStyle): string[] {
  const isNew = action.action === "create";
  const style: ChangeStyle = { palette, width, compact: isNew, whole: isNew && isWhole };
  const shown = actionChanges({ ...action, changes: [...changes] }, room);
  return [
    ...shown.changes.flatMap((change) => renderChange(change, style)),
    ...(shown.left > 0 ? [`… ${countText(shown.left, "more change")}`] : []),
  ];
}

/** Whether an item is a new object of which not all values are shown to their end. */
export function isCut(item: Item, style: ItemStyle): boolean {
  if (item.sort !== "edit" || item.action.action !== "create" || style.isWhole) return false;
  const lines = changeLines(item, style).join("\n");
  return lines !== changeLines(item, { ...style, isWhole: true }).join("\n");
}

function groupText({ group, isNoted }: GroupItem, style: ItemStyle): string {
  const { palette, width, room } = style;
  const { change, actions } = group;
  const [first] = actions;
  const shown = first ? actionChanges({ ...first, changes: [change] }, room).changes : [];
  const whole = shown[0] ?? shownChange(change, room);
  const { words, isWhole } = groupEdit(whole, inBackticks);
  const lines =
    isNoted || isWhole ? [] : shown.flatMap((each) => renderChange(each, { palette, width, compact: false }));
  const title = [
    `${groupHead(group, asIs)}: ${isNoted ? pathWithOrigin(whole, inBackticks) : words}`,
    ...groupSaid(group, asIs),
    ...(isNoted ? ["in the notes above"] : []),
  ];
  const others = isNoted
    ? []
    : otherLines({ ...group, edits: group.edits.slice(0, mostAddresses) }, room, asIs);
  return [
    safeLine(title.join(" · ")),
    ...indented([...lines, ...others.map((line) => palette.dim(safeLine(line)))], 2),
    ...alikeTexts(alike(actions.map(withoutReasons)), palette),
  ].join("\n");
}

function asIs(text: string): string {
  return text;
}

function inBackticks(text: string): string {
  return `\`${text}\``;
}

/** Renders resources that are alike, a line for each way in which they are, of many the first. */
export function alikeTexts(items: readonly Item[], palette: Palette): string[] {
  const all = items.filter((item) => item.sort === "alike");
  const left = all.slice(mostReasons).reduce((sum, { actions }) => sum + actions.length, 0);
  const lines = all.slice(0, mostReasons).map((item) => alikeText(item, palette));
  return indented([...lines, ...(left > 0 ? [`… ${countText(left, "more resource")}`] : [])], 2);
}

function alikeText({ action, reasons, actions }: AlikeItem, palette: Palette): string {
  const { symbol, role } = actionWords[action];
  const why = reasons.length > 0 ? `, because ${firstOf(reasons, 2)}` : "";
  const addresses = actions.map(({ address }) => address);
  return `${palette[role](symbol)} ${safeLine(firstOf(addresses, mostAddresses) + why)}`;
}

function saidLines({ field, word, text, diagnostic }: SaidItem): string[] {
  if (!diagnostic)
    return [
      `${field === undefined ? "" : `\`${safeLine(field)}\` of `}${word === undefined ? "" : `${word}: `}${text}`,
    ];
  const { severity, code, hint, places } = diagnostic;
  return [
    `${severity}: ${safeLine(text)}  [${safeLine(code)}]`,
    ...(places.length > 0 ? [`    ${safeLine(firstOf(places, mostPlaces))}`] : []),
    ...(hint === undefined ? [] : [`    hint: ${safeLine(hint)}`]),
  ];
}
