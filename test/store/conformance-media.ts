import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createFileStore } from "../../src/store/file/file-store.js";
import { createGitStore } from "../../src/store/git/git-store.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import type { ConformanceMedium, Network } from "./conformance-medium.js";
import type { FaultyServer } from "./faulty-server.js";
import { makeGitMedium, ref } from "./git-medium.js";
import { makeHttpMedium } from "./http-medium.js";
import { makePostgresMedium } from "./postgres-medium.js";
import { makeS3Medium } from "./s3-medium.js";
import type { S3ServerOptions } from "./s3-server.js";
import type { StateServerOptions } from "./state-server.js";

const noWaits = { pushInterval: 60_000, patience: 0 };

/** A folder for a workspace whose store is in files: all processes are on one machine. */
export async function fileMedium(): Promise<ConformanceMedium> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lockName = "agentform.lock";
  const options = {
    lockFile: join(folder, lockName),
    holderFile: join(folder, ".agentform", "default.holder"),
    lockName,
    journalName: `${lockName}.journal`,
  };
  return {
    lock: { store: "file" },
    env: {},
    machine: () => folder,
    open: () => createFileStore(options),
    runner: () => ({ kind: "file", options }),
  };
}

/** A bare repository and clones of it. */
export async function gitMedium(): Promise<ConformanceMedium> {
  const medium = makeGitMedium();
  const optionsFor = (directory: string) => {
    const journalName = ".git/agentform/test%2Fdefault.journal";
    return { directory, remote: "origin", ref, journalFile: join(directory, journalName), journalName };
  };
  return {
    lock: { store: "git" },
    env: {},
    machine: (name) => medium.clone(name),
    open: (directory, waits = {}) => createGitStore({ ...optionsFor(directory), ...noWaits, ...waits }),
    runner: (directory, waits) => ({
      kind: "git",
      options: { ...optionsFor(directory), ...noWaits, ...waits },
    }),
    network: gitNetwork(medium.folder),
  };
}

/** Cuts git off from its remote: while it does, a git of that name comes first on the PATH of this process. */
function gitNetwork(folder: string): Network {
  const [bin, plan, count] = ["bin", "plan", "count"].map((name) => join(folder, name));
  const first = join(bin ?? "", "git");
  const before = process.env.PATH ?? "";
  mkdirSync(bin ?? "");
  const script = `#!/bin/sh
for word; do
  case $word in push | fetch | ls-remote) network=$word; break ;; -*) ;; *=*) ;; esac
done
[ -n "\${network:-}" ] && [ -f '${plan}' ] || exec "$AGENTFORM_TEST_GIT" "$@"
read -r at stage lasting <'${plan}'
[ "$stage $lasting $network" != "after false ls-remote" ] || exec "$AGENTFORM_TEST_GIT" "$@"
echo >>'${count}'
n=0
while read -r _; do n=$((n + 1)); done <'${count}'
[ "$n" -eq "$at" ] || { [ "$n" -gt "$at" ] && [ "$lasting" = true ]; } || exec "$AGENTFORM_TEST_GIT" "$@"
if [ "$stage" = after ] || [ "$stage" = in ]; then "$AGENTFORM_TEST_GIT" "$@" >/dev/null 2>&1; fi
echo 'fatal: unable to access: Connection was reset' >&2
exit 128
`;
  // Never one of these scripts, which would start itself.
  process.env.AGENTFORM_TEST_GIT ??= before
    .split(":")
    .map((each) => join(each, "git"))
    .find((each) => existsSync(each));
  process.env.PATH = `${bin}:${before}`;
  onTestFinished(() => void (process.env.PATH = before));
  const remove = (file = "") => rmSync(file, { force: true });
  return {
    get requests() {
      return existsSync(count ?? "") ? readFileSync(count ?? "", "utf8").split("\n").length - 1 : 0;
    },
    cut(request, stage, isLasting) {
      writeFileSync(count ?? "", "");
      writeFileSync(plan ?? "", `${request} ${stage} ${isLasting}\n`);
      writeFileSync(first, script, { mode: 0o755 });
    },
    mend: () => [first, plan, count].forEach(remove),
  };
}

/** A server of Terraform's HTTP state protocol. */
export async function httpMedium(options: StateServerOptions = {}): Promise<ConformanceMedium> {
  const medium = await makeHttpMedium(options);
  return {
    lock: medium.lock,
    env: medium.env,
    machine: (name) => medium.machine(name),
    open: (directory, waits = {}) => medium.open(directory, waits),
    runner: (directory, waits) => ({
      kind: "http",
      lock: medium.lock as Settings["lock"],
      options: { ...onMachine(directory), ...waits },
    }),
    network: httpNetwork(medium.server),
  };
}

/** A server of S3. */
export async function s3Medium(options: S3ServerOptions = {}): Promise<ConformanceMedium> {
  const medium = await makeS3Medium(options);
  return {
    lock: medium.lock,
    env: medium.env,
    machine: (name) => medium.machine(name),
    open: (directory, waits = {}) => medium.open(directory, waits),
    runner: (directory, waits) => ({
      kind: "s3",
      lock: medium.lock,
      options: { ...onMachine(directory), ...waits },
    }),
    network: httpNetwork(medium.server),
  };
}

function onMachine(directory: string) {
  const journalName = ".agentform/test.journal";
  return { journalFile: join(directory, journalName), journalName, ...noWaits };
}

function httpNetwork(server: FaultyServer): Network {
  let requests = 0;
  return {
    get requests() {
      return requests;
    },
    cut(request, stage, isLasting) {
      server.fault = ({ method }) => {
        if (stage === "after" && !isLasting && /^(GET|HEAD)$/.test(method)) return undefined;
        const at = ++requests;
        return at === request || (isLasting && at > request) ? { cut: stage } : undefined;
      };
    },
    mend() {
      server.fault = () => undefined;
      requests = 0;
    },
  };
}

/** A schema in a PostgreSQL database, which may be behind a pooler. */
export async function postgresMedium(pooler?: { readonly port: number }): Promise<ConformanceMedium> {
  const { lock, env, machine, open, proxy } = await makePostgresMedium(pooler);
  return {
    lock,
    env,
    machine,
    open: (_directory, { patience } = {}) => open(patience === undefined ? {} : { patience }),
    runner: (_directory, { patience = 0 }) => ({ kind: "postgres", lock, options: { patience } }),
    network: proxy.network,
  };
}
