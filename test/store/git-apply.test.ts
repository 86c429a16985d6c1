import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.js";
import { Secret } from "../../src/service/secret.js";
import type { ApplyRequest } from "../../src/sync/request.js";
import { apply } from "../../src/sync/apply.js";
import { plan } from "../../src/sync/plan.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { fetchState, git, makeGitMedium, openGitStore, ref, type GitMedium } from "./git-medium.js";
import { wholeTest } from "../harness/tier.js";

async function emulate(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

function applyIn(directory: string, emulator: Emulator, more: Partial<ApplyRequest> = {}) {
  return apply({ ...reaching(directory, emulator), confirm: async () => true, ...more });
}

function reaching(directory: string, { url }: Emulator) {
  return {
    directory,
    userAgent: "agentform/test",
    target: () => ({
      identity: { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" },
      baseUrl: url,
      raiBaseUrl: url,
      apiKey: "${env:AGENT_API_KEY}",
      secrets: (name: string) => new Secret(`value of ${name}`),
    }),
  };
}

/** Commits a workspace that keeps its state with git to the remote; gives a clone of it. */
function publish(medium: GitMedium, operations = ""): string {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}${operations}  lock: {store: git}\n`,
    "policies/strict.yaml": documentText("Policy", "strict", { name: "Strict" }),
    "policies/loose.yaml": documentText("Policy", "loose", { name: "Loose" }),
    "agents/support.yaml": documentText("Agent", "support", {
      name: "Support",
      features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
    }),
  });
  git(directory, "init", "-q", "-b", "main");
  git(directory, "remote", "add", "origin", medium.remote);
  git(directory, "add", ".");
  git(directory, "commit", "-q", "-m", "workspace");
  git(directory, "push", "-q", "-f", "origin", "main");
  return medium.clone("runner");
}

test("an apply from one clone is known to another, and the history tells what happened", async () => {
  const medium = makeGitMedium();
  const directory = publish(medium);
  const emulator = await emulate();
  const first = await applyIn(directory, emulator);
  expect(first.diagnostics).toEqual([]);
  expect(first.summary).toEqual({ done: 3, failed: 0, unknown: 0, skipped: 0, blocked: 0 });
  expect(git(directory, "status", "--porcelain")).toBe("");
  expect(existsSync(join(directory, "agentform.lock"))).toBe(false);
  const subjects = git(medium.remote, "log", "--reverse", "--format=%s", ref).split("\n");
  // Of an apply that takes a while, progress is pushed on the way.
  expect(subjects.filter((subject) => subject !== "apply: progress")).toEqual([
    "acquire",
    "apply: claim of 3 creates",
    "apply: serial 1",
    "release",
  ]);
  expect(git(medium.remote, "ls-tree", "--name-only", ref)).toBe("lock.json");

  const clone = medium.clone("other");
  const { plan: planned } = await plan({ directory: clone });
  expect(planned).toMatchObject({ lock: { serial: 1 }, actions: [] });
  expect((await applyIn(clone, emulator)).status).toBe("unchanged");
});

wholeTest("a clone that did not fetch creates nothing twice", async () => {
  const medium = makeGitMedium();
  const directory = publish(medium);
  const clone = medium.clone("other");
  const emulator = await emulate();
  await applyIn(directory, emulator);
  expect((await applyIn(clone, emulator)).status).toBe("unchanged");
  expect(emulator.requests).toHaveLength(3);
});

wholeTest(
  "a runner that loses its folder in the middle: what it claimed is unknown to the next, and blocks only that",
  async () => {
    const medium = makeGitMedium();
    const directory = publish(medium);
    // Before the first answer, so that no push can tell of it, however long it takes to write it down.
    const log = () => void (existsSync(directory) && renameSync(directory, `${directory}.gone`));
    const emulator = await emulate({ log });
    const ended = await applyIn(directory, emulator, { concurrency: 1 });
    expect(ended.status).toBe("refused");
    const sent = emulator.requests.length;
    expect(sent).toBeLessThan(3);

    const clone = medium.clone("other");
    fetchState(clone);
    const held = await applyIn(clone, emulator);
    expect(held.status).toBe("moved");
    const hint = held.diagnostics.find(
      ({ code, severity }) => code === "lock-held" && severity === "error",
    )?.hint;
    const nonce = /lock unlock ([0-9a-f]+)/.exec(hint ?? "")?.[1] ?? "";
    expect(await openGitStore(clone).unlock(nonce)).toBe(true);

    const { plan: planned } = await plan({ directory: clone });
    expect(planned?.summary).toMatchObject({ create: 0, unknown: 3 });
    await applyIn(clone, emulator);
    expect(emulator.requests).toHaveLength(sent);
  },
);

wholeTest("an apply of updates alone, and a failed one, leave the ref in order", async () => {
  const medium = makeGitMedium();
  const directory = publish(medium);
  const emulator = await emulate({ faults: [{ path: "/v1/rai/policies", status: 422, count: 2 }] });
  const failed = await applyIn(directory, emulator);
  expect(failed.summary).toMatchObject({ failed: 2, skipped: 1 });
  expect((await plan({ directory })).plan?.summary).toMatchObject({ create: 3, unknown: 0 });
  expect((await applyIn(directory, emulator)).summary).toMatchObject({ done: 3 });
  const [agent] = emulator.objects().agents;
  expect(git(medium.remote, "show", `${ref}:lock.json`)).toContain(agent?.id);
  expect(git(medium.remote, "log", "-1", "--format=%s", ref)).toBe("release");
});

test("a remote that is an address, or a ref outside agentform's own, is refused in the manifest", async () => {
  const lock = "{store: git, remote: 'https://user:key@example.com/x', ref: refs/heads/main}";
  const { directory } = makeWorkspace({ "agentform.yaml": `${manifest}  lock: ${lock}\n` });
  const { diagnostics } = await plan({ directory });
  expect(diagnostics.map(({ severity, line }) => [severity, line])).toEqual([
    ["error", 10],
    ["error", 10],
  ]);
  expect(diagnostics[1]?.message).toContain("refs/heads/main");
});

wholeTest("a prune needs no claim, and its lock is pushed", async () => {
  const medium = makeGitMedium();
  const operations = '    operations: {policy: {delete: "DELETE /v1/rai/policies/{id}"}}\n';
  const directory = publish(medium, operations);
  const emulator = await emulate({ operations: "full" });
  await applyIn(directory, emulator);
  rmSync(join(directory, "policies/loose.yaml"));
  await applyIn(directory, emulator);
  const confirm = async () => true;
  const pruned = await apply({ ...reaching(directory, emulator), prune: [], concurrency: 8, confirm });
  expect(pruned).toMatchObject({ status: "applied", summary: { done: 1, failed: 0 }, diagnostics: [] });
  expect(emulator.objects().policies).toHaveLength(1);
  const other = medium.clone("other");
  fetchState(other);
  const { plan: planned } = await plan({ directory: other });
  expect(planned?.lock).toMatchObject({ serial: 3 });
});
