import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoreFailedError, StoreHeldError, holderName, type Holder } from "../../core/state/lock-store.js";
import { lineageMarks } from "../../core/state/renamed-state.js";
import { contentDigest } from "../../digest.js";
import { makeFolder } from "../../disk/make-folder.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { findRepository, repositoryFolder, workTreesBeside, type Repository } from "../../git/repository.js";
import { naming } from "../local/failure.js";
import { LockFile } from "../local/lock-file.js";
import { describeThisProcess, type ProcessRecord } from "../local/process-record.js";
import { HolderFile } from "./holder-file.js";
import { pathFrom } from "./lock-copies.js";

/**
 * Who holds a state in files: a record beside them, and one with the same nonce in git's common folder, for the work trees
 * have files of their own. That one is of the lineage of the lock or, before a first apply, of its place in the repository.
 */
export class TreeHolder extends HolderFile {
  #shared: HolderFile | undefined;

  constructor(
    /** Absolute, as is the lock. */
    private readonly ownFile: string,
    private readonly place: {
      readonly directory: string;
      readonly lockName: string;
      readonly lockFile: string;
    },
  ) {
    super(ownFile);
  }

  override get isLost(): boolean {
    return super.isLost || this.#shared?.isLost === true;
  }

  override read(): Holder | null {
    return super.read() ?? this.readBeside();
  }

  /** Reads which living process of another work tree holds the state; null also while this process does. */
  readBeside(): Holder | null {
    const repository = findRepository(this.place.directory);
    if (!repository || this.#shared || !existsSync(folderIn(repository))) return null;
    const holder = this.#fileIn(repository).read();
    return holder?.life === "alive" ? this.#located(holder, repository) : null;
  }

  override async acquire(record = describeThisProcess()): Promise<void> {
    await super.acquire(record);
    try {
      await this.#share(record);
    } catch (thrown) {
      await this.release();
      throw thrown;
    }
  }

  override async release(): Promise<void> {
    await super.release();
    this.#shared = undefined;
  }

  override async remove(nonce: string): Promise<boolean> {
    const repository = findRepository(this.place.directory);
    // An apply that has died may have written the first lock.
    const files = repository ? [this.#fileIn(repository), this.#fileIn(repository, null)] : [];
    const removed: boolean[] = [];
    for (const file of this.#shared ? [this.#shared] : files) removed.push(await file.remove(nonce));
    // The next one here takes that of this work tree first.
    return (await super.remove(nonce)) || removed.includes(true);
  }

  async #share(record: ProcessRecord): Promise<void> {
    const repository = findRepository(this.place.directory);
    if (repository === undefined) return;
    const file = this.#fileIn(repository);
    try {
      naming("the folder of git", () => makeSharedFolder(repository));
      await file.acquire(record);
      this.#shared = file;
    } catch (thrown) {
      if (thrown instanceof StoreHeldError)
        throw new StoreHeldError(this.#located(thrown.holder, repository));
      // Somebody who may not write there can have the only work tree all the same.
      if (!(thrown instanceof StoreFailedError) || workTreesBeside(repository).length > 0) throw thrown;
    }
  }

  #fileIn(repository: Repository, lock = this.#lock()): HolderFile {
    const { directory, lockName } = this.place;
    const key = lineageMarks(lock)[0] ?? repositoryFolder(directory) + lockName;
    return new HolderFile(join(folderIn(repository), `${contentDigest(key).slice(0, 16)}.holder`));
  }

  #lock(): string | null {
    const { lockFile, lockName } = this.place;
    return unlessFailing(() => new LockFile(lockFile, lockName).read().lock) ?? null;
  }

  #located(holder: Holder, repository: Repository): Holder {
    const { directory } = this.place;
    const own = repositoryFolder(directory) + pathFrom(directory, this.ownFile);
    const isOf = (root = ""): boolean =>
      unlessFailing(() => new HolderFile(join(root, own)).read())?.nonce === holder.nonce;
    const tree = workTreesBeside(repository).find(({ root }) => isOf(root))?.root;
    // One that is nowhere is of another folder, or the repository was copied while it was held.
    const where = tree === undefined ? "as its record says in" : "in";
    const folder = pathFrom(directory, tree ?? folderIn(repository));
    return { ...holder, who: `${holderName(holder)}, ${where} ${folder}` };
  }
}

function folderIn({ commonDir }: Repository): string {
  return join(commonDir, "agentform", "holders");
}

// Whoever may write in git's folder, such as a group by `core.sharedRepository`, may hold a state.
function makeSharedFolder(repository: Repository): void {
  const { mode } = statSync(repository.commonDir);
  for (const folder of makeFolder(folderIn(repository))) chmodSync(folder, mode & 0o7777);
}
