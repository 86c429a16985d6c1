import type { PlanTextOptions } from "../../render/plan/plan-text.js";
import type { Terminal } from "../terminal/terminal.js";

// The symbols and the indentation before a value.
const margin = 12;

/** Decides how a plan is shown on standard output: on a terminal as wide as that is. */
export function planTextOptions(color: boolean, { isTerminal, columns }: Terminal): PlanTextOptions {
  return { color, isScreen: isTerminal, ...(columns !== undefined && { width: columns - margin }) };
}
