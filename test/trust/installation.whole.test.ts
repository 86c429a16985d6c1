import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { manifest } from "../harness/disk-workspace.js";
import { runCli } from "../package/run-cli.js";
import { parseWorkflow } from "../ci/workflow.js";
import { needProgram } from "../harness/need.js";

interface Checkout {
  readonly folder: string;
  write(files: Readonly<Record<string, string | Buffer>>): void;
  git(...args: readonly string[]): void;
}

/** A repository with the jobs of `init --ci`, all committed. */
async function makeCheckout(ci: "github" | "gitlab"): Promise<Checkout> {
  needProgram("git");
  needProgram("bash");
  const root = mkdtempSync(join(tmpdir(), "agentform-installation-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "work");
  const write: Checkout["write"] = (files) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  };
  const identity = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
  const git: Checkout["git"] = (...args) =>
    void execFileSync("git", ["-C", folder, ...identity, ...args], { stdio: "pipe" });
  // A repository that ignores tarballs, rewrites line ends and keeps large files elsewhere keeps this one as it is.
  const attributes = "* text eol=crlf\n*.tgz filter=large\n";
  write({ "agentform.yaml": manifest, ".gitignore": "*.tgz\n", ".gitattributes": attributes });
  git("init", "--quiet");
  git("config", "filter.large.clean", "git hash-object --stdin");
  const { code, stderr } = await runCli(["init", "--ci", ci], { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
  git("add", "--all");
  git("commit", "--quiet", "-m", "begin");
  return { folder, write, git };
}

/** Runs the step that installs, with the npm of this machine, and then says where the agentform is that a later step runs. */
function install(
  { folder }: Checkout,
  job: "plan" | "apply",
  ci: "github" | "gitlab" = "github",
  before: (temporary: string) => void = () => {},
) {
  const temporary = mkdtempSync(join(dirname(folder), "temporary-"));
  before(temporary);
  const added = join(temporary, "path");
  writeFileSync(added, "");
  const { PATH = "", HOME } = process.env;
  const env = {
    PATH,
    HOME,
    npm_config_cache: join(temporary, "cache"),
    npm_config_registry: "http://127.0.0.1:1/",
    GITHUB_WORKSPACE: folder,
    GITHUB_ENV: join(temporary, "env"),
    GITHUB_PATH: added,
    RUNNER_TEMP: temporary,
    CI_PROJECT_DIR: folder,
    ...(job === "plan" && ci === "gitlab" && { CI_MERGE_REQUEST_DIFF_BASE_SHA: "HEAD^1" }),
  };
  const script = ci === "github" ? githubScript(folder, job) : gitlabScript(folder);
  const shown = `${script}\nPATH="$(cat "${added}"):$PATH" agentform validate -C "${folder}"\nnode -p 'require("node:fs").realpathSync(process.argv[1])' "$(PATH="$(cat "${added}"):$PATH" command -v agentform)"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", shown], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr, temporary };
}

function githubScript(folder: string, job: string): string {
  const text = readFileSync(join(folder, `.github/workflows/agentform-${job}.yml`), "utf8");
  const [{ steps } = { steps: [] }] = Object.values(parseWorkflow(text).jobs);
  return steps.find(({ name }) => name === "Install agentform")?.run ?? "";
}

function gitlabScript(folder: string): string {
  const jobs = parse(readFileSync(join(folder, ".gitlab/agentform.yml"), "utf8")) as {
    ".agentform": { before_script: string[] };
  };
  return jobs[".agentform"].before_script.join("\n");
}

const hostile = {
  ".npmrc": "ignore-scripts=false\nregistry=http://127.0.0.1:9/\nscript-shell=./evil.sh\n",
  ".yarnrc": 'yarn-path "./evil.sh"\n',
  ".yarnrc.yml": "yarnPath: ./evil.sh\n",
  ".node-version": "0.1\n",
  "package.json": JSON.stringify({
    packageManager: "yarn@9.9.9",
    scripts: { preinstall: "touch ran", install: "touch ran", postinstall: "touch ran" },
    dependencies: { agentform: "*" },
  }),
  "evil.sh": "#!/bin/sh\ntouch ran\n",
  "node_modules/.bin/agentform": "#!/bin/sh\ntouch ran\n",
};

test.each(["github", "gitlab"] as const)(
  "agentform is installed without a registry, away from the checkout, whose files have no say: %s",
  async (ci) => {
    const checkout = await makeCheckout(ci);
    checkout.write(hostile);
    checkout.git("add", "--all", "--force");
    checkout.git("commit", "--quiet", "-m", "hostile");
    const { status, output, temporary } = install(checkout, "apply", ci);
    expect([status, output]).toEqual([0, expect.stringContaining("added 1 package")]);
    const home = ci === "github" ? temporary : `${checkout.folder}.tmp`;
    expect(output).toContain(`${home}/agentform/node_modules/agentform/dist/cli.js`);
    expect(
      spawnSync("git", ["-C", checkout.folder, "status", "--porcelain"], { encoding: "utf8" }).stdout,
    ).toBe("");
  },
);

test.each(["gitlab", "github"] as const)("a change has no say in what plans it: %s", async (ci) => {
  const checkout = await makeCheckout(ci);
  const files = Object.fromEntries(
    ["package.json", "package-lock.json", "agentform.tgz"].map((file) => [
      `.${ci}/agentform/${file}`,
      "evil",
    ]),
  );
  checkout.write(files);
  checkout.git("commit", "--quiet", "--all", "-m", "a change");
  expect(install(checkout, "plan", ci).status).toBe(0);
  expect(install(checkout, "apply", ci).status).not.toBe(0);
});

test.each(["gitlab", "github"] as const)(
  "what another job has left in the folder above has no say: %s",
  async (ci) => {
    const checkout = await makeCheckout(ci);
    const above = (temporary: string) => (ci === "github" ? temporary : `${checkout.folder}.tmp`);
    const { status, output } = install(checkout, "apply", ci, (temporary) => {
      const evil = '{"name": "agentform", "version": "9.9.9", "bin": {"agentform": "evil.sh"}}';
      mkdirSync(join(above(temporary), "evil"), { recursive: true });
      writeFileSync(join(above(temporary), "evil/package.json"), evil);
      writeFileSync(join(above(temporary), "evil/evil.sh"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
      writeFileSync(join(above(temporary), "package.json"), '{"workspaces": ["agentform"]}');
      const packages = {
        "": { workspaces: ["agentform"] },
        agentform: { dependencies: { agentform: "file:agentform.tgz" } },
        "agentform/node_modules/agentform": { resolved: "evil", link: true },
        "node_modules/agentform-in-ci": { resolved: "agentform", link: true },
        evil: JSON.parse(evil) as object,
      };
      const lock = JSON.stringify({ lockfileVersion: 3, packages });
      writeFileSync(join(above(temporary), "package-lock.json"), lock);
    });
    expect([status, output]).toEqual([0, expect.stringContaining("added 1 package")]);
    expect(output).toContain("The workspace is valid.");
  },
);

test("a tarball that is not the one of the lock file is not installed", async () => {
  const checkout = await makeCheckout("github");
  const file = ".github/agentform/agentform.tgz";
  const tarball = readFileSync(join(checkout.folder, file));
  // The time in the head of gzip, which changes nothing of what is unpacked.
  tarball[4] = (tarball[4] ?? 0) + 1;
  checkout.write({ [file]: tarball });
  checkout.git("commit", "--quiet", "--all", "-m", "another tarball");
  const { status, output } = install(checkout, "apply");
  expect(status).not.toBe(0);
  expect(output).toContain("EINTEGRITY");
});

test("the first change, which brings the jobs, is planned with what it brings", async () => {
  const checkout = await makeCheckout("github");
  checkout.git("checkout", "--quiet", "--orphan", "empty");
  checkout.git("commit", "--quiet", "--all", "--allow-empty", "-m", "all");
  expect(install(checkout, "plan").status).toBe(0);
});

test("the same agentform gives the same files", async () => {
  const read = ({ folder }: Checkout) =>
    readFileSync(join(folder, ".github/agentform/package-lock.json"), "utf8");
  expect(read(await makeCheckout("github"))).toBe(read(await makeCheckout("github")));
});

interface Extension {
  readonly contributes: {
    readonly configuration: {
      readonly properties: { readonly "agentform.command": { readonly default: unknown } };
    };
  };
}

test("no file and no document of this repository installs agentform by its name", () => {
  const files = ["ci", "docs", "src/cli", "editors"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes("node_modules")),
  );
  const named = [...files, "action.yml", "README.md", "RELEASING.md"].filter((file) =>
    /(npm (i|install|exec|ci)|npx(?! vitest)|pnpm|yarn)[^\n]*\bagentform(@|\s|$)/m.test(
      readFileSync(file, "utf8"),
    ),
  );
  expect(named).toEqual([]);
  const extension = JSON.parse(readFileSync("editors/vscode/package.json", "utf8")) as Extension;
  const { default: command } = extension.contributes.configuration.properties["agentform.command"];
  // Not one of node_modules, which a clone may bring.
  expect(command).toEqual(["agentform"]);
});
