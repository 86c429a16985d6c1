import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { runIn } from "../cli/desk.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { parseWorkflow, type Workflow } from "./workflow.js";
import { wholeTest } from "../harness/tier.js";

const service = (more = "") =>
  `  service: {base_url: "https://a.example.com", rai_base_url: "https://r.example.com", api_key: "\${env:KEY}"${more}}\n`;

function manifest(name: string, spec = service()): string {
  return `apiVersion: agentform/v1\nkind: Workspace\nmetadata: {name: ${name}}\nspec:\n${spec}`;
}

const inGit = "  lock: {store: git}\n";
const staging =
  '    staging: {service: {base_url: "https://s.example.com", rai_base_url: "https://sr.example.com"}}\n';
const canary =
  '    canary: {service: {base_url: "https://c.example.com", rai_base_url: "https://cr.example.com", api_key: "${env:CANARY_KEY}"}}\n';
const environments = `  environments:\n${staging}`;

/** Opens a repository with the workspace `shop`. */
function openRepository(): DiskWorkspace {
  needProgram("git");
  const opened = makeWorkspace({ "shop/agentform.yaml": manifest("shop", service() + environments + inGit) });
  opened.remove("agentform.yaml");
  execFileSync("git", ["init", "--quiet", opened.directory]);
  return opened;
}

/** Gives what opens such a repository with the jobs of `shop`, which are written once and then copied. */
function openerWithJobs(ci: "github" | "gitlab"): () => Promise<DiskWorkspace> {
  let prepared: string | undefined;
  afterAll(() => {
    if (prepared !== undefined) rmSync(prepared, { recursive: true });
  });
  return async () => {
    if (prepared === undefined) {
      const first = openRepository();
      expect(await runIn(first.directory, ["init", "--ci", ci, "shop"])).toMatchObject({ code: 0 });
      prepared = mkdtempSync(join(tmpdir(), "agentform-jobs-"));
      cpSync(first.directory, prepared, { recursive: true });
      return first;
    }
    const opened = makeWorkspace({});
    opened.remove("agentform.yaml");
    cpSync(prepared, opened.directory, { recursive: true });
    return opened;
  };
}

const jobsOf = (text: string): Workflow["jobs"] => parseWorkflow(text).jobs;

describe("init --ci github again", () => {
  const openWithJobs = openerWithJobs("github");
  const init = (directory: string, ...args: string[]) =>
    runIn(directory, ["init", "--ci", "github", ...args]);
  const file = (name: string) => `.github/workflows/agentform-${name}.yml`;

  wholeTest("writes nothing where the jobs are as their workspaces need them", async () => {
    const { directory } = await openWithJobs();
    const again = await init(directory, "shop");
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toMatch(
      /^\nThe jobs are unchanged, and run this version, \S+\. They need, as secrets of the environment staging:\n\n {2}KEY\n$/,
    );
  });

  test("adds a new environment, its secret and a moved store, and keeps what a person wrote", async () => {
    const { directory, read, write } = await openWithJobs();
    const edited = read(file("apply"))
      .replace("timeout-minutes: 60", "timeout-minutes: 90")
      .replace(
        "KEY: ${{ secrets.KEY }}",
        "KEY: ${{ secrets.SHOP_KEY }}\n          HTTPS_PROXY: http://proxy:3128",
      )
      .replace("      - name: See what", "      # Ours.\n      - run: ./prepare.sh\n      - name: See what");
    write({
      [file("apply")]: edited,
      "shop/agentform.yaml": manifest("shop", service() + environments + canary),
    });
    const { code, out } = await init(directory, "shop");
    expect(code).toBe(0);
    expect(out.split("\n\n")[0]).toBe(`  .github/workflows/agentform-plan.yml
      jobs.plan.strategy.matrix.environment: + canary
      jobs.plan.env.AGENTFORM_STORE: git → file
      jobs.plan.steps.actions/checkout.with.fetch-depth: 2 → 0
  .github/workflows/agentform-comment.yml
      jobs.comment.strategy.matrix.environment: + canary
  .github/workflows/agentform-apply.yml
      jobs.apply.strategy.matrix.environment: + canary
      jobs.apply.env.AGENTFORM_STORE: git → file
      jobs.apply.steps.Apply.env.CANARY_KEY: + \${{ secrets.CANARY_KEY }}
      jobs.apply.steps: + save
      jobs.apply.steps: + actions/upload-artifact`);
    expect(out).toContain("environments staging, canary:\n\n  CANARY_KEY\n  KEY\n");
    const apply = jobsOf(read(file("apply")))["apply"];
    expect(apply?.strategy.matrix.environment).toEqual(["staging", "canary"]);
    expect(apply?.env).toMatchObject({ AGENTFORM_STORE: "file" });
    const named = apply?.steps.map(({ name, run, uses }) => name ?? uses?.replace(/@.*/, "") ?? run);
    expect(named?.slice(3)).toEqual([
      "./prepare.sh",
      "See what was reviewed",
      "Apply",
      "Save the state",
      "actions/upload-artifact",
      "Report what is left to apply",
    ]);
    const env = apply?.steps.find(({ name }) => name === "Apply")?.env;
    expect(env).toMatchObject({ KEY: "${{ secrets.SHOP_KEY }}", HTTPS_PROXY: "http://proxy:3128" });
    expect(read(file("apply"))).toContain("timeout-minutes: 90");
    expect(read(file("apply"))).toContain("      # Ours.\n      - run: ./prepare.sh\n");
    const again = (await init(directory, "shop")).out;
    expect(again).toContain("The jobs are unchanged");
    expect(again).toContain(`text of your own or of another version:\n\n  ${file("apply")}\n`);
  });

  test("gives jobs that nobody has edited as they would be written today", async () => {
    const { directory, read, write } = await openWithJobs();
    write({ "shop/agentform.yaml": manifest("shop", service() + environments + canary) });
    await init(directory, "shop");
    const names = ["plan", "comment", "apply"];
    const updated = names.map((name) => read(file(name)));
    execFileSync("rm", ["-r", join(directory, ".github")]);
    await init(directory, "shop");
    expect(names.map((name) => read(file(name)))).toEqual(updated);
  });

  test("takes away an environment and steps that the workspace does not have any more", async () => {
    const { directory, read, write } = openRepository();
    write({ "shop/agentform.yaml": manifest("shop") });
    await init(directory, "shop");
    expect(read(file("apply"))).toContain("save-state.sh");
    write({ "shop/agentform.yaml": manifest("shop", service() + environments + inGit) });
    const { out } = await init(directory, "shop");
    expect(out).toContain("jobs.plan.strategy.matrix.environment: - default\n");
    expect(out).toContain("jobs.plan.strategy.matrix.environment: + staging\n");
    expect(read(file("apply"))).not.toContain("save-state.sh");
  });

  test("-e adds jobs for one environment to those that are there", async () => {
    const { directory, read, write } = await openWithJobs();
    write({ "shop/agentform.yaml": manifest("shop", service() + environments + canary + inGit) });
    await init(directory, "-e", "canary", "shop");
    expect(jobsOf(read(file("plan")))["plan"]?.strategy.matrix.environment).toEqual(["canary", "staging"]);
  });

  test("adds a nightly look at the service once it can be asked, with the secrets that it needs", async () => {
    const { directory, read, write } = openRepository();
    write({
      "shop/credentials/p.yaml": documentText("Credential", "p", {
        name: "p",
        credentials: { key: "${env:P}" },
      }),
    });
    await init(directory, "shop");
    const asked = service(', operations: {agent: {read: "GET /v3/agents/{id}"}}');
    write({ "shop/agentform.yaml": manifest("shop", asked + environments + inGit) });
    const { code, out } = await init(directory, "shop");
    expect([code, out.split("\n\n")[0]]).toEqual([0, `  ${file("drift")}`]);
    const job = jobsOf(read(file("drift")))["drift"];
    expect(Object.keys(job?.steps.at(-1)?.env ?? {})).toEqual(["AGENTFORM_GIT_TOKEN", "KEY"]);
    expect((await init(directory, "shop")).out).toContain("The jobs are unchanged");
  });

  test("writes the one file that is missing", async () => {
    const { directory, read, remove } = await openWithJobs();
    const text = read(file("comment"));
    remove(file("comment"));
    const { code, out } = await init(directory, "shop");
    expect([code, out.split("\n\n")[0]]).toEqual([0, `  ${file("comment")}`]);
    expect(read(file("comment"))).toBe(text);
  });

  test("brings agentform itself to this version, and says from which", async () => {
    const { directory, read, write } = await openWithJobs();
    const lock = ".github/agentform/package-lock.json";
    const packed = read(lock);
    write({
      [lock]: packed.replaceAll(/"version": "\d+\.\d+\.\d+",(\s+"resolved")/g, '"version": "0.0.1",$1'),
    });
    const { out } = await init(directory, "shop");
    expect(out).toMatch(/^ {2}\.github\/agentform\/package-lock\.json\n {6}version: 0\.0\.1 → \d/);
    expect(out).toContain("The jobs are unchanged");
    expect(read(lock)).toBe(packed);
  });

  test("no two workspaces share an environment of GitHub, whose secrets would be those of both", async () => {
    const { directory, read, write } = await openWithJobs();
    const at = (name: string) => `  environments:\n${staging.replace("staging", name)}`;
    const shared = "environment: shop-eu-${{ matrix.environment }}";
    write({ "shop-eu/agentform.yaml": manifest("shop-eu", service() + at("staging") + inGit) });
    write({ "shop/agentform.yaml": manifest("shop", service() + at("shop-eu-staging") + inGit) });
    await init(directory, "shop");
    const second = await init(directory, "shop-eu");
    expect(second).toMatchObject({ code: 0, out: expect.stringContaining("environment shop-eu-2-staging:") });
    expect(read(file("apply-shop-eu-2"))).toContain("environment: shop-eu-2-${{ matrix.environment }}");
    // Jobs of before, or an environment that came later.
    for (const name of ["plan", "comment", "apply"]) {
      const text = read(file(`${name}-shop-eu-2`)).replaceAll("shop-eu-2", "shop-eu");
      write({ [file(`${name}-shop-eu`)]: text });
      execFileSync("rm", [join(directory, file(`${name}-shop-eu-2`))]);
    }
    expect(read(file("apply-shop-eu"))).toContain(shared);
    const told = await init(directory, "shop");
    expect(told).toMatchObject({ code: 1 });
    expect(told.out).toContain("`shop` and `shop-eu` share the environment `shop-eu-staging`");
  });

  test("a second workspace gets jobs, queues and secrets of its own; both are compared from then on", async () => {
    const { directory, read, write } = await openWithJobs();
    const first = read(file("apply"));
    write({ "teams/desk/agentform.yaml": manifest("desk", service() + environments + inGit) });
    const seen = await init(directory, "shop");
    expect(seen.out).toContain("`agentform init --ci github DIR` writes them:\n\n  teams/desk\n");
    const { code, out } = await init(directory, "teams/desk");
    expect(code).toBe(0);
    expect(out).toContain("as secrets of the environment teams-desk-staging:");
    expect(read(file("apply"))).toBe(first);
    const [plan, comment, apply] = ["plan", "comment", "apply"].map((name) =>
      parseWorkflow(read(file(`${name}-teams-desk`))),
    );
    expect(comment?.on["workflow_run"]).toMatchObject({ workflows: [plan?.name] });
    expect(plan?.name).not.toBe(parseWorkflow(read(file("plan"))).name);
    expect(apply?.jobs["apply"]).toMatchObject({
      environment: "teams-desk-${{ matrix.environment }}",
      concurrency: { group: "agentform-apply-teams-desk-${{ matrix.environment }}" },
      env: { AGENTFORM_WORKSPACE: "teams/desk" },
    });
    write({ "shop/agentform.yaml": manifest("shop", service() + environments + canary + inGit) });
    const both = await init(directory, "teams/desk");
    expect(both.out).toContain(`  ${file("plan")}\n      jobs.plan.strategy.matrix.environment: + canary\n`);
    expect(both.out).not.toContain("without jobs");
  });

  test("a workspace with the name of another is refused, because their comments would be one", async () => {
    const { directory, write } = await openWithJobs();
    write({ "copy/agentform.yaml": manifest("shop") });
    const { code, err } = await init(directory, "copy");
    expect([code, err]).toEqual([64, expect.stringContaining("both called `shop`")]);
    expect(existsSync(join(directory, file("plan-copy")))).toBe(false);
  });

  test.each<[string, (text: string) => string, string]>([
    ["is no YAML", () => "a: [", "it cannot be read as YAML"],
    ["has no job", () => "mine\n", "AGENTFORM_WORKSPACE must be `shop`"],
    [
      "has no matrix",
      (text) => text.replace("environment: [", "somewhere: ["),
      "no job for the environment `staging`",
    ],
    [
      "has another store",
      (text) => text.replace("AGENTFORM_STORE: git", "AGENTFORM_STORE: ${{ vars.S }}"),
      "",
    ],
  ])("never says that all is well where a file %s", async (_, edit, says) => {
    const { directory, read, write } = await openWithJobs();
    write({ [file("plan")]: edit(read(file("plan"))) });
    const text = read(file("plan"));
    const { code, out } = await init(directory, "shop");
    if (says === "") return expect(read(file("plan"))).toContain("AGENTFORM_STORE: git");
    expect(code).toBe(1);
    expect(out).toContain(`Left to do by hand:\n\n  ${file("plan")}: `);
    expect(out).toContain(says);
    expect(out).not.toContain("The jobs are unchanged");
    expect(read(file("plan"))).toBe(text);
  });

  test("finds jobs under the names that a person gave them", async () => {
    const { directory, read, write, remove } = await openWithJobs();
    for (const name of ["plan", "apply"]) {
      write({ [`.github/workflows/${name}-agents.yaml`]: read(file(name)) });
      remove(file(name));
    }
    write({ "shop/agentform.yaml": manifest("shop", service() + environments + canary + inGit) });
    const { out } = await init(directory, "shop");
    expect(out).toContain(
      "  .github/workflows/apply-agents.yaml\n      jobs.apply.strategy.matrix.environment: + canary\n",
    );
    expect([existsSync(join(directory, file("plan"))), existsSync(join(directory, file("apply")))]).toEqual([
      false,
      false,
    ]);
  });

  test("at the top of a repository means the jobs that are there, not one more workspace", async () => {
    const { directory } = await openWithJobs();
    expect((await init(directory)).out).toContain("The jobs are unchanged");
    expect(existsSync(join(directory, "agentform.yaml"))).toBe(false);
  });

  test("is refused where the CI alone knows the workspace, as jobs would be there twice", async () => {
    const { directory, read, write } = await openWithJobs();
    for (const name of ["plan", "apply"]) {
      write({
        [file(name)]: read(file(name)).replace(
          'AGENTFORM_WORKSPACE: "shop"',
          "AGENTFORM_WORKSPACE: ${{ matrix.w }}",
        ),
      });
    }
    const { code, out, err } = await init(directory, "shop");
    expect([code, out, err]).toEqual([64, "", expect.stringContaining("`${{ matrix.w }}`")]);
  });

  test("says which jobs are of no workspace of the repository", async () => {
    const { directory, write, remove } = await openWithJobs();
    write({ "store/agentform.yaml": manifest("store") });
    remove("shop/agentform.yaml");
    const { out } = await init(directory, "store");
    expect(out).toContain(`${file("plan")}: there is no workspace \`shop\` in this repository`);
  });
});

describe("init --ci gitlab again", () => {
  const openWithJobs = openerWithJobs("gitlab");
  const init = (directory: string, ...args: string[]) =>
    runIn(directory, ["init", "--ci", "gitlab", ...args]);

  test("adds a nightly look at the service once it can be asked", async () => {
    const { directory, read, write } = await openWithJobs();
    const asked = service(', operations: {agent: {read: "GET /v3/agents/{id}"}}');
    write({ "shop/agentform.yaml": manifest("shop", asked + environments + inGit) });
    const { code, out } = await init(directory, "shop");
    expect(code).toBe(0);
    expect(out).toContain("  .gitlab/agentform.yml\n      agentform-drift: + ");
    const jobs = parse(read(".gitlab/agentform.yml")) as Record<string, Record<string, unknown>>;
    expect(jobs["agentform-drift"]?.["rules"]).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule"' }]);
    expect((await init(directory, "shop")).out).toContain("The jobs are unchanged");
  });

  test("reads a pipeline with tags of GitLab's own, and warns of none", async () => {
    const { directory, read, write } = await openWithJobs();
    const own = `${read(".gitlab-ci.yml")}build:\n  script: !reference [.common, script]\n`;
    write({
      ".gitlab-ci.yml": own,
      ".gitlab/agentform.yml": `${read(".gitlab/agentform.yml")}own: !own {}\n`,
    });
    const warn = vi.spyOn(process, "emitWarning");
    onTestFinished(() => warn.mockRestore());
    const { code, out } = await init(directory, "shop");
    expect([code, out]).toEqual([0, expect.stringContaining("The jobs are unchanged")]);
    expect(warn).not.toHaveBeenCalled();
    expect(read(".gitlab-ci.yml")).toBe(own);
  });

  test("adds a new environment and a moved store, and names all variables", async () => {
    const { directory, read, write } = await openWithJobs();
    write({
      ".gitlab/agentform.yml": read(".gitlab/agentform.yml").replace("stage: deploy", "stage: release"),
      "shop/agentform.yaml": manifest(
        "shop",
        `${service()}${environments}${canary}  lock: {store: http, gitlab: {project: g/p}}\n`,
      ),
    });
    const { code, out } = await init(directory, "shop");
    expect(code).toBe(0);
    expect(out).toContain(
      ".agentform.variables.AGENTFORM_STORE: git → {store: http, gitlab: {project: g/p}}\n",
    );
    expect(out).toContain("as variables of the project:\n\n  CANARY_KEY\n  KEY\n  GITLAB_TOKEN: ");
    // The state is not pushed, so there is nothing that needs this one.
    expect(out).not.toContain("AGENTFORM_PUSH_TOKEN: ");
    const jobs = parse(read(".gitlab/agentform.yml")) as Record<string, Record<string, unknown>>;
    expect(jobs[".agentform"]?.["parallel"]).toEqual({
      matrix: [{ AGENTFORM_ENVIRONMENT: ["staging", "canary"] }],
    });
    expect(jobs["agentform-apply"]).toMatchObject({ stage: "release" });
    expect(jobs["agentform-apply"]).not.toHaveProperty("after_script");
    expect(JSON.stringify(jobs)).not.toContain("AGENTFORM_PUSH_TOKEN");
    expect((await init(directory, "shop")).out).toContain("The jobs are unchanged");
  });

  test("a second workspace gets jobs of its own names, and the pipeline includes them", async () => {
    const { directory, read, write } = await openWithJobs();
    write({ "desk/agentform.yaml": manifest("desk", service() + inGit) });
    expect(await init(directory, "desk")).toMatchObject({ code: 0 });
    expect(read(".gitlab-ci.yml")).toBe(
      "include:\n  - local: .gitlab/agentform.yml\n  - local: .gitlab/agentform-desk.yml\n",
    );
    const jobs = parse(read(".gitlab/agentform-desk.yml")) as Record<string, object>;
    expect(Object.keys(jobs)).toEqual([".agentform-desk", "agentform-plan-desk", "agentform-apply-desk"]);
    expect(jobs["agentform-apply-desk"]).toMatchObject({
      extends: ".agentform-desk",
      resource_group: "agentform-apply-desk-$AGENTFORM_ENVIRONMENT",
      environment: { name: "desk-$AGENTFORM_ENVIRONMENT" },
    });
  });

  test("a pipeline that does not include the jobs is never well", async () => {
    const { directory, read, write } = await openWithJobs();
    write({ ".gitlab-ci.yml": "stages: [test]\n" });
    const { code, out } = await init(directory, "shop");
    expect([code, out]).toEqual([
      1,
      expect.stringContaining("add `local: .gitlab/agentform.yml` to its `include`"),
    ]);
    expect(read(".gitlab-ci.yml")).toBe("stages: [test]\n");
    write({ ".gitlab-ci.yml": "include: /.gitlab/*.yml\n" });
    expect(await init(directory, "shop")).toMatchObject({ code: 0 });
  });
});

test("the line for merges of locks is for a state in files alone", async () => {
  const { directory } = openRepository();
  expect((await runIn(directory, ["init", "one"])).out).toContain("merge.agentform.driver");
  const { out } = await runIn(directory, ["init", "--ci", "github", "two"]);
  expect(out).toContain("agentform plan -C two --emulator");
  expect(out).not.toContain("merge.agentform");
});
