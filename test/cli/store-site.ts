import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LockLocation } from "../../src/generated/workspace.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { isWhole } from "../harness/tier.js";
import { git, makeGitMedium } from "../store/git-medium.js";
import { makePostgresMedium } from "../store/postgres-medium.js";
import { accessKey, S3Server } from "../store/s3-server.js";
import { StateServer } from "../store/state-server.js";
import { runIn } from "./desk.js";

/** A state beside the manifest. */
export const inFiles = { store: "file" };
/** A state on a ref. */
export const onRef = { store: "git" };
/** A state in GitLab. */
export const inGitlab = { store: "http", gitlab: { project: "group/desk" } };
const inDatabase = { store: "postgres", schema: "moves" };
const inBucket = {
  store: "s3",
  bucket: "test-bucket",
  key: "desk.json",
  endpoint: "https://ENDPOINT",
};
/** A place in each store. */
export const stores = {
  file: inFiles,
  http: inGitlab,
  git: onRef,
  s3: inBucket,
  postgres: inDatabase,
} as const satisfies Record<LockLocation["store"], object>;

/** A folder with a workspace whose state can be in each of the stores: a clone if git is needed, or if all tests run. */
export async function openSite(
  environments: readonly string[] = [],
  { usesGit = false, usesDatabase = false } = {},
) {
  const [server, service] = [await StateServer.start({ form: "gitlab" }), await startEmulator()];
  const bucket = await S3Server.start();
  onTestFinished(async () => {
    await server.close();
    await bucket.close();
    await service.close();
  });
  const isClone = usesGit || isWhole;
  const database = usesDatabase ? await makePostgresMedium() : undefined;
  await database?.run("drop schema if exists moves cascade");
  const directory = isClone ? makeGitMedium().clone("desk") : makeWorkspace({}).directory;
  const env = {
    ...database?.env,
    CI_API_V4_URL: server.api,
    AWS_ACCESS_KEY_ID: accessKey.id,
    AWS_SECRET_ACCESS_KEY: accessKey.secret,
    AWS_ENDPOINT_URL_S3: bucket.origin,
  };
  const located = (text: string) => text.replace("https://ENDPOINT", bucket.origin);
  return {
    server,
    service,
    directory,
    /** Writes the manifest with a place of the state. */
    write(lock: object) {
      const at = { base_url: service.url, rai_base_url: service.url, api_key: "${env:AGENT_API_KEY}" };
      const named = Object.fromEntries(environments.map((name) => [name, {}]));
      const spec = { service: at, lock, environments: named, include: ["agents.yaml"] };
      const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
      writeFileSync(join(directory, "agentform.yaml"), located(JSON.stringify(manifest)));
      writeFileSync(join(directory, "agents.yaml"), documentText("Agent", "support", { name: "Support" }));
      writeFileSync(join(directory, ".gitignore"), ".agentform/\n");
    },
    commit: (message: string) => {
      git(directory, "add", "-A");
      git(directory, "commit", "-q", "-m", message);
    },
    run: (...args: string[]) => runIn(directory, args, env),
    move: (to: object, ...more: string[]) =>
      runIn(directory, ["lock", "move", "--to", located(JSON.stringify(to)), ...more], env),
  };
}
