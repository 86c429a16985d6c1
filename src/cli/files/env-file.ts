import { parseEnv } from "node:util";
import { readUserFile } from "./user-file.js";

/** Reads a file of environment variables, in the format of Node's `--env-file`. */
export function readEnvFile(file: string, cwd: string): NodeJS.ProcessEnv {
  return parseEnv(readUserFile(`--env-file ${file}`, file, cwd)) as NodeJS.ProcessEnv;
}
