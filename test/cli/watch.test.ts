import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { main } from "../../src/cli/main.js";
import type { TerminalParts } from "../../src/cli/terminal/terminal.js";
import { makeWorkspace, documentText } from "../harness/disk-workspace.js";
import { openPlatform, twoTeams } from "../uses/platform.js";
import { manifestAt, policyText } from "./desk.js";
import { TerminalScreen } from "./screen.js";

const nowhere = "http://127.0.0.1:9";
const patience = { timeout: 1_200_000, interval: 20 };

/** Watches the plan of a workspace in a terminal of 80 columns. */
function watchPlan(directory: string, args: readonly string[] = []) {
  let written = "";
  const write = (text: string) => (written += text);
  const surroundings: TerminalParts = {
    env: {},
    cwd: directory,
    isTerminal: true,
    canAsk: true,
    showsProgress: true,
    screen: { columns: 80, rows: 24 },
    out: write,
    err: write,
  };
  const ended = main(["plan", "--watch", "--no-color", "--no-cache", ...args], surroundings);
  const lines = () => new TerminalScreen().write(written).lines;
  return {
    ended,
    lines,
    /** Waits until the terminal shows a text, and is not planning. */
    shows: (text: string | RegExp) =>
      vi.waitFor(() => {
        expect(lines().at(-1)).toContain("Planned at");
        expect(lines().join("\n")).toMatch(text);
      }, patience),
    written: () => written,
  };
}

/** What Ctrl-C does. */
function interrupt(): void {
  process.emit("SIGINT");
}

function agents(names: readonly string[]): string {
  return names.map((name) => documentText("Agent", name, { name: `Agent ${name}` })).join("\n---\n");
}

test.each([
  [{ canAsk: false }, "a pipe for its input"],
  [{ showsProgress: false }, "a CI, or a terminal that cannot move its cursor"],
])("%j is refused: %s", async (lack, _why) => {
  const { directory } = makeWorkspace({ "agentform.yaml": manifestAt(nowhere) });
  let err = "";
  const code = await main(["plan", "--watch"], {
    env: {},
    cwd: directory,
    isTerminal: true,
    canAsk: true,
    showsProgress: true,
    out: () => {},
    err: (text) => (err += text),
    ...lack,
  });
  expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining("--watch needs a terminal") });
});

test.each([["--out", "plan.json"], ["--format", "html"], ["--detailed-exitcode"], ["--fail-on", "weakens"]])(
  "is not combined with %s",
  async (...args) => {
    const { directory } = makeWorkspace({ "agentform.yaml": manifestAt(nowhere) });
    const { ended, written } = watchPlan(directory, args);
    expect(await ended).toBe(64);
    expect(written()).toContain(`cannot be combined with ${args[0]}`);
  },
);

test("plans again after each change, in files and folders old and new, until Ctrl-C", async () => {
  const { directory, write } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "policies/strict.yaml": policyText(["weapons"]),
  });
  const { ended, shows, written } = watchPlan(directory);
  await shows(/weapons/);
  write({ "policies/strict.yaml": policyText(["spells"]) });
  await shows(/spells/);
  write({ "agents/new/first.yaml": agents(["first"]) });
  await shows(/agent:first/);
  write({ "agents/new/first.yaml": agents(["second"]) });
  await shows(/agent:second/);
  rmSync(join(directory, "agents"), { recursive: true });
  await shows(/1 to create/);
  expect(written()).toMatch(/^\x1b\[2J\x1b\[3J\x1b\[H/);
  interrupt();
  expect(await ended).toBe(130);
});

test("an apply to the emulator in a second terminal is noticed, though git ignores its lock", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "policies/strict.yaml": policyText(),
    ".gitignore": ".agentform/\n",
  });
  execFileSync("git", ["init", "-q"], { cwd: directory });
  const { ended, shows } = watchPlan(directory, ["--emulator"]);
  await shows(/1 to create/);
  const silent = { env: {}, cwd: directory, isTerminal: false, canAsk: false, showsProgress: false };
  const apply = ["apply", "--emulator", "--yes", "--no-cache"];
  expect(await main(apply, { ...silent, out: () => {}, err: () => {} })).toBe(0);
  await shows(/No changes/);
  interrupt();
  expect(await ended).toBe(130);
});

test("an apply of a workspace that this one uses is noticed", async () => {
  const platform = await openPlatform(twoTeams);
  const { ended, shows } = watchPlan(join(platform.workspace.directory, "care"));
  await shows(/policy:strict of guard is not applied there yet/);
  await platform.apply("guard");
  await shows(/1 to create/);
  interrupt();
  expect(await ended).toBe(130);
});

test("shows an error in the place of a plan, and goes on", async () => {
  const { directory, write } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "agents/all.yaml": agents(["first"]),
  });
  const { ended, shows, lines } = watchPlan(directory);
  await shows(/agent:first/);
  write({ "agents/all.yaml": "kind: [" });
  await shows(/error\[/);
  expect(lines().join("\n")).not.toContain("agent:first");
  write({ "agents/all.yaml": agents(["second"]) });
  await shows(/agent:second/);
  interrupt();
  expect(await ended).toBe(130);
});

test("ends with the reason where the workspace is gone", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "agents/all.yaml": agents(["first"]),
  });
  const { ended, shows, written } = watchPlan(directory);
  await shows(/agent:first/);
  rmSync(directory, { recursive: true });
  expect(await ended).toBe(64);
  expect(written()).toContain("(ENOENT): one is gone");
});

test("files that options name are read again, wherever they are", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "agentform-watch-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  const values = join(elsewhere, "values.yaml");
  writeFileSync(values, "team: red\n");
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifestAt(nowhere)}  variables: {team: {}}\n`,
    "agents/all.yaml": documentText("Agent", "one", { name: "of ${var:team}" }),
  });
  const { ended, shows } = watchPlan(directory, ["--var-file", values]);
  await shows(/of red/);
  writeFileSync(values, "team: [");
  await shows(/must be a mapping/);
  writeFileSync(values, "team: blue\n");
  await shows(/of blue/);
  interrupt();
  expect(await ended).toBe(130);
});
