import { fstatSync, writeSync } from "node:fs";
import { errorCode } from "../../disk/error-code.js";

/** Standard output or standard error of this process. */
export interface StandardOutput {
  write(text: string): void;
  /** Why something was not written; undefined while all was, or if its reader went away, which is no failure. */
  failure(): string | undefined;
}

type WriteStream = NodeJS.WriteStream & { readonly fd: number };

/** Opens a stream of this process for what a command writes. */
export function standardOutput(stream: WriteStream): StandardOutput {
  let isOpen = true;
  let failure: string | undefined;
  const fail = (cause: unknown): void => {
    isOpen = false;
    const code = errorCode(cause);
    if (code !== "EPIPE") failure ??= code;
  };
  stream.on("error", fail);
  const isSynchronous = isFile(stream);
  return {
    write(text) {
      if (!isOpen) return;
      if (!isSynchronous) return void stream.write(text);
      try {
        writeWhole(stream.fd, text);
      } catch (cause) {
        fail(cause);
      }
    },
    failure: () => failure,
  };
}

// Node writes to a file once, and takes what a full disk cut for written.
function isFile({ fd, isTTY }: WriteStream): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || (stats.isCharacterDevice() && !isTTY);
  } catch {
    return false;
  }
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset);
}
