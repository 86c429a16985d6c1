import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Surroundings } from "../../src/cli/terminal/terminal.js";
import { replaced } from "../../src/cli/watch/view.js";
import { makeWorkspace, documentText } from "../harness/disk-workspace.js";
import { fc } from "../harness/property.js";
import { manifestAt, policyText } from "./desk.js";
import { TerminalScreen } from "./screen.js";

const nowhere = "http://127.0.0.1:9";
const patience = { timeout: 1_200_000, interval: 20 };

/** Watches the plan of a workspace in a terminal of 80 × `rows`. */
function watchPlan(directory: string, args: readonly string[] = [], rows = 24) {
  let written = "";
  const ignore = () => {};
  let press: (key: string) => void = ignore;
  const size = { columns: 80, rows };
  const write = (text: string) => (written += text);
  const surroundings: Surroundings = {
    env: {},
    cwd: directory,
    isTerminal: true,
    canAsk: true,
    showsProgress: true,
    screen: size,
    listen: async (onKey) => {
      press = onKey;
      return () => (press = ignore);
    },
    out: write,
    err: write,
  };
  const ended = main(["plan", "--watch", "--no-color", "--no-cache", ...args], surroundings);
  const lines = () => new TerminalScreen().write(written).lines;
  return {
    ended,
    size,
    lines,
    /** Waits until the terminal shows a text, and is not planning. */
    shows: (text: string | RegExp) =>
      vi.waitFor(() => {
        expect(lines().at(-1)).toContain("planned at");
        expect(lines().join("\n")).toMatch(text);
      }, patience),
    press: (key: string) => press(key),
    isListening: () => press !== ignore,
    written: () => written,
  };
}

function agents(names: readonly string[]): string {
  return names.map((name) => documentText("Agent", name, { name: `Agent ${name}` })).join("\n---\n");
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `a${100 + index}`);
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
    listen: async () => () => {},
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

test("plans again after each change, in files and folders old and new, until somebody quits", async () => {
  const { directory, write } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "policies/strict.yaml": policyText(["weapons"]),
  });
  const { ended, shows, press, isListening, written } = watchPlan(directory);
  await shows(/weapons/);
  write({ "policies/strict.yaml": policyText(["spells"]) });
  await shows(/spells/);
  write({ "agents/new/first.yaml": agents(["first"]) });
  await shows(/agent:first/);
  write({ "agents/new/first.yaml": agents(["second"]) });
  await shows(/agent:second/);
  rmSync(join(directory, "agents"), { recursive: true });
  await shows(/1 to create/);
  press("q");
  expect(await ended).toBe(0);
  expect(isListening()).toBe(false);
  expect(written()).toMatch(/^\x1b\[\?1049h[\s\S]*\x1b\[\?1049l$/);
});

test("an apply to the emulator in a second terminal is noticed, though git ignores its lock", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "policies/strict.yaml": policyText(),
    ".gitignore": ".agentform/\n",
  });
  execFileSync("git", ["init", "-q"], { cwd: directory });
  const { ended, shows, press } = watchPlan(directory, ["--emulator"]);
  await shows(/1 to create/);
  const silent = { env: {}, cwd: directory, isTerminal: false, canAsk: false, showsProgress: false };
  const apply = ["apply", "--emulator", "--yes", "--no-cache"];
  expect(await main(apply, { ...silent, out: () => {}, err: () => {} })).toBe(0);
  await shows(/No changes/);
  press("q");
  expect(await ended).toBe(0);
});

test("keeps the place while lines come and go above it, and over an error", async () => {
  const { directory, write } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "agents/all.yaml": agents(numbered(40)),
  });
  const { ended, lines, shows, press } = watchPlan(directory);
  await shows(/agent:a100/);
  for (const key of ["pagedown", "pagedown", "down"]) press(key);
  const place = lines().slice(0, -1);
  const status = lines().at(-1);
  expect(place.join("\n")).not.toContain("agent:a100");
  write({ "agents/all.yaml": agents(["a000", "a001", ...numbered(40)]) });
  await vi.waitFor(() => expect(lines().at(-1)).not.toBe(status), patience);
  await shows(/ lines \d+ to/);
  expect(lines().slice(0, -1)).toEqual(place);
  write({ "agents/all.yaml": "kind: [" });
  await shows(/error\[/);
  expect(lines()[0]).toContain("error[");
  write({ "agents/all.yaml": agents(numbered(40)) });
  await shows(/ lines \d+ to/);
  expect(lines().slice(0, -1)).toEqual(place);
  press("ctrl-c");
  expect(await ended).toBe(130);
});

test("a line that is as wide as the terminal is whole", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "policies/p.yaml": policyText(),
  });
  const { ended, shows, press, size, written } = watchPlan(directory, [], 60);
  await shows(/Digest/);
  const [digest = ""] = /Digest: sha256:[0-9a-f]{64}/.exec(written()) ?? [];
  Object.assign(size, { columns: digest.length });
  const before = written().length;
  press("resize");
  await vi.waitFor(() => {
    const { text } = new TerminalScreen(digest.length).write(written().slice(before));
    expect(text).toContain("planned at");
    expect(text).toContain(digest);
  }, patience);
  press("q");
  expect(await ended).toBe(0);
});

test("plans for a terminal of a new size, and at its reader's wish", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifestAt(nowhere),
    "policies/strict.yaml": policyText(Array.from({ length: 30 }, (_, index) => `topic ${index}`)),
  });
  const { ended, lines, shows, press, size, written } = watchPlan(directory);
  await shows(/policy:strict/);
  expect(lines().every((line) => line.length <= 80)).toBe(true);
  Object.assign(size, { columns: 40 });
  const before = written().length;
  press("resize");
  await vi.waitFor(() => expect(written().slice(before)).toContain("planned at"), patience);
  await vi.waitFor(() => {
    const frame = new TerminalScreen().write(written().slice(before));
    expect(frame.lines.every((line) => line.length <= 40)).toBe(true);
  }, patience);
  press("end-of-input");
  expect(await ended).toBe(0);
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
  const { ended, shows, press } = watchPlan(directory, ["--var-file", values]);
  await shows(/of red/);
  writeFileSync(values, "team: [");
  await shows(/must be a mapping/);
  writeFileSync(values, "team: blue\n");
  await shows(/of blue/);
  press("q");
  expect(await ended).toBe(0);
});

test("of all lines on the screen, the first that is in the new text too stays where it is", () => {
  const texts = fc.uniqueArray(fc.integer({ min: 1, max: 60 }).map(String), { maxLength: 60 });
  fc.assert(
    fc.property(texts, texts, fc.nat(60), fc.integer({ min: 1, max: 12 }), (lines, newLines, at, rows) => {
      const top = Math.min(at, Math.max(0, lines.length - rows));
      const view = replaced({ lines, top }, newLines, rows);
      expect(view.lines).toBe(newLines);
      const last = Math.max(0, newLines.length - rows);
      const kept = lines.slice(top, top + rows).find((line) => newLines.includes(line));
      const aim = kept === undefined ? top : newLines.indexOf(kept) - lines.indexOf(kept) + top;
      expect(view.top).toBe(top === 0 ? 0 : Math.min(Math.max(0, aim), last));
    }),
  );
});
