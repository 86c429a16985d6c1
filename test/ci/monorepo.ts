import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { codeBlocks } from "../docs/code-block.js";
import { partsOf } from "../docs/example.js";
import { githubToken, pullRequest, startGithub, type FakeGithub } from "../forge/fake-github.js";
import { Machine } from "./job-process.js";
import { git, Repository, type Change } from "./repository.js";
import { runWorkflow, type JobResult } from "./workflow.js";

type Files = Readonly<Record<string, string | null>>;

/** What a page of the documents has a reader write, and then run. */
export interface SetUp {
  readonly files: Readonly<Record<string, string>>;
  readonly commands: string;
}

/** Reads the files of a section of a page, and its block of commands. */
export function setUpOf(page: string, heading: string): SetUp {
  const [, section = ""] = readFileSync(page, "utf8").split(`## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  const blocks = codeBlocks(text);
  const parts = blocks.flatMap((block) => partsOf(block, text.split("\n")));
  return {
    files: Object.fromEntries(parts.flatMap((part) => ("file" in part ? [[part.file, part.text]] : []))),
    commands: blocks.find(({ language }) => language === "sh")?.text ?? "",
  };
}

/** A repository on GitHub with several workspaces, one service, and the workflows that were committed to it. */
export class Monorepo {
  #runners = 0;

  private constructor(
    readonly repository: Repository,
    readonly emulator: Emulator,
    readonly github: FakeGithub,
  ) {}

  /** Does what a set-up says in a clone; its texts may be changed first, and its service is the emulator. */
  static async open({ files, commands }: SetUp, change = (text: string) => text): Promise<Monorepo> {
    const emulator = await startEmulator({ operations: "full" });
    onTestFinished(() => emulator.close());
    const texts = Object.entries(files).map(([file, text]) => [
      file,
      change(text).replaceAll(/base_url: https:[^,}]+/g, `base_url: "${emulator.url}"`),
    ]);
    const repository = new Repository(Object.fromEntries(texts) as Record<string, string>);
    const monorepo = new Monorepo(repository, emulator, await startGithub([]));
    const clone = monorepo.clone();
    await monorepo.must(clone, commands);
    return monorepo;
  }

  /** A clone of somebody, on main, with a name to commit by. */
  clone(): string {
    const folder = mkdtempSync(join(this.repository.folder, "clone-"));
    git(folder, "clone", "--quiet", this.repository.url, ".");
    git(folder, "config", "user.name", "somebody");
    git(folder, "config", "user.email", "somebody@example.com");
    return folder;
  }

  /** Runs commands in a clone, expects that they work, and gives what they print. */
  async must(clone: string, script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, output } = await this.#machine().run(script, clone, env);
    if (code !== 0) throw new Error(output);
    return output;
  }

  /** Opens a pull request, with the comment of each workspace. */
  async propose(files: Files, suffixes: readonly string[]): Promise<Change> {
    const change = this.repository.propose(files);
    const { number, branch, head } = change;
    this.github.pulls.push(pullRequest(number, { head: { owner: "fork", branch, sha: head } }));
    for (const suffix of suffixes) {
      const planned = await this.#run("plan", suffix, `refs/pull/${number}/merge`, {
        pull_request: { number },
      });
      if (!planned.isSuccessful) throw new Error(planned.output);
      const run = { head_branch: branch, head_sha: head, created_at: "2026-01-01T00:00:00Z" };
      const event = { workflow_run: { ...run, head_repository: { owner: { login: "fork" } } } };
      const commented = await this.#run("comment", suffix, "refs/heads/main", event);
      if (!commented.isSuccessful) throw new Error(commented.output);
    }
    return change;
  }

  /** Merges a pull request, without what this sets off. */
  merge(change: Change): string {
    const commit = this.repository.merge(change);
    const pull = this.github.pulls.find(({ number }) => number === change.number);
    Object.assign(pull ?? {}, { isOpen: false, mergedAs: commit });
    return commit;
  }

  /** Runs the apply of a workspace at a commit on main, on a machine of its own. */
  async apply(suffix: string, commit: string, secrets: NodeJS.ProcessEnv, digest = ""): Promise<JobResult> {
    const given = Object.entries(secrets).map(([name, value]) => [`secrets.${name}`, value ?? ""]);
    const contexts = {
      "inputs.digest": digest,
      "github.event.before": "",
      ...Object.fromEntries(given),
    } as Record<string, string>;
    return await this.#run("apply", suffix, commit, { ref: "refs/heads/main" }, contexts, {
      GITHUB_SHA: commit,
    });
  }

  /** The comment on a pull request about a workspace. */
  commentOn({ number }: Change, workspace: string): string {
    const bodies = this.github.comments(number).map(({ body }) => body);
    return bodies.find((body) => body.endsWith(`<!-- agentform: ${workspace} -->\n`)) ?? "";
  }

  /** What main has now. */
  tip(): string {
    return git(this.repository.remote, "rev-parse", "main");
  }

  /** The requests that changed the service, each as method and path. */
  sent(): string[] {
    return this.emulator.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
  }

  async #run(
    workflow: "plan" | "comment" | "apply",
    suffix: string,
    ref: string,
    event: object,
    contexts: Readonly<Record<string, string>> = {},
    more: NodeJS.ProcessEnv = {},
  ): Promise<JobResult> {
    const { GITHUB_TOKEN: _, ...env } = this.github.job(event, more);
    const artifacts = join(this.repository.folder, `artifacts${suffix}`);
    mkdirSync(artifacts, { recursive: true });
    const file = `.github/workflows/agentform-${workflow}${suffix}.yml`;
    const text = this.repository.read(ref, file);
    if (text === undefined) throw new Error(`${ref} has no ${file}`);
    const given = {
      "matrix.environment": "default",
      "github.token": githubToken,
      "github.event.workflow_run.id": "1",
      ...contexts,
    };
    return await runWorkflow(text, {
      repository: this.repository,
      machine: this.#machine(),
      ref,
      env,
      contexts: given,
      artifacts,
    });
  }

  #machine(): Machine {
    const folder = mkdtempSync(join(this.repository.folder, "machine-"));
    return new Machine(folder, `runner-${++this.#runners}`);
  }
}
