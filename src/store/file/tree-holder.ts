import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoreHeldError, holderName, type Holder } from "../../core/state/lock-store.js";
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
    if (!repository || this.#shared || workTreesBeside(repository).length === 0) return null;
    const recorded = this.#fileIn(repository).read();
    const holder = recorded?.life === "alive" ? recorded : this.#holderFromBefore(repository);
    return holder ? this.#located(holder, repository) : null;
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
    const files = repository
      ? [this.#fileIn(repository), this.#fileIn(repository, null), ...this.#filesBeside(repository)]
      : [];
    const removed: boolean[] = [];
    for (const file of this.#shared ? [this.#shared] : files) removed.push(await file.remove(nonce));
    // The next one here takes that of this work tree first.
    return (await super.remove(nonce)) || removed.includes(true);
  }

  // The only work tree needs no record: one that outlives its process in a git folder that is kept, as by the cache of a
  // CI, would hold every later job.
  async #share(record: ProcessRecord): Promise<void> {
    const repository = findRepository(this.place.directory);
    if (repository === undefined || workTreesBeside(repository).length === 0) return;
    const alone = this.#holderFromBefore(repository);
    if (alone) throw new StoreHeldError(this.#located(alone, repository));
    const file = this.#fileIn(repository);
    naming("the folder of git", () => makeSharedFolder(repository));
    try {
      await file.acquire(record);
    } catch (thrown) {
      if (!(thrown instanceof StoreHeldError)) throw thrown;
      throw new StoreHeldError(this.#located(thrown.holder, repository));
    }
    this.#shared = file;
  }

  /** Gives the holder of a work tree that had none beside it when it began. */
  #holderFromBefore(repository: Repository): Holder | undefined {
    const folder = folderIn(repository);
    const names = unlessFailing(() => readdirSync(folder)) ?? [];
    const shared = new Set(names.map((name) => holderIn(join(folder, name))?.nonce));
    return this.#filesBeside(repository)
      .map((file) => unlessFailing(() => file.read()) ?? undefined)
      .find((holder) => holder?.life === "alive" && !shared.has(holder.nonce));
  }

  #filesBeside(repository: Repository): HolderFile[] {
    return workTreesBeside(repository).flatMap(({ root }) =>
      root === undefined ? [] : new HolderFile(join(root, this.#path)),
    );
  }

  /** Where the record of a work tree is in it. */
  get #path(): string {
    const { directory } = this.place;
    return repositoryFolder(directory) + pathFrom(directory, this.ownFile);
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
    const isOf = ({ root = "" }) => holderIn(join(root, this.#path))?.nonce === holder.nonce;
    const tree = workTreesBeside(repository).find(isOf)?.root;
    // One that is nowhere is of another folder, or the repository was copied while it was held.
    const where = tree === undefined ? "as its record says in" : "in";
    const folder = pathFrom(directory, tree ?? folderIn(repository));
    return { ...holder, who: `${holderName(holder)}, ${where} ${folder}` };
  }
}

function holderIn(file: string): Holder | undefined {
  return unlessFailing(() => new HolderFile(file).read()) ?? undefined;
}

function folderIn({ commonDir }: Repository): string {
  return join(commonDir, "agentform", "holders");
}

// Whoever may write in git's folder, such as a group by `core.sharedRepository`, may hold a state.
function makeSharedFolder(repository: Repository): void {
  const { mode } = statSync(repository.commonDir);
  for (const folder of makeFolder(folderIn(repository))) chmodSync(folder, mode & 0o7777);
}
