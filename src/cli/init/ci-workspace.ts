import type { LockLocation } from "../../generated/workspace.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { kinds } from "../../core/kind/kinds.js";
import { quoteFew } from "../../core/finding/quotation.js";
import { parsePlace } from "../../core/resources/store-place.js";
import { storeText } from "../../core/state/lock-move.js";
import { equal } from "../../json/json.js";
import { canLook } from "../../core/observation/read-object.js";
import { environmentName } from "../../core/resources/environment-name.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { repositoryFolder } from "../../git/repository.js";
import { runGit } from "../../git/run-git.js";
import { loadWorkspace } from "../../workspace/load-workspace.js";
import { UsageError } from "../exit-code.js";
import { type NewWorkspace, newSealKey } from "./init-files.js";
import {
  type Ci,
  findReserved,
  lookVariables,
  neededVariables,
  sealVariables,
  storeVariables,
} from "./reserved-secrets.js";
import { posix } from "node:path";
import type { Fleet } from "../../core/resources/fleet.js";

/** The settings of the files for a CI. */
export interface CiSettings {
  /** What the names of its files and jobs end with, such as `-shop`; nothing for the first workspace with jobs. */
  readonly suffix: string;
  /** The folder of the workspace, relative to the root of the repository, with `/`; of several together, one a line. */
  readonly workspace: string;
  /** The environments; `default` is the default one. */
  readonly environments: readonly string[];
  /** The whole place of the state, as AGENTFORM_STORE has it; where several workspaces have different ones, one a line with its folder. */
  readonly place: string;
  /** The branch from which changes are applied. */
  readonly branch: string;
  /** The environment variables that an apply needs. */
  readonly secrets: readonly string[];
  /** Those of them that reading the state needs. */
  readonly storeSecrets: readonly string[];
  /** Those that a look at the service needs; undefined where a deployment cannot be asked. */
  readonly lookSecrets?: readonly string[];
  /** The one of them that is the key of the seal. */
  readonly sealKey?: string;
}

/** What the files for a CI need to know, and the names of the workspaces by their folders; or why there are none. */
export type CiWorkspace =
  | {
      readonly ok: true;
      readonly names: Readonly<Record<string, string>>;
      readonly settings: Omit<CiSettings, "suffix">;
      /** What decides over agents, from the top of the repository. */
      readonly guarded: readonly string[];
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads what the files for a CI need to know about a workspace, existing or new. */
export async function readCiWorkspace(
  directory: string,
  environment: string | null,
  ci: Ci,
  created?: NewWorkspace,
): Promise<CiWorkspace> {
  const folder = repositoryFolder(directory).replace(/\/$/, "");
  const branch = await defaultBranch(directory);
  // In the texts of jobs one would start a variable or an expression of the CI, and the other a further folder.
  const forbidden = { "`$`": "$", "a line break": "\n" };
  for (const [what, name] of Object.entries({ folder, branch })) {
    for (const [sign, character] of Object.entries(forbidden)) {
      if (name.includes(character))
        throw new UsageError(
          `the jobs of a CI cannot use the ${what} \`${name}\`: its name contains ${sign}`,
        );
    }
  }
  const fromTop = (path: string) => (folder === "" ? path : `${folder}/${path}`);
  const common = { workspace: folder === "" ? "." : folder, branch };
  if (created) {
    const { name, environments, secrets, lock } = created;
    const place = placeText(lock);
    const settings = { ...common, environments, place, secrets, storeSecrets: [], sealKey: newSealKey };
    return {
      ok: true,
      names: { [common.workspace]: name },
      settings,
      guarded: [manifestFile, ...usualFolders].map(fromTop),
    };
  }
  const first = loadWorkspace({ directory, environment });
  const named = environment === null ? first.environments : [environment];
  const all = named.map((name) => loadWorkspace({ directory, environment: name }));
  const unusable = all.find(({ fleet }) => fleet === undefined);
  if (unusable) return { ok: false, diagnostics: unusable.diagnostics };
  const reserved = findReserved(all, ci);
  if (reserved.length > 0) return { ok: false, diagnostics: reserved };
  const environments = named.map(environmentName);
  const { name = "", lock = { store: "git" as const } } = all[0]?.fleet?.settings ?? {};
  const storeSecrets = storeVariables(lock).map(({ name }) => name);
  const secrets = namesOf(all.flatMap(neededVariables));
  const looks = all.every(({ fleet }) => Object.values(fleet?.settings.deployment ?? {}).some(canLook))
    ? { lookSecrets: namesOf(all.flatMap(lookVariables)) }
    : {};
  const [seal] = sealVariables(lock);
  const sealed = seal && { sealKey: seal.name };
  const place = placeText(lock);
  if (ci === "github") refuseExpression(place);
  return {
    ok: true,
    names: { [common.workspace]: name },
    settings: { ...common, environments, place, secrets, storeSecrets, ...looks, ...sealed },
    guarded: guardedPaths(all.flatMap(({ fleet }) => fleet ?? [])).map(fromTop),
  };
}

function namesOf(variables: readonly { readonly name: string }[]): string[] {
  return [...new Set(variables.map(({ name }) => name))].toSorted();
}

/** Gives a place of the state for AGENTFORM_STORE, the store first, which the jobs' scripts read; without the seal. */
function placeText({ store, seal: _seal, ...rest }: LockLocation): string {
  return Object.keys(rest).length === 0 ? store : storeText({ store, ...rest });
}

// GitLab's jobs have its `$` doubled.
function refuseExpression(place: string): void {
  if (place.includes("${{"))
    throw new UsageError(
      `the jobs of a CI cannot use the place \`${place}\`: it has an expression of GitHub's`,
    );
}

/** Gives the project of GitLab that the remote `origin` is, or a name to replace. */
export async function gitlabProject(directory: string): Promise<string> {
  const url = await answerOfGit(directory, "config", "--get", "remote.origin.url");
  const [, path] = /^(?:[a-z+]+:\/\/[^/]+\/|[^:/]+:\/?)([\w./-]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return path ?? "group/project";
}

// The default branch of the remote, or else the usual name.
async function defaultBranch(directory: string): Promise<string> {
  const name = await answerOfGit(directory, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
  return name === "" ? "main" : name.replace(/^origin\//, "");
}

async function answerOfGit(directory: string, ...args: readonly string[]): Promise<string> {
  return (await runGit(directory, args).catch(() => "")).trim();
}

/** Reads what jobs for several workspaces need to know; throws UsageError if their jobs cannot be the same. */
export async function readTogether(directories: readonly string[], ci: Ci): Promise<CiWorkspace> {
  const found: Extract<CiWorkspace, { ok: true }>[] = [];
  for (const directory of directories) {
    const read = await readCiWorkspace(directory, null, ci);
    if (!read.ok) return read;
    found.push(read);
  }
  const all = found.map(({ settings }) => settings);
  const [first] = all;
  if (!first) throw new UsageError("there is no workspace in this repository");
  const other = all.find((each) => !equal([...each.environments], [...first.environments]));
  if (other) {
    const [one, two] = [first, other].map(
      (each) => `\`${each.workspace}\` has ${each.environments.join(", ")}`,
    );
    throw new UsageError(
      `jobs for all workspaces need the same environments in each: ${one}, and ${two}`,
      `give them the same, or write jobs for each with \`agentform init --ci ${ci} DIR\``,
    );
  }
  const places = unique(all.map(({ place }) => place));
  if (places.includes("file") && places.length > 1) {
    const inFiles = all.filter(({ place }) => place === "file").map(({ workspace }) => workspace);
    throw new UsageError(
      `jobs for all workspaces need a state in files in each, or in none: ${quoteFew(inFiles)} ${inFiles.length === 1 ? "has" : "have"} it in files, and others do not`,
      "`agentform lock move --to STORE -C DIR` moves one; where nothing was applied, write `lock: {store: STORE}` in its agentform.yaml",
    );
  }
  const join = (name: "secrets" | "storeSecrets") => unique(all.flatMap((each) => each[name]));
  const looks = all.every(({ lookSecrets }) => lookSecrets !== undefined);
  return {
    ok: true,
    names: Object.assign({}, ...found.map(({ names }) => names)) as Record<string, string>,
    settings: {
      ...first,
      workspace: all.map(({ workspace }) => workspace).join("\n"),
      place: places.length === 1 ? first.place : all.map(placeWithFolder).join("\n"),
      secrets: join("secrets"),
      storeSecrets: join("storeSecrets"),
      ...(looks && { lookSecrets: unique(all.flatMap(({ lookSecrets = [] }) => lookSecrets)) }),
    },
    guarded: found.flatMap(({ guarded }) => guarded),
  };
}

function placeWithFolder({ place, workspace }: Pick<CiSettings, "place" | "workspace">): string {
  return storeText({ ...parsePlace(workspace, place), folder: workspace });
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** Gives what decides over agents: manifests, policies, rules; for files their highest folder with nothing else. */
function guardedPaths(fleets: readonly Fleet[]): string[] {
  const [guarded, others, roots] = [new Set([manifestFile]), new Set<string>(), new Set<string>()];
  for (const { settings, resources } of fleets) {
    for (const { kind, files } of resources.values())
      for (const file of files) (kind.guards ? guarded : others).add(file);
    for (const { origin, file } of settings.rules) if (origin === "workspace") guarded.add(file);
    for (const folder of settings.include) roots.add(posix.normalize(`${folder}/`));
  }
  const files = [...others].filter((file) => !guarded.has(file));
  const mixed = new Set(files.flatMap((file) => foldersAbove(file, "")));
  const paths = [...guarded].map((file) => {
    const root = [...roots].find((each) => file.startsWith(each)) ?? "";
    return foldersAbove(file, root).find((folder) => !mixed.has(folder)) ?? file;
  });
  // Where documents will be, also before the first.
  const isUsual = fleets.every(({ settings }) => !settings.includeIsWritten);
  const usual = isUsual ? usualFolders.filter((folder) => !mixed.has(folder)) : [];
  return [...new Set([manifestFile, ...usual, ...paths])];
}

// The folders of what guards, and of rules, where the manifest names none.
const guarding = Object.values(kinds).filter(({ guards }) => guards);
const usualFolders = [...guarding.map(({ folder }) => folder), "rules"].map((folder) => `${folder}/`);

// From the highest to the lowest, none above the root.
function foldersAbove(file: string, root: string): string[] {
  const names = file.split("/").slice(0, -1);
  const folders = names.map((_, index) => `${names.slice(0, index + 1).join("/")}/`);
  return folders.filter((folder) => folder.startsWith(root));
}
