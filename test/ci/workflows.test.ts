import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { main } from "../../src/cli/main.js";
import type { CiSettings } from "../../src/cli/init/ci-workspace.js";
import { githubFiles } from "../../src/cli/init/init-files-github.js";
import { gitlabFiles, gitlabJobs } from "../../src/cli/init/init-files-gitlab.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { runCli } from "../package/run-cli.js";
import { parseJobs } from "./gitlab-team.js";
import { parseWorkflow, type Job, type Step, type Workflow } from "./workflow.js";
import { needProgram } from "../harness/need.js";
import { wholeTest } from "../harness/tier.js";

const settings: CiSettings = {
  suffix: "",
  workspace: ".",
  environments: ["default"],
  place: "git",
  branch: "main",
  secrets: ["AGENT_API_KEY"],
  storeSecrets: [],
  lookSecrets: ["AGENT_API_KEY"],
};

type Name = "plan" | "comment" | "apply" | "drift";

function textOf(name: Name, store: "git" | "file" = "git"): string {
  return githubFiles({ ...settings, place: store })[`.github/workflows/agentform-${name}.yml`] ?? "";
}

function jobOf(workflow: Workflow): Job {
  const [job] = Object.values(workflow.jobs);
  if (!job) throw new Error("there is no job");
  return job;
}

describe.each(["git", "file"] as const)("the workflows of GitHub, with a %s store", (store) => {
  test.each<[Name, string[], Record<string, string>]>([
    ["plan", ["pull_request", "merge_group"], { contents: "read" }],
    ["comment", ["workflow_run"], { actions: "read", contents: "read", "pull-requests": "write" }],
    ["apply", ["push", "workflow_dispatch"], { contents: "write", "pull-requests": "write" }],
    ["drift", ["schedule", "workflow_dispatch"], { contents: "read" }],
  ])("%s has the least permissions for its events", (name, events, permissions) => {
    const workflow = parseWorkflow(textOf(name, store));
    expect(Object.keys(workflow.on)).toEqual(events);
    expect(workflow.permissions).toEqual({});
    expect(jobOf(workflow).permissions).toEqual(permissions);
  });

  test.each<Name>(["plan", "comment", "apply", "drift"])(
    "%s is pinned, and nothing untrusted is in a script",
    (name) => {
      const text = textOf(name, store);
      checkSteps(jobOf(parseWorkflow(text)).steps, text);
      expect(text).not.toMatch(/npm (install|i|exec)\b|npx /);
    },
  );

  test("secrets are for the apply alone, and only the step that applies has them", () => {
    expect(textOf("plan", store) + textOf("comment", store)).not.toContain("secrets.");
    const steps = jobOf(parseWorkflow(textOf("apply", store))).steps;
    const holders = steps.filter(({ env = {} }) =>
      Object.values(env).some((value) => value.includes("secrets.")),
    );
    expect(holders.map(({ name }) => name)).toEqual(["Apply"]);
  });

  test("what writes comments checks out the default branch alone, and is of what a fork cannot change", () => {
    const { steps } = jobOf(parseWorkflow(textOf("comment", store)));
    const checkouts = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout"));
    expect(checkouts.map(({ with: given }) => given)).toEqual([{ "persist-credentials": false }]);
    const names = ["plan", "comment", "apply"] as const;
    expect(names.filter((name) => "pull_request_target" in parseWorkflow(textOf(name, store)).on)).toEqual(
      [],
    );
  });

  test("a tag with the name of the branch applies nothing", () => {
    expect(jobOf(parseWorkflow(textOf("apply", store))).if).toBe("github.ref == 'refs/heads/main'");
  });

  test("a plan that does not end holds no other", () => {
    const workflow = parseWorkflow(textOf("plan", store));
    expect(jobOf(workflow)["timeout-minutes"]).toBe(10);
    expect(textOf("plan", store)).toContain("group: agentform-plan-${{ github.ref }}");
  });

  test("no apply is ever cancelled, and each environment has a queue of its own", () => {
    const { concurrency } = jobOf(parseWorkflow(textOf("apply", store)));
    expect(concurrency?.["cancel-in-progress"]).toBe(false);
    expect(concurrency?.group).toContain("matrix.environment");
  });

  test("the state is saved whatever became of the apply", () => {
    const saving = jobOf(parseWorkflow(textOf("apply", store))).steps.find(({ id }) => id === "save");
    expect(saving?.if).toBe(store === "file" ? "always()" : undefined);
  });
});

function checkSteps(steps: readonly Step[], text: string): void {
  expect(steps.length).toBeGreaterThan(1);
  for (const { uses, run, with: given } of steps) {
    if (uses !== undefined) {
      expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+\\n`));
    }
    expect(run ?? "").not.toContain("${{");
    if (uses?.startsWith("actions/setup-node")) {
      expect(given).toEqual({ "node-version": 22, "package-manager-cache": false });
    }
    if (uses?.startsWith("actions/checkout")) expect(given).toMatchObject({ "persist-credentials": false });
  }
}

test("the action is pinned, hands all over by the environment, and every step that it names is a script", () => {
  const text = readFileSync("action.yml", "utf8");
  const action = parse(text) as { inputs: Record<string, { description: string }>; runs: { steps: Step[] } };
  checkSteps(action.runs.steps, text);
  const run = action.runs.steps.find(({ name }) => name === "Run the step");
  for (const name of Object.keys(action.inputs)) {
    expect(Object.values(run?.env ?? {})).toContain(`\${{ inputs.${name} }}`);
  }
  const steps = (action.inputs.step?.description ?? "").split(/, | or /).filter((step) => step !== "comment");
  expect(steps).toHaveLength(6);
  expect(steps.filter((step) => !existsSync(`ci/${step}.sh`))).toEqual([]);
});

describe("this repository's own workflows", () => {
  const read = (name: string) => parseWorkflow(readFileSync(`.github/workflows/${name}.yml`, "utf8"));

  test.each(["check", "publish", "site"])("%s is pinned, caches nothing, and has no secret", (name) => {
    const text = readFileSync(`.github/workflows/${name}.yml`, "utf8");
    expect(text).not.toContain("secrets.");
    const { permissions, jobs } = parseWorkflow(text);
    expect(permissions).toEqual({});
    for (const { uses, run, with: given } of Object.values(jobs).flatMap(({ steps = [] }) => steps)) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
      expect(run ?? "").not.toContain("${{");
      if (run?.startsWith("npm ci")) expect(run).toContain("--ignore-scripts");
      if (uses?.startsWith("actions/setup-node")) {
        expect(given).toMatchObject({ "package-manager-cache": false });
      }
      if (uses?.startsWith("actions/checkout")) expect(given).toEqual({ "persist-credentials": false });
    }
  });

  test("what publishes the site has no checkout and builds nothing", () => {
    const { build, publish } = read("site").jobs;
    expect(build?.permissions).toEqual({ contents: "read", pages: "read" });
    expect(publish?.permissions).toEqual({ pages: "write", "id-token": "write" });
    expect(publish?.steps.map(({ uses }) => uses?.split("@")[0])).toEqual(["actions/deploy-pages"]);
  });

  test("what publishes comes after all checks, builds nothing, and alone may show who it is", () => {
    const { on, jobs } = read("publish");
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(Object.entries(jobs).map(([name, { permissions }]) => [name, permissions])).toEqual([
      ["check", { contents: "read" }],
      ["pack", { contents: "read" }],
      ["publish", { "id-token": "write" }],
    ]);
    const { check, pack, publish } = jobs as Record<string, Job & { uses?: string; needs?: string }>;
    expect([check?.uses, pack?.needs, publish?.needs]).toEqual([
      "./.github/workflows/check.yml",
      "check",
      "pack",
    ]);
    expect(publish?.steps.flatMap(({ run }) => (run === undefined ? [] : [run]))).toEqual([
      expect.stringMatching(/^npm publish --ignore-scripts --provenance /),
    ]);
    const runs = read("check").jobs.check?.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    const programs = "fish mandoc neovim zsh";
    expect(runs).toEqual([
      "npm ci --ignore-scripts",
      `sudo apt-get update && sudo apt-get install --yes --no-install-recommends ${programs}`,
      "npm run check",
      "npm run test:all",
    ]);
  });
});

test("GitLab's jobs plan merge requests and apply the default branch, one after another", () => {
  const jobs = parseJobs("git");
  expect(Object.keys(jobs)).toEqual([".agentform", "agentform-plan", "agentform-apply"]);
  const { "agentform-plan": plan, "agentform-apply": apply } = jobs;
  expect([plan?.interruptible, apply?.interruptible]).toEqual([true, false]);
  expect(plan?.timeout).toBe("10 minutes");
  // To run it again is to approve, and a pipeline may have a `retry` for all its jobs.
  expect(apply?.retry).toBe(0);
  expect(apply?.resource_group).toContain("$AGENTFORM_ENVIRONMENT");
  expect(JSON.stringify(plan)).not.toContain("PUSH_TOKEN");
});

test("GitLab's jobs for a state in GitLab need no token that may push", () => {
  const jobs = parseJobs("http");
  expect(jobs[".agentform"]).toMatchObject({
    variables: { AGENTFORM_STORE: "{store: http, gitlab: {project: 7}}" },
  });
  expect(JSON.stringify(jobs)).not.toContain("PUSH_TOKEN");
  expect(jobs["agentform-apply"]).not.toHaveProperty("after_script");
  expect(gitlabFiles({ ...settings, place: "http" })[`${gitlabJobs}/agentform.yml`]).not.toContain(
    "PUSH_TOKEN",
  );
});

test("ci/gitlab.yml is what init writes", () => {
  const text = gitlabFiles(settings)[`${gitlabJobs}/agentform.yml`] ?? "";
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync("ci/gitlab.yml", text);
  expect(readFileSync("ci/gitlab.yml", "utf8")).toBe(text);
});

test.each(readdirSync("ci").filter((name) => name.endsWith(".sh")))("%s is plain sh", (name) => {
  execFileSync("sh", ["-n", join("ci", name)]);
  expect(readFileSync(join("ci", name), "utf8")).not.toMatch(/\[\[|\blocal\b|<<<|\bfunction\b|echo -e/);
});

describe("init --ci", () => {
  const documents = {
    "agentform.yaml": JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Workspace",
      metadata: { name: "desk" },
      spec: {
        service: { base_url: "https://a.example.com", api_key: "${env:KEY}" },
        environments: { staging: {}, production: { service: { api_key: "${env:LIVE_KEY}" } } },
        lock: { store: "file" },
      },
    }),
    "credentials/p.yaml": documentText("Credential", "p", {
      name: "p",
      credentials: { key: "${env:P_KEY@2}" },
    }),
  };

  wholeTest("writes the jobs of a workspace that exists to the root of its repository", async () => {
    const { directory, read, remove } = makeWorkspace({ ...prefixed("fleet/", documents) });
    remove("agentform.yaml");
    needProgram("git");
    execFileSync("git", ["init", "--quiet", directory]);
    const { code, out, err } = await run(join(directory, "fleet"), ["init", "--ci", "github"]);
    expect(code).toBe(0);
    expect(out).toBe(`  .github/workflows/agentform-plan.yml
  .github/workflows/agentform-comment.yml
  .github/workflows/agentform-apply.yml
  .github/CODEOWNERS
  .github/agentform/package.json
  .github/agentform/package-lock.json
  .github/agentform/agentform.tgz
  .github/agentform/.gitattributes
  .github/agentform/.gitignore

Jobs that plan every change and apply what was merged. They need, as secrets of each of the environments staging, production:

  KEY
  LIVE_KEY
  P_KEY

The state is in files, and the jobs push it to the branch. To move it to a ref of its own, where an apply uses no state that others wrote, set STATE_SEAL to a new key (\`openssl rand -hex 32\`), and run:

  agentform lock move --to '{store: git, seal: "\${env:STATE_SEAL}"}'
`);
    expect(err).toBe("note: jobs and workspaces are named from .., the top of the repository\n");

    const job = jobOf(parseWorkflow(read(".github/workflows/agentform-apply.yml")));
    expect(job.strategy.matrix.environment).toEqual(["staging", "production"]);
    expect(job.env).toMatchObject({ AGENTFORM_WORKSPACE: "fleet", AGENTFORM_STORE: "file" });
    expect(existsSync(join(directory, "fleet/policies"))).toBe(false);
  });

  wholeTest(
    "what reads the state has the credentials of its store, and the rest of the secrets is for the apply",
    async () => {
      const { directory, read } = makeWorkspace({
        "agentform.yaml": `${manifest}  lock: {store: postgres}\n`,
      });
      const { code, out } = await run(directory, ["init", "--ci", "github"]);
      expect(code).toBe(0);
      expect(out).toContain("PGPASSWORD");
      const { steps } = jobOf(parseWorkflow(read(".github/workflows/agentform-apply.yml")));
      const having = (name: string) =>
        steps.filter(({ env = {} }) => Object.hasOwn(env, name)).map((step) => step.name);
      const reads = ["See what was reviewed", "Apply", "Report what is left to apply"];
      expect(having("PGPASSWORD")).toEqual(reads);
      expect(having("AGENT_API_KEY")).toEqual(["Apply"]);
    },
  );

  test("the key of the seal is for the apply alone, and init says how to make one", async () => {
    const { directory, read } = makeWorkspace({
      "agentform.yaml": `${manifest}  lock: {store: git, seal: "\${env:STATE_SEAL}"}\n`,
    });
    const { out } = await run(directory, ["init", "--ci", "github"]);
    expect(out).toContain("  STATE_SEAL: the key of the seal; `openssl rand -hex 32` makes one\n");
    const { steps } = jobOf(parseWorkflow(read(".github/workflows/agentform-apply.yml")));
    const having = steps.filter(({ env = {} }) => Object.hasOwn(env, "STATE_SEAL"));
    expect(having.map((step) => step.name)).toEqual(["Apply"]);
    for (const name of ["plan", "comment"])
      expect(read(`.github/workflows/agentform-${name}.yml`)).not.toContain("STATE_SEAL");
  });

  test("a new workspace with jobs has a seal", async () => {
    const { directory, read, remove } = makeWorkspace({});
    remove("agentform.yaml");
    const { out } = await run(directory, ["init", "--ci", "gitlab", "desk"]);
    expect(read("desk/agentform.yaml")).toContain("seal: ${env:STATE_SEAL}");
    expect(out).toContain("  STATE_SEAL: the key of the seal");
    expect((await run(directory, ["plan", "-C", "desk", "--emulator"])).code).toBe(0);
  });

  test("-e writes them for one environment", async () => {
    const { directory, read } = makeWorkspace(documents);
    expect((await run(directory, ["init", "--ci", "github", "-e", "staging"])).code).toBe(0);
    const job = jobOf(parseWorkflow(read(".github/workflows/agentform-plan.yml")));
    expect(job.strategy.matrix.environment).toEqual(["staging"]);
  });

  wholeTest("a new workspace keeps its state on a ref of git, and plans", async () => {
    const { directory, read, remove } = makeWorkspace({});
    remove("agentform.yaml");
    const { code, out } = await run(directory, ["init", "--ci", "gitlab", "desk"]);
    expect(code).toBe(0);
    expect(out).toContain("WEATHER_TOKEN");
    expect(read("desk/agentform.yaml")).toContain("store: git");
    expect(read("desk/.gitlab-ci.yml")).toContain("local: .gitlab/agentform.yml");
    expect((await run(directory, ["plan", "-C", "desk", "--emulator"])).out).toContain("Plan: 4 to create.");
  });

  wholeTest("a new workspace for a fleet has jobs for each of its environments", async () => {
    const { directory, read, remove } = makeWorkspace({});
    remove("agentform.yaml");
    const { code, out } = await run(directory, ["init", "--fleet", "--ci", "github", "shop"]);
    expect(code).toBe(0);
    expect(out).toContain("as secrets of each of the environments staging, production");
    const job = jobOf(parseWorkflow(read("shop/.github/workflows/agentform-apply.yml")));
    expect(job.strategy.matrix.environment).toEqual(["staging", "production"]);
    expect(read("shop/agentform.yaml")).toContain("store: git");
  });

  test("a .gitlab-ci.yml that is there stays, and init says what to add to it", async () => {
    const { directory, read } = makeWorkspace({ ...documents, ".gitlab-ci.yml": "stages: [test]\n" });
    const { code, out } = await run(directory, ["init", "--ci", "gitlab"]);
    expect(code).toBe(0);
    expect(read(".gitlab-ci.yml")).toBe("stages: [test]\n");
    expect(out).toContain("add `local: .gitlab/agentform.yml` to its `include`");
  });

  test.each([
    ["a pattern of many stars", `include: {local: "/${"*".repeat(80)}x"}\n`],
    ["thousands of brackets", "[".repeat(20_000)],
  ])("a .gitlab-ci.yml with %s is looked at with bounded work", async (_, text) => {
    const { directory } = makeWorkspace({ ...documents, ".gitlab-ci.yml": text });
    const { code, stdout } = await runCli(["init", "--ci", "gitlab"], { cwd: directory });
    expect(code).toBe(0);
    expect(stdout).toContain("add `local: .gitlab/agentform.yml` to its `include`");
  });

  test("a default branch that would be an expression in a job is refused", async () => {
    const { directory } = makeWorkspace(documents);
    execFileSync("git", ["init", "--quiet", directory]);
    const head = ["refs/remotes/origin/HEAD", "refs/remotes/origin/${{secrets.KEY}}"];
    execFileSync("git", ["-C", directory, "symbolic-ref", ...head]);
    const { code, err } = await run(directory, ["init", "--ci", "github"]);
    expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining("cannot use the branch `${{") });
    expect(existsSync(join(directory, ".github"))).toBe(false);
  });

  test("a place of the state that would be an expression in a job is refused", async () => {
    const lock = `{store: http, gitlab: {project: "a/$\${{secrets.KEY}}"}}`;
    const { directory } = makeWorkspace({ ...documents, "agentform.yaml": `${manifest}  lock: ${lock}\n` });
    const { code, err } = await run(directory, ["init", "--ci", "github"]);
    expect({ code, err }).toEqual({
      code: 64,
      err: expect.stringContaining("cannot use the place `{store: "),
    });
    expect(existsSync(join(directory, ".github"))).toBe(false);
  });

  test("a folder that would be two folders in a job is refused", async () => {
    const { directory } = makeWorkspace({});
    execFileSync("git", ["init", "--quiet", directory]);
    const { code, err } = await run(directory, ["init", "--ci", "github", "care\ndesk"]);
    expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining("contains a line break") });
    expect(existsSync(join(directory, ".github"))).toBe(false);
  });

  test("a manifest that cannot be read is a diagnostic, and nothing is written", async () => {
    const { directory } = makeWorkspace({ "agentform.yaml": "kind: Workspace\n" });
    const { code, err } = await run(directory, ["init", "--ci", "github"]);
    expect(code).toBe(1);
    expect(err).toContain("agentform.yaml");
    expect(existsSync(join(directory, ".github"))).toBe(false);
  });
});

function prefixed(prefix: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [prefix + name, text]));
}

async function run(
  cwd: string,
  args: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const code = await main(args, {
    env: {},
    cwd,
    isTerminal: false,
    canAsk: false,
    showsProgress: false,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}
