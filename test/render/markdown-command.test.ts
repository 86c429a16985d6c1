import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDesk, policyText, runIn } from "../cli/desk.js";
import { needProgram } from "../harness/need.js";

test("plan and show give the same Markdown, with the saved plan as the place of the rest", async () => {
  const { run } = await openDesk();
  const planned = await run("plan", "--format", "markdown", "--out", "plan.json");
  expect(planned).toMatchObject({ code: 0, err: "" });
  expect(planned.out).toMatch(
    /^### agentform plan for desk: 1 needs a review, none weakens or widens · 4 to create, 4 distinct edits\n/,
  );
  expect(planned.out).toMatch(/\n<!-- agentform: desk -->\n$/);
  expect(await run("show", "plan.json", "--format", "markdown")).toEqual(planned);
});

test("--max-bytes bounds the Markdown, and is refused where there is none", async () => {
  const topics = Array.from({ length: 60 }, (_, index) => `a topic of some length, number ${index}`);
  const { run } = await openDesk({ "policies/strict.yaml": policyText(topics) });
  const text = await run("plan", "--format", "markdown", "--max-bytes", "2000", "--out", "plan.json");
  expect(Buffer.byteLength(text.out)).toBeLessThanOrEqual(2000);
  for (const bytes of ["10", "-1", "1e5", "many"]) {
    const refused = await run("plan", "--format", "markdown", "--max-bytes", bytes);
    expect(refused).toMatchObject({ code: 64, out: "" });
    expect(refused.err).toContain("--max-bytes must be a whole number of at least 2000");
  }
  expect((await run("plan", "--max-bytes", "5000")).code).toBe(64);
  expect((await run("show", "plan.json", "--format", "html", "--max-bytes", "5000")).code).toBe(64);
});

test("validate reports files as seen from the root of the repository", async () => {
  needProgram("git");
  const { workspace } = await openDesk();
  const elsewhere = join(workspace.directory, "teams/care");
  execFileSync("git", ["init", "--quiet", workspace.directory]);
  workspace.write({
    "teams/care/agentform.yaml": workspace.read("agentform.yaml"),
    "teams/care/policies/bad.yaml":
      "apiVersion: agentform/v1\nkind: Policy\nmetadata: {name: bad}\nspec: {nam: x}\n",
  });
  const github = await runIn(elsewhere, ["validate", "--format", "github"]);
  expect(github.code).toBe(1);
  expect(github.out).toMatch(/^::error file=teams\/care\/policies\/bad\.yaml,line=4,col=\d+,title=/m);
  const gitlab = await runIn(workspace.directory, ["validate", "-C", "teams/care", "--format", "gitlab"]);
  expect(JSON.parse(gitlab.out)).toContainEqual(
    expect.objectContaining({ location: { path: "teams/care/policies/bad.yaml", lines: { begin: 4 } } }),
  );
  const sarif = await runIn(elsewhere, ["validate", "--format", "sarif"]);
  expect(sarif.out).toContain('"uri": "teams/care/policies/bad.yaml"');
});

test("validate says nothing to annotate of a sound workspace, and gives reports without results", async () => {
  const { run } = await openDesk();
  expect(await run("validate", "--format", "github")).toEqual({ code: 0, out: "", err: "" });
  expect(await run("validate", "--format", "gitlab")).toEqual({ code: 0, out: "[]\n", err: "" });
  const { runs } = JSON.parse((await run("validate", "--format", "sarif")).out) as {
    runs: { results: unknown[] }[];
  };
  expect(runs.map(({ results }) => results)).toEqual([[]]);
});

test("validate works where there is no manifest and no folder", async () => {
  const { workspace, run } = await openDesk();
  workspace.remove("agentform.yaml");
  expect((await run("validate", "--format", "github")).out).toContain("title=workspace-missing::");
  expect((await run("validate", "--format", "sarif", "-C", "nowhere")).code).toBe(1);
});
