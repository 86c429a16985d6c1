import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, inject, onTestFinished } from "vitest";
import { needProgram } from "../harness/need.js";
import { wholeTest } from "../harness/tier.js";
import { runCli } from "./run-cli.js";

/** What Neovim showed. */
interface Seen {
  readonly problem?: string;
  readonly diagnostics: string[];
  readonly hover: string;
  readonly definition: string[];
  readonly references: string[];
  readonly completion: string[];
}

wholeTest("Neovim shows diagnostics, hover, definition, references and completion, and renames", async () => {
  needProgram("nvim");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentform-neovim-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "desk");
  cpSync(join("examples", "support-desk"), root, { recursive: true });
  const seen = await runNeovim(folder, root);
  expect(seen.problem).toBeUndefined();
  expect(seen.diagnostics).toEqual([expect.stringContaining("did you mean `policy:strict`?")]);
  expect(seen.hover).toContain("policy:strict");
  expect(seen.hover).toContain("a plan would create it");
  expect(seen.definition).toEqual(["policies/strict.yaml", "  name: strict"]);
  expect(seen.references.toSorted()).toEqual(["agents/support.yaml:21", "policies/strict.yaml:5"]);
  expect(seen.completion).toEqual(["internal}", "strict}"]);
  expect(readFileSync(join(root, "policies/strict.yaml"), "utf8")).toContain("  name: severe\n");
  expect(readFileSync(join(root, "agents/support.yaml"), "utf8")).toContain("${policy:severe}");
  expect((await runCli(["validate"], { cwd: root })).code).toBe(0);
});

async function runNeovim(folder: string, root: string): Promise<Seen> {
  const result = join(folder, "seen.json");
  const env = {
    ...process.env,
    SERVER: join(inject("installed"), "node_modules/.bin/agentform"),
    ROOT: root,
    RESULT: result,
    XDG_STATE_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CACHE_HOME: folder,
  };
  const script = resolve("test/package/neovim.lua");
  const editor = spawn("nvim", ["--headless", "--clean", "-n", "-S", script], { env, stdio: "ignore" });
  await once(editor, "exit");
  return JSON.parse(readFileSync(result, "utf8")) as Seen;
}
