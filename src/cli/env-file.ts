import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { UsageError } from "./exit-code.js";

/** Reads a file of environment variables in the form that Node itself reads. */
export function readEnvFile(file: string, cwd: string): NodeJS.ProcessEnv {
  try {
    return parseEnv(readFileSync(resolve(cwd, file), "utf8")) as NodeJS.ProcessEnv;
  } catch (cause) {
    throw new UsageError(
      `--env-file ${file} cannot be read (${(cause as NodeJS.ErrnoException).code ?? "error"})`,
    );
  }
}
