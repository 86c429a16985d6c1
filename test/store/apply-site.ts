import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { ApplyEvent } from "../../src/core/apply/apply-report.js";
import { idsOf } from "../../src/core/kind/identity.js";
import type { LockEdit } from "../../src/core/lock-edit/lock-edit.js";
import type { LockStore } from "../../src/core/state/lock-store.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { Secret } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { documentText } from "../harness/disk-workspace.js";
import type { ConformanceMedium, Waits } from "./conformance-medium.js";
import { lockOf } from "./git-records.js";

/** How a test looks into an apply. */
export interface ApplyMore {
  readonly through?: (store: LockStore) => LockStore;
  readonly concurrency?: number;
  readonly onEvent?: (event: ApplyEvent) => void;
}

/** A service, and machines with the same workspace. */
export class Site {
  readonly #machines: string[] = [];

  private constructor(
    readonly medium: ConformanceMedium,
    readonly emulator: Emulator,
  ) {}

  static async open(
    make: () => Promise<ConformanceMedium>,
    faults: readonly EmulatedFault[] = [],
    operations: "documented" | "full" = "documented",
  ): Promise<Site> {
    const [medium, emulator] = [await make(), await startEmulator({ faults, operations })];
    onTestFinished(() => emulator.close());
    return new Site(medium, emulator);
  }

  machine(name: string): string {
    const directory = this.medium.machine(name);
    this.#machines.push(directory);
    return directory;
  }

  /** Writes a workspace with so many policies, and an agent for each, on all machines, and other files. */
  write(
    count: number,
    more: { readonly operations?: object; readonly files?: Record<string, string> } = {},
  ): void {
    const { url } = this.emulator;
    const { operations } = more;
    const service = {
      base_url: url,
      rai_base_url: url,
      api_key: "${env:AGENT_API_KEY}",
      ...(operations && { operations }),
    };
    const manifest = {
      apiVersion: "agentform/v1",
      kind: "Workspace",
      metadata: { name: "test" },
      spec: { service, lock: this.medium.lock },
    };
    const files: Record<string, string> = { "agentform.yaml": JSON.stringify(manifest) };
    for (let number = 1; number <= count; number++) {
      const [policy, agent] = [`p${number}`, `a${number}`];
      files[`policies/${policy}.yaml`] = documentText("Policy", policy, { name: policy });
      const features = [{ type: "RAI", priority: 0, config: { policy_id: `\${policy:${policy}}` } }];
      files[`agents/${agent}.yaml`] = documentText("Agent", agent, { name: agent, features });
    }
    for (const directory of this.#machines) {
      for (const [file, text] of Object.entries({ ...files, ...more.files })) {
        mkdirSync(dirname(join(directory, file)), { recursive: true });
        writeFileSync(join(directory, file), text);
      }
    }
  }

  /** How many objects the service has at each address. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [address] of this.#objects()) counts[address] = (counts[address] ?? 0) + 1;
    return counts;
  }

  /** The ID of the last object at each address. */
  ids(): Record<string, string> {
    return Object.fromEntries(this.#objects());
  }

  /** The IDs on the service that the state on the medium does not know. */
  async unknownIds(directory: string): Promise<string[]> {
    const { lock } = await this.#state(directory);
    const known = new Set([...Object.values(lock.resources).flatMap(idsOf), ...Object.keys(lock.retired)]);
    return this.#objects().flatMap(([, id]) => (known.has(id) ? [] : [id]));
  }

  /** Applies in this process, with short waits of the store, which may be opened in a way of the test's own. */
  async apply(directory: string, waits: Waits = {}, { through = (store) => store, ...more }: ApplyMore = {}) {
    await mockStore();
    opener = async (at) => through(this.medium.open(at, waits));
    const { apply } = await import("../../src/sync/apply.js");
    return await apply({
      directory,
      userAgent: "agentform/test",
      ...more,
      confirm: async () => true,
      target: (settings) => targetOf(settings, (name) => new Secret(`value of ${name}`)),
    });
  }

  /** Unlocks whoever holds the store, as a person does who is certain that it is gone. */
  async unlock(directory: string): Promise<void> {
    const store = this.medium.open(directory);
    const refusal = await store.acquire().catch((thrown: unknown) => thrown);
    const nonce = nonceIn(refusal);
    if (nonce === undefined) await store.release();
    else expect(await store.unlock(nonce)).toBe(true);
  }

  /** The creates of unknown outcome of which the service has nothing. */
  async neverMade(directory: string): Promise<string[]> {
    return (await this.#unknown(directory)).flatMap(({ address, id }) => (id === undefined ? address : []));
  }

  /** The creates of unknown outcome, with the ID on the service that the state does not know. */
  async #unknown(directory: string) {
    const { lock } = await this.#state(directory);
    const known = new Set(JSON.stringify(lock).match(/[0-9a-f]{24}/g));
    return Object.keys(lock.unknown).map((address) => {
      const [, id] = this.#objects().find(([at, other]) => at === address && !known.has(other)) ?? [];
      return { address, id };
    });
  }

  /** Resolves what is unknown as a person would who can look into the service. */
  async resolve(directory: string): Promise<void> {
    await mockStore();
    opener = async (at) => this.medium.open(at, { patience: 10_000 });
    const { repairLock } = await import("../../src/sync/lock/edits.js");
    const edits = (await this.#unknown(directory)).map(({ address, id }): LockEdit =>
      id === undefined ? { type: "not-created", address } : { type: "resolve", address, adoption: id },
    );
    if (edits.length > 0) expect(await repairLock({ directory }, edits)).toMatchObject({ status: "done" });
  }

  /** Restores the lock, as the message about a journal says. */
  async restore(directory: string) {
    await mockStore();
    opener = async (at) => this.medium.open(at, { patience: 10_000 });
    const { restoreLock } = await import("../../src/sync/lock/restore.js");
    return await restoreLock({ directory });
  }

  async #state(directory: string) {
    const stored = await this.medium.open(directory).read();
    return { lock: lockOf({ ...stored, holder: null }) };
  }

  #objects(): (readonly [string, string])[] {
    const { policies, agents } = this.emulator.objects();
    return [
      ...policies.map(({ id, body }) => [`policy:${String(body.name)}`, id] as const),
      ...agents.map(({ id, body }) => [`agent:${String(body.name)}`, id] as const),
    ];
  }
}

type Open = (directory: string) => Promise<LockStore>;

// In place of the store that the manifest names, which waits longer.
let opener: Open | undefined;

async function mockStore(): Promise<void> {
  vi.doMock("../../src/store/open-store.js", async (importOriginal) => ({
    ...(await importOriginal<object>()),
    openStore: async (_settings: unknown, { directory }: { directory: string }) => await opener?.(directory),
  }));
}

/** The nonce of who holds a store, from why it could not be taken. */
export function nonceIn(refusal: unknown): string | undefined {
  const isHeld = refusal instanceof Error && "holder" in refusal;
  return isHeld ? (refusal.holder as { nonce: string }).nonce : undefined;
}
