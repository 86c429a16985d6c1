import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { errorCode } from "../../disk/error-code.js";
import { UsageError } from "../exit-code.js";
import { isDevice } from "./user-file.js";

/**
 * Checks that a file of certificates can be read, before the user is asked anything.
 * @throws UsageError if it cannot be read
 */
export async function checkCaFile(file: string, cwd: string): Promise<readonly Diagnostic[]> {
  const path = checkReadable(file, cwd);
  const [{ checkCertificateFile }, { locate }] = await Promise.all([
    import("../../service/certificates.js"),
    import("../../core/position/position.js"),
  ]);
  return locate(checkCertificateFile(path, file), () => undefined);
}

/**
 * Gives the absolute path of a file of certificates.
 * @throws UsageError if it cannot be read
 */
export function checkReadable(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    accessSync(path, constants.R_OK);
    const stat = statSync(path);
    if (stat.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    if (isDevice(stat)) throw new UsageError(`--ca-file ${file} is a device`);
    return path;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`--ca-file ${file} cannot be read (${errorCode(cause)})`);
  }
}
