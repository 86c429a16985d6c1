import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sample } from "../harness/tier.js";
import { startEmulator } from "../../src/emulator/emulator.js";
import { runCommand } from "./run-command.js";
import { needProgram } from "../harness/need.js";

const manifest = (more = "") => `apiVersion: agentform/v1
kind: Workspace
metadata: {name: test}
spec:
  service: {base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1", api_key: "\${env:KEY}"}
${more}`;
const agent = `{apiVersion: agentform/v1, kind: Agent, metadata: {name: a}, spec: {name: A}}\n`;
const precious = "#!/bin/sh\necho what the runner trusts\n";

/** A runner's disk: a checkout with a workspace in `sub`, and beside it what no commit may touch. */
class Runner {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "agentform-links-")));
  readonly checkout = join(this.folder, "checkout");
  readonly workspace = join(this.checkout, "sub");
  readonly outside = join(this.folder, "outside");

  constructor(more?: string) {
    needProgram("git");
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(join(this.workspace, "agents"), { recursive: true });
    mkdirSync(this.outside);
    writeFileSync(join(this.outside, "apply.sh"), precious);
    writeFileSync(join(this.workspace, "agentform.yaml"), manifest(more));
    writeFileSync(join(this.workspace, "agents/a.yaml"), agent);
    execFileSync("git", ["init", "--quiet", this.checkout]);
  }

  /** What the author of a commit does. */
  link(name: string, target: string): void {
    mkdirSync(dirname(join(this.checkout, name)), { recursive: true });
    symlinkSync(target, join(this.checkout, name));
  }

  run(...args: string[]) {
    return runCommand(args, { cwd: this.checkout, env: { KEY: "key" } });
  }

  expectUntouched(): void {
    expect(readdirSync(this.outside)).toEqual(["apply.sh"]);
    expect(readFileSync(join(this.outside, "apply.sh"), "utf8")).toBe(precious);
  }
}

describe("a saved plan", () => {
  test.each(
    sample(
      "links",
      [
        ["in its last place", "plan.json", "../outside/apply.sh", "plan.json"],
        ["to nowhere yet", "plan.json", "../outside/new.sh", "plan.json"],
        ["to a file of the checkout", "plan.json", "sub/agents/a.yaml", "plan.json"],
        ["in a folder on the way", "out", "../outside", "out/apply.sh"],
        ["in a folder of the workspace", "sub/out", "../../outside", "sub/out/apply.sh"],
      ],
      2,
    ),
  )("is not written through a link %s", async (_, link, target, out) => {
    const runner = new Runner();
    runner.link(link, target);
    const { code, stderr } = await runner.run("plan", "-C", "sub", "--out", out);
    expect(stderr).toContain(`${out} cannot be written: ${link} is a symbolic link`);
    expect(code).toBe(1);
    expect(lstatSync(join(runner.checkout, link)).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(runner.workspace, "agents/a.yaml"), "utf8")).toBe(agent);
    runner.expectUntouched();
  });

  test("is written where the user's own links lead, outside the checkout", async () => {
    const runner = new Runner();
    mkdirSync(join(runner.folder, "results"));
    symlinkSync(join(runner.folder, "results"), join(runner.folder, "temp"));
    const out = join(runner.folder, "temp/plan.json");
    expect(await runner.run("plan", "-C", "sub", "--out", out)).toMatchObject({ code: 0 });
    expect(existsSync(join(runner.folder, "results/plan.json"))).toBe(true);
  });

  test("is not written through the user's link into a link of the commit", async () => {
    const runner = new Runner();
    runner.link("out", "../outside");
    symlinkSync(runner.checkout, join(runner.folder, "here"));
    const out = join(runner.folder, "here/out/apply.sh");
    expect(await runner.run("plan", "-C", "sub", "--out", out)).toMatchObject({ code: 1 });
    runner.expectUntouched();
  });
});

test.each([
  ["in the place of its folder", "new", "new"],
  ["on the way to it", "teams", "teams/new"],
])("a new workspace is not written through a link %s", async (_, link, folder) => {
  const runner = new Runner();
  runner.link(link, "../outside");
  for (const ci of [[], ["--ci", "github"]]) {
    const { code, stderr } = await runner.run("init", folder, ...ci);
    expect(stderr).toContain(`${link} is a symbolic link, which is not followed here; nothing was written`);
    expect(code).toBe(1);
  }
  runner.expectUntouched();
});

describe("state", () => {
  const links = [
    [".agentform", "../../outside"],
    [".agentform/default.holder", "../../../outside/new"],
    ["agentform.lock", "../../outside/apply.sh"],
    ["agentform.lock.journal", "../../outside/new"],
  ] as const;

  test.each(sample("links", links, 3))(
    "is neither read nor written where %s is a link",
    async (name, target) => {
      const runner = new Runner();
      const emulator = await startEmulator();
      onTestFinished(() => emulator.close());
      const text = manifest().replaceAll("http://127.0.0.1:1", emulator.url);
      writeFileSync(join(runner.workspace, "agentform.yaml"), text);
      runner.link(`sub/${name}`, target);
      for (const args of [["plan"], ["apply", "--yes"], ["lock", "list"], ["lock", "unlock", "x"]]) {
        const { code, stdout, stderr } = await runner.run(...args, "-C", "sub");
        expect(stdout + stderr).toContain(`${name} is a symbolic link`);
        expect(stdout + stderr).not.toContain("trusts");
        expect(code).toBe(1);
      }
      expect(emulator.requests).toEqual([]);
      runner.expectUntouched();
    },
  );

  test("of a git ref is neither read nor written where its folder is a link", async () => {
    const runner = new Runner("  lock: {store: git}\n");
    runner.link("sub/.agentform", "../../outside");
    const { code, stderr } = await runner.run("plan", "-C", "sub");
    expect(stderr).toContain(".agentform is a symbolic link");
    expect(code).toBe(1);
    runner.expectUntouched();
  });

  test("is found where the user reaches the workspace through a link", async () => {
    const runner = new Runner();
    symlinkSync(runner.workspace, join(runner.folder, "mine"));
    const mine = join(runner.folder, "mine");
    expect(await runner.run("apply", "-C", mine, "--emulator", "--yes")).toMatchObject({ code: 0 });
    expect(existsSync(join(runner.workspace, ".agentform/emulator/default/agentform.lock"))).toBe(true);
  });
});

describe("the manifest of another folder, which may have the name of a state that is found", () => {
  const elsewhere = manifest().replace("name: test", "name: old");
  const state = JSON.stringify({
    format: "agentform/lock/v1",
    workspace: "old",
    environment: null,
    lineage: "lineage",
    serial: 1,
    writes: "one",
    service: { base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1" },
    resources: { "agent:a": { id: "66f1c0", body: {}, digest: "" } },
    retired: {},
    unknown: {},
  });
  const openFound = () => {
    const runner = new Runner();
    writeFileSync(join(runner.workspace, "agentform.old.lock"), state);
    return runner;
  };
  const plan = async (runner: Runner) => (await runner.run("plan", "-C", "sub")).stderr;

  test("is not read through a link, which may lead to a device without an end", async () => {
    const runner = openFound();
    mkdirSync(join(runner.checkout, "other"));
    writeFileSync(join(runner.checkout, "other/agentform.yaml"), elsewhere);
    expect(await plan(runner)).not.toContain("lock-left-behind");
    rmSync(join(runner.checkout, "other/agentform.yaml"));
    writeFileSync(join(runner.folder, "manifest"), elsewhere);
    runner.link("other/agentform.yaml", "../../manifest");
    expect(await plan(runner)).toContain("lock-left-behind");
  });

  test("is not looked for in the history of thousands", async () => {
    const runner = openFound();
    const git = (...args: readonly string[]) =>
      execFileSync("git", [
        "-C",
        runner.checkout,
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
        ...args,
      ]);
    const commit = () => {
      git("add", "--all");
      git("commit", "--quiet", "--message", "commit");
    };
    commit();
    git("checkout", "--quiet", "-b", "more");
    const add = (from: number, to: number) => {
      for (let at = from; at < to; at++) {
        mkdirSync(join(runner.checkout, `more/${at}`), { recursive: true });
        writeFileSync(join(runner.checkout, `more/${at}/agentform.yaml`), elsewhere);
      }
      commit();
    };
    add(0, 1);
    git("checkout", "--quiet", "-");
    expect(await plan(runner)).not.toContain("lock-left-behind");
    git("checkout", "--quiet", "more");
    add(1, 101);
    git("checkout", "--quiet", "-");
    expect(await plan(runner)).toContain("lock-left-behind");
  });
});

describe("the emulator's data", () => {
  test.each(
    sample(
      "links",
      [
        ["sub/.agentform/emulator/default", "../../../../outside"],
        ["sub/.agentform/emulator/default/data", "../../../../../outside"],
        ["sub/.agentform/emulator/default/data/agents", "../../../../../../outside"],
      ],
      2,
    ),
  )("is not written where %s is a link", async (link, target) => {
    const runner = new Runner();
    runner.link(link, target);
    const { code, stderr } = await runner.run("apply", "-C", "sub", "--emulator", "--yes");
    expect(stderr).toContain("is a symbolic link");
    expect(code).toBe(1);
    runner.expectUntouched();
  });

  test("is not written through a link where its draft would be", async () => {
    const runner = new Runner();
    const target = "../../../../../../../outside/apply.sh";
    runner.link("sub/.agentform/emulator/default/data/agents/1.json.tmp", target);
    expect(await runner.run("apply", "-C", "sub", "--emulator", "--yes")).toMatchObject({ code: 0 });
    runner.expectUntouched();
  });

  test("is not kept where a link of the checkout leads", async () => {
    const runner = new Runner();
    runner.link("data", "../outside");
    const { code, stderr } = await runner.run("emulator", "--data", "data/kept");
    expect(stderr).toContain("data is a symbolic link");
    expect(code).toBe(1);
    runner.expectUntouched();
  });
});

describe("a new workspace and its jobs", () => {
  test.each(
    sample(
      "links",
      [
        [".github", "../outside", ["init", "sub", "--ci", "github"]],
        [".gitlab", "../outside", ["init", "sub", "--ci", "gitlab"]],
        [".github/workflows/agentform-plan.yml", "../../../outside/new", ["init", "sub", "--ci", "github"]],
        ["new/agents", "../../outside", ["init", "new"]],
        ["new/prompts/assistant.md", "../../../outside/new", ["init", "new"]],
      ],
      2,
    ),
  )("are not written through the link %s", async (link, target, args) => {
    const runner = new Runner();
    runner.link(link, target);
    const { code } = await runner.run(...args);
    expect(code).toBe(1);
    runner.expectUntouched();
  });

  test("are written into the repository of the workspace that a link names, not beside the link", async () => {
    const runner = new Runner();
    symlinkSync(runner.workspace, join(runner.folder, "mine"));
    const { code } = await runner.run("init", join(runner.folder, "mine"), "--ci", "github");
    expect(code).toBe(0);
    expect(existsSync(join(runner.checkout, ".github"))).toBe(true);
    expect(existsSync(join(dirname(runner.folder), ".github"))).toBe(false);
  });
});
