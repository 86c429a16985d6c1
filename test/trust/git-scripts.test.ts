import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { Machine, type Ended } from "../ci/job-process.js";
import { agentText, Checkout, git, manifestText } from "./checkout.js";

const precious = "what no commit may touch\n";
const digest = `sha256:${"0".repeat(64)}`;

/** A job on a checkout: its runner has a temporary folder, and beside it a file that is not the commit's. */
class Job {
  readonly temp: string;
  readonly outside: string;
  readonly #machine: Machine;
  readonly #log: string;

  constructor(
    readonly checkout: Checkout,
    private readonly store: "git" | "file",
  ) {
    this.temp = join(checkout.folder, "temp");
    mkdirSync(this.temp);
    this.outside = join(checkout.folder, "outside");
    writeFileSync(this.outside, precious);
    this.#log = join(checkout.folder, "git.log");
    this.#machine = new Machine(checkout.folder);
    const shim = join(checkout.folder, "bin/git");
    writeFileSync(
      shim,
      `#!/bin/sh\necho "$*" >>'${this.#log}'\nPATH='${process.env["PATH"]}' exec git "$@"\n`,
    );
    chmodSync(shim, 0o755);
  }

  async run(script: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return await this.#machine.run(
      `sh "$(npm root --global)/agentform/ci/${script}.sh"`,
      this.checkout.root,
      {
        AGENTFORM_WORKSPACE: "fleet/desk",
        AGENTFORM_STORE: this.store,
        AGENTFORM_BASE: "HEAD",
        RUNNER_TEMP: this.temp,
        ...env,
      },
    );
  }

  /** With what git was called. */
  calls(): readonly string[] {
    return readFileSync(this.#log, "utf8").trim().split("\n");
  }

  expectUntouched(): void {
    expect(readFileSync(this.outside, "utf8")).toBe(precious);
    expect(this.checkout.ran()).toEqual([]);
  }
}

function manifestOf(store: "git" | "file"): Record<string, string> {
  return { "fleet/desk/agentform.yaml": manifestText(`  lock: {store: ${store}}\n`) };
}

describe.each(sample("stores", ["git", "file"] as const, 1))("the scripts with a %s store", (store) => {
  wholeTest("run nothing of a workspace that is a repository for git, and call git in one way", async () => {
    const checkout = new Checkout(manifestOf(store));
    checkout.write({ ".gitattributes": "*.lock filter=evil diff=evil merge=evil\n" });
    checkout.plantRepository("fleet/desk");
    checkout.commit();
    git(checkout.root, "push", "-q", "origin", "main");
    const job = new Job(checkout, store);
    const planned = await job.run("plan");
    expect([planned.code, planned.output]).toEqual([0, expect.stringContaining("Plan: 1 to create.")]);
    const reviewed = await job.run("reviewed", { AGENTFORM_EXPECT: digest });
    expect([reviewed.code, reviewed.output]).toEqual([0, expect.stringContaining(`Reviewed: ${digest}`)]);
    if (store === "file") {
      checkout.write({ "fleet/desk/agentform.lock": "a lock\n" });
      expect(await job.run("save-state")).toEqual({ code: 0, output: "state committed to main\n" });
    }
    job.expectUntouched();
    for (const call of job.calls()) {
      expect(call).toContain("-c core.hooksPath=/dev/null -c core.fsmonitor=false");
      if (call.endsWith(" rev-parse --absolute-git-dir"))
        expect(call).toContain(`-C ${checkout.root} --no-pager`);
      else expect(call).toContain(`--git-dir=${checkout.root}/.git --work-tree=${checkout.root} `);
    }
  });

  wholeTest("leave their results outside the checkout", async () => {
    const checkout = new Checkout(manifestOf(store));
    const job = new Job(checkout, store);
    expect((await job.run("plan")).code).toBe(0);
    expect((await job.run("reviewed", { AGENTFORM_EXPECT: digest })).code).toBe(0);
    expect(git(checkout.root, "status", "--porcelain", "--ignored")).toBe("");
    expect(readdirSync(job.temp)).toContain("agentform-plan.json");
  });

  wholeTest("write through no link that a commit brought, wherever the plan is to be", async () => {
    const checkout = new Checkout(manifestOf(store));
    const job = new Job(checkout, store);
    const names = ["", ".digest", ".outdated", ".began", ".git", ".index", ".state"].map(
      (end) => `agentform-plan.json${end}`,
    );
    for (const name of names) symlinkSync(job.outside, join(checkout.root, name));
    for (const name of ["agentform.lock", "agentform.lock.journal"]) {
      symlinkSync(job.outside, join(checkout.workspace, name));
    }
    checkout.commit();
    git(checkout.root, "push", "-q", "origin", "main");
    await job.run("plan", { AGENTFORM_ARTIFACT: "agentform-plan.json" });
    job.expectUntouched();
    for (const script of ["plan", "reviewed", "save-state", "report"]) {
      await job.run(script, { AGENTFORM_PLAN: "agentform-plan.json", AGENTFORM_EXPECT: digest });
      job.expectUntouched();
    }
  });

  wholeTest("refuse a workspace behind a link, and a place of the plan", async () => {
    const checkout = new Checkout(manifestOf(store));
    const job = new Job(checkout, store);
    const elsewhere = join(checkout.folder, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(checkout.root, "results"));
    const placed = await job.run("plan", { AGENTFORM_PLAN: "results/plan.json" });
    expect(placed).toEqual({ code: 1, output: "error: the path results contains a symbolic link\n" });
    rmSync(join(checkout.root, "fleet"), { recursive: true });
    mkdirSync(join(elsewhere, "desk"));
    symlinkSync(elsewhere, join(checkout.root, "fleet"));
    for (const script of ["plan", "reviewed", "save-state"]) {
      const { code, output } = await job.run(script);
      expect([code, output]).toEqual([1, "error: the path fleet/desk contains a symbolic link\n"]);
    }
    expect(readdirSync(elsewhere)).toEqual(["desk"]);
    expect(readdirSync(join(elsewhere, "desk"))).toEqual([]);
  });
});

wholeTest("the copy of the plan for the artifacts takes the place of a link", async () => {
  const checkout = new Checkout();
  const job = new Job(checkout, "file");
  symlinkSync(job.outside, join(checkout.root, "agentform-plan.json"));
  const { code, output } = await job.run("plan", { AGENTFORM_ARTIFACT: "agentform-plan.json" });
  expect([code, output]).toEqual([0, expect.stringContaining("Plan: 1 to create.")]);
  expect(lstatSync(join(checkout.root, "agentform-plan.json")).isFile()).toBe(true);
  job.expectUntouched();
});

wholeTest("what a remote or a file's name says is no command to the runner", async () => {
  const checkout = new Checkout();
  const job = new Job(checkout, "file");
  expect((await job.run("reviewed", { AGENTFORM_EXPECT: digest })).code).toBe(0);
  const hook = join(checkout.remote, "hooks/pre-receive");
  const lines = [
    "::error::pwned",
    "  ::add-mask::a",
    "##[error]pwned",
    "##v##so[task.complete]pwned",
    "\\033[0Ksection_start:1:x\\r\\033[0K",
  ];
  writeFileSync(hook, `#!/bin/sh\nprintf '${lines.join("\\n")}\\n' >&2\nexit 1\n`);
  chmodSync(hook, 0o755);
  checkout.write({ "fleet/desk/agentform.lock": "a lock\n" });
  const { code, output } = await job.run("save-state");
  expect([code, output]).toEqual([1, expect.stringContaining("  git: remote: ")]);
  expect(output).toContain("pwned");
  expectNoCommand(output);
});

test("a conflict is told with its files, and their names are no command", async () => {
  const files = ["##[error]x", "::error::x", "##v##so[task.prependpath]x"];
  const all = (text: string) => Object.fromEntries(files.map((file) => [file, text]));
  const checkout = new Checkout(all("one\n"));
  git(checkout.root, "checkout", "-q", "-b", "change");
  checkout.write(all("two\n"));
  checkout.commit();
  git(checkout.root, "checkout", "-q", "main");
  checkout.write(all("three\n"));
  checkout.commit();
  git(checkout.root, "push", "-q", "origin", "main");
  git(checkout.root, "checkout", "-q", "change");
  const job = new Job(checkout, "file");
  const { code, output } = await job.run("plan", { AGENTFORM_TARGET_BRANCH: "main" });
  expect([code, output]).toEqual([1, expect.stringContaining("main cannot be merged into this change")]);
  expect(output).toContain("Merge conflict in");
  expectNoCommand(output);
});

wholeTest(
  "a branch whose name ends in that of the ref for the applied state is not taken for it",
  async () => {
    const checkout = new Checkout();
    const job = new Job(checkout, "file");
    const names = join(checkout.folder, "names");
    writeFileSync(names, "main\nfleet/desk/\ndefault");
    const ref = `refs/agentform/applied/${git(checkout.root, "hash-object", names)}`;
    git(checkout.root, "push", "-q", "origin", `HEAD:${ref}`, `HEAD:refs/heads/${ref}`);
    const { code, output } = await job.run("reviewed", { AGENTFORM_EXPECT: digest });
    expect([code, output]).toEqual([0, expect.stringContaining(`Reviewed: ${digest}`)]);
  },
);

test("a remote that does not say which state was applied last is not taken for one that has none", async () => {
  const checkout = new Checkout();
  const job = new Job(checkout, "file");
  const shim = join(checkout.folder, "bin/git");
  const text = readFileSync(shim, "utf8");
  writeFileSync(shim, text.replace("\n", '\ncase "$*" in *ls-remote*) exit 128 ;; esac\n'));
  const { code, output } = await job.run("reviewed", { AGENTFORM_EXPECT: digest });
  expect([code, output]).toEqual([128, expect.not.stringContaining("Reviewed:")]);
});

wholeTest("a merge runs no hook, and what is merged is planned", async () => {
  const checkout = new Checkout();
  git(checkout.root, "checkout", "-q", "-b", "change");
  checkout.write({ "fleet/desk/agents/other.yaml": agentText("other") });
  checkout.commit();
  git(checkout.root, "checkout", "-q", "main");
  checkout.write({ "README.md": "Hello.\n" });
  checkout.commit();
  git(checkout.root, "push", "-q", "origin", "main");
  git(checkout.root, "checkout", "-q", "change");
  for (const name of ["post-merge", "pre-merge-commit", "commit-msg", "prepare-commit-msg"]) {
    writeFileSync(join(checkout.root, ".git/hooks", name), readFileSync(checkout.canary(name)), {
      mode: 0o755,
    });
  }
  const job = new Job(checkout, "file");
  const { code, output } = await job.run("plan", { AGENTFORM_TARGET_BRANCH: "main" });
  expect([code, output]).toEqual([0, expect.stringContaining("Plan: 2 to create.")]);
  job.expectUntouched();
});

test("git is started by one module, and by one function of the scripts", () => {
  // The other one asks a system for its start, by an absolute path.
  const starters = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .filter((name) => readFileSync(join("src", name), "utf8").includes("child_process"));
  expect(starters).toEqual([join("git", "git-process.ts"), join("store", "local", "process-record.ts")]);
  const scripts = readdirSync("ci").filter((name) => name.endsWith(".sh"));
  const past = scripts.flatMap((name) => {
    const lines = readFileSync(join("ci", name), "utf8").split("\n");
    const others = lines.filter((line) =>
      /\b(command|env|exec|xargs|sudo|nohup|builtin)\b.*\bgit\b|\/git\b|`git/.test(line),
    );
    const callsFirst = lines.findIndex((line) => /^\s*git |\(git /.test(line));
    const readsSettings = lines.indexOf('. "$here/settings.sh"');
    const isUnread =
      callsFirst !== -1 && name !== "settings.sh" && (readsSettings === -1 || readsSettings > callsFirst);
    return [...others, ...(isUnread ? ["git without settings.sh"] : [])].map(
      (line) => `${name}: ${line.trim()}`,
    );
  });
  expect(past).toEqual([expect.stringMatching(/^settings\.sh: .* command git \\$/)]);
  for (const jobs of [
    "ci/gitlab.yml",
    ...readdirSync("src/cli/init/templates", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".yml"))
      .map((file) => `src/cli/init/templates/${file}`),
    "action.yml",
  ]) {
    expect(readFileSync(jobs, "utf8")).not.toMatch(/(- |run: |&& )git /);
  }
});

function expectNoCommand(output: string): void {
  expect(output).not.toMatch(/^\s*::/m);
  expect(output).not.toMatch(/##[A-Za-z]*\[/);
  expect(output).not.toMatch(/[\u001B\r]/);
}
