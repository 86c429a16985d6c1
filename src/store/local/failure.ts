import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError } from "../../core/state/lock-store.js";

const words: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would become too large",
  EIO: "the disk failed",
  EISDIR: "there is a folder in the place of the file",
  ELOOP: "there is a symbolic link in the place of the file",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOENT: "the folder does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "there is a file in the place of the folder",
  ENOTSUP: "the file system has no hard links",
  EPERM: "the file system does not permit it",
  EROFS: "the file system is read-only",
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
  return new StoreFailedError(
    say`${words[code] ?? "the file system refused"} (${bare({ code })}) at ${bare({ lock: name })}`,
  );
}

/** Runs file operations; their errors are turned by `failureOf`. */
export function naming<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw failureOf(thrown, name);
  }
}
