import { existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Option } from "commander";
import { manifestFile } from "../../core/manifest.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import type { CiSettings } from "../ci-settings.js";
import { defineCommand, type CommonOptions } from "../command.js";
import { exitCode } from "../exit-code.js";
import { initialFiles } from "../init-files.js";
import type { Ci } from "../reserved-secrets.js";
import { printDiagnostics } from "../print-diagnostics.js";
import { wantsColor, type Terminal } from "../terminal.js";

interface InitRequest {
  readonly directory: string;
  /** The folder as the user named it. */
  readonly shown: string;
  readonly ci: Ci | undefined;
  /** The one environment that the CI is for; null for all that there are. */
  readonly environment: string | null;
  readonly color: boolean;
}

interface InitFlags extends CommonOptions {
  readonly ci?: Ci;
}

/** Files to write, by path from a folder. */
interface NewFiles {
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
}

// Often there already, and nothing of anybody's is overwritten.
const optional = [".gitignore", ".gitlab-ci.yml"];

export const init = defineCommand<InitRequest>({
  options(command) {
    command
      .argument("[dir]", "the folder of the new workspace; this one if left out")
      .addOption(
        new Option("--ci <ci>", "jobs that plan and apply as well, also for a workspace that exists").choices(
          ["github", "gitlab"],
        ),
      );
  },
  build([dir], flags: InitFlags, terminal) {
    const shown = dir ?? flags.workspace ?? ".";
    return {
      directory: resolve(terminal.cwd, shown),
      shown,
      ci: flags.ci,
      environment: flags.environment ?? null,
      color: wantsColor(flags.color, terminal),
    };
  },
  async run(request, terminal) {
    const { directory, shown, ci } = request;
    const isNew = ci === undefined || !existsSync(join(directory, manifestFile));
    const all: NewFiles[] = [];
    if (isNew)
      all.push({ folder: directory, files: initialFiles(workspaceName(directory), ci !== undefined) });
    const jobs = ci === undefined ? undefined : await jobFiles(request, ci);
    if (jobs && "diagnostics" in jobs) {
      await printDiagnostics(jobs.diagnostics, request, terminal);
      return exitCode.invalid;
    }
    if (jobs) all.push(jobs);
    const written = write(all, shown, terminal);
    if (!written) return exitCode.invalid;
    terminal.out(written.map((file) => `  ${file}\n`).join(""));
    if (isNew) terminal.out(tryingText(shown === "." ? "" : ` -C ${shown}`));
    if (jobs) terminal.out(nextText(jobs.settings, request, written));
    return exitCode.fine;
  },
});

function tryingText(at: string): string {
  return `
A workspace of one policy, tool set, credential and agent. Try it without a service:

  agentform plan${at} --emulator
  agentform apply${at} --emulator
`;
}

async function jobFiles({ directory, environment }: InitRequest, ci: Ci) {
  const { readCiWorkspace } = await import("../ci-workspace.js");
  // Only a folder that exists can be seen to be in a repository.
  mkdirSync(directory, { recursive: true });
  const read = await readCiWorkspace(directory, environment, ci);
  if (!("settings" in read)) return { diagnostics: read };
  const { root: folder, settings } = read;
  if (ci === "github") {
    const { githubFiles } = await import("../init-files-github.js");
    return { folder, files: githubFiles(settings), settings };
  }
  const { gitlabFiles } = await import("../init-files-gitlab.js");
  return { folder, files: gitlabFiles(settings), settings };
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

function write(all: readonly NewFiles[], shown: string, terminal: Terminal): string[] | undefined {
  const files = all.flatMap(({ folder, files }) =>
    Object.entries(files).map(([file, text]) => ({ file, folder, path: join(folder, file), text })),
  );
  // A link that leads nowhere exists as well.
  const existing = files.filter(({ path }) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  const taken = existing.filter(({ file }) => !optional.includes(file));
  if (taken.length > 0) {
    const names = taken.map(({ file }) => file).join(", ");
    terminal.err(`error: ${names} exist already in ${shown}; nothing was written\n`);
    return undefined;
  }
  const missing = files.filter((each) => !existing.includes(each));
  try {
    for (const { folder } of all) mkdirSync(folder, { recursive: true });
    for (const { folder, path } of missing) refuseLinks(path, [folder]);
    for (const { path, text } of missing) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: "wx" });
    }
  } catch (cause) {
    if (cause instanceof LinkError) {
      terminal.err(`error: ${cause.message}; nothing was written\n`);
      return undefined;
    }
    const code = (cause as NodeJS.ErrnoException).code ?? "error";
    terminal.err(`error: ${shown} cannot be written (${code})\n`);
    return undefined;
  }
  return missing.map(({ file }) => file);
}

function workspaceName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, "");
  return name === "" ? "workspace" : name;
}
