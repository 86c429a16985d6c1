import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isInHalf, runs, sample, wholeTest } from "../harness/tier.js";
import { nonceIn, Site } from "./apply-site.js";
import type { ConformanceMedium, CutStage } from "./conformance-medium.js";
import { accountedLock, Lines, lockOf } from "./git-records.js";
import { describeMending, describeOnlyHolder } from "./only-holder.js";
import { describeOwnUpdates } from "./own-updates.js";
import { CrewProcess } from "./process-crew.js";

/** How much of it a store needs, where others go the same ways. */
export interface Extent {
  readonly rounds?: number;
  /** The cuts of its network: all, none in the middle of an answer, or none. */
  readonly cuts?: "all" | "whole" | "none";
}

/** What must hold of every store, whatever applies on it, and whatever happens to it. */
export function describeApplies(
  name: string,
  make: () => Promise<ConformanceMedium>,
  { rounds = 60, cuts = "all" }: Extent = {},
): void {
  describe(`applies on ${name}`, () => {
    describeRounds(name, make, rounds);
    describeStopped(make);
    describeOnlyHolder(name, make);
    describeMending(make);
    describeDead(make);
    describeOwnUpdates(make);
    if (cuts !== "none") describeCuts(name, make, cuts === "all");
  });
}

function describeRounds(name: string, make: () => Promise<ConformanceMedium>, all: number): void {
  const rounds = runs(`rounds of two applies on ${name}`, 1, all);

  test("of two processes that apply at once each create is sent once, round after round", async () => {
    const site = await Site.open(make);
    const machines = ["left", "right"].map((machine) => site.machine(machine));
    const env = { ...site.medium.env, AGENT_API_KEY: "key" };
    const crew = await Promise.all(machines.map(() => CrewProcess.start("applier", null, env)));
    for (let round = 1; round <= rounds; round++) {
      site.write(round);
      const applyAll = async () =>
        (await Promise.all(crew.map((one, index) => one.ask(machines[index])))) as {
          status: string;
          messages: string[];
        }[];
      for (let attempt = 1; ; attempt++) {
        const ended = await applyAll();
        const statuses = ended.map(({ status }) => status);
        const wrong = statuses.filter((status) => !["applied", "unchanged", "moved"].includes(status));
        expect(wrong, `round ${round}: ${JSON.stringify(ended)}`).toEqual([]);
        if (statuses.every((status) => status === "unchanged")) break;
        expect(attempt, JSON.stringify(ended)).toBeLessThan(10);
      }
      const counts = site.counts();
      expect(Object.keys(counts)).toHaveLength(2 * round);
      expect(Object.values(counts).every((count) => count === 1)).toBe(true);
      expect(await site.unknownIds(machines[0] ?? "")).toEqual([]);
    }
  });
}

function describeStopped(make: () => Promise<ConformanceMedium>): void {
  const waits = { pushInterval: 50, patience: 2000 };
  // Longer than a store takes a write for a sign that it still holds its medium.
  const stop = 1000;

  const moments = ["after it took the store", "after its claim", "after its first request"] as const;
  test.each(sample("moments of a stop", moments, 1))(
    "a process that was stopped %s, and goes on after another was unlocked for, sends nothing new",
    async (moment) => {
      const medium = await make();
      const [here, there] = [medium.machine("here"), medium.machine("there")];
      const runner = await CrewProcess.start("runner", medium.runner(here, waits), medium.env);
      const lines = new Lines();
      expect(await runner.ask({ do: "acquire" })).toBe("done");
      const start = lines.header() + lines.claim("agent:a", "agent:b");
      const append = async (text: string) => await runner.ask({ do: "append", lines: text });
      if (moment !== "after it took the store") expect(await append(start)).toBe("done");
      const begun = lines.begin(1, "agent:a");
      if (moment === "after its first request") expect(await append(begun)).toBe("done");
      runner.stop();

      const other = medium.open(there);
      const refusal = await other.acquire().catch((thrown: unknown) => thrown);
      expect(await other.unlock(nonceIn(refusal) ?? "")).toBe(true);
      await other.acquire();
      const { version } = await other.read();
      await other.replace("theirs\n", version);
      await other.release();
      await sleep(stop);
      runner.goOn();

      const next = moment === "after it took the store" ? start : lines.begin(2, "agent:b");
      expect(await append(next)).toBe("StoreChangedError");
      expect(await runner.ask({ do: "replace", lock: "mine\n" })).toBe("StoreChangedError");
      expect(await runner.ask({ do: "release" })).toBe("done");
      expect(await medium.open(there).read()).toMatchObject({ lock: "theirs\n", holder: null });
    },
  );
}

function describeDead(make: () => Promise<ConformanceMedium>): void {
  test("the claim of a process that died: another needs its nonce, and what it may have created is not created again", async () => {
    const medium = await make();
    const [here, there] = [medium.machine("here"), medium.machine("there")];
    const runner = await CrewProcess.start(
      "runner",
      medium.runner(here, { pushInterval: 60_000 }),
      medium.env,
    );
    const lines = new Lines();
    expect(await runner.ask({ do: "acquire" })).toBe("done");
    const start = lines.header() + lines.claim("agent:a", "agent:b");
    expect(await runner.ask({ do: "append", lines: start })).toBe("done");
    const begun = lines.begin(1, "agent:a");
    expect(await runner.ask({ do: "append", lines: begun })).toBe("done");
    await runner.kill();
    const other = medium.open(there);
    // Without a claim, everything is on the medium, and a process that is certainly dead needs no unlock.
    if (other.needsClaim) {
      rmSync(here, { recursive: true, force: true });
      const refusal = await other.acquire().catch((thrown: unknown) => thrown);
      expect(await other.unlock(nonceIn(refusal) ?? "")).toBe(true);
    }
    const next = medium.open(there);
    await next.acquire();
    const { unknown } = lockOf({ ...(await next.read()), holder: null });
    expect(Object.keys(unknown)).toContain("agent:a");
    await next.release();
  });

  wholeTest("a journal that another machine has accounted for does not come back", async () => {
    const medium = await make();
    const [here, there] = [medium.machine("here"), medium.machine("there")];
    const runner = await CrewProcess.start(
      "runner",
      medium.runner(here, { pushInterval: 60_000 }),
      medium.env,
    );
    const lines = new Lines();
    expect(await runner.ask({ do: "acquire" })).toBe("done");
    const start = lines.header() + lines.claim("agent:a");
    expect(await runner.ask({ do: "append", lines: start })).toBe("done");
    expect(await runner.ask({ do: "append", lines: lines.begin(1, "agent:a") })).toBe("done");
    await runner.kill();
    const other = medium.open(there);
    const refusal = await other.acquire().catch((thrown: unknown) => thrown);
    const nonce = nonceIn(refusal);
    // On its own machine a process that is certainly dead needs no unlock.
    if (nonce !== undefined) {
      expect(await other.unlock(nonce)).toBe(true);
      await other.acquire();
    }
    const { version } = await other.read();
    await other.replace(accountedLock, version);
    await other.release();
    const again = medium.open(here);
    await again.acquire();
    expect(await again.read()).toMatchObject({ lock: accountedLock, journal: null });
    again.append(new Lines().header());
    await again.flush();
    await again.release();
  });

  test("a lock that another has changed between read and replace is not replaced", async () => {
    const medium = await make();
    const [here, there] = [medium.machine("here"), medium.machine("there")];
    const [store, other] = [medium.open(here), medium.open(there)];
    await store.acquire();
    const { version, holder } = await store.read();
    expect(await other.unlock(holder?.nonce ?? "")).toBe(true);
    await other.acquire();
    await other.replace("theirs\n", (await other.read()).version);
    await expect(store.replace("mine\n", version)).rejects.toMatchObject({ name: "StoreChangedError" });
    await store.release();
    expect((await other.read()).lock).toBe("theirs\n");
    await other.replace("theirs again\n", (await other.read()).version);
    await other.release();
    expect(await medium.open(there).read()).toMatchObject({ lock: "theirs again\n", holder: null });
  });
}

function describeCuts(name: string, make: () => Promise<ConformanceMedium>, hasHalves: boolean): void {
  const last = runs(`requests after which ${name} is gone`, 6, 30);

  test("what began and was not sent, as the medium was gone, is in no doubt on this machine", async () => {
    for (let request = 4; request <= last; request++) {
      const site = await Site.open(make);
      const { network } = site.medium;
      const here = site.machine("here");
      if (!network || !site.medium.open(here).needsClaim) return;
      site.write(4);
      network.mend();
      network.cut(request, "before", true);
      // Nearly each begin waits for the medium then.
      const { status } = await site.apply(here, { patience: 0, pushInterval: 1 });
      network.mend();
      await site.unlock(here);
      expect(await site.neverMade(here), `request ${request}`).toEqual([]);
      if (status === "applied") break;
    }
  });

  const stages: readonly CutStage[] = ["before", "after"];
  const ways = [
    ...stages.flatMap((stage) =>
      [true, false].flatMap((isLasting) =>
        [true, false].map((isSameMachine) => ({ stage, isLasting, isSameMachine })),
      ),
    ),
    // What was done and is answered by half is all the same as without an answer, once the client has seen that.
    ...(hasHalves ? [{ stage: "in", isLasting: false, isSameMachine: false } as const] : []),
  ];
  // Of each way one request of all, and another one with each.
  const step = runs(`requests that are cut on ${name}, for each way`, 1, 100);

  test.each(sample(`ways of a cut on ${name}`, ways, 0))(
    "the network cut $stage a request, lasting: $isLasting, and gone on with on the same machine: $isSameMachine",
    async ({ stage, isLasting, isSameMachine }) => {
      const first = ways.findIndex((way) => way.stage === stage && way.isLasting === isLasting) + 1;
      const half = isSameMachine ? "first" : "second";
      for (let [request, done] = [step === 1 ? first : 1, 0]; done < step; request++, done++) {
        if (step > 1 && stage !== "in" && !isInHalf(half, request)) continue;
        const site = await Site.open(make);
        const { network } = site.medium;
        const [here, there] = [site.machine("here"), site.machine("there")];
        if (!network) return;
        site.write(2);
        network.mend();
        network.cut(request, stage, isLasting);
        const cut = await site.apply(here, { patience: isLasting ? 0 : 20_000, pushInterval: 60_000 });
        const isReached = network.requests >= request;
        network.mend();
        const at = `request ${request}: ${JSON.stringify(cut.diagnostics.map(({ message }) => message))}`;
        if (!isLasting) expect(["applied", "moved", "refused"], at).toContain(cut.status);
        const next = isSameMachine ? here : there;
        await site.unlock(next);
        // What a medium that is gone for good was told, and this machine has not, cannot be corrected.
        const isTold = isSameMachine && (!isLasting || site.medium.open(here).needsClaim);
        if (isTold) expect(await site.neverMade(next), at).toEqual([]);
        for (let round = 1; ; round++) {
          await site.resolve(next);
          const { status, diagnostics } = await site.apply(next, { patience: 20_000, pushInterval: 60_000 });
          if (status === "unchanged") break;
          expect(round, `${at}, then ${JSON.stringify(diagnostics)}`).toBeLessThan(5);
        }
        expect(site.counts(), at).toEqual({ "policy:p1": 1, "agent:a1": 1, "policy:p2": 1, "agent:a2": 1 });
        expect(await site.unknownIds(next), at).toEqual([]);
        if (!isReached) break;
      }
    },
  );
}
