import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { certificate, certificateKey, expiredCertificate } from "../service/certificate.js";
import { connectProxy } from "../service/connect-proxy.js";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type LockStore,
} from "../../src/core/state/lock-store.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { sample, wholeTest } from "../harness/tier.js";
import { describeLockStore } from "./conformance.js";
import { appendCreated, Lines, lockOf } from "./git-records.js";
import { makeHttpMedium, type HttpMedium } from "./http-medium.js";
import type { StateServerOptions } from "./state-server.js";

for (const form of ["plain", "gitlab"] as const) {
  describeLockStore(`the HTTP store on a ${form} server`, async () => {
    const medium = await makeHttpMedium({ form });
    const directory = medium.machine("runner");
    return { store: medium.open(directory), second: medium.open(directory) };
  });
}

async function failureOf(promise: Promise<unknown>): Promise<StoreFailedError> {
  const thrown = await promise.catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(StoreFailedError);
  return thrown as StoreFailedError;
}

async function holderOf(promise: Promise<unknown>) {
  const thrown = await promise.catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(StoreHeldError);
  return (thrown as StoreHeldError).holder;
}

/** A whole apply of two creates, as it uses a store. */
async function applyOn(store: LockStore): Promise<void> {
  await store.acquire();
  const { version } = await store.read();
  const lines = new Lines();
  store.append(lines.header() + lines.claim("agent:a", "agent:b"));
  await store.flush();
  store.append(lines.begin(1, "agent:a") + lines.done(1, "id-a"));
  await store.flush();
  await store.replace("{}\n", version);
  await store.release();
}

const servers: readonly StateServerOptions[] = [
  { form: "plain" },
  { form: "plain", locked: 409, none: 204, written: 201 },
  { form: "plain", tells: "nothing", none: 200, written: 204 },
  { form: "plain", tells: "garbage", isLenient: true },
  { form: "plain", isIdempotent: true },
  { form: "gitlab", credentials: "user:token" },
];

describe("what is sent", () => {
  test.each(sample("servers that are written to", servers, 2))(
    "is accepted by a server with $form, $locked, $tells, $none, $written",
    async (options) => {
      const medium = await makeHttpMedium(options);
      const store = medium.open(medium.machine("runner"));
      await applyOn(store);
      expect(await store.read()).toMatchObject({ lock: "{}\n", journal: null, holder: null });
      expect(medium.server.lockOf(medium.path)).toBeUndefined();
      const serials = medium.server
        .versions(medium.path)
        .map((text) => (JSON.parse(text) as { serial: number }).serial);
      expect(serials).toEqual([1, 2, 3, 4]);
      const writes = medium.server.received.filter(({ url }) => url.includes("?ID="));
      expect(writes.every(({ headers }) => headers["content-md5"] !== undefined)).toBe(true);
      const reads = medium.server.received.filter(({ method }) => method === "GET");
      expect(new Set(reads.map(({ headers }) => headers["cache-control"]))).toEqual(new Set(["no-cache"]));
    },
  );

  test("is nothing that Terraform would read as its own state", async () => {
    const medium = await makeHttpMedium();
    await applyOn(medium.open(medium.machine("runner")));
    const state = medium.server.state(medium.path);
    expect(Object.keys(state ?? {})).toEqual([
      "format",
      "serial",
      "workspace",
      "environment",
      "holder",
      "lock",
      "journal",
    ]);
  });

  test("has every field of a lock, and in GitLab the ID in the query of a DELETE too", async () => {
    const medium = await makeHttpMedium({ form: "gitlab" });
    await applyOn(medium.open(medium.machine("runner")));
    const [lock, unlock] = ["POST", "DELETE"].map((method) =>
      medium.server.received.find((each) => each.method === method && each.url.includes("/lock")),
    );
    const info = JSON.parse(lock?.body ?? "") as Record<string, unknown>;
    const fields = ["ID", "Operation", "Info", "Who", "Version", "Created", "Path"];
    expect(fields.filter((field) => typeof info[field] !== "string" || info[field] === "")).toEqual([]);
    expect(JSON.parse(unlock?.body ?? "")).toMatchObject({ ID: info["ID"] });
    expect(unlock?.url).toContain(`?ID=${String(info["ID"])}`);
  });
});

describe("who holds it", () => {
  test.each(sample("servers that are locked", servers, 2))(
    "is told to another: $form, $locked, $tells",
    async (options) => {
      const medium = await makeHttpMedium(options);
      const [store, other] = [medium.open(medium.machine("a")), medium.open(medium.machine("b"))];
      await store.acquire();
      const holder = await holderOf(other.acquire());
      if (options.tells === undefined) expect(holder).toMatchObject({ pid: process.pid, life: "alive" });
      else expect(holder.nonce).toMatch(/^unreadable-/);
      expect(await other.unlock("0123456789abcdef")).toBe(false);
      expect(await other.unlock(holder.nonce)).toBe(true);
      await other.acquire();
      await expect(store.replace("{}\n", null)).rejects.toThrow(StoreChangedError);
      await store.release();
      const { holder: present } = await other.read();
      expect(present?.pid).toBe(process.pid);
      await other.release();
      expect(medium.server.lockOf(medium.path)).toBeUndefined();
    },
  );

  test("may be Terraform, or a name with anything in it: both can be unlocked", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"));
    const locks = [
      { ID: "59f7f661-e4e2-85a0-7b80-1005c936234d", Who: "robin@laptop", Created: "2026-01-01" },
      { ID: "a b\u001b[31m", Who: "x" },
      { ID: "0123", Who: "\u001b]0;title\u0007", Created: "::error::x" },
    ];
    for (const lock of locks) {
      medium.server.fault = ({ method }) =>
        method === "LOCK" ? { status: 423, body: JSON.stringify(lock) } : undefined;
      const refusal = await store.acquire().catch((thrown: unknown) => thrown);
      expect((refusal as Error).message).toMatch(/^held by [\w@. -]+ since [\w: -]+$/);
      expect((refusal as StoreHeldError).holder.nonce).toMatch(/^[0-9A-Za-z-]+$/);
    }
    expect(medium.server.text(medium.path)).toBeNull();
  });

  test("a lock that was taken although its answer was lost is held", async () => {
    for (const form of ["plain", "gitlab"] as const) {
      const medium = await makeHttpMedium({ form });
      medium.server.fault = ({ number }) => (number === 1 ? { cut: "after" } : undefined);
      const store = medium.open(medium.machine("a"));
      await store.acquire();
      expect((await store.read()).holder).toMatchObject({ pid: process.pid });
    }
  });

  test("an unlock by a button of the server is noticed once another has taken it", async () => {
    const medium = await makeHttpMedium({ form: "gitlab" });
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    const other = medium.open(medium.machine("b"));
    await store.acquire();
    medium.server.forceUnlock(medium.path);
    await other.acquire();
    store.append(new Lines().header());
    await expect(store.flush()).rejects.toThrow(StoreChangedError);
    await store.release();
    expect(medium.server.lockOf(medium.path)).toBe((await other.read()).holder?.nonce);
  });
});

describe("an unlock that the server does not do", () => {
  const ways = [409, 423, 500, 200] as const;

  test.each(sample("statuses", ways, 3))(
    "and answers with %i is told, and the lock is kept",
    async (status) => {
      const medium = await makeHttpMedium();
      const store = medium.open(medium.machine("a"));
      await store.acquire();
      const { holder } = await store.read();
      const nonce = holder?.nonce ?? "";
      medium.server.fault = ({ method }) => (method === "UNLOCK" ? { status } : undefined);
      const failure = await failureOf(medium.open(medium.machine("b")).unlock(nonce));
      expect(failure.message).toContain("could not be unlocked");
      if (status !== 200) expect(failure.message).toContain(`HTTP ${status}`);
      expect(medium.server.lockOf(medium.path)).toBe(nonce);
      medium.server.fault = () => undefined;
      await store.release();
      expect(medium.server.lockOf(medium.path)).toBeUndefined();
    },
  );

  test("of the lock that it took to look is told with the command for that one", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const nonce = (await store.read()).holder?.nonce ?? "";
    medium.server.forceUnlock(medium.path);
    medium.server.fault = ({ method }) => (method === "UNLOCK" ? { status: 423 } : undefined);
    const failure = await failureOf(medium.open(medium.machine("b")).unlock(nonce));
    expect(failure.hint).toContain(`agentform lock unlock ${String(medium.server.lockOf(medium.path))}`);
  });

  test("at the end of an apply is told, but not where it was done before, or another has it", async () => {
    for (const form of ["plain", "gitlab"] as const) {
      const medium = await makeHttpMedium({ form });
      const isUnlock = (method: string) => method === "UNLOCK" || method === "DELETE";
      const store = medium.open(medium.machine("a"), { patience: 60_000 });
      await store.acquire();
      medium.server.fault = ({ method }) => (isUnlock(method) ? { status: 409 } : undefined);
      const failure = await failureOf(store.release());
      expect(failure.message).toContain("HTTP 409, so");
      medium.server.forceUnlock(medium.path);
      const again = medium.open(medium.machine("b"), { patience: 60_000 });
      medium.server.fault = () => undefined;
      await again.acquire();
      let failing = 1;
      medium.server.fault = ({ method }) =>
        isUnlock(method) && failing-- > 0 ? { cut: "after" } : undefined;
      await again.release();
      expect(medium.server.lockOf(medium.path)).toBeUndefined();
      medium.server.fault = () => undefined;
      await again.acquire();
      const other = medium.open(medium.machine("c"), { patience: 60_000 });
      // Another takes it between the last write and the unlock.
      let isTaken = false;
      medium.server.fault = ({ method }) => {
        if (isTaken || !isUnlock(method)) return undefined;
        isTaken = true;
        medium.server.forceUnlock(medium.path);
        return { wait: other.acquire() };
      };
      await again.release();
      expect((await other.read()).holder).not.toBeNull();
      await other.release();
    }
  });
});

test("a lock that somebody else has by the first write is not given back: it is theirs", async () => {
  const medium = await makeHttpMedium();
  const methods: string[] = [];
  medium.server.fault = ({ method }) => {
    methods.push(method);
    const isTheirs = methods.includes("POST") && method !== "GET";
    return isTheirs ? { status: 423, body: '{"ID": "somebody"}' } : undefined;
  };
  await expect(medium.open(medium.machine("a")).acquire()).rejects.toThrow(StoreChangedError);
  expect(methods.slice(methods.indexOf("POST"))).toEqual(["POST"]);
});

test("a lock of a server that refuses the first write is given back, and nobody is told to unlock it", async () => {
  const medium = await makeHttpMedium();
  medium.server.fault = ({ method }) => (method === "POST" ? { status: 403 } : undefined);
  const failure = await failureOf(medium.open(medium.machine("a")).acquire());
  expect(failure.hint).not.toContain("may be held");
  expect(medium.server.lockOf(medium.path)).toBeUndefined();
});

describe("a write", () => {
  const forms = [{ form: "plain" }, { form: "plain", isIdempotent: true }, { form: "gitlab" }] as const;

  test.each(forms)("that arrived although it seemed to fail counts as arrived: $form", async (options) => {
    const medium = await makeHttpMedium(options);
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    await store.acquire();
    const from = medium.server.received.length;
    let failing = 2;
    medium.server.fault = ({ url, number }) =>
      url.includes("?ID=") && number > from && failing-- > 0 ? { cut: "after" } : undefined;
    const version = await store.replace("{}\n", null);
    await store.release();
    expect(await store.read()).toEqual({ version, lock: "{}\n", journal: null, holder: null });
  });

  test("that was waited for in vain is not waited for again", async () => {
    const medium = await makeHttpMedium({ form: "plain" });
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    await store.acquire();
    const before = medium.server.received.length;
    const clock = Date.now;
    const now = vi.spyOn(Date, "now").mockImplementation(() => {
      // Its time is over with the second try.
      return clock() + (medium.server.received.length < before + 2 ? 0 : 60_000);
    });
    onTestFinished(() => now.mockRestore());
    medium.server.fault = () => ({ cut: "before" });
    const tries = async (run = () => store.flush()): Promise<number> => {
      const from = medium.server.received.length;
      await expect(run()).rejects.toThrow(StoreFailedError);
      return medium.server.received.length - from;
    };
    store.append(new Lines().header());
    expect(await tries()).toBe(2);
    expect(await tries()).toBe(1);
    expect(await tries()).toBe(1);
    expect(await tries(() => store.release())).toBe(1);
  });

  test("of progress follows the one before as long as there is any", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"), { pushInterval: 10 });
    await store.acquire();
    const lines = new Lines();
    store.append(lines.header() + lines.claim("agent:a", "agent:b"));
    await store.flush();
    for (const [index, name] of ["a", "b"].entries()) {
      store.append(lines.begin(index, `agent:${name}`) + lines.done(index, `id-${name}`));
      await store.flush();
      await expect.poll(() => medium.server.text(medium.path)).toContain(`id-${name}`);
    }
    await store.release();
  });

  test("is waited for again once another has arrived", async () => {
    const medium = await makeHttpMedium({ form: "plain" });
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    await store.acquire();
    store.append(new Lines().header());
    medium.server.fault = () => ({ status: 400 });
    await expect(store.flush()).rejects.toThrow("HTTP 400");
    medium.server.fault = () => undefined;
    await store.flush();
    let failing = 1;
    medium.server.fault = () => (failing-- > 0 ? { status: 503 } : undefined);
    await store.release();
    expect(medium.server.lockOf(medium.path)).toBeUndefined();
  });

  const passing = [500, 502, 503, 429, 408, 422];
  test.each(sample("statuses that pass", passing, 1))("is sent again after a %i", async (status) => {
    const medium = await makeHttpMedium({ form: "gitlab" });
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    await store.acquire();
    let failing = 1;
    medium.server.fault = ({ url }) => (url.includes("?ID=") && failing-- > 0 ? { status } : undefined);
    await store.replace("{}\n", null);
    await store.release();
    expect((await store.read()).lock).toBe("{}\n");
  });

  test.each([401, 403])("after a %i nothing further is sent, and the journal is kept", async (status) => {
    const medium = await makeHttpMedium({ form: "gitlab" });
    const directory = medium.machine("a");
    const store = medium.open(directory, { pushInterval: 10 });
    await store.acquire();
    const lines = new Lines();
    const start = lines.header() + lines.claim("agent:a", "agent:b");
    store.append(start);
    await store.flush();
    medium.server.fault = () => ({ status });
    const begun = lines.begin(1, "agent:a");
    store.append(begun);
    await expect.poll(async () => await store.flush().then(String, String)).toContain(`HTTP ${status}`);
    store.append(lines.begin(2, "agent:b"));
    expect((await failureOf(store.flush())).message).toContain(`HTTP ${status}`);
    expect((await failureOf(store.release())).message).toContain("is still held");
    medium.server.fault = () => undefined;
    expect((await medium.open(directory).read()).journal).toContain(begun);
    const { unknown } = lockOf({ ...(await medium.open(medium.machine("b")).read()), holder: null });
    expect(Object.keys(unknown).toSorted()).toEqual(["agent:a", "agent:b"]);
  });

  test("too large for the server is refused before anything was sent", async () => {
    const medium = await makeHttpMedium({ form: "gitlab", largest: 3000 });
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const lines = new Lines();
    store.append(lines.header() + lines.claim(...Array.from({ length: 50 }, (_, n) => `agent:a${n}`)));
    const failure = await failureOf(store.flush());
    expect(failure.message).toContain("HTTP 413");
    expect(failure.hint).toContain("limit for the size of a state");
    await store.release();
    expect(await store.read()).toMatchObject({ lock: null, journal: null, holder: null });
  });

  test("of a lock above 25 MB is refused without sending it", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const { length } = medium.server.received;
    const failure = await failureOf(store.replace("x".repeat(30_000_000), null));
    expect(failure.message).toContain("and the limit is 25 MB");
    expect(medium.server.received.slice(length).every(({ method }) => method === "GET")).toBe(true);
    await store.release();
  });

  test("that is refused as another's ends the next flush, though it has nothing to write", async () => {
    const medium = await makeHttpMedium();
    const [store, other] = [medium.open(medium.machine("a")), medium.open(medium.machine("b"))];
    await store.acquire();
    const lines = new Lines();
    store.append(lines.header() + lines.claim("agent:a"));
    await store.flush();
    expect(await other.unlock((await store.read()).holder?.nonce ?? "")).toBe(true);
    await other.acquire();
    await expect(store.replace("mine\n", null)).rejects.toThrow(StoreChangedError);
    store.append(lines.begin(1, "agent:a"));
    await expect(store.flush()).rejects.toThrow(StoreChangedError);
    await store.release();
  });

  test("on a server that does not check the ID is held back once the state is another's", async () => {
    const medium = await makeHttpMedium({ isLenient: true });
    const [store, other] = [medium.open(medium.machine("a")), medium.open(medium.machine("b"))];
    await store.acquire();
    expect(await other.unlock((await store.read()).holder?.nonce ?? "")).toBe(true);
    await other.acquire();
    await expect(store.replace("mine\n", null)).rejects.toThrow(StoreChangedError);
    await store.release();
    expect(medium.server.state(medium.path)).toMatchObject({ lock: null });
  });

  test.each(["a claim", "progress"])(
    "of %s does not replace what another has written since on such a server",
    async (what) => {
      const medium = await makeHttpMedium({ isLenient: true });
      const [store, other] = [medium.open(medium.machine("a")), medium.open(medium.machine("b"))];
      await store.acquire();
      const lines = new Lines();
      const claim = lines.header() + lines.claim("agent:a", "agent:b");
      if (what === "progress") {
        store.append(claim);
        await store.flush();
      }
      expect(await other.unlock((await other.read()).holder?.nonce ?? "")).toBe(true);
      await other.acquire();
      const { version } = await other.read();
      await other.replace("theirs\n", version);
      await other.release();
      if (what === "progress") store.append(lines.begin(1, "agent:a"));
      store.append(what === "progress" ? lines.claim("agent:c") : claim);
      await expect(store.flush()).rejects.toThrow(StoreChangedError);
      await store.release();
      expect(await other.read()).toMatchObject({ lock: "theirs\n", holder: null });
    },
  );
});

describe("a server that lies", () => {
  const state = { format: "agentform/http-state/v1", serial: 1, workspace: "test", environment: null };
  const texts: readonly [string, string, string][] = [
    ["a web page", "<!doctype html><title>Sign in</title>", "answered with a web page instead of a state"],
    ["no JSON", "hello", "is not a state"],
    ["a list", "[]", "is not a state"],
    ["another program's JSON", '{"serial": 3}', "is not a state of agentform"],
    [
      "Terraform's state",
      '{"version": 4, "terraform_version": "1.9.0", "serial": 7, "lineage": "x", "resources": []}',
      "has a state of Terraform, which agentform does not touch",
    ],
    ["a newer format", '{"format": "agentform/http-state/v2", "serial": 1}', "has a state of the version v2"],
    [
      "another workspace",
      JSON.stringify({ ...state, workspace: "other", lock: null }),
      "a different workspace",
    ],
    [
      "another environment",
      JSON.stringify({ ...state, environment: "live" }),
      "a different workspace or environment",
    ],
    ["a part of a state", JSON.stringify(state), "is damaged"],
    [
      "a serial that is none",
      JSON.stringify({ ...state, serial: "1", lock: null, journal: null, holder: null }),
      "is damaged",
    ],
    [
      "30 MB",
      JSON.stringify({ ...state, lock: "x".repeat(30_000_000), journal: null, holder: null }),
      "larger than 25 MB",
    ],
  ];

  test.each(texts)(
    "has %s at the address: nothing is written, and the lock is given back",
    async (_what, text, says) => {
      const medium = await makeHttpMedium();
      medium.server.put(medium.path, text);
      const store = medium.open(medium.machine("a"));
      for (const failure of [await failureOf(store.read()), await failureOf(store.acquire())]) {
        expect(failure.message).toContain(says);
        expect(failure.hint).toBeDefined();
      }
      expect(medium.server.versions(medium.path)).toEqual([text]);
      expect(medium.server.lockOf(medium.path)).toBeUndefined();
    },
  );

  test("keeps nothing of what it accepts", async () => {
    const medium = await makeHttpMedium();
    medium.server.fault = ({ method }) => (method.endsWith("LOCK") ? undefined : { status: 200 });
    const failure = await failureOf(medium.open(medium.machine("a")).acquire());
    expect(failure.message).toContain("does not keep what is written to it");
    expect(medium.server.lockOf(medium.path)).toBeUndefined();
  });

  test("keeps all but the new lock: the IDs stay in this machine's journal", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const { version } = await store.read();
    await appendCreated(store, "agent:a", "id-a");
    medium.server.fault = ({ method }) => (method === "POST" ? { status: 200 } : undefined);
    await expect(store.replace("{}\n", version)).rejects.toThrow(StoreChangedError);
    expect(await medium.open(medium.machine("a")).read()).toMatchObject({
      lock: null,
      journal: expect.stringContaining("id-a") as string,
    });
  });

  const lockText = (serial: number, writes: string, lineage = "one") =>
    JSON.stringify({ format: "agentform/lock/v1", lineage, serial, writes });
  const linesAfter = (serial: number) => {
    const lines = new Lines();
    return lines.header(serial) + lines.begin(1, "agent:a");
  };
  const own = linesAfter(2);
  const ofAnother = linesAfter(2).replace('"w1"', '"w2"').replaceAll("\n", "\r\n");

  test.each<[string, { lock: string | null; journal?: string }, boolean, string?]>([
    ["no lock", { lock: null }, true],
    ["an older lock", { lock: lockText(1, "w-1") }, true],
    ["a damaged lock", { lock: '{"serial": 2' }, true],
    ["a damaged journal", { lock: lockText(2, "w0"), journal: own.replaceAll("\n", "\r\n") }, true],
    ["a journal of which nothing can be read", { lock: lockText(2, "w0"), journal: "x\ny\n" }, true],
    ["such a journal", { lock: lockText(2, "w0"), journal: "x\ny\n" }, false, new Lines().header(2)],
    ["a lock that has it", { lock: lockText(2, "w1 w0") }, false],
    ["a later lock, which does not name it any more", { lock: lockText(3, "w9 w8") }, false],
    ["another lineage", { lock: lockText(1, "w-1", "two") }, false],
    ["another journal", { lock: lockText(2, "w0"), journal: linesAfter(1) }, false],
    ["another journal, damaged", { lock: lockText(2, "w0"), journal: ofAnother }, false],
  ])(
    "was set back, or damaged, and has %s: this machine's journal counts where it is not in it",
    async (_what, found, isIt, local = own) => {
      const medium = await makeHttpMedium();
      const directory = medium.machine("a");
      mkdirSync(join(directory, ".agentform"));
      writeFileSync(join(directory, ".agentform/test.journal"), local);
      const { lock, journal = null } = found;
      const state = { serial: 1, workspace: "test", environment: null, holder: null, lock, journal };
      medium.server.put(medium.path, JSON.stringify({ format: "agentform/http-state/v1", ...state }));
      expect(await medium.open(directory).read()).toMatchObject({ lock, journal: isIt ? own : journal });
    },
  );

  test("fails once as the new lock is read back: it is asked again", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    await store.acquire();
    const { version } = await store.read();
    let isWritten = false;
    medium.server.fault = ({ method }) => {
      const fails = isWritten && method === "GET";
      isWritten = method === "POST";
      return fails ? { status: 503 } : undefined;
    };
    await store.replace("{}\n", version);
    await store.release();
    expect(await store.read()).toMatchObject({ lock: "{}\n", journal: null, holder: null });
  });

  const page = { status: 200, body: "<!doctype html><title>Sign in</title>" };

  test("answers a write with a web page: it did not arrive", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const lines = new Lines();
    store.append(lines.header() + lines.claim("agent:a"));
    medium.server.fault = ({ method }) => (method === "POST" ? page : undefined);
    expect((await failureOf(store.flush())).message).toContain("a web page was answered (HTTP 200)");
    medium.server.fault = () => undefined;
    await store.release();
    expect(await medium.open(medium.machine("b")).read()).toMatchObject({ journal: null, holder: null });
  });

  test("answers all but reads with a web page: the lock is not said to be stored, and what was done is kept", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const lines = new Lines();
    store.append(lines.header() + lines.claim("agent:a"));
    await store.flush();
    store.append(lines.begin(1, "agent:a") + lines.done(1, "id-a"));
    medium.server.fault = ({ method }) => (method === "GET" ? undefined : page);
    expect((await failureOf(store.replace("{}\n", null))).message).toContain("has everything");
    expect((await failureOf(store.release())).message).toContain("is still held");
    expect((await medium.open(medium.machine("a")).read()).journal).toContain("id-a");
  });

  test("answers one write with a web page, as while a proxy starts: it is written again", async () => {
    const medium = await makeHttpMedium();
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    await store.acquire();
    let pages = 1;
    medium.server.fault = ({ method }) => (method === "POST" && pages-- > 0 ? page : undefined);
    const version = await store.replace("{}\n", null);
    await store.release();
    expect(await store.read()).toEqual({ version, lock: "{}\n", journal: null, holder: null });
  });

  wholeTest("answers a LOCK with a web page: that is no lock", async () => {
    const medium = await makeHttpMedium();
    medium.server.fault = ({ method }) => (method === "LOCK" ? page : undefined);
    const failure = await failureOf(medium.open(medium.machine("a")).acquire());
    expect(failure.message).toContain("a web page was answered (HTTP 200)");
  });

  test.each([404, 204, 200])(
    "answers %i to a read as if the state was gone: it is not replaced",
    async (status) => {
      const medium = await makeHttpMedium();
      await applyOn(medium.open(medium.machine("a")));
      const store = medium.open(medium.machine("b"));
      await store.read();
      medium.server.fault = ({ method }) => (method === "GET" ? { status } : undefined);
      const failure = await failureOf(store.acquire());
      expect(failure.message).toContain("is gone, or older than a moment ago");
      medium.server.fault = () => undefined;
      expect((await medium.open(medium.machine("c")).read()).lock).toBe("{}\n");
      expect(medium.server.lockOf(medium.path)).toBeUndefined();
    },
  );

  test("gives its lock to all who ask: nothing is written", async () => {
    const medium = await makeHttpMedium();
    medium.server.fault = ({ method }) => (method.endsWith("LOCK") ? { status: 200 } : undefined);
    const failure = await failureOf(medium.open(medium.machine("a")).acquire());
    expect(failure.message).toContain("the server gives its lock to two at a time");
    expect(medium.server.versions(medium.path)).toEqual([]);
    medium.server.fault = () => undefined;
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    await store.release();
  });

  test("gives the lock, and names another holder", async () => {
    const medium = await makeHttpMedium();
    medium.server.fault = ({ method }) =>
      method === "LOCK" ? { status: 200, body: '{"ID": "somebody"}' } : undefined;
    expect(await holderOf(medium.open(medium.machine("a")).acquire())).toMatchObject({ nonce: "somebody" });
  });

  const statuses: readonly [number, string][] = [
    [302, "it redirects, which agentform does not follow"],
    [400, "HTTP 400"],
    [401, "needs a user name and password"],
    [403, "not allowed"],
    [405, "HTTP 405"],
    [410, "HTTP 410"],
    [500, "HTTP 500"],
    [501, "HTTP 501"],
  ];

  test.each(sample("statuses", statuses, 3))(
    "answers %i to everything: nothing is taken for a state or a lock",
    async (status, says) => {
      const medium = await makeHttpMedium();
      medium.server.fault = () => ({ status, headers: { location: "http://127.0.0.1:1/elsewhere" } });
      const store = medium.open(medium.machine("a"));
      expect((await failureOf(store.read())).message).toContain(says);
      expect((await failureOf(store.acquire())).message).toContain(says);
      expect(medium.server.versions(medium.path)).toEqual([]);
    },
  );

  test("answers 404 for a project of GitLab that is not there: that is no empty state", async () => {
    const medium = await makeHttpMedium({ form: "gitlab" });
    medium.server.fault = () => ({ status: 404, body: '{"message":"404 Project Not Found"}' });
    const failure = await failureOf(medium.open(medium.machine("a")).read());
    expect(failure.hint).toContain("a project that the user may not see");
  });
});

describe("credentials", () => {
  const canary = "glpat-canary-5up3r";

  async function sent(medium: HttpMedium, env: Record<string, string>, lock = medium.lock): Promise<string> {
    const secrets = environmentSecrets({ ...medium.env, ...env });
    await medium
      .open(medium.machine("a"), { secrets }, lock)
      .read()
      .catch(() => undefined);
    const { authorization = "" } = medium.server.received.at(-1)?.headers ?? {};
    return Buffer.from(String(authorization).replace("Basic ", ""), "base64").toString();
  }

  test("come from the manifest, from Terraform's variables, or from the job of GitLab", async () => {
    const medium = await makeHttpMedium({ form: "gitlab" });
    const job = { CI_JOB_TOKEN: "of-job" };
    const terraform = { TF_HTTP_USERNAME: "user", TF_HTTP_PASSWORD: "key" };
    expect(await sent(medium, {})).toBe("");
    expect(await sent(medium, job)).toBe("gitlab-ci-token:of-job");
    expect(await sent(medium, { ...job, ...terraform })).toBe("user:key");
    const named = { ...medium.lock, username: "me", password: "${env:STATE_TOKEN}" };
    expect(await sent(medium, { ...job, ...terraform, STATE_TOKEN: "mine" }, named)).toBe("me:mine");
  });

  test("the token of a job goes to no address of a manifest", async () => {
    const medium = await makeHttpMedium({ form: "plain" });
    expect(await sent(medium, { CI_JOB_TOKEN: "of-job" })).toBe("");
  });

  test("that are not there are named, and nothing is sent", async () => {
    const medium = await makeHttpMedium();
    const lock = { ...medium.lock, password: "${env:STATE_TOKEN}" };
    const failure = await failureOf(medium.open(medium.machine("a"), {}, lock).read());
    expect(failure.message).toContain("`STATE_TOKEN` is not set");
    expect(failure.hint).toContain("a pipeline of a fork does not get it");
    expect(medium.server.received).toEqual([]);
  });

  const echoes = [
    ["a refusal", { status: 403, body: canary }],
    ["a lock of another", { status: 423, body: JSON.stringify({ ID: "1", Who: canary, Created: canary }) }],
    ["a state", { status: 200, body: JSON.stringify({ format: `agentform/http-state/${canary}` }) }],
    ["a redirect", { status: 302, headers: { location: `http://${canary}@127.0.0.1:1/` } }],
    ["a closed connection", { cut: "in" as const }],
  ] as const;
  test.each(sample("answers with a secret", echoes, 3))(
    "are in nothing that is printed after %s that repeats them",
    async (_what, fault) => {
      const medium = await makeHttpMedium();
      const secrets = environmentSecrets({ TF_HTTP_USERNAME: "user", TF_HTTP_PASSWORD: canary });
      medium.server.fault = () => fault;
      const store = medium.open(medium.machine("a"), { secrets });
      for (const run of [() => store.read(), () => store.acquire(), () => store.unlock("1")]) {
        const thrown = await run().catch((reason: unknown) => reason);
        const text = inspect([thrown, store], { showHidden: true, depth: 20 }) + JSON.stringify(thrown);
        expect(text).not.toContain(canary);
        expect(text).not.toContain(Buffer.from(`user:${canary}`).toString("base64").slice(4, 16));
      }
    },
  );
});

describe("the way to the server", () => {
  const tls = { cert: certificate, key: certificateKey };

  test("trusts the certificates of --ca-file and of Terraform's variable, and no others", async () => {
    const medium = await makeHttpMedium({ tls });
    const directory = medium.machine("a");
    const failure = await failureOf(medium.open(directory).read());
    expect(failure.message).toContain("TLS failed");
    expect(failure.hint).toContain("`--ca-file`");
    const caFile = join(directory, "ca.pem");
    writeFileSync(caFile, certificate);
    await applyOn(medium.open(directory, { caFile }));
    const secrets = environmentSecrets({ TF_HTTP_CLIENT_CA_CERTIFICATE_PEM: certificate });
    expect((await medium.open(directory, { secrets }).read()).lock).toBe("{}\n");
    const broken = environmentSecrets({ TF_HTTP_CLIENT_CA_CERTIFICATE_PEM: "none" });
    expect((await failureOf(medium.open(directory, { secrets: broken }).read())).message).toContain(
      "no usable certificate",
    );
  });

  test("says that a certificate is to be renewed", async () => {
    const medium = await makeHttpMedium({ tls: { ...tls, cert: expiredCertificate } });
    const directory = medium.machine("a");
    const caFile = join(directory, "ca.pem");
    writeFileSync(caFile, expiredCertificate);
    const { message, hint } = await failureOf(medium.open(directory, { caFile }).read());
    expect(message).toContain("CERT_HAS_EXPIRED");
    expect(hint).toBe("renew the certificate, or correct this machine's clock");
  });

  test("shows the certificate of the client, directly and through a proxy", async () => {
    const strict = { ...tls, ca: certificate, requestCert: true, rejectUnauthorized: true };
    const medium = await makeHttpMedium({ tls: strict });
    const directory = medium.machine("a");
    const ours = { TF_HTTP_ADDRESS: medium.server.origin };
    const ca = { ...ours, TF_HTTP_CLIENT_CA_CERTIFICATE_PEM: certificate };
    const own = {
      ...ca,
      TF_HTTP_CLIENT_CERTIFICATE_PEM: certificate,
      TF_HTTP_CLIENT_PRIVATE_KEY_PEM: certificateKey,
    };
    await failureOf(medium.open(directory, { secrets: environmentSecrets(ca) }).read());
    expect((await medium.open(directory, { secrets: environmentSecrets(own) }).read()).lock).toBeNull();
    const half = { ...ca, TF_HTTP_CLIENT_CERTIFICATE_PEM: certificate };
    const failure = await failureOf(medium.open(directory, { secrets: environmentSecrets(half) }).read());
    expect(failure.message).toContain("TF_HTTP_CLIENT_PRIVATE_KEY_PEM");
    const wrong = { ...own, TF_HTTP_CLIENT_PRIVATE_KEY_PEM: "x" };
    expect(
      (await failureOf(medium.open(directory, { secrets: environmentSecrets(wrong) }).read())).message,
    ).toContain("cannot be used");

    const proxy = await connectProxy();
    const address = medium.lock.address?.replace("127.0.0.1", "agents.test") ?? "";
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const secrets = environmentSecrets({ ...own, TF_HTTP_ADDRESS: address });
    const store = medium.open(directory, { secrets }, { store: "http", address });
    await applyOn(store);
    expect(proxy.asked.length).toBeGreaterThan(0);
    expect(proxy.seen()).not.toContain("agentform/http-state");
    vi.stubEnv("HTTPS_PROXY", "ftp://nowhere");
    expect((await failureOf(store.read())).hint).toContain("set HTTPS_PROXY");
  });
});
