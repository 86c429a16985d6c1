import { lstatSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type Json } from "../json/json.js";
import { parseJson } from "../json/parse-json.js";
import { createDurably, draftOf, syncFolder } from "../disk/durable-file.js";
import { naming } from "../store/local/failure.js";
import { makeLocalFolder } from "../store/local/local-folder.js";
import { error, type Finding } from "../core/finding/diagnostic.js";
import { quoteFew } from "../core/finding/quotation.js";
import { bare, say } from "../core/finding/said.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import type { PlanRequest } from "./request.js";
import { unlessFailing } from "../disk/unless-failing.js";

/** Reads what an import that did not end was writing: the first ID of each object by its address. */
export function readUnfinished(request: PlanRequest): ReadonlyMap<string, string> {
  const value = unlessFailing(() => read(fileOf(request)));
  return new Map(Object.entries(isObject(value) ? value : {}).map(([address, id]) => [address, String(id)]));
}

/** Notes what an import is about to write, durably; the store must be held. @throws StoreFailedError */
export function noteUnfinished(request: PlanRequest, ids: ReadonlyMap<string, string>): void {
  naming(nameOf(request), () => {
    const file = fileOf(request);
    const draft = draftOf(file);
    makeLocalFolder(dirname(file));
    try {
      // The note of an earlier import stays until this one, which has all of it, takes its place.
      createDurably(draft, `${JSON.stringify(Object.fromEntries(ids), null, 2)}\n`);
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
    syncFolder(dirname(file));
  });
}

/** Removes the note of an import that has ended. @throws StoreFailedError */
export function forgetUnfinished(request: PlanRequest): void {
  naming(nameOf(request), () => rmSync(fileOf(request), { force: true }));
}

function read(file: string): Json | undefined {
  return lstatSync(file).isFile() ? parseJson(readFileSync(file, "utf8")).value : undefined;
}

/** Finds documents that an import wrote before it ended: the lock has not their objects yet, so each would be made again. */
export function checkUnfinished(
  { resources }: Pick<Fleet, "resources">,
  { resources: entries, unknown }: Lock,
  request: PlanRequest,
): Finding[] {
  const addresses = [...readUnfinished(request).keys()].filter((address) => {
    const isNew = resources.get(address)?.lifecycle.adopt === undefined && resources.has(address);
    return isNew && entries[address] === undefined && unknown[address] === undefined;
  });
  if (addresses.length === 0) return [];
  const which = bare({ addresses }, quoteFew(addresses));
  const message = say`the import that wrote ${which} has not ended: their objects exist, and would be created again`;
  const hint = say`run the same import again, which goes on; if these are to be new objects, delete ${bare({ file: nameOf(request) })}`;
  return [error("import-unfinished", undefined, message, hint)];
}

function fileOf(request: PlanRequest): string {
  return join(request.directory, nameOf(request));
}

function nameOf({ environment, options }: PlanRequest): string {
  return `.agentform/${environment ?? "default"}${options?.emulator ? ".emulator" : ""}.import`;
}
