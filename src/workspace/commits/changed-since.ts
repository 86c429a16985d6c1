import { basename, dirname, join, posix } from "node:path";
import { realFolder, realPath } from "../../disk/real-path.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { parseDocuments } from "../../core/document/document.js";
import { addressIn } from "../../core/kind/kinds.js";
import type { ChangedSince } from "../../core/plan/plan-options.js";
import { storesInFiles } from "../../core/resources/lock-location.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { isWithinAny } from "../../core/resources/within-any.js";
import { filesIn } from "../../git/commit-files.js";
import { GitObjectsError } from "../../git/git-process.js";
import { trackedNames } from "../../git/listed-names.js";
import { readBlobs } from "../../git/read-blobs.js";
import { repositoryFolder, repositoryRoot } from "../../git/repository.js";
import { resolveCommit } from "../../git/run-git.js";
import { changedFiles } from "./changed-files.js";
import { environmentsFolder, isDocumentName, patchFolder } from "../document-name.js";
import { manifestIn, usesIn } from "../others/uses-graph.js";

/** What a plan is made of beside the files of the workspace. */
export interface PlannedWith {
  readonly environment: string | null;
  /** The names of the variables in each file of their values, by its whole path. */
  readonly varFiles: ReadonlyMap<string, readonly string[]>;
  /** The names of the variables whose values the command line has. */
  readonly given: readonly string[];
}

/** Finds what of a workspace, and of those that it uses, directly or through others, differs from a commit. */
export async function readChangedSince(
  directory: string,
  ref: string,
  { environment, varFiles, given }: PlannedWith,
): Promise<ChangedSince> {
  const files = new Set(await changedFiles(directory, ref));
  const variables = new Set(given);
  for (const [varFile, names] of varFiles) {
    // A link may lead to another file than in the commit. A pipe of a shell has a path that leads to none.
    const own = join(realFolder(dirname(varFile)), basename(varFile));
    const ways = new Set([own, unlessFailing(() => realPath(varFile)) ?? own]);
    for (const file of ways) {
      // Like the values in the manifest, these may reach every document.
      if (await isChanged(directory, ref, file)) files.add(manifestFile);
      else if (!(isOfSame(directory, file) && trackedNames(dirname(file), basename(file)).length > 0))
        for (const name of names) variables.add(name);
    }
  }
  const former = await readFormer(directory, ref, files, environment);
  if (!former) files.add(manifestFile);
  const { named = [], made = [] } = former ?? {};
  const uses = new Set<string>();
  const since = { ref, files, named: new Set(named), made, variables, uses };
  const manifest = manifestIn(directory);
  if (!manifest) return since;
  for (const [name, { file }] of Object.entries(manifest.value.spec.uses ?? {})) {
    const paths = typeof file === "object" ? Object.values(file) : file === undefined ? [] : [file];
    if (paths.some((path) => isWithinAny(files, posix.normalize(path)))) uses.add(name);
  }
  const seen = new Set<string>();
  for (const { name, folder } of usesIn(directory, manifest)) {
    seen.clear();
    if (await isTouched(folder, ref, seen)) uses.add(name);
  }
  return since;
}

async function isChanged(directory: string, ref: string, file: string): Promise<boolean> {
  return isOfSame(directory, file) && (await changedFiles(dirname(file), ref)).has(basename(file));
}

// A repository inside of this one has commits of its own.
function isOfSame(directory: string, file: string): boolean {
  return repositoryRoot(dirname(file)) === repositoryRoot(directory);
}

/** What the documents of a commit say that it has. */
interface Former {
  /** The addresses in documents and patches that have changed since. */
  readonly named: readonly string[];
  /** Those of documents that are made many, which may be as they were while what they include is not. */
  readonly made: readonly string[];
}

// What was removed or patched until then has no file any more that says so; undefined where a clone lacks a patch.
async function readFormer(
  directory: string,
  ref: string,
  changed: ReadonlySet<string>,
  environment: string | null,
): Promise<Former | undefined> {
  const folder = repositoryFolder(directory);
  const own = `${patchFolder(environment)}/`;
  const isElsewhere = (file: string) => file.startsWith(`${environmentsFolder}/`) && !file.startsWith(own);
  const commit = await resolveCommit(directory, ref);
  const listed = await filesIn(directory, commit, folder === "" ? [] : [folder]);
  const documents = listed.flatMap(({ type, file, id }) => {
    const name = file.slice(folder.length);
    return type === "file" && isDocumentName(name) && !isElsewhere(name) ? [{ name, id }] : [];
  });
  try {
    const texts = await readBlobs(
      directory,
      documents.map(({ id }) => id),
    );
    const read = documents.map(({ name }, index) => {
      const text = texts[index] ?? "";
      const isRead = changed.has(name) || text.includes("for_each");
      return {
        name,
        addresses: isRead
          ? parseDocuments(name, text).value.flatMap(({ value }) => addressIn(value) ?? [])
          : [],
      };
    });
    return {
      named: read.flatMap(({ name, addresses }) => (changed.has(name) ? addresses : [])),
      made: read.flatMap(({ addresses }) => addresses.filter((address) => address.includes("${"))),
    };
  } catch (thrown) {
    if (!(thrown instanceof GitObjectsError)) throw thrown;
    // Any that is gone may have been there; which documents a patch changed is not known.
    return [...changed].some((name) => name.startsWith(own))
      ? undefined
      : { named: [], made: ["${each:key}"] };
  }
}

async function isTouched(folder: string, ref: string, seen: Set<string>): Promise<boolean> {
  if (seen.has(folder)) return false;
  seen.add(folder);
  const manifest = manifestIn(folder);
  // No commit says what another state was.
  if (!manifest || !storesInFiles(manifest.value)) return true;
  if ((await changedFiles(folder, ref)).size > 0) return true;
  for (const used of usesIn(folder, manifest)) if (await isTouched(used.folder, ref, seen)) return true;
  return false;
}
