import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runIn } from "../cli/desk.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { manifestOf, policy } from "../uses/platform.js";

const url = "https://a.example.com";
const rule = documentText("Rule", "named", {
  for: { kind: "Agent" },
  effect: "error",
  message: "An agent has a name.",
  document: { required: ["spec"] },
  examples: { good: [{ spec: {} }], bad: [{}] },
});
const agent = documentText("Agent", "support", {
  name: "Support",
  system_prompt: "${file:../texts/help.md}",
});

function openRepository(files: Readonly<Record<string, string>>): DiskWorkspace {
  needProgram("git");
  const opened = makeWorkspace(files);
  if (!Object.hasOwn(files, "agentform.yaml")) opened.remove("agentform.yaml");
  execFileSync("git", ["init", "--quiet", opened.directory]);
  return opened;
}

/** The paths of the lines that were added for a folder, from the top of the repository. */
async function linesFor(opened: DiskWorkspace, file: string, ci: string, folder: string): Promise<string[]> {
  const { code, out, err } = await runIn(opened.directory, ["init", "--ci", ci, folder]);
  expect(code, out + err).toBe(0);
  return [...opened.read(file).matchAll(/^# (\/\S+) @OWNERS\r?$/gm)].map(([, path = ""]) => path);
}

const owners = ".github/CODEOWNERS";

test("a workspace with the usual folders has lines for its manifest, policies, rules and jobs, all as comments", async () => {
  const opened = openRepository({
    "guard/agentform.yaml": manifestOf("guard", url),
    "guard/policies/strict.yaml": policy("strict"),
    "guard/agents/support.yaml": agent,
    "guard/texts/help.md": "Help.",
  });
  expect(await linesFor(opened, owners, "github", "guard")).toEqual([
    "/guard/agentform.yaml",
    "/guard/policies/",
    "/guard/rules/",
    "/.github/",
  ]);
  const text = opened.read(owners);
  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("# "))).toEqual([]);
  const again = await runIn(opened.directory, ["init", "--ci", "github", "guard"]);
  expect(again.out).toMatch(/^\nThe jobs are unchanged/);
  expect(opened.read(owners)).toBe(text);
});

test("the manifest's own folders decide, with what policies include and what patches them", async () => {
  const opened = openRepository({
    "agentform.yaml": manifestOf(
      "desk",
      url,
      "include: [fleet, ./checks/]",
      "environments: {default: {}, live: {}}",
    ),
    "fleet/agents/support.yaml": agent.replace("../texts", "../../texts"),
    "fleet/guards/mild/a.yaml": policy("mild"),
    "fleet/mixed/all.yaml": `${policy("strict")}\n---\n${documentText("Agent", "other", { name: "Other" })}\n`,
    "fleet/mixed/listed.yaml": documentText("Policy", "listed", {
      name: "Listed",
      banned_topics: { enabled: true, topics: "${file:../../topics/weapons.yaml}" },
    }),
    "fleet/mixed/agent.yaml": documentText("Agent", "third", { name: "Third" }),
    "checks/named.yaml": rule,
    "topics/weapons.yaml": "[weapons]\n",
    "texts/help.md": "Help.",
    "environments/live/mild.yaml": policy("mild", "tobacco"),
    "environments/live/support.yaml": documentText("Agent", "support", { name: "Live" }),
  });
  expect((await linesFor(opened, owners, "github", ".")).toSorted()).toEqual([
    "/.github/",
    "/agentform.yaml",
    "/checks/",
    "/environments/live/mild.yaml",
    "/fleet/guards/",
    "/fleet/mixed/all.yaml",
    "/fleet/mixed/listed.yaml",
    "/topics/",
  ]);
});

test.each([
  ["/guard/ @acme/security", ["/.github/"]],
  ["guard @acme/security", ["/.github/"]],
  ["guard/policies/** @acme/security", ["/guard/agentform.yaml", "/guard/rules/", "/.github/"]],
  ["policies/ @acme/security", ["/guard/agentform.yaml", "/guard/rules/", "/.github/"]],
  ["/*/r?les", ["/guard/agentform.yaml", "/guard/policies/", "/.github/"]],
  ["**/agentform.yaml @me  # mine", ["/guard/policies/", "/guard/rules/", "/.github/"]],
  ["  # /guard/rules @acme/security", ["/guard/agentform.yaml", "/guard/policies/", "/.github/"]],
  ["*.yaml @acme/dev", ["/guard/policies/", "/guard/rules/", "/.github/"]],
  ["# policies and guard are for later", undefined],
  ["* @acme/all", undefined],
  ["/** @acme/all", undefined],
  ["olicies/ @acme/security", undefined],
  ["/policies/ @acme/security", undefined],
  [`${"*p".repeat(450)}x @me`, undefined],
  [`${"*".repeat(900)}x @me`, undefined],
])("below `%.40s` only what it leaves out is added", async (line, added) => {
  const opened = openRepository({
    "guard/agentform.yaml": manifestOf("guard", url),
    [owners]: `# Ours.\r\n${line}`,
  });
  const all = ["/guard/agentform.yaml", "/guard/policies/", "/guard/rules/", "/.github/"];
  const wanted = added ?? all;
  const found = await linesFor(opened, owners, "github", "guard");
  expect(found.filter((path) => !line.includes(`${path} `))).toEqual(wanted);
  const text = opened.read(owners);
  expect(text.startsWith(`# Ours.\r\n${line}\r\n\r\n# Who`)).toBe(true);
  expect(text).not.toMatch(/[^\r]\n/);
});

test("lines that a person has given an owner are not added again, and a second workspace adds its own", async () => {
  const opened = openRepository({ "guard/agentform.yaml": manifestOf("guard", url) });
  await linesFor(opened, owners, "github", "guard");
  const taken = opened
    .read(owners)
    .replaceAll(/^# (\/.*)@OWNERS$/gm, (_, path: string) => `${path}@acme/security`);
  opened.write({ [owners]: taken, "care/agentform.yaml": manifestOf("care", url) });
  const { out } = await runIn(opened.directory, ["init", "--ci", "github", "care"]);
  expect(out).toContain(
    `  ${owners}\n      + # /care/agentform.yaml\n      + # /care/policies/\n      + # /care/rules/\n`,
  );
  expect(opened.read(owners).startsWith(taken)).toBe(true);
});

test.each([
  ["github", "CODEOWNERS", ["/.github/", "/CODEOWNERS"]],
  ["github", "docs/CODEOWNERS", ["/.github/", "/docs/CODEOWNERS"]],
  ["gitlab", "CODEOWNERS", ["/.gitlab/", "/.gitlab-ci.yml", "/CODEOWNERS"]],
  ["gitlab", ".gitlab/CODEOWNERS", ["/.gitlab/", "/.gitlab-ci.yml"]],
])("on %s, the %s that is there is the one", async (ci, file, jobs) => {
  const opened = openRepository({
    "guard/agentform.yaml": manifestOf("guard", url),
    [file]: "* @acme/all\n",
  });
  expect((await linesFor(opened, file, ci, "guard")).slice(3)).toEqual(jobs);
  // The first place would be in the way of a person's own.
  expect(existsSync(join(opened.directory, ".github/CODEOWNERS"))).toBe(false);
  expect(opened.read(file).includes("# [agentform]\n")).toBe(ci === "gitlab");
});

test("on gitlab, what the pipeline includes from other folders is among the jobs", async () => {
  const included = [
    "https://example.com/ci.yml",
    ".gitlab/agentform.yml",
    "ci/build.yml",
    { local: "/ci/deploy.yml" },
    { local: "/templates/**/*.yml" },
    { local: "/parts/$PART.yml" },
    { local: "/*.yml" },
    { project: "other/ci", file: "/jobs.yml" },
  ];
  const opened = openRepository({
    "guard/agentform.yaml": manifestOf("guard", url),
    ".gitlab-ci.yml": JSON.stringify({ include: included }),
    CODEOWNERS: "/ci/build.yml @acme/dev\n",
  });
  expect((await linesFor(opened, "CODEOWNERS", "gitlab", "guard")).slice(3)).toEqual([
    "/ci/deploy.yml",
    "/templates/",
    "/parts/",
    "/.gitlab/",
    "/.gitlab-ci.yml",
    "/CODEOWNERS",
  ]);
});

test("a name of a folder begins no line and no pattern of its own, and a link is left alone", async () => {
  const opened = openRepository({
    "guard/agentform.yaml": manifestOf("guard", url, "include: ['of\\n* @evil']").replaceAll("'", '"'),
    "guard/of\n* @evil/strict.yaml": policy("strict"),
    elsewhere: "* @acme/all\n",
  });
  expect(await linesFor(opened, owners, "github", "guard")).toEqual([
    "/guard/agentform.yaml",
    "/guard/of???@evil/",
    "/.github/",
  ]);
  opened.remove(owners);
  symlinkSync("../elsewhere", join(opened.directory, owners));
  expect(await runIn(opened.directory, ["init", "--ci", "github", "guard"])).toMatchObject({ code: 0 });
  expect(opened.read("elsewhere")).toBe("* @acme/all\n");
});
