import { countKeys, depthLimit, emptyTable, isObject } from "../../json/json.js";
import { repeatsKey } from "../../json/json-text.js";
import { parseJson } from "../../json/parse-json.js";
import { say, type Sentence } from "../finding/said.js";
import { isKeptId } from "../kind/id.js";
import { kindOfText } from "../kind/kinds.js";
import type { LockEntry } from "../state/lock.js";
import { idsFormat, type WorkspaceIds } from "./application-ids.js";

/** The IDs of a file as lock entries, and whose they are. */
export interface ParsedIds extends Pick<WorkspaceIds, "environment"> {
  /** Undefined where the file names none. */
  readonly workspace?: string;
  readonly entries: Record<string, LockEntry>;
}

/** Parses a file that `agentform output --format json` wrote; or says what is wrong with it. */
export function parseIds(
  text: string,
): ({ readonly ok: true } & ParsedIds) | { readonly ok: false; readonly wrong: Sentence } {
  const { value } = parseJson(text);
  if (value === undefined) return { ok: false, wrong: "it is not valid JSON" };
  if (!isObject(value) || value["format"] !== idsFormat) {
    return { ok: false, wrong: say`it does not have the format ${{ format: idsFormat }}` };
  }
  const { workspace, environment = null, ids } = value;
  const keys = countKeys(value, depthLimit);
  if (Number.isNaN(keys)) return { ok: false, wrong: "it is nested too deeply" };
  if (repeatsKey(text, keys)) return { ok: false, wrong: "it has a duplicate key" };
  if (!isObject(ids)) return { ok: false, wrong: "it has no `ids`" };
  if (environment !== null && typeof environment !== "string")
    return { ok: false, wrong: "its `environment` is not a name" };
  const entries = emptyTable<LockEntry>();
  const tools = emptyTable<Record<string, string>>();
  for (const [address, id] of Object.entries(ids)) {
    const kind = kindOfText(address);
    const slash = address.indexOf("/");
    if (!kind || typeof id !== "string" || !isKeptId(id) || (kind.operations && slash === -1)) {
      return { ok: false, wrong: say`its ID of ${{ address }} is not a valid ID` };
    }
    if (!kind.operations) {
      entries[address] = { id, body: {}, digest: "" };
      continue;
    }
    const set = address.slice(0, slash);
    const known = (tools[set] ??= emptyTable());
    known[address.slice(slash + 1)] = id;
    entries[set] ??= { tools: known, body: {}, digest: "" };
  }
  return { ok: true, ...(typeof workspace === "string" && { workspace }), environment, entries };
}
