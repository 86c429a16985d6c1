import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StoreFailedError } from "../../src/core/state/lock-store.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { nameOf, readAddress } from "../../src/store/postgres/postgres-address.js";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { certificate } from "../service/certificate.js";

const canary = "canary-p4ss";

function read(url: string | undefined, env: Record<string, string> = {}) {
  return readAddress(url, environmentSecrets(env), undefined);
}

function refused(url: string | undefined, env: Record<string, string> = {}): StoreFailedError {
  try {
    read(url, env);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(StoreFailedError);
    const failure = thrown as StoreFailedError;
    expect(failure.message + (failure.hint ?? "")).not.toContain(canary);
    return failure;
  }
  throw new Error("was not refused");
}

const plain = { PGHOST: "db.example.com", PGUSER: "deploy", PGPASSWORD: canary };

describe("an address", () => {
  test("comes from the variables of libpq", () => {
    const address = read(undefined, { ...plain, PGPORT: "6432", PGDATABASE: "state", PGAPPNAME: "ci" });
    expect(address).toMatchObject({
      host: "db.example.com",
      port: 6432,
      database: "state",
      user: "deploy",
      applicationName: "ci",
    });
    expect(address.password?.unwrap()).toBe(canary);
    expect(nameOf(address, "agentform")).toBe("postgres://db.example.com:6432/state?schema=agentform");
  });

  test("comes from a URL, and the rest from the variables", () => {
    const address = read(`postgresql://de%40ploy:${canary}%25@[2001:db8::1]/st%C3%A4te?application_name=a`, {
      PGHOST: "elsewhere",
      PGPORT: "7000",
    });
    expect(address).toMatchObject({ host: "2001:db8::1", port: 7000, database: "stäte", user: "de@ploy" });
    expect(address.password?.unwrap()).toBe(`${canary}%`);
    expect(read("postgres://me@db.example.com", { PGPASSWORD: canary }).password).toBeUndefined();
    expect(read("postgres:///state", plain).password?.unwrap()).toBe(canary);
    expect(nameOf(address, "s")).toBe("postgres://[2001:db8::1]:7000/st%C3%A4te?schema=s");
    expect(read("postgres:///state?host=/run/postgresql", { PGUSER: "me" })).toMatchObject({
      host: "/run/postgresql",
      tls: undefined,
    });
    expect(read("postgres://me@%2Frun%2Fpostgresql/state").host).toBe("/run/postgresql");
  });

  const wrong: readonly [string, string | undefined, Record<string, string>, string][] = [
    ["no host", undefined, { PGUSER: "me" }, "PGHOST is not set"],
    ["no user", undefined, { PGHOST: "h" }, "PGUSER is not set"],
    ["no URL", `me:${canary}@host`, {}, "is not usable"],
    ["another scheme", `mysql://me:${canary}@host/db`, {}, "is not usable"],
    ["a half escape", `postgres://me:${canary}%@host/db`, {}, "is not usable"],
    ["several hosts", undefined, { ...plain, PGHOST: "a,b" }, "several hosts"],
    ["several hosts in a URL", `postgres://me:${canary}@a:1,b:2/db`, {}, "not usable"],
    ["a port that is none", undefined, { ...plain, PGPORT: "x" }, "the port of the database"],
    ["a service", undefined, { ...plain, PGSERVICE: "x" }, "PGSERVICE is not supported"],
    ["an address beside the host", `postgres://me:${canary}@h/db?hostaddr=10.0.0.1`, {}, "`hostaddr`"],
    ["an unknown sslmode", undefined, { ...plain, PGSSLMODE: "no-verify" }, "sslmode is unknown"],
    [
      "a client certificate that is not there",
      undefined,
      { ...plain, PGSSLCERT: "/none" },
      "client certificate",
    ],
  ];
  test.each(wrong)("with %s is refused, and none of it is quoted", (_what, url, env, says) => {
    expect(refused(url, env).message).toContain(says);
  });
});

describe("the line", () => {
  test.each(["disable", "allow", "prefer"])("to another machine is never without a check: %s", (mode) => {
    expect(refused(undefined, { ...plain, PGSSLMODE: mode }).message).toContain("does not protect");
    expect(refused(`postgres://me:${canary}@h/db?sslmode=${mode}`).message).toContain("does not protect");
  });

  test.each([undefined, "require", "verify-full"])("to another machine is checked in full: %s", (mode) => {
    const { tls } = read(undefined, { ...plain, ...(mode !== undefined && { PGSSLMODE: mode }) });
    expect(tls?.rejectUnauthorized).toBe(true);
    const theirs = new X509Certificate(certificate).toLegacyObject();
    expect(tls?.checkServerIdentity?.("localhost", theirs)).toBeInstanceOf(Error);
    const near = read(undefined, { ...plain, PGHOST: "agents.test" }).tls;
    expect(near?.checkServerIdentity?.("", theirs)).toBeUndefined();
    const byNumber = read(undefined, { ...plain, PGHOST: "10.0.0.1" }).tls;
    expect(byNumber?.checkServerIdentity?.("localhost", theirs)).toBeInstanceOf(Error);
  });

  test("with `verify-ca` needs certificates of one's own, which are then the only ones", () => {
    expect(refused(undefined, { ...plain, PGSSLMODE: "verify-ca" }).hint).toContain("PGSSLROOTCERT");
    const file = join(makeCacheFolder(), "ca.pem");
    writeFileSync(file, certificate);
    const { tls } = read(undefined, { ...plain, PGSSLMODE: "verify-ca", PGSSLROOTCERT: file });
    expect(tls?.ca).toEqual([certificate]);
    const theirs = new X509Certificate(certificate).toLegacyObject();
    expect(tls?.checkServerIdentity?.("", theirs)).toBeUndefined();
    expect(refused(undefined, { ...plain, PGSSLMODE: "verify-ca", PGSSLROOTCERT: "system" }).hint).toContain(
      "PGSSLROOTCERT",
    );
  });

  test.each(["localhost", "127.0.0.1", "::1", "/run/postgresql"])(
    "on this machine needs no TLS: %s",
    (host) => {
      expect(read(undefined, { ...plain, PGHOST: host }).tls).toBeUndefined();
      const mode = { PGSSLMODE: "verify-full" };
      const { tls } = read(undefined, { ...plain, ...mode, PGHOST: host });
      expect(tls === undefined).toBe(host.startsWith("/"));
    },
  );
});
