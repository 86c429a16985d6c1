import { expect, test } from "vitest";
import type { LockStore } from "../../src/core/state/lock-store.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { examples, fc } from "../harness/property.js";
import type { CutStage } from "./conformance-medium.js";
import { textOf } from "../harness/lock-text.js";
import { makePostgresMedium, usePostgres } from "./postgres-medium.js";

usePostgres();

/** What one of two processes does next, and how its next request is cut off. */
interface Step {
  readonly actor: 0 | 1;
  readonly act: "acquire" | "append" | "replace" | "release" | "unlock";
  readonly cut: { readonly request: number; readonly stage: CutStage; readonly isLasting: boolean } | null;
}

const steps = fc.array(
  fc.record<Step>({
    actor: fc.constantFrom(0, 1),
    act: fc.constantFrom("acquire", "append", "append", "append", "replace", "release", "unlock"),
    cut: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.record({
          request: fc.integer({ min: 1, max: 4 }),
          stage: fc.constantFrom<CutStage>("before", "in", "after"),
          isLasting: fc.boolean(),
        }),
      },
    ),
  }),
  { minLength: 10, maxLength: 30 },
);

/** What two processes know, and what was promised to them. */
class World {
  /** Who took the store last and was not unlocked since; whoever else writes breaks the promise. */
  holder: number | null = null;
  /** Lines whose flush resolved, since the lock was last replaced. */
  promised: string[] = [];
  lines = 0;

  constructor(
    private readonly stores: readonly LockStore[],
    private readonly look: LockStore,
  ) {}

  async do({ actor, act }: Step): Promise<void> {
    const store = this.stores[actor];
    if (!store) return;
    const line = `${actor} ${++this.lines}\n`;
    const done = await succeeds(async () => {
      if (act === "acquire") await store.acquire();
      if (act === "release") await store.release();
      if (act === "unlock") await store.unlock((await store.read()).holder?.nonce ?? "");
      if (act === "replace") await store.replace(line, (await store.read()).version);
      if (act !== "append") return;
      store.append(line);
      await store.flush();
    });
    if (act === "acquire" && done) this.holder = actor;
    if ((act === "append" || act === "replace") && done) expect(this.holder).toBe(actor);
    if (act === "append" && done) this.promised.push(line);
    if (act === "replace") await this.#afterReplace(line, done);
    // What failed may have been done.
    const present = (await this.look.read()).holder;
    if (act === "unlock" || act === "release") this.holder = present === null ? null : this.holder;
  }

  /** All that was promised is in the journal, in its order. */
  async check(): Promise<void> {
    const { journal } = await this.look.read();
    const kept = textOf(journal)
      .split("\n")
      .map((line) => `${line}\n`);
    expect(kept.filter((line) => this.promised.includes(line))).toEqual(this.promised);
    expect(new Set(kept).size).toBe(kept.length);
  }

  async #afterReplace(line: string, done: boolean): Promise<void> {
    const { lock } = await this.look.read();
    if (done) expect(lock).toBe(line);
    if (lock === line) this.promised = [];
  }
}

async function succeeds(run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (thrown) {
    expect(["StoreHeldError", "StoreChangedError", "StoreFailedError"]).toContain((thrown as Error).name);
    return false;
  }
}

test("whatever two processes do, and wherever the network is cut: only the holder writes, and what was flushed is there", async () => {
  const medium = await makePostgresMedium();
  const { network } = medium.proxy;
  let workspace = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const name = `w${++workspace}`;
      const direct = environmentSecrets({ ...medium.env, PGPORT: String(medium.server.port) });
      const stores = [0, 1].map(() => medium.open({}, medium.lock, name));
      const world = new World(stores, medium.open({ secrets: direct }, medium.lock, name));
      for (const step of all) {
        network.mend();
        if (step.cut) network.cut(step.cut.request, step.cut.stage, step.cut.isLasting);
        await world.do(step);
        await world.check();
      }
      network.mend();
      for (const store of stores) await succeeds(() => store.release());
    }),
    { numRuns: examples(30) },
  );
});
