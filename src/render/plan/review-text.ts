import type { Change, Plan } from "../../generated/plan.js";
import type { EditGroup } from "../../core/plan/edit-groups.js";
import type { Review, ReviewNote } from "../../core/plan/review.js";
import { actionChanges } from "../change/action-changes.js";
import { consequences, otherReasons } from "../change/action-sentences.js";
import { actionHead, renderAction, type ActionStyle } from "../change/action-text.js";
import { type ChangeStyle, renderChange } from "../change/change-text.js";
import { shownChange, wholeWidth, type Room } from "../change/shown-change.js";
import { actionWords } from "../words/action-words.js";
import { countText, firstOf, namesText } from "../words/count-text.js";
import { indented } from "../words/indented.js";
import type { Palette } from "../words/palette.js";
import { asSentence, reviewMeanings, reviewTitles } from "../words/review-words.js";
import { safeLine } from "../words/terminal-text.js";
import { widestOf } from "../words/widest.js";
import {
  actionCounts,
  alike,
  type Alike,
  leftBehind,
  notedChanges,
  notJudgedHere,
  notJudgedText,
  ownEditsByWeight,
  saysAll,
  sharedEdits,
  shownWithNote,
  withoutContext,
  withoutReasons,
} from "./plan-review.js";
import { renderCommand, renderMeaning } from "./render-hint.js";
import { groupEdit, groupHead, groupSaid, otherLines, pathWithOrigin } from "./group-title.js";
import type { OwnEdits } from "../change/own-edits.js";

/** What the lines of a review depend on beside the plan. */
export interface ReviewStyle extends ActionStyle {
  /** Whether the values of a new object and the lines of a difference are shown to their end. */
  readonly isWhole: boolean;
}

// What is beside a field is short; what is below it may be cut.
function roomOf({ width, isWhole }: ReviewStyle): Room {
  return { width: isWhole ? wholeWidth : width, short: width };
}

const mostNoteLines = 6;
const mostOpenNotes = 8;
const mostAddresses = 10;
const mostReasons = 20;

/** Renders the parts of a review after the settings, each a block of lines. */
export function reviewBlocks(plan: Plan, review: Review, style: ReviewStyle): string[] {
  const notes = review.notes.map((note, index) => noteWithChange(note, index < mostOpenNotes, style));
  const noted = notedChanges(
    notes.filter(({ isWhole }) => isWhole).map(({ note }) => note),
    plan,
  );
  const edits = ownEditsByWeight(review);
  const cut = edits.find((each) => isCut(each, style));
  return [
    ...notesBlock(notes, style.palette),
    ...heldBlocks(review, style),
    ...(edits.length > 0 ? [ownBlock(edits, noted, style)] : []),
    ...(cut ? [`\`${safeLine(renderCommand(cut.action.address, plan))}\` ${renderMeaning}`] : []),
    ...review.groups.map((group) => groupBlock(group, noted, style)),
    ...consequencesBlock(review, style),
    ...notJudgedBlock(review),
    ...leftBehind(plan).map((text) => `${reviewTitles.leftBehind}\n  ${text}`),
  ];
}

function ownBlock(edits: readonly OwnEdits[], noted: ReadonlySet<Change>, style: ReviewStyle): string {
  const texts = edits.map((each) => joined(ownLines(each, noted, style)));
  return `${reviewTitles.onlyHere}: ${reviewMeanings.onlyHere}\n${texts.join("\n\n")}`;
}

function joined(lines: readonly string[]): string {
  return indented(lines, 2).join("\n");
}

interface NoteLines {
  readonly note: ReviewNote;
  readonly lines: readonly string[];
  /** Whether the lines have all of the change that the note is about. */
  readonly isWhole: boolean;
}

function noteWithChange(note: ReviewNote, isOpen: boolean, review: ReviewStyle): NoteLines {
  const change = shownWithNote(note);
  if (!change) return { note, lines: [], isWhole: saysAll(note) };
  const { palette, width } = review;
  const style = { palette, width, compact: true };
  const shown = shownChange(change, roomOf(review));
  const lines = renderChange(shown, style);
  const most = isOpen ? mostNoteLines : 1;
  // A line more takes no more room than saying that there is one.
  if (lines.length <= most + 1) {
    const all = renderChange(shown, { ...style, whole: true });
    return { note, lines, isWhole: all.join("\n") === lines.join("\n") };
  }
  const changed = renderChange(withoutContext(shown), style);
  const [head = ""] = changed;
  // A field alone says nothing on a line of its own.
  if (!isOpen && head.endsWith(":"))
    return {
      note,
      lines: [`${head} ${palette.dim(`${countText(changed.length - 1, "line")}, below`)}`],
      isWhole: false,
    };
  const left = changed.length - most;
  const more = left > 1 ? [palette.dim(`… ${countText(left, "more line")}, below`)] : [];
  return { note, lines: [...changed.slice(0, left > 1 ? most : most + 1), ...more], isWhole: false };
}

function notesBlock(notes: readonly NoteLines[], palette: Palette): string[] {
  if (notes.length === 0) return [];
  const names = notes.map(({ note }) => safeLine(namesText(note.addresses)));
  const column = Math.min(40, widestOf(names));
  const lines = notes.flatMap(({ note: { effect, message, code }, lines: change }, index) => {
    const symbol = effect === "weakens" ? palette.removed("!") : palette.changed("!");
    const columns = [effect.padEnd("weakens".length), (names[index] ?? "").padEnd(column), safeLine(message)];
    return [`  ${symbol} ${columns.join("  ")}  [${safeLine(code)}]`, ...indented(change, 6)];
  });
  return [`${reviewTitles.notes}\n${lines.join("\n")}`];
}

function heldBlocks({ held }: Review, style: ReviewStyle): string[] {
  return [actionWords.unknown, actionWords.blocked].flatMap(({ action: wanted, title }) => {
    const texts = held
      .filter(({ action }) => action === wanted)
      .map((action) => joined(renderAction(action, style)));
    return texts.length > 0 ? [`${title}\n${texts.join("\n\n")}`] : [];
  });
}

function ownLines(
  { action, changes, notJudged }: OwnEdits,
  noted: ReadonlySet<Change>,
  review: ReviewStyle,
): string[] {
  const { palette, width, isWhole } = review;
  const isNew = action.action === "create";
  const style: ChangeStyle = { palette, width, compact: isNew, whole: isNew && isWhole };
  const shown = actionChanges(
    { ...action, changes: changes.filter((change) => !noted.has(change)) },
    roomOf(review),
  );
  const others = sharedEdits(action, changes);
  return [
    [
      actionHead(action, palette),
      ...notJudgedHere({ action, notJudged }).map((text) => palette.changed(safeLine(text))),
    ].join("  "),
    ...indented(
      [
        ...otherReasons(action).map((reason) => `because ${safeLine(reason)}`),
        ...shown.changes.flatMap((change) => renderChange(change, style)),
        ...(shown.left > 0 ? [`… ${countText(shown.left, "more change")}`] : []),
        ...changes
          .filter((change) => noted.has(change))
          .map(({ path }) => palette.dim(`${safeLine(path)}: in the notes above`)),
        ...(others > 0 ? [palette.dim(`${countText(others, "shared edit")} below`)] : []),
        ...consequences({ ...action, leaves: 0 }),
      ],
      4,
    ),
  ];
}

// Whether the values of a new object are not shown to their end.
function isCut({ action, changes }: OwnEdits, { palette, width, isWhole }: ReviewStyle): boolean {
  if (action.action !== "create" || isWhole) return false;
  const style: ChangeStyle = { palette, width, compact: true };
  return changes.some((change) => {
    const shown = shownChange(change, style);
    return (
      renderChange(shown, style).join("\n") !== renderChange(shown, { ...style, whole: true }).join("\n")
    );
  });
}

function groupBlock(group: EditGroup, noted: ReadonlySet<Change>, style: ReviewStyle): string {
  const { palette, width } = style;
  const { change, actions } = group;
  const [first] = actions;
  const isNoted = actions.every(({ changes }) =>
    changes.some((each) => each.path === change.path && noted.has(each)),
  );
  const room = roomOf(style);
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
    : otherLines({ ...group, actions: actions.slice(0, mostAddresses) }, room, asIs);
  return [
    safeLine(title.join(" · ")),
    joined([
      ...lines,
      ...others.map((line) => palette.dim(safeLine(line))),
      ...alikeLines(alike(actions.map(withoutReasons)), palette),
    ]),
  ].join("\n");
}

function asIs(text: string): string {
  return text;
}

function inBackticks(text: string): string {
  return `\`${text}\``;
}

function consequencesBlock({ consequences: following }: Review, { palette }: ReviewStyle): string[] {
  if (following.length === 0) return [];
  return [
    [
      `${reviewTitles.consequences}: ${actionCounts(following)}`,
      joined([
        palette.dim(asSentence(reviewMeanings.consequences)),
        ...alikeLines(alike(following), palette),
      ]),
    ].join("\n"),
  ];
}

function alikeLines(all: readonly Alike[], palette: Palette): string[] {
  const left = all.slice(mostReasons).reduce((sum, { addresses }) => sum + addresses.length, 0);
  return [
    ...all.slice(0, mostReasons).map(({ action, reasons, addresses }) => {
      const { symbol, role } = actionWords[action];
      const why = reasons.length > 0 ? `, because ${firstOf(reasons, 2)}` : "";
      return `${palette[role](symbol)} ${safeLine(firstOf(addresses, mostAddresses) + why)}`;
    }),
    ...(left > 0 ? [`… ${countText(left, "more resource")}`] : []),
  ];
}

function notJudgedBlock(review: Review): string[] {
  const text = notJudgedText(review);
  if (text === undefined) return [];
  return [`${reviewTitles.notJudged}: ${reviewMeanings.notJudged}\n  ${safeLine(text)}`];
}
