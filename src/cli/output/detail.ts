import type { Plan } from "../../core/plan/plan.js";
import { safeLine } from "../../render/words/terminal-text.js";
import type { Terminal } from "../terminal/terminal.js";

/** Prints a detail for `--verbose`, as a line on standard error; without `--verbose` nothing. */
export function printDetail(text: string, terminal: Terminal): void {
  if (terminal.isVerbose === true) terminal.err(`verbose: ${safeLine(text)}\n`);
}

/** Starts the clock of consecutive stages; with `--verbose` each gives a line at its end. */
export function startStages(terminal: Terminal) {
  // The first look at the clock loads a module of Node.
  let began = terminal.isVerbose === true ? performance.now() : 0;
  return {
    /** Ends a stage and begins the next. */
    lap(stage: string): void {
      if (terminal.isVerbose !== true) return;
      const now = performance.now();
      printDetail(`${stage}: ${Math.round(now - began)} ms`, terminal);
      began = now;
    },
  };
}

/** Prints as a detail what a plan was compared with and how much it changes. */
export function printPlanDetails({ lock, actions, summary }: Plan, terminal: Terminal): void {
  const base = lock === null ? "no lock" : `${lock.source}, serial ${lock.serial}`;
  printDetail(`compared with ${base}: ${actions.length} to do, ${summary.unchanged} unchanged`, terminal);
}
