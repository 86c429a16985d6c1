import type { Fix } from "../core/finding/said.js";
import { kindOfAddress } from "../core/kind/kinds.js";
import { environmentName } from "../core/resources/environment-name.js";
import { WrittenText } from "../core/position/written-text.js";
import { type Json, isObject, listOf } from "../json/json.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import type { TextPlace } from "./find-names.js";
import { type OfferedChange, documentOf, marked } from "./lifecycle-changes.js";

/** Gives the marks in `lifecycle` that plans propose so that a resource keeps its object; lines from 1. */
export async function proposedMarks(
  workspace: EditedWorkspace,
  file: string,
  line: number,
): Promise<OfferedChange[]> {
  const plans = await workspace.plans();
  const text = workspace.texts().read(file);
  if (text === undefined) return [];
  const found = new Map<string, OfferedChange>();
  for (const { environment, diagnostics } of plans) {
    // The IDs of one environment are wrong in the others.
    const of = plans.length > 1 ? environmentName(environment) : environment;
    for (const each of diagnostics) {
      const marks = each.fixes?.filter(({ type }) => type === "mark") ?? [];
      if (each.file !== file || each.line !== line) continue;
      const range = new WrittenText(text).heads().find(({ address }) => address === each.address)?.nameRange;
      for (const fix of marks) {
        const mark = range && markOf(fix, each.address, { file, text, range }, of);
        if (mark) found.set(mark.title, mark);
      }
    }
  }
  return [...found.values()];
}

function markOf(
  { field, values = [] }: Fix,
  address = "",
  name: TextPlace,
  environment: string | null,
): OfferedChange | undefined {
  const place = documentOf(name);
  if (!place) return undefined;
  const { lifecycle } = place;
  if (field === "moved_from") {
    const [from] = values;
    const value = from === undefined ? undefined : withAddress(lifecycle?.["moved_from"], from);
    const change = value === undefined ? undefined : marked(place, "moved_from", value);
    return change && { title: `It was ${from}: write moved_from, so that it keeps its ID`, change };
  }
  const isSet = kindOfAddress(address).operations !== undefined;
  const ids = isSet ? [...values] : (values[0] ?? "");
  const shown = isSet ? `[${values.map((id) => JSON.stringify(id)).join(", ")}]` : values[0];
  const adopt = withIds(lifecycle?.["adopt"], environment, ids);
  const change = adopt === undefined ? undefined : marked(place, "adopt", adopt);
  const where = environment === null ? "" : ` in ${environment}`;
  return change && { title: `Take over what exists${where}: write adopt: ${shown}`, change };
}

/** Gives an `adopt` with the IDs of an environment; undefined if it has some already. */
function withIds(known: Json | undefined, environment: string | null, ids: Json): Json | undefined {
  const isKnown = known !== undefined && known !== null;
  if (environment === null) return isKnown ? undefined : ids;
  if (!isKnown) return { [environment]: ids };
  return isObject(known) && !Object.hasOwn(known, environment) ? { ...known, [environment]: ids } : undefined;
}

/** Gives a `moved_from` with one more address; undefined if it has a form that is not known. */
export function withAddress(known: Json | undefined, address: string): Json | undefined {
  const addresses = addressesIn(known);
  if (!addresses) return undefined;
  if (addresses.includes(address)) return known;
  return addresses.length === 0 && !Array.isArray(known) ? address : [address, ...addresses];
}

/** Gives the addresses of a `moved_from`; undefined if it has a form that is not known. */
function addressesIn(known: Json | undefined): readonly string[] | undefined {
  const list = listOf(known);
  return list.every((each) => typeof each === "string") ? list : undefined;
}

/** Gives a `moved_from` without an address; undefined if it was the only one. */
export function withoutAddress(known: Json | undefined, address: string): Json | undefined {
  const addresses = addressesIn(known);
  if (!addresses?.includes(address)) return known;
  const kept = addresses.filter((each) => each !== address);
  return kept.length === 0 ? undefined : kept;
}
