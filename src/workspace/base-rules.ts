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
  const read = async (files: ReadonlyMap<string, string>): Promise<[string, string][]> => {
    const texts = await readBlobs(directory, [...files.values()]);
    return [...files.keys()].flatMap((file, index) => (texts[index] == null ? [] : [[file, texts[index]]]));
  };
  const realPath = followLinks(await read(links), folder);
  const named = (paths: readonly string[]): Map<string, string> =>
    new Map(
      paths.flatMap((path) => {
        const blob = blobs.get(realPath(path) ?? "");
        return blob === undefined ? [] : [[path, blob]];
      }),
    );
  const [manifest] = await read(named([manifestFile]));
  const included = filesBelow(includeOf(manifest?.[1] ?? ""), { blobs, links, realPath });
  const documents = await read(new Map([...included].filter(([file]) => isDocumentName(file))));
  const files = new Map(documents);
  for (let fresh = documents.filter(([, text]) => mayHaveRule(text)); fresh.length > 0;) {
    const referred = new Set(fresh.flatMap(([file, text]) => referredFrom(file, text)));
    fresh = await read(named([...referred].filter((file) => !files.has(file))));
    for (const [file, text] of fresh) files.set(file, text);
  }
  return { origin: "base", files };
}

/** Gives the path without links that a path leads to; undefined where it leads out of the workspace, or round in a circle. */
type RealPath = (path: string) => string | undefined;

// As many as an operating system follows.
const mostLinks = 40;

function followLinks(links: readonly (readonly [link: string, to: string])[], folder: string): RealPath {
  const targets = new Map(links.map(([link, to]) => [link, targetOf(link, to, folder)]));
  return (path) => {
    let at: string | undefined = path;
    for (let hops = 0; at !== undefined && hops <= mostLinks; hops++) {
      const steps: string[] = at.split("/");
      const paths = steps.map((_, index) => steps.slice(0, index + 1).join("/"));
      const link = paths.find((each) => targets.has(each));
      if (link === undefined) return at;
      const target = targets.get(link);
      at = target === undefined ? undefined : joined(target, at.slice(link.length + 1));
    }
    return undefined;
  };
}

function targetOf(link: string, to: string, folder: string): string | undefined {
  const target = to.startsWith("/") ? undefined : pathFrom(folder + link, to);
  return target === undefined ? undefined : restBelow(folder.replace(/\/$/, ""), target);
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

interface Committed {
  readonly blobs: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
  readonly realPath: RealPath;
}

/** Gives the files in some folders as the workspace would find them on the disk, links followed; each folder once. */
function filesBelow(folders: readonly string[], { blobs, links, realPath }: Committed): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const left = [...folders];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const real = realPath(path);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    for (const [file, blob] of blobs) {
      const rest = restBelow(real, file);
      if (rest !== undefined) found.set(joined(path, rest), blob);
    }
    for (const link of links.keys()) {
      const rest = restBelow(real, link);
      if (rest !== undefined) left.push(joined(path, rest));
    }
  }
  return found;
}

function includeOf(manifest: string): string[] {
  const parsed = parseManifest(manifest);
  const include = (parsed.ok ? parsed.value.spec.include : undefined) ?? defaultInclude;
  return include.map((each) => pathFrom("", each) ?? "");
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
