import type { EditedFile } from "../core/keep/keep-drift.js";
import type { ForeignFile } from "../core/keep/unwritten.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import { existsSync, fchmodSync, lstatSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDurably, draftOf, syncFolder } from "../disk/durable-file.js";
import { errorCode } from "../disk/error-code.js";
import { LinkError, refuseLinks } from "../disk/refuse-links.js";
import { unlessFailing } from "../disk/unless-failing.js";
import { error, type Finding } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

/** A draft of a file, and the name that it gets. */
interface FileDraft {
  readonly file: string;
  readonly draft: string;
  readonly target: string;
}

const byteOrderMark = "\uFEFF";

/**
 * Replaces files: all drafts are on the disk before the first name moves, so a failure leaves everything as
 * it was. Follows no link, and touches no file with another text than before; gives the problem that ended
 * it.
 */
export function replaceFiles({ root }: WorkspaceFolder, edits: readonly EditedFile[]): Finding | undefined {
  const drafts: FileDraft[] = [];
  let current = "";
  try {
    for (const edit of edits) {
      current = edit.file;
      const target = join(root, edit.file);
      drafts.push({ file: edit.file, target, draft: draftOf(target) });
      refuseLinks(target, [root]);
      writeDraft(edit, target, drafts.at(-1)?.draft ?? "");
    }
    for (const { file, draft, target } of drafts) {
      current = file;
      renameSync(draft, target);
    }
    for (const folder of new Set(drafts.map(({ target }) => dirname(target)))) syncFolder(folder);
    return undefined;
  } catch (cause) {
    // The first failure says more.
    for (const { draft } of drafts) unlessFailing(() => rmSync(draft, { force: true }));
    return explain(current, cause);
  }
}

/** Why a file is not replaced: a symbolic link, behind one, or in another workspace's folder. */
export function whyForeign({ root }: WorkspaceFolder, file: string): ForeignFile | undefined {
  try {
    refuseLinks(join(root, file), [root]);
  } catch (cause) {
    if (cause instanceof LinkError) return "linked";
    throw cause;
  }
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
    if (existsSync(join(root, folder, manifestFile))) return "nested";
  }
  return undefined;
}

/** A file that somebody has changed since its edit was made. */
class ChangedFileError extends Error {}

function writeDraft({ before, after }: EditedFile, target: string, draft: string): void {
  const present = readFileSync(target, "utf8");
  const mark = present.startsWith(byteOrderMark) ? byteOrderMark : "";
  if (present !== `${mark}${before}`) throw new ChangedFileError();
  const { mode } = lstatSync(target);
  createDurably(draft, `${mark}${after}`, (fd) => fchmodSync(fd, mode & 0o7777));
}

function explain(file: string, cause: unknown): Finding {
  const hint = "run the same command again when that is corrected: it goes on with what is left";
  if (cause instanceof ChangedFileError) {
    return error("file-unwritten", { file }, say`${{ file }} has changed since it was read`, hint);
  }
  const reason = cause instanceof LinkError ? cause.message : errorCode(cause);
  return error("file-unwritten", undefined, say`${{ file }} cannot be written: ${bare({ reason })}`, hint);
}
