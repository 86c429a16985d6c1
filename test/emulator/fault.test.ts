import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { type EmulatedFault, FaultError, parseFaults } from "../../src/emulator/fault.js";
import { json, post, put, type RawAnswer, send } from "./raw-request.js";
import { running } from "./running.js";

const AGENT = { name: "support" };

async function meet(
  fault: EmulatedFault,
): Promise<{ answer: RawAnswer; created: number; status: number | undefined }> {
  const { port, objects, requests } = await running({ faults: [fault] });
  const answer = await post(port, "/v3/agents/", AGENT);
  return { answer, created: objects().agents.length, status: requests[0]?.status };
}

describe("what a fault does", () => {
  it("status: answers it, and nothing is done", async () => {
    const { answer, created, status } = await meet({ status: 503 });
    expect([answer.status, created, status]).toEqual([503, 0, 503]);
    expect(json(answer)).toEqual({ message: expect.any(String) });
  });

  it("status: with headers and a body of its own", async () => {
    const fault: EmulatedFault = { status: 429, headers: { "Retry-After": "2" }, body: { slow: ["down"] } };
    const { answer } = await meet(fault);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(json(answer)).toEqual({ slow: ["down"] });
    const plain = await meet({
      status: 502,
      headers: { "Content-Type": "text/html" },
      body: "<p>Bad gateway",
    });
    expect(plain.answer.headers.get("content-type")).toBe("text/html");
    expect(plain.answer.body).toBe("<p>Bad gateway");
  });

  it("delay: answers late", async () => {
    const before = performance.now();
    const { answer, created } = await meet({ delay: 150 });
    expect(performance.now() - before).toBeGreaterThan(140);
    expect([answer.status, created]).toEqual([200, 1]);
  });

  it("drop before: ends the connection, and nothing is done", async () => {
    const { answer, created, status } = await meet({ drop: "before" });
    expect([answer.status, answer.body, created, status]).toEqual([0, "", 0, 0]);
  });

  it("drop after: ends the connection when it is done", async () => {
    const { answer, created, status } = await meet({ drop: "after" });
    expect([answer.status, answer.body, created, status]).toEqual([0, "", 1, 0]);
  });

  it("half: is done, and half an answer is sent", async () => {
    const { answer, created, status } = await meet({ half: true });
    expect([answer.status, answer.whole, created, status]).toEqual([200, false, 1, 200]);
    expect(answer.body).toMatch(/^\{"agent_id"/);
    expect(answer.body.length).toBe(Math.ceil(Number(answer.headers.get("content-length")) / 2));
  });

  it("hang: is done and never answered, until the emulator closes", async () => {
    const { port, objects, requests, close } = await running({ faults: [{ hang: true }] });
    const hanging = post(port, "/v3/agents/", AGENT);
    await expect.poll(() => objects().agents).toHaveLength(1);
    const first = await Promise.race([
      hanging,
      new Promise((resolve) => setTimeout(resolve, 150, "silence")),
    ]);
    expect(first).toBe("silence");
    await close();
    expect((await hanging).status).toBe(0);
    expect(requests).toEqual([{ method: "POST", path: "/v3/agents/", status: 0 }]);
  });

  it("redirect: 302, and nothing is done", async () => {
    const { answer, created } = await meet({ redirect: "https://elsewhere.example.com/" });
    expect([answer.status, created]).toEqual([302, 0]);
    expect(answer.headers.get("location")).toBe("https://elsewhere.example.com/");
  });

  it("garbage: is done, and 200 with a body that is no JSON", async () => {
    const { answer, created } = await meet({ garbage: true });
    expect([answer.status, answer.whole, created]).toEqual([200, true, 1]);
    expect(() => json(answer)).toThrow(SyntaxError);
    expect((await meet({ garbage: "{oops" })).answer.body).toBe("{oops");
  });
});

describe("a giant answer", () => {
  it("is the answer of what was done, after blanks up to its size", async () => {
    const { answer, created, status } = await meet({ giant: 100_000 });
    expect([answer.status, answer.whole, created, status]).toEqual([200, true, 1, 200]);
    expect(answer.body).toHaveLength(100_000);
    expect(json(answer)).toMatchObject({ agent_id: expect.any(String) });
  });

  it("is never cut short", async () => {
    const { answer } = await meet({ giant: 1 });
    expect(answer.body).toMatch(/^\{"agent_id".*\}$/);
  });
});

describe("what a fault does to the operations of a full service", () => {
  const agents = "/v3/agents/{id}";
  it.each([
    ["status", { status: 503 }, 503, false],
    ["drop before", { drop: "before" }, 0, false],
    ["drop after", { drop: "after" }, 0, true],
    ["half", { half: true }, 0, true],
    ["garbage", { garbage: true }, 200, true],
    ["giant", { giant: 1000 }, 200, true],
    ["delay", { delay: 1 }, 204, true],
    ["redirect", { redirect: "/elsewhere" }, 302, false],
  ] as const)("a deletion with %s", async (_, effect, status, isDone) => {
    const faults: EmulatedFault[] = [{ method: "DELETE", path: agents, ...effect }];
    const { port, objects, edit } = await running({ operations: "full", faults });
    const [id = ""] = edit({ kind: "agent", create: { name: "a" } });
    const answer = await send(port, { method: "DELETE", path: `/v3/agents/${id}` });
    expect([answer.status, objects().agents.length]).toEqual([status, isDone ? 0 : 1]);
    if ("giant" in effect) expect(answer.body).toHaveLength(1000);
  });

  it("a read and a list, each by its path", async () => {
    const faults: EmulatedFault[] = [
      { method: "GET", path: agents, status: 500, count: 9 },
      { method: "GET", path: "/v3/agents/", half: true },
    ];
    const { port, edit } = await running({ operations: "full", faults });
    const [id = ""] = edit({ kind: "agent", create: { name: "a" } });
    expect((await send(port, { method: "GET", path: `/v3/agents/${id}` })).status).toBe(500);
    const list = await send(port, { method: "GET", path: "/v3/agents/?cursor=1" });
    expect([list.status, list.whole]).toEqual([200, false]);
    expect((await send(port, { method: "GET", path: "/v3/agents/" })).whole).toBe(true);
  });
});

describe("which requests a fault befalls", () => {
  async function statuses(faults: EmulatedFault[], paths: [string, string][]): Promise<number[]> {
    const { port } = await running({ faults });
    const seen: number[] = [];
    for (const [method, path] of paths) seen.push((await send(port, { method, path, body: AGENT })).status);
    return seen;
  }
  const times = (count: number): [string, string][] =>
    Array.from({ length: count }, () => ["POST", "/v3/agents/"]);

  it("one, the first that matches", async () => {
    expect(await statuses([{ status: 500 }], times(3))).toEqual([500, 200, 200]);
  });

  it("as many as count, after skip", async () => {
    expect(await statuses([{ status: 500, count: 2, skip: 1 }], times(5))).toEqual([200, 500, 500, 200, 200]);
  });

  it("one fault a request, in their order", async () => {
    const faults: EmulatedFault[] = [{ status: 500 }, { status: 429, count: 2 }, { status: 503, skip: 1 }];
    expect(await statuses(faults, times(6))).toEqual([500, 429, 429, 200, 503, 200]);
  });

  it("those of the method and the exact path", async () => {
    const faults: EmulatedFault[] = [{ method: "put", path: "/v3/agents/a", status: 500, count: 9 }];
    const requests: [string, string][] = [
      ["POST", "/v3/agents/"],
      ["PUT", "/v3/agents/ab"],
      ["PUT", "/v3/tools/a"],
      ["PUT", "/v3/agents/a"],
    ];
    expect(await statuses(faults, requests)).toEqual([200, 404, 404, 500]);
  });

  it("those whose path begins so", async () => {
    const faults: EmulatedFault[] = [{ path: "/v3/agents/*", status: 500, count: 9 }];
    const requests: [string, string][] = [
      ["PUT", "/v3/agents/ab"],
      ["PUT", "/v3/tools/a"],
      ["POST", "/v3/agents/"],
    ];
    expect(await statuses(faults, requests)).toEqual([500, 404, 500]);
  });

  it("those with any one segment in the place of {id}", async () => {
    const faults: EmulatedFault[] = [{ path: "/v3/agents/{id}", status: 500, count: 9 }];
    const requests: [string, string][] = [
      ["PUT", "/v3/agents/a.b"],
      ["POST", "/v3/agents/"],
      ["PUT", "/v3/agents/a/b"],
      ["PUT", "/v3/agents/{id}"],
      ["PUT", "/v3/tools/a"],
    ];
    expect(await statuses(faults, requests)).toEqual([500, 200, 404, 500, 404]);
  });

  it("those with the characters of a path as they are", async () => {
    const faults: EmulatedFault[] = [{ path: "/v3/agents/a.(b)", status: 500, count: 9 }];
    const requests: [string, string][] = [
      ["PUT", "/v3/agents/axb"],
      ["PUT", "/v3/agents/a.(b)"],
    ];
    expect(await statuses(faults, requests)).toEqual([404, 500]);
  });

  it("also those that would be refused", async () => {
    const { port } = await running({ faults: [{ garbage: "{oops" }] });
    expect((await put(port, "/v3/agents/none", AGENT)).body).toBe("{oops");
  });
});

describe("parseFaults", () => {
  it("takes every fault there is", () => {
    const faults = [
      {
        method: "POST",
        path: "/v3/agents/",
        count: 2,
        skip: 0,
        status: 429,
        headers: { "retry-after": "1" },
      },
      { status: 500, body: null },
      { path: "*", delay: 10 },
      { path: "/v3/*", drop: "before" },
      { drop: "after" },
      { half: true },
      { hang: true },
      { redirect: "/elsewhere" },
      { garbage: true },
      { garbage: "" },
      { giant: 1_000_000 },
    ];
    expect(parseFaults(JSON.stringify(faults))).toEqual(faults);
    expect(parseFaults("[]")).toEqual([]);
  });

  it.each([
    ["", "not JSON"],
    ["[", "not JSON"],
    ["{}", "JSON array"],
    ["[7]", "fault 1: not an object"],
    [
      '[{"hang": true}, {}]',
      "fault 2: must have one of status, delay, drop, half, hang, redirect, garbage, giant",
    ],
    ['[{"stauts": 500}]', '"stauts"'],
    ['[{"status": 500, "hang": true}]', "status and hang"],
    ['[{"status": 500, "times": 2}]', '"times" is unknown; use one of method, path, count, skip'],
    ['[{"hang": true, "body": {}}]', '"body" is unknown'],
    ['[{"hang": true, "headers": {}}]', '"headers" is unknown'],
    ['[{"hang": true, "__proto__": {}}]', '"__proto__" is unknown'],
    ['[{"hang": true, "toString": 1}]', '"toString" is unknown'],
    ['[{"status": "500"}]', "status must be a whole number from 200 to 599"],
    ['[{"status": 100}]', "status must be"],
    ['[{"status": 500, "headers": {"a b": "c"}}]', "headers must be"],
    ['[{"status": 500, "headers": {"a": "b\\r\\nc: d"}}]', "headers must be"],
    ['[{"status": 500, "headers": {"a": 1}}]', "headers must be"],
    ['[{"delay": -1}]', "delay must be"],
    ['[{"drop": "during"}]', 'drop must be "before" or "after"'],
    ['[{"half": false}]', "half must be true"],
    ['[{"hang": "yes"}]', "hang must be true"],
    ['[{"redirect": ""}]', "redirect must be"],
    ['[{"garbage": false}]', "garbage must be"],
    ['[{"giant": 0}]', "giant must be bytes, from 1 to 500000000"],
    ['[{"giant": 1e12}]', "giant must be"],
    ['[{"hang": true, "path": "v3/agents/"}]', "path must be"],
    ['[{"hang": true, "method": 7}]', "method must be"],
    ['[{"hang": true, "count": 0}]', "count must be a whole number from 1"],
    ['[{"hang": true, "skip": -1}]', "skip must be a whole number from 0"],
  ])("refuses %s", (text, message) => {
    expect(() => parseFaults(text)).toThrow(FaultError);
    expect(() => parseFaults(text)).toThrow(message);
  });
});
