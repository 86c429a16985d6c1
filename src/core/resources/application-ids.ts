import { addressesIn } from "../state/known-ids.js";
import { orderHint } from "./answer-settings.js";
import { compareText } from "../../json/compare-text.js";
import { warning, type Finding } from "../finding/diagnostic.js";
import { unescaped } from "../expression/expression.js";
import type { Lock, LockEntry } from "../state/lock.js";
import type { Resource } from "./resource.js";

/** The format of the IDs of a workspace as JSON. */
export const idsFormat = "agentform/output/v1";

/** The IDs that applications use in one environment. */
export interface ApplicationIds {
  /** By address, in the order of the addresses; one tool of a set is `toolset:helpdesk/createTicket`. */
  readonly ids: ReadonlyMap<string, string>;
  /** A warning for each ID that is missing or in doubt. */
  readonly findings: readonly Finding[];
}

/** The IDs that applications use in one environment, and whose they are. */
export interface WorkspaceIds extends Pick<ApplicationIds, "ids"> {
  readonly workspace: string;
  /** Null is the default environment. */
  readonly environment: string | null;
}

/** Gives the IDs of what a lock manages at the chosen addresses; a warning for what has none. */
export function applicationIds(
  lock: Lock,
  resources: ReadonlyMap<string, Resource>,
  isChosen: (address: string) => boolean,
  options: readonly string[],
  isOrdered = false,
): ApplicationIds {
  const all = new Set([...addressesIn(lock), ...resources.keys()]);
  const ids: [address: string, id: string][] = [];
  const findings: Finding[] = [];
  const command = (...words: string[]) => `\`agentform ${[...words, ...options].join(" ")}\``;
  for (const address of [...all].toSorted()) {
    if (!isChosen(address)) continue;
    const entry = lock.resources[address];
    for (const each of idsAt(address, entry)) ids.push(each);
    for (const [message, hint] of doubts(address, lock, entry, command, isOrdered)) {
      findings.push({ ...warning("output-incomplete", undefined, message, hint), address });
    }
  }
  return { ids: new Map(ids.toSorted(([a], [b]) => compareText(a, b))), findings };
}

function idsAt(address: string, entry: LockEntry | undefined): [address: string, id: string][] {
  const { id, tools = {} } = entry ?? {};
  if (id !== undefined) return [[address, id]];
  return Object.entries(tools).map(([operation, tool]) => [`${address}/${unescaped(operation)}`, tool]);
}

/** Writes a command in a hint. */
type Command = (...words: string[]) => string;

function doubts(
  address: string,
  { unknown: creates }: Lock,
  entry: LockEntry | undefined,
  command: Command,
  isOrdered: boolean,
): (readonly [message: string, hint: string])[] {
  const resolve = `resolve it with ${command("lock", "resolve", "ADDR")}`;
  if (!entry) {
    return Object.hasOwn(creates, address)
      ? [["a resource has no ID and is left out: the outcome of its create is unknown", resolve]]
      : [["a resource has no ID yet and is left out: it was not applied", `run ${command("apply")}`]];
  }
  const isReplaced = Object.hasOwn(creates, address);
  const missing = missingIn(entry, command, isOrdered);
  return [
    ...(isReplaced
      ? [["the outcome of a replacement is unknown: the ID is that of the old object", resolve] as const]
      : []),
    ...(missing ? [missing] : []),
  ];
}

function missingIn(
  { id, ids, tools = {}, candidates }: LockEntry,
  command: Command,
  isOrdered: boolean,
): readonly [message: string, hint: string] | undefined {
  if (id !== undefined) return undefined;
  if (candidates) {
    const message = "the tools of a set are left out: it is not clear which member of the answer is the ID";
    return [message, "set `service.id_pointers: {tool: /…}` in agentform.yaml and apply again"];
  }
  if (!ids) {
    const message = "a resource has no ID and is left out: the service's answer did not contain it";
    return [
      message,
      `look it up in the service and run ${command("lock", "resolve", "ADDR", "--adopt", "ID")}`,
    ];
  }
  const mapped = new Set(Object.values(tools));
  if (ids.every((each) => mapped.has(each))) return undefined;
  const message = "tools of a set are left out: it is not known which operation they are";
  return [
    message,
    `run ${command("lock", "resolve", "ADDR", "--adopt", "OPERATION=ID,…")}${orderHint(isOrdered)}`,
  ];
}
