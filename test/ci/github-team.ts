import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { githubFiles, githubPackage } from "../../src/cli/init/init-files-github.js";
import type { CiSettings } from "../../src/cli/init/ci-workspace.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { githubToken, pullRequest, startGithub, type FakeGithub } from "../forge/fake-github.js";
import { credential, folder, greeter, installed, manifest, policy, secrets, support } from "./desk.js";
import { Machine } from "./job-process.js";
import { git, Repository, type Change, type MergeWay } from "./repository.js";
import { runWorkflow, type JobResult } from "./workflow.js";

/** A team on GitHub with a workspace, a service and the workflows that `init --ci github` writes. */
export class GithubTeam {
  /** What main was at before each merge. */
  readonly #before = new Map<string, string>();

  private constructor(
    readonly repository: Repository,
    readonly emulator: Emulator,
    readonly github: FakeGithub,
    public machine: Machine,
    public settings: CiSettings,
  ) {}

  static async open(store: "git" | "file", faults: readonly EmulatedFault[] = []): Promise<GithubTeam> {
    const emulator = await startEmulator({ faults });
    onTestFinished(() => emulator.close());
    const repository = new Repository({
      ...manifest(emulator.url, store),
      ...policy(),
      ...credential(),
      "README.md": "The desk.\n",
      ...installed(githubPackage),
    });
    const settings: CiSettings = {
      suffix: "",
      workspace: folder,
      environments: ["default"],
      place: store,
      branch: "main",
      secrets: Object.keys(secrets),
      storeSecrets: [],
    };
    const machine = new Machine(repository.folder);
    return new GithubTeam(repository, emulator, await startGithub([]), machine, settings);
  }

  /** Opens a pull request, without what this sets off. */
  offer(files: Readonly<Record<string, string | null>>, merged?: readonly string[]): Change {
    const change = this.repository.propose(files, merged);
    const { number, branch, head } = change;
    this.github.pulls.push(pullRequest(number, { head: { owner: "fork", branch, sha: head } }));
    return change;
  }

  /** Opens a pull request: it is planned, and the plan is commented on it. */
  async propose(files: Readonly<Record<string, string | null>>, merged?: readonly string[]): Promise<Change> {
    const change = this.offer(files, merged);
    const planned = await this.plan(change);
    if (!planned.isSuccessful) throw new Error(planned.output);
    const commented = await this.comment(change);
    if (!commented.isSuccessful) throw new Error(commented.output);
    return change;
  }

  /** Runs the workflow that plans a pull request. */
  async plan({ number }: Change): Promise<JobResult> {
    return await this.#run("plan", `refs/pull/${number}/merge`, { pull_request: { number } }, {}, {});
  }

  /** Runs it for a pull request in a merge queue, where GitHub has merged it into a branch of the queue. */
  async planInQueue(change: Change, way?: MergeWay): Promise<JobResult> {
    const branch = `gh-readonly-queue/main/pr-${change.number}`;
    const base_sha = git(this.repository.remote, "rev-parse", "main");
    const head_sha = this.repository.merge(change, way, branch);
    const merge_group = { head_sha, head_ref: `refs/heads/${branch}`, base_sha, base_ref: "refs/heads/main" };
    const contexts = { "github.event.merge_group.base_sha": base_sha };
    return await this.#run("plan", head_sha, { action: "checks_requested", merge_group }, contexts, {});
  }

  /** Runs the workflow that comments after it. */
  async comment({ branch, head }: Change): Promise<JobResult> {
    const workflow_run = {
      head_branch: branch,
      head_sha: head,
      created_at: "2026-01-01T00:00:00Z",
      head_repository: { owner: { login: "fork" } },
    };
    const contexts = { "github.event.workflow_run.id": "1" };
    return await this.#run("comment", "refs/heads/main", { workflow_run }, contexts, {});
  }

  /** Merges a pull request, without what this sets off. */
  merge(change: Change, way?: MergeWay): string {
    const before = git(this.repository.remote, "rev-parse", "main");
    const commit = this.repository.merge(change, way);
    this.#before.set(commit, before);
    const pull = this.github.pulls.find(({ number }) => number === change.number);
    Object.assign(pull ?? {}, { isOpen: false, mergedAs: commit });
    return commit;
  }

  /** Has all that follows run on another machine. */
  changeMachine(): void {
    this.machine = new Machine(this.repository.folder, "runner-2");
  }

  /** Runs the workflow of a commit on main. */
  async apply(commit: string, more: { digest?: string; diesIn?: string } = {}): Promise<JobResult> {
    const { digest = "", diesIn } = more;
    const contexts = {
      "inputs.digest": digest,
      "github.event.before": this.#before.get(commit) ?? "",
      ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`secrets.${name}`, value])),
    };
    const env = { GITHUB_SHA: commit };
    return await this.#run("apply", commit, { ref: "refs/heads/main" }, contexts, env, diesIn);
  }

  /** Proposes, merges and applies. */
  async land(files: Readonly<Record<string, string | null>>): Promise<JobResult> {
    return await this.apply(this.merge(await this.propose(files)));
  }

  /** Applies what nobody reviewed, with the digest of its plan: what a later change begins with takes fewer processes so. */
  async begin(files: Readonly<Record<string, string>>): Promise<void> {
    const commit = this.repository.pushDirectly(files);
    const desk = this.repository.checkOut(commit, 0);
    const { output } = await this.machine.run(`agentform plan -C ${folder}`, desk, {});
    const applied = await this.apply(commit, { digest: /sha256:\w{64}/.exec(output)?.[0] ?? "" });
    if (!applied.isSuccessful) throw new Error(applied.output);
  }

  /** The text of the comment on a pull request. */
  commentOn({ number }: Change): string {
    return this.github.comments(number)[0]?.body ?? "";
  }

  /** The lock as the remote has it; undefined where there is none. */
  lock(): string | undefined {
    return this.settings.place === "git"
      ? this.repository.read("refs/agentform/desk/default", "lock.json")
      : this.repository.read("main", `${folder}/agentform.lock`);
  }

  /** The journal as the remote has it; undefined where there is none. */
  journal(): string | undefined {
    return this.settings.place === "git"
      ? this.repository.read("refs/agentform/desk/default", "journal")
      : this.repository.read("main", `${folder}/agentform.lock.journal`);
  }

  /** How often the service was asked to create something of a path. */
  creations(path: string): number {
    return this.emulator.requests.filter((request) => request.method === "POST" && request.path === path)
      .length;
  }

  /** Resolves once the service has been asked so many times to create something of a path. */
  async creating(path: string, times: number): Promise<void> {
    while (this.creations(path) < times) await sleep(20);
  }

  async #run(
    workflow: "plan" | "comment" | "apply",
    ref: string,
    event: object,
    contexts: Readonly<Record<string, string>>,
    more: NodeJS.ProcessEnv,
    diesIn?: string,
  ): Promise<JobResult> {
    // The token reaches a step only where the workflow hands it over.
    const { GITHUB_TOKEN: _, ...env } = this.github.job(event, more);
    const artifacts = join(this.repository.folder, "artifacts");
    mkdirSync(artifacts, { recursive: true });
    const text = githubFiles(this.settings)[`.github/workflows/agentform-${workflow}.yml`] ?? "";
    const given = { "matrix.environment": "default", "github.token": githubToken, ...contexts };
    return await runWorkflow(text, {
      repository: this.repository,
      machine: this.machine,
      ref,
      env,
      contexts: given,
      artifacts,
      ...(diesIn !== undefined && { diesIn }),
    });
  }
}

/** The documents of the first change: both agents. */
export const agents = { ...support(), ...greeter() };
