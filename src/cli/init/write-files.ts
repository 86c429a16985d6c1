import { renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { draftOf } from "../../disk/durable-file.js";
import { errorCode } from "../../disk/error-code.js";
import { makeFolder } from "../../disk/make-folder.js";
import { lookAt, refuseLinks } from "../../disk/refuse-links.js";
import { unlessFailing } from "../../disk/unless-failing.js";

/** A file to write, by its path from a folder. */
export interface InitFile {
  readonly folder: string;
  readonly file: string;
  readonly text: string | Uint8Array;
  /** What changes in it; undefined for a file that is never overwritten. */
  readonly changes?: readonly string[];
}

/** The files that were written, or why there are none. */
export type InitWriting =
  | { readonly ok: true; readonly files: readonly InitFile[] }
  | { readonly ok: false; readonly problem: string };

// Often there already.
const optional = [".gitignore", ".gitattributes", "AGENTS.md"];

/** Writes all files or none, over what is there only where it has changes; throws LinkError at a link. */
export function writeFiles(files: readonly InitFile[], shown: string): InitWriting {
  const existing = files.filter(({ folder, file, changes }) => !changes && lookAt(join(folder, file)));
  const taken = existing.filter(({ file }) => !optional.includes(file));
  if (taken.length > 0) {
    const names = taken.map(({ file }) => file).join(", ");
    const verb = taken.length === 1 ? "exists" : "exist";
    return { ok: false, problem: `${names} already ${verb} in ${shown}; nothing was written` };
  }
  const missing = files.filter((each) => !existing.includes(each));
  for (const { folder, file } of missing) refuseLinks(join(folder, file), [folder]);
  const odd = missing.find(({ folder, file }) => lookAt(join(folder, file))?.isFile() === false);
  if (odd) return { ok: false, problem: `${odd.file} is not a file; nothing was written` };
  const problem = writeAll(missing);
  return problem === undefined ? { ok: true, files: missing } : { ok: false, problem };
}

function writeAll(files: readonly InitFile[]): string | undefined {
  const drafts: { readonly draft: string; readonly path: string }[] = [];
  const folders: string[] = [];
  let current = "";
  try {
    for (const { folder, file, text } of files) {
      current = file;
      const path = join(folder, file);
      folders.push(...makeFolder(dirname(path)));
      const draft = draftOf(path);
      drafts.push({ draft, path });
      writeFileSync(draft, text, { flag: "wx" });
    }
    // A full disk has no say in this any more.
    for (const { draft, path } of drafts) renameSync(draft, path);
    return undefined;
  } catch (cause) {
    for (const { draft } of drafts) unlessFailing(() => rmSync(draft, { force: true }));
    for (const folder of folders.toReversed()) unlessFailing(() => rmdirSync(folder));
    const code = errorCode(cause);
    const why = code === "EEXIST" ? "there is a file in the place of a folder" : code;
    return `${current} cannot be written (${why}); nothing was written`;
  }
}
