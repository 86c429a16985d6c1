import type { Finding } from "../finding/diagnostic.js";
import { equal } from "../../json/json.js";
import { kindOfAddress } from "../kind/kinds.js";
import { problem } from "./lock-edit-check.js";
import { didYouMean } from "../finding/nearest.js";
import { readTools } from "../plan/tool-ids.js";
import { heldAt, record, type Edited, type Editing } from "./edited.js";

/** States which ID is which tool. */
export function mapTools(
  address: string,
  pairs: readonly string[],
  { lock, resources }: Editing,
): Edited | Finding {
  const at = heldAt(address, resources, lock.resources);
  const entry = lock.resources[at];
  if (!entry) {
    const hint =
      didYouMean(address, Object.keys(lock.resources)) ?? "`agentform lock list` lists the managed resources";
    return problem("option-unknown-address", address, "is not in the lock", hint);
  }
  const { ids } = entry;
  const operations = kindOfAddress(at)?.operations?.(entry.body);
  if (!operations || !ids) return problem("adopt-invalid", address, "is one object and has no tools to map");
  const fail = (message: string) =>
    problem("adopt-invalid", address, message, `use OPERATION=ID; its IDs are ${ids.join(", ")}`);
  const given = readTools(pairs, operations, fail);
  if ("code" in given) return given;
  const stranger = given.ids.find((id) => !ids.includes(id));
  if (stranger !== undefined) return fail(`\`${stranger}\` is not one of its IDs`);
  const tools = { ...entry.tools, ...given.tools };
  const named = Object.values(tools);
  if (new Set(named).size < named.length) return fail("two operations have the same ID");
  const text = Object.entries(given.tools).map(([operation, id]) => `${operation} is ${id}`);
  if (equal(tools, entry.tools)) return { text: `${text.join(", ")} already`, records: [] };
  return record(at, { ...entry, tools }, text.join(", "));
}
