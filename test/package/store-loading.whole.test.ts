import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { makeGitMedium } from "../store/git-medium.js";
import { StateServer } from "../store/state-server.js";
import { accessKey, S3Server } from "../store/s3-server.js";
import { makePostgresMedium, usePostgres } from "../store/postgres-medium.js";
import { runCli } from "./run-cli.js";

usePostgres();

/** Whether a plan loads the part of the package that has a text. */
async function loads(text: string, directory: string, more: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const coverage = mkdtempSync(join(tmpdir(), "agentform-loading-"));
  onTestFinished(() => rmSync(coverage, { recursive: true, force: true }));
  const { code } = await runCli(["plan"], { cwd: directory, env: { NODE_V8_COVERAGE: coverage, ...more } });
  expect(code).toBe(0);
  // Node lists every script that it loads in the coverage.
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), "utf8")) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url);
  });
  const files = urls.filter((url) => url.startsWith("file:") && url.includes("/dist/"));
  expect(files).not.toEqual([]);
  return files.some((url) => readFileSync(fileURLToPath(url), "utf8").includes(text));
}

test("a plan loads the HTTP store only if the state is there, and never got", async () => {
  const server = await StateServer.start();
  onTestFinished(() => server.close());
  const document = { "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) };
  const lock = `  lock: {store: http, address: ${server.origin}/state}\n`;
  const inFiles = makeWorkspace(document).directory;
  const onServer = makeWorkspace({ ...document, "agentform.yaml": manifest + lock }).directory;
  expect(await loads("TF_HTTP_PASSWORD", inFiles)).toBe(false);
  expect(await loads("TF_HTTP_PASSWORD", onServer)).toBe(true);
  expect(await loads("followRedirect", onServer)).toBe(false);
});

test("a plan loads the S3 store only if the state is there, and AWS's own chain only without a key", async () => {
  const server = await S3Server.start();
  onTestFinished(() => server.close());
  const document = { "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) };
  const lock = `  lock: {store: s3, bucket: test-bucket, key: state.json, endpoint: "${server.origin}"}\n`;
  const inFiles = makeWorkspace(document).directory;
  const inBucket = makeWorkspace({ ...document, "agentform.yaml": manifest + lock }).directory;
  const env = {
    AWS_ACCESS_KEY_ID: accessKey.id,
    AWS_SECRET_ACCESS_KEY: accessKey.secret,
    AWS_ENDPOINT_URL_S3: server.origin,
  };
  expect(await loads("agentform/s3-probe/v1", inFiles)).toBe(false);
  expect(await loads("AWS4-HMAC-SHA256", inFiles)).toBe(false);
  expect(await loads("agentform/s3-probe/v1", inBucket, env)).toBe(true);
  expect(await loads("credential-provider-node", inBucket, env)).toBe(false);
});

test("the installed package reads the versions of a bucket", async () => {
  const server = await S3Server.start({ versions: "kept" });
  onTestFinished(() => server.close());
  const lock = `  lock: {store: s3, bucket: test-bucket, key: state.json, endpoint: "${server.origin}"}\n`;
  const { directory } = makeWorkspace({ "agentform.yaml": manifest + lock });
  const env = {
    AWS_ACCESS_KEY_ID: accessKey.id,
    AWS_SECRET_ACCESS_KEY: accessKey.secret,
    AWS_ENDPOINT_URL_S3: server.origin,
  };
  expect(await runCli(["lock", "history"], { cwd: directory, env })).toMatchObject({ code: 0 });
});

test("a plan loads the git store only if the state is there", async () => {
  const document = { "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) };
  const inFiles = makeWorkspace(document).directory;
  const onRef = makeGitMedium().clone("desk");
  writeFileSync(join(onRef, "agentform.yaml"), `${manifest}  lock: {store: git}\n`);
  expect(await loads("find out who set it back", inFiles)).toBe(false);
  expect(await loads("find out who set it back", onRef)).toBe(true);
});

test("a plan loads the PostgreSQL store and its driver only if the state is there, and never got", async () => {
  const medium = await makePostgresMedium();
  const document = { "agents/support.yaml": documentText("Agent", "support", { name: "Support" }) };
  const lock = `  lock: {store: postgres, schema: ${medium.schema}}\n`;
  const inFiles = makeWorkspace(document).directory;
  const inDatabase = makeWorkspace({ ...document, "agentform.yaml": manifest + lock }).directory;
  for (const text of ["agentform/postgres-state/v1", "SCRAM-SHA-256"]) {
    expect(await loads(text, inFiles)).toBe(false);
    expect(await loads(text, inDatabase, medium.env)).toBe(true);
  }
  expect(await loads("followRedirect", inDatabase, medium.env)).toBe(false);
});
