import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openBar, openLines, type Progress } from "../../src/cli/progress/progress.js";
import type { Terminal } from "../../src/cli/terminal/terminal.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { summarizeActions } from "../../src/core/plan/plan-summary.js";
import { TerminalScreen } from "./screen.js";

type Word = Plan["actions"][number]["action"];

function planOf(count: number, others: readonly Word[] = []): Plan {
  const words: readonly Word[] = [...Array.from({ length: count }, (): Word => "create"), ...others];
  const actions = words.map((action, index) => ({
    address: `agent:a${index}`,
    action,
    reasons: [],
    changes: [],
    affects: [],
    waits_for: [],
    reads: {},
  }));
  return {
    format: "agentform/plan/v1",
    workspace: "test",
    environment: null,
    lock: null,
    options: {},
    partial: false,
    digest: "sha256:0",
    notes: [],
    actions,
    summary: summarizeActions(actions, []),
    diagnostics: [],
  };
}

/** A terminal whose standard error is kept, write by write, and shown on a screen. */
function openTerminal(size = { columns: 80, rows: 24 }) {
  const writes: string[] = [];
  const screen = new TerminalScreen();
  const write = (text: string) => {
    writes.push(text);
    screen.write(text);
  };
  const terminal: Terminal = {
    env: {},
    cwd: ".",
    isTerminal: true,
    canAsk: false,
    showsProgress: true,
    screen: size,
    out: () => undefined,
    command: () => undefined,
    err: write,
    draw: write,
  };
  return { terminal, writes, screen };
}

function linesOf(writes: readonly string[]): string[] {
  return writes.join("").split("\n").slice(0, -1);
}

function start(progress: Progress, index: number): void {
  progress.event({ type: "start", address: `agent:a${index}`, action: "create" });
}

function finish(progress: Progress, index: number): void {
  progress.event({ type: "done", address: `agent:a${index}`, action: "create", ids: [`id${index}`] });
}

/** Runs actions one after another, each of them as long. */
async function run(progress: Progress, first: number, count: number, time: number): Promise<void> {
  for (let index = first; index < first + count; index++) {
    start(progress, index);
    await vi.advanceTimersByTimeAsync(time);
    finish(progress, index);
  }
}

/** Waits, and for what is loaded then. */
async function pass(time: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(time);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(async () => {
  await import("../../src/cli/progress/live-text.js");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(() => void vi.useRealTimers());

describe("on a terminal", () => {
  test("nothing is drawn before half a second, and nothing at all by an apply that ends before", async () => {
    const { terminal, writes, screen } = openTerminal();
    const progress = openBar(planOf(2), terminal, false);
    await run(progress, 0, 1, 300);
    start(progress, 1);
    await pass(199);
    expect(writes).toEqual(["agent:a0: created (id0)\n"]);
    await pass(1);
    expect(screen.text).toContain("1 of 2 done");
    progress.end();

    const quick = openTerminal();
    const other = openBar(planOf(2), quick.terminal, false);
    await run(other, 0, 2, 200);
    other.end();
    await pass(5000);
    expect(quick.writes).toEqual(["agent:a0: created (id0)\n", "agent:a1: created (id1)\n"]);
  });

  test("the bar says how slowly requests begin, and why", async () => {
    const { terminal, screen } = openTerminal();
    const progress = openBar(planOf(10), terminal, false);
    start(progress, 0);
    progress.pace({ perSecond: 4, why: "HTTP 429" });
    await pass(500);
    expect(screen.text).toContain("0 of 10 done, slowed to 4.0/s by HTTP 429");
    progress.end();
  });

  test("the bar stays under the lines, and at the end the lines alone are left", async () => {
    const { terminal, screen } = openTerminal();
    const progress = openBar(planOf(1200), terminal, false);
    for (let index = 0; index < 10; index++) start(progress, index);
    await pass(500);
    expect(screen.lines).toEqual([
      `${"░".repeat(30)} 0 of 1,200 done`,
      ...[0, 1, 2, 3, 4, 5].map((index) => `  agent:a${index}: creating…`),
      "  … and 4 more",
    ]);
    for (let index = 0; index < 4; index++) finish(progress, index);
    await pass(500);
    expect(screen.lines).toEqual([
      ...[0, 1, 2, 3].map((index) => `agent:a${index}: created (id${index})`),
      `${"░".repeat(30)} 4 of 1,200 done, 4.0/s, about 4m 59s left`,
      ...[4, 5, 6, 7, 8, 9].map((index) => `  agent:a${index}: creating…`),
    ]);
    for (let index = 4; index < 10; index++) finish(progress, index);
    await run(progress, 10, 1190, 10);
    await pass(100);
    expect(screen.lines.at(-1)).toBe(`${"█".repeat(30)} 1,200 of 1,200 done, 99/s`);
    progress.end();
    await pass(1000);
    expect(screen.lines).toEqual(
      Array.from({ length: 1200 }, (_, index) => `agent:a${index}: created (id${index})`),
    );
  });

  test("a frame is one write, however many lines it brings", async () => {
    const { terminal, writes } = openTerminal();
    const progress = openBar(planOf(1000), terminal, false);
    await run(progress, 0, 60, 10);
    await pass(0);
    const before = writes.length;
    await run(progress, 60, 100, 10);
    expect(writes.length - before).toBeLessThanOrEqual(11);
    progress.end();
  });

  test("what is printed while the bar is drawn stands above it", async () => {
    const { terminal, screen } = openTerminal();
    const progress = openBar(planOf(3), terminal, false);
    start(progress, 0);
    await pass(500);
    progress.print("Interrupted.\n");
    await pass(100);
    expect(screen.lines).toEqual(["Interrupted.", expect.stringContaining("0 of 3"), expect.any(String)]);
    progress.end();
    expect(screen.lines).toEqual(["Interrupted."]);
  });

  test("a process that ends in the middle leaves the lines, and no bar", async () => {
    const { terminal, screen } = openTerminal();
    const before = process.listeners("exit");
    const progress = openBar(planOf(3), terminal, false);
    start(progress, 0);
    await pass(500);
    finish(progress, 0);
    const added = process.listeners("exit").filter((listener) => !before.includes(listener));
    for (const listener of added) listener.call(process, 130);
    expect(screen.lines).toEqual(["agent:a0: created (id0)"]);
    progress.end();
    expect(process.listeners("exit")).toEqual(before);
  });

  test.each([
    { columns: 80, rows: 4 },
    { columns: 20, rows: 24 },
    { columns: 3, rows: 2 },
    { columns: 1, rows: 1 },
  ])("the bar fits into $columns × $rows, and leaves nothing behind", async (size) => {
    const { terminal, screen } = openTerminal(size);
    const progress = openBar(planOf(1000), terminal, true);
    for (let index = 0; index < 10; index++) start(progress, index);
    await pass(500);
    expect(screen.lines.length).toBeLessThanOrEqual(size.rows);
    expect(Math.max(...screen.lines.map((line) => line.length))).toBeLessThanOrEqual(size.columns);
    finish(progress, 0);
    await pass(200);
    progress.end();
    expect(screen.lines).toEqual(["agent:a0: created (id0)"]);
  });
});

describe("elsewhere", () => {
  test("each end is a line, and every ten seconds one says how far it is", async () => {
    const { terminal, writes } = openTerminal();
    const progress = openLines(planOf(1000), terminal, false);
    for (let index = 990; index < 998; index++) start(progress, index);
    await run(progress, 0, 119, 84);
    await pass(10_000 - 119 * 84 - 1);
    // Each is there when it happens.
    expect(linesOf(writes)).toHaveLength(119);
    await pass(1);
    expect(linesOf(writes)).toHaveLength(120);
    expect(linesOf(writes).at(-1)).toBe("119 of 1,000 done, 12/s, about 1m 14s left, 8 in flight");
    await pass(20_000);
    expect(linesOf(writes)).toHaveLength(122);
    progress.end();
    await pass(60_000);
    expect(linesOf(writes)).toHaveLength(122);
  });

  test("an apply of less than ten seconds has the lines of its actions alone", async () => {
    const { terminal, writes } = openTerminal();
    const progress = openLines(planOf(2), terminal, false);
    await run(progress, 0, 2, 4900);
    progress.end();
    await pass(60_000);
    expect(linesOf(writes)).toEqual(["agent:a0: created (id0)", "agent:a1: created (id1)"]);
  });

  test("what no apply can run is not counted, and what was skipped is no longer waited for", async () => {
    const { terminal, writes } = openTerminal();
    const progress = openLines(planOf(100, ["unknown", "blocked", "blocked"]), terminal, false);
    await run(progress, 0, 18, 500);
    const request = { method: "POST", path: "/v3/agents/" };
    const failed = { action: "create", message: "no", ...request } as const;
    progress.event({ type: "failed", address: "agent:a18", ...failed });
    progress.event({ type: "unknown", address: "agent:a19", ...failed });
    for (let index = 20; index < 50; index++) {
      progress.event({ type: "skipped", address: `agent:a${index}`, action: "create", because: "a failure" });
    }
    await pass(1100);
    expect(linesOf(writes).at(-1)).toBe(
      "18 of 100 done, 1 failed, 1 unknown, 30 skipped, 2.0/s, about 25s left, 0 in flight",
    );
    progress.end();
  });
});
