import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { credential, folder, manifest, policy } from "./desk.js";
import { Machine, type Ended } from "./job-process.js";
import { git, guardBranches, Repository } from "./repository.js";
import { emptyLock } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";
import { wholeTest } from "../harness/tier.js";

const lock = `${folder}/agentform.lock`;
const journal = `${lock}.journal`;

/** A job that has seen what was reviewed, and is about to apply. */
class Runner {
  readonly #machine: Machine;
  readonly folder: string;

  private constructor(readonly repository: Repository) {
    this.#machine = new Machine(repository.folder);
    this.folder = repository.checkOut("refs/heads/main", 1);
  }

  /** What reviewed.sh printed. */
  seen = "";

  static async start(repository: Repository, workspaces = folder): Promise<Runner> {
    const runner = new Runner(repository);
    const { code, output } = await runner.run("reviewed.sh", {
      AGENTFORM_EXPECT: `sha256:${"0".repeat(64)}`,
      AGENTFORM_WORKSPACE: workspaces,
    });
    if (code !== 0) throw new Error(output);
    runner.seen = output;
    return runner;
  }

  async run(script: string, more: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return await this.#machine.run(`sh "$(npm root --global)/agentform/ci/${script}"`, this.folder, {
      AGENTFORM_WORKSPACE: folder,
      AGENTFORM_STORE: "file",
      RUNNER_TEMP: this.repository.folder,
      ...more,
    });
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }
}

function makeRepository(files: Readonly<Record<string, string>> = {}): Repository {
  return new Repository({
    ...manifest("http://127.0.0.1:1", "file"),
    ...policy(),
    ...credential(),
    ...files,
  });
}

const branches = ({ remote }: Repository) => git(remote, "branch", "--format=%(refname:short)").split("\n");

test("lock and journal are committed onto what others have pushed, and nothing else is", async () => {
  const repository = makeRepository();
  const runner = await Runner.start(repository);
  runner.write(lock, "a lock\n");
  runner.write(journal, "a journal\n");
  runner.write("stray.txt", "not this\n");
  runner.write(`${folder}/policies/strict.yaml`, "nor this\n");
  const pushed = repository.pushDirectly({ "README.md": "Hello.\n" });
  expect(await runner.run("save-state.sh")).toMatchObject({ code: 0, output: "state committed to main\n" });
  expect([repository.read("main", lock), repository.read("main", journal)]).toEqual(["a lock", "a journal"]);
  const names = git(repository.remote, "diff", "--name-only", pushed, "main").split("\n");
  expect(names).toEqual([lock, journal]);
  expect(git(repository.remote, "rev-parse", "main^")).toBe(pushed);

  const tip = git(repository.remote, "rev-parse", "main");
  expect(await runner.run("save-state.sh")).toMatchObject({ code: 0, output: "" });
  rmSync(join(runner.folder, journal));
  expect(await runner.run("save-state.sh")).toMatchObject({ code: 0 });
  expect(git(repository.remote, "rev-parse", "main^")).toBe(tip);
  expect(repository.read("main", journal)).toBeUndefined();
});

wholeTest("a state that git cannot take is not taken for none", async () => {
  const repository = makeRepository();
  const runner = await Runner.start(repository);
  runner.write(lock, "a lock\n");
  const full = `case "$*" in *hash-object*) echo "fatal: No space left on device" >&2; exit 128 ;; esac`;
  const script = `#!/bin/sh\n${full}\nPATH=\${PATH#*:} exec git "$@"\n`;
  writeFileSync(join(repository.folder, "bin/git"), script, { mode: 0o755 });
  const { code, output } = await runner.run("save-state.sh");
  expect([code, output]).toEqual([128, expect.stringContaining("No space left on device")]);
  expect(readFileSync(join(repository.folder, `agentform-plan.json.state/${lock}`), "utf8")).toBe("a lock\n");
});

wholeTest("a push that is refused for a moment is repeated", async () => {
  const repository = makeRepository();
  const runner = await Runner.start(repository);
  runner.write(lock, "a lock\n");
  const count = join(repository.folder, "count");
  guardBranches(repository, `echo x >>"${count}"; [ $(wc -l <"${count}") -gt 1 ]`);
  expect((await runner.run("save-state.sh")).code).toBe(0);
  expect(readFileSync(count, "utf8")).toBe("x\nx\n");
  expect(repository.read("main", lock)).toBe("a lock");
});

wholeTest(
  "a fetch that fails for a moment is repeated, and others that are faster take away no try",
  async () => {
    const repository = makeRepository();
    const runner = await Runner.start(repository);
    runner.write(lock, "a lock\n");
    const count = join(repository.folder, "count");
    // Each try finds that somebody has pushed.
    const faster = `git commit-tree -p "$2" -m faster "$2^{tree}"`;
    const pushing = `env -u GIT_QUARANTINE_PATH git update-ref refs/heads/main $(${faster})`;
    guardBranches(
      repository,
      `echo x >>"${count}"; [ $(wc -l <"${count}") -gt 7 ] || { ${pushing}; exit 1; }`,
    );
    git(repository.remote, "config", "user.name", "faster");
    git(repository.remote, "config", "user.email", "faster@example.com");
    renameSync(repository.remote, `${repository.remote}.away`);
    const saving = runner.run("save-state.sh");
    await sleep(700);
    renameSync(`${repository.remote}.away`, repository.remote);
    expect(await saving).toMatchObject({ code: 0 });
    expect(readFileSync(count, "utf8").length).toBe(16);
    expect(repository.read("main", lock)).toBe("a lock");
  },
);

wholeTest(
  "where the branch has another's state, this one goes to a branch of its own, and nothing is overwritten",
  async () => {
    const repository = makeRepository({ [lock]: "the lock before\n" });
    writeFileSync(join(repository.folder, "x"), "");
    const runner = new Machine(repository.folder);
    const checkout = repository.checkOut("refs/heads/main", 1);
    const results = repository.folder;
    const env = { AGENTFORM_WORKSPACE: folder, AGENTFORM_STORE: "file", RUNNER_TEMP: results };
    writeFileSync(join(results, "agentform-plan.json.began"), `${git(checkout, "rev-parse", "HEAD")}\n`);
    writeFileSync(join(checkout, lock), "this run's lock\n");
    repository.pushDirectly({ [lock]: "another's lock\n" });
    const script = (name: string): string => `sh "$(npm root --global)/agentform/ci/${name}"`;
    const { code, output } = await runner.run(script("save-state.sh"), checkout, env);
    expect(code).toBe(1);
    const rescue = branches(repository).find((name) => name.startsWith("agentform-state-default-")) ?? "";
    expect(output).toContain(`so it is on the branch ${rescue}`);
    expect(repository.read("main", lock)).toBe("another's lock");
    expect(repository.read(rescue, lock)).toBe("this run's lock");

    const next = await runner.run(script("reviewed.sh"), repository.checkOut("refs/heads/main", 1), env);
    expect([next.code, next.output]).toEqual([4, expect.stringContaining(`is on the branch ${rescue}`)]);
  },
);

wholeTest(
  "where the branch is protected, the state goes to a branch of its own, and the job fails",
  async () => {
    const repository = makeRepository();
    const runner = await Runner.start(repository);
    runner.write(lock, "a lock\n");
    guardBranches(repository, "exit 1");
    // A branch is no folder of others, and anybody may push one of a name that can be guessed.
    for (const name of ["agentform-state", "agentform-state-default"])
      git(repository.remote, "branch", name, "main");
    expect((await runner.run("save-state.sh")).code).toBe(1);
    const rescue = branches(repository).find((name) => name.startsWith("agentform-state-default-")) ?? "";
    expect(repository.read(rescue, lock)).toBe("a lock");
    // Forges run no plan for a change whose last commit says so, and the branch may require one.
    expect(git(repository.remote, "log", "-1", "--format=%s", rescue)).not.toContain("[skip ci]");
    const kept = join(repository.folder, `agentform-plan.json.state/${lock}`);
    expect(readFileSync(kept, "utf8")).toBe("a lock\n");
  },
);

wholeTest(
  "a job that never saw what was reviewed saves nothing, whatever an earlier one has left",
  async () => {
    const repository = makeRepository();
    const runner = await Runner.start(repository);
    repository.pushDirectly({ [`${folder}/policies/strict.yaml`]: "another\n" });
    expect((await runner.run("reviewed.sh")).code).toBe(4);
    expect(existsSync(join(repository.folder, "agentform-plan.json.began"))).toBe(false);
    runner.write(lock, "an old lock\n");
    expect(await runner.run("save-state.sh")).toEqual({ code: 0, output: "" });
    expect(repository.read("main", lock)).toBeUndefined();
  },
);

wholeTest("a job does not apply with a state that another one replaces while it begins", async () => {
  const repository = makeRepository({ [lock]: '{\n  "lineage": "1-a",\n' });
  const { remote } = repository;
  const before = git(remote, "rev-parse", "main");
  const saved = repository.pushDirectly({ [lock]: "another's lock\n" });
  git(remote, "update-ref", "refs/heads/main", before);
  const save = `env -u GIT_QUARANTINE_PATH git update-ref refs/heads/main ${saved}`;
  const script = `#!/bin/sh\ncase $1 in refs/agentform/applying/1-a/*) ${save} ;; esac\n`;
  writeFileSync(join(remote, "hooks/update"), script, { mode: 0o755 });
  await expect(Runner.start(repository)).rejects.toThrow("another job has just applied the same state");
});

wholeTest("nothing is sent by a job that may not push its state", async () => {
  const repository = makeRepository();
  const runner = await Runner.start(repository);
  git(
    repository.remote,
    "branch",
    "agentform-state",
    git(
      repository.remote,
      "-c",
      "user.name=x",
      "-c",
      "user.email=x@example.com",
      "commit-tree",
      "main^{tree}",
      "-m",
      "x",
    ),
  );
  // The digest that a person gave is another one.
  expect((await runner.run("apply.sh")).code).toBe(4);
  git(runner.folder, "config", "remote.origin.receivepack", "false");
  const { code, output } = await runner.run("apply.sh");
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("this job may not push, so nothing was applied"),
  ]);
  expect(output).not.toContain("agentform plan");
});

wholeTest("what is no digest is not taken for one", async () => {
  const repository = makeRepository();
  const runner = await Runner.start(repository);
  for (const digest of ["sha256:", "sha256:12\n::error::x", "latest", "sha256:zz"]) {
    const { code, output } = await runner.run("reviewed.sh", { AGENTFORM_EXPECT: digest });
    expect([digest, code]).toEqual([digest, digest === "latest" ? 4 : 64]);
    expect(output).not.toContain("::error::");
  }
});

wholeTest("jobs for other workspaces, or for another folder, know what was applied before them", async () => {
  const repository = makeRepository();
  const runner = await Runner.start(repository);
  const owner = { workspace: "desk", environment: null };
  const lockWith = (id: string): string => {
    const entry = {
      id,
      body: { name: "Strict" },
      digest: `sha256:${"0".repeat(64)}`,
      file: "policies/strict.yaml",
    };
    const write = "0123456789abcdef";
    const resources = { "policy:strict": { ...entry, write } };
    return lockText({ ...emptyLock(owner, "1-a"), serial: 1, writes: write, resources });
  };
  runner.write(lock, lockWith("one"));
  expect((await runner.run("save-state.sh")).code).toBe(0);
  const edited = lockWith("another");
  repository.pushDirectly({ [lock]: edited });
  const [other, moved] = ["other", "moved"].map((place) =>
    Object.fromEntries(
      Object.entries({ ...manifest("http://127.0.0.1:1", "file"), ...policy(), ...credential() }).map(
        ([name, text]) => [
          name.replace(folder, place),
          place === "other" ? text.replace('"desk"', '"other"') : text,
        ],
      ),
    ),
  );
  repository.pushDirectly(other ?? {});
  const both = await Runner.start(repository, `${folder}\nother`);
  expect(both.seen).toContain("State edited by this change");
  expect((await both.run("save-state.sh")).code).toBe(0);

  const away = Object.keys({ ...manifest("", "file"), ...policy(), ...credential(), [lock]: "" });
  const gone = Object.fromEntries(away.map((name) => [name, null]));
  repository.pushDirectly({ ...gone, ...moved, "moved/agentform.lock": edited });
  expect((await Runner.start(repository, "moved")).seen).toContain("State edited by this change");
});

wholeTest("what cannot be planned is told once, with what mends it", async () => {
  const repository = makeRepository();
  const runner = await Runner.start(repository);
  expect((await runner.run("reviewed.sh", { AGENTFORM_BRANCH: "gone" })).code).not.toBe(0);
  const reported = await runner.run("report.sh");
  expect([reported.code, reported.output]).toEqual([
    1,
    expect.stringMatching(/^error: it was not seen .*\n$/),
  ]);

  repository.propose({ "README.md": "Hello.\n" });
  repository.pushDirectly({ "README.md": "Good day.\n" });
  const clone = repository.checkOut("refs/heads/change-1", 1);
  const env = { AGENTFORM_WORKSPACE: folder, AGENTFORM_STORE: "file", AGENTFORM_TARGET_BRANCH: "main" };
  const plan = `sh "$(npm root --global)/agentform/ci/plan.sh"`;
  const shallow = await new Machine(repository.folder).run(plan, clone, env);
  expect([shallow.code, shallow.output]).toEqual([1, expect.stringContaining("fetch all of its history")]);
  expect(shallow.output).not.toContain("rebase");
});

wholeTest(
  "no name of a workspace or an environment is an option, and a folder that is gone is told",
  async () => {
    const named = Object.entries({ ...manifest("http://127.0.0.1:1", "file"), ...policy(), ...credential() });
    const more = named.map(([name, text]) => [
      name.replace(folder, "--help"),
      text.replace('"desk"', '"help"'),
    ]);
    const runner = await Runner.start(makeRepository(Object.fromEntries(more) as Record<string, string>));
    const plan = async (env: NodeJS.ProcessEnv) =>
      await runner.run("plan.sh", { AGENTFORM_BASE: "HEAD", ...env });
    const both = await plan({ AGENTFORM_WORKSPACE: `--help\n${folder}` });
    expect([both.code, both.output]).toEqual([0, expect.stringContaining("4 to create")]);
    const environment = await plan({ AGENTFORM_ENVIRONMENT: "--help" });
    expect([environment.code, environment.output]).toEqual([1, expect.stringContaining("error[")]);
    const gone = await plan({ AGENTFORM_WORKSPACE: "gone" });
    expect([gone.code, gone.output]).toEqual([
      1,
      expect.stringContaining("there is no folder gone, which the"),
    ]);
    expect(gone.output).toContain("first take out its documents and apply that");
  },
);

wholeTest(
  "the token is given to git when it asks for the host of the remote, and is written nowhere",
  async () => {
    const repository = makeRepository();
    const runner = await Runner.start(repository);
    const machine = new Machine(repository.folder);
    const ask = async (host: string, given: NodeJS.ProcessEnv = {}, more = ""): Promise<string> => {
      const script = `here="$(npm root --global)/agentform/ci"; . "$here/settings.sh"; ${more} printf 'protocol=https\\nhost=${host}\\n' | git credential fill`;
      const env = {
        AGENTFORM_GIT_TOKEN: "t0ken",
        AGENTFORM_REMOTE_URL: "https://user@github.com/acme/desk.git",
        RUNNER_TEMP: repository.folder,
        ...given,
      };
      return (await machine.run(script, runner.folder, env)).output;
    };
    expect(await ask("github.com")).toContain("username=x-access-token\npassword=t0ken\n");
    // What the CI gives git in the same way stays, also where one script starts another.
    const given = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "lfs.url",
      GIT_CONFIG_VALUE_0: "https://l.example.com",
    };
    const twice = await ask("github.com", given, '. "$here/settings.sh"; git config lfs.url;');
    expect(twice).toContain("https://l.example.com\n");
    expect(twice).toContain("password=t0ken\n");
    for (const host of ["example.com", "github.com.example.com", "github.com:8443"]) {
      expect(await ask(host)).not.toContain("t0ken");
    }
    expect(readFileSync(join(runner.folder, ".git/config"), "utf8")).not.toContain("t0ken");
  },
);
