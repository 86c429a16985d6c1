import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { Clone, policyBanning } from "./clone.js";

interface Scene {
  readonly clone: Clone;
  readonly emulator: Emulator;
  /** The ID of the policy that was replaced, and is left behind. */
  readonly old: string;
}

/** A repository whose policy was replaced once, all of it committed. */
async function open(): Promise<Scene> {
  const emulator = await startEmulator({ operations: "full" });
  const folder = mkdtempSync(join(tmpdir(), "agentform-prune-"));
  onTestFinished(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const clone = new Clone(join(folder, "work"), emulator);
  clone.setPolicy("weapons");
  await applied(clone);
  const old = String(clone.lock()?.resources["policy:strict"]?.id);
  clone.setPolicy("drugs");
  await applied(clone);
  return { clone, emulator, old };
}

async function applied(clone: Clone): Promise<void> {
  expect(await clone.apply()).toMatchObject({ status: "applied", summary: { failed: 0, unknown: 0 } });
  clone.commit("state");
}

async function errorsOf(clone: Clone): Promise<string[]> {
  const { diagnostics } = await clone.plan();
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

const has = ({ emulator }: Scene, id: string) => emulator.objects().policies.some((each) => each.id === id);

test("what was pruned is not lost, here and in a checkout that never saw it", async () => {
  const scene = await open();
  const { clone, old } = scene;
  expect(await clone.prune()).toMatchObject({ status: "applied", summary: { done: 1 } });
  expect(has(scene, old)).toBe(false);
  expect(await errorsOf(clone)).toEqual([]);
  clone.commit("pruned");
  clone.remove(".agentform");
  clone.remove(".git/agentform");
  expect(await errorsOf(clone)).toEqual([]);
  expect(await clone.restore()).toMatchObject({
    changes: [{ type: "nothing-to-restore", is: "newest" }],
  });
});

wholeTest("a prune that git takes back is restored, and what it deleted stays deleted", async () => {
  const { clone, old } = await open();
  await clone.prune();
  clone.commit("pruned");
  clone.git("revert", "--no-edit", "HEAD");
  expect(await errorsOf(clone)).toEqual(["lock-behind"]);
  expect(await clone.prune()).toMatchObject({ status: "refused" });
  expect(await clone.restore()).toMatchObject({ status: "done", diagnostics: [] });
  expect(clone.lock()).toMatchObject({ retired: {}, deleted: { [`policy ${old}`]: expect.any(Number) } });
  expect(await errorsOf(clone)).toEqual([]);
});

wholeTest("an old lock, in whose ledger is what is managed again, deletes nothing", async () => {
  const scene = await open();
  const { clone, old } = scene;
  clone.write({
    "policies/back.yaml": documentText("Policy", "back", policyBanning("weapons"), { adopt: old }),
  });
  await applied(clone);
  clone.git("checkout", "-q", "HEAD~1", "--", "agentform.lock");
  expect(await clone.prune()).toMatchObject({ status: "refused", diagnostics: [{ code: "lock-behind" }] });
  // Without the newer commit, this machine still knows of the write.
  clone.git("reset", "-q", "--hard", "HEAD~1");
  expect(await clone.prune()).toMatchObject({ status: "refused", diagnostics: [{ code: "lock-behind" }] });
  expect(has(scene, old)).toBe(true);
});

wholeTest("what a branch that was never merged manages is kept", async () => {
  const scene = await open();
  const { clone, old } = scene;
  clone.git("checkout", "-q", "-b", "side");
  clone.write({
    "policies/back.yaml": documentText("Policy", "back", policyBanning("weapons"), { adopt: old }),
  });
  await applied(clone);
  clone.git("checkout", "-q", "main");
  // As on a different machine.
  clone.remove(".agentform");
  clone.remove(".git/agentform");
  expect(await clone.prune()).toMatchObject({
    status: "unchanged",
    plan: { actions: [] },
    diagnostics: [
      {
        code: "prune-kept",
        address: "policy:strict",
        message: `policy:strict (${old}) stays: it is managed as policy:back in branch side`,
      },
    ],
  });
  expect(has(scene, old)).toBe(true);
  clone.git("branch", "-q", "-D", "side");
  expect(await clone.prune()).toMatchObject({ status: "applied", summary: { done: 1 } });
});

test.each(sample("sides of a merge", ["ours", "theirs"] as const, 0))(
  "what one branch pruned and the other still has in its ledger is deleted after a merge into %s",
  async (into) => {
    const { clone, old } = await open();
    clone.git("branch", "side");
    await clone.prune();
    clone.commit("pruned");
    clone.git("checkout", "-q", "side");
    clone.remove(".agentform");
    clone.remove(".git/agentform");
    clone.setAgent("a", "hello");
    await applied(clone);
    if (into === "theirs") clone.git("checkout", "-q", "main");
    clone.git("merge", "-q", "--no-edit", into === "theirs" ? "side" : "main");
    clone.git("checkout", "-q", "--ours", "--", "agents");
    expect(await clone.mergeLock()).toMatchObject({ status: "done", diagnostics: [] });
    expect(clone.lock()).toMatchObject({
      retired: {},
      deleted: { [`policy ${old}`]: expect.any(Number) },
      resources: { "agent:a": {}, "policy:strict": {} },
    });
    clone.commit("merged");
    expect(await errorsOf(clone)).toEqual([]);
  },
);

wholeTest(
  "a removed document and a change of it on a different branch meet: the next apply finds out",
  async () => {
    const { clone, emulator } = await open();
    const spec = { name: "a", system_prompt: "one" };
    const file = "agents/a.yaml";
    const write = (more: object) =>
      clone.write({ [file]: documentText("Agent", "a", { ...spec, ...more }, { on_removal: "delete" }) });
    write({});
    await applied(clone);
    clone.git("branch", "side");
    clone.remove(file);
    await applied(clone);
    expect(emulator.objects().agents).toEqual([]);
    clone.git("checkout", "-q", "side");
    clone.remove(".agentform");
    clone.remove(".git/agentform");
    write({});
    clone.write({ "agents/b.yaml": documentText("Agent", "b", { name: "b", managed_agents: [] }) });
    clone.commit("edit");
    // The update fails, for the object is gone, and the lock of this branch still has it.
    write({ system_prompt: "two" });
    expect(await clone.apply()).toMatchObject({ summary: { failed: 1, done: 1 } });
    clone.commit("state");
    clone.git("merge", "-q", "--no-edit", "main");
    clone.git("checkout", "-q", "--ours", "--", "agents");
    const merged = await clone.mergeLock();
    expect(merged).toMatchObject({ status: "done" });
    clone.commit("merged");
    expect(await errorsOf(clone)).toEqual([]);
    expect(clone.lock()?.resources["agent:a"]).toBeUndefined();
  },
);
