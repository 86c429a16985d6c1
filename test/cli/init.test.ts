import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitlabProject } from "../../src/cli/init/ci-workspace.js";
import { httpLocation } from "../../src/core/resources/lock-location.js";
import { needProgram } from "../harness/need.js";
import { newWorkspace } from "../../src/cli/init/init-files.js";
import { neededVariables } from "../../src/cli/init/reserved-secrets.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { loadWorkspace } from "../../src/workspace/load-workspace.js";
import { runIn } from "./desk.js";

describe("init --fleet", () => {
  test("makes a workspace that is valid, and applied at once in each of its environments", async () => {
    const { directory, remove } = makeWorkspace({});
    remove("agentform.yaml");
    const made = await runIn(directory, ["init", "--fleet"]);
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).toContain("languages.yaml\n");
    expect(made.out).toContain("agentform plan -e staging --emulator\n");
    expect(await runIn(directory, ["validate"])).toMatchObject({ code: 0, out: "The workspace is valid.\n" });
    for (const [environment, count] of [
      ["staging", 6],
      ["production", 5],
    ] as const) {
      const at = ["-e", environment, "--emulator"];
      const applied = await runIn(directory, ["apply", "--yes", ...at]);
      expect(applied.out).toContain(`Apply complete: ${count} done.`);
      expect(applied.err).toContain("agent:support-de: created");
      expect(await runIn(directory, ["plan", "--detailed-exitcode", ...at])).toMatchObject({ code: 0 });
    }
  });

  test("uses the forms for many resources", () => {
    const { files } = newWorkspace("desk", "fleet", { store: "file" });
    const { directory } = makeWorkspace(files);
    const { fleet } = loadWorkspace({ directory, environment: "production" });
    const agent = fleet?.resources.get("agent:support-de");
    expect(agent?.body).toMatchObject({ model: "large-2", temperature: 0.2, name: "Support (German)" });
    expect(agent?.body["system_prompt"]).toContain('German. Address customers as "Sie".');
    expect([...(fleet?.resources.keys() ?? [])]).not.toContain("agent:rehearsal");
    const sent = JSON.stringify(fleet?.resources.get("toolset:helpdesk")?.documents);
    expect(sent).toContain("getTicket");
    expect(sent).not.toContain("deleteTicket");
  });

  test("with --ci is refused for a workspace that exists", async () => {
    const { directory, read } = makeWorkspace({});
    const manifest = read("agentform.yaml");
    const refused = await runIn(directory, ["init", "--fleet", "--ci", "github"]);
    expect(refused).toMatchObject({ code: 64, out: "" });
    expect(refused.err).toContain("--fleet");
    expect(await runIn(directory, ["init", "--fleet"])).toMatchObject({ code: 1, out: "" });
    expect(read("agentform.yaml")).toBe(manifest);
  });
});

test.each(["2026", "true", "null", "1e5", "0x10", "1.5"])(
  "a folder with the name %s makes a workspace that is valid",
  async (name) => {
    const { directory, remove } = makeWorkspace({});
    remove("agentform.yaml");
    expect(await runIn(directory, ["init", name])).toMatchObject({ code: 0, err: "" });
    expect(await runIn(join(directory, name), ["validate"])).toMatchObject({ code: 0, err: "" });
    const { files } = newWorkspace(name, "single", { store: "http", project: "12/34" });
    const { fleet } = loadWorkspace({ directory: makeWorkspace(files).directory, environment: null });
    expect(fleet?.settings).toMatchObject({ name, lock: { gitlab: { project: "12/34", name } } });
  },
);

test("a .gitattributes that is there stays, and the line that it lacks is named", async () => {
  const { directory, read, remove, write } = makeWorkspace({});
  remove("agentform.yaml");
  write({ ".gitattributes": "*.png binary" });
  const made = await runIn(directory, ["init"]);
  expect(made.code).toBe(0);
  expect(made.out).toContain(
    "add `agentform*.lock merge=agentform` to .gitattributes, and once for each clone",
  );
  expect(read(".gitattributes")).toBe("*.png binary");
});

test.each(["file", "git"] as const)(
  "a prompt of a new workspace has one text on all machines: %s",
  (store) => {
    needProgram("git");
    const { files } = newWorkspace("desk", "single", { store });
    const { directory, read } = makeWorkspace(files);
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-C", directory, "-c", "core.autocrlf=true", ...args], { stdio: "pipe" });
    git("init", "--quiet");
    git("add", "--all");
    const prompt = read("prompts/assistant.md");
    rmSync(join(directory, "prompts"), { recursive: true });
    git("checkout-index", "--all");
    expect(read("prompts/assistant.md")).toBe(prompt);
  },
);

describe.each([
  ["one of each kind", false],
  ["a fleet", true],
] as const)("a new workspace of %s", (_, isFleet) => {
  test("names its environments and the secrets that an apply needs, for the jobs of a CI", () => {
    const { files, environments, secrets } = newWorkspace("desk", isFleet ? "fleet" : "single", {
      store: "git",
    });
    const { directory } = makeWorkspace(files);
    for (const name of environments) {
      const environment = name === "default" ? null : name;
      const loaded = loadWorkspace({ directory, environment });
      expect(loaded.diagnostics).toEqual([]);
      expect(loaded.environments).toEqual(environment === null ? [null] : environments);
      expect(loaded.fleet?.settings.lock).toMatchObject({ store: "git" });
      const needed = new Set(neededVariables(loaded).map((variable) => variable.name));
      expect(needed).toEqual(new Set(secrets));
    }
  });
});

test("a new workspace whose state GitLab keeps is valid, with a state for each environment", () => {
  const { files, environments, lock } = newWorkspace("desk", "fleet", {
    store: "http",
    project: "group/desk",
  });
  expect(lock).toEqual({ store: "http", gitlab: { project: "group/desk", name: "desk" } });
  const { directory } = makeWorkspace(files);
  for (const environment of environments) {
    const { diagnostics, fleet } = loadWorkspace({ directory, environment });
    expect(diagnostics).toEqual([]);
    if (!fleet) throw new Error("the workspace cannot be read");
    expect(httpLocation(fleet.settings)).toEqual({ project: "group/desk", name: `desk-${environment}` });
  }
});

test.each([
  [["init", "new", "--store", "http"], "--store needs --ci"],
  [["init", "new", "--ci", "github", "--store", "http"], "`--ci gitlab`"],
  [["init", "--ci", "gitlab", "--store", "http"], "--store is for a new workspace"],
])("%s is refused", async (args, says) => {
  const { directory } = makeWorkspace({});
  const { code, err } = await runIn(directory, args);
  expect(code).toBe(64);
  expect(err).toContain(says);
  expect(err).not.toContain("has `spec.lock`");
});

test.each([
  ["https://gitlab.example.com/group/sub/desk.git", "group/sub/desk"],
  ["git@gitlab.example.com:group/desk.git", "group/desk"],
  ["ssh://git@gitlab.example.com:22/group/desk", "group/desk"],
  ["", "group/project"],
])("the project of the remote %s is %s", async (url, project) => {
  needProgram("git");
  const { directory } = makeWorkspace({});
  execFileSync("git", ["init", "-q", directory]);
  if (url !== "") execFileSync("git", ["-C", directory, "remote", "add", "origin", url]);
  expect(await gitlabProject(directory)).toBe(project);
});

describe("a folder that cannot be made", () => {
  test.each([["file"], ["file/below"], ["--ci", "github", "file"], ["/proc/none"]])(
    "is an error: init %s",
    async (...args) => {
      const { directory } = makeWorkspace({ file: "" });
      const refused = await runIn(directory, ["init", ...args]);
      expect(refused).toMatchObject({ code: 1, out: "" });
      expect(refused.err).toMatch(/^error: \S+ cannot be written \(E\w+\)\n$/);
    },
  );

  test("is one that a file of the workspace would be in", async () => {
    const { directory, remove } = makeWorkspace({ agents: "a file" });
    remove("agentform.yaml");
    const err =
      "error: agents/assistant.yaml cannot be written (there is a file in the place of a folder); nothing was written\n";
    expect(await runIn(directory, ["init"])).toMatchObject({ code: 1, out: "", err });
    expect(readdirSync(directory)).toEqual(["agents"]);
  });
});
