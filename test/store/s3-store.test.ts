import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  StoreChangedError,
  StoreFailedError,
  StoreHeldError,
  type LockStore,
} from "../../src/core/state/lock-store.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { placeOf } from "../../src/store/s3/s3-place.js";
import { sample } from "../harness/tier.js";
import { formsOf } from "../secrets/canaries.js";
import { certificate, certificateKey } from "../service/certificate.js";
import { connectProxy } from "../service/connect-proxy.js";
import { describeLockStore } from "./conformance.js";
import { appendCreated, Lines, lockOf } from "./git-records.js";
import { errorCode } from "../../src/store/s3/s3-refusal.js";
import { effort } from "../harness/effort.js";
import { makeS3Medium, stateKey } from "./s3-medium.js";
import { accessKey, type S3ServerOptions } from "./s3-server.js";

const scratchKey = `${stateKey}.probe`;

describeLockStore("the S3 store", async () => {
  const medium = await makeS3Medium();
  const directory = medium.machine("runner");
  return { store: medium.open(directory), second: medium.open(directory) };
});

async function failureOf(promise: Promise<unknown>): Promise<StoreFailedError> {
  const thrown = await promise.catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(StoreFailedError);
  return thrown as StoreFailedError;
}

function lockWith(serial: number): string {
  return `{\n  "serial": ${serial}\n}\n`;
}

/** A whole apply of two creates, as it uses a store; its lock has a serial. */
async function applyOn(store: LockStore, serial = 1): Promise<void> {
  await store.acquire();
  const { version } = await store.read();
  const lines = new Lines();
  store.append(lines.header() + lines.claim("agent:a", "agent:b"));
  await store.flush();
  store.append(lines.begin(1, "agent:a") + lines.done(1, "id-a"));
  await store.flush();
  await store.replace(lockWith(serial), version);
  await store.release();
}

const servers: readonly S3ServerOptions[] = [
  {},
  { isBare: true },
  { isSilent: true },
  { versions: "kept", region: "eu-central-1" },
  { keys: [{ ...accessKey, token: "s3ss10n-canary/token+of==" }] },
];

describe("what is sent", () => {
  test.each(sample("servers that are written to", servers, 2))(
    "is signed, and accepted by a server with $isBare, $isSilent, $versions, $region",
    async (options) => {
      const medium = await makeS3Medium(options);
      const store = medium.open(medium.machine("runner"));
      await applyOn(store);
      await applyOn(store, 2);
      expect(await store.read()).toMatchObject({ lock: lockWith(2), journal: null, holder: null });
      expect(medium.server.keys().toSorted()).toEqual([stateKey, scratchKey]);
    },
  );

  test("is every write under a condition, and the scratch object is written once", async () => {
    const medium = await makeS3Medium({ versions: "kept" });
    const store = medium.open(medium.machine("runner"));
    await applyOn(store);
    await applyOn(store, 2);
    const writes = medium.server.received.filter(({ method }) => method === "PUT");
    expect(writes.filter(({ headers }) => !headers["if-match"] && headers["if-none-match"] !== "*")).toEqual(
      [],
    );
    expect(medium.server.written(scratchKey)).toHaveLength(1);
    const serials = medium.server
      .written(stateKey)
      .map((text) => (JSON.parse(text) as { serial: number }).serial);
    expect(serials).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("goes to Amazon by the bucket's host name, or by path where a certificate could not cover that", () => {
    const at = { key: "desk/state.json", region: "eu-central-1" };
    const address = (bucket: string, region = at.region, endpoint?: string) =>
      placeOf({ ...at, bucket, region, ...(endpoint !== undefined && { endpoint }) }).bucket.href;
    expect(address("desk")).toBe("https://desk.s3.eu-central-1.amazonaws.com/");
    expect(address("desk.example.com")).toBe("https://s3.eu-central-1.amazonaws.com/desk.example.com/");
    expect(address("desk", "cn-north-1")).toBe("https://desk.s3.cn-north-1.amazonaws.com.cn/");
    expect(address("desk", "auto", "https://id.r2.cloudflarestorage.com/")).toBe(
      "https://id.r2.cloudflarestorage.com/desk/",
    );
  });
});

describe("a server that does not keep to a condition", () => {
  test.each([
    ["If-None-Match: *", "if-none-match"],
    ["If-Match", "if-match"],
  ] as const)(
    "ignores %s: it is refused by that name, and the state is not touched",
    async (name, ignored) => {
      const medium = await makeS3Medium({ ignores: [ignored] });
      const store = medium.open(medium.machine("a"));
      for (let times = 0; times < 2; times++) {
        const failure = await failureOf(store.acquire());
        expect(failure.message).toContain(`the server ignores \`${name}\``);
        expect(failure.hint).toContain("conditional writes");
      }
      expect(medium.server.text(stateKey)).toBeNull();
    },
  );

  test("ignores both since yesterday: the state that is there is not touched", async () => {
    const medium = await makeS3Medium();
    await applyOn(medium.open(medium.machine("a")));
    const before = medium.server.text(stateKey);
    medium.server.options = { ignores: ["if-match", "if-none-match"] };
    const failure = await failureOf(medium.open(medium.machine("b")).acquire());
    expect(failure.message).toContain("ignores `If-None-Match: *`");
    expect(medium.server.text(stateKey)).toBe(before);
  });

  test("knows no condition: that is said, and nothing is written", async () => {
    const medium = await makeS3Medium();
    medium.server.fault = ({ headers }) =>
      headers["if-match"] ? { status: 501, body: "<Error><Code>NotImplemented</Code></Error>" } : undefined;
    const failure = await failureOf(medium.open(medium.machine("a")).acquire());
    expect(failure.message).toContain("does not support a header of the request (HTTP 501, NotImplemented)");
    expect(medium.server.text(stateKey)).toBeNull();
  });

  test("accepts one twice, and shows the second an old state: the first sends nothing more", async () => {
    const medium = await makeS3Medium();
    const [a, b] = [medium.open(medium.machine("a")), medium.open(medium.machine("b"))];
    await a.acquire();
    await a.confirm(true);
    let isBlind = true;
    medium.server.fault = ({ method, url }) => {
      if (url.includes(".probe")) {
        medium.server.options = {};
        return undefined;
      }
      medium.server.options = { ignores: ["if-none-match", "if-match"] };
      if (method === "PUT") isBlind = false;
      return isBlind ? { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" } : undefined;
    };
    await b.acquire();
    medium.server.options = {};
    medium.server.fault = () => undefined;
    await b.confirm(true);
    await expect(a.confirm(true)).rejects.toThrow(StoreChangedError);
    a.append(new Lines().header());
    await expect(a.flush()).rejects.toThrow(StoreChangedError);
    await b.replace("{}\n", null);
    expect(medium.server.state(stateKey)).toMatchObject({ lock: "{}\n" });
  });

  test("keeps nothing of what it accepts", async () => {
    const medium = await makeS3Medium();
    medium.server.fault = ({ url, method }) =>
      method === "PUT" && !url.includes(".probe") ? { status: 200, headers: { etag: '"1"' } } : undefined;
    const failure = await failureOf(medium.open(medium.machine("a")).acquire());
    expect(failure.message).toContain("does not keep what is written to it");
  });

  test("keeps all but the new lock: the IDs stay in this machine's journal", async () => {
    const medium = await makeS3Medium();
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const { version } = await store.read();
    await appendCreated(store, "agent:a", "id-a");
    medium.server.fault = ({ method }) =>
      method === "PUT" ? { status: 200, headers: { etag: '"1"' } } : undefined;
    await expect(store.replace(lockWith(1), version)).rejects.toThrow(StoreChangedError);
    medium.server.fault = () => undefined;
    await store.release();
    expect(await medium.open(medium.machine("a")).read()).toMatchObject({
      lock: null,
      journal: expect.stringContaining("id-a") as string,
    });
  });
});

describe("a write", () => {
  const isWrite = ({ method, url }: { method: string; url: string }) =>
    method === "PUT" && !url.includes(".probe");

  test.each(sample("servers with lost answers", servers, 1))(
    "that arrived although it seemed to fail counts as arrived: $isBare, $isSilent",
    async (options) => {
      const medium = await makeS3Medium(options);
      const store = medium.open(medium.machine("a"), { patience: 60_000 });
      await store.acquire();
      let failing = 2;
      medium.server.fault = (request) => (isWrite(request) && failing-- > 0 ? { cut: "after" } : undefined);
      const version = await store.replace("{}\n", null);
      await store.release();
      expect(await store.read()).toEqual({ version, lock: "{}\n", journal: null, holder: null });
    },
  );

  test("that makes the state and whose answer is lost is this process's own", async () => {
    const medium = await makeS3Medium();
    let failing = 1;
    medium.server.fault = (request) => (isWrite(request) && failing-- > 0 ? { cut: "after" } : undefined);
    const store = medium.open(medium.machine("a"), { patience: 10_000 });
    await store.acquire();
    expect((await store.read()).holder).toMatchObject({ pid: process.pid });
    await store.release();
    expect((await store.read()).holder).toBeNull();
  });

  test("that arrives only after it was given up does not undo what came later", async () => {
    const medium = await makeS3Medium();
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const lates: (() => void)[] = [];
    medium.server.fault = (request) => {
      if (!isWrite(request) || lates.length > 0) return undefined;
      return { late: new Promise<void>((resolve) => lates.push(resolve)) };
    };
    await failureOf(store.replace("one\n", null));
    const two = await store.replace("two\n", null);
    for (const arrive of lates) arrive();
    await store.replace("three\n", two);
    await store.release();
    expect(await store.read()).toMatchObject({ lock: "three\n", holder: null });
  });

  const passing: [number, string][] = [
    [409, "ConditionalRequestConflict"],
    [409, "OperationAborted"],
    [500, "InternalError"],
    [503, "SlowDown"],
    [503, ""],
    [429, "TooManyRequests"],
    [400, "RequestTimeout"],
  ];
  test.each(sample("answers that pass", passing, 1))("is sent again after a %i %s", async (status, code) => {
    const medium = await makeS3Medium();
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    await store.acquire();
    let failing = 2;
    const body = `<Error><Code>${code}</Code></Error>`;
    medium.server.fault = (request) => (isWrite(request) && failing-- > 0 ? { status, body } : undefined);
    await store.replace("{}\n", null);
    await store.release();
    expect((await store.read()).lock).toBe("{}\n");
  });

  test.each([412, 404])(
    "is lost with a %i once another has written, and nothing further is sent",
    async (status) => {
      const medium = await makeS3Medium();
      const store = medium.open(medium.machine("a"), { patience: 60_000 });
      await store.acquire();
      medium.server.put(
        stateKey,
        status === 404 ? undefined : medium.server.text(stateKey)?.replace(/[0-9a-f]{16}/, "0".repeat(16)),
      );
      const wrong = status === 404 ? StoreFailedError : StoreChangedError;
      await expect(store.replace("mine\n", null)).rejects.toThrow(wrong);
      const { length } = medium.server.received;
      store.append(new Lines().header());
      await expect(store.flush()).rejects.toThrow(wrong);
      expect(medium.server.received).toHaveLength(length);
      await store.release().catch(() => undefined);
    },
  );

  test("after the credentials have expired nothing further is sent, and the journal is kept", async () => {
    const medium = await makeS3Medium();
    const directory = medium.machine("a");
    const store = medium.open(directory, { pushInterval: 10 });
    await store.acquire();
    const lines = new Lines();
    store.append(lines.header() + lines.claim("agent:a", "agent:b"));
    await store.flush();
    medium.server.options = { keys: [{ ...accessKey, isExpired: true }] };
    const begun = lines.begin(1, "agent:a");
    store.append(begun);
    await store.flush().catch(() => undefined);
    await expect.poll(() => medium.server.received.at(-1)?.body.includes("begin")).toBe(true);
    store.append(lines.begin(2, "agent:b"));
    await expect(store.confirm(true)).rejects.toThrow(StoreFailedError);
    const failure = await failureOf(store.release());
    expect(failure.message).toContain("the credentials have expired (HTTP 400, ExpiredToken)");
    expect(failure.message).toContain("is still held");
    medium.server.options = {};
    expect((await medium.open(directory).read()).journal).toContain(begun);
    const { unknown } = lockOf({ ...(await medium.open(medium.machine("b")).read()), holder: null });
    expect(Object.keys(unknown).toSorted()).toEqual(["agent:a", "agent:b"]);
  });

  test("of a lock above 25 MB is refused without sending it", async () => {
    const medium = await makeS3Medium();
    const store = medium.open(medium.machine("a"));
    await store.acquire();
    const { length } = medium.server.received;
    const failure = await failureOf(store.replace("x".repeat(30_000_000), null));
    expect(failure.message).toContain("and the limit is 25 MB");
    expect(medium.server.received).toHaveLength(length);
    await store.release();
  });
});

describe("who holds it", () => {
  test("is told, and unlocked by its nonce", async () => {
    const medium = await makeS3Medium();
    const [store, other] = [medium.open(medium.machine("a")), medium.open(medium.machine("b"))];
    await store.acquire();
    const refusal = await other.acquire().catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(StoreHeldError);
    const { holder } = refusal as StoreHeldError;
    expect(holder).toMatchObject({ pid: process.pid, life: "alive" });
    expect(await other.unlock("0123456789abcdef")).toBe(false);
    expect(await other.unlock(holder.nonce)).toBe(true);
    expect(await other.unlock(holder.nonce)).toBe(false);
    await other.acquire();
    await expect(store.replace("{}\n", null)).rejects.toThrow(StoreChangedError);
    await store.release();
    expect((await other.read()).holder?.pid).toBe(process.pid);
    await other.release();
  });
});

describe("the history", () => {
  test("is the versions of the lock in a bucket that keeps them, newest first", async () => {
    const medium = await makeS3Medium({ versions: "kept" });
    const store = medium.open(medium.machine("a"));
    expect(await store.history?.versions()).toEqual([]);
    for (const serial of [1, 2, 3]) await applyOn(store, serial);
    medium.server.put(`${stateKey}-live`, "another state");
    const versions = (await store.history?.versions()) ?? [];
    expect(versions.map(({ serial }) => serial)).toEqual([3, 2, 1]);
    expect(versions.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
    expect(await store.history?.at(2)).toEqual({ text: lockWith(2) });
    expect(await store.history?.at(9)).toBeNull();
    const found = await store.history?.find((text) => text === lockWith(1));
    expect(found).toEqual({ serial: 1, text: lockWith(1) });
  });

  test.each(["not-kept", "none"] as const)(
    "is the present lock alone where versions are %s",
    async (versions) => {
      const medium = await makeS3Medium({ versions });
      const store = medium.open(medium.machine("a"));
      for (const serial of [1, 2]) await applyOn(store, serial);
      expect((await store.history?.versions())?.map(({ serial }) => serial)).toEqual([2]);
      expect(await store.history?.at(2)).toEqual({ text: lockWith(2) });
      expect(await store.history?.at(1)).toBeNull();
    },
  );

  test("that may not be listed is refused with the right that it needs", async () => {
    const medium = await makeS3Medium();
    medium.server.fault = ({ url }) =>
      url.includes("versions")
        ? { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" }
        : undefined;
    const failure = await failureOf(
      medium.open(medium.machine("a")).history?.versions() ?? Promise.resolve(),
    );
    expect(failure.hint).toContain("s3:ListBucketVersions");
  });
});

describe("a server that lies", () => {
  const state = { format: "agentform/s3-state/v1", serial: 1, workspace: "test", environment: null };
  const texts: readonly [string, string, string][] = [
    ["a web page", "<!doctype html><title>Sign in</title>", "answered with a web page instead of a state"],
    ["no JSON", "hello", "is not a state"],
    ["nothing", "", "is not a state"],
    ["another program's JSON", '{"serial": 3}', "is not a state of agentform"],
    ["the HTTP store's state", '{"format": "agentform/http-state/v1"}', "is not a state of agentform"],
    [
      "Terraform's state",
      '{"version": 4, "terraform_version": "1.9.0", "serial": 7, "lineage": "x", "resources": []}',
      "has a state of Terraform, which agentform does not touch",
    ],
    ["a newer format", '{"format": "agentform/s3-state/v2", "serial": 1}', "has a state of the version v2"],
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
      "30 MB",
      JSON.stringify({ ...state, lock: "x".repeat(30_000_000), journal: null, holder: null }),
      "larger than 25 MB",
    ],
  ];

  test.each(texts)("has %s at the key: nothing of it is replaced", async (_what, text, says) => {
    const medium = await makeS3Medium();
    medium.server.put(stateKey, text);
    const store = medium.open(medium.machine("a"));
    for (const failure of [await failureOf(store.read()), await failureOf(store.acquire())]) {
      expect(failure.message).toContain(says);
      expect(failure.hint).toBeDefined();
    }
    expect(medium.server.written(stateKey)).toEqual([text]);
  });

  test("is not there although it was: its versions tell, where the server does not say that it was deleted", async () => {
    const medium = await makeS3Medium({ versions: "kept" });
    await applyOn(medium.open(medium.machine("a")), 7);
    medium.server.put(stateKey, undefined);
    medium.server.fault = ({ method, url }) =>
      method === "GET" && url.endsWith(stateKey)
        ? { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" }
        : undefined;
    expect(await medium.open(medium.machine("b")).read()).toMatchObject({ lock: null, newest: 7 });
  });

  test("lists more versions than it was asked for, and is not asked about all of them", async () => {
    const medium = await makeS3Medium({ versions: "kept", listsAll: true });
    const store = medium.open(medium.machine("a"));
    await applyOn(store, 7);
    const asked = (): number => medium.server.received.filter(({ method }) => method === "HEAD").length;
    for (const _each of Array.from({ length: 1200 })) medium.server.put(stateKey, "another text");
    medium.server.put(stateKey, medium.server.written(stateKey)[0]);
    const before = asked();
    await store.read();
    expect(asked() - before).toBeLessThan(10);
    await store.history?.versions();
    expect(asked() - before).toBeLessThan(1020);
  });

  test("is not there, and whoever reads it may not list its versions", async () => {
    const medium = await makeS3Medium({ versions: "kept" });
    medium.server.fault = ({ url }) =>
      url.includes("?versions")
        ? { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" }
        : undefined;
    const store = medium.open(medium.machine("a"));
    expect(await store.read()).toMatchObject({ lock: null, version: null });
    await applyOn(store);
    expect(await medium.open(medium.machine("b")).read()).toMatchObject({ lock: lockWith(1) });
  });

  test("has a delete marker: that is not an empty state", async () => {
    const medium = await makeS3Medium({ versions: "kept" });
    await applyOn(medium.open(medium.machine("a")));
    medium.server.put(stateKey, undefined);
    const failure = await failureOf(medium.open(medium.machine("a")).acquire());
    expect(failure.message).toContain("was deleted");
    expect(failure.hint).toContain("delete marker");
  });

  test.each(["<Error><Code>InternalError</Code></Error>", "<!doctype html><title>Sign in</title>"])(
    "answers a write with 200 and %s: it did not arrive, and what was done is kept",
    async (body) => {
      const medium = await makeS3Medium();
      const store = medium.open(medium.machine("a"));
      await store.acquire();
      const lines = new Lines();
      store.append(lines.header() + lines.claim("agent:a"));
      await store.flush();
      store.append(lines.begin(1, "agent:a") + lines.done(1, "id-a"));
      medium.server.fault = ({ method }) =>
        method === "PUT" ? { status: 200, body, headers: { etag: '"of-nothing"' } } : undefined;
      expect((await failureOf(store.replace("{}\n", null))).message).toContain("has everything");
      expect((await failureOf(store.release())).message).toContain("is still held");
      medium.server.fault = () => undefined;
      expect((await medium.open(medium.machine("a")).read()).journal).toContain("id-a");
    },
  );

  test("answers one write with 200 and a web page, as while a proxy starts: it is written again", async () => {
    const medium = await makeS3Medium();
    const store = medium.open(medium.machine("a"), { patience: 60_000 });
    await store.acquire();
    const page = {
      status: 200,
      body: "<!doctype html><title>Sign in</title>",
      headers: { etag: '"of-nothing"' },
    };
    let pages = 1;
    medium.server.fault = ({ method }) => (method === "PUT" && pages-- > 0 ? page : undefined);
    const version = await store.replace("{}\n", null);
    await store.release();
    expect(await store.read()).toMatchObject({ version, lock: "{}\n", journal: null, holder: null });
  });

  const error = (code: string, more = "") => `<Error><Code>${code}</Code>${more}</Error>`;
  const answers: readonly [number, string, Record<string, string>, string, string?][] = [
    [
      301,
      error("PermanentRedirect"),
      { "x-amz-bucket-region": "eu-west-1" },
      "the bucket is in the region eu-west-1",
      "region: eu-west-1",
    ],
    [301, "", {}, "it redirects, which agentform does not follow"],
    [307, error("TemporaryRedirect"), { location: "http://127.0.0.1:1/" }, "it redirects"],
    [400, error("AuthorizationHeaderMalformed", "<Region>eu-west-3</Region>"), {}, "in the region eu-west-3"],
    [404, error("NoSuchBucket"), {}, "there is no such bucket", "check `bucket`"],
    [404, "<html>nginx</html>", {}, "a web page was answered (HTTP 404)", "endpoint"],
    [404, '{"error":"not found"}', {}, "HTTP 404", "endpoint"],
    [403, error("AccessDenied"), {}, "not allowed to (HTTP 403, AccessDenied)", "s3:ListBucket"],
    [403, error("InvalidAccessKeyId"), {}, "the access key is not known"],
    [403, error("SignatureDoesNotMatch"), {}, "the secret key is wrong"],
    [400, error("ExpiredToken"), {}, "the credentials have expired"],
    [403, error("RequestTimeTooSkewed"), {}, "the clock of this machine is wrong"],
    [401, "", {}, "the credentials are not accepted (HTTP 401)"],
    [405, error("MethodNotAllowed"), {}, "does not allow this method"],
    [503, "<html>down</html>", {}, "HTTP 503"],
    [200, "", {}, "is not a state"],
  ];

  test.each(sample("answers", answers, 8))(
    "answers %i %s to everything: nothing is taken for a state",
    async (status, body, headers, says, hint = "") => {
      const medium = await makeS3Medium();
      medium.server.fault = () => ({ status, body, headers });
      const store = medium.open(medium.machine("a"));
      const failure = await failureOf(store.read());
      expect(failure.message).toContain(says);
      expect(failure.hint ?? "").toContain(hint);
      await failureOf(store.acquire());
      expect(medium.server.keys()).toEqual([]);
    },
  );
});

test("an error that begins over and over is searched for its code once", () => {
  const text = "<Error>".repeat(60_000);
  expect(effort(() => errorCode({ ok: true, status: 500, headers: {}, text }))).toBeLessThan(1000);
});

describe("credentials", () => {
  const token = "s3ss10n/Zk7canaryTOKN9x+==";
  const keys = [{ ...accessKey, secret: "s3cr3t/Zk7canarySECR9x+x", token }];

  function opened(env: Record<string, string>, medium: Awaited<ReturnType<typeof makeS3Medium>>) {
    const { AWS_ENDPOINT_URL_S3 } = medium.env;
    const secrets = environmentSecrets({ AWS_ENDPOINT_URL_S3, ...env });
    return medium.open(medium.machine("a"), { secrets });
  }

  test.each([
    ["an unknown key", { AWS_ACCESS_KEY_ID: "AKIANOBODY" }, "the access key is not known"],
    ["a wrong secret", { AWS_SECRET_ACCESS_KEY: "wrong" }, "the secret key is wrong"],
    ["a wrong token", { AWS_SESSION_TOKEN: "wrong" }, "the session token is wrong"],
    ["a line break at the end", { AWS_SESSION_TOKEN: `${token}\n` }, "have a space, a line break"],
  ])("with %s are refused as what they are", async (_what, wrong, says) => {
    const medium = await makeS3Medium({ keys });
    const failure = await failureOf(opened({ ...medium.env, ...wrong }, medium).acquire());
    expect(failure.message).toContain(says);
    expect(failure.hint).toBeDefined();
    expect(medium.server.keys()).toEqual([]);
  });

  test.each([
    ["a refusal", { status: 403, body: "CANARY" }],
    ["an error of S3", { status: 400, body: "<Error><Code>CANARY</Code><Message>CANARY</Message></Error>" }],
    ["a region", { status: 301, headers: { "x-amz-bucket-region": "CANARY" } }],
    ["a state", { status: 200, headers: { etag: '"1"' }, body: '{"format":"agentform/s3-state/CANARY"}' }],
    ["a redirect", { status: 302, headers: { location: "http://CANARY@127.0.0.1:1/" } }],
    ["a closed connection", { cut: "in" as const }],
  ])("are in nothing that is printed after %s that repeats them", async (_what, fault) => {
    const medium = await makeS3Medium({ keys });
    const store = medium.open(medium.machine("a"));
    const secrets = [keys[0]?.secret ?? "", token];
    const said = JSON.stringify(fault).replaceAll("CANARY", secrets.join(""));
    medium.server.fault = () => JSON.parse(said) as typeof fault;
    const runs = [
      () => store.read(),
      () => store.acquire(),
      () => store.unlock("1"),
      async () => await store.history?.versions(),
    ];
    const thrown = await Promise.all(runs.map((run) => run().catch((reason: unknown) => reason)));
    const text = inspect([thrown, store], { showHidden: true, depth: 20 }) + JSON.stringify(thrown);
    for (const [form, value] of secrets.flatMap(formsOf)) expect(text.includes(value), form).toBe(false);
  });

  test("come from a profile, where one is named", async () => {
    const medium = await makeS3Medium();
    const directory = medium.machine("a");
    const files = {
      AWS_SHARED_CREDENTIALS_FILE: join(directory, "credentials"),
      AWS_CONFIG_FILE: join(directory, "config"),
    };
    writeFileSync(
      files.AWS_SHARED_CREDENTIALS_FILE,
      `[desk]\naws_access_key_id = ${accessKey.id}\naws_secret_access_key = ${accessKey.secret}\n`,
    );
    writeFileSync(files.AWS_CONFIG_FILE, "");
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const [name, value] of Object.entries(files)) vi.stubEnv(name, value);
    await applyOn(opened({ AWS_PROFILE: "desk" }, medium));
    const missing = await failureOf(opened({ AWS_PROFILE: "other" }, medium).read());
    expect(missing.message).toBe("no credentials for S3 were found");
    expect(missing.hint).toContain("a pipeline of a fork has none");
  });

  test("come from the identity of a CI, and its token goes through the proxy of the environment", async () => {
    const medium = await makeS3Medium({ keys });
    const directory = medium.machine("a");
    const file = join(directory, "token");
    writeFileSync(file, "the.jobs.token");
    const proxy = await connectProxy();
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(directory, "none"));
    vi.stubEnv("AWS_CONFIG_FILE", join(directory, "none"));
    const env = { AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/desk", AWS_WEB_IDENTITY_TOKEN_FILE: file };
    const failure = await failureOf(opened(env, medium).read());
    expect(failure.message).toContain("no credentials for S3");
    expect(proxy.asked.join()).toContain("sts.us-east-1.amazonaws.com:443");
    expect(medium.server.received).toEqual([]);
  });

  test("that are nowhere are said to be needed, and nothing is sent", async () => {
    const medium = await makeS3Medium();
    const directory = medium.machine("a");
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(directory, "none"));
    vi.stubEnv("AWS_CONFIG_FILE", join(directory, "none"));
    const failure = await failureOf(opened({}, medium).acquire());
    expect(failure.message).toBe("no credentials for S3 were found");
    expect(medium.server.received).toEqual([]);
  });
});

describe("the way to the server", () => {
  const tls = { cert: certificate, key: certificateKey };

  test("trusts the certificates of --ca-file, directly and through a proxy", async () => {
    const medium = await makeS3Medium({ tls });
    const directory = medium.machine("a");
    const failure = await failureOf(medium.open(directory).read());
    expect(failure.message).toContain("TLS failed");
    expect(failure.hint).toContain("--ca-file");
    const caFile = join(directory, "ca.pem");
    writeFileSync(caFile, certificate);
    await applyOn(medium.open(directory, { caFile }));
    const proxy = await connectProxy();
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const endpoint = medium.lock.endpoint?.replace("127.0.0.1", "agents.test") ?? "";
    const secrets = environmentSecrets({ ...medium.env, AWS_ENDPOINT_URL_S3: endpoint });
    const store = medium.open(directory, { caFile, secrets }, { ...medium.lock, endpoint });
    await applyOn(store, 2);
    expect(proxy.asked.length).toBeGreaterThan(0);
    expect(proxy.seen()).not.toContain("agentform/s3-state");
    vi.stubEnv("HTTPS_PROXY", "ftp://nowhere");
    expect((await failureOf(store.read())).hint).toContain("set HTTPS_PROXY");
  });
});
