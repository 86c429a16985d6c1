import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { runCommand } from "../trust/run-command.js";
import { runCli } from "./run-cli.js";
import { sample, wholeTest } from "../harness/tier.js";

function copyOf(example: string): string {
  const directory = mkdtempSync(join(tmpdir(), "agentform-example-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(join("examples", example), directory, { recursive: true });
  return directory;
}

describe("the main job", () => {
  test.each(sample("examples", ["minimal", "support-desk"], 1))(
    "%s is planned, applied and then without changes",
    async (example) => {
      const cwd = copyOf(example);
      const planned = await runCli(["plan", "--emulator", "--detailed-exitcode"], { cwd });
      expect(planned.stderr).toBe("");
      expect(planned.code).toBe(2);
      expect(planned.stdout).toContain("to create");

      const applied = await runCli(["apply", "--emulator", "--yes"], { cwd });
      expect(applied.code).toBe(0);
      expect(applied.stdout).toContain("Apply complete");
      expect(applied.stderr).toContain("agent:");

      const again = await runCli(["plan", "--emulator", "--detailed-exitcode"], { cwd });
      expect(again.stdout).toContain("No changes.");
      expect(again.code).toBe(0);
      expect((await runCli(["apply", "--emulator", "--yes"], { cwd })).stdout).toContain("No changes.");
    },
  );

  wholeTest("each environment has a state of its own", async () => {
    const cwd = copyOf("support-desk");
    expect((await runCommand(["apply", "--emulator", "--yes", "-e", "staging"], { cwd })).code).toBe(0);
    expect(
      (await runCommand(["plan", "--emulator", "--detailed-exitcode", "-e", "staging"], { cwd })).code,
    ).toBe(0);
    expect((await runCommand(["plan", "--emulator", "--detailed-exitcode"], { cwd })).code).toBe(2);
  });

  test("a new workspace can be planned and applied at once", async () => {
    const { directory: cwd } = makeWorkspace({});
    expect((await runCommand(["init", "desk"], { cwd })).code).toBe(0);
    expect((await runCommand(["init", "desk"], { cwd })).code).toBe(1);
    expect((await runCommand(["validate", "-C", "desk"], { cwd })).stdout).toBe("The workspace is valid.\n");
    const applied = await runCommand(["apply", "-C", "desk", "--emulator", "--yes"], { cwd });
    expect(applied.stdout).toContain("Apply complete: 4 done.");
  });

  test("a plan needs no secret and no service, and is the same bytes every time", async () => {
    const cwd = copyOf("support-desk");
    const [one, two] = await Promise.all([
      runCommand(["plan", "--format", "json"], { cwd }),
      runCommand(["plan", "--format", "json"], { cwd }),
    ]);
    expect(one.code).toBe(0);
    expect(one.stdout).toBe(two.stdout);
    expect(JSON.parse(one.stdout)).toMatchObject({ format: "agentform/plan/v1", summary: { create: 8 } });
  });

  test("an apply names every missing secret with its places, and sends nothing", async () => {
    const cwd = copyOf("support-desk");
    const { code, stderr } = await runCommand(["apply", "--yes"], { cwd });
    expect(code).toBe(1);
    for (const name of ["AGENT_API_KEY", "HELPDESK_TOKEN", "BILLING_API_KEY", "OPENAI_API_KEY"]) {
      expect(stderr).toContain(`the environment variable \`${name}\` is not set`);
    }
    expect(stderr).toContain("credentials/openai.yaml:");
  });

  test("an apply in JSON is one event a line, the version first and the summary last", async () => {
    const cwd = copyOf("minimal");
    const { stdout } = await runCommand(["apply", "--emulator", "--yes", "--format", "json"], { cwd });
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.map(({ type }) => type)).toEqual(["version", "start", "done", "summary"]);
  });
});

describe("what cannot be carried out", () => {
  test.each(
    sample(
      "commands that cannot be carried out",
      [
        ["an unknown command", ["plam"], 64, "unknown command"],
        ["an unknown option", ["plan", "--formatt"], 64, "unknown option"],
        ["an unknown format", ["plan", "--format", "xml"], 64, "xml"],
        ["a malformed variable", ["plan", "--var", "x"], 64, "NAME=VALUE"],
        ["an address that is none", ["plan", "--target", "agents/x"], 64, "agent:support"],
        ["a commit that is none", ["plan", "--changed-since", "--upload-pack=x"], 64, "error"],
        ["an unknown environment", ["plan", "-e", "prodution"], 1, "prodution"],
        ["an unknown schema", ["schema", "agnet"], 64, "agnet"],
      ],
      3,
    ),
  )("%s ends with its exit code and one sentence", async (_, args, code, words) => {
    const { directory: cwd } = makeWorkspace({});
    const result = await runCommand(args, { cwd });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(words);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  test("a folder without a manifest says how to make one", async () => {
    const { directory: cwd, remove } = makeWorkspace({});
    remove("agentform.yaml");
    const { code, stderr } = await runCommand(["plan"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("agentform.yaml");
    expect(stderr).toContain("agentform init");
  });

  const policy = (spec: object) => documentText("Policy", "p", spec);
  test.each(
    sample(
      "documents that cannot be carried out",
      [
        ["broken YAML", "a: [1", "yaml-syntax"],
        [
          "a duplicate address",
          `${policy({ name: "a" })}\n---\n${policy({ name: "b" })}`,
          "document-duplicate",
        ],
        [
          "a reference to nothing",
          documentText("Agent", "a", { name: "a", x: "${policy:nothing}" }),
          "reference-unknown",
        ],
        ["a circle", documentText("Agent", "a", { name: "a", x: "${agent:a}" }), "reference-cycle"],
        [
          "a secret in the document",
          documentText("Credential", "c", { name: "c", credentials: { key: "hunter2" } }),
          "secret-literal",
        ],
        [
          "a path out of the workspace",
          policy({ name: "${file:../../../etc/passwd}" }),
          "file-outside-workspace",
        ],
        ["100,000 nested lists", "[".repeat(100_000), "too-deep"],
        ["a poisonous key", '{"__proto__": {}}', "forbidden-key"],
        ["an alias bomb", bomb(), "yaml-alias-limit"],
      ],
      2,
    ),
  )("%s is a diagnostic, and nothing is applied", async (_, text, code) => {
    const { directory: cwd } = makeWorkspace({
      "policies/x.yaml": text,
      "policies/good.yaml": documentText("Policy", "good", { name: "good" }),
    });
    const result = await runCommand(["apply", "--emulator", "--yes"], { cwd });
    expect(result.stderr).toContain(`error[${code}]`);
    expect(result.stderr).toMatch(/policies\/x\.yaml:\d+:\d+/);
    expect(result.stderr).not.toContain("hunter2");
    expect(result.code).toBe(1);
    const planned = await runCommand(["lock", "list", "--emulator"], { cwd });
    expect(planned.stdout).not.toContain("policy:good");
  });

  test("a damaged lock is refused with its place and left untouched", async () => {
    const workspace = makeWorkspace({
      "policies/p.yaml": policy({ name: "p" }),
      "agentform.lock": '{"format": "agentform/lock/v1",\n',
    });
    const { code, stderr } = await runCommand(["plan"], { cwd: workspace.directory });
    expect(code).toBe(1);
    expect(stderr).toContain("error[lock-damaged]");
    expect(stderr).toContain("agentform.lock:2:1");
    expect(workspace.read("agentform.lock")).toBe('{"format": "agentform/lock/v1",\n');
  });
});

describe("colour", () => {
  test.each(
    sample(
      "colours",
      [
        [["--color"], {}, true],
        [["--no-color"], { FORCE_COLOR: "1" }, false],
        [[], {}, false],
        [[], { FORCE_COLOR: "1" }, true],
        [["--color"], { NO_COLOR: "1" }, true],
        [[], { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
      ],
      2,
    ),
  )("with %j and %j: %s", async (args, env, colored) => {
    const cwd = copyOf("minimal");
    const { stdout } = await runCli(["plan", ...args], { cwd, env });
    expect(stdout.includes("\u001b[")).toBe(colored);
  });
});

function bomb(): string {
  const lines = ['a: &a ["x","x","x","x","x","x","x","x","x"]'];
  for (const [name, before] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg"].map((pair) => [pair[0], pair[1]])) {
    lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(",")}]`);
  }
  return lines.join("\n");
}
