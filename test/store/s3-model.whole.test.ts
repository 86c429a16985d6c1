import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { LockStore } from "../../src/core/state/lock-store.js";
import { examples, fc } from "../harness/property.js";
import { makeS3Medium, stateKey } from "./s3-medium.js";
import type { StateFault } from "./faulty-server.js";

/** What one of three machines does next, and what happens to one of its requests. */
interface Step {
  readonly actor: number;
  readonly act: "acquire" | "append" | "replace" | "release" | "unlock";
  readonly fault: {
    readonly request: number;
    readonly kind: "before" | "in" | "after" | "late" | "503";
  } | null;
}

const steps = fc.array(
  fc.record<Step>({
    actor: fc.integer({ min: 0, max: 2 }),
    act: fc.constantFrom("acquire", "acquire", "append", "append", "replace", "replace", "release", "unlock"),
    fault: fc.option(
      fc.record({
        request: fc.integer({ min: 1, max: 5 }),
        kind: fc.constantFrom("before", "in", "after", "late", "503"),
      }),
      { freq: 2, nil: null },
    ),
  }),
  { minLength: 5, maxLength: 25 },
);

interface Version {
  readonly serial: number;
  readonly holder: string | null;
  readonly lock: string | null;
  readonly journal: string | null;
}

/** What must hold between every version of the object and the next, whatever was sent, lost and late. */
function checkVersions(texts: readonly string[]): void {
  const versions = texts.map((text) => JSON.parse(text) as Version);
  for (const [index, next] of versions.entries()) {
    const before = versions[index - 1] ?? { serial: 0, holder: null, lock: null, journal: null };
    expect(next.serial).toBeGreaterThan(before.serial);
    const [from, to] = [before, next].map(
      ({ holder }) => holder && (JSON.parse(holder) as { nonce: string }).nonce,
    );
    // One holder never follows another without a release or an unlock between them.
    if (from !== null && to !== null) expect(to).toBe(from);
    // Only who holds it changes the lock. One that is given up, and arrives all the same, is taken back with the release.
    if (next.lock !== before.lock) {
      expect(from).not.toBeNull();
      const isTakenBack =
        versions.slice(0, index).some(({ lock }) => lock === next.lock) || next.lock === null;
      if (to === null) expect(isTakenBack).toBe(true);
      else expect(next.journal).toBeNull();
    }
    const isOfHolder = from !== null || next.journal === before.journal;
    expect(isOfHolder).toBe(true);
  }
}

async function succeeds(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (thrown) {
    expect(["StoreHeldError", "StoreChangedError", "StoreFailedError"]).toContain((thrown as Error).name);
    return false;
  }
}

async function act(store: LockStore, { act: what, actor }: Step, line: string): Promise<void> {
  if (what === "acquire") await store.acquire();
  if (what === "release") await store.release();
  if (what === "unlock") await store.unlock((await store.read()).holder?.nonce ?? "");
  if (what === "replace") await store.replace(line, (await store.read()).version);
  if (what !== "append") return;
  store.append(`${actor} ${line}`);
  await store.flush();
}

test("three machines on a bucket whose network is cut and late never write over each other", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (all, isBare) => {
      const medium = await makeS3Medium({ versions: "kept", isBare });
      const { server } = medium;
      const stores = ["a", "b", "c"].map((name) => medium.open(medium.machine(name)));
      const late: (() => void)[] = [];
      for (const [number, step] of all.entries()) {
        const store = stores[step.actor];
        if (!store) continue;
        const from = server.received.length;
        server.fault = (request): StateFault | undefined => {
          const kind = step.fault?.kind;
          if (kind === undefined || request.number - from !== step.fault?.request) return undefined;
          if (kind === "late") return { late: new Promise<void>((resolve) => late.push(resolve)) };
          return kind === "503" ? { status: 503 } : { cut: kind };
        };
        const line = `lock ${number}\n`;
        const isDone = await succeeds(async () => await act(store, step, line));
        server.fault = () => undefined;
        if (isDone && step.act === "replace") expect(server.state(stateKey)?.["lock"]).toBe(line);
        // What was on its way arrives in the middle of what others do.
        if (number % 4 === 3) for (const arrive of late.splice(0)) arrive();
      }
      for (const arrive of late) arrive();
      await sleep(5);
      checkVersions(server.written(stateKey));
      for (const store of stores) await succeeds(async () => await store.release());
      checkVersions(server.written(stateKey));
    }),
    { numRuns: examples(60) },
  );
});
