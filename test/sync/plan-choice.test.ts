import { expect, test } from "vitest";
import { type Lock } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";
import { choosePlan } from "../../src/sync/plan-choice.js";
import { agreedPlan, confirmPlan } from "../../src/sync/plan-confirmation.js";
import type { ApplyRequest } from "../../src/sync/request.js";
import { hash } from "../../src/digest.js";
import { versionOf } from "../../src/store/local/lock-file.js";
import { isSound, loadWorkspace, type SoundWorkspace } from "../../src/workspace/load-workspace.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";

const lock: Lock = {
  format: "agentform/lock/v1",
  workspace: "test",
  environment: null,
  lineage: "lineage",
  serial: 3,
  writes: "w1",
  service: { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" },
  resources: { "agent:support": { id: "1", body: { name: "Before" }, digest: "sha256:0" } },
  retired: {},
  unknown: {},
};

function start(text: string): { workspace: DiskWorkspace; loaded: SoundWorkspace; request: ApplyRequest } {
  const workspace = makeWorkspace({
    "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
    "agentform.lock": text,
  });
  const { directory } = workspace;
  const loaded = loadWorkspace({ directory });
  if (!isSound(loaded)) throw new Error(loaded.diagnostics[0]?.message);
  const request: ApplyRequest = {
    directory,
    userAgent: "agentform/test",
    confirm: async () => true,
    target: () => {
      throw new Error("a plan needs no service");
    },
  };
  return { workspace, loaded, request };
}

test("the plan that was confirmed stands where the lock is still the same", async () => {
  const text = lockText(lock);
  const { loaded, request } = start(text);
  const preview = await choosePlan(loaded, request);
  expect(preview.plan?.actions).toMatchObject([{ address: "agent:support", action: "update" }]);
  const confirmed = await confirmPlan(
    agreedPlan(preview),
    { lock, version: versionOf(text) },
    loaded,
    request,
  );
  expect(confirmed).toBe(preview);
});

test("another lock is planned with anew, and the plan has moved where it is another", async () => {
  const { workspace, loaded, request } = start(lockText(lock));
  const preview = await choosePlan(loaded, request);
  const body = { name: "Meanwhile" };
  const changed = {
    ...lock,
    resources: { "agent:support": { id: "1", body, digest: hash(JSON.stringify(body)) } },
  };
  const text = lockText(changed);
  workspace.write({ "agentform.lock": text });
  const confirmed = await confirmPlan(
    agreedPlan(preview),
    { lock: changed, version: versionOf(text) },
    loaded,
    request,
  );
  expect(confirmed.isMoved).toBe(true);
  expect(confirmed.plan?.actions[0]?.changes).toMatchObject([{ before: "Meanwhile", after: "Support" }]);
});

test("another lock that the plan does not rest on moves nothing", async () => {
  const { workspace, loaded, request } = start(lockText(lock));
  const preview = await choosePlan(loaded, request);
  const changed = { ...lock, serial: 4 };
  const text = lockText(changed);
  workspace.write({ "agentform.lock": text });
  const confirmed = await confirmPlan(
    agreedPlan(preview),
    { lock: changed, version: versionOf(text) },
    loaded,
    request,
  );
  expect(confirmed.isMoved).toBe(false);
  expect(confirmed.plan).toMatchObject({ digest: preview.plan?.digest, lock: { serial: 4 } });
});

test("a plan that was made with a journal beside the lock is made again", async () => {
  const text = lockText(lock);
  const { workspace, loaded, request } = start(text);
  // A journal whose first line never reached the disk changes nothing, and may have been more at another moment.
  workspace.write({ "agentform.lock.journal": "" });
  const preview = await choosePlan(loaded, request);
  expect(preview).toMatchObject({ state: { hasJournal: true, exists: true }, plan: { lock: { serial: 3 } } });
  const confirmed = await confirmPlan(
    agreedPlan(preview),
    { lock, version: versionOf(text) },
    loaded,
    request,
  );
  expect(confirmed).not.toBe(preview);
  expect(confirmed).toMatchObject({ isMoved: false, plan: { digest: preview.plan?.digest } });
});

test("a saved plan is compared with the lock again where that is another", async () => {
  const { workspace, loaded, request } = start(lockText(lock));
  const { plan } = await choosePlan(loaded, request);
  if (!plan) throw new Error("there is no plan");
  const saved: ApplyRequest = { ...request, saved: { plan, file: "plan.json" } };
  const preview = await choosePlan(loaded, saved);
  expect(preview.isMoved).toBe(false);
  const changed = { ...lock, resources: {} };
  const text = lockText(changed);
  workspace.write({ "agentform.lock": text });
  const confirmed = await confirmPlan(
    agreedPlan(preview),
    { lock: changed, version: versionOf(text) },
    loaded,
    saved,
  );
  expect(confirmed.isMoved).toBe(true);
});

test("a lock that an apply has written in between says what this plan was made with, and what to do", async () => {
  const { workspace, loaded, request } = start(lockText(lock));
  const preview = await choosePlan(loaded, request);
  const body = { name: "Meanwhile" };
  const changed = {
    ...lock,
    serial: lock.serial + 1,
    resources: { "agent:support": { id: "1", body, digest: hash(JSON.stringify(body)) } },
  };
  const text = lockText(changed);
  workspace.write({ "agentform.lock": text });
  const held = { lock: changed, version: versionOf(text) };
  const { diagnostics } = await confirmPlan(agreedPlan(preview), held, loaded, request);
  expect(diagnostics).toMatchObject([
    { code: "plan-moved", severity: "note", parts: { found: lock.serial + 1, expected: lock.serial } },
  ]);
  expect(diagnostics[0]?.hint).toContain("`git pull`");
});
