import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Diagnostic } from "../../src/core/finding/diagnostic.js";
import type { Json } from "../../src/json/json.js";
import { validate } from "../../src/sync/validate.js";
import { makePipe, needProgram } from "../harness/need.js";

/** Something in a workspace that git does not carry, or not faithfully. */
type Made = { readonly file: string } & (
  | { readonly text: string }
  | { readonly hex: string }
  | { readonly link: string }
  | { readonly fifo: true }
  | { readonly folder: true }
  | { readonly size: number }
  /** A text before, and another that is repeated. */
  | { readonly repeat: readonly [string, string, number] }
  /** Block mappings, each a space further in. */
  | { readonly ladder: number }
);

interface Options {
  readonly environment?: string;
  readonly variables?: { readonly [name: string]: Json };
}

const folder = fileURLToPath(new URL("../fixtures/validate", import.meta.url));

/** The names of all fixtures. */
export const fixtures: readonly string[] = readdirSync(folder).toSorted();

/** The file of a fixture that holds what is expected. */
export function expectedFile(name: string): string {
  return join(folder, name, "expected.json");
}

/** Validates a copy of a fixture's workspace; with a cache twice, so that the cache knows all of it. */
export async function validateFixture(name: string, cacheFolder?: string): Promise<readonly Diagnostic[]> {
  const directory = mkdtempSync(join(tmpdir(), "agentform-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(join(folder, name, "workspace"), directory, { recursive: true, dereference: false });
  for (const made of readJson<Made[]>(name, "make.json") ?? []) make(directory, made);
  const { environment = null, variables = {} } = readJson<Options>(name, "options.json") ?? {};
  const workspace = { directory, environment, variables: new Map(Object.entries(variables)) };
  if (cacheFolder === undefined) return await validate(workspace);
  await validate({ ...workspace, cacheFolder });
  return await validate({ ...workspace, cacheFolder });
}

function readJson<T>(name: string, file: string): T | undefined {
  const path = join(folder, name, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : undefined;
}

function make(directory: string, made: Made): void {
  // Such a fixture expects what git says of the folder.
  if (made.file === ".git") needProgram("git");
  const path = join(directory, made.file);
  mkdirSync(dirname(path), { recursive: true });
  if ("text" in made) writeFileSync(path, made.text);
  else if ("hex" in made) writeFileSync(path, Buffer.from(made.hex, "hex"));
  else if ("link" in made) symlinkSync(made.link, path);
  else if ("fifo" in made) makePipe(path);
  else if ("folder" in made) mkdirSync(path);
  else if ("repeat" in made) writeFileSync(path, made.repeat[0] + made.repeat[1].repeat(made.repeat[2]));
  else if ("ladder" in made) writeFileSync(path, ladder(made.ladder));
  else {
    writeFileSync(path, "");
    truncateSync(path, made.size);
  }
}

function ladder(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:\n`).join("");
}
