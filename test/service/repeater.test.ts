import { describe, expect, it } from "vitest";
import type { Failure, Outcome, Slowdown } from "../../src/core/observation/service.js";
import type { Verdict } from "../../src/service/outcome.js";
import { Repeater } from "../../src/service/repeater.js";
import { defaultRetry } from "../../src/service/retry.js";
import { VirtualTime } from "./virtual-time.js";

const LATENCY = 50;
const success: Outcome = { type: "success", status: 200, answer: {} };

function refusal(status: number): Verdict {
  return { outcome: { type: "rejected", status, message: `HTTP ${status}` }, repeat: "paced" };
}

/** A service that lets some requests through in each second, in the way of a bucket of tokens. */
function limitedService(time: VirtualTime, perSecond: number, status = 429) {
  let tokens = perSecond;
  let filledAt = 0;
  const counts = { done: 0, refused: 0 };
  const attempt = async (): Promise<Verdict> => {
    await time.sleep(LATENCY);
    tokens = Math.min(Math.max(1, perSecond), tokens + ((time.now - filledAt) / 1000) * perSecond);
    filledAt = time.now;
    if (tokens < 1) {
      counts.refused++;
      return refusal(status);
    }
    tokens--;
    counts.done++;
    return { outcome: success, repeat: "no" };
  };
  return { attempt, counts };
}

function repeating(time: VirtualTime, options: { patience?: number; concurrency?: number } = {}) {
  const stop = new AbortController();
  const slowdowns: Slowdown[] = [];
  let seed = 1;
  const repeater = new Repeater(
    {
      concurrency: options.concurrency ?? 8,
      retry: defaultRetry,
      patience: options.patience ?? 300_000,
      now: () => time.now,
      sleep: time.sleep,
      random: () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647,
      onPace: (slowdown) => slowdowns.push(slowdown),
    },
    stop.signal,
  );
  return { repeater, slowdowns, stop };
}

/** Sends as an apply does: at most 8 at once, each as soon as another ends. */
async function sendAll(repeater: Repeater, attempt: () => Promise<Verdict>, count: number) {
  const outcomes: Outcome[] = [];
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left--;
      outcomes.push(await repeater.send(attempt));
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return outcomes;
}

describe("a service with a limit", () => {
  it.each([
    [10, 429],
    [1, 429],
    [0.2, 429],
    [50, 429],
    [10, 503],
    [1, 503],
  ])("of %d a second, said by a %i, is sent 120 requests in one run", async (perSecond, status) => {
    const time = new VirtualTime();
    const { attempt, counts } = limitedService(time, perSecond, status);
    const { repeater, slowdowns } = repeating(time);
    const outcomes = await time.until(sendAll(repeater, attempt, 120));
    expect(outcomes.filter(({ type }) => type !== "success")).toEqual([]);
    expect(counts.done).toBe(120);
    // Not much slower than the limit allows, and with few requests in vain.
    expect(time.now).toBeLessThan((120 / perSecond) * 1000 * 2.5);
    expect(counts.refused).toBeLessThan(60);
    expect(slowdowns.at(-1)?.why).toBe(`HTTP ${status}`);
  });

  it("that goes away is found out", async () => {
    const time = new VirtualTime();
    const limited = limitedService(time, 5);
    const { repeater } = repeating(time);
    await time.until(sendAll(repeater, limited.attempt, 60));
    const since = time.now;
    const free = limitedService(time, 1_000_000);
    await time.until(sendAll(repeater, free.attempt, 1000));
    expect(time.now - since).toBeLessThan(60_000);
  });
});

describe("a service that refuses by chance", () => {
  it.each([0.1, 0.3, 0.4])("%d of what it is asked is never left alone for long", async (share) => {
    const time = new VirtualTime();
    const { repeater } = repeating(time);
    let seed = 3;
    const began: number[] = [];
    const attempt = async (): Promise<Verdict> => {
      began.push(time.now);
      await time.sleep(LATENCY);
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647 < share ? refusal(429) : { outcome: success, repeat: "no" };
    };
    const outcomes = await time.until(sendAll(repeater, attempt, 300));
    expect(outcomes.every(({ type }) => type === "success")).toBe(true);
    // One in a second, all in all; a run that believes every refusal comes to one in half a minute.
    expect(time.now).toBeLessThan(300_000);
  });

  it("is slowed down for as soon as nothing succeeds any more", async () => {
    const time = new VirtualTime();
    const { repeater } = repeating(time);
    await time.until(sendAll(repeater, limitedService(time, 20).attempt, 200));
    let refused = 0;
    const attempt = async (): Promise<Verdict> => {
      refused++;
      await time.sleep(LATENCY);
      return refusal(429);
    };
    await time.until(sendAll(repeater, attempt, 8));
    expect(refused).toBeLessThan(80);
  });
});

describe("a service that refuses for ever", () => {
  it.each([429, 503])("by %i ends the run after patience, all of it rejected", async (status) => {
    const time = new VirtualTime();
    const { repeater } = repeating(time);
    const began: number[] = [];
    const attempt = async (): Promise<Verdict> => {
      began.push(time.now);
      await time.sleep(LATENCY);
      return refusal(status);
    };
    const outcomes = await time.until(Promise.all(Array.from({ length: 8 }, () => repeater.send(attempt))));
    expect(new Set(outcomes.map(({ type }) => type))).toEqual(new Set(["rejected"]));
    expect(outcomes[0]).toMatchObject({
      common: { after: 1, why: `nothing succeeded for 300 s (HTTP ${status})` },
    });
    expect(time.now).toBeGreaterThanOrEqual(300_000);
    expect(time.now).toBeLessThan(360_000);
    expect(began.length).toBeLessThan(60);
  });

  it("says of what was never sent that it was not", async () => {
    const time = new VirtualTime();
    const { repeater } = repeating(time, { patience: 1000 });
    const attempt = async (): Promise<Verdict> => {
      await time.sleep(LATENCY);
      return refusal(429);
    };
    await time.until(repeater.send(attempt));
    let sent = 0;
    const later = await repeater.send(async () => {
      sent++;
      return refusal(429);
    });
    expect(later).toMatchObject({ type: "not-sent", common: { after: 1 } });
    expect(sent).toBe(0);
  });

  it("for one request does not end the others", async () => {
    const time = new VirtualTime();
    const { attempt, counts } = limitedService(time, 1_000_000);
    const { repeater } = repeating(time);
    const bad = repeater.send(async () => {
      await time.sleep(LATENCY);
      return refusal(503);
    });
    const others = await time.until(sendAll(repeater, attempt, 500));
    expect(others.every(({ type }) => type === "success")).toBe(true);
    expect(counts.done).toBe(500);
    expect(await time.until(bad)).toMatchObject({ type: "rejected", status: 503 });
  });
});

describe("a service that says how long to wait", () => {
  it("gets nothing until then", async () => {
    const time = new VirtualTime();
    const { repeater } = repeating(time);
    const began: number[] = [];
    const attempt = async (): Promise<Verdict> => {
      began.push(time.now);
      await time.sleep(LATENCY);
      if (time.now < 40_000) return { ...refusal(429), retryAfter: "40" };
      return { outcome: success, repeat: "no" };
    };
    const outcomes = await time.until(sendAll(repeater, attempt, 40));
    expect(outcomes.every(({ type }) => type === "success")).toBe(true);
    expect(began.filter((at) => at > 0 && at < 40_000)).toEqual([]);
  });
});

describe("a request that was looked at before", () => {
  const retryAfter = (seconds: number): Verdict => ({ ...refusal(429), retryAfter: String(seconds) });
  const done: Verdict = { outcome: success, repeat: "no" };

  /** Sends a request that has these verdicts one after the other, and takes note of each try and each look. */
  async function sent(verdicts: readonly Verdict[], found?: Failure) {
    const time = new VirtualTime();
    const { repeater } = repeating(time, { concurrency: 1 });
    const steps: string[] = [];
    const left = [...verdicts];
    const attempt = async (): Promise<Verdict> => {
      await time.sleep(LATENCY);
      steps.push("try");
      return left.shift() ?? done;
    };
    const again = async (): Promise<Failure | undefined> => {
      // It needs the only turn that there is.
      await repeater.send(async () => {
        steps.push("look");
        return done;
      });
      return found;
    };
    const outcome = await time.until(repeater.send(attempt, { again }));
    return { steps, outcome };
  }

  it("is looked at again where it waited for long, and not after a moment", async () => {
    expect((await sent([retryAfter(60), done])).steps).toEqual(["try", "look", "try"]);
    expect((await sent([retryAfter(2), done])).steps).toEqual(["try", "try"]);
  });

  it("is sent in the end where a look is all that a slow service lets through", async () => {
    const time = new VirtualTime();
    const { repeater } = repeating(time, { concurrency: 1 });
    let freeAt = 0;
    let tried = 0;
    const attempt = async (): Promise<Verdict> => {
      await time.sleep(LATENCY);
      if (++tried > 100) throw new Error("it goes on and on");
      if (time.now < freeAt) return retryAfter(7);
      freeAt = time.now + 6700;
      return done;
    };
    const again = async (): Promise<undefined> => void (await repeater.send(attempt));
    const all = Array.from({ length: 4 }, async () => {
      await again();
      return await repeater.send(attempt, { again });
    });
    const outcomes = await time.until(Promise.all(all));
    expect(outcomes.map(({ type }) => type)).toEqual(Array.from({ length: 4 }, () => "success"));
  });

  it("is not sent any more if the look finds a reason", async () => {
    const found = { message: "somebody was here", hint: "look" };
    const { steps, outcome } = await sent([retryAfter(60)], found);
    expect(steps).toEqual(["try", "look"]);
    expect(outcome).toEqual({ type: "not-sent", ...found });
  });

  it("stays uncertain if it was before", async () => {
    const lost: Verdict = { outcome: { type: "unknown", message: "HTTP 502" }, repeat: "soon" };
    const { steps, outcome } = await sent([lost, retryAfter(60)], { message: "somebody was here" });
    expect(steps).toEqual(["try", "try", "look"]);
    expect(outcome).toMatchObject({
      type: "unknown",
      message: "HTTP 502, and it may have succeeded; before another try: somebody was here",
    });
  });

  it("comes before what waits already, so that it is sent soon after the look", async () => {
    const time = new VirtualTime();
    const { repeater } = repeating(time, { concurrency: 1 });
    const order: string[] = [];
    const attempt = (name: string) => async (): Promise<Verdict> => {
      await time.sleep(LATENCY);
      order.push(name);
      return done;
    };
    const all = [
      repeater.send(attempt("first")),
      repeater.send(attempt("read")),
      repeater.send(attempt("looked at"), { again: async () => undefined }),
    ];
    await time.until(Promise.all(all));
    expect(order).toEqual(["first", "looked at", "read"]);
  });
});
