import type { ApplyEvent } from "../../core/apply/apply-report.js";
import type { Slowdown } from "../../core/observation/service.js";
import type { Plan } from "../../core/plan/plan.js";
import { renderApplyEvent } from "../../render/apply/apply-text.js";
import { ProgressTally, runnableCount, type ProgressCounts } from "../../render/apply/progress-tally.js";
import { renderProgress, renderProgressLine } from "../../render/apply/progress-text.js";
import type { Terminal } from "../terminal/terminal.js";
import { openLateText } from "./late-text.js";
import type { LiveText } from "./live-text.js";

/** Shows the progress of an apply on standard error; an ended action always gives a line. */
export interface Progress {
  event(event: ApplyEvent): void;
  pace(slowdown: Slowdown): void;
  /** Writes whole lines to standard error, above the progress display. */
  print(text: string): void;
  /** Removes the progress display. */
  end(): void;
}

/** How the whole is shown beside the lines of ended actions, from the first event on. */
interface ProgressDisplay extends Pick<Progress, "print" | "end"> {
  begin(counts: () => ProgressCounts): void;
}

const interval = 10_000;

/** Shows progress on a terminal: a line for each ended action, and below a bar and what is in flight. */
export function openBar(plan: Plan, terminal: Terminal, color: boolean): Progress {
  let live: LiveText | undefined;
  return showEvents(plan, color, {
    begin(counts) {
      live = openLateText(terminal, ({ columns, rows }) =>
        renderProgress(counts(), { columns, rows, color }),
      );
    },
    print: (text) => (live ? live.print(text) : terminal.err(text)),
    end: () => live?.end(),
  });
}

/** Shows progress without a terminal: a line for each ended action, and a line about the whole every ten seconds. */
export function openLines(plan: Plan, terminal: Terminal, color: boolean): Progress {
  let timer: NodeJS.Timeout | undefined;
  return showEvents(plan, color, {
    begin(counts) {
      timer = setInterval(() => terminal.err(`${renderProgressLine(counts())}\n`), interval).unref();
    },
    print: (text) => terminal.err(text),
    end: () => clearInterval(timer),
  });
}

function showEvents(plan: Plan, color: boolean, { begin, print, end }: ProgressDisplay): Progress {
  // The plan itself need not stay in memory while it runs.
  const total = runnableCount(plan);
  let tally: ProgressTally | undefined;
  const start = (now: number) => {
    const begun = new ProgressTally(total, now);
    begin(() => begun.countsAt(performance.now()));
    return begun;
  };
  return {
    event(event) {
      const now = performance.now();
      tally ??= start(now);
      tally.record(event, now);
      if (event.type !== "start") print(`${renderApplyEvent(event, { color })}\n`);
    },
    pace: (slowdown) => tally?.slow(slowdown),
    print,
    end,
  };
}
