/** What a file system says of a file, with times in milliseconds. */
export type FileStamp = Readonly<Record<(typeof stamped)[number], number>>;

const stamped = ["dev", "ino", "size", "mtimeMs", "ctimeMs"] as const;

// Two changes within one tick of a file system's clock look the same; the coarsest clocks tick every two seconds.
const settledAfter = 2000;

interface KeptDigest {
  /** Empty if the file may change without a sign of it. */
  readonly stamp: readonly number[];
  readonly digest: string;
  /** The last that found the file so. */
  look: number;
}

/** The digests of files by what the file system says of them, so that an unchanged file is not read again. */
export class KeptDigests {
  readonly #known = new Map<string, KeptDigest>();
  #looks = 0;

  /** Begins a look at the files, and gives its number: it sees each of them as it first found it. */
  begin(): number {
    return ++this.#looks;
  }

  /** Gives the digest of a file that this look has found already. */
  found(file: string, look: number): string | undefined {
    const known = this.#known.get(file);
    return known?.look === look ? known.digest : undefined;
  }

  /** Gives the digest of a file that is as it was when it was read. */
  get(file: string, stat: FileStamp, look: number): string | undefined {
    const known = this.#known.get(file);
    const isSame = known && stamped.every((each, index) => stat[each] === known.stamp[index]);
    if (!isSame) return undefined;
    known.look = look;
    return known.digest;
  }

  /** Keeps the digest of a file that was read after `stat`, at `now` in milliseconds; for this look alone, if it had not settled by then. */
  keep(file: string, stat: FileStamp, digest: string, look: number, now: number): void {
    const isSettled = now - stat.ctimeMs >= settledAfter;
    this.#known.set(file, { stamp: isSettled ? stamped.map((each) => stat[each]) : [], digest, look });
  }
}
