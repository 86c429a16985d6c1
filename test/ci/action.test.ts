import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { githubToken, pullRequest, startGithub } from "../forge/fake-github.js";
import { credential, folder, manifest, policy } from "./desk.js";
import { Machine, type Ended } from "./job-process.js";
import { Repository } from "./repository.js";
import type { Step } from "./workflow.js";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = parse(readFileSync("action.yml", "utf8")) as Action;

/** Runs the action the way that GitHub's runner does. */
async function use(
  given: Readonly<Record<string, string>>,
  { machine, cwd, env }: { machine: Machine; cwd: string; env: NodeJS.ProcessEnv },
): Promise<Ended> {
  const step = action.runs.steps.find(({ run }) => run !== undefined);
  const values = Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, expression]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1] ?? "";
      return [name, given[input] ?? action.inputs[input]?.default ?? ""];
    }),
  );
  return await machine.run(step?.run ?? "", cwd, { ...env, ...values });
}

test("its steps plan and comment, with the agentform of its own version", async () => {
  const repository = new Repository({ ...manifest("http://127.0.0.1:1", "git"), ...credential() });
  const { number } = repository.propose(policy());
  const github = await startGithub([pullRequest(number)]);
  const { GITHUB_TOKEN: _, ...job } = github.job({ pull_request: { number } });
  const machine = new Machine(repository.folder);
  const cwd = repository.checkOut(`refs/pull/${number}/merge`, 2);
  const env = { ...job, GITHUB_ACTION_PATH: resolve("."), RUNNER_TEMP: repository.folder };
  const inputs = { workspace: folder, token: githubToken };
  const planned = await use({ ...inputs, step: "plan" }, { machine, cwd, env });
  expect([planned.code, planned.output]).toEqual([0, expect.stringContaining("Plan: 2 to create.")]);
  expect((await use({ ...inputs, step: "comment" }, { machine, cwd, env })).code).toBe(0);
  expect(github.comments(number)[0]?.body).toContain("policy:strict");

  const unknown = await use({ ...inputs, step: "destroy" }, { machine, cwd, env });
  expect([unknown.code, unknown.output]).toEqual([64, "error: the action has no step `destroy`\n"]);
});

test("another version is installed first, away from the checkout", async () => {
  const repository = new Repository({ ...manifest("http://127.0.0.1:1", "git"), ...policy() });
  const machine = new Machine(repository.folder);
  const path = join(repository.folder, "action");
  mkdirSync(path);
  cpSync("ci", join(path, "ci"), { recursive: true });
  writeFileSync(join(path, "package.json"), '{\n  "name": "agentform",\n  "version": "9.9.9",\n}\n');
  const cwd = repository.checkOut("refs/heads/main", 1);
  await use({ step: "comment" }, { machine, cwd, env: { GITHUB_ACTION_PATH: path } });
  expect(readFileSync(machine.npmLog, "utf8")).toBe("install --global --ignore-scripts agentform@9.9.9\n");
});
