import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { idsOf } from "../../src/core/kind/identity.js";
import type { Lock } from "../../src/core/state/lock.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { readLock } from "../../src/sync/lock/edits.js";
import { Secret } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync/apply.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample, stride } from "../harness/tier.js";
import { runFailing, startApply } from "./apply-process.js";
import { Moments, type Changed, type Moment } from "./moments.js";

let points = 0;
afterAll(() => console.log(`deletes: ${points} points`));

const agent = (name: string, lifecycle: object) => ({
  [`agents/${name}.yaml`]: documentText(
    "Agent",
    name,
    { name, features: [{ type: "RAI", config: { policy_id: "${policy:strict}" } }] },
    lifecycle,
  ),
});

const policy = (description: string, lifecycle: object) => ({
  "policies/strict.yaml": documentText("Policy", "strict", { name: "strict", description }, lifecycle),
});

/** A workspace on the disk, and a service that can delete. */
class Desk {
  private constructor(
    readonly emulator: Emulator,
    private readonly changed: Changed,
  ) {}

  static async open(): Promise<Desk> {
    const directory = mkdtempSync(join(tmpdir(), "agentform-deletes-"));
    return await Desk.at({ directory, data: `${directory}.service` });
  }

  static async at(changed: Changed): Promise<Desk> {
    return new Desk(await startEmulator({ operations: "full", data: changed.data }), changed);
  }

  get directory(): string {
    return this.changed.directory;
  }

  async close(): Promise<void> {
    await this.emulator.close();
    for (const folder of [this.directory, this.changed.data])
      rmSync(folder, { recursive: true, force: true });
  }

  write(files: Readonly<Record<string, string>>): void {
    const { url } = this.emulator;
    const operations = {
      policy: { delete: "DELETE /v1/rai/policies/{id}" },
      agent: { delete: "DELETE /v3/agents/{id}", list: { request: "GET /v3/agents/", id: "/_id" } },
    };
    const service = { base_url: url, rai_base_url: url, api_key: "${env:AGENT_API_KEY}", operations };
    const manifest = {
      apiVersion: "agentform/v1",
      kind: "Workspace",
      metadata: { name: "crash" },
      spec: { service },
    };
    for (const [file, text] of Object.entries({ "agentform.yaml": JSON.stringify(manifest), ...files })) {
      mkdirSync(dirname(join(this.directory, file)), { recursive: true });
      writeFileSync(join(this.directory, file), text);
    }
  }

  remove(file: string): void {
    rmSync(join(this.directory, file), { force: true });
  }

  /** Runs a command in a process to its end, and gives what a kill after each change of a file would have left. */
  async moments(command: readonly string[]): Promise<readonly Moment[]> {
    const moments = new Moments(this.changed);
    const { ended } = startApply(this.directory, {
      command,
      preload: "kill-at.mjs",
      env: { KILL_BELOW: this.directory },
      keep: () => moments.keep(),
    });
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
    return moments.kept;
  }

  async applyHere() {
    return await apply({ ...this.#request, confirm: async () => true });
  }

  async pruneHere() {
    return await apply({ ...this.#request, prune: [], concurrency: 4, confirm: async () => true });
  }

  get #request() {
    return {
      directory: this.directory,
      options: { ...noOptions, serviceMoved: true },
      userAgent: "agentform/test",
      target: (settings: Parameters<typeof targetOf>[0]) => targetOf(settings, (name) => new Secret(name)),
    };
  }

  async lock(): Promise<Lock> {
    const { state, diagnostics } = await readLock({ directory: this.directory });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    if (!state) throw new Error("there is no state");
    return state.lock;
  }

  ids(): string[] {
    const { agents, policies } = this.emulator.objects();
    return [...agents, ...policies].map(({ id }) => id);
  }

  /** What every state must hold: what exists is known, and what the lock calls deleted is gone. */
  async check(before: readonly string[]): Promise<void> {
    const { resources, retired, unknown, deleted = {} } = await this.lock();
    const known = new Set([
      ...Object.values(resources).flatMap((entry) => idsOf(entry)),
      ...Object.keys(retired),
    ]);
    const gone = new Set(Object.keys(deleted).map((key) => key.replace(/^\w+ /, "")));
    const there = new Set(this.ids());
    const isCreating = Object.keys(unknown).length > 0;
    for (const id of there) expect(known.has(id) || (isCreating && !before.includes(id)), id).toBe(true);
    for (const id of before) expect(known.has(id) || gone.has(id), `${id} is lost`).toBe(true);
    for (const id of gone) expect(there.has(id), `${id} is called deleted`).toBe(false);
  }
}

/** A ledger with an agent and two policies. */
async function withLedger(): Promise<Desk> {
  const desk = await Desk.open();
  desk.write({ ...policy("one", {}), ...agent("old", {}), ...agent("kept", {}) });
  expect((await desk.applyHere()).status).toBe("applied");
  desk.remove("agents/old.yaml");
  desk.write(policy("two", {}));
  expect((await desk.applyHere()).status).toBe("applied");
  desk.write(policy("three", {}));
  expect((await desk.applyHere()).status).toBe("applied");
  return desk;
}

/** A plan that deletes an agent whose document is gone, and the old object of a replaced policy. */
async function withDeletes(): Promise<Desk> {
  const desk = await Desk.open();
  const replaced = { on_replaced: "delete" };
  desk.write({ ...policy("one", replaced), ...agent("old", { on_removal: "delete" }), ...agent("kept", {}) });
  expect((await desk.applyHere()).status).toBe("applied");
  desk.remove("agents/old.yaml");
  desk.write(policy("two", replaced));
  return desk;
}

const scenes = [
  { name: "prune", open: withLedger, command: ["prune"] },
  { name: "apply", open: withDeletes, command: ["apply"] },
] as const;

test.each(scenes)(
  "$name, killed after every change of a file, loses no object",
  async ({ open, command }) => {
    const whole = await open();
    const before = whole.ids();
    const moments = await whole.moments(command);
    await whole.close();
    expect(moments.length).toBeGreaterThan(8);
    for (const moment of moments) {
      const desk = await Desk.at(moment);
      desk.write({});
      await desk.check(before);
      points++;
      for (let round = 0; round < 3; round++) {
        const { unknown } = await desk.lock();
        // A create of unknown outcome waits for a person, and is not what this is about.
        if (Object.keys(unknown).length > 0) break;
        await desk.applyHere();
        await desk.pruneHere();
      }
      await desk.check(before);
      const lock = await desk.lock();
      if (Object.keys(lock.unknown).length === 0) expect(lock.retired).toEqual({});
      if (Object.keys(lock.unknown).length === 0) expect(desk.ids()).toHaveLength(2);
      await desk.close();
    }
  },
);

const failures = [
  { name: "sync", call: "fdatasync", code: "EIO" },
  { name: "write and all after it", call: "writeSync", code: "ENOSPC", isLasting: true },
] as const;

const callsApart = stride("failing calls of a prune", 3);

test.each(sample("failing prunes", failures, 1))(
  "a prune whose $name fails loses nothing, and sends no delete again if the lock can be written",
  async ({ name: _name, ...failing }) => {
    let failed = 0;
    for (let at = 1; ; at += callsApart) {
      const desk = await withLedger();
      try {
        const before = desk.ids();
        const { calls, stdout, stderr } = await runFailing(
          desk.directory,
          { ...failing, at },
          { command: ["prune"] },
        );
        if (calls < at) break;
        failed++;
        expect(stderr).toContain("lock-medium");
        const canWrite = !("isLasting" in failing);
        const sent = desk.emulator.requests.filter(({ method }) => method === "DELETE").length;
        // The old objects of the policy are one action, and each of them is told.
        const gone = stderr.match(/^agent:old: deleted |: the old object was deleted /gm) ?? [];
        expect(gone).toHaveLength(sent);
        if (sent > 0) expect(stdout).toContain("Prune incomplete: ");
        if (canWrite) expect(stderr).toContain("all that was done is in the lock now");
        if (canWrite) expect(existsSync(join(desk.directory, "agentform.lock.journal"))).toBe(false);
        await desk.check(before);
        expect((await desk.pruneHere()).status).toMatch(/^(applied|unchanged)$/);
        const deletes = desk.emulator.requests.filter(({ method }) => method === "DELETE");
        if (canWrite) expect(deletes).toHaveLength(3);
        expect(desk.ids()).toHaveLength(2);
      } finally {
        await desk.close();
      }
    }
    expect(failed).toBeGreaterThan(0);
  },
);
