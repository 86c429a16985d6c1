import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { compareText } from "../../json/compare-text.js";
import { refuseLinks } from "../../disk/refuse-links.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { repositoryRoot } from "../../git/repository.js";
import { UsageError } from "../exit-code.js";
import { ownersWith } from "./code-owners.js";
import { readCiWorkspace, readTogether, type CiSettings } from "./ci-workspace.js";
import { compareOthers, ownSettings, refuseSameNames, sharedEnvironments } from "./compared-workspaces.js";
import type { NewWorkspace } from "./init-files.js";
import { githubFiles, githubPackage } from "./init-files-github.js";
import { gitlabFiles, gitlabPackage, gitlabTokens } from "./init-files-gitlab.js";
import { isSameJobs, isTogether, lackOf, readFacts } from "./job-facts.js";
import { mergeJobs } from "./merge-jobs.js";
import { packageFiles, packOwnPackage } from "./own-package.js";
import { pipelineWith } from "./gitlab-pipeline.js";
import { readPresentJobs, roleOf, workspacesOf, type PresentFile } from "./present-jobs.js";
import type { Ci } from "./reserved-secrets.js";
import type { InitFile } from "./write-files.js";

/** A file to write, from the root of the repository, with what changes in it if it is there. */
type JobFile = Required<Omit<InitFile, "folder">>;

/** The jobs of a repository, compared with its workspaces. */
export interface ComparedJobs {
  readonly ok: true;
  readonly root: string;
  readonly settings: CiSettings;
  /** The secrets that an apply of the workspace needs. */
  readonly needed: readonly string[];
  /** What is missing or different; owners and agentform itself come last. */
  readonly files: readonly JobFile[];
  /** Whether a job is among these files. */
  readonly isChanged: boolean;
  /** What a person has to do, one line each. */
  readonly left: readonly string[];
  /** The files that differ from what would be written today, and stay so. */
  readonly kept: readonly string[];
  /** The workspaces of the repository that have no jobs. */
  readonly without: readonly string[];
}

/** The workspace that jobs are asked for, or all of a repository together. */
export interface JobRequest {
  readonly directory: string;
  readonly all: boolean;
  readonly environment: string | null;
  readonly ci: Ci;
  /** A workspace that is not written yet. */
  readonly created?: NewWorkspace;
}

const render = { github: githubFiles, gitlab: gitlabFiles };

/** Compares the jobs of a repository with a workspace, and with those that have jobs already. */
export async function compareJobs({
  directory,
  all,
  environment,
  ci,
  created,
}: JobRequest): Promise<ComparedJobs | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }> {
  const root = repositoryRoot(directory) ?? directory;
  const present = readPresentJobs(root, ci);
  const folders = workspacesOf(root);
  const read = all
    ? await readTogether(
        folders.map((folder) => join(root, folder)),
        ci,
      )
    : await readCiWorkspace(directory, environment, ci, created);
  if (!read.ok) return read;
  const own = { ...read, settings: ownSettings(read.settings, present, environment !== null) };
  const found = await compareOthers(own.settings.workspace, all, root, folders, present, ci);
  const [compared, left] = [[own, ...found.compared], [...found.left]];
  refuseSameNames(compared);
  const inOrder = compared.toSorted((a, b) => compareText(a.settings.suffix, b.settings.suffix));
  const jobs = inOrder.flatMap(({ settings }) => filesFor(settings, present, ci));
  left.push(...jobs.flatMap(({ file, lacks }) => lacks.map((lack) => `${file}: ${lack}`)));
  left.push(...sharedEnvironments(inOrder.map(({ settings }) => settings)));
  const guarded = inOrder.flatMap((each) => each.guarded);
  if (ci === "gitlab") {
    const pipeline = pipelineWith(
      bytesAt(root, ".gitlab-ci.yml")?.toString(),
      jobs.map(({ file }) => file),
    );
    left.push(...pipeline.left);
    guarded.push(...pipeline.others);
    jobs.push({ file: ".gitlab-ci.yml", lacks: [], ...pipeline });
  }
  const changed = jobs.flatMap(({ file, text, changes }) =>
    text === undefined ? [] : [{ file, text, changes }],
  );
  return {
    ok: true,
    root,
    settings: own.settings,
    needed: [...read.settings.secrets, ...(ci === "gitlab" ? gitlabTokens(own.settings) : [])],
    files: [...changed, ...ownersWith(root, guarded, ci), ...(await toolFiles(root, ci))],
    isChanged: changed.length > 0,
    left,
    kept: jobs.filter(({ isOwn }) => isOwn).map(({ file }) => file),
    without: folders.filter(
      (folder) => !compared.some(({ names }) => Object.hasOwn(names, folder)) && !found.named.has(folder),
    ),
  };
}

interface ComparedFile {
  readonly file: string;
  /** Undefined if the file stays as it is. */
  readonly text?: string;
  readonly changes: readonly string[];
  /** What the file still lacks, one clause each. */
  readonly lacks: readonly string[];
  /** Whether it differs from what would be written today. */
  readonly isOwn?: boolean;
}

function filesFor(settings: CiSettings, present: readonly PresentFile[], ci: Ci): ComparedFile[] {
  return Object.entries(render[ci](settings)).map(([file, text]) => {
    const role = roleOf(file, ci);
    const isOwn = ({ facts }: PresentFile) => isSameJobs(facts.workspace, settings.workspace);
    const known =
      present.find((each) => each.file === file) ?? present.find((each) => isOwn(each) && each.role === role);
    if (!known) return { file, text, changes: [], lacks: [] };
    const { lookSecrets: _, ...others } = settings;
    const before = render[ci]({ ...others, ...known.facts })[file] ?? "";
    const merged = mergeJobs(known.text, before, text);
    if (!merged) return { file: known.file, changes: [], lacks: ["it cannot be read as YAML"] };
    return {
      file: known.file,
      changes: merged.changes,
      lacks: lackOf(readFacts(merged.text), readFacts(text)),
      isOwn: merged.text !== text,
      ...(merged.changes.length > 0 && { text: merged.text }),
    };
  });
}

async function toolFiles(root: string, ci: Ci): Promise<JobFile[]> {
  const own = await packOwnPackage();
  if (!own) throw new UsageError("this agentform runs from its sources; `init --ci` needs the built package");
  const files = packageFiles(ci === "github" ? githubPackage : gitlabPackage, own);
  return Object.entries(files).flatMap(([file, text]) => {
    const present = bytesAt(root, file);
    if (present?.equals(typeof text === "string" ? Buffer.from(text) : text) === true) return [];
    const was = file.endsWith("package-lock.json") ? versionIn(present) : undefined;
    return [
      {
        file,
        text,
        changes: was === undefined || was === own.version ? [] : [`version: ${was} → ${own.version}`],
      },
    ];
  });
}

function versionIn(lock: Buffer | undefined): string | undefined {
  return lock === undefined ? undefined : /"version": "([\w.+-]+)",\s+"resolved"/.exec(lock.toString())?.[1];
}

// What is no file is refused when it would be replaced.
function bytesAt(root: string, file: string): Buffer | undefined {
  const path = join(root, file);
  refuseLinks(path, [root]);
  return unlessFailing(() => lstatSync(path).isFile()) ? readFileSync(path) : undefined;
}

/** Finds the jobs of a folder's repository: the folder of a workspace that has some, or that they are for all together. */
export function workspaceWithJobs(
  directory: string,
  ci: Ci,
): { readonly all: true } | { readonly directory: string } | undefined {
  const root = repositoryRoot(directory);
  if (root === undefined) return undefined;
  const owners = readPresentJobs(root, ci).flatMap(({ facts }) => facts.workspace ?? []);
  if (owners.some(isTogether)) return { all: true };
  const found = workspacesOf(root).find((folder) => owners.includes(folder));
  return found === undefined ? undefined : { directory: join(root, found) };
}
