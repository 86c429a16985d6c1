import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { realPath } from "../../disk/real-path.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { errorCode } from "../../disk/error-code.js";
import { makeFolder } from "../../disk/make-folder.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import { repositoryRoot } from "../../git/repository.js";
import { choosing, type CommonOptions, type RunnableCommand } from "../command.js";
import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import { doneJson, doneText, type Initialized } from "../init/init-answer.js";
import { newWorkspace, type NewStore, type NewWorkspace, type WorkspaceForm } from "../init/init-files.js";
import type { Ci } from "../init/reserved-secrets.js";
import { writeFiles, type InitFile } from "../init/write-files.js";
import { workspaceDirectory } from "../options/workspace-directory.js";
import { addResultFormat, printResult, type ResultFlags } from "../output/result.js";
import { fail, refuse } from "../output/print-diagnostics.js";
import { wantsColor, type Terminal } from "../terminal/terminal.js";
import { misnamedManifest } from "../../workspace/near-manifest.js";

interface InitFlags extends CommonOptions, ResultFlags {
  readonly fleet?: boolean;
  readonly empty?: boolean;
  readonly ci?: Ci;
  readonly all?: boolean;
  readonly store?: "git" | "http";
}

interface InitRequest extends InitFlags {
  readonly directory: string;
  /** The folder, as given by the user. */
  readonly shown: string;
  /** What a new workspace has. */
  readonly form: WorkspaceForm;
}

export const init: RunnableCommand = {
  about:
    "Files of a workspace that exist are never overwritten. With `--ci`, also writes jobs that show the plan in each pull request and apply it after the merge; jobs that exist are compared with their workspaces, and get what they lack.",
  examples: [
    ["agentform init support-desk", "a new workspace in a new folder"],
    ["agentform init --empty", "only the manifest, to import objects that exist"],
    ["agentform init --ci github support-desk", "with jobs for GitHub Actions"],
  ],
  documents: [
    "tutorial/first-workspace.md",
    "tutorial/first-pull-request.md",
    "how-to/github.md",
    "how-to/gitlab.md",
  ],
  options(command) {
    command
      .argument("[dir]", "the folder of the new workspace; this one if left out")
      .option("--fleet", "a workspace for many agents: two environments, two languages, defaults by label")
      .option("--empty", "only the manifest, for objects that exist: `agentform import` writes the documents")
      .addOption(
        choosing("--ci <ci>", "also write jobs that plan and apply; works for an existing workspace too", [
          "github",
          "gitlab",
        ]),
      )
      .option(
        "--all",
        "with --ci, one set of jobs for all workspaces of the repository, applied in the order of their uses",
      )
      .addOption(
        choosing(
          "--store <store>",
          "with --ci, where a new workspace keeps its state: on a git ref, which is the default, or with `gitlab` in GitLab's managed state (`http`)",
          ["git", "http"],
        ),
      );
    addResultFormat(command);
  },
  async run([dir], flags: InitFlags, terminal) {
    const shown = dir ?? flags.workspace ?? ".";
    const { fleet = false, empty = false } = flags;
    if (fleet && empty) throw new UsageError("--fleet and --empty cannot be combined");
    if (flags.all === true) checkAll(flags);
    if (flags.store !== undefined && flags.ci === undefined) throw new UsageError("--store needs --ci");
    if (flags.store === "http" && flags.ci !== "gitlab") {
      throw new UsageError("--store http is GitLab's managed state, so it needs `--ci gitlab`");
    }
    const form = fleet ? "fleet" : empty ? "empty" : "single";
    const here = resolve(terminal.cwd, shown);
    const problem = misnamedHere(here);
    if (problem !== undefined) return await refuse("init-refused", problem, flags, terminal);
    const found = dir === undefined ? workspaceDirectory(flags.workspace, terminal) : { directory: here };
    const isAbove = found.directory !== here;
    if (isAbove && flags.ci === undefined) {
      const above = `${relative(here, found.directory)} is a workspace already, and nothing was written`;
      const way = "`agentform init .` makes one more, in this folder";
      return await refuse("init-refused", `${above}; ${way}`, flags, terminal);
    }
    if (found.said !== undefined) terminal.err(`note: ${found.said}\n`);
    if (isAbove)
      return await make({ ...flags, ...found, shown: relative(here, found.directory), form }, terminal);
    // Where a repository has jobs, they are meant, and not one more workspace at its top.
    const isNamed = dir !== undefined || flags.workspace !== undefined || form !== "single";
    const isAgain = flags.ci !== undefined && !isNamed && !existsSync(join(here, manifestFile));
    const again = isAgain && !flags.all ? await jobsAt(here, flags.ci) : undefined;
    return await make({ ...flags, directory: here, ...again, shown, form }, terminal);
  },
};

function checkAll({ ci, fleet, empty, store, environment }: InitFlags): void {
  if (ci === undefined) throw new UsageError("--all needs --ci");
  if (fleet || empty || store !== undefined) throw new UsageError("--all is for workspaces that exist");
  if (environment !== undefined) throw new UsageError("--all is for all environments");
}

function misnamedHere(folder: string): string | undefined {
  const misnamed = existsSync(join(folder, manifestFile)) ? undefined : misnamedManifest(folder);
  return misnamed && `${misnamed} is not read: rename it to ${manifestFile}; nothing was written`;
}

async function make(request: InitRequest, terminal: Terminal): Promise<ExitCode> {
  const { directory, shown, form, ci } = request;
  // A folder must exist before git can say whether it is in a repository.
  try {
    // A commit may have put a link in the place of the folder, or above it.
    const checkout = repositoryRoot(terminal.cwd);
    if (checkout !== undefined) refuseLinks(join(directory, "any"), [checkout]);
    makeFolder(directory);
  } catch (cause) {
    const why =
      cause instanceof LinkError
        ? `${cause.message}; nothing was written`
        : `${shown} cannot be written (${errorCode(cause)})`;
    return await refuse("init-refused", why, request, terminal);
  }
  const exists = existsSync(join(directory, manifestFile));
  if (exists && form !== "single" && ci !== undefined)
    throw new UsageError(`--${form} is for a new workspace, but ${shown} has one`);
  if (exists && request.store !== undefined)
    throw new UsageError(
      `--store is for a new workspace, and there is one in ${shown}`,
      "`agentform lock move --to` moves the state of one that exists, and prints what to write as `spec.lock`",
    );
  const created =
    request.all || (exists && ci !== undefined)
      ? undefined
      : newWorkspace(workspaceName(directory), form, await storeFor(request));
  try {
    const jobs = ci === undefined ? undefined : await jobsFor(request, ci, created);
    if (jobs?.ok === false)
      return await fail(
        jobs.diagnostics,
        { ...request, color: wantsColor(request.color, terminal) },
        terminal,
      );
    // The top of a repository has no links in its path.
    const top = jobs && jobs.root !== directory ? relative(realPath(terminal.cwd), jobs.root) : "";
    if (top !== "")
      terminal.err(`note: jobs and workspaces are named from ${top}, the top of the repository\n`);
    const ofWorkspace = Object.entries(created?.files ?? {});
    const files: InitFile[] = [
      ...ofWorkspace.map(([file, text]) => ({ folder: directory, file, text })),
      ...(jobs?.files ?? []).map((each) => ({ folder: jobs?.root ?? directory, ...each })),
    ];
    const written = writeFiles(files, shown);
    if (!written.ok) return await refuse("init-refused", written.problem, request, terminal);
    const done: Initialized = { ...request, files: written.files, created, jobs };
    await printResult({ text: () => doneText(done), json: () => doneJson(done) }, request, terminal);
    return jobs && jobs.left.length > 0 && !jobs.isChanged ? exitCode.invalid : exitCode.fine;
  } catch (cause) {
    if (!(cause instanceof LinkError)) throw cause;
    return await refuse("init-refused", `${cause.message}; nothing was written`, request, terminal);
  }
}

async function storeFor({ directory, ci, store }: InitRequest): Promise<NewStore> {
  if (ci === undefined) return { store: "file" };
  if (store !== "http") return { store: "git" };
  const { gitlabProject } = await import("../init/ci-workspace.js");
  return { store, project: await gitlabProject(directory) };
}

async function jobsFor({ directory, all = false, environment }: InitRequest, ci: Ci, created?: NewWorkspace) {
  const { compareJobs } = await import("../init/ci-jobs.js");
  return await compareJobs({
    directory,
    all,
    environment: environment ?? null,
    ci,
    ...(created && { created }),
  });
}

async function jobsAt(directory: string, ci: Ci) {
  const { workspaceWithJobs } = await import("../init/ci-jobs.js");
  try {
    return workspaceWithJobs(directory, ci);
  } catch (cause) {
    if (cause instanceof LinkError) return undefined;
    throw cause;
  }
}

function workspaceName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
  return name === "" ? "workspace" : name;
}
