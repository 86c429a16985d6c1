import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sample, wholeTest } from "../harness/tier.js";
import { runCli } from "../package/run-cli.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import { findDocuments } from "../../src/workspace/find-documents.js";
import { WorkspaceFolder } from "../../src/workspace/workspace-folder.js";
import { runCommand } from "./run-command.js";
import { needProgram } from "../harness/need.js";

const token = "dG9rZW4tb2YtdGhlLWpvYg";
const manifest = (more = "") => `apiVersion: agentform/v1
kind: Workspace
metadata: {name: test}
spec:
  service: {base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1", api_key: "\${env:KEY}"}
${more}`;
const agent = (prompt: string) => `apiVersion: agentform/v1
kind: Agent
metadata: {name: a}
spec:
  name: A
  system_prompt: ${JSON.stringify(prompt)}
`;

/** A checkout that is a workspace, as a job has it: the token is in git's configuration, other secrets are about. */
class Checkout {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "agentform-includes-")));

  constructor(files: Readonly<Record<string, string>>) {
    needProgram("git");
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    this.git("init", "--quiet");
    this.git("config", "http.extraheader", `AUTHORIZATION: basic ${token}`);
    this.write({ "agentform.yaml": manifest(), ...files });
  }

  git(...args: string[]): void {
    execFileSync("git", ["-C", this.folder, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
  }

  async expectRefused(message: string, ...more: string[]): Promise<void> {
    await this.expectAllRefused([message], ...more);
  }

  async expectAllRefused(messages: readonly string[], ...more: string[]): Promise<void> {
    for (const command of ["plan", "validate"]) {
      const { code, stdout, stderr } = await runCommand([command, ...more], { cwd: this.folder });
      expect(stdout + stderr).not.toContain(token);
      for (const message of messages) expect(stdout + stderr).toContain(message);
      expect(code).toBe(1);
    }
  }
}

describe("what is git's or agentform's own", () => {
  wholeTest("is not included, however it is spelled", async () => {
    const paths = {
      "../.git/config": "`.git/config` belongs to git",
      "../agents/../.git/config": "`.git/config` belongs to git",
      "../.GIT/config": "`.GIT/config` belongs to git",
      "../.git./config": "`.git./config` belongs to git",
      "../git~1/config": "`git~1/config` belongs to git",
      "../.g\u200Cit/config": "it/config` belongs to git",
      "../.git::$INDEX_ALLOCATION/config": "`.git::$INDEX_ALLOCATION/config` belongs to git",
      "../sub/.git": "`sub/.git` belongs to git",
      "../.agentform/default.journal": "`.agentform/default.journal` belongs to agentform",
      "../.AGENTFORM/emulator/x.json": "`.AGENTFORM/emulator/x.json` belongs to agentform",
      "../agentform.lock": "`agentform.lock` belongs to agentform",
      "../agentform.production.lock": "`agentform.production.lock` belongs to agentform",
      "../agentform.lock.journal": "`agentform.lock.journal` belongs to agentform",
      "../other/Agentform.lock": "`other/Agentform.lock` belongs to agentform",
    };
    const documents = Object.keys(paths).flatMap((path, index) =>
      ["file", "template"].map((scheme) => [
        `agents/${scheme}-${index}.yaml`,
        agent(`\${${scheme}:${path}}`),
      ]),
    );
    const checkout = new Checkout({
      ...Object.fromEntries(documents),
      ".agentform/default.journal": token,
      "agentform.lock": token,
      "agentform.lock.journal": token,
      "sub/.git": `gitdir: ${token}\n`,
      "other/agentform.lock": token,
    });
    await checkout.expectAllRefused(Object.values(paths));
  });

  test("is not included by a template of a template, nor as data", async () => {
    const checkout = new Checkout({
      "agents/a.yaml": agent("${template:../prompts/one.md}"),
      "prompts/one.md": "${template:two.yaml}",
      "prompts/two.yaml": "a: ${file:../.git/config}",
    });
    await checkout.expectRefused("`.git/config` belongs to git");
  });

  test.each(
    sample(
      "inclusions",
      [
        ["prompts/x.md", "../.git/config", "${file:../prompts/x.md}"],
        ["prompts", ".git", "${file:../prompts/config}"],
        ["a/b/prompts", "../../.git", "${file:../a/b/prompts/config}"],
        ["prompts/x.md", "../.agentform/default.journal", "${file:../prompts/x.md}"],
      ],
      2,
    ),
  )("is not included through the link %s", async (link, target, include) => {
    const checkout = new Checkout({ "agents/a.yaml": agent(include), ".agentform/default.journal": token });
    mkdirSync(dirname(join(checkout.folder, link)), { recursive: true });
    symlinkSync(target, join(checkout.folder, link));
    await checkout.expectRefused("leads to a withheld file");
  });

  test.each(
    sample("inclusions", [".git", ".git/config", ".agentform", "agents/../.git", "agentform.lock"], 2),
  )("holds no documents: %s", async (include) => {
    const checkout = new Checkout({
      "agentform.yaml": manifest(`  include: [${JSON.stringify(include)}]\n`),
      ".git/hidden.yaml": `a: ${token}: b\n`,
      ".agentform/hidden.yaml": `a: ${token}: b\n`,
      "agentform.lock": "{}",
    });
    await checkout.expectRefused("belongs to");
  });

  test("holds no documents for a folder or manifest that is a link", async () => {
    const linked = new Checkout({ ".git/hidden.yaml": `a: ${token}: b\n` });
    symlinkSync(".git", join(linked.folder, "agents"));
    await linked.expectRefused("leads to a withheld file");
    const manifestLink = new Checkout({});
    rmSync(join(manifestLink.folder, "agentform.yaml"));
    symlinkSync(".git/config", join(manifestLink.folder, "agentform.yaml"));
    await manifestLink.expectRefused("leads to a withheld file");
  });

  test("is not hinted at: no name of a folder outside is told", async () => {
    const checkout = new Checkout({ "agents/a.yaml": agent("${file:../linked/hostnam}") });
    symlinkSync("/etc", join(checkout.folder, "linked"));
    const { stdout, stderr } = await runCommand(["validate"], { cwd: checkout.folder });
    expect(stdout + stderr).not.toContain("linked/hostname");
  });
});

describe("what git ignores", () => {
  const ignoring = { ".gitignore": ".env*\nsecrets/\n*.local.yaml\n*.draft.md\n!example.draft.md\n" };
  const secrets = { ".env": token, "secrets/keys.md": token, "agents/b.local.yaml": `a: ${token}: b\n` };

  test.each(
    sample(
      "inclusions",
      [
        ["${file:../.env}", "`.env` is ignored by git"],
        ["${template:../secrets/keys.md}", "`secrets/keys.md` is ignored by git"],
        [
          "${file:../prompts/linked.md}",
          "`prompts/linked.md` leads to a withheld file: `.env` is ignored by git",
        ],
      ],
      2,
    ),
  )("is not included: %s", async (include, message) => {
    const checkout = new Checkout({
      ...ignoring,
      ...secrets,
      "agents/a.yaml": agent(include),
      "prompts/x.md": "",
    });
    symlinkSync("../.env", join(checkout.folder, "prompts/linked.md"));
    await checkout.expectRefused(message);
  });

  test("holds no documents", async () => {
    const checkout = new Checkout({ ...ignoring, ...secrets, "agents/a.yaml": agent("Help.") });
    await checkout.expectRefused("`agents/b.local.yaml` is ignored by git");
    rmSync(join(checkout.folder, "agents/b.local.yaml"));
    checkout.write({ "agentform.yaml": manifest("  include: [secrets]\n"), "secrets/a.yaml": agent(token) });
    await checkout.expectRefused("`secrets` is ignored by git");
  });

  test("is not included from the workspace in a folder of the checkout", async () => {
    const checkout = new Checkout({
      ".gitignore": "/sub/.env\n",
      "sub/agentform.yaml": manifest(),
      "sub/.env": token,
      "sub/agents/a.yaml": agent("${file:../.env}"),
    });
    await checkout.expectRefused("`.env` is ignored by git", "-C", "sub");
  });

  test("is not taken from the cache of a time when git did not ignore it", async () => {
    const checkout = new Checkout({ "agents/a.yaml": agent("${file:../a.draft.md}"), "a.draft.md": "a" });
    const plan = () => runCommand(["plan"], { cwd: checkout.folder });
    expect(await plan()).toMatchObject({ code: 0 });
    checkout.write(ignoring);
    expect((await plan()).stderr).toContain("`a.draft.md` is ignored by git");
  });

  test("is included where git has it all the same, and what git does not know yet too", async () => {
    const checkout = new Checkout({
      ...ignoring,
      "agents/a.yaml": agent("${file:../forced.draft.md} ${file:../example.draft.md} ${file:../new.md}"),
      "forced.draft.md": "kept\n",
      "example.draft.md": "kept\n",
      "new.md": "kept\n",
    });
    checkout.git("add", "--force", "forced.draft.md");
    expect(await runCommand(["validate"], { cwd: checkout.folder })).toMatchObject({ code: 0 });
  });

  test("is not asked of git where all of the workspace is ignored", async () => {
    const checkout = new Checkout({
      ".gitignore": "scratch/\na.draft.md\n",
      "scratch/agentform.yaml": manifest(),
      "scratch/a.draft.md": "kept\n",
      "scratch/agents/a.yaml": agent("${file:../a.draft.md}"),
    });
    const cwd = join(checkout.folder, "scratch");
    expect(await runCommand(["validate"], { cwd })).toMatchObject({ code: 0 });
  });

  wholeTest(
    "must be known: in a repository without git nothing is read, and nothing counts as used by nobody",
    async () => {
      const checkout = new Checkout({ "agents/a.yaml": agent("${file:../notes.txt}"), "notes.txt": token });
      const bare = join(checkout.folder, "bin");
      mkdirSync(bare);
      symlinkSync(process.execPath, join(bare, "node"));
      // Where git is looked up is the process's own.
      const options = { cwd: checkout.folder, env: { PATH: bare } };
      for (const command of ["plan", "validate", "prune"]) {
        const { code, stdout, stderr } = await runCli([command], options);
        expect(code, command).toBe(1);
        expect(stdout + stderr).toContain("error[git-failed]: git is not installed");
        expect(stdout + stderr).not.toContain(token);
      }
      rmSync(join(checkout.folder, ".git"), { recursive: true });
      expect(await runCli(["validate"], options)).toMatchObject({ code: 0 });
    },
  );
});

describe("what a commit includes, but does not bring", () => {
  const secret = "notes/passwords.txt";
  const withoutRules = { ".gitignore": "!notes/\n!*.txt\n" };

  /** A checkout of a stranger's change, with a file that only the user has. */
  function checkOut(files: Readonly<Record<string, string>>): Checkout {
    const checkout = new Checkout({ ...withoutRules, ...files });
    checkout.git("add", ".");
    checkout.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "change");
    checkout.write({ [secret]: token });
    return checkout;
  }

  test.each(["file", "template"])(
    "is not included by a %s, although the change does not ignore it",
    async (scheme) => {
      const checkout = checkOut({ "agents/a.yaml": agent(`\${${scheme}:../${secret}}`) });
      await checkout.expectRefused(`git has \`agents/a.yaml\`, but not \`${secret}\`, which it includes`);
      checkout.git("add", secret);
      expect(await runCommand(["validate"], { cwd: checkout.folder })).toMatchObject({ code: 0 });
    },
  );

  test("is not included by a template of a template, as data, or through a link that it brings", async () => {
    const nested = checkOut({
      "agents/a.yaml": agent("${template:../prompts/one.md}"),
      "prompts/one.md": `\${file:../${secret}}`,
    });
    await nested.expectRefused(`git has \`prompts/one.md\`, but not \`${secret}\``);
    const linked = new Checkout({ ...withoutRules, "agents/a.yaml": agent("${file:../prompts/a.md}") });
    mkdirSync(join(linked.folder, "prompts"));
    symlinkSync(`../${secret}`, join(linked.folder, "prompts/a.md"));
    linked.git("add", ".");
    linked.write({ [secret]: token });
    await linked.expectRefused("git has `agents/a.yaml`, but not `prompts/a.md`");
  });

  test("may be a file of the user's own document, and is not taken from the cache once that is in git", async () => {
    const checkout = checkOut({});
    checkout.write({ "agents/a.yaml": agent(`\${file:../${secret}}`) });
    expect(await runCommand(["plan"], { cwd: checkout.folder })).toMatchObject({ code: 0 });
    checkout.git("add", "agents");
    await checkout.expectRefused(`git has \`agents/a.yaml\`, but not \`${secret}\``);
  });

  test.each(["a submodule", "a repository that it does not know"])(
    "is not included from %s, whose own rules count",
    async (what) => {
      const documents = ["ignored", "new", "kept"].map((name) => [
        `agents/${name}.yaml`,
        agent(`\${file:../sub/${name}.txt}`).replace("name: a}", `name: ${name}}`),
      ]);
      const checkout = new Checkout(Object.fromEntries(documents));
      const own = (...args: string[]) =>
        checkout.git("-C", "sub", "-c", "user.name=a", "-c", "user.email=a@b", ...args);
      checkout.write({ "sub/.gitignore": "ignored.txt\n", "sub/kept.txt": "kept\n" });
      own("init", "--quiet");
      own("add", ".");
      own("commit", "--quiet", "-m", "sub");
      checkout.write({ "sub/ignored.txt": token, "sub/new.txt": token });
      checkout.git("add", "agents", "agentform.yaml", ...(what === "a submodule" ? ["sub"] : []));
      await checkout.expectAllRefused([
        "`sub/ignored.txt` is ignored by git",
        "git has `agents/new.yaml`, but not `sub/new.txt`",
      ]);
      const { stdout, stderr } = await runCommand(["validate"], { cwd: checkout.folder });
      expect((stdout + stderr).includes("sub/kept.txt")).toBe(what !== "a submodule");
    },
  );
});

describe("what has a name that is usual for secrets", () => {
  const secrets = [
    ".env",
    ".env.local",
    "sub/.ENV",
    ".envrc",
    "production.env",
    ".e\u200Cnv",
    "tls.pem",
    "tls.KEY",
    "id_ed25519",
    ".netrc",
    ".npmrc",
    "credentials",
    ".aws/config",
    ".git-credentials",
    "terraform.tfstate",
  ];

  test("is not included, although the change says that git does not ignore it", async () => {
    const documents = secrets.map((path, index) => [`agents/${index}.yaml`, agent(`\${file:../${path}}`)]);
    const checkout = new Checkout({
      ".gitignore": "!.env\n!**\n",
      ...Object.fromEntries(documents),
      ...Object.fromEntries(secrets.map((path) => [path, token])),
    });
    checkout.git("add", "--force", "agents", ".gitignore", ".env");
    await checkout.expectAllRefused(
      secrets.map((path) => `${path.slice(-2)}\` has a name that is usual for secrets`),
    );
  });

  test("is not included through a link with another name", async () => {
    const checkout = new Checkout({ "agents/a.yaml": agent("${file:../prompts/a.md}"), ".env": token });
    mkdirSync(join(checkout.folder, "prompts"));
    symlinkSync("../.env", join(checkout.folder, "prompts/a.md"));
    await checkout.expectRefused("has a name that is usual for secrets");
  });

  test("is told apart from the texts of a workspace", async () => {
    const texts = [
      ".env.example",
      "id_check.md",
      "credentials/note.md",
      "keys.md",
      "prompts/credentials.md",
      "key",
    ];
    const documents = texts.map((path, index) => [
      `agents/${index}.yaml`,
      agent(`\${file:../${path}}`).replace("name: a}", `name: a${index}}`),
    ]);
    const checkout = new Checkout({
      ...Object.fromEntries(documents),
      ...Object.fromEntries(texts.map((path) => [path, "text"])),
    });
    const { code, stdout, stderr } = await runCommand(["validate"], { cwd: checkout.folder });
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining("error")]);
  });
});

// Of a process with threads, `/proc` has a folder for each, and lists one: a disk that ignores case is found as little.
test.skipIf(process.platform !== "linux")("a name that its folder does not list is not read", () => {
  const thread = readdirSync("/proc/self/task").find((id) => id !== String(process.pid));
  const read = new WorkspaceFolder("/proc").readBytes(`${thread}/comm`);
  expect(read).toMatchObject({ ok: false, code: "file-unreadable" });
  const settings = { include: [`${thread}/fdinfo`], environments: [] } as unknown as Settings;
  const { findings } = findDocuments(new WorkspaceFolder("/proc"), settings);
  expect(findings).toMatchObject([{ code: "file-unreadable" }]);
  for (const [root, file] of [
    ["/proc", `${process.pid}/comm`],
    ["/", `proc/${process.pid}/comm`],
  ] as const)
    expect(new WorkspaceFolder(root).readBytes(file)).toMatchObject({ ok: true });
});
