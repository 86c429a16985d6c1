import { join, resolve } from "node:path";
import { parseData } from "../../core/document/document.js";
import { otherSpellings } from "../../core/document/spelling.js";
import { equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import type { WorkspaceOptions } from "../../sync/request.js";
import { environmentSecrets, type SecretSource } from "../../service/secret.js";
import { countText } from "../../render/words/count-text.js";
import type { CommonOptions } from "../command.js";
import { printDetail } from "../output/detail.js";
import { UsageError } from "../exit-code.js";
import { wantsColor, type Terminal } from "../terminal/terminal.js";
import { readUserFile } from "../files/user-file.js";
import { usableCache } from "../../workspace/cache/cache-folder.js";
import { workspaceDirectory } from "./workspace-directory.js";

/** The part of a request that every command on a workspace has. */
export interface WorkspaceRequest extends WorkspaceOptions {
  readonly color: boolean;
  /** The environment variables of the store's credentials. */
  readonly secrets?: SecretSource;
  /** The names of the variables in each file of their values, by its whole path. */
  readonly variableFiles: ReadonlyMap<string, readonly string[]>;
}

/** Reads the options that every command has. */
export function readWorkspaceOptions(options: CommonOptions, terminal: Terminal): WorkspaceRequest {
  const { directory, said } = workspaceDirectory(options.workspace, terminal);
  if (said !== undefined) terminal.err(`note: ${said}\n`);
  const environment = options.environment ?? null;
  printDetail(`manifest ${join(directory, manifestFile)}, ${nameOf(environment)}`, terminal);
  const cache = options.cache === false ? undefined : usableCache(directory, terminal.env);
  // A pipe can be read only once.
  const files = (options.varFile ?? []).map((file) => ({
    file,
    values: readVariableFile(file, terminal.cwd),
  }));
  return {
    directory,
    environment,
    ...(cache !== undefined && { cacheFolder: cache }),
    variables: readVariables(
      options,
      files.map(({ values }) => values),
    ),
    variableFiles: new Map(
      files.map(({ file, values }) => [resolve(terminal.cwd, file), Object.keys(values)]),
    ),
    color: wantsColor(options.color, terminal),
    secrets: environmentSecrets(terminal.env),
    onIgnored: (codes, of) => {
      const names = [...new Set(codes)].toSorted().join(", ");
      printDetail(`ignored ${countText(codes.length, "warning")} of ${nameOf(of)}: ${names}`, terminal);
    },
  };
}

function nameOf(environment: string | null): string {
  return environment === null ? "the default environment" : `environment ${environment}`;
}

function readVariables({ var: given = [] }: CommonOptions, files: readonly JsonObject[]): Map<string, Json> {
  const typedHere = new Map<string, Json>();
  for (const each of given) {
    const at = each.indexOf("=");
    if (at < 1) throw new UsageError(`--var must be NAME=VALUE, not \`${each}\``);
    const [name, value] = [each.slice(0, at), typed(each.slice(at + 1))];
    if (!equal(typedHere.get(name) ?? value, value))
      throw new UsageError(`--var gives \`${name}\` twice, with different values`);
    typedHere.set(name, value);
  }
  return new Map([...files.flatMap((values) => Object.entries(values)), ...typedHere]);
}

// A value gets the type that it would have in the manifest: `0.2` is a number, `"0.2"` a text.
function typed(text: string): Json {
  const { value, findings } = parseData("--var", text);
  if (findings.length > 0 || value === null || typeof value === "object") return text;
  refuseSpelling("--var", otherSpellings(text)(0, []), value);
  return value;
}

function readVariableFile(file: string, cwd: string): JsonObject {
  const text = readUserFile(`--var-file ${file}`, file, cwd);
  const { value, findings } = parseData(file, text);
  if (findings.length > 0 || !isObject(value)) {
    throw new UsageError(`--var-file ${file} must be a mapping of names to values`);
  }
  const spellings = otherSpellings(text);
  for (const [name, each] of Object.entries(value))
    refuseSpelling(`--var-file ${file}, ${name}`, spellings(0, [name]), each);
  return value;
}

// Where it is used is not known yet, and a text would get another one.
function refuseSpelling(where: string, source: string | undefined, value: Json): void {
  if (source === undefined) return;
  const meant = String(value);
  throw new UsageError(
    `${where}: ${source} is ${meant}: write ${meant}, or "${source}" in quotes for a text`,
  );
}
