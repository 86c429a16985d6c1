import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";

const identity = ["-c", "user.name=author", "-c", "user.email=author@example.com"];

/** Runs git in a folder as its user would, and gives what it prints. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...identity, ...args], {
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
}

/** A manifest whose service is nowhere. */
export function manifestText(more = ""): string {
  return `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {base_url: "http://127.0.0.1:1", rai_base_url: "http://127.0.0.1:1", api_key: "\${env:KEY}"}
${more}`;
}

/** The document of an agent. */
export function agentText(name = "support"): string {
  return `${documentText("Agent", name, { name })}\n`;
}

let repositories = "";

// Made once: each checkout has a copy of its own, which takes no process.
function emptyRepositories(): string {
  if (repositories !== "") return repositories;
  const folder = mkdtempSync(join(tmpdir(), "agentform-trust-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  git(folder, "init", "-q", "--bare", "-b", "main", join(folder, "remote.git"));
  git(folder, "init", "-q", "-b", "main", join(folder, "checkout"));
  return (repositories = folder);
}

/** A checkout of a team's repository with a workspace in a folder, a remote, and a witness of what is run. */
export class Checkout {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "agentform-trust-")));
  readonly root = join(this.folder, "checkout");
  readonly workspace = join(this.root, "fleet/desk");
  readonly remote = join(this.folder, "remote.git");
  readonly #canaries = join(this.folder, "canaries");

  constructor(files: Readonly<Record<string, string>> = {}) {
    needProgram("git");
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }));
    mkdirSync(this.#canaries);
    cpSync(emptyRepositories(), this.folder, { recursive: true });
    const config = join(this.root, ".git/config");
    appendFileSync(
      config,
      `[remote "origin"]\n\turl = file://${this.remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
    );
    this.write({
      "fleet/desk/agentform.yaml": manifestText(),
      "fleet/desk/agents/support.yaml": agentText(),
      ...files,
    });
    this.#save();
    git(this.root, "push", "-q", "origin", "main");
  }

  /** Writes files by their names from the top. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = join(this.root, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  /** Commits everything, whatever is ignored. */
  commit(): string {
    this.#save();
    return git(this.root, "rev-parse", "HEAD");
  }

  #save(): void {
    git(this.root, "add", "--all", "--force");
    git(this.root, "commit", "-q", "--allow-empty", "-m", "commit");
  }

  /** Gives a command that leaves a witness of its name and fails. */
  canary(name: string): string {
    const file = join(this.folder, `run-${name}`);
    writeFileSync(file, `#!/bin/sh\ntouch '${join(this.#canaries, name)}'\nexit 1\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** The names of the commands that were run. */
  ran(): readonly string[] {
    return readdirSync(this.#canaries);
  }

  /** Forgets them. */
  forget(): void {
    for (const name of this.ran()) rmSync(join(this.#canaries, name));
  }

  /** A configuration in which everything that may be a command is one. */
  hostileConfig(): string {
    const run = (name: string) => JSON.stringify(this.canary(name));
    const hooks = join(this.folder, "hooks");
    mkdirSync(hooks, { recursive: true });
    for (const hook of [
      "post-checkout",
      "pre-push",
      "reference-transaction",
      "post-index-change",
      "post-merge",
    ]) {
      writeFileSync(join(hooks, hook), readFileSync(this.canary(`hook-${hook}`)), { mode: 0o755 });
    }
    const included = join(this.folder, "included");
    writeFileSync(included, `[core]\n\tfsmonitor = ${run("included-fsmonitor")}\n`);
    return `[core]
	repositoryformatversion = 1
	bare = false
	fsmonitor = ${run("fsmonitor")}
	sshCommand = ${run("ssh")}
	pager = ${run("pager")}
	editor = ${run("editor")}
	askPass = ${run("askpass")}
	gitProxy = ${run("proxy")}
	alternateRefsCommand = ${run("alternates")}
	hooksPath = ${JSON.stringify(hooks)}
[extensions]
	partialClone = evil
[remote "evil"]
	url = ${this.remote}
	promisor = true
	uploadpack = ${run("uploadpack")}
	receivepack = ${run("receivepack")}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[credential]
	helper = ${run("credential")}
[diff]
	external = ${run("diff-external")}
[diff "evil"]
	command = ${run("diff-command")}
	textconv = ${run("textconv")}
[filter "evil"]
	clean = ${run("clean")}
	smudge = ${run("smudge")}
	process = ${run("process")}
	required = true
[merge "evil"]
	driver = ${run("merge-driver")}
[gpg]
	program = ${run("gpg")}
[alias]
	plan = !${this.canary("alias")}
[include]
	path = ${JSON.stringify(included)}
`;
  }

  /** Makes a folder of the checkout what git takes for a bare repository, with everything in its configuration a command. */
  plantRepository(folder: string): void {
    const head = git(this.root, "rev-parse", "HEAD");
    this.write({
      [`${folder}/HEAD`]: "ref: refs/heads/main\n",
      // A commit that is not there has to be fetched.
      [`${folder}/refs/heads/main`]: `${head.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))}\n`,
      [`${folder}/refs/agentform/desk/default`]: `${head}\n`,
      [`${folder}/objects/info/keep`]: "",
      [`${folder}/config`]: `${this.hostileConfig()}[core]\n\tworktree = .\n`,
    });
  }
}
