import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode } from "../../disk/error-code.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import { createDurably } from "../../disk/durable-file.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { repositoryRoot } from "../../git/repository.js";

/** A file that a command writes for the user. */
export interface WrittenFile {
  /** As given by the user. */
  readonly file: string;
  readonly cwd: string;
  readonly workspace: string;
  /** A text in the first kilobyte of every such file: a file without it is somebody else's, and is not replaced. */
  readonly mark: string;
}

/** Reads the text that such a file has now, undefined if there is none; or gives the reason why it cannot be used. */
export function readWritten(
  written: WrittenFile,
): { readonly ok: true; readonly text?: string } | { readonly ok: false; readonly failure: string } {
  const target = resolve(written.cwd, written.file);
  try {
    return { ok: true, ...(checkTarget(target, written) && { text: readFileSync(target, "utf8") }) };
  } catch (cause) {
    return { ok: false, failure: explain(written, "read", cause) };
  }
}

/** Writes a file as a whole, and follows no link that may have come with a commit; gives the reason if it fails. */
export function writeWritten(text: string, written: WrittenFile): string | undefined {
  const target = resolve(written.cwd, written.file);
  const draft = `${target}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    if (checkTarget(target, written)) checkOwn(target, written.mark);
    createDurably(draft, text);
    renameSync(draft, target);
    return undefined;
  } catch (cause) {
    // The first failure says more.
    unlessFailing(() => rmSync(draft, { force: true }));
    return explain(written, "written", cause);
  }
}

/** What is there is not to be replaced, and why. */
class ForeignFileError extends Error {}

// The name may be that of a lock, a document or a file of variables.
function checkOwn(target: string, mark: string): void {
  const file = openSync(target, "r");
  try {
    const head = Buffer.alloc(1024);
    const length = readSync(file, head);
    if (length > 0 && !head.toString("utf8", 0, length).includes(mark)) {
      throw new ForeignFileError(
        "it exists, and this command did not write it; remove it or choose a different name",
      );
    }
  } finally {
    closeSync(file);
  }
}

// Gives whether there is a file.
function checkTarget(target: string, { cwd, workspace }: WrittenFile): boolean {
  refuseLinks(target, checkoutFolders(cwd, workspace));
  const present = lstatSync(target, { throwIfNoEntry: false });
  // A rename would replace a device by a file.
  if (present && !present.isFile()) throw new ForeignFileError("it is not a file");
  return present !== undefined;
}

function explain({ file }: WrittenFile, done: string, cause: unknown): string {
  if (cause instanceof LinkError || cause instanceof ForeignFileError) {
    return `${file} cannot be ${done}: ${cause.message}`;
  }
  const code = errorCode(cause);
  return `${file} cannot be ${done}${code === "ENOENT" ? ": its folder does not exist" : ` (${code})`}`;
}

/** Gives the folders whose content may come from a commit: repositories, or else the folders; never a root. */
export function checkoutFolders(...directories: readonly string[]): string[] {
  return directories
    .map((directory) => repositoryRoot(directory) ?? directory)
    .filter((folder) => existsSync(folder) && dirname(folder) !== folder);
}
