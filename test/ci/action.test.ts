import { cpSync, existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";
import { githubToken, pullRequest, startGithub } from "../forge/fake-github.js";
import { credential, folder, manifest, policy } from "./desk.js";
import { Machine, type Ended } from "./job-process.js";
import { Repository } from "./repository.js";
import type { Step } from "./workflow.js";
import { wholeTest } from "../harness/tier.js";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = parse(readFileSync("action.yml", "utf8")) as Action;

interface Run {
  readonly machine: Machine;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs the steps of the action the way that GitHub's runner does, up to one that fails. */
async function use(given: Readonly<Record<string, string>>, run: Run): Promise<Ended> {
  let [output, code]: [string, number | null] = ["", 0];
  for (const step of action.runs.steps.filter((each) => each.run !== undefined)) {
    const ended = await useStep(step, given, run);
    [output, code] = [output + ended.output, ended.code];
    if (code !== 0) break;
  }
  return { output, code };
}

async function useStep(
  step: Step,
  given: Readonly<Record<string, string>>,
  { machine, cwd, env }: Run,
): Promise<Ended> {
  const values = Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, expression]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1] ?? "";
      return [name, given[input] ?? action.inputs[input]?.default ?? ""];
    }),
  );
  return await machine.run(step.run ?? "", cwd, { ...env, ...values });
}

wholeTest("its steps plan and comment, with the agentform of its own version", async () => {
  const repository = new Repository({ ...manifest("http://127.0.0.1:1", "git"), ...credential() });
  const { number } = repository.propose(policy());
  const github = await startGithub([pullRequest(number)]);
  const { GITHUB_TOKEN: _, ...job } = github.job({ pull_request: { number } });
  const machine = new Machine(repository.folder);
  const cwd = repository.checkOut(`refs/pull/${number}/merge`, 2);
  const env = { ...job, GITHUB_ACTION_PATH: makeAction(repository), RUNNER_TEMP: repository.folder };
  const inputs = { workspace: folder, token: githubToken };
  const planned = await use({ ...inputs, step: "plan" }, { machine, cwd, env });
  expect([planned.code, planned.output]).toEqual([0, expect.stringContaining("Plan: 2 to create.")]);
  expect((await use({ ...inputs, step: "comment" }, { machine, cwd, env })).code).toBe(0);
  expect(github.comments(number)[0]?.body).toContain("policy:strict");

  const unknown = await use({ ...inputs, step: "destroy" }, { machine, cwd, env });
  expect([unknown.code, unknown.output]).toEqual([64, "error: the action does not have a step `destroy`\n"]);
});

/** A checkout of the action that was built already. */
function makeAction(repository: Repository): string {
  const path = join(repository.folder, "action");
  cpSync(join(inject("installed"), "node_modules/agentform"), path, { recursive: true });
  return path;
}

test("an action that was not built is built first, of its own lock file, without scripts and tokens", async () => {
  const repository = new Repository({ ...manifest("http://127.0.0.1:1", "git"), ...policy() });
  const machine = new Machine(repository.folder);
  const path = makeAction(repository);
  rmSync(join(path, "dist"), { recursive: true });
  const cwd = repository.checkOut("refs/heads/main", 1);
  const ended = await use({ step: "plan" }, { machine, cwd, env: { GITHUB_ACTION_PATH: path } });
  expect(ended.code).not.toBe(0);
  const [first] = readFileSync(machine.npmLog, "utf8").split("\n");
  expect(first).toBe(
    `${realpathSync(path)}: ci --no-workspaces --include=dev --ignore-scripts --no-audit --no-fund`,
  );
  const [, build] = action.runs.steps;
  expect(build?.env).toBeUndefined();
  expect(existsSync(join(cwd, "node_modules"))).toBe(false);
});
