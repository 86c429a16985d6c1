import { isSound, type FileHead, type FileRecord, type FreshRecord } from "../core/resources/file-record.js";
import type { Pack, Remembered } from "./cache/pack.js";
import type { FileContent, Recorded, Recorder, Rests } from "./recorder.js";

/** What is kept of a file beside its texts. */
interface KeptHead {
  readonly head: FileHead;
  readonly rests: Rests;
}

/** The records that earlier runs made of the same files. */
export class RecordCache {
  constructor(
    private readonly pack: Pack,
    private readonly recorder: Recorder,
  ) {}

  /** Gives the record of a file with this content, if all else that it rests on is as it was, too. */
  get(file: string, { digest }: FileContent): FileRecord | undefined {
    const kept = this.pack.get(digest);
    if (!kept) return undefined;
    const { head, rests } = kept.head as KeptHead;
    if (head.file !== file || !this.recorder.isSame(head, rests)) return undefined;
    return this.#known(head, digest, kept);
  }

  /** Keeps a record for later runs, unless something is wrong with it. */
  keep({ digest, record: { head, texts }, rests }: Recorded): void {
    if (!isSound(head)) return;
    const kept: KeptHead = { head, rests };
    this.pack.keep(digest, kept, texts);
  }

  #known(head: FileHead, digest: string, kept: Remembered): FileRecord {
    let made: FreshRecord | undefined;
    return {
      head,
      text: (index) => kept.text(index) ?? (made ??= this.#remake(head.file, digest)).text(index),
    };
  }

  // For a text that the disk has lost since.
  #remake(file: string, digest: string): FreshRecord {
    const content = this.recorder.read(file);
    const made =
      "digest" in content && content.digest === digest ? this.recorder.record(file, content) : undefined;
    if (!made || !("record" in made)) throw new Error(`${file} was changed while it was read: run it again`);
    return made.record;
  }
}
