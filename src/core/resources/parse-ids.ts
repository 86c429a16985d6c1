import { emptyTable, isObject, type Json } from "../../json/json.js";
import { repeatsKey } from "../../json/json-text.js";
import { parseJson } from "../../json/parse-json.js";
import { say, type Sentence } from "../finding/said.js";
import { isId } from "../kind/id.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { LockEntry } from "../state/lock.js";
import { idsFormat, type WorkspaceIds } from "./application-ids.js";

/** The IDs of a file as lock entries, and whose they are. */
export interface ParsedIds extends Pick<WorkspaceIds, "environment"> {
  /** Undefined where the file names none. */
  readonly workspace?: string;
  readonly entries: Record<string, LockEntry>;
}

/** Parses a file that `agentform output --format json` wrote; or says what is wrong with it. */
export function parseIds(text: string): ParsedIds | { readonly wrong: Sentence } {
  const { value } = parseJson(text);
  if (value === undefined) return { wrong: "it is not valid JSON" };
  if (!isObject(value) || value["format"] !== idsFormat) {
    return { wrong: say`it has not the format ${{ format: idsFormat }}` };
  }
  const { workspace, environment = null, ids } = value;
  if (repeatsKey(text, value)) return { wrong: "it has a duplicate key" };
  if (!isObject(ids)) return { wrong: "it has no `ids`" };
  if (environment !== null && typeof environment !== "string")
    return { wrong: "its `environment` is no name" };
  const entries = emptyTable<LockEntry>();
  for (const [address, id] of Object.entries(ids)) {
    const added = entryWith(entries, address, id);
    if (!added) return { wrong: say`its ID of ${{ address }} is none` };
    const [at, entry] = added;
    entries[at] = entry;
  }
  return { ...(typeof workspace === "string" && { workspace }), environment, entries };
}

function entryWith(
  entries: Readonly<Record<string, LockEntry>>,
  address: string,
  id: Json,
): [string, LockEntry] | undefined {
  const kind = kindOfAddress(address);
  if (!kind || typeof id !== "string" || !isId(id)) return undefined;
  const slash = address.indexOf("/");
  if (!kind.operations) return [address, { id, body: {}, digest: "" }];
  if (slash === -1) return undefined;
  const set = address.slice(0, slash);
  const tools = { ...entries[set]?.tools, [address.slice(slash + 1)]: id };
  return [set, { tools, body: {}, digest: "" }];
}
