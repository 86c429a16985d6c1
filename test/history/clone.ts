import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Lock } from "../../src/core/state/lock.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import type { Emulator } from "../../src/emulator/emulator.js";
import { mergeLock, restoreLock } from "../../src/sync/lock/restore.js";
import { Secret } from "../../src/service/secret.js";
import { apply } from "../../src/sync/apply.js";
import { plan } from "../../src/sync/plan.js";
import { documentText, manifest } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";

/** A lock as the tests read it from a file or a commit. */
export type ReadLock = Pick<Lock, "serial" | "writes" | "resources" | "retired" | "deleted">;

const operations = `    operations:
      policy: {delete: "DELETE /v1/rai/policies/{id}"}
      agent: {delete: "DELETE /v3/agents/{id}"}
`;

const identity = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
const quiet = { GIT_EDITOR: "true", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/** Gives the body of a policy. */
export function policyBanning(topic: string): object {
  return { name: "strict", banned_topics: { enabled: true, topics: [topic] } };
}

/** A work tree with a workspace, the git around it, and what people do with both. */
export class Clone {
  constructor(
    readonly directory: string,
    private readonly service: Emulator,
  ) {
    needProgram("git");
    mkdirSync(directory, { recursive: true });
    this.git("init", "-q", "-b", "main");
    this.write({
      "agentform.yaml": `${manifest}${operations}`,
      ".gitignore": ".agentform/\n",
      ".gitattributes": "agentform*.lock merge=agentform\n",
    });
  }

  /** Runs git; gives what it prints, or undefined where it fails. */
  git(...args: readonly string[]): string | undefined {
    try {
      const env = { ...process.env, ...quiet };
      return execFileSync("git", ["-C", this.directory, ...identity, ...args], {
        encoding: "utf8",
        stdio: "pipe",
        env,
      });
    } catch {
      return undefined;
    }
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.directory, file)), { recursive: true });
      writeFileSync(join(this.directory, file), text);
    }
  }

  remove(file: string): void {
    rmSync(join(this.directory, file), { recursive: true, force: true });
  }

  setAgent(name: string, prompt: string): void {
    this.write({ [`agents/${name}.yaml`]: documentText("Agent", name, { name, system_prompt: prompt }) });
  }

  setPolicy(topic: string): void {
    this.write({ "policies/strict.yaml": documentText("Policy", "strict", policyBanning(topic)) });
  }

  /** Gives the prompt that the document of an agent has; undefined where there is no document. */
  promptOf(name: string): string | undefined {
    const file = join(this.directory, `agents/${name}.yaml`);
    if (!existsSync(file)) return undefined;
    const { spec } = JSON.parse(readFileSync(file, "utf8")) as { spec: { system_prompt: string } };
    return spec.system_prompt;
  }

  commit(message: string): void {
    this.git("add", "--all");
    this.git("commit", "-q", "--allow-empty", "-m", message);
  }

  hasDocument(address: string): boolean {
    const [kind, name] = address.split(":");
    return existsSync(
      join(this.directory, kind === "agent" ? `agents/${name}.yaml` : "policies/strict.yaml"),
    );
  }

  /** Reads the lock at the tip of a branch that has a write which another one lacks. */
  lockOf(branch: string, other: ReadLock | undefined): ReadLock | undefined {
    const text = this.git("show", `${branch}:agentform.lock`);
    const lock = text === undefined ? undefined : parse(text);
    const [last = ""] = lock?.writes?.split(" ") ?? [];
    return other?.writes?.split(" ").includes(last) === true ? undefined : lock;
  }

  /** Reads the lock as it is here; undefined where there is none that can be read. */
  lock(): ReadLock | undefined {
    const file = join(this.directory, "agentform.lock");
    return existsSync(file) ? parse(readFileSync(file, "utf8")) : undefined;
  }

  /** Reads the lock of every commit that HEAD rests on, and of one that is being merged. */
  committedLocks(): ReadLock[] {
    const heads =
      this.git("rev-parse", "--verify", "-q", "MERGE_HEAD") === undefined ? ["HEAD"] : ["HEAD", "MERGE_HEAD"];
    const commits = this.git("rev-list", ...heads)?.split("\n") ?? [];
    return commits.flatMap((commit) => {
      const text = commit === "" ? undefined : this.git("show", `${commit}:agentform.lock`);
      return text === undefined ? [] : (parse(text) ?? []);
    });
  }

  async plan(replace: readonly string[] = []) {
    return await plan({ directory: this.directory, options: { ...noOptions, replace: new Set(replace) } });
  }

  async apply(replace: readonly string[] = []) {
    return await apply({
      ...this.#reaching,
      options: { ...noOptions, replace: new Set(replace) },
      confirm: async () => true,
    });
  }

  async prune() {
    return await apply({ ...this.#reaching, prune: [], concurrency: 2, confirm: async () => true });
  }

  get #reaching() {
    const { url } = this.service;
    return {
      directory: this.directory,
      userAgent: "agentform/test",
      target: () => ({
        identity: { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" },
        baseUrl: url,
        raiBaseUrl: url,
        apiKey: "${env:AGENT_API_KEY}",
        secrets: (name: string) => new Secret(`value of ${name}`),
      }),
    };
  }

  async restore() {
    return await restoreLock({ directory: this.directory });
  }

  async mergeLock() {
    return await mergeLock({ directory: this.directory });
  }
}

function parse(text: string): ReadLock | undefined {
  try {
    return JSON.parse(text) as ReadLock;
  } catch {
    return undefined;
  }
}
