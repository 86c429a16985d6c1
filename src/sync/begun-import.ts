import { lstatSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type Json } from "../json/json.js";
import { parseJson } from "../json/parse-json.js";
import { createDurably } from "../store/local/durable-file.js";
import { naming } from "../store/local/failure.js";
import { makeLocalFolder } from "../store/local/local-folder.js";
import type { PlanRequest } from "./request.js";

/** Reads what an import that did not end was writing: the first ID of each object by its address. */
export function readBegun(request: PlanRequest): ReadonlyMap<string, string> {
  const value = read(fileOf(request));
  return new Map(Object.entries(isObject(value) ? value : {}).map(([address, id]) => [address, String(id)]));
}

/** Notes what an import is about to write, durably; the store must be held. @throws StoreFailedError */
export function noteBegun(request: PlanRequest, ids: ReadonlyMap<string, string>): void {
  naming(nameOf(request), () => {
    const file = fileOf(request);
    makeLocalFolder(dirname(file));
    rmSync(file, { force: true });
    createDurably(file, `${JSON.stringify(Object.fromEntries(ids), null, 2)}\n`);
  });
}

/** Removes the note of an import that has ended. @throws StoreFailedError */
export function forgetBegun(request: PlanRequest): void {
  naming(nameOf(request), () => rmSync(fileOf(request), { force: true }));
}

// It only tells apart what is equal, so nothing is lost without it.
function read(file: string): Json | undefined {
  try {
    if (!lstatSync(file).isFile()) return undefined;
    return parseJson(readFileSync(file, "utf8")).value;
  } catch {
    return undefined;
  }
}

function fileOf(request: PlanRequest): string {
  return join(request.directory, nameOf(request));
}

function nameOf({ environment }: PlanRequest): string {
  return `.agentform/${environment ?? "default"}.import`;
}
