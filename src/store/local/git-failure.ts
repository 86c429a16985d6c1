import { StoreFailedError } from "../../core/state/lock-store.js";
import { gitHint, gitObjectsHint } from "../../core/state/store-hints.js";
import { GitError, GitObjectsError } from "../../git/git-process.js";

/** Waits for git; turns a failure to start it, or to read what it gives, into a StoreFailedError. */
export async function asStore<Result>(running: Promise<Result>): Promise<Result> {
  try {
    return await running;
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown;
    const hint = thrown instanceof GitObjectsError ? gitObjectsHint : gitHint;
    throw new StoreFailedError(thrown.message, hint);
  }
}
