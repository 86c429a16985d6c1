import { parseData, parseDocuments } from "../core/document/document.js";
import { defaultInclude, parseManifest } from "../core/resources/manifest.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { mayHaveRule, pathFrom, type RuleTexts } from "../core/rules/rule-texts.js";
import type { Json } from "../json/json.js";
import { readBlobs } from "../git/read-blobs.js";
import { repositoryFolder } from "../git/repository.js";
import { resolveCommit, runGit } from "../git/run-git.js";
import { isDocumentName } from "./find-documents.js";

/**
 * Reads the rules that a commit has, and the files of it that they refer to; none if it has no such workspace. The blobs
 * are read raw. Throws GitError if git does not know the commit.
 */
export async function readBaseRules(directory: string, ref: string): Promise<RuleTexts> {
  const commit = await resolveCommit(directory, ref);
  const folder = repositoryFolder(directory);
  const within = folder === "" ? [] : ["--", folder];
  const listed = await runGit(directory, ["ls-tree", "-r", "-z", "--full-tree", commit, ...within]);
  const entries = listed.split("\0").flatMap((entry) => {
    const [, mode = "", blob = "", path = ""] = /^(1[02]0\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    return path === "" ? [] : [{ path: path.slice(folder.length), blob, isLink: mode === "120000" }];
  });
  const [links, blobs] = [new Map<string, string>(), new Map<string, string>()];
  for (const { path, blob, isLink } of entries) (isLink ? links : blobs).set(path, blob);
  const read = async (files: readonly string[], from = blobs): Promise<[string, string][]> => {
    const texts = await readBlobs(
      directory,
      files.map((file) => from.get(file) ?? ""),
    );
    return files.flatMap((file, index) => (texts[index] == null ? [] : [[file, texts[index]]]));
  };
  addLinked(blobs, await read([...links.keys()], links));
  const [manifest] = blobs.has(manifestFile) ? await read([manifestFile]) : [];
  const isIncluded = includedBy(manifest?.[1] ?? "");
  const documents = await read([...blobs.keys()].filter((file) => isDocumentName(file) && isIncluded(file)));
  const files = new Map(documents);
  for (let fresh = documents.filter(([, text]) => mayHaveRule(text)); fresh.length > 0;) {
    const named = fresh.flatMap(([file, text]) => referredFrom(file, text));
    fresh = await read([...new Set(named)].filter((file) => blobs.has(file) && !files.has(file)));
    for (const [file, text] of fresh) files.set(file, text);
  }
  return { origin: "base", files };
}

/** Adds what links of a commit lead to, files and folders, as the workspace would find it on the disk. */
function addLinked(blobs: Map<string, string>, links: readonly (readonly [string, string])[]): void {
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
    for (const [file, blob] of own)
      if (file === target || file.startsWith(`${target}/`)) blobs.set(link + file.slice(target.length), blob);
  }
}

function includedBy(manifest: string): (file: string) => boolean {
  const parsed = parseManifest(manifest);
  const include = (parsed.ok ? parsed.value.spec.include : undefined) ?? defaultInclude;
  const starts = include.map((each) => pathFrom("", each) ?? "");
  return (file) => starts.some((start) => start === "" || file === start || file.startsWith(`${start}/`));
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
