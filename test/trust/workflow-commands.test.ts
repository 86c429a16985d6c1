import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { loadCommands } from "../docs/command-reference.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { commandLines, commandTexts } from "../harness/job-log.js";
import { runCommand } from "./run-command.js";
import { sample } from "../harness/tier.js";

const hostile = commandTexts.join("\n");
// A file name takes all but slashes and NUL.
const fileName = `${commandTexts.slice(4, 9).join("")}##[error]x.yaml`;

/** A service that answers all requests with commands. */
async function startHostileService(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(422, { "content-type": "application/json", "x-request-id": "##[error]forged" });
      response.end(
        JSON.stringify({ detail: [{ loc: [hostile], msg: hostile, type: hostile }], message: hostile }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function makeHostileWorkspace(url: string): DiskWorkspace {
  const policy = { name: hostile, description: hostile, banned_topics: { enabled: true, topics: [hostile] } };
  return makeWorkspace({
    "agentform.yaml": `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {base_url: "${url}", rai_base_url: "${url}", api_key: "\${env:AGENT_API_KEY}"}
  lock: {store: file}
`,
    [`policies/${fileName}`]: documentText("Policy", "strict", policy),
    "agents/support.yaml": documentText("Agent", "support", {
      name: hostile,
      system_prompt: "${file:../prompts/support.md}",
      features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
      [hostile]: hostile,
    }),
    "prompts/support.md": hostile,
  });
}

function expectDead({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
  expect(commandLines(stdout)).toEqual([]);
  expect(commandLines(stderr)).toEqual([]);
}

const env = { GITHUB_ACTIONS: "true", CI: "true", AGENT_API_KEY: "k3y-that-is-long" };

test.each(
  sample<string[]>(
    "commands",
    [
      ["validate"],
      ["validate", "--format", "json"],
      ["validate", "--format", "sarif"],
      ["validate", "--format", "gitlab"],
      ["plan"],
      ["plan", "--color"],
      ["plan", "--verbose"],
      ["plan", "--format", "json"],
      ["plan", "--format", "markdown"],
      ["plan", "--format", "html"],
      ["plan", "-e", hostile],
      ["plan", "--target", hostile],
      ["plan", "--var", `${hostile}=x`],
      ["plan", `--${hostile}`],
      ["plan", "-C", hostile],
      ["plan", "--out", `${hostile}/x`],
      [hostile],
      ["apply", "--yes"],
      ["apply", "--yes", "--verbose"],
      ["apply", "--yes", "--format", "json"],
    ],
    7,
  ),
)("no text of a document, an answer or an argument is a command in the log of %j", async (...args) => {
  const { directory } = makeHostileWorkspace(await startHostileService());
  const result = await runCommand(args, { cwd: directory, env });
  // The hostile texts did get to the log, or were refused unshown.
  expect(result.stdout + result.stderr).toMatch(/forged|policy:strict|error/i);
  expectDead(result);
  if (args.includes("json") && args[0] !== "apply") expect(() => JSON.parse(result.stdout)).not.toThrow();
});

// These end with a signal or an editor, and GitHub is meant to see its annotations.
const commands = (await loadCommands()).filter(({ name }) => !["emulator", "language-server"].includes(name));
const ways = commands.flatMap(({ path, formats }) => [
  [...path, hostile],
  ...formats.filter((format) => format !== "github").map((format) => [...path, "--format", format]),
]);

test.each(sample("commands", ways, 7))("none is one in the log of %j either", async (...args) => {
  const { directory } = makeHostileWorkspace(await startHostileService());
  expectDead(await runCommand(args, { cwd: directory, env }));
});

test("what is wrong is shown with its lines around it, and none of them is a command", async () => {
  const { directory } = makeWorkspace({
    "policies/a.yaml": [
      "apiVersion: agentform/v1",
      "kind: Policy",
      "metadata: {name: a}",
      "spec:",
      "  name: >-",
      "    ##[error]forged",
      "::error::forged",
      "  nam: ##vso[task.complete]",
      "",
    ].join("\n"),
  });
  const result = await runCommand(["validate"], { cwd: directory, env });
  expect(result.code).toBe(1);
  expect(result.stdout).toContain("[task.complete]");
  expectDead(result);
});

test("the annotations that GitHub is meant to see are the only commands, and hold no other", async () => {
  const { directory, write } = makeHostileWorkspace("http://127.0.0.1:1");
  write({ [`agents/${fileName}`]: documentText("Agent", "other", { name: "x", [hostile]: "${nope:x}" }) });
  const { stdout, stderr } = await runCommand(["validate", "--format", "github"], { cwd: directory, env });
  const lines = stdout.split(/\r\n|\r|\n/).filter((line) => line !== "");
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(line).toMatch(/^::(error|warning|notice) /);
    expect(line).not.toMatch(/##\[|##vso\[/i);
  }
  expect(commandLines(stderr)).toEqual([]);
});
