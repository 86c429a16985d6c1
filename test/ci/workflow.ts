import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import type { Machine } from "./job-process.js";
import type { Repository } from "./repository.js";

/** A step of a workflow, as far as ours use it. */
export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A job of a workflow. */
export interface Job {
  readonly if?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly strategy: { readonly matrix: { readonly environment: readonly string[] } };
  readonly "timeout-minutes"?: number;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** A workflow of GitHub Actions. */
export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Parses the text of a workflow. */
export function parseWorkflow(text: string): Workflow {
  return parse(text) as Workflow;
}

/** What a job runs with. */
export interface JobSetting {
  readonly repository: Repository;
  readonly machine: Machine;
  /** The commit or ref that `actions/checkout` gives. */
  readonly ref: string;
  /** The environment that the runner itself provides. */
  readonly env: NodeJS.ProcessEnv;
  /** The values of `${{ … }}`, by their whole expression. */
  readonly contexts: Readonly<Record<string, string>>;
  /** The folder of the artifacts. */
  readonly artifacts: string;
  /** The name of the step after which the machine is gone, if it fails. */
  readonly diesIn?: string;
}

/** How a job ended, and what its steps wrote. */
export interface JobResult {
  readonly isSuccessful: boolean;
  readonly output: string;
  /** The steps that ran, by name, with their exit codes. */
  readonly codes: Readonly<Record<string, number | null>>;
  readonly folder: string;
}

/** Runs the only job of a workflow, in one environment of its matrix, the way that a runner of GitHub's does. */
export async function runWorkflow(text: string, setting: JobSetting): Promise<JobResult> {
  const [job] = Object.values(parseWorkflow(text).jobs);
  if (!job) throw new Error("the workflow has no job");
  const run = new JobRun(job, setting);
  for (const step of job.steps) {
    await run.step(step);
    if (step.name !== undefined && step.name === setting.diesIn) break;
  }
  return run.result();
}

class JobRun {
  #isSuccessful = true;
  #output = "";
  #folder: string;
  readonly #codes: Record<string, number | null> = {};
  readonly #outcomes = new Map<string, string>();
  readonly #files: {
    readonly env: string;
    readonly path: string;
    readonly summary: string;
    readonly temp: string;
  };

  constructor(
    private readonly job: Job,
    private readonly setting: JobSetting,
  ) {
    const place = mkdtempSync(join(setting.repository.folder, "runner-"));
    this.#folder = join(place, "work");
    mkdirSync(this.#folder);
    this.#files = {
      env: join(place, "env"),
      path: join(place, "path"),
      summary: join(place, "summary"),
      temp: join(place, "temp"),
    };
    mkdirSync(this.#files.temp);
    writeFileSync(this.#files.env, "");
  }

  async step(step: Step): Promise<void> {
    if (!this.#isWanted(step.if)) return;
    const isDone = step.uses === undefined ? await this.#run(step) : this.#use(step);
    if (step.id !== undefined) this.#outcomes.set(step.id, isDone ? "success" : "failure");
    if (!isDone) this.#isSuccessful = false;
  }

  result(): JobResult {
    return {
      isSuccessful: this.#isSuccessful,
      output: this.#output,
      codes: this.#codes,
      folder: this.#folder,
    };
  }

  #isWanted(condition: string | undefined): boolean {
    if (condition === undefined) return this.#isSuccessful;
    if (condition === "always()") return true;
    if (condition === "failure()") return !this.#isSuccessful;
    const [, id = "", outcome] = /^always\(\) && steps\.(\w+)\.outcome == '(\w+)'$/.exec(condition) ?? [];
    if (outcome === undefined) throw new Error(`no such condition is known: ${condition}`);
    return this.#outcomes.get(id) === outcome;
  }

  async #run({ name = "", run = "", env = {} }: Step): Promise<boolean> {
    const { machine, env: given } = this.setting;
    const ended = await machine.run(run, this.#folder, {
      ...given,
      GITHUB_ENV: this.#files.env,
      GITHUB_PATH: this.#files.path,
      GITHUB_WORKSPACE: this.#folder,
      GITHUB_STEP_SUMMARY: this.#files.summary,
      RUNNER_TEMP: this.#files.temp,
      ...this.#resolved(this.job.env ?? {}),
      ...Object.fromEntries(
        readFileSync(this.#files.env, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.split("=", 2)),
      ),
      ...this.#resolved(env),
    });
    this.#output += ended.output;
    this.#codes[name] = ended.code;
    return ended.code === 0;
  }

  #use({ uses = "", with: given = {} }: Step): boolean {
    const { repository, ref, artifacts } = this.setting;
    const values = this.#resolved(given);
    const action = uses.replace(/@.*/, "");
    if (action === "actions/setup-node") return true;
    if (action === "actions/checkout") {
      this.#folder = repository.checkOut(ref, Number(values["fetch-depth"] ?? 1));
      return true;
    }
    const stored = join(artifacts, values.name ?? "");
    if (action === "actions/upload-artifact") {
      mkdirSync(stored, { recursive: true });
      const path = resolve(this.#folder, values.path ?? "");
      cpSync(path, join(stored, basename(path)), { recursive: true });
      return true;
    }
    if (action !== "actions/download-artifact") throw new Error(`no such action is known: ${uses}`);
    const target = join(this.#folder, values.path ?? "");
    mkdirSync(dirname(target), { recursive: true });
    cpSync(stored, target, { recursive: true });
    return true;
  }

  #resolved(given: Readonly<Record<string, string | number | boolean>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        String(value).replaceAll(/\$\{\{ (.*?) \}\}/g, (_, path: string) => this.#context(path)),
      ]),
    );
  }

  #context(path: string): string {
    const own = {
      "runner.temp": this.#files.temp,
      "github.event.repository.default_branch": "main",
      "github.event.merge_group.base_sha": "",
    };
    const value = { ...own, ...this.setting.contexts }[path];
    if (value === undefined) throw new Error(`the workflow asks for ${path}, which the test does not give`);
    return value;
  }
}
