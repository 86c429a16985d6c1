import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError } from "../../core/state/lock-store.js";

const folder = "look at what is there, and move it away";
const access = "look at who owns the file and its folder, and as which user this runs";
const open = "raise the limit (`ulimit -n`), or end what has the files open";
const room = "make room, and run the command again";

/** What has happened, and what to look at. */
const words: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EACCES: ["permission is denied", access],
  EDQUOT: ["the disk quota is used up", room],
  EFBIG: ["the file would become too large", "look at the limit for files (`ulimit -f`)"],
  EIO: ["the disk failed", "look at the log of the system, and keep a copy of the workspace"],
  EISDIR: ["there is a folder in the place of the file", folder],
  ELOOP: ["there is a symbolic link in the place of the file", folder],
  EMFILE: ["too many files are open", open],
  ENFILE: ["too many files are open", open],
  ENOENT: ["the folder does not exist", "look whether the workspace was moved or removed meanwhile"],
  ENOSPC: ["the disk is full", room],
  ENOTDIR: ["there is a file in the place of the folder", folder],
  ENOTSUP: [
    "the file system has no hard links",
    "put the workspace on another file system, or use another store",
  ],
  EPERM: ["the file system does not permit it", access],
  EROFS: ["the file system is read-only", "mount it for writing, or run this where it is"],
};

/** Gives the errno code of a file operation's error, such as `ENOENT`; undefined for any other error. */
export function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("errno" in thrown) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Turns the error of a file operation into a StoreFailedError with the name for messages; rethrows any other error. */
export function failureOf(thrown: unknown, name: string): StoreFailedError {
  if (thrown instanceof StoreFailedError) return thrown;
  const code = codeOf(thrown);
  if (code === undefined) throw thrown;
  // Message and cause of the thrown error contain the absolute path, so neither is passed on.
  const [why, hint] = words[code] ?? ["the file system refused", "look at the file, its folder and the disk"];
  return new StoreFailedError(say`${why} (${bare({ code })}) at ${bare({ lock: name })}`, hint);
}

/** Runs file operations; their errors are turned by `failureOf`. */
export function naming<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw failureOf(thrown, name);
  }
}
