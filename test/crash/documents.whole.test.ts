import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noteUnfinished } from "../../src/sync/unfinished-import.js";
import { manifestWithOperations, openAppliedDesk } from "../cli/applied-desk.js";
import { runIn } from "../cli/desk.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { sample, stride } from "../harness/tier.js";
import { runFailing, startApply, type Start } from "./apply-process.js";
import { Moments } from "./moments.js";

const files = {
  "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }),
  "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
  "agents/triage.yaml": documentText("Agent", "triage", { name: "Triage" }),
};

/** A workspace, and a command that writes documents of it. */
interface Writing {
  readonly directory: string;
  readonly start: Required<Pick<Start, "command" | "args">>;
}

async function imported(): Promise<Writing> {
  const desk = await openAppliedDesk("array", "read", files);
  const objects = ["policy:strict", "agent:support", "agent:triage"].map((address) => {
    return `${address.split(":")[0]}:${desk.id(address)}`;
  });
  const { directory } = makeWorkspace({ "agentform.yaml": manifestWithOperations(desk.emulator.url) });
  return { directory, start: { command: ["import"], args: [...objects, "--yes"] } };
}

async function kept(): Promise<Writing> {
  const desk = await openAppliedDesk("array", "read", files);
  for (const address of ["policy:strict", "agent:support"]) desk.edit(address, { description: "Edited" });
  const { directory } = desk.workspace;
  return { directory, start: { command: ["drift"], args: ["--write", "--yes"] } };
}

const commands = [
  { name: "import", open: imported },
  { name: "drift --write", open: kept },
] as const;

const failures = [
  { call: "fsyncSync", code: "EIO" },
  { call: "writeFileSync", code: "ENOSPC" },
] as const;

const cases = commands.flatMap((command) => failures.map((failure) => ({ ...command, ...failure })));
const apart = stride("failing calls while documents are written", 6);

test.each(sample("failures while documents are written", cases, 1))(
  "$name whose $call fails says so, leaves no draft, and goes on",
  async ({ open, call, code }) => {
    for (let at = 1; ; at += apart) {
      const { directory, start } = await open();
      const ended = await runFailing(directory, { call, code, at }, start);
      if (ended.calls < at) break;
      expect([0, 1], ended.stderr).toContain(ended.code);
      if (ended.code === 1)
        expect(ended.stderr).toMatch(/^error\[(lock-medium|import-unwritten|file-unwritten)\]/m);
      const there = readdirSync(directory, { recursive: true, encoding: "utf8" });
      expect(there.filter((name) => /^(policies|agents)\/.*\.tmp$/.test(name))).toEqual([]);
      const again = await runIn(directory, [...start.command, ...start.args]);
      expect(again.code, again.err).toBe(0);
      const plan = await runIn(directory, ["plan", "--detailed-exitcode"]);
      expect(plan.code, plan.out).toBe(0);
    }
  },
);

test("an import that goes on where one died, and dies as well, leaves nothing to be made again", async () => {
  const { directory, start } = await imported();
  expect(await runIn(directory, [...start.command, ...start.args])).toMatchObject({ code: 0 });
  const { resources } = JSON.parse(readFileSync(join(directory, "agentform.lock"), "utf8"));
  const ids = new Map(Object.entries<{ id: string }>(resources).map(([address, { id }]) => [address, id]));
  rmSync(join(directory, "agentform.lock"), { force: true });
  rmSync(join(directory, ".agentform"), { recursive: true });
  noteUnfinished({ directory }, ids);
  const moments = new Moments({ directory });
  const env = { KILL_BELOW: directory };
  const keep = () => moments.keep();
  const { code } = await startApply(directory, { ...start, preload: "kill-at.mjs", env, keep }).ended;
  expect(code).toBe(0);
  expect(moments.kept.length).toBeGreaterThan(0);
  for (const [index, moment] of moments.kept.entries()) {
    const plan = await runIn(moment.directory, ["plan", "--detailed-exitcode"]);
    expect([0, 1], `change ${index + 1}: ${plan.out}`).toContain(plan.code);
    if (plan.code === 1) expect(plan.err).toContain("[import-unfinished]");
  }
});

test("a folder that cannot be listed is told, whichever command looks into it", async () => {
  const adopted = async (): Promise<Writing> => {
    const desk = await openAppliedDesk("array", "read", files);
    const { directory } = makeWorkspace({
      "agentform.yaml": manifestWithOperations(desk.emulator.url),
      "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
    });
    const args = ["resolve", "agent:support", "--adopt", desk.id("agent:support")];
    return { directory, start: { command: ["lock"], args } };
  };
  for (const open of [adopted, imported]) {
    for (let at = 1; ; at++) {
      const { directory, start } = await open();
      const ended = await runFailing(directory, { call: "readdirSync", code: "EACCES", at }, start);
      if (ended.calls < at) break;
      expect([0, 1], ended.stderr).toContain(ended.code);
      if (ended.code === 1) expect(ended.stderr).toMatch(/^error\[/m);
    }
  }
});
