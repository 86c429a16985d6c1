import { statSync } from "node:fs";
import { join } from "node:path";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import { say } from "../../core/finding/said.js";
import { parseData, parseDocuments } from "../../core/document/document.js";
import { environmentsOf } from "../../core/resources/environment-name.js";
import { declaredEnvironments, defaultInclude, parseManifest } from "../../core/resources/manifest.js";
import { lockFileName } from "../../core/resources/lock-location.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { mayHaveRule, pathFrom, type RuleTexts } from "../../core/rules/rule-texts.js";
import type { Json } from "../../json/json.js";
import { filesIn, type CommitFile } from "../../git/commit-files.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { isLfsPointer } from "../../git/lfs-pointer.js";
import { readBlobs } from "../../git/read-blobs.js";
import { repositoryFolder } from "../../git/repository.js";
import { recodedNames, type TextAttribute } from "../../git/recoded-names.js";
import { resolveCommit } from "../../git/run-git.js";
import { isDocumentName, isJsonName, isLeftOut } from "../document-name.js";
import { formerFolders, movedLocks } from "./former-folders.js";

/** The rules of a commit, and the files of the workspace in which they were looked for, links followed. */
interface CommittedRules {
  readonly rules: RuleTexts;
  readonly looked: ReadonlySet<string>;
}

/**
 * Reads a commit's rules of a workspace, with what they refer to, effects, ignored warnings and environments;
 * none if it has no such workspace. Blobs are raw, so what is no text in git is an error: a rule may be in
 * it. Throws GitError if git does not know the commit.
 */
export async function readBaseRules(directory: string, ref: string): Promise<RuleTexts[]> {
  const commit = await resolveCommit(directory, ref);
  const folders = await formerFolders(directory, commit);
  const [first, ...others] = await Promise.all(
    folders.map((folder) => readRulesOf(folder, directory, commit, ref)),
  );
  if (!first) return [];
  // From the next change on, the planned commit is the one before.
  const recoded = [...(await recodedNames(directory))];
  const next = ref === "HEAD" ? first : await readNext(directory, recoded);
  const refused = recoded.filter(([file, attribute]) => {
    if (attribute === "filter") return isState(file);
    return isReadRaw(file) || next?.looked.has(file) === true;
  });
  const unread = next === first ? [] : (next?.rules.findings ?? []);
  const findings = [...(first.rules.findings ?? []), ...refused.map(recodedFile), ...unread];
  // An environment that has got the state of another one is that one under a new name.
  const moved = movedLocks(directory, commit).filter(({ from }) => from.length > 0);
  const environments = first.rules.environments?.filter(
    (environment) => !moved.some(({ file }) => file === lockFileName({ environment })),
  );
  return [
    { ...first.rules, ...(environments && { environments }), findings },
    ...others.map(({ rules }) => rules),
  ];
}

// Most commits have only files in the workspace, each as the checkout has it; a document has its name to tell.
async function readNext(
  directory: string,
  recoded: readonly (readonly [file: string, attribute: TextAttribute])[],
): Promise<CommittedRules | undefined> {
  const [folder, commit] = [repositoryFolder(directory), await resolveCommit(directory, "HEAD")];
  const mayHide =
    recoded.some(([file, attribute]) => attribute === "filter" || !isReadRaw(file)) ||
    (await filesIn(directory, commit, folder === "" ? [] : [folder])).some(({ type }) => type !== "file");
  return mayHide ? await readRulesOf(folder, directory, commit, "HEAD") : undefined;
}

async function readRulesOf(
  folder: string,
  directory: string,
  commit: string,
  ref: string,
): Promise<CommittedRules> {
  const listed = await filesIn(directory, commit, folder === "" ? [] : [folder]);
  const idsOf = (which: CommitFile["type"]) =>
    new Map(
      listed.flatMap(({ type, file, id }) =>
        type === which ? [[file.slice(folder.length), id] as const] : [],
      ),
    );
  const [links, blobs, submodules] = [idsOf("link"), idsOf("file"), idsOf("submodule")];
  const findings: Finding[] = [];
  const [lost, looked] = [new Set<string>(), new Set<string>()];
  const read = async (files: ReadonlyMap<string, string>): Promise<[string, string][]> => {
    const texts = await readBlobs(directory, [...files.values()]);
    return [...files.keys()].flatMap((file, index): [string, string][] => {
      const text = texts[index];
      if (text != null && !isLfsPointer(text)) return [[file, text]];
      const isSubmodule = submodules.get(file) === files.get(file);
      const what = text != null ? "a pointer of Git LFS" : isSubmodule ? "a submodule" : "not in this clone";
      findings.push(unreadRules(file, what, ref));
      return [];
    });
  };
  const realPath = followLinks(await read(links), folder);
  const isHere = ref === "HEAD" && folder === repositoryFolder(directory);
  const isFolder = (path: string) => isHere && isFolderOf(directory, path);
  const committed: Committed = { blobs, links, submodules, realPath, lost, isFolder };
  const [manifest] = await read(named([manifestFile], committed));
  const parsed = parseManifest(manifest?.[1] ?? "");
  const { include = defaultInclude, notes = {}, ignore = [] } = parsed.ok ? parsed.value.spec : {};
  const environments = parsed.ok ? environmentsOf(declaredEnvironments(parsed.value)) : [];
  const roots = include.map((each) => pathFrom("", each) ?? "");
  const included = walkCommit(roots, committed);
  const documents = await read(
    new Map([...included].filter(([file]) => isDocumentName(file) || submodules.has(file))),
  );
  for (const [file] of documents) looked.add(realPath(file) ?? file);
  const withRules = documents.filter(([, text]) => mayHaveRule(text));
  const files = new Map(withRules);
  for (let fresh = withRules; fresh.length > 0;) {
    const referred = new Set(fresh.flatMap(([file, text]) => referredFrom(file, text)));
    fresh = await read(
      named(
        [...referred].filter((file) => !files.has(file)),
        committed,
      ),
    );
    for (const [file, text] of fresh) {
      files.set(file, text);
      looked.add(realPath(file) ?? file);
    }
  }
  // In a folder that it did not have, it gave none their usual effects either.
  const effects = manifest && { effects: notes };
  findings.push(...[...lost].map((path) => unreadRules(path, "a link that git alone cannot follow", ref)));
  return { rules: { origin: "base", files, ...effects, ignore, environments, findings }, looked };
}

/** Gives what a commit has at some paths, links followed; of a path in a submodule the submodule. */
function named(
  paths: readonly string[],
  { blobs, submodules, realPath, lost }: Committed,
): Map<string, string> {
  return new Map(
    paths.flatMap((path): (readonly [string, string])[] => {
      const real = realPath(path);
      if (real === undefined) {
        lost.add(path);
        return [];
      }
      const blob = blobs.get(real);
      if (blob !== undefined) return [[path, blob]];
      return [...submodules].filter(([submodule]) => restBelow(submodule, real) !== undefined);
    }),
  );
}

function unreadRules(file: string, what: string, ref: string): Finding {
  const message = say`${{ file }} of ${{ source: ref }} is ${what}, so the rules in it cannot hold for the change after it`;
  const hint = "keep documents and rules in this repository itself, and links to them within the workspace";
  return error("file-unreadable", undefined, message, hint);
}

function isReadRaw(name: string): boolean {
  return isDocumentName(name) || isJsonName(name) || isState(name);
}

function isState(name: string): boolean {
  return /(?:^|\/)agentform\.(?:[^/]+\.)?lock(?:\.journal)?$/.test(name);
}

function recodedFile([file, attribute]: readonly [string, TextAttribute]): Finding {
  const message = say`git has another text of ${{ file }} than the checkout, so the next change could not be compared with it`;
  const rest = attribute === "working-tree-encoding" ? ", and keep it in UTF-8" : "";
  const hint = `take \`${attribute}\` away from it in \`.gitattributes\`${rest}`;
  return error("file-unreadable", { file }, message, hint);
}

function referredFrom(file: string, text: string): string[] {
  const values = isDocumentName(file)
    ? parseDocuments(file, text).value.map(({ value }) => value)
    : [parseData(file, text).value];
  return values.flatMap(referencesIn).flatMap((path) => pathFrom(file, path.split("#", 1)[0] ?? "") ?? []);
}

function referencesIn(value: Json | undefined): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, Json]) =>
    key === "$ref" && typeof each === "string" ? [each] : referencesIn(each),
  );
}

/** Gives the path without links that a path leads to; undefined where it leaves the workspace for good, or goes round in a circle. */
type RealPath = (path: string) => string | undefined;

// As many and as long as an operating system follows.
const [mostLinks, longestLink] = [40, 4096];

/** Follows the links of a commit, given with their targets, below the folder of a workspace, a step at a time. */
function followLinks(links: readonly (readonly [link: string, to: string])[], folder: string): RealPath {
  const targets = new Map(links.map(([link, to]) => [folder + link, to]));
  return (path) => {
    let [at, left, hops] = ["", `${folder}${path}`.split("/"), 0];
    for (let step = left.shift(); step !== undefined; step = left.shift()) {
      if (step === "" || step === ".") continue;
      if (step === ".." && at === "") return undefined;
      const above = step === ".." ? at : joined(at, step);
      const parent = above.slice(0, Math.max(above.lastIndexOf("/"), 0));
      const target = step === ".." ? undefined : targets.get(above);
      at = step === ".." || target !== undefined ? parent : above;
      // What is beside the folder may be a link that leads back.
      if (!`${at}/`.startsWith(folder) && at !== "" && !folder.startsWith(`${at}/`)) return undefined;
      if (target === undefined) continue;
      if (target.startsWith("/") || target.length > longestLink || ++hops > mostLinks) return undefined;
      left = target.split("/").concat(left);
    }
    return restBelow(folder.replace(/\/$/, ""), at);
  };
}

function isFolderOf(directory: string, path: string): boolean {
  return unlessFailing(() => statSync(join(directory, path)).isDirectory()) ?? false;
}

function joined(folder: string, path: string): string {
  return [folder, path].filter((part) => part !== "").join("/");
}

/** Gives the path of a file from a folder: empty for the folder itself, undefined for what is elsewhere. */
function restBelow(folder: string, file: string): string | undefined {
  if (folder === "") return file;
  if (file === folder) return "";
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;
}

/** The entries of a commit in a workspace by their paths, each with the ID of its object. */
interface Committed {
  readonly blobs: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
  readonly submodules: ReadonlyMap<string, string>;
  readonly realPath: RealPath;
  /** Gets each path on which there may be rules behind a link that cannot be followed. */
  readonly lost: Set<string>;
  /** Whether the checkout has a folder there, where it has this commit. */
  readonly isFolder: (path: string) => boolean;
}

/** Gives the files of some folders as on disk, links followed, each once; and submodules with a part of them. */
function walkCommit(
  folders: readonly string[],
  { blobs, links, submodules, realPath, lost, isFolder }: Committed,
): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const left = [...folders];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const real = realPath(path);
    if (real === undefined && (folders.includes(path) || isDocumentName(path) || isFolder(path)))
      lost.add(path);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    for (const [file, blob] of blobs) {
      const rest = restBelow(real, file);
      if (rest !== undefined) found.set(joined(path, rest), blob);
    }
    for (const [submodule, commit] of submodules) {
      if (restBelow(real, submodule) !== undefined || restBelow(submodule, real) !== undefined)
        found.set(submodule, commit);
    }
    for (const link of links.keys()) {
      const rest = restBelow(real, link);
      if (rest !== undefined && !rest.split("/").some(isLeftOut)) left.push(joined(path, rest));
    }
  }
  return found;
}
