import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { Settings } from "../../src/core/resources/manifest.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { openS3Store } from "../../src/store/s3/open-s3-store.js";
import { needProgram } from "../harness/need.js";
import { describeApplies } from "./apply-conformance.js";
import { cephPrograms, startCeph, type Ceph } from "./ceph.js";
import type { ConformanceMedium } from "./conformance-medium.js";
import { describeLockStore } from "./conformance.js";

let starting: Promise<Ceph> | undefined;
let buckets = 0;

afterAll(async () => (await starting)?.close());

/** An empty bucket of a Ceph that all tests share; a Ceph takes half a minute to start. */
async function cephMedium(isVersioned = false): Promise<ConformanceMedium> {
  for (const program of cephPrograms) needProgram(program);
  starting ??= startCeph();
  const { origin, id, secret, makeBucket } = await starting;
  const bucket = `bucket-${++buckets}`;
  await makeBucket(bucket, isVersioned);
  const folder = mkdtempSync(join(tmpdir(), "agentform-s3-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lock: Settings["lock"] = { store: "s3", bucket, key: "test.json", endpoint: origin };
  const env = { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_ENDPOINT_URL_S3: origin };
  const settings = { name: "test", environment: null, lock } as unknown as Settings;
  const optionsOn = (directory: string) => {
    const journalName = ".agentform/test.journal";
    return { journalFile: join(directory, journalName), journalName, pushInterval: 60_000, patience: 0 };
  };
  return {
    lock,
    env,
    machine(name) {
      mkdirSync(join(folder, name), { recursive: true });
      return join(folder, name);
    },
    open: (directory, waits = {}) =>
      openS3Store(settings, { ...optionsOn(directory), ...waits, secrets: environmentSecrets(env) }),
    runner: (directory, waits) => ({ kind: "s3", lock, options: { ...optionsOn(directory), ...waits } }),
  };
}

describe("on Ceph's own S3", () => {
  describeLockStore("the S3 store on Ceph", async () => {
    const medium = await cephMedium();
    const directory = medium.machine("runner");
    return { store: medium.open(directory), second: medium.open(directory) };
  });

  // The code is that of the other S3 store; what differs is the server.
  describeApplies("the S3 store on Ceph", () => cephMedium(), { rounds: 20 });

  test("a bucket with versions, where it ignores a condition, is refused with the name of that", async () => {
    const medium = await cephMedium(true);
    const store = medium.open(medium.machine("a"));
    await expect(store.acquire()).rejects.toMatchObject({
      name: "StoreFailedError",
      message: expect.stringContaining("the server ignores `If-None-Match: *`"),
    });
    expect((await store.read()).holder).toBeNull();
  });
});
