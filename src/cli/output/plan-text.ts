import type { Plan } from "../../core/plan/plan.js";
import { renderPlanText } from "../../render/plan/plan-text.js";
import type { Terminal } from "../terminal/terminal.js";

// The symbols and the indentation before a value.
const margin = 12;

/** Prints a plan as text to standard output: on a terminal as wide as that is. */
export function printPlanText(plan: Plan, color: boolean, terminal: Terminal): void {
  const { isTerminal: isScreen, columns, out } = terminal;
  const width = columns === undefined ? {} : { width: columns - margin };
  out(renderPlanText(plan, { color, isScreen, ...width }));
}
