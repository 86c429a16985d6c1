import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LockLocation } from "../../src/generated/workspace.js";
import { git, makeGitMedium } from "./git-medium.js";
import { makePostgresMedium } from "./postgres-medium.js";
import { accessKey, S3Server } from "./s3-server.js";
import { StateServer } from "./state-server.js";

/** A medium on which the states of workspaces are, each at its usual place, with an administrator who has backups. */
export interface StateMedium {
  /** What `spec.lock` has for it. */
  readonly lock: object;
  /** The environment variables of who reaches it. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes the folder of a machine; the machines of a store in files are one. */
  machine(name: string): string;
  /** Makes a backup of all that the medium has, and gives how it is put back. */
  backUp(): Promise<() => Promise<void>>;
  /** Makes the present state that of a backup, beside the versions that the medium keeps; where it keeps any. */
  readonly setBack?: () => Promise<() => Promise<void>>;
}

/** The media, by the names of their stores. */
export const stateMedia = {
  file: inFiles,
  git: onRefs,
  "http in GitLab": () => onServer("gitlab"),
  http: () => onServer("plain"),
  s3: () => inBucket(false),
  "s3 with versions": () => inBucket(true),
  postgres: inDatabase,
} as const satisfies Readonly<
  Record<LockLocation["store"] | `${string} ${string}`, () => Promise<StateMedium>>
>;

function makeFolders(): StateMedium["machine"] {
  const folder = mkdtempSync(join(tmpdir(), "agentform-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
}

async function inFiles(): Promise<StateMedium> {
  const machine = makeFolders();
  const files = ["agentform.lock", "agentform.live.lock"];
  const directory = machine("one");
  return {
    lock: { store: "file" },
    env: {},
    machine: () => directory,
    async backUp() {
      const kept = files.filter((file) => existsSync(join(directory, file)));
      const shelf = machine(`backup ${Date.now()}`);
      for (const file of kept) copyFileSync(join(directory, file), join(shelf, file));
      return async () => {
        for (const file of files) rmSync(join(directory, file), { force: true });
        for (const file of kept) copyFileSync(join(shelf, file), join(directory, file));
      };
    },
  };
}

async function onRefs(): Promise<StateMedium> {
  const medium = makeGitMedium();
  const { remote } = medium;
  const refs = () =>
    git(remote, "for-each-ref", "--format=%(refname) %(objectname)", "refs/agentform")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(" "));
  return {
    lock: { store: "git" },
    env: {},
    machine: (name) => medium.clone(name),
    async backUp() {
      const kept = refs();
      return async () => {
        for (const [ref = ""] of refs()) git(remote, "update-ref", "-d", ref);
        for (const [ref = "", commit = ""] of kept) git(remote, "update-ref", ref, commit);
      };
    },
  };
}

async function onServer(form: "gitlab" | "plain"): Promise<StateMedium> {
  const server = await StateServer.start({ form });
  onTestFinished(() => server.close());
  const at =
    form === "gitlab" ? { gitlab: { project: "group/desk" } } : { address: `${server.origin}/state` };
  return {
    lock: { store: "http", ...at },
    env: { CI_API_V4_URL: server.api },
    machine: makeFolders(),
    backUp: async () => server.backUp(),
  };
}

async function inBucket(isVersioned: boolean): Promise<StateMedium> {
  const server = await S3Server.start({ versions: isVersioned ? "kept" : "none" });
  onTestFinished(() => server.close());
  return {
    lock: { store: "s3", bucket: "test-bucket", key: "{environment}.json", endpoint: server.origin },
    env: {
      AWS_ACCESS_KEY_ID: accessKey.id,
      AWS_SECRET_ACCESS_KEY: accessKey.secret,
      AWS_EC2_METADATA_DISABLED: "true",
      AWS_ENDPOINT_URL_S3: server.origin,
    },
    machine: makeFolders(),
    backUp: async () => server.backUp(),
    ...(isVersioned && { setBack: async () => server.setBack() }),
  };
}

async function inDatabase(): Promise<StateMedium> {
  const { lock, env, machine, run } = await makePostgresMedium();
  const tables = ["format", "states", "locks", "journal"];
  let backups = 0;
  return {
    lock,
    env,
    machine,
    async backUp() {
      const number = ++backups;
      const [found] = await run("select to_regclass('SCHEMA.states') as found");
      if (found?.["found"] === null)
        return async () => void (await run("drop schema if exists SCHEMA cascade"));
      for (const table of tables)
        await run(`create table public.SCHEMA_${table}_${number} as select * from SCHEMA.${table}`);
      return async () => {
        for (const table of tables) {
          await run(`delete from SCHEMA.${table}`);
          await run(`insert into SCHEMA.${table} select * from public.SCHEMA_${table}_${number}`);
        }
      };
    },
    async setBack() {
      const number = ++backups;
      await run(`create table public.SCHEMA_states_${number} as select * from SCHEMA.states`);
      return async () => {
        await run("delete from SCHEMA.states");
        await run(`insert into SCHEMA.states select * from public.SCHEMA_states_${number}`);
      };
    },
  };
}
