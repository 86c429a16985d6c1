import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCiWorkspace } from "../../src/cli/init/ci-workspace.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { manifestAt, runIn } from "./desk.js";

const written = { github: ".github", gitlab: ".gitlab" };

function makeNaming(name: string): string {
  return makeWorkspace({
    "agentform.yaml": manifestAt("https://agents.example.com"),
    "credentials/forge.yaml": documentText("Credential", "forge", {
      name: "Forge",
      credentials: { token: `\${env:${name}@2}` },
    }),
  }).directory;
}

test.each([
  ["github", "GITHUB_TOKEN"],
  ["github", "github_token"],
  ["github", "ACTIONS_RUNTIME_TOKEN"],
  ["github", "RUNNER_TEMP"],
  ["github", "CI_KEY"],
  ["github", "CI"],
  ["gitlab", "GITLAB_TOKEN"],
  ["gitlab", "CI_JOB_TOKEN"],
  ["gitlab", "CI"],
] as const)("init --ci %s refuses the secret %s, with its place and another name", async (ci, name) => {
  const directory = makeNaming(name);
  const { code, out, err } = await runIn(directory, ["init", "--ci", ci]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("error[secret-reserved]");
  expect(err).toContain("credentials/forge.yaml:");
  expect(err).toContain(`\${env:MY_${name}}`);
  expect(existsSync(join(directory, written[ci]))).toBe(false);
});

test.each([
  ["github", "MY_GITHUB_TOKEN"],
  ["github", "CIRCLE_TOKEN"],
  ["gitlab", "GITHUB_TOKEN"],
] as const)("init --ci %s takes the secret %s", async (ci, name) => {
  const directory = makeNaming(name);
  expect(await readCiWorkspace(directory, null, ci)).toMatchObject({
    settings: { secrets: expect.arrayContaining([name]) },
  });
});

test("an API key under a reserved name is refused where the manifest names it", async () => {
  const manifest = manifestAt("https://agents.example.com").replace("AGENT_API_KEY", "GITHUB_KEY");
  const { directory } = makeWorkspace({
    "agentform.yaml": manifest,
    "agents/a.yaml": documentText("Agent", "a", { name: "A" }),
  });
  const { code, err } = await runIn(directory, ["init", "--ci", "github"]);
  expect(code).toBe(1);
  expect(err).toMatch(/agentform\.yaml:5:\d+/);
});
