import type { GuardrailNote } from "../../generated/plan.js";
import type { Review, ReviewNote } from "../../core/plan/review.js";
import { type ShownChange, shownChange } from "../change/shown-change.js";
import { shownWithNote, withoutContext } from "../plan/plan-review.js";
import { countText } from "../words/count-text.js";
import { flowText, pairTexts } from "../words/value-text.js";
import { changeRoom, renderChangeDiff } from "./change-diff.js";
import { code, fence, prose } from "./markdown-text.js";
import { isOfSetting } from "./plan-settings.js";
import { isOfState } from "./plan-state.js";
import type { ReviewSection } from "./review-item.js";

const mostAddresses = 5;
const fewAddresses = 50;
const mostLines = 8;
const longestValue = 100;
const mostItems = 3;

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
      title: "**Guardrail notes**",
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
  if (!change) return { beside: "", below: [], isWhole: false };
  const shown = shownChange(change, changeRoom);
  const beside = onOneLine(shown);
  if (beside !== undefined) return { beside: ` · ${code(shown.path)}: ${beside}`, below: [], isWhole: true };
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

function onOneLine({ sign, content }: ShownChange): string | undefined {
  if (content.sort === "pair") {
    const texts = pairTexts(content.before, content.after);
    return texts.every(isShort) ? texts.map(code).join(" → ") : undefined;
  }
  if (content.sort === "secret") return `secret, ${prose(content.revision)}`;
  if (content.sort === "value") {
    const text = flowText(content.value, longestValue + 1);
    return isShort(text) ? `${sign === "-" ? "gone" : "new"} ${code(text)}` : undefined;
  }
  if (content.sort !== "items" || content.moved.length > 0) return undefined;
  const { removed, added } = content;
  if (removed.length + added.length > mostItems) return undefined;
  const [gone, now] = [removed, added].map((items) => items.map((item) => flowText(item, longestValue + 1)));
  if (!gone || !now || ![...gone, ...now].every(isShort)) return undefined;
  return [
    ...(gone.length > 0 ? [`removed ${gone.map(code).join(", ")}`] : []),
    ...(now.length > 0 ? [`added ${now.map(code).join(", ")}`] : []),
  ].join("; ");
}

function isShort(text: string): boolean {
  return text.length <= longestValue;
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
export function notedSection({ notes }: Review): ReviewSection {
  const many = resourceNotes(notes).filter(({ addresses }) => addresses.length > mostAddresses);
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
