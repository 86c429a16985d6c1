/** What a file system says of a file, with times in nanoseconds. */
export interface FileStamp {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

// Two changes within one tick of a file system's clock look the same; the coarsest clocks tick every two seconds.
const settledAfter = 2_000_000_000n;

/** The digests of files by what the file system says of them, so that an unchanged file is not read again. */
export class KeptDigests {
  readonly #known = new Map<string, { readonly stamp: string; readonly digest: string }>();

  /** Gives the digest of a file that is as it was when it was read. */
  get(file: string, stat: FileStamp): string | undefined {
    const known = this.#known.get(file);
    return known?.stamp === stampOf(stat) ? known.digest : undefined;
  }

  /** Keeps the digest of a file that was read after `stat`, at `now` in milliseconds, if it had settled by then. */
  keep(file: string, stat: FileStamp, digest: string, now: number): void {
    if (BigInt(now) * 1_000_000n - stat.ctimeNs < settledAfter) this.#known.delete(file);
    else this.#known.set(file, { stamp: stampOf(stat), digest });
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: FileStamp): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
