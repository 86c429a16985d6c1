import { expect, test } from "vitest";
import { ProgressTally, runnableCount } from "../../src/render/apply/progress-tally.js";
import type { ApplyEvent } from "../../src/core/apply/apply-report.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { creation } from "../core/apply/applying.js";

test("what comes into doubt is done no longer, and what the plan does not act on is not counted", () => {
  const actions = [creation("a"), creation("b")];
  const plan = { actions, summary: { unknown: 0, blocked: 0 } } as unknown as Plan;
  const tally = new ProgressTally(runnableCount(plan), 0);
  const events: ApplyEvent[] = [
    { type: "start", address: "agent:a", action: "create" },
    { type: "done", address: "agent:a", action: "create", ids: ["1"] },
    { type: "doubted", address: "agent:a", action: "create", message: "m" },
    { type: "doubted", address: "agent:kept", action: "unknown", message: "m" },
    { type: "unknown", address: "agent:b", action: "create", message: "m" },
  ];
  for (const event of events) tally.record(event, 1);
  expect(tally.countsAt(1)).toMatchObject({ total: 2, done: 0, unknown: 2, inFlight: [] });
});
