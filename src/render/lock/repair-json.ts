import type { SearchedAddress } from "../../core/import/search-unknown.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { RepairChange, UnsealedState } from "../../core/lock-edit/repair-change.js";
import type { LockRepairAnswer, RepairedState } from "../../generated/lock-repair.js";
import { withoutFrames } from "../diagnostics/diagnostics-json.js";
import { confirmation } from "../words/confirmation.js";

/** Makes the result of a repair of the state (`agentform/lock-repair/v1`), with what a search found. */
export function repairJson(changes: readonly RepairChange[], searched?: SearchedAddress): LockRepairAnswer {
  const type = searched && !searched.search.sure ? "unsure" : "done";
  return {
    format: "agentform/lock-repair/v1",
    type,
    changes: structuredClone(changes) as RepairedState[],
    ...searchMember(searched),
  };
}

/** Makes the result of a repair that waits for an agreement. */
export function askedRepairJson(
  digest: string,
  searched: SearchedAddress,
  command: readonly string[],
  diagnostics: readonly Diagnostic[],
): LockRepairAnswer {
  const asked = { digest, summary: { adopt: 1 }, notes: [...withoutFrames(diagnostics)], command };
  return { format: "agentform/lock-repair/v1", ...confirmation(asked), ...searchMember(searched) };
}

/** Makes the result of a seal that waits for an agreement. */
export function unsealedJson(
  { changes, digest }: UnsealedState,
  command: readonly string[],
): LockRepairAnswer {
  const asked = { digest, summary: { differences: changes.length }, notes: [], command };
  const differences = changes.map(({ part, key, edit }) => ({
    part,
    edit,
    ...(key !== undefined && { key }),
  }));
  return { format: "agentform/lock-repair/v1", ...confirmation(asked), differences };
}

function searchMember(searched: SearchedAddress | undefined) {
  if (!searched) return {};
  const { address, search } = searched;
  const candidates = search.candidates.map(({ ids, name, createdAt, fields, problem, ...each }) => ({
    ids: [...ids],
    name,
    ...(createdAt !== undefined && { created_at: createdAt }),
    fields: [...fields],
    ...(problem !== undefined && { problem }),
    adoption: [each.adoption].flat(),
    sure: search.sure?.ids === ids,
  }));
  return { search: { address, looked: search.looked, candidates } };
}
