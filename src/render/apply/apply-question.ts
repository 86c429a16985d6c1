import type { Plan } from "../../generated/plan.js";
import { isConsequence } from "../../core/plan/consequence.js";
import { isFound } from "../../core/plan/plan-summary.js";
import { reviewOf, type ReviewNote } from "../../core/plan/review.js";
import { renderChange } from "../change/change-text.js";
import { shownChange } from "../change/shown-change.js";
import { countText, namesText } from "../words/count-text.js";
import { headOf } from "../words/cut-text.js";
import { effectCounts } from "../words/effect-words.js";
import { paletteOf } from "../words/palette.js";
import { wrapped } from "../words/wrapped.js";
import { safeLine } from "../words/terminal-text.js";

const columns = 80;
const mostMessageLines = 4;
const mostChangeLines = 8;

/**
 * Renders what an apply asks, as lines for a screen of 80 × 24: the gravest guardrail note again, then how much goes
 * where. `service` is the address of the service, or what else it is called.
 */
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

function noteLines({ effect, addresses, message, change }: ReviewNote): string[] {
  const text = wrapped(safeLine(`${effect}: ${namesText(addresses)}: ${message}`), columns - 2);
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
