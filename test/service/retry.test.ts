import { describe, expect, it } from "vitest";
import { backoff, defaultRetry, parseRetryAfter, waitFor } from "../../src/service/retry.js";

describe("backoff", () => {
  it("doubles its bound up to the longest", () => {
    const waits = [1, 2, 3, 4, 7, 8, 900].map((tried) => backoff(tried, defaultRetry, () => 1));
    expect(waits).toEqual([500, 1000, 2000, 4000, 30_000, 30_000, 30_000]);
  });

  it("takes any part of the bound", () => {
    expect(backoff(2, defaultRetry, () => 0)).toBe(0);
    expect(backoff(2, defaultRetry, () => 0.25)).toBe(250);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-01-05T10:00:00Z");

  it.each([
    ["3", 3000],
    [" 0 ", 0],
    ["7200", 120_000],
    ["Mon, 05 Jan 2026 10:00:10 GMT", 10_000],
    ["Monday, 05-Jan-26 10:00:10 GMT", 10_000],
    ["Mon, 05 Jan 2026 09:00:00 GMT", 0],
    ["Mon, 05 Jan 2027 10:00:00 GMT", 120_000],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("reads %s as %s", (header, wait) => {
    expect(parseRetryAfter(header, now)).toBe(wait);
  });
});

describe("waitFor", () => {
  it("ends when it is told to", async () => {
    const stop = new AbortController();
    const waiting = waitFor(60_000, stop.signal);
    stop.abort();
    await expect(waiting).resolves.toBeUndefined();
    await expect(waitFor(60_000, stop.signal)).resolves.toBeUndefined();
  });

  it("waits", async () => {
    const start = performance.now();
    await waitFor(20, new AbortController().signal);
    expect(performance.now() - start).toBeGreaterThan(15);
  });
});
