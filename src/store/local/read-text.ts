import { bare, say } from "../../core/finding/said.js";
import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { codeOf, naming } from "./failure.js";

// V8 has no text of more than 536 million characters.
const mostBytes = 500_000_000;

/** Reads a file's text, of at most so many bytes; null if there is none. Throws StoreFailedError with the name for messages. */
export function readText(file: string, name: string, most = mostBytes): string | null {
  return readHashed(file, name, most)?.text ?? null;
}

/** A text, and the SHA-256 of its bytes in hexadecimal digits. */
interface HashedText {
  readonly text: string;
  readonly digest: string;
}

/** Does the same, and gives the digest as well. */
export function readHashed(file: string, name: string, most = mostBytes): HashedText | null {
  return naming(name, () => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    // Reading a device may never end, and a pipe may never begin; a folder gives its error when it is read.
    if (stat && !stat.isFile() && !stat.isDirectory()) {
      throw new StoreFailedError(
        say`${bare({ lock: name })} is not a file`,
        "look at what is there, and move it away",
      );
    }
    if (stat !== undefined && stat.size > most)
      throw new StoreFailedError(
        tooLarge(name, stat.size, most),
        "look at what is in it: no state of agentform is that large",
      );
    try {
      return stat === undefined ? null : readParts(file);
    } catch (thrown) {
      if (codeOf(thrown) === "ENOENT") return null;
      throw thrown;
    }
  });
}

// Of a lock of 20 MB there would be three copies at once, if it was read as a whole and then hashed as a text.
function readParts(file: string): HashedText {
  const fd = openSync(file, "r");
  try {
    const [part, digest, decoder] = [
      Buffer.allocUnsafeSlow(1 << 18),
      createHash("sha256"),
      new StringDecoder("utf8"),
    ];
    let text = "";
    for (let count: number; (count = readSync(fd, part)) > 0;) {
      const bytes = part.subarray(0, count);
      digest.update(bytes);
      text += decoder.write(bytes);
    }
    return { text: text + decoder.end(), digest: digest.digest("hex") };
  } finally {
    closeSync(fd);
  }
}

function tooLarge(name: string, bytes: number, most: number): string {
  const [size, limit] = [bytes, most].map((each) => Math.ceil(each / 1_000_000));
  return `${name} has ${size} MB, and no more than ${limit} MB can be read`;
}
