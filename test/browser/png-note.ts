import { crc32 } from "node:zlib";

// A PNG is a signature of 8 bytes and chunks: length, type, data, CRC-32. The first one, IHDR, has 13 bytes of data.
const afterHead = 8 + 12 + 13;
const keyword = "Comment\0";

/** Gives a PNG with a note in Latin letters, which no viewer shows. */
export function withNote(png: Buffer, note: string): Buffer {
  const body = Buffer.from(`tEXt${keyword}${note}`, "latin1");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, afterHead), length, body, checksum, png.subarray(afterHead)]);
}

/** Gives the note that `withNote` put into a PNG; undefined if there is none. */
export function readNote(png: Buffer): string | undefined {
  const head = `tEXt${keyword}`;
  if (png.toString("latin1", afterHead + 4, afterHead + 4 + head.length) !== head) return undefined;
  const end = afterHead + 8 + png.readUInt32BE(afterHead);
  return png.toString("latin1", afterHead + 4 + head.length, end);
}
