import { StoreFailedError } from "../../core/state/lock-store.js";
import { gitHint } from "../../core/state/store-hints.js";
import { GitError } from "../../git/git-process.js";

/** Waits for git; turns a failure to start it, or to read what it gives, into a StoreFailedError. */
export async function asStore<Result>(running: Promise<Result>): Promise<Result> {
  try {
    return await running;
  } catch (thrown) {
    throw thrown instanceof GitError ? new StoreFailedError(thrown.message, gitHint) : thrown;
  }
}
