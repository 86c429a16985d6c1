import { answerSettings, orderHint } from "../resources/answer-settings.js";
import { shellWord } from "../finding/shell-word.js";
import { kindOfAddress } from "../kind/kinds.js";
import { resolveCommand } from "../state/resolve-command.js";
import type { StateChoice } from "../state/state-choice.js";
import type { Lock, LockEntry } from "../state/lock.js";
import type { Settings } from "../resources/manifest.js";
import { memberPointers, type ToolCandidate } from "../kind/openapi-tool-entry.js";

/** A lock in which tool sets have their IDs as far as the manifest says by now which they are. */
export interface SettledLock {
  readonly lock: Lock;
  /** The addresses that have their IDs by that. */
  readonly settled: ReadonlySet<string>;
}

/** Reads what was kept of answers once more, with what the manifest says of answers now. */
export function settleTools(lock: Lock, settings: Settings): SettledLock {
  const settled: Record<string, LockEntry> = {};
  if (settings.service.id_pointers?.tool === undefined) return { lock, settled: new Set() };
  for (const [address, entry] of Object.entries(lock.resources)) {
    const kind = kindOfAddress(address);
    if (!entry.candidates || !kind) continue;
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

/** Says how a person tells which tool of a set is an operation, or does not have to; `where` names another workspace. */
export function unmappedHint(address: string, operation: string, choice: StateChoice, where = ""): string {
  const command = `${resolveCommand(address, choice)} --adopt ${shellWord(`${operation}=ID`)}`;
  return `look it up in the service and say it${where} with \`${command}\`, or refer to the whole set; ${orderHint}`;
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
