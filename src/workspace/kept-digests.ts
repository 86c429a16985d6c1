/** What a file system says of a file, with times in milliseconds. */
export type FileStamp = Readonly<Record<(typeof stamped)[number], number>>;

const stamped = ["dev", "ino", "size", "mtimeMs", "ctimeMs"] as const;

// Two changes within one tick of a file system's clock look the same; the coarsest clocks tick every two seconds.
const settledAfter = 2000;

/** The digests of files by what the file system says of them, so that an unchanged file is not read again. */
export class KeptDigests {
  readonly #known = new Map<string, { readonly stamp: readonly number[]; readonly digest: string }>();

  /** Gives the digest of a file that is as it was when it was read. */
  get(file: string, stat: FileStamp): string | undefined {
    const known = this.#known.get(file);
    const isSame = known && stamped.every((each, index) => stat[each] === known.stamp[index]);
    return isSame ? known.digest : undefined;
  }

  /** Keeps the digest of a file that was read after `stat`, at `now` in milliseconds, if it had settled by then. */
  keep(file: string, stat: FileStamp, digest: string, now: number): void {
    if (now - stat.ctimeMs < settledAfter) this.#known.delete(file);
    else this.#known.set(file, { stamp: stamped.map((each) => stat[each]), digest });
  }
}
