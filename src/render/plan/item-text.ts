import { firstOf, inCode } from "../../core/finding/quotation.js";
import { actionChanges } from "../change/action-changes.js";
import { layOutChange } from "../change/change-layout.js";
import { moreLines, renderChange } from "../change/change-text.js";
import { asIs, shownChange } from "../change/shown-change.js";
import { actionWords } from "../words/action-words.js";
import { countText } from "../words/count-text.js";
import { indented, widestOf } from "../words/text-lines.js";
import type { Palette } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import { addressesText } from "../view/address-text.js";
import { groupTitle, type MemberWords, otherLines, partPlace } from "../view/group-title.js";
import { kinText, kinWords } from "../view/kin.js";
import { noteSubject } from "../view/note-subject.js";
import { alike, withoutReasons } from "../view/plan-review.js";
import type {
  AlikeItem,
  EditItem,
  GroupItem,
  Item,
  KinItem,
  NoteItem,
  SaidItem,
  StateItem,
} from "../view/plan-section.js";

/** What the lines of an item depend on beside the item. */
export interface ItemStyle {
  readonly palette: Palette;
  /** Whether of a new object's long texts the beginning is shown. */
  readonly isBounded: boolean;
  /** The columns that the addresses of notes take. */
  readonly column?: number;
}

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
  return safeLine(noteSubject(note));
}

/** Renders an item as lines for a terminal. */
export function itemLines(item: Exclude<Item, GroupItem>, style: ItemStyle): string[] {
  switch (item.sort) {
    case "state":
      return stateLines(item, style);
    case "setting":
      return renderChange(shownChange(item.change), style.palette);
    case "note":
      return noteLines(item, style);
    case "edit":
      return editLines(item, style);
    case "kin":
      return kinLines(item, style);
    case "alike":
      return [alikeText(item, style.palette)];
    case "said":
      return saidLines(item);
  }
}

function stateLines({ change, name, what, lost, isOpen }: StateItem, { palette }: ItemStyle): string[] {
  const [symbol, paint] = {
    added: ["+", palette.added] as const,
    removed: ["-", palette.removed] as const,
    changed: ["~", palette.changed] as const,
  }[change.edit];
  return [
    `${paint(symbol)} ${safeLine(name)}  ${palette.dim(safeLine(what))}`,
    ...indented(
      [
        ...(lost === undefined ? [] : [lost]),
        ...(isOpen ? change.changes.flatMap((each) => renderChange(shownChange(each), palette)) : []),
      ],
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

// Renders the change of a guardrail note, as far as the note has room for it.
function notedLines({ change, lines: most, left }: NoteItem, { palette }: ItemStyle): string[] {
  if (!change) return [];
  const lines = renderChange(change, palette, false, most);
  if (left === 0) return lines;
  const [head = ""] = lines;
  const { lines: _below, ...beside } = layOutChange(change);
  // A field alone says nothing on a line of its own.
  if (most === 1 && Object.keys(beside).length === 0)
    return [`${head} ${palette.dim(`${countText(left, "line")}, below`)}`];
  return [...lines, palette.dim(`${moreLines(left)}, below`)];
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

// Renders what is below the first line of an action: why, what changes, and what follows from it.
function pointLines(item: EditItem, style: ItemStyle): string[] {
  const { reasons, ways, noted, shared, isHeld, leaves, follows } = item;
  const { palette } = style;
  return [
    ...reasons.map((reason) => `because ${safeLine(reason)}`),
    ...ways.map(({ where, text }) => `${where}: ${text}`),
    ...changeLines(item, style),
    ...noted.map(({ path }) => palette.dim(`${safeLine(path)}: in the notes`)),
    ...(shared > 0 ? [palette.dim(`${countText(shared, "shared edit")} below`)] : []),
    ...(isHeld ? leaves : []),
    ...follows,
  ];
}

function changeLines({ action, changes }: EditItem, { palette, isBounded }: ItemStyle): string[] {
  const isNew = action.action === "create";
  return actionChanges(action, changes).flatMap((change) =>
    renderChange(change, palette, isNew && isBounded),
  );
}

/** Whether an item is a new object of which not all values are shown to their end. */
export function isCut(item: EditItem, style: ItemStyle): boolean {
  if (item.action.action !== "create") return false;
  return changeLines(item, style).length < changeLines(item, { ...style, isBounded: false }).length;
}

function kinLines({ first, others }: KinItem, style: ItemStyle): string[] {
  const { palette, role } = { ...style, role: actionWords.create.role };
  return [
    ...editLines(first, style),
    `${palette[role](actionWords.create.symbol)} ${kinText(others)}`,
    ...indented(
      others.flatMap((each) => memberLines(kinWords(each, inCode), style)),
      4,
    ),
  ];
}

// Renders one of several resources with what differs in it.
function memberLines({ address, words, below }: MemberWords, { palette }: ItemStyle): string[] {
  return [
    safeLine(`${address}${words === "" && below.length === 0 ? "" : ":"} ${words}`.trimEnd()),
    ...indented(
      below.flatMap((change) => renderChange(change, palette)),
      4,
    ),
  ];
}

function groupText(item: GroupItem, style: ItemStyle): string {
  const { palette } = style;
  const { group, edits } = item;
  const { head, words, isWhole } = groupTitle(item, inCode);
  return [
    safeLine(`${head}: ${words}`),
    ...indented(isWhole ? [] : editsLines(item, style), 2),
    ...indented(
      edits.flatMap((each) => otherLines(each, inCode)).flatMap((each) => memberLines(each, style)),
      2,
    ),
    ...alikeTexts(alike(group.actions.map(withoutReasons), group.known), palette),
  ].join("\n");
}

// Renders the differences of a shared edit, or of all of one document that the notes do not show.
function editsLines(item: GroupItem, { palette }: ItemStyle): string[] {
  return item.edits.flatMap((each) => {
    const place = partPlace(item, each, asIs);
    const [first] = each.actions;
    return [
      ...(first ? actionChanges(first, [each.change]) : []).flatMap((change) =>
        renderChange(change, palette),
      ),
      ...(place === undefined ? [] : indented([palette.dim(safeLine(place))], 4)),
    ];
  });
}

/** Renders resources that are alike, a line for each way in which they are, of many the first. */
export function alikeTexts(items: readonly Item[], palette: Palette): string[] {
  const all = items.filter((item) => item.sort === "alike");
  const left = all.slice(mostReasons).reduce((sum, { actions }) => sum + actions.length, 0);
  const lines = all.slice(0, mostReasons).map((item) => alikeText(item, palette));
  return indented([...lines, ...(left > 0 ? [`… ${countText(left, "more resource")}`] : [])], 2);
}

function alikeText({ action, reasons, actions, known }: AlikeItem, palette: Palette): string {
  const { symbol, role } = actionWords[action];
  const why = reasons.length > 0 ? `, because ${firstOf(reasons, 2)}` : "";
  const addresses = addressesText(actions, asIs, known);
  return `${palette[role](symbol)} ${safeLine(addresses + why)}`;
}

function saidLines({ field, word, text, diagnostic }: SaidItem): string[] {
  if (!diagnostic)
    return [
      `${field === undefined ? "" : `${inCode(safeLine(field))} of `}${word === undefined ? "" : `${word}: `}${safeLine(text)}`,
    ];
  const { severity, code, hint, places } = diagnostic;
  return [
    `${severity}: ${safeLine(text)}  [${safeLine(code)}]`,
    ...(places.length > 0 ? [`    ${safeLine(firstOf(places, mostPlaces))}`] : []),
    ...(hint === undefined ? [] : [`    hint: ${safeLine(hint)}`]),
  ];
}
