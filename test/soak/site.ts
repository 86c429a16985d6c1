import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { kinds } from "../../src/core/kind/kinds.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import type { LockEdit } from "../../src/core/lock-edit/lock-edit.js";
import type { Lock } from "../../src/core/state/lock.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { repairLock, readLock, unlockStore } from "../../src/sync/lock/edits.js";
import type { ApplyResult } from "../../src/sync/request.js";
import { Secret } from "../../src/service/secret.js";
import { apply } from "../../src/sync/apply.js";
import { plan } from "../../src/sync/plan.js";
import { manifest } from "../harness/disk-workspace.js";
import { dooming, type Doom } from "./doomed-store.js";
import { addressOf, type Fleet } from "./fleet.js";
import { countWithoutId, isKnown, knownIds, objectsOf, type ServiceObject } from "./service-object.js";

/** The luck that an apply has. */
export interface Luck {
  readonly faults?: readonly EmulatedFault[];
  readonly doom?: Doom;
  /** Interrupted when so many events have been told. */
  readonly interruptedAfter?: number;
  /** Whoever listens fails at that event. */
  readonly deafAfter?: number;
}

/** Thrown by a listener. */
class DeafError extends Error {
  override readonly name = "DeafError";
}

/** How an apply ended, as far as people see it. */
export type End = ApplyResult["status"] | "died" | "deaf";

const folders = Object.values(kinds).map(({ folder }) => folder);

/** A workspace on the disk, the service that keeps its objects, and what people do with both. */
export class Site {
  /** How many objects each label may have: one, and one more for each replacement that a plan showed. */
  readonly #consents = new Map<string, number>();
  #objects: readonly ServiceObject[] = [];
  #died = 0;

  constructor(
    readonly directory: string,
    private readonly data: string,
    private readonly store: "file" | "git",
  ) {}

  /** How many applies have died. */
  get died(): number {
    return this.#died;
  }

  /** Brings the documents to the disk. */
  save(fleet: Fleet): void {
    const more = `  extra_fields: {agent: [managed_agents]}\n  limits: {orphans: 1000}\n  lock: {store: ${this.store}}\n`;
    for (const folder of folders) rmSync(join(this.directory, folder), { recursive: true, force: true });
    for (const [file, text] of Object.entries({ "agentform.yaml": manifest + more, ...fleet.files() })) {
      mkdirSync(dirname(join(this.directory, file)), { recursive: true });
      writeFileSync(join(this.directory, file), text);
    }
  }

  /** Applies what is on the disk, by some runners at once, each with its own luck; the faults are shared. */
  async apply(fleet: Fleet, lucks: readonly Luck[]): Promise<End[]> {
    const options = await this.#options();
    const service = await startEmulator({
      data: this.data,
      faults: lucks.flatMap(({ faults = [] }) => faults),
    });
    try {
      return await Promise.all(lucks.map((luck) => this.#applyOnce(service.url, fleet, luck, options)));
    } finally {
      await service.close();
      this.#objects = objectsOf(service.objects());
      await this.#bury(lucks.flatMap(({ doom = [] }) => doom));
    }
  }

  /** What must hold whatever happened: a plan can be made, every object is accounted for, and none is one too many. */
  async check(): Promise<void> {
    const { plan: made, diagnostics } = await plan(this.#request);
    const errors = diagnostics.filter(
      ({ severity, code }) => severity === "error" && code !== "retired-address",
    );
    expect(errors).toEqual([]);
    expect(made).toBeDefined();
    const lock = await this.#lock();
    const known = knownIds(lock);
    const pending = Object.values(lock.unknown).map(({ body }) => String(body.name ?? body.tool_set_name));
    for (const label of new Set(this.#objects.map((object) => object.label))) {
      const objects = this.#objects.filter((object) => object.label === label);
      const lost = objects.filter((object) => !isKnown(object, known));
      // One create of unknown outcome accounts for one object, and so does an entry whose ID was not answered.
      const doubtful = (pending.includes(label) ? 1 : 0) + countWithoutId(lock, label);
      expect(lost.length, `lost of ${label}`).toBeLessThanOrEqual(doubtful);
      const allowed = 1 + (this.#consents.get(label) ?? 0);
      expect(objects.length, `created for ${label}`).toBeLessThanOrEqual(allowed);
    }
  }

  /** Resolves what is unknown as a person would who can look into the service; all of it unless `most` is given. */
  async resolve(most = Number.POSITIVE_INFINITY): Promise<void> {
    const lock = await this.#lock();
    const known = knownIds(lock);
    const edits = Object.entries(lock.unknown)
      .slice(0, most)
      .map(([address, { body }]): LockEdit => {
        const label = String(body.name ?? body.tool_set_name);
        const found = this.#objects.find((object) => object.label === label && !isKnown(object, known));
        if (!found) return { type: "not-created", address };
        return { type: "resolve", address, adoption: found.adoption };
      });
    edits.push(...this.#adoptions(lock));
    if (edits.length === 0) return;
    const { status, diagnostics } = await repairLock(this.#request, edits);
    expect(diagnostics).toEqual([]);
    expect(status).toBe("done");
  }

  /** Brings everything to rest: what is unknown is resolved, the rest applied, and nothing remains to be done. */
  async settle(fleet: Fleet): Promise<void> {
    for (let round = 0; round < 8; round++) {
      await this.resolve();
      const [end] = await this.apply(fleet, [{}]);
      await this.check();
      if (end === "unchanged") break;
    }
    expect((await plan(this.#request)).plan?.actions).toEqual([]);
    const { resources } = await this.#lock();
    expect(Object.keys(resources).toSorted()).toEqual(fleet.items.map(addressOf).toSorted());
    for (const item of fleet.items) {
      const { id, ids = [], assumed } = resources[addressOf(item)] ?? {};
      const object = this.#objects.find((each) => each.ids.includes(id ?? ids[0] ?? ""));
      expect(object, addressOf(item)).toMatchObject({
        label: item.label,
        ...(assumed !== true && { revision: item.revision }),
      });
    }
  }

  get #request() {
    return { directory: this.directory };
  }

  // A forgotten address that returns needs a word of consent.
  async #options() {
    const { diagnostics } = await plan(this.#request);
    const returned = diagnostics.flatMap(({ code, address }) =>
      code === "retired-address" && address !== undefined ? [address] : [],
    );
    return { ...noOptions, replace: new Set(returned) };
  }

  async #applyOnce(
    url: string,
    fleet: Fleet,
    { doom, interruptedAfter, deafAfter }: Luck,
    options: typeof noOptions,
  ): Promise<End> {
    const drain = new AbortController();
    let events = 0;
    const result = await dooming(doom, () =>
      apply({
        directory: this.directory,
        options,
        userAgent: "agentform/test",
        concurrency: 3,
        confirm: async () => true,
        drain: drain.signal,
        target: () => ({
          identity: { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" },
          baseUrl: url,
          raiBaseUrl: url,
          apiKey: "${env:AGENT_API_KEY}",
          secrets: (name) => new Secret(`value of ${name}`),
        }),
        onEvent: (event) => {
          if (++events === interruptedAfter) drain.abort();
          if (event.type === "start" && event.action === "replace") this.#consent(fleet, event.address);
          if (events === deafAfter) throw new DeafError();
        },
      }).catch((cause: unknown) => {
        if (cause instanceof DeafError) return "deaf" as const;
        throw cause;
      }),
    );
    if (typeof result === "string") return result;
    const errors = result.diagnostics.filter(({ severity }) => severity === "error");
    if (result.status === "refused") expect(errors).toEqual([]);
    return result.status;
  }

  #consent(fleet: Fleet, address: string): void {
    const label = fleet.items.find((item) => addressOf(item) === address)?.label ?? "";
    this.#consents.set(label, (this.#consents.get(label) ?? 0) + 1);
  }

  // A runner that died leaves its hold; while it may be alive nothing of it counts as unknown.
  async #bury(dooms: readonly Doom[]): Promise<void> {
    if (dooms.length === 0) return;
    const { diagnostics } = await plan(this.#request);
    expect(diagnostics.filter(({ code }) => code === "journal-damaged")).toEqual([]);
    const holder = join(this.directory, ".agentform/default.holder");
    if (this.store === "git") {
      const hint = (await repairLock(this.#request, [])).diagnostics.find(({ code }) => code === "lock-held");
      const nonce = /unlock (\S+)`/.exec(hint?.hint ?? "")?.[1];
      if (nonce === undefined) return;
      this.#died++;
      expect((await unlockStore(this.#request, nonce)).status).toBe("done");
      // Another machine has nothing but what was pushed.
      const isGone = dooms.some(({ losesUnflushed }) => losesUnflushed);
      const own = [".agentform", ".git/agentform"].map((folder) => join(this.directory, folder));
      if (isGone) for (const folder of own) rmSync(folder, { recursive: true, force: true });
    } else if (existsSync(holder)) {
      this.#died++;
      const record = JSON.parse(readFileSync(holder, "utf8")) as object;
      writeFileSync(holder, JSON.stringify({ ...record, started: "1" }));
    }
  }

  // An ID that no answer told is looked up too, where the document is still there to be adopted for.
  #adoptions(lock: Lock): LockEdit[] {
    const known = knownIds(lock);
    return Object.entries(lock.resources).flatMap(([address, { id, ids, body }]): LockEdit[] => {
      const isManaged = existsSync(join(this.directory, `credentials/${address.split(":")[1]}.yaml`));
      if (!address.startsWith("credential:") || id !== undefined || ids || !isManaged) return [];
      if (lock.unknown[address]) return [];
      const found = this.#objects.find(({ label, ids }) => label === body.name && !known.has(ids[0] ?? ""));
      return found ? [{ type: "resolve", address, adoption: found.adoption }] : [];
    });
  }

  async #lock(): Promise<Lock> {
    const { state, diagnostics } = await readLock(this.#request);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    if (!state) throw new Error("there is no state");
    return state.lock;
  }
}
