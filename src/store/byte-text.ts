import type { LockText } from "../core/lock-text.js";

/** A text in UTF-8 that is decoded part by part; its offsets are bytes. */
export class ByteText implements LockText {
  constructor(private readonly bytes: Buffer) {}

  get length(): number {
    return this.bytes.length;
  }

  indexOf(part: string, from: number): number {
    return this.bytes.indexOf(part, from);
  }

  startsWith(part: string, at: number): boolean {
    return this.bytes.toString("utf8", at, at + Buffer.byteLength(part)) === part;
  }

  slice(from: number, to: number): string {
    return this.bytes.toString("utf8", from, to);
  }
}
