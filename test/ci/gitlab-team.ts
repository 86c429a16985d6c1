import { existsSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { gitlabFiles, gitlabJobs, gitlabPackage } from "../../src/cli/init/init-files-gitlab.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import { gitlabToken, startGitlab, type FakeGitlab } from "../forge/fake-gitlab.js";
import { credential, folder, installed, manifest, policy, secrets } from "./desk.js";
import { Machine, type Ended } from "./job-process.js";
import { StateServer } from "../store/state-server.js";
import { Repository, type Change } from "./repository.js";

/** A job of GitLab CI, as far as ours use it. */
export interface GitlabJob {
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly after_script?: readonly string[];
  readonly interruptible?: boolean;
  readonly timeout?: string;
  readonly retry?: number;
  readonly resource_group?: string;
}

/** How a job of GitLab CI ended, and where it ran. */
export interface GitlabResult extends Ended {
  readonly folder: string;
}

type StoreName = "git" | "file" | "http";

/** A team on GitLab with a workspace, a service and the jobs that `init --ci gitlab` writes. */
export class GitlabTeam {
  readonly #jobs: Readonly<Record<string, GitlabJob>>;

  private constructor(
    readonly repository: Repository,
    readonly emulator: Emulator,
    readonly gitlab: FakeGitlab,
    readonly machine: Machine,
    /** The states that it keeps for jobs with the token of a job. */
    private readonly states: StateServer,
    private readonly store: StoreName,
  ) {
    this.#jobs = parseJobs(store);
  }

  static async open(store: StoreName, faults: readonly EmulatedFault[] = []): Promise<GitlabTeam> {
    const emulator = await startEmulator({ faults });
    const states = await StateServer.start({ form: "gitlab", credentials: "gitlab-ci-token:job-t0ken" });
    onTestFinished(async () => {
      await emulator.close();
      await states.close();
    });
    const repository = new Repository({
      ...manifest(emulator.url, store),
      ...policy(),
      ...credential(),
      ...installed(gitlabPackage),
    });
    const gitlab = await startGitlab([], states);
    return new GitlabTeam(repository, emulator, gitlab, new Machine(repository.folder), states, store);
  }

  /** Opens a merge request, without its pipeline. */
  offer(files: Readonly<Record<string, string | null>>): Change {
    const change = this.repository.propose(files);
    this.gitlab.requests.push({ iid: change.number, notes: [] });
    return change;
  }

  /** Opens a merge request; its pipeline plans it. */
  async propose(files: Readonly<Record<string, string | null>>): Promise<Change> {
    const change = this.offer(files);
    const planned = await this.plan(change);
    if (planned.code !== 0) throw new Error(planned.output);
    return change;
  }

  /** Runs the pipeline of a merge request. */
  async plan({ number, head }: Change, more: NodeJS.ProcessEnv = {}): Promise<GitlabResult> {
    return await this.#run("agentform-plan", head, {
      CI_MERGE_REQUEST_IID: String(number),
      CI_MERGE_REQUEST_PROJECT_ID: "7",
      CI_MERGE_REQUEST_PROJECT_URL: this.repository.url.replace(/\.git$/, ""),
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      ...more,
    });
  }

  /** Merges a merge request, without what this sets off. */
  merge(change: Change): string {
    const commit = this.repository.merge(change);
    const request = this.gitlab.requests.find(({ iid }) => iid === change.number);
    Object.assign(request ?? {}, { mergedAs: commit });
    return commit;
  }

  /** Runs the pipeline of a commit on main. */
  async apply(commit: string): Promise<GitlabResult> {
    const pushing = this.store === "http" ? {} : { AGENTFORM_PUSH_TOKEN: "push-t0ken" };
    return await this.#run("agentform-apply", commit, { ...secrets, ...pushing });
  }

  /** The text of the note on a merge request. */
  noteOn({ number }: Change): string {
    return this.gitlab.notes(number)[0]?.body ?? "";
  }

  /** The lock as the remote has it; undefined where there is none. */
  lock(): string | undefined {
    if (this.store === "http") {
      const lock = this.states.state("/api/v4/projects/7/terraform/state/desk")?.["lock"];
      return typeof lock === "string" ? lock : undefined;
    }
    return this.store === "git"
      ? this.repository.read("refs/agentform/desk/default", "lock.json")
      : this.repository.read("main", `${folder}/agentform.lock`);
  }

  async #run(name: string, ref: string, more: NodeJS.ProcessEnv): Promise<GitlabResult> {
    const job = { ...this.#jobs[".agentform"], ...this.#jobs[name] };
    const checkout = this.repository.checkOut(ref, 0);
    const env = this.gitlab.job({
      ...job.variables,
      AGENTFORM_ENVIRONMENT: "default",
      AGENTFORM_BRANCH: "main",
      CI_COMMIT_SHA: ref,
      CI_DEFAULT_BRANCH: "main",
      CI_JOB_ID: "71",
      CI_JOB_TOKEN: "job-t0ken",
      CI_PROJECT_DIR: checkout,
      CI_PROJECT_URL: this.repository.url.replace(/\.git$/, ""),
      ...more,
    });
    const script = [...(job.before_script ?? []), ...(job.script ?? [])].join("\n");
    const ended = await this.machine.run(script, checkout, env);
    const after = await this.machine.run((job.after_script ?? []).join("\n"), checkout, env);
    return { code: ended.code, output: ended.output + after.output, folder: checkout };
  }
}

/** Gives the jobs that are written for the desk, by name. */
export function parseJobs(store: StoreName): Readonly<Record<string, GitlabJob>> {
  const files = gitlabFiles({
    suffix: "",
    workspace: folder,
    environments: ["default"],
    place: store === "http" ? "{store: http, gitlab: {project: 7}}" : store,
    branch: "main",
    secrets: Object.keys(secrets),
    storeSecrets: [],
  });
  return parse(files[`${gitlabJobs}/agentform.yml`] ?? "") as Record<string, GitlabJob>;
}

/** The token of the notes, which no job may print. */
export const tokens = [gitlabToken, "push-t0ken", "job-t0ken"];

/** Whether a job has left the plan that is kept as its artifact. */
export function hasPlan({ folder: checkout }: GitlabResult): boolean {
  return existsSync(join(checkout, "agentform-plan.json"));
}
