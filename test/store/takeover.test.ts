import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runs, sample, stride, wholeTest } from "../harness/tier.js";
import { Company, useActors, type Actor } from "./company.js";
import { textOf } from "../harness/lock-text.js";
import { makeMedium, openStore, type Medium } from "./medium.js";

useActors();

/** Lets a process take the store and die; gives what it left in the holder file. */
async function leaveDeadHolder(medium: Medium, company: Company): Promise<string> {
  const actor = await company.start();
  expect(await actor.ask({ do: "acquire" })).toBe("in");
  await actor.kill();
  return readFileSync(medium.holderFile, "utf8");
}

/** Puts a dead holder in, and dead guards: of the holder, of that guard, and so on. */
function placeDead(medium: Medium, dead: string, guards = 0): void {
  let place = medium.holderFile;
  for (let depth = 0; depth <= guards; depth++) {
    const nonce = randomBytes(8).toString("hex");
    writeFileSync(place, JSON.stringify({ ...(JSON.parse(dead) as object), nonce }));
    place = `${medium.holderFile}.${nonce}`;
  }
}

test.each(
  sample(
    "takeovers",
    [
      [runs("takeovers of two", 2, 60), "store whose holder died and two who were taking it over", 2],
      [200, "dead holder's store", 0],
    ] as const,
    1,
  ),
)("%i times, of eight contenders for a %s exactly one gets it", async (rounds, _name, guards) => {
  const medium = makeMedium();
  const company = new Company(medium);
  const dead = await leaveDeadHolder(medium, company);
  const actors = await Promise.all(Array.from({ length: 8 }, () => company.start()));
  await Promise.all(actors.map((actor) => actor.ask({ do: "dawdle" })));
  for (let round = 1; round <= rounds; round++) {
    placeDead(medium, dead, guards);
    const outcomes = await Promise.all(actors.map((actor) => actor.ask({ do: "acquire" })));
    expect(outcomes.toSorted(), `round ${round}`).toEqual([...Array(7).fill("held"), "in"]);
    expect(await actors[outcomes.indexOf("in")]?.ask({ do: "release" })).toBe("out");
  }
  expect(readdirSync(dirname(medium.holderFile))).toEqual([".gitignore"]);
});

test("never two are in while contenders come, go and are killed at any moment", async () => {
  const medium = makeMedium();
  const company = new Company(medium);
  const [mostKills, mostTimesIn] = [runs("kills of contenders", 2, 60), runs("contenders in", 3, 200)];
  let [kills, timesIn] = [0, 0];
  const contend = async (): Promise<void> => {
    while (kills < mostKills || timesIn < mostTimesIn) {
      const actor: Actor = await company.start();
      const outcome = actor.ask({ do: "contend", milliseconds: 600_000 });
      const early = await Promise.race([outcome, sleep(50 + Math.random() * 400, "not yet")]);
      expect(early).not.toBe("two are in");
      await actor.kill();
      expect(["dead", "over"]).toContain(await outcome);
      kills++;
      timesIn += actor.timesIn;
    }
  };
  await Promise.all(Array.from({ length: 6 }, contend));
  await openStore(medium).acquire();
});

test("killed at any step of a takeover, the store is there for one other, and is clean after it", async () => {
  const medium = makeMedium();
  const company = new Company(medium);
  const dead = await leaveDeadHolder(medium, company);
  const others = await Promise.all([company.start(), company.start(), company.start()]);
  const apart = stride("steps of a takeover", 5);
  let step = 1 - apart;
  for (let outcome = "dead"; outcome === "dead";) {
    placeDead(medium, dead);
    const victim = await company.start();
    step += apart;
    await victim.ask({ do: "die at step", step });
    outcome = await victim.ask({ do: "acquire" });
    if (outcome !== "dead") expect(outcome).toBe("in");
    await victim.kill();
    const outcomes = await Promise.all(others.map((actor) => actor.ask({ do: "acquire" })));
    expect(outcomes.toSorted(), `step ${step}`).toEqual(["held", "held", "in"]);
    expect(await others[outcomes.indexOf("in")]?.ask({ do: "release" })).toBe("out");
    expect(readdirSync(dirname(medium.holderFile))).not.toContain("default.holder");
  }
  expect(step).toBeGreaterThan(10);
});

wholeTest("killed at any step of a release, the store is there for another", async () => {
  const medium = makeMedium();
  const company = new Company(medium);
  let step = 0;
  for (let outcome = "dead"; outcome === "dead";) {
    const victim = await company.start();
    expect(await victim.ask({ do: "acquire" }), `step ${step}`).toBe("in");
    await victim.ask({ do: "die at step", step: ++step });
    outcome = await victim.ask({ do: "release" });
    if (outcome !== "dead") expect(outcome).toBe("out");
    await victim.kill();
  }
  expect(step).toBeGreaterThan(5);
});

wholeTest(
  "killed at any step of an apply, nothing that was flushed is lost before the new lock is there",
  async () => {
    const seen = new Set<string>();
    for (let [step, outcome] = [1, "dead"]; outcome === "dead"; step++) {
      const medium = makeMedium();
      writeFileSync(medium.lockFile, "old\n");
      const victim = await new Company(medium).start();
      await victim.ask({ do: "acquire" });
      expect(await victim.ask({ do: "append", line: "flushed" })).toBe("flushed");
      await victim.ask({ do: "die at step", step });
      outcome = await victim.ask({ do: "save", lock: "new\n" });
      const { lock, journal } = await openStore(medium).read();
      const isJournalWhole = textOf(journal).startsWith("flushed\n");
      expect(lock === "old\n" ? isJournalWhole : lock === "new\n", `step ${step}`).toBe(true);
      seen.add(`${lock?.slice(0, 3)} lock, ${journal === null ? "no journal" : "journal"}`);
    }
    expect([...seen]).toEqual(["old lock, journal", "new lock, journal", "new lock, no journal"]);
  },
);
