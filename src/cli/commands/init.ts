import { lstatSync, existsSync, mkdirSync, rmSync, writeFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Option } from "commander";
import { manifestFile } from "../../core/resources/manifest.js";
import { errorCode } from "../../disk/error-code.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import type { CiSettings } from "../init/ci-workspace.js";
import type { CommonOptions, RunnableCommand } from "../command.js";
import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import {
  mergeDriver,
  newWorkspace,
  type NewStore,
  type NewWorkspace,
  type WorkspaceForm,
} from "../init/init-files.js";
import type { Ci } from "../init/reserved-secrets.js";
import { fail } from "../output/print-diagnostics.js";
import { wantsColor, type Terminal } from "../terminal/terminal.js";
import { version } from "../../version.js";

interface InitFlags extends CommonOptions {
  readonly fleet?: boolean;
  readonly empty?: boolean;
  readonly ci?: Ci;
  readonly store?: "git" | "http";
}

interface InitRequest extends InitFlags {
  readonly directory: string;
  /** The folder, as given by the user. */
  readonly shown: string;
  /** What a new workspace has. */
  readonly form: WorkspaceForm;
}

/** Files to write, by path from a folder. */
interface NewFiles {
  readonly folder: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

// Often there already; existing files are never overwritten.
const optional = [".gitignore", ".gitattributes", ".gitlab-ci.yml"];

export const init: RunnableCommand = {
  about:
    "Files that exist are never overwritten. With `--ci`, also writes jobs that show the plan in each pull request and apply it after the merge.",
  examples: [
    ["agentform init support-desk", "a new workspace in a new folder"],
    ["agentform init --empty", "only the manifest, to import objects that exist"],
    ["agentform init --ci github support-desk", "with jobs for GitHub Actions"],
  ],
  documents: ["documents.md", "gitops.md"],
  options(command) {
    command
      .argument("[dir]", "the folder of the new workspace; this one if left out")
      .option("--fleet", "a workspace for many agents: two environments, two languages, defaults by label")
      .option("--empty", "only the manifest, for objects that exist: `agentform import` writes the documents")
      .addOption(
        new Option(
          "--ci <ci>",
          "also write jobs that plan and apply; works for an existing workspace too",
        ).choices(["github", "gitlab"]),
      )
      .addOption(
        new Option(
          "--store <store>",
          "with --ci, where a new workspace keeps its state: on a git ref, which is the default, or with `gitlab` in GitLab's managed state (`http`)",
        ).choices(["git", "http"]),
      );
  },
  async run([dir], flags: InitFlags, terminal) {
    const shown = dir ?? flags.workspace ?? ".";
    const { fleet = false, empty = false } = flags;
    if (fleet && empty) throw new UsageError("--fleet and --empty cannot be combined");
    if (flags.store !== undefined && flags.ci === undefined) throw new UsageError("--store needs --ci");
    if (flags.store === "http" && flags.ci !== "gitlab") {
      throw new UsageError("--store http is GitLab's managed state, so it needs `--ci gitlab`");
    }
    const directory = resolve(terminal.cwd, shown);
    const form = fleet ? "fleet" : empty ? "empty" : "single";
    return await make({ ...flags, directory, shown, form }, terminal);
  },
};

async function make(request: InitRequest, terminal: Terminal): Promise<ExitCode> {
  const { directory, shown, form, ci } = request;
  // A folder must exist before git can say whether it is in a repository.
  try {
    makeFolder(directory);
  } catch (cause) {
    terminal.err(`error: ${shown} cannot be written (${errorCode(cause)})\n`);
    return exitCode.invalid;
  }
  const exists = existsSync(join(directory, manifestFile));
  if (exists && form !== "single" && ci !== undefined)
    throw new UsageError(`--${form} is for a new workspace, but ${shown} has one`);
  if (exists && request.store !== undefined)
    throw new UsageError(`--store is for a new workspace; the one in ${shown} has \`spec.lock\``);
  const created =
    exists && ci !== undefined
      ? undefined
      : newWorkspace(workspaceName(directory), form, await storeFor(request));
  const all: NewFiles[] = created ? [{ folder: directory, files: created.files }] : [];
  const jobs = ci === undefined ? undefined : await jobFiles(request, ci, created);
  if (jobs?.ok === false) {
    return await fail(jobs.diagnostics, { color: wantsColor(request.color, terminal) }, terminal);
  }
  const isUpdate = jobs !== undefined && isComplete(jobs.folder, { ...jobs.jobs, ...jobs.tool });
  if (jobs) all.push({ folder: jobs.folder, files: isUpdate ? jobs.tool : { ...jobs.jobs, ...jobs.tool } });
  const written = write(all, shown, isUpdate, terminal);
  if (!written) return exitCode.invalid;
  terminal.out(written.map((file) => `  ${file}\n`).join(""));
  if (created) terminal.out(tryingText(shown === "." ? "" : ` -C ${shown}`, form));
  if (isUpdate) terminal.out(`\nThe jobs are unchanged, and run this version, ${version}.\n`);
  else if (jobs) terminal.out(nextText(jobs.settings, request, written));
  return exitCode.fine;
}

// Then only agentform itself is new.
function isComplete(folder: string, files: NewFiles["files"]): boolean {
  return Object.keys(files).every((file) => existsSync(join(folder, file)));
}

async function storeFor({ directory, ci, store }: InitRequest): Promise<NewStore> {
  if (ci === undefined) return { store: "file" };
  if (store !== "http") return { store: "git" };
  const { gitlabProject } = await import("../init/ci-workspace.js");
  return { store, project: await gitlabProject(directory) };
}

function tryingText(at: string, form: WorkspaceForm): string {
  if (form === "empty") {
    return `
A workspace without documents. Say in agentform.yaml where the service is and how it lists its objects, then:

  agentform import --all${at}

So that git joins the locks of branches that both applied, once for each clone:

  ${mergeDriver}
`;
  }
  const isFleet = form === "fleet";
  const what = isFleet
    ? "A workspace of support agents in two languages, for the environments staging and production"
    : "A workspace of one policy, tool set, credential and agent";
  const options = `${at}${isFleet ? " -e staging" : ""} --emulator`;
  return `
${what}. Try it without a service:

  agentform plan${options}
  agentform apply${options}

So that git joins the locks of branches that both applied, once for each clone:

  ${mergeDriver}
`;
}

async function jobFiles({ directory, environment }: InitRequest, ci: Ci, created?: NewWorkspace) {
  const { readCiWorkspace } = await import("../init/ci-workspace.js");
  const read = await readCiWorkspace(directory, environment ?? null, ci, created);
  if (!read.ok) return read;
  const { ok, root: folder, settings } = read;
  const { packOwnPackage } = await import("../init/own-package.js");
  const { packageFiles } = await import("../init/init-files-package.js");
  const own = await packOwnPackage();
  if (!own) throw new UsageError("this agentform runs from its sources; `init --ci` needs the built package");
  if (ci === "github") {
    const { githubFiles, githubPackage } = await import("../init/init-files-github.js");
    return { ok, folder, jobs: githubFiles(settings), tool: packageFiles(githubPackage, own), settings };
  }
  const { gitlabFiles, gitlabPackage } = await import("../init/init-files-gitlab.js");
  return { ok, folder, jobs: gitlabFiles(settings), tool: packageFiles(gitlabPackage, own), settings };
}

function nextText(
  { secrets, environments }: CiSettings,
  { ci }: InitRequest,
  written: readonly string[],
): string {
  const names = environments.join(", ");
  const where = ci === "github" ? `as secrets of the environment ${names}` : "as variables of the project";
  const include =
    ci === "gitlab" && !written.includes(".gitlab-ci.yml")
      ? "\n`.gitlab-ci.yml` exists already; add `local: .gitlab/agentform.yml` to its `include`.\n"
      : "";
  return `
Jobs that plan every change and apply what was merged. They need, ${where}:

${secrets.map((name) => `  ${name}\n`).join("")}${include}`;
}

function write(
  all: readonly NewFiles[],
  shown: string,
  replacing: boolean,
  terminal: Terminal,
): string[] | undefined {
  const files = all.flatMap(({ folder, files }) =>
    Object.entries(files).map(([file, text]) => ({ file, folder, path: join(folder, file), text })),
  );
  const existing = replacing ? [] : files.filter(({ path }) => isTaken(path));
  const taken = existing.filter(({ file }) => !optional.includes(file));
  if (taken.length > 0) {
    const names = taken.map(({ file }) => file).join(", ");
    terminal.err(`error: ${names} already exist in ${shown}; nothing was written\n`);
    return undefined;
  }
  const missing = files.filter((each) => !existing.includes(each));
  try {
    for (const { folder } of all) makeFolder(folder);
    for (const { folder, path } of missing) refuseLinks(path, [folder]);
    for (const { path, text } of missing) {
      mkdirSync(dirname(path), { recursive: true });
      if (replacing) rmSync(path, { force: true });
      writeFileSync(path, text, { flag: "wx" });
    }
  } catch (cause) {
    if (cause instanceof LinkError) {
      terminal.err(`error: ${cause.message}; nothing was written\n`);
      return undefined;
    }
    const code = errorCode(cause);
    terminal.err(`error: ${shown} cannot be written (${code})\n`);
    return undefined;
  }
  return missing.map(({ file }) => file);
}

// One by one: where none can be made, as in /proc, Node tries to make them together without end.
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

// A dangling link exists as well, and nothing can be below a file.
function isTaken(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function workspaceName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
  return name === "" ? "workspace" : name;
}
