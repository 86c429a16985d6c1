import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Pace, type RequestTurn } from "../../src/service/pace.js";

function pacing(concurrency: number, climbAfter = 2) {
  const stop = new AbortController();
  const clock = { now: 0 };
  const sleeps: { ms: number; end: () => void }[] = [];
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      sleeps.push({ ms, end: resolve });
    });
  const pace = new Pace({
    concurrency,
    climbAfter,
    slowest: 1,
    sleep,
    now: () => clock.now,
    signal: stop.signal,
  });
  return { pace, stop, clock, sleeps };
}

async function take(pace: Pace): Promise<RequestTurn> {
  const turn = await pace.acquire();
  if (!turn) throw new Error("stopped");
  return turn;
}

async function begun(promise: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([promise.then(() => true), setImmediate(false)])) === true;
}

describe("Pace", () => {
  it("lets no more run than its ceiling", async () => {
    const { pace } = pacing(2);
    const first = await take(pace);
    await take(pace);
    const third = pace.acquire();
    expect(await begun(third)).toBe(false);
    first.release();
    expect(await begun(third)).toBe(true);
  });

  it("halves, not below one, and counts a burst once", async () => {
    const { pace, clock } = pacing(5);
    const burst = await Promise.all([take(pace), take(pace), take(pace)]);
    for (const turn of burst) turn.throttled();
    expect(pace.limit).toBe(2);
    for (const turn of burst) turn.release();
    for (const limit of [1, 1]) {
      clock.now += 10_000;
      const turn = await take(pace);
      turn.throttled();
      turn.release();
      expect(pace.limit).toBe(limit);
    }
  });

  it("climbs back by one after some successes, to the ceiling", async () => {
    const { pace } = pacing(4);
    const turn = await take(pace);
    turn.throttled();
    const limits = [1, 2, 3, 4, 5, 6].map(() => {
      turn.succeeded();
      return pace.limit;
    });
    expect(limits).toEqual([2, 3, 3, 4, 4, 4]);
  });

  it("admits those who wait when it climbs", async () => {
    const { pace, clock } = pacing(2, 1);
    const turn = await take(pace);
    turn.throttled();
    clock.now += 10_000;
    const waiting = pace.acquire();
    expect(await begun(waiting)).toBe(false);
    turn.succeeded();
    expect(await begun(waiting)).toBe(true);
  });

  it("holds everything until the last of its holds ends", async () => {
    const { pace, sleeps } = pacing(3);
    pace.hold(1000);
    const waiting = pace.acquire();
    pace.hold(3000);
    pace.hold(2000);
    expect(sleeps.map(({ ms }) => ms)).toEqual([1000, 3000]);
    sleeps[0]?.end();
    expect(await begun(waiting)).toBe(false);
    sleeps[1]?.end();
    expect(await begun(waiting)).toBe(true);
  });

  it("lets requests begin at a rate that refusals halve and successes raise", async () => {
    const { pace, clock, sleeps } = pacing(4, 100);
    const turn = await take(pace);
    expect(pace.perSecond).toBeUndefined();
    turn.throttled();
    expect(pace.perSecond).toBe(2);
    turn.release();
    clock.now = 500;
    await take(pace);
    const next = pace.acquire();
    expect(await begun(next)).toBe(false);
    expect(sleeps.map(({ ms }) => ms)).toEqual([500]);
    sleeps[0]?.end();
    (await next)?.succeeded();
    expect(pace.perSecond).toBeCloseTo(2.25);
  });

  it("gives no turn once it is stopped, to those who wait neither", async () => {
    const { pace, stop, sleeps } = pacing(1);
    const turn = await take(pace);
    const waiting = pace.acquire();
    stop.abort();
    expect(await waiting).toBeUndefined();
    turn.release();
    expect(await pace.acquire()).toBeUndefined();
    expect(sleeps).toEqual([]);
  });

  it("gives no turn after a hold that was stopped", async () => {
    const { pace, stop, sleeps } = pacing(1);
    pace.hold(1000);
    const waiting = pace.acquire();
    stop.abort();
    sleeps[0]?.end();
    expect(await waiting).toBeUndefined();
  });
});
