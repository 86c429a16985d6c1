import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../../disk/error-code.js";
import { LinkError, refuseLinks } from "../../disk/refuse-links.js";
import { createDurably } from "../../store/local/durable-file.js";
import { checkoutFolders } from "./checkout-folders.js";

/** A file that a command writes for the user. */
export interface WrittenFile {
  /** As given by the user. */
  readonly file: string;
  readonly cwd: string;
  /** The folder of the workspace. */
  readonly workspace: string;
}

/** Reads the text that such a file has now, undefined if there is none; or gives the reason why it cannot be used. */
export function readWritten(written: WrittenFile): { readonly text?: string } | { readonly failure: string } {
  const target = resolve(written.cwd, written.file);
  try {
    return checkTarget(target, written) ? { text: readFileSync(target, "utf8") } : {};
  } catch (cause) {
    return { failure: explain(written, "read", cause) };
  }
}

/**
 * Writes such a file: at every moment it is either the old one or the new one, and no link that may have come with a
 * commit is followed; gives the reason if it fails.
 */
export function writeWritten(text: string, written: WrittenFile): string | undefined {
  const target = resolve(written.cwd, written.file);
  const draft = `${target}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    checkTarget(target, written);
    createDurably(draft, text);
    renameSync(draft, target);
    return undefined;
  } catch (cause) {
    rmSync(draft, { force: true });
    return explain(written, "written", cause);
  }
}

class NoFileError extends Error {
  override readonly name = "NoFileError";
}

// Gives whether there is a file.
function checkTarget(target: string, { cwd, workspace }: WrittenFile): boolean {
  refuseLinks(target, checkoutFolders(cwd, workspace));
  const present = lstatSync(target, { throwIfNoEntry: false });
  // A rename would replace a device by a file.
  if (present && !present.isFile()) throw new NoFileError("it is not a file");
  return present !== undefined;
}

function explain({ file }: WrittenFile, done: string, cause: unknown): string {
  if (cause instanceof LinkError || cause instanceof NoFileError) {
    return `${file} cannot be ${done}: ${cause.message}`;
  }
  return `${file} cannot be ${done} (${errorCode(cause)})`;
}
