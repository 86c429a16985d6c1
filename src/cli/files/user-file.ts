import { accessSync, constants, readFileSync, statSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { errorCode } from "../../disk/error-code.js";
import { UsageError } from "../exit-code.js";

/** How many MB a file of variables may have, and one that agentform wrote, such as a saved plan. */
const mostOfUser = 256;
export const mostOfOwn = 500;

/** Reads a file that the user names, `what` in messages; throws UsageError also for a device, or over so many MB. */
export function readUserFile(what: string, file: string, cwd: string, most: number = mostOfUser): string {
  const path = resolve(cwd, file);
  try {
    const stat = statSync(path);
    if (isDevice(stat)) throw new UsageError(`${what} is a device`);
    if (stat.size > most * 1024 * 1024) throw new UsageError(`${what} is larger than ${most} MB`);
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw unread(what, cause);
  }
}

// Gives why it was not read, from what was thrown.
function unread(what: string, cause: unknown): UsageError {
  if (cause instanceof UsageError) return cause;
  const code = errorCode(cause);
  return new UsageError(code === "ENOENT" ? `${what} does not exist` : `${what} cannot be read (${code})`);
}

// It may be read without end.
function isDevice(stat: Stats): boolean {
  return stat.isCharacterDevice() || stat.isBlockDevice();
}

/** Checks that a file of certificates can be read, before the user is asked anything; throws UsageError if not. */
export async function checkCaFile(file: string, cwd: string): Promise<readonly Diagnostic[]> {
  const path = checkReadable(file, cwd);
  const [{ checkCertificateFile }, { locate }] = await Promise.all([
    import("../../service/certificates.js"),
    import("../../core/position/position.js"),
  ]);
  return locate(checkCertificateFile(path, file));
}

/** Gives the absolute path of a file of certificates; throws UsageError if it cannot be read. */
export function checkReadable(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    accessSync(path, constants.R_OK);
    const stat = statSync(path);
    if (stat.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    if (isDevice(stat)) throw new UsageError(`--ca-file ${file} is a device`);
    return path;
  } catch (cause) {
    throw unread(`--ca-file ${file}`, cause);
  }
}
