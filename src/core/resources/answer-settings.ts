import type { AnswerSettings, Kind } from "../kind/kind.js";
import type { Settings } from "./manifest.js";

/** Gives the manifest's settings for reading the answer to a create of a kind. */
export function answerSettings(kind: Kind["name"], { service }: Settings): AnswerSettings {
  const { [kind]: idPointer, tool: entryPointer } = service.id_pointers ?? {};
  return {
    documentOrder: service.tool_ids === "document_order",
    ...(idPointer !== undefined && { idPointer }),
    ...(entryPointer !== undefined && { entryPointer }),
  };
}

/** Says how a manifest tells which ID is of which operation, where the service has an order; nothing if it does already. */
export function orderHint(isOrdered: boolean): string {
  return isOrdered
    ? ""
    : "; if the service answers the IDs in the order of the operations, `service.tool_ids: document_order` says so of the sets that are created from then on";
}
