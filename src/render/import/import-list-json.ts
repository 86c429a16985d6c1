import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { UnmanagedObject, UnmanagedObjects } from "../../core/import/unmanaged-objects.js";
import type { ImportList } from "../../generated/import-list.js";

/** Makes the list of what nobody manages (`agentform/import-list/v1`). */
export function importListJson(
  { objects, managed, retired }: UnmanagedObjects,
  diagnostics: readonly Diagnostic[],
  owner: Pick<ImportList, "workspace" | "environment">,
): ImportList {
  return {
    format: "agentform/import-list/v1",
    ...owner,
    objects: objects.map(objectOf),
    managed,
    retired,
    notes: diagnostics.map(({ code, severity, message, hint }) => {
      return { code, severity, message, ...(hint !== undefined && { hint }) };
    }),
  };
}

function objectOf({ kind, ids, name, fate }: UnmanagedObject): ImportList["objects"][number] {
  const common = { kind, ids: [...ids], name, fate: fate.type };
  switch (fate.type) {
    case "new":
      return { ...common, addresses: [fate.address] };
    case "described":
      return { ...common, addresses: [fate.address], file: fate.file };
    case "offered": {
      const { addresses, by, fields, command } = fate;
      return { ...common, addresses: [...addresses], by, fields: [...fields], command: [...command] };
    }
  }
}
