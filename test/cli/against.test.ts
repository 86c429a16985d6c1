import { expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import type { TerminalParts } from "../../src/cli/terminal/terminal.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";

async function run(directory: string, args: readonly string[]) {
  let [stdout, stderr] = ["", ""];
  const surroundings: TerminalParts = {
    env: {},
    cwd: directory,
    isTerminal: false,
    canAsk: false,
    showsProgress: false,
    out: (text) => void (stdout += text),
    err: (text) => void (stderr += text),
  };
  return { code: await main(args, surroundings), stdout, stderr };
}

function promotable(): string {
  return makeWorkspace({
    "agentform.yaml": `${manifest}  variables: {model: small-1}
  environments: {default: {}, staging: {}, production: {variables: {model: large-2}}}
`,
    "agents/support.yaml": documentText("Agent", "support", {
      name: "Support",
      model: "${var:model}",
      tools: ["${toolset:desk}"],
    }),
    "agents/same.yaml": documentText("Agent", "same", { name: "Same", x: "${agent:support}" }),
    "toolsets/desk.yaml": documentText("ToolSet", "desk", {
      tool_set_name: "desk",
      openapi_schema: { openapi: "3.1.0", paths: { "/tickets": { get: {} } } },
    }),
    "environments/staging/support.yaml": documentText("Agent", "support", { temperature: 0.1 }),
  }).directory;
}

test("two environments are compared by what their documents say, without any state", async () => {
  const { code, stdout } = await run(promotable(), ["plan", "-e", "staging", "--against", "production"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    "agentform plan: test (staging)\nCompared with what the documents of environment production say",
  );
  expect(stdout).toContain("~ model: large-2 → small-1");
  expect(stdout).toContain("+ temperature: 0.1");
  expect(stdout).toContain("Plan: 1 to update, 2 unchanged.");
});

test("a comparison does not say that there are no guardrail notes, for it makes none", async () => {
  const support = (name: string) => documentText("Agent", name, { name, model: "${var:model}" });
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  variables: {model: small-1}
  environments: {staging: {}, production: {variables: {model: large-2}}}
`,
    "agents/a.yaml": support("a"),
    "agents/b.yaml": support("b"),
  });
  for (const format of ["text", "markdown"]) {
    const args = ["plan", "-e", "production", "--against", "staging", "--format", format];
    const { stdout } = await run(directory, args);
    expect(stdout).toMatch(/the same edit in each/i);
    expect(stdout).not.toMatch(/no guardrail notes/i);
    expect(stdout).toContain("no guardrail note judges it");
  }
});

test("labels and protection are compared, too", async () => {
  const labelled = (name: string, labels: object, lifecycle: object = {}) =>
    JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Agent",
      metadata: { name, labels },
      lifecycle,
      spec: { name: "Desk" },
    });
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  environments: {staging: {}, production: {}}\n`,
    "agents/desk.yaml": labelled("desk", { team: "care", tier: "one" }),
    "environments/production/desk.yaml": JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Agent",
      metadata: { name: "desk", labels: { tier: "two" } },
      lifecycle: { protect: true },
      spec: {},
    }),
  });
  for (const format of ["text", "markdown", "html", "json"]) {
    const args = ["plan", "-e", "production", "--against", "staging", "--format", format];
    const { code, stdout } = await run(directory, args);
    expect(code).toBe(0);
    for (const each of ["metadata.labels.tier", "lifecycle.protect"]) expect(stdout).toContain(each);
  }
});

test("environments that say the same differ in nothing, and say so in the exit code", async () => {
  const directory = promotable();
  const args = ["plan", "--detailed-exitcode", "-e", "production", "--against"];
  const same = await run(directory, [...args, "production"]);
  expect(same.code).toBe(0);
  expect(same.stdout).toContain("No changes. 3 resources say the same in both.");
  expect(same.stdout).not.toContain("last applied");
  expect((await run(directory, [...args, "default"])).code).toBe(2);
});

test("an environment that is none is an error with its name, and a comparison is nothing to narrow or save", async () => {
  const directory = promotable();
  const unknown = await run(directory, ["plan", "--against", "prodution"]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain("did you mean `production`?");
  for (const more of [
    ["--out", "x.json"],
    ["--target", "agent:same"],
    ["--emulator"],
    ["--lock-from", "HEAD"],
    ["--fail-on", "weakens"],
  ]) {
    const refused = await run(directory, ["plan", "--against", "production", ...more]);
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain(more[0]);
  }
});
