import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runIn } from "../cli/desk.js";
import { makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { sample, wholeTest } from "../harness/tier.js";
import { manifestOf } from "../uses/platform.js";
import { Monorepo, setUpOf } from "./monorepo.js";
import { parseWorkflow } from "./workflow.js";

const url = "https://a.example.com";
const inGit = "lock: {store: git}";
const file = (name: string) => `.github/workflows/agentform-${name}.yml`;

function openRepository(files: Readonly<Record<string, string>>): DiskWorkspace {
  needProgram("git");
  const opened = makeWorkspace(files);
  opened.remove("agentform.yaml");
  execFileSync("git", ["init", "--quiet", opened.directory]);
  return opened;
}

const init = ({ directory }: DiskWorkspace, ...args: string[]) => runIn(directory, ["init", "--ci", ...args]);
const two = {
  "guard/agentform.yaml": manifestOf("guard", url, inGit),
  "care/agentform.yaml": manifestOf("care", url, inGit, "uses: {guard: {workspace: ../guard}}").replace(
    "AGENT_API_KEY",
    "CARE_KEY",
  ),
};

describe("init --ci --all", () => {
  wholeTest(
    "writes one set of jobs with all folders and secrets, which the same command and the one without it keep up to date",
    async () => {
      const opened = openRepository(two);
      const { code, out, err } = await init(opened, "github", "--all");
      expect(code, err).toBe(0);
      expect(out).toContain("as secrets of the environment default:\n\n  CARE_KEY\n  AGENT_API_KEY\n");
      const [job] = Object.values(parseWorkflow(opened.read(file("apply"))).jobs);
      expect(job?.env).toMatchObject({ AGENTFORM_WORKSPACE: "care\nguard", AGENTFORM_STORE: "git" });
      expect(opened.read(".github/CODEOWNERS")).toContain("# /care/policies/ @OWNERS");
      expect((await init(opened, "github")).out).toContain("The jobs are unchanged");

      opened.write({ "sales/agentform.yaml": manifestOf("sales", url, inGit) });
      const more = await init(opened, "github");
      expect(more.out).toContain("jobs.plan.env.AGENTFORM_WORKSPACE: care\nguard → care\nguard\nsales");
      expect((await init(opened, "github", "--all")).out).toContain("The jobs are unchanged");
      const single = await init(opened, "github", "sales");
      expect([single.code, single.err]).toEqual([
        64,
        expect.stringContaining("`agentform init --ci github --all`"),
      ]);
    },
  );

  test("says which separate jobs are to go", async () => {
    const opened = openRepository(two);
    await init(opened, "github", "guard");
    const { out } = await init(opened, "github", "--all");
    expect(out).toMatch(
      /agentform-plan\.yml.*: delete them, because the jobs for all workspaces have `guard`\n/,
    );
    const [job] = Object.values(parseWorkflow(opened.read(file("apply-all"))).jobs);
    expect(job?.env).toMatchObject({ AGENTFORM_WORKSPACE: "care\nguard" });
    expect(out).not.toContain("without jobs");
  });

  test("on GitLab, and with states in several places", async () => {
    const place = (name: string) => `lock: {store: http, address: "https://state.example.com/${name}"}`;
    const opened = openRepository({
      ...two,
      "guard/agentform.yaml": manifestOf("guard", url, place("guard")),
      "sales/agentform.yaml": manifestOf("sales", url, place("sales")),
    });
    expect((await init(opened, "gitlab", "--all")).code).toBe(0);
    const jobs = parse(opened.read(".gitlab/agentform.yml")) as Record<string, { variables: object }>;
    expect(jobs[".agentform"]?.variables).toMatchObject({
      AGENTFORM_WORKSPACE: "care\nguard\nsales",
      AGENTFORM_STORE:
        '{store: git, folder: care}\n{store: http, address: "https://state.example.com/guard", folder: guard}\n{store: http, address: "https://state.example.com/sales", folder: sales}',
    });
    expect((await init(opened, "gitlab", "--all")).out).toContain("The jobs are unchanged");
  });

  test.each([
    [
      "other environments",
      { "guard/agentform.yaml": manifestOf("guard", url, inGit, "environments: {live: {}}") },
      "`agentform init --ci github DIR`",
    ],
    [
      "a state in files",
      { "guard/agentform.yaml": manifestOf("guard", url) },
      "or in none: `guard` has it in files, and others do not",
    ],
  ])("refuses %s", async (_, files, told) => {
    const { code, err } = await init(openRepository({ ...two, ...files }), "github", "--all");
    expect([code, err]).toEqual([64, expect.stringContaining("jobs for all workspaces need")]);
    expect(err).toContain(told);
  });
});

const setUp = setUpOf("docs/how-to/teams.md", "Security and two teams in one repository");
const together = setUp.commands.replace(/^for team in .*$/m, "git add . && agentform init --ci github --all");
const secrets = { AGENT_API_KEY: "key-of-all", STATE_SEAL: "5ea1-of-all".padEnd(32, "0") };
const inFiles = (text: string) => text.replace(/ {2}lock: .*\n/, "  lock: {store: file}\n");
const strict = setUp.files["guard/policies/strict.yaml"] ?? "";

test.each(sample("stores of all", ["file", "git"] as const, 0))(
  "one change replaces a policy and brings all its users along, with a %s store",
  async (store) => {
    const monorepo = await Monorepo.open(
      { ...setUp, commands: together },
      store === "git" ? undefined : inFiles,
    );
    const shown = await monorepo.apply("", monorepo.tip(), secrets);
    const digest = shown.output.match(/sha256:\w{64}/g)?.at(-1);
    const first = await monorepo.apply("", monorepo.tip(), secrets, digest);
    expect(first.isSuccessful, first.output).toBe(true);
    expect(monorepo.sent()).toEqual(["POST /v1/rai/policies", "POST /v3/agents/", "POST /v3/agents/"]);

    const change = await monorepo.propose(
      { "guard/policies/strict.yaml": strict.replace("weapons", "tobacco") },
      [""],
    );
    const [comment] = monorepo.github.comments(change.number);
    expect(comment?.body).toContain("policy:strict");
    expect(comment?.body).toContain("agent:support");
    expect(comment?.body).toContain("agent:offers");
    const applied = await monorepo.apply("", monorepo.merge(change), secrets);
    expect(applied.isSuccessful, applied.output).toBe(true);
    expect(monorepo.sent().slice(3)).toEqual([
      "POST /v1/rai/policies",
      expect.stringMatching(/^PUT \/v3\/agents\//),
      expect.stringMatching(/^PUT \/v3\/agents\//),
    ]);
    const { policies, agents } = monorepo.emulator.objects();
    const newest = policies.find(({ body }) => JSON.stringify(body).includes("tobacco"))?.id ?? "";
    expect(agents.map(({ body }) => JSON.stringify(body).includes(newest))).toEqual([true, true]);

    // Nothing is left: a commit without a review passes.
    const again = await monorepo.apply(
      "",
      monorepo.repository.pushDirectly({ "README.md": "Three.\n" }),
      secrets,
    );
    expect(again.isSuccessful, again.output).toBe(true);
    expect(monorepo.sent()).toHaveLength(6);
    if (store === "file")
      for (const team of ["guard", "care", "sales"])
        expect(monorepo.repository.read("main", `${team}/agentform.lock`)).toContain(newest);
  },
);
