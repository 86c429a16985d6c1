import { existsSync, lstatSync } from "node:fs";
import { lineageMarks } from "../../core/state/renamed-state.js";
import { serialIn } from "../../core/state/lock-move.js";
import type { Branches, LockMemory, OtherState, StoredState } from "../../core/state/lock-store.js";
import { GitObjectsError } from "../../git/git-process.js";
import { lazy } from "../../json/once.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import { runGit } from "../../git/run-git.js";
import { LockFile, versionOf } from "../local/lock-file.js";
import { asStore } from "../local/git-failure.js";
import { MachineMemory } from "../local/machine-memory.js";
import { readText } from "../local/read-text.js";
import { writtenAt, type KeptVersion } from "../medium/medium-store.js";
import { copiesBeside, copiesOfGone, pathFrom, type LockCopy } from "./lock-copies.js";
import type { TreeHolder } from "./tree-holder.js";
import { headsOf, readBranches, readLockHistory } from "./lock-history.js";

/** Gives the second name of the journal, beside the copy of its lock. */
export function journalCopyOf(copyFile: string): string {
  return `${copyFile}.journal`;
}

/** The lock file, and the copy of it that this machine keeps of its last write. */
interface LockPlace {
  readonly directory: string;
  /** The lock's path in that folder. */
  readonly lockName: string;
  /** Absolute. */
  readonly lockFile: string;
  readonly copy: LockCopy;
  readonly holder: TreeHolder;
}

/** The versions of a lock file that git's history and this machine have. */
export class FileMemory extends MachineMemory {
  constructor(private readonly place: LockPlace) {
    super(place.copy.file, place.copy.name);
  }

  /** Keeps where an apply begins, for its journal goes on from there. */
  begin(): void {
    const { lock } = new LockFile(this.place.lockFile, this.place.lockName).read();
    if (lock !== null && unlessFailing(() => this.written().lock) !== lock) this.keep(lock);
  }

  override async others(
    known: readonly string[],
    present: string | null,
    written: Pick<StoredState, "lock" | "version">,
  ): ReturnType<LockMemory["others"]> {
    const { directory, lockName } = this.place;
    const { states } = await super.others(known, present, written);
    const here = [...states, ...this.#journalGone(written)];
    const gone = copiesOfGone(
      directory,
      lockName,
      lazy(() => this.#marks()[0] ?? ""),
    );
    const marks = await asStore(headsOf(directory));
    if (marks.every((mark) => known.includes(mark)))
      return { states: [...here, ...gone], marks, isCut: false };
    const { states: past, isCut, isWhole } = await asStore(this.#history(marks, known, present));
    const committed = past.map((state) => ({ ...state, where: `commit ${state.where.slice(0, 10)}` }));
    return { states: [...here, ...committed, ...gone], marks: isWhole ? marks : [], isCut };
  }

  // Git takes the journal of an apply that died for any other file that it does not track, and `git clean` removes it.
  #journalGone({ lock }: Pick<StoredState, "lock">): OtherState[] {
    const { directory, lockFile, copy } = this.place;
    if (!copy.isInGit || existsSync(`${lockFile}.journal`)) return [];
    const file = journalCopyOf(copy.file);
    const journal = unlessFailing(() => readText(file, "the copy of the journal")) ?? null;
    const where = "the journal of the last apply of this machine";
    return journal === null ? [] : [{ lock, journal, where, copyName: pathFrom(directory, file) }];
  }

  override async branches(which: Branches): Promise<readonly OtherState[]> {
    const { directory, lockName, holder } = this.place;
    if (which === "beside") {
      const states = copiesBeside(directory, lockName, this.#marks()[0]);
      // While one of them holds the state, nobody else takes it, and its journal is not one that was left behind.
      return holder.readBeside() === null ? states : states.filter(({ journal }) => journal === null);
    }
    return await asStore(readBranches(directory, lockName, which, this.#marks));
  }

  // Where nothing is here, what cannot be read may be all that was applied.
  async #history(marks: readonly string[], known: readonly string[], present: string | null) {
    try {
      return await readLockHistory(this.place.directory, this.place.lockName, marks, known, this.#marks);
    } catch (thrown) {
      if (present === null || !(thrown instanceof GitObjectsError)) throw thrown;
      return { states: [], isCut: true, isWhole: false };
    }
  }

  readonly #marks = () => lineageMarks(new LockFile(this.place.lockFile, this.place.lockName).read().lock);

  /** Gives the present version, and those that the commits under HEAD have. */
  async versions(): Promise<KeptVersion[]> {
    const [all, now] = [await asStore(this.#committed()), this.#present()];
    // Two branches may both have written a version with this serial.
    const same = now && all.find(({ version, serial }) => serial === now.serial && version === now.version);
    if (now) all.unshift(same ?? now);
    const seen = new Set<string | null>();
    const distinct = all.filter(({ version }) => !seen.has(version) && seen.add(version));
    return distinct.toSorted((a, b) => b.serial - a.serial);
  }

  #present(): FileVersion | undefined {
    const { lockFile, lockName } = this.place;
    const { lock } = new LockFile(lockFile, lockName).read();
    const changed = lstatSync(lockFile, { throwIfNoEntry: false })?.mtime;
    return lock === null || changed === undefined
      ? undefined
      : versionIn(lock, { at: changed.toISOString() });
  }

  async #committed(): Promise<FileVersion[]> {
    const { directory, lockName } = this.place;
    const heads = await headsOf(directory);
    if (heads.length === 0) return [];
    const { states } = await readLockHistory(directory, lockName, heads);
    const authors = await authorsOf(
      directory,
      states.map(({ where }) => where),
    );
    return states.flatMap(({ where, lock }) => {
      const author = authors.get(where);
      return (lock !== null && author && versionIn(lock, author)) || [];
    });
  }
}

type FileVersion = KeptVersion & Pick<StoredState, "version">;
type Author = Pick<KeptVersion, "at" | "who">;

function versionIn(lock: string, author: Author): FileVersion | undefined {
  const serial = serialIn(lock);
  return serial === undefined
    ? undefined
    : { serial, ...author, version: versionOf(lock), text: async () => lock };
}

async function authorsOf(directory: string, commits: readonly string[]): Promise<Map<string, Author>> {
  const authors = new Map<string, Author>();
  if (commits.length === 0) return authors;
  const args = ["rev-list", "--no-walk=unsorted", "--format=%ct %an", "--stdin"];
  const listed = await runGit(directory, args, { stdin: commits.join("\n") });
  for (const [, commit = "", at = "", name] of listed.matchAll(/^commit ([0-9a-f]+)\n(\d*) (.*)$/gm)) {
    authors.set(commit, {
      at: writtenAt(Number.parseInt(at, 10) * 1000),
      who: `${name}, commit ${commit.slice(0, 10)}`,
    });
  }
  return authors;
}
