import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runIn } from "../cli/desk.js";
import { openPlatform, policy, twoTeams } from "../uses/platform.js";
import { pullRequest, startGithub } from "./fake-github.js";

const opened = { pull_request: { number: 12 } };

test("the plans of several workspaces share a comment, and the digest in it is the one that an apply takes", async () => {
  const github = await startGithub([pullRequest(12)]);
  const platform = await openPlatform(twoTeams);
  const { directory } = platform.workspace;
  const env = github.job(opened) as Record<string, string>;
  const comment = async (...more: readonly string[]) =>
    await runIn(directory, ["comment", "--plan", "all.json", ...more], env);
  const plan = async () => {
    expect((await platform.run(".", "plan", "--all", "--out", "all.json")).code).toBe(0);
    return (JSON.parse(readFileSync(join(directory, "all.json"), "utf8")) as { digest: string }).digest;
  };
  const first = await plan();
  expect((await comment()).out).toBe("commented on pull request 12 of acme/desk\n");
  const [body = ""] = github.comments(12).map((each) => each.body);
  expect(body).toContain("#### `guard`");
  expect(body).toContain("#### `care`");
  expect(await comment("--reviewed")).toMatchObject({ code: 0, out: `${first}\n` });
  expect((await platform.run(".", "apply", "--all", "--expect", first)).code).toBe(0);

  platform.workspace.write({ "guard/policies/strict.yaml": policy("strict", "tobacco") });
  const second = await plan();
  expect((await comment()).out).toBe("comment updated on pull request 12 of acme/desk\n");
  expect(github.comments(12)).toHaveLength(1);
  expect(github.comments(12)[0]?.body).toContain("`policy:strict` of guard gets a new ID");
  expect((await comment("--reviewed")).out).toBe(`${second}\n`);

  // The comment of one workspace is another one.
  expect((await platform.run("guard", "plan", "--out", "../guard.json")).code).toBe(0);
  expect((await runIn(directory, ["comment", "--plan", "guard.json"], env)).out).toContain("commented on");
  expect(github.comments(12)).toHaveLength(2);
  expect((await comment("--reviewed")).out).toBe(`${second}\n`);

  const text = readFileSync(join(directory, "all.json"), "utf8");
  writeFileSync(join(directory, "all.json"), text.replace('"tobacco"', '"weapons"'));
  expect((await comment()).code).toBe(1);
});
