import { defaultInclude, parseManifest } from "../core/resources/manifest.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { pathFrom, type RuleTexts } from "../core/rules/rule-texts.js";
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
  const blobs = new Map(
    listed.split("\0").flatMap((entry) => {
      const [, blob = "", path = ""] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
      return path === "" ? [] : [[path.slice(folder.length), blob] as const];
    }),
  );
  const read = async (files: readonly string[]): Promise<[string, string][]> => {
    const texts = await readBlobs(
      directory,
      files.map((file) => blobs.get(file) ?? ""),
    );
    return files.flatMap((file, index) => (texts[index] == null ? [] : [[file, texts[index]]]));
  };
  const [manifest] = blobs.has(manifestFile) ? await read([manifestFile]) : [];
  const isIncluded = includedBy(manifest?.[1] ?? "");
  const documents = await read([...blobs.keys()].filter((file) => isDocumentName(file) && isIncluded(file)));
  const files = new Map(documents.filter(([, text]) => mayHaveRule.test(text)));
  for (let fresh = [...files]; fresh.length > 0;) {
    const named = fresh.flatMap(([file, text]) => referredFrom(file, text));
    fresh = await read([...new Set(named)].filter((file) => blobs.has(file) && !files.has(file)));
    for (const [file, text] of fresh) files.set(file, text);
  }
  return { origin: "base", files };
}

const mayHaveRule = /(?:^|[{,])\s*["']?kind["']?\s*:\s*["']?Rule\b/m;

function includedBy(manifest: string): (file: string) => boolean {
  const parsed = parseManifest(manifest);
  const include = (parsed.ok ? parsed.value.spec.include : undefined) ?? defaultInclude;
  const starts = include.map((each) => pathFrom("", each) ?? "");
  return (file) => starts.some((start) => start === "" || file === start || file.startsWith(`${start}/`));
}

function referredFrom(file: string, text: string): string[] {
  const paths = text.matchAll(/\$ref["']?\s*:\s*["']?([^\s"'#,}]+)/g);
  return [...paths].flatMap(([, path = ""]) => pathFrom(file, path) ?? []);
}
