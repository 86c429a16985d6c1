import { safeLine } from "../../render/words/terminal-text.js";
import type { InitAnswer } from "../../generated/init.js";
import { version } from "../../version.js";
import { shellLine } from "../../core/finding/shell-word.js";
import type { ComparedJobs } from "./ci-jobs.js";
import { hostEnvironment } from "./filled-template.js";
import { mergeDriver, mergedLocks, newSealKey, type NewWorkspace, type WorkspaceForm } from "./init-files.js";
import type { Ci } from "./reserved-secrets.js";
import type { InitFile } from "./write-files.js";

/** What was made. */
export interface Initialized {
  /** The folder, as given by the user. */
  readonly shown: string;
  readonly form: WorkspaceForm;
  readonly ci?: Ci | undefined;
  readonly files: readonly Pick<InitFile, "file" | "changes">[];
  readonly created: NewWorkspace | undefined;
  readonly jobs: ComparedJobs | undefined;
}

/** Says for people what was made, what to try, and what the jobs need. */
export function doneText({ shown, form, ci, files, created, jobs }: Initialized): string {
  const listed = files.flatMap(({ file, changes = [] }) => [
    `  ${file}\n`,
    ...changes.map((change) => `      ${change}\n`),
  ]);
  // One that was there already is never overwritten.
  const isWritten = files.some(({ file }) => file === ".gitattributes");
  const trying = created ? tryingText(shown, form, created.lock.store, isWritten) : "";
  return listed.join("") + trying + (jobs && ci !== undefined ? nextText(jobs, ci) : "");
}

/** Makes the result for programs (`agentform/init/v1`). */
export function doneJson({ shown, form, ci, files, created, jobs }: Initialized): InitAnswer {
  return {
    format: "agentform/init/v1",
    directory: shown,
    files: files.map(({ file, changes = [] }) => ({ file, changes: [...changes] })),
    next: created ? nextCommands(shown, form) : [],
    ...(jobs && ci !== undefined && { jobs: jobsJson(jobs, ci) }),
  };
}

function jobsJson({ settings, needed, isChanged, left, kept, without }: ComparedJobs, ci: Ci) {
  const lists = { secrets: [...needed], left: [...left], kept: [...kept], without: [...without] };
  return { ci, environments: [...settings.environments], changed: isChanged, ...lists };
}

// What to try in a new workspace, as words.
function nextCommands(shown: string, form: WorkspaceForm): string[][] {
  const at = shown === "." ? [] : ["-C", shown];
  if (form === "empty") return [["agentform", "import", "--all", ...at]];
  const environment = form === "fleet" ? ["-e", "staging"] : [];
  return ["plan", "apply"].map((name) => ["agentform", name, ...at, ...environment, "--emulator"]);
}

function tryingText(shown: string, form: WorkspaceForm, store: string, hasAttributes: boolean): string {
  const lines = nextCommands(shown, form).map((words) => `  ${safeLine(shellLine(words))}\n`);
  // Only a lock in a file has branches.
  const joining =
    store === "file"
      ? `
So that git joins the locks of branches that both applied, ${hasAttributes ? "" : `add \`${mergedLocks}\` to .gitattributes, and `}once for each clone:

  ${mergeDriver}
`
      : "";
  if (form === "empty") {
    return `
A workspace without documents. Say in agentform.yaml where the service is and how it lists its objects, then:

${lines.join("")}${joining}`;
  }
  const isFleet = form === "fleet";
  const what = isFleet
    ? "A workspace of support agents in two languages, for the environments staging and production"
    : "A workspace of one policy, tool set, credential and agent";
  return `
${what}. Try it without a service:

${lines.join("")}${joining}`;
}

function nextText({ settings, needed, isChanged, left, kept, without }: ComparedJobs, ci: Ci): string {
  const { environments, suffix, sealKey } = settings;
  const meaning = (name: string) => {
    const about = name === sealKey ? "the key of the seal; `openssl rand -hex 32` makes one" : tokens[name];
    return about === undefined ? "" : `: ${about}`;
  };
  const names = environments.map((name) => hostEnvironment(suffix, name)).join(", ");
  const which = environments.length > 1 ? "of each of the environments" : "of the environment";
  const where = ci === "github" ? `as secrets ${which} ${names}` : "as variables of the project";
  const head = isChanged
    ? "Jobs that plan every change and apply what was merged."
    : left.length > 0
      ? "The jobs are not as their workspaces need them, see below."
      : `The jobs are unchanged, and run this version, ${version}.`;
  const undone =
    left.length === 0 ? "" : `\nLeft to do by hand:\n\n${left.map((each) => `  ${each}\n`).join("")}`;
  const own =
    kept.length === 0
      ? ""
      : `\nLeft as they are, with text of your own or of another version:\n\n${shortList(kept)}`;
  const others =
    without.length === 0
      ? ""
      : `\nWorkspaces of this repository without jobs; \`agentform init --ci ${ci} DIR\` writes them:\n\n${shortList(without)}`;
  return `
${head} They need, ${where}:

${needed.map((name) => `  ${name}${meaning(name)}\n`).join("")}${isChanged ? inFilesText(settings) : ""}${undone}${own}${others}`;
}

// A new workspace with jobs has neither.
function inFilesText({ place, sealKey }: ComparedJobs["settings"]): string {
  if (place !== "file") return "";
  const move =
    sealKey === undefined
      ? `To move it to a ref of its own, where an apply uses no state that others wrote, set ${newSealKey} to a new key (\`openssl rand -hex 32\`), and run:

  agentform lock move --to '{store: git, seal: "\${env:${newSealKey}}"}'`
      : `\`agentform lock move --to git\` moves it to a ref of its own.`;
  return `
The state is in files, and the jobs push it to the branch. ${move}
`;
}

const tokens: Readonly<Record<string, string>> = {
  GITLAB_TOKEN: "comments with plans; a project access token, role Reporter, scope api, not protected",
  AGENTFORM_PUSH_TOKEN: "pushes the state; a project access token, scope write_repository, protected",
};

const mostShown = 10;

function shortList(names: readonly string[]): string {
  const more = names.length - mostShown;
  const lines = names.slice(0, mostShown).map((name) => `  ${name}\n`);
  return lines.join("") + (more > 0 ? `  … and ${more} more\n` : "");
}
