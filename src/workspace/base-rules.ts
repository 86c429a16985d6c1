import { error, type Finding } from "../core/finding/diagnostic.js";
import { say } from "../core/finding/said.js";
import { parseData, parseDocuments } from "../core/document/document.js";
import { defaultInclude, parseManifest } from "../core/resources/manifest.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { mayHaveRule, pathFrom, type RuleTexts } from "../core/rules/rule-texts.js";
import type { Json } from "../json/json.js";
import { readBlobs } from "../git/read-blobs.js";
import { repositoryFolder } from "../git/repository.js";
import { resolveCommit, runGit } from "../git/run-git.js";
import { isDocumentName } from "./find-documents.js";
import { isLfsPointer } from "./regular-file.js";

/**
 * Reads the rules that a commit has, and the files of it that they refer to; none if it has no such workspace. The blobs
 * are read raw, so what is not a text in git itself is an error: a rule may be in it. Throws GitError if git does not
 * know the commit.
 */
export async function readBaseRules(directory: string, ref: string): Promise<RuleTexts> {
  const commit = await resolveCommit(directory, ref);
  const folder = repositoryFolder(directory);
  const within = folder === "" ? [] : ["--", folder];
  const listed = await runGit(directory, ["ls-tree", "-r", "-z", "--full-tree", commit, ...within]);
  const entries = listed.split("\0").flatMap((entry) => {
    const [, mode = "", id = "", path = ""] = /^(1[026]0\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    return path === "" ? [] : [{ path: path.slice(folder.length), id, mode }];
  });
  const [links, blobs] = [new Map<string, string>(), new Map<string, string>()];
  for (const { path, id, mode } of entries) (mode === "120000" ? links : blobs).set(path, id);
  const submodules = new Set(entries.flatMap(({ id, mode }) => (mode === "160000" ? [id] : [])));
  const isSubmodule = (file: string) => submodules.has(blobs.get(file) ?? "");
  const findings: Finding[] = [];
  const read = async (files: readonly string[], from = blobs): Promise<[string, string][]> => {
    const texts = await readBlobs(
      directory,
      files.map((file) => from.get(file) ?? ""),
    );
    return files.flatMap((file, index): [string, string][] => {
      const text = texts[index];
      if (text != null && !isLfsPointer(text)) return [[file, text]];
      const what =
        text != null ? "a pointer of Git LFS" : isSubmodule(file) ? "a submodule" : "not in this clone";
      findings.push(unreadRules(file, what, ref));
      return [];
    });
  };
  addLinked(blobs, await read([...links.keys()], links), isSubmodule);
  const [manifest] = blobs.has(manifestFile) ? await read([manifestFile]) : [];
  const isIncluded = includedBy(manifest?.[1] ?? "");
  const documents = await read(
    [...blobs.keys()].filter((file) => (isDocumentName(file) || isSubmodule(file)) && isIncluded(file)),
  );
  const files = new Map(documents);
  const folders = [...blobs.keys()].filter(isSubmodule);
  const submoduleOf = (file: string) => folders.find((each) => file.startsWith(`${each}/`));
  for (let fresh = documents.filter(([, text]) => mayHaveRule(text)); fresh.length > 0;) {
    const named = fresh
      .flatMap(([file, text]) => referredFrom(file, text))
      .map((file) => submoduleOf(file) ?? file);
    fresh = await read([...new Set(named)].filter((file) => blobs.has(file) && !files.has(file)));
    for (const [file, text] of fresh) files.set(file, text);
  }
  return { origin: "base", files, findings };
}

function unreadRules(file: string, what: string, ref: string): Finding {
  const message = say`${{ file }} of ${{ source: ref }} is ${what}, so the rules in it cannot hold for this change`;
  const hint = "keep documents and rules in this repository itself";
  return error("file-unreadable", undefined, message, hint);
}

/** Adds what links of a commit lead to, files and folders, as the workspace would find it on the disk. */
function addLinked(
  blobs: Map<string, string>,
  links: readonly (readonly [string, string])[],
  isSubmodule: (file: string) => boolean,
): void {
  const targets = new Map(
    links.map(([link, to]) => [link, to.startsWith("/") ? undefined : pathFrom(link, to)]),
  );
  const own = [...blobs];
  for (const link of targets.keys()) {
    let target: string | undefined = link;
    // As many as an operating system follows.
    for (let hops = 0; hops < 40 && target !== undefined && targets.has(target); hops++)
      target = targets.get(target);
    if (target === undefined || `${link}/`.startsWith(`${target}/`)) continue;
    for (const [file, blob] of own) {
      if (file === target || file.startsWith(`${target}/`)) blobs.set(link + file.slice(target.length), blob);
      else if (isSubmodule(file) && target.startsWith(`${file}/`)) blobs.set(link, blob);
    }
  }
}

// A submodule is included where it holds something that is.
function includedBy(manifest: string): (file: string) => boolean {
  const parsed = parseManifest(manifest);
  const include = (parsed.ok ? parsed.value.spec.include : undefined) ?? defaultInclude;
  const starts = include.map((each) => pathFrom("", each) ?? "");
  return (file) =>
    starts.some(
      (start) =>
        start === "" || file === start || file.startsWith(`${start}/`) || start.startsWith(`${file}/`),
    );
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
