import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../../disk/error-code.js";
import { UsageError } from "../exit-code.js";

// A saved plan contains whole documents, so it may be larger than any of them.
const mostBytes = 256 * 1024 * 1024;

/**
 * Reads a file that the user names, such as a saved plan; `what` is its name in messages.
 * @throws UsageError if it cannot be read, is a device, or is larger than 256 MB
 */
export function readUserFile(what: string, file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    const stat = statSync(path);
    // Reading a device may never end.
    if (stat.isCharacterDevice() || stat.isBlockDevice()) throw new UsageError(`${what} is a device`);
    if (stat.isFile() && stat.size > mostBytes) throw new UsageError(`${what} is larger than 256 MB`);
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const code = errorCode(cause);
    throw new UsageError(`${what} cannot be read (${code})`);
  }
}
