import { say } from "../core/finding/said.js";
import { isUtf8 } from "node:buffer";
import type { ReadProblem } from "../core/expression/included-data.js";

/** Decodes a file's bytes: UTF-8 without NUL; a BOM is dropped. */
export function decode(file: string, content: Uint8Array): { readonly text: string } | ReadProblem {
  const bytes = Buffer.isBuffer(content)
    ? content
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const misencoded = checkEncoding(file, bytes);
  if (misencoded) return misencoded;
  const text = bytes.toString("utf8");
  return { text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
}

function checkEncoding(file: string, bytes: Buffer): ReadProblem | undefined {
  const zero = bytes.indexOf(0);
  if (zero !== -1) {
    const message = say`${{ file }} contains a NUL character in line ${{ line: lineAt(bytes, zero) }}`;
    return { code: "file-encoding", message, hint: "save it as UTF-8; a file in UTF-16 is full of these" };
  }
  if (isUtf8(bytes)) return undefined;
  const message = say`${{ file }} is not UTF-8 in line ${{ line: firstBrokenLine(bytes) }}`;
  return { code: "file-encoding", message, hint: "save it as UTF-8" };
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at !== -1 && at < offset; at = bytes.indexOf(10, at + 1)) line++;
  return line;
}

// A line break is never part of a longer character, so each line can be decoded on its own.
function firstBrokenLine(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const to = bytes.indexOf(10, from);
    const end = to === -1 ? bytes.length : to;
    if (!isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
  return line;
}
