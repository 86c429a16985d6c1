import type { Plan } from "../../core/plan/plan.js";
import { ProgressTally, runnableCount } from "../../render/apply/progress-tally.js";
import type { Progress } from "./progress.js";
import { renderApplyEvent } from "../../render/apply/apply-text.js";
import { renderProgressLine } from "../../render/apply/progress-text.js";
import { gatherLines } from "../output/gathered-lines.js";
import type { Terminal } from "../terminal/terminal.js";

const interval = 10_000;

/** Shows progress without a terminal: a line for each ended action, and a line about the whole every ten seconds. */
export function openLines(plan: Plan, terminal: Terminal, color: boolean): Progress {
  // The plan itself need not stay in memory while it runs.
  const total = runnableCount(plan);
  let tally: ProgressTally | undefined;
  let timer: NodeJS.Timeout | undefined;
  const lines = gatherLines((text) => terminal.err(text));
  const tell = (line: string) => lines.add(`${line}\n`);
  const begin = (now: number) => {
    const begun = new ProgressTally(total, now);
    timer = setInterval(() => tell(renderProgressLine(begun.countsAt(performance.now()))), interval).unref();
    return begun;
  };
  return {
    event(event) {
      const now = performance.now();
      tally ??= begin(now);
      tally.record(event, now);
      if (event.type !== "start") tell(renderApplyEvent(event, { color }));
    },
    pace: (slowdown) => tally?.slow(slowdown),
    print: (text) => lines.add(text),
    end() {
      clearInterval(timer);
      lines.end();
    },
  };
}
