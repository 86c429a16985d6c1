import type { Diagnostic } from "../core/finding/diagnostic.js";
import { WrittenText } from "../core/position/written-text.js";
import { isObject, type Json } from "../json/json.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import type { TextPlace } from "./find-names.js";
import { documentOf, lifecycleOf, marked, type TextChange } from "./lifecycle-changes.js";
import { withAddress } from "./moved-from.js";

/** A mark in `lifecycle` that a plan proposes, so that a resource keeps the object that it had. */
export interface ProposedMark {
  readonly title: string;
  readonly change: TextChange;
}

/** Gives the marks that plans propose for a document with a line, from 1. */
export async function proposedMarks(
  workspace: EditedWorkspace,
  file: string,
  line: number,
): Promise<ProposedMark[]> {
  const plans = await workspace.plans();
  const text = workspace.texts().read(file);
  if (text === undefined) return [];
  const found = new Map<string, ProposedMark>();
  for (const { environment, diagnostics } of plans) {
    for (const each of diagnostics) {
      if (each.file !== file || each.line !== line) continue;
      const range = new WrittenText(text).heads().find(({ address }) => address === each.address)?.nameRange;
      const mark = range && markOf(each, { file, text, range }, environment, plans.length > 1);
      if (mark) found.set(mark.title, mark);
    }
  }
  return [...found.values()];
}

function markOf(
  { code, message, hint = "" }: Diagnostic,
  name: TextPlace,
  environment: string | null,
  isOneOfSeveral: boolean,
): ProposedMark | undefined {
  const place = documentOf(name);
  const lifecycle = place && lifecycleOf(place);
  if (!place || lifecycle === "unknown") return undefined;
  if (code === "move-unmarked") {
    const from = /^`[^`]+` is new, and `([^`]+)`/.exec(message)?.[1];
    const value = from === undefined ? undefined : withAddress(lifecycle?.["moved_from"], from);
    const change = value === undefined ? undefined : marked(place, "moved_from", value);
    return change && { title: `It was ${from}: write moved_from, so that it keeps its ID`, change };
  }
  const ids = code === "retired-address" ? /`lifecycle: \{adopt: ([^`]+)\}`/.exec(hint)?.[1] : undefined;
  // The IDs of one environment are wrong in the others, and the default one has no name to give them for.
  if (ids === undefined || ids === "ID" || ids.includes("…")) return undefined;
  if (environment === null && isOneOfSeveral) return undefined;
  const adopt = withIds(lifecycle?.["adopt"], environment, idsIn(ids));
  const change = adopt === undefined ? undefined : marked(place, "adopt", adopt);
  const where = environment === null ? "" : ` in ${environment}`;
  return change && { title: `Take over what exists${where}: write adopt: ${ids}`, change };
}

// As the hint writes them: several as JSON, and one as it is, which YAML may read as a number.
function idsIn(text: string): Json {
  return text.startsWith("[") ? (JSON.parse(text) as Json) : text;
}

/** Gives an `adopt` with the IDs of an environment; undefined if it has some already. */
function withIds(known: Json | undefined, environment: string | null, ids: Json): Json | undefined {
  const isKnown = known !== undefined && known !== null;
  if (environment === null) return isKnown ? undefined : ids;
  if (!isKnown) return { [environment]: ids };
  return isObject(known) && !Object.hasOwn(known, environment) ? { ...known, [environment]: ids } : undefined;
}
