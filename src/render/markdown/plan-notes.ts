import type { GuardrailNote } from "../../generated/plan.js";
import type { Review, ReviewNote } from "../../core/plan/review.js";
import { changeOnLine } from "../change/change-line.js";
import { shownChange } from "../change/shown-change.js";
import { pathWithOrigin } from "../plan/group-title.js";
import { saysAll, shownWithNote, withoutContext } from "../plan/plan-review.js";
import { countText } from "../words/count-text.js";
import { reviewTitles } from "../words/review-words.js";
import { changeRoom, renderChangeDiff } from "./change-diff.js";
import { code, fence, prose } from "./markdown-text.js";
import { isOfSetting } from "./plan-settings.js";
import { isOfState } from "./plan-state.js";
import type { ReviewSection } from "./review-item.js";

const mostAddresses = 5;
const fewAddresses = 50;
const mostLines = 8;

/** Gives the notes that are shown apart from the settings and edits of the state, each of which has its own beside it. */
export function resourceNotes<Note extends Pick<GuardrailNote, "code">>(notes: readonly Note[]): Note[] {
  return notes.filter((note) => !isOfState(note) && !isOfSetting(note));
}

/** The notes on resources as a list, and those of them that show the whole of what changed. */
export interface NotesSection {
  readonly section: ReviewSection;
  readonly whole: readonly ReviewNote[];
}

/** Lays out the guardrail notes on resources as a list, the gravest first; none is ever left out. */
export function notesSection({ notes }: Review): NotesSection {
  const laidOut = resourceNotes(notes).map((note) => ({ note, ...changeOf(note) }));
  const items = laidOut.map(({ note, beside, below }) => {
    const short = () => noteItem(note, "", []);
    const forms =
      beside === "" && below.length === 0 ? [short] : [() => noteItem(note, beside, below), short];
    return { forms, isKept: true };
  });
  return {
    section: {
      title: `**${reviewTitles.notes}**`,
      items,
      between: "\n",
      leftOut: (cut) => (cut > 0 ? [`the values of ${countText(cut, "note")}`] : []),
    },
    whole: laidOut.filter(({ isWhole }) => isWhole).map(({ note }) => note),
  };
}

/** The change of a note: on its line or below it, and whether that is all of it. */
interface NoteChange {
  readonly beside: string;
  readonly below: readonly string[];
  readonly isWhole: boolean;
}

function changeOf(note: ReviewNote): NoteChange {
  const change = shownWithNote(note);
  if (!change) return { beside: "", below: [], isWhole: saysAll(note) };
  const shown = shownChange(change, changeRoom);
  const beside = changeOnLine(shown, code);
  if (beside !== undefined)
    return { beside: ` · ${pathWithOrigin(shown, code)}: ${beside}`, below: [], isWhole: true };
  const lines = renderChangeDiff(shown, "few");
  // A line more takes no more room than saying that there is one.
  if (lines.length <= mostLines + 1) {
    return { beside: "", below: lines, isWhole: shown.content.sort !== "value" };
  }
  const changed = renderChangeDiff(withoutContext(shown), "few");
  const left = changed.length - mostLines;
  const more = left > 1 ? [`@@ ${countText(left, "more line")} of this difference, below @@`] : [];
  return {
    beside: "",
    below: [...changed.slice(0, left > 1 ? mostLines : mostLines + 1), ...more],
    isWhole: false,
  };
}

function noteItem(
  { effect, message, code: name, addresses }: ReviewNote,
  beside: string,
  below: readonly string[],
): string {
  const few = addresses.slice(0, mostAddresses).map(code).join(", ");
  const isMany = addresses.length > mostAddresses;
  const where = isMany ? `${addresses.length} resources, such as ${code(addresses[0] ?? "")}` : few;
  const lines = [
    `- **${effect}** ${where}: ${prose(message)} (${code(name)})${beside}`,
    ...(below.length > 0 ? ["", ...fence(below, "diff").split("\n")] : []),
  ];
  return lines.map((line, index) => (index === 0 || line === "" ? line : `  ${line}`)).join("\n");
}

/** Lays out, folded, the addresses of notes that are about many resources. */
export function notedSection({ notes, groups }: Review): ReviewSection {
  // The group that a note is about lists the same addresses.
  const listed = new Set(groups.map(({ actions }) => actions.map(({ address }) => address).join()));
  const many = resourceNotes(notes).filter(
    ({ addresses }) => addresses.length > mostAddresses && !listed.has(addresses.join()),
  );
  const list = (most: number) => () =>
    [
      `<details><summary>Resources of ${countText(many.length, "guardrail note")}</summary>`,
      many
        .map(({ message, addresses }) => {
          const left = addresses.length - most;
          const shown = addresses.slice(0, most).map(code).join(", ");
          return `- ${prose(message)}: ${shown}${left > 0 ? ` and ${left} more` : ""}`;
        })
        .join("\n"),
      "</details>",
    ].join("\n\n");
  return {
    items: many.length > 0 ? [{ forms: [list(Infinity), list(fewAddresses)] }] : [],
    between: "\n\n",
    leftOut: (cut, left) => (cut + left > 0 ? ["addresses of guardrail notes"] : []),
  };
}
