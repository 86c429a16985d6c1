import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { commandFacts } from "../../src/cli/command-effects.js";
import { sample } from "../harness/tier.js";

/** Runs a line of a shell in which `$AGENTFORM` is the installed command, in a workspace of its own. */
function shell(line: string): {
  readonly code: number | null;
  readonly err: string;
  readonly folder: string;
} {
  const folder = mkdtempSync(join(tmpdir(), "agentform-lost-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const installed = inject("installed");
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    XDG_CACHE_HOME: join(installed, "cache"),
    AGENTFORM: join(installed, "node_modules/.bin/agentform"),
  };
  const made = spawnSync("sh", ["-c", '"$AGENTFORM" init .'], { cwd: folder, env, encoding: "utf8" });
  expect(made.status, made.stderr).toBe(0);
  const { status, stderr } = spawnSync("sh", ["-c", line], { cwd: folder, env, encoding: "utf8" });
  return { code: status, err: stderr, folder };
}

const lost = "error: standard output cannot be written (ENOSPC)\n";

// These end with a signal, an editor or a job of a forge, need a state or a saved plan, or print what others do.
const notRun = ["emulator", "init", "language-server", "comment", "lock show", "show"];

const moreWords: Readonly<Record<string, string>> = {
  completion: "bash",
  explain: "agent",
  output: "--format json",
  plan: "--emulator --detailed-exitcode",
  schema: "plan",
};

const printing = Object.entries(commandFacts).filter(
  ([name, { writes }]) => !notRun.includes(name) && writes.every((place: string) => place === "files"),
);
const commands = [
  "--version",
  "plan --emulator --format html",
  "plan --emulator --format json",
  ...printing.map(([name]) => [name, moreWords[name] ?? ""].join(" ").trim()),
];

describe.runIf(existsSync("/dev/full"))("a result that cannot be written is no success", () => {
  test.each(sample("commands", commands, 4))("%s", (command) => {
    const { code, err } = shell(`"$AGENTFORM" ${command} >/dev/full`);
    expect(err).toContain(lost);
    expect(code).toBe(1);
  });

  test.each(["text", "json"])("an apply as %s tells on standard error what it did", (format) => {
    const { code, err, folder } = shell(`"$AGENTFORM" apply --yes --emulator --format ${format} >/dev/full`);
    expect(err).toContain("Apply complete: 4 done.\n");
    expect(err).toContain(lost);
    expect(code).toBe(1);
    expect(existsSync(join(folder, ".agentform/emulator/default/agentform.lock"))).toBe(true);
  });

  test("a file that ends on a full disk is told", () => {
    const { code, err, folder } = shell(`trap '' XFSZ; ulimit -f 4; "$AGENTFORM" schema plan >cut.json`);
    expect(err).toMatch(/standard output cannot be written \(EFBIG\)/);
    expect(code).toBe(1);
    expect(readFileSync(join(folder, "cut.json")).length).toBeGreaterThan(0);
  });
});

test("a reader that goes away is no failure", () => {
  const { err } = shell(`{ "$AGENTFORM" schema plan; echo "ended with $?" >&2; } | true`);
  expect(err).toBe("ended with 0\n");
});
