import type { Plan } from "../../core/plan/plan.js";
import type { LiveText } from "./live-text.js";
import { ProgressTally, runnableCount } from "../../render/apply/progress-tally.js";
import type { Progress } from "./progress.js";
import { renderApplyEvent } from "../../render/apply/apply-text.js";
import { renderProgress } from "../../render/apply/progress-text.js";
import type { Screen, Terminal } from "../terminal/terminal.js";

const quietTime = 500;

/** Shows progress on a terminal: a line for each ended action, and below a bar and what is in flight. */
export function openBar(plan: Plan, terminal: Terminal, color: boolean): Progress {
  // The plan itself need not stay in memory while it runs.
  const total = runnableCount(plan);
  let tally: ProgressTally | undefined;
  let timer: NodeJS.Timeout | undefined;
  let live: LiveText | undefined;
  let isOver = false;
  const begin = (now: number) => {
    const begun = new ProgressTally(total, now);
    const render = (size: Screen) =>
      renderProgress(begun.countsAt(performance.now()), { columns: size.columns, rows: size.rows, color });
    // If the bar cannot be loaded, the apply goes on without it.
    timer = setTimeout(() => void show(render).catch(() => undefined), quietTime).unref();
    return begun;
  };
  const show = async (render: (size: Screen) => string) => {
    const { openLiveText } = await import("./live-text.js");
    if (!isOver) live = openLiveText(terminal, render);
  };
  const print = (text: string) => (live ? live.print(text) : terminal.err(text));
  return {
    event(event) {
      const now = performance.now();
      tally ??= begin(now);
      tally.record(event, now);
      if (event.type !== "start") print(`${renderApplyEvent(event, { color })}\n`);
    },
    pace: (slowdown) => tally?.slow(slowdown),
    print,
    end() {
      isOver = true;
      clearTimeout(timer);
      live?.end();
      live = undefined;
    },
  };
}
