import type { Plan } from "../../generated/plan.js";
import { isConsequence } from "../../core/plan/difference.js";
import { effects } from "../../core/guardrails/rule.js";
import { hasChanges, isFound } from "../../core/plan/plan-summary.js";
import type { Plans } from "../../core/review/plans.js";
import { reviewOf, type ReviewNote } from "../../core/review/review.js";
import { noteSubject } from "../view/note-subject.js";
import { renderChange } from "../change/change-text.js";
import { shownChange } from "../change/shown-change.js";
import { firstOf } from "../../core/finding/quotation.js";
import { countText } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { effectCounts } from "../words/effect-words.js";
import { paletteOf } from "../words/palette.js";
import { wrapped } from "../words/text-lines.js";
import { safeLine } from "../words/terminal-text.js";

const columns = 80;
const mostMessageLines = 4;
const mostChangeLines = 8;

/** Renders what an apply asks, for a screen of 80 × 24: the gravest note again, then how much goes where. */
export function renderQuestion(plan: Plan, service: string): string[] {
  const { workspace, environment } = plan;
  const actions = plan.actions.filter((each) => !isFound(each));
  const { notes } = reviewOf(plan);
  const where = environment === null ? workspace : `${environment} of ${workspace}`;
  const what = actions.length > 0 ? countText(actions.length, "action") : "the changed settings";
  const question = safeLine(`Apply ${what} to ${where} at ${service}?`);
  const counts = effectCounts(notes).join(", ");
  const all = counts === "" ? question : `${question} ${counts}.`;
  const [gravest] = notes;
  return [
    ...(gravest ? [...noteLines(gravest), ""] : []),
    ...(all.length <= columns || counts === ""
      ? wrapped(all, columns)
      : [...wrapped(question, columns), `${counts}.`]),
  ];
}

/** Renders what an apply of several workspaces asks: the gravest note of all, then how much goes to which of them. */
export function renderQuestionOfSeveral({ plans }: Plans): string[] {
  const changing = plans.filter(({ plan }) => hasChanges(plan));
  const notes = changing.flatMap(({ plan }) => reviewOf(plan).notes);
  const [gravest] = notes.toSorted(byEffect);
  const count = changing.reduce(
    (sum, { plan }) => sum + plan.actions.filter((each) => !isFound(each)).length,
    0,
  );
  const where = firstOf(
    changing.map(({ folder }) => folder),
    5,
  );
  const question = safeLine(
    `Apply ${countText(count, "action")} to ${countText(changing.length, "workspace")}, in this order: ${where}?`,
  );
  const counts = effectCounts(notes).join(", ");
  return [
    ...(gravest ? [...noteLines(gravest), ""] : []),
    ...wrapped(counts === "" ? question : `${question} ${counts}.`, columns),
  ];
}

function byEffect({ effect: one }: ReviewNote, { effect: other }: ReviewNote): number {
  return effects.indexOf(one) - effects.indexOf(other);
}

function noteLines(note: ReviewNote): string[] {
  const { effect, message, change } = note;
  const text = wrapped(safeLine(`${effect}: ${noteSubject(note)}: ${message}`), columns - 2);
  const shown = change && !isConsequence(change) ? renderChange(shownChange(change), paletteOf(false)) : [];
  return [
    ...firstLines(text, mostMessageLines).map((line, index) => (index === 0 ? `! ${line}` : `  ${line}`)),
    ...firstLines(shown, mostChangeLines).map((line) => `    ${cut(line, columns - 4)}`),
  ];
}

function firstLines(lines: readonly string[], most: number): readonly string[] {
  // A line more takes no more room than saying that there is one.
  if (lines.length <= most + 1) return lines;
  return [...lines.slice(0, most), `… ${countText(lines.length - most, "more line")}`];
}

function cut(line: string, width: number): string {
  return line.length > width ? `${headOf(line, width - 1)}…` : line;
}
