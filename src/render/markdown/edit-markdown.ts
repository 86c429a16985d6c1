import type { Action, Change } from "../../generated/plan.js";
import { actionChanges } from "../change/action-changes.js";
import { changeOnLine } from "../change/change-line.js";
import { pathWithOrigin, type MemberWords } from "../view/group-title.js";
import { addressesText } from "../view/address-text.js";
import { firstOf } from "../../core/finding/quotation.js";
import { lazy } from "../../json/once.js";
import { countText } from "../words/count-text.js";
import { cutText } from "../words/cut-text.js";
import { kinText, kinWords } from "../view/kin.js";
import type { EditItem, KinItem } from "../view/plan-section.js";
import { withoutLines } from "../view/plan-review.js";
import { changesDiff, differenceLines } from "./change-diff.js";
import { code, details, fence, fenceBytes, htmlCode, inItem, prose } from "./markdown-text.js";
import type { Rendered, ReviewItem } from "./review-item.js";

const shownFields = 5;
const longestField = 80;
const longestReason = 200;
// A new object that is as short is not folded.
const openLines = 12;

/** Lays out an action with its edits; what waits for a person, replaces or deletes is never left out. */
export function editItem(item: EditItem): ReviewItem {
  const { action, changes, isHeld } = item;
  const isKept = isHeld || action.action === "replace" || action.action === "delete";
  if (isHeld) return { render: (bytes) => heldText(item, bytes), short: () => heldInShort(item), isKept };
  const render = { create: createText, adopt: adoptText }[action.action as string] ?? editText;
  const short = changes.length === 0 ? {} : { short: () => inShort(item) };
  return { render: (bytes) => render(item, bytes), ...short, isKept };
}

function editText(item: EditItem, bytes: number): Rendered {
  const [change] = item.changes.length === 1 ? actionChanges(item.action, item.changes) : [];
  const beside = change && changeOnLine(change, code);
  if (change && beside !== undefined) {
    const said = sentence(item);
    const text = `${pathWithOrigin(change, code)}: ${beside}`;
    return { text: `${headOfAction(item.action)}${said === "" ? ": " : `${said} · `}${text}`, isCut: false };
  }
  return withDifference([`${headOfAction(item.action)}${sentence(item)}`], item, bytes);
}

// What the object has is not known, so every field counts as changed.
function adoptText(item: EditItem, bytes: number): Rendered {
  const { action, changes } = item;
  const { lines, isCut } = differenceLines(action, changes, bytes - 4 * fenceBytes);
  const fields = lines.length > 0 ? [details(countText(changes.length, "field"), [fence(lines)])] : [];
  return { text: [`${headOfAction(action)}${sentence(item)}`, ...fields].join("\n\n"), isCut };
}

function heldText(item: EditItem, bytes: number): Rendered {
  // A command, or a value, which is to be copied as it is.
  const ways = item.ways.map(({ where, text }) => `${prose(`${where}:`)} ${code(text)}`);
  const points = [
    ...item.reasons.map(because),
    ...ways,
    ...item.leaves.map(prose),
    ...item.follows.map(prose),
  ];
  return withDifference([headOfAction(item.action), ...listOf(points)], item, bytes);
}

function withDifference(before: readonly string[], { action, changes }: EditItem, bytes: number): Rendered {
  const room = bytes - Buffer.byteLength(before.join("\n\n")) - fenceBytes;
  const { lines, isCut } = differenceLines(action, changes, room);
  return { text: [...before, ...(lines.length > 0 ? [fence(lines)] : [])].join("\n\n"), isCut };
}

function heldInShort({ action, reasons }: EditItem): string {
  const why = reasons.slice(0, 1).map((reason) => `: ${because(cutText(reason, longestReason))}`);
  return `${headOfAction(action)}${why.join("")}`;
}

function createText(item: EditItem, bytes: number): Rendered {
  const { action, reasons, follows, changes } = item;
  const about = listOf([...reasons.map(because), ...follows.map(prose)]);
  const room =
    bytes - Buffer.byteLength(`${action.address} ${action.file ?? ""} ${about.join()}`) - 2 * fenceBytes;
  const { lines, isCut } = differenceLines(action, changes, room);
  const fenced = lines.length > 0 ? [fence(lines)] : [];
  if (lines.length <= openLines)
    return { text: [headOfAction(action), ...about, ...fenced].join("\n\n"), isCut };
  const where = action.file === undefined ? "" : ` in ${htmlCode(action.file)}`;
  return {
    text: details(`<strong>${action.action}</strong> ${htmlCode(action.address)}${where}`, [
      ...about,
      ...fenced,
    ]),
    isCut,
  };
}

/** Lays out new resources that are alike: the first as one alone, then what differs in each of the others. */
export function kinItem({ first, others }: KinItem): ReviewItem {
  const words = lazy(() => others.map((each) => kinWords(each, code)));
  const title = kinText(others);
  const around = Buffer.byteLength(title) + fenceBytes;
  // Without what the first has instead, which is shown there.
  const newLines = lazy(() =>
    words().map((each) => ({ ...each, below: each.below.map((change) => withoutLines(change, "removed")) })),
  );
  const render = (bytes: number): Rendered => {
    const whole = membersText(words(), Infinity);
    const size = Buffer.byteLength(whole.text) + around;
    const one = createText(first, Math.max(bytes - size, bytes / 2));
    const room = bytes - Buffer.byteLength(one.text);
    const members = size <= room ? whole : { text: membersText(newLines(), room - around).text, isCut: true };
    const text = `${one.text}\n\n${details(title, [members.text])}`;
    return { text, isCut: one.isCut || members.isCut };
  };
  const actions = others.map(({ action }) => action);
  const short = () =>
    `${headOfAction(first.action)} and ${others.length} more like it: ${addressesText(actions, code)}`;
  return { render, short };
}

/** Renders what differs in each resource, all of it or as much as so many bytes hold, and the other addresses. */
export function membersText(members: readonly MemberWords[], bytes: number): Rendered {
  const whole = members.map((each) => memberText(each, Infinity).text).join("\n");
  if (Buffer.byteLength(whole) <= bytes) return { text: whole, isCut: false };
  const rest = (from: number) =>
    `- ${countText(members.length - from, "more resource")}: ${addressesText(members.slice(from), code)}`;
  const shown: string[] = [];
  let room = bytes - Buffer.byteLength(rest(0));
  for (const [at, each] of members.entries()) {
    const { text } = memberText(each, room / (members.length - at));
    room -= Buffer.byteLength(text) + 1;
    if (room < 0) return { text: [...shown, rest(at)].join("\n"), isCut: true };
    shown.push(text);
  }
  return { text: shown.join("\n"), isCut: true };
}

function memberText({ address, words, below }: MemberWords, bytes: number): Rendered {
  const said = [code(address), ...(words === "" ? [] : [words])].join(": ");
  const { lines, isCut } = changesDiff(below, bytes - Buffer.byteLength(said) - fenceBytes);
  return { text: inItem(said, lines.length > 0 ? fence(lines) : ""), isCut };
}

function listOf(points: readonly string[]): string[] {
  return points.length > 0 ? [points.map((point) => `- ${point}`).join("\n")] : [];
}

function because(reason: string): string {
  return prose(`because ${reason}`);
}

function headOfAction({ action, address, file }: Action): string {
  return `**${action}** ${code(address)}${file === undefined ? "" : ` in ${code(file)}`}`;
}

function sentence({ judged, reasons, follows, noted, shared }: EditItem): string {
  const parts = [
    ...judged.map(prose),
    ...reasons.map(because),
    ...follows.map(prose),
    ...(noted.length > 0 ? [`${firstOf(pathsOf(noted), shownFields)} in the notes`] : []),
    ...(shared > 0 ? [`${countText(shared, "shared edit")} below`] : []),
  ];
  return parts.length > 0 ? `: ${parts.join("; ")}` : "";
}

function inShort({ action, all }: EditItem): string {
  if (action.action === "create") return `${headOfAction(action)}: ${countText(all.length, "field")}`;
  return `${headOfAction(action)}: ${firstOf([...new Set(pathsOf(all))], shownFields)}`;
}

function pathsOf(changes: readonly Change[]): string[] {
  return changes.map(({ path }) => code(cutText(path, longestField)));
}
