import type { Checked, Refusal } from "../finding/checked.js";
import { bare, say, type Said, type Sentence } from "../finding/said.js";
import { firstOf, quote } from "../finding/quotation.js";
import { isId } from "../kind/id.js";
import type { Identity, Kind } from "../kind/kind.js";
import type { JsonObject } from "../../json/json.js";
import { indexOperations, operationKeys, type Operation } from "../openapi/openapi.js";
import { answerSettings, orderHint } from "../resources/answer-settings.js";
import { shellWord } from "../finding/shell-word.js";
import { kindOfAddress } from "../kind/kinds.js";
import { resolveCommand, type StateChoice } from "../state/state-choice.js";
import type { Lock, LockEntry } from "../state/lock.js";
import type { Settings } from "../resources/manifest.js";
import { memberPointers, type ToolCandidate } from "../kind/openapi-tools.js";

const mostNamed = 5;

/** Gives the keys of the operations that have no ID yet. */
export function missingOperations(
  tools: Readonly<Record<string, string>> = {},
  operations: readonly Operation[] = [],
): string[] {
  return operationKeys(operations).filter((key) => !Object.hasOwn(tools, key));
}

/** Says that operations have no ID, a few of them by name. */
export function withoutIds(missing: readonly string[]): Said {
  const shown = firstOf(missing.map(quote), mostNamed);
  return say`no ID is given for ${bare({ missing: [...missing] }, shown)}`;
}

/** Writes how the IDs of an object are given on a command line: `ID`, or for a tool set one for each operation. */
export function adoptionForm(
  { operations }: Pick<Kind, "operations">,
  body: JsonObject = {},
  known: Readonly<Record<string, string>> = {},
): string {
  if (!operations) return "ID";
  const keys = missingOperations(known, operations(body));
  const pairs = keys.slice(0, mostNamed).map((each) => `${each}=ID`);
  if (keys.length === 0) return "OPERATION=ID,…";
  const text = [...pairs, ...(keys.length > pairs.length ? ["…"] : [])].join(",");
  return /^[\w.=,…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The IDs that a person gives, or why they cannot be those of the object. */
export type GivenIdentity = Checked<{ readonly identity: Identity }>;

/** Reads `operation=ID` pairs against the operations of a tool set. */
export function readTools(
  pairs: readonly string[],
  operations: readonly Operation[],
  fail: (message: Sentence) => Refusal,
): GivenIdentity {
  const { keys, find } = indexOperations(operations);
  const tools = new Map<string, string>();
  for (const pair of pairs) {
    const [locator, id] = sidesOf(pair, (name) => find(name) !== undefined);
    const key = keys[find(locator.trim()) ?? -1];
    if (key === undefined) return fail(say`\`${bare({ found: pair })}\` names no operation of the set`);
    if (id.trim() === "") return fail(say`\`${bare({ found: pair })}\` names no ID`);
    if (!isId(id.trim()))
      return fail(
        say`the ID of \`${bare({ operation: locator.trim() })}\` holds characters that cannot be seen`,
      );
    if (tools.has(key)) return fail(say`\`${bare({ operation: locator })}\` is given twice`);
    tools.set(key, id.trim());
  }
  const ordered = keys.flatMap((key) => tools.get(key) ?? []);
  if (new Set(ordered).size < ordered.length) return fail("two operations have the same ID");
  return { ok: true, identity: { ids: ordered, tools: Object.fromEntries(tools) } };
}

const mostSigns = 20;

// An ID may have equals signs as well as a path: the first behind the name of an operation counts.
function sidesOf(pair: string, isName: (text: string) => boolean): readonly [locator: string, id: string] {
  let at = pair.indexOf("=");
  for (let count = 0; count < mostSigns && at !== -1; count++, at = pair.indexOf("=", at + 1)) {
    const locator = pair.slice(0, at);
    if (isName(locator.trim())) return [locator, pair.slice(at + 1)];
  }
  return ["", pair];
}

/** Reads kept answers once more with the manifest of now: gives the lock with IDs known by that, and the addresses. */
export function settleTools(
  lock: Lock,
  settings: Settings,
): { readonly lock: Lock; readonly settled: ReadonlySet<string> } {
  const settled: Record<string, LockEntry> = {};
  if (settings.service.id_pointers?.tool === undefined) return { lock, settled: new Set() };
  for (const [address, entry] of Object.entries(lock.resources)) {
    if (!entry.candidates) continue;
    const kind = kindOfAddress(address);
    const { candidates, ...rest } = entry;
    const { idPointer: _elsewhere, ...known } = answerSettings(kind.name, settings);
    const identity = kind.identify({ tool_ids: candidates }, entry.body, known);
    if (!identity?.ids) continue;
    const { ids, tools } = identity;
    settled[address] = { ...rest, ids: [...ids], ...(tools && { tools: { ...tools } }) };
  }
  if (Object.keys(settled).length === 0) return { lock, settled: new Set() };
  return {
    lock: { ...lock, resources: { ...lock.resources, ...settled } },
    settled: new Set(Object.keys(settled)),
  };
}

/** Says how a person tells which tools of a set are operations, or does not have to; `where` names another workspace. */
export function unmappedHint(
  address: string,
  operations: readonly string[],
  choice: StateChoice,
  isOrdered: boolean,
  where = "",
): string {
  const pairs = operations.slice(0, mostNamed).map((operation) => `${operation}=ID`);
  const given = shellWord([...pairs, ...(operations.length > mostNamed ? ["…"] : [])].join(","));
  const command = `${resolveCommand(address, choice)} --adopt ${given}`;
  const again = isOrdered || where !== "" ? "" : `, such as by \`--replace ${address}\``;
  return `look it up in the service and say it${where} with \`${command}\`, or refer to the whole set${orderHint(isOrdered)}${again}`;
}

/** Says which line of the manifest tells which member of the answer is the ID of a tool. */
export function candidatesText(candidates: readonly ToolCandidate[]): string {
  return pointersText(memberPointers(candidates));
}

/** Says it of the pointers to members that can be an ID. */
export function pointersText([first = "/id", ...others]: readonly string[]): string {
  const line = (pointer: string): string => `\`id_pointers: {tool: ${pointer}}\``;
  const choices = [line(first), ...others.map(line)].join(" or ");
  return `each tool was answered with several members that can be its ID: write ${choices} under \`spec.service\``;
}
