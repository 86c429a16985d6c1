import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../../disk/error-code.js";
import { FileText } from "../../store/local/file-text.js";
import { UsageError } from "../exit-code.js";

const mostBytes = 256 * 1024 * 1024;

/**
 * Reads a file that the user names, such as one with variables; `what` is its name in messages.
 * @throws UsageError if it cannot be read, is a device, or is larger than 256 MB
 */
export function readUserFile(what: string, file: string, cwd: string): string {
  const text = openUserFile(what, file, cwd);
  if (typeof text === "string") return text;
  throw new UsageError(`${what} is larger than 256 MB`);
}

/**
 * Opens such a file, such as a saved plan, which contains whole documents: one that is larger stays on the disk.
 * @throws UsageError if it cannot be read, or is a device
 */
export function openUserFile(what: string, file: string, cwd: string): string | FileText {
  const path = resolve(cwd, file);
  try {
    const stat = statSync(path);
    // Reading a device may never end.
    if (stat.isCharacterDevice() || stat.isBlockDevice()) throw new UsageError(`${what} is a device`);
    return stat.isFile() && stat.size > mostBytes ? FileText.open(path) : readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const code = errorCode(cause);
    throw new UsageError(`${what} cannot be read (${code})`);
  }
}
