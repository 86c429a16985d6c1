import type { Import } from "../../core/import/build-import.js";
import { idsOf } from "../../core/kind/identity.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { ImportAnswer } from "../../generated/import.js";
import type { ImportList } from "../../generated/import-list.js";
import type { UnmanagedObject, UnmanagedObjects } from "../../core/import/unmanaged-objects.js";
import { withoutFrames } from "../diagnostics/diagnostics-json.js";
import { confirmation } from "../words/confirmation.js";

/** Makes the result of an import (`agentform/import/v1`): what it would do if it waits for an agreement, or what it did. */
export function importJson(
  found: Import | undefined,
  diagnostics: readonly Diagnostic[],
  asked?: { readonly digest: string; readonly command: readonly string[] },
): ImportAnswer {
  const { imported = [], adopted = [], managed = 0, retired = 0 } = found ?? {};
  const files = imported.reduce((sum, each) => sum + each.files.length, 0);
  const summary = { import: imported.length, files, adopt: adopted.length, managed, retired };
  const notes = [...withoutFrames(diagnostics)];
  return {
    format: "agentform/import/v1",
    ...(asked ? confirmation({ ...asked, summary, notes }) : { type: "done", summary, notes }),
    imported: imported.map(({ address, name, entry, files: written, secrets }) => ({
      address,
      name,
      ids: [...idsOf(entry)],
      files: written.map(({ file }) => file),
      secrets: secrets.map((secret) => ({ name: secret.name, path: secret.path.join(".") })),
    })),
    adopted: adopted.map(({ address, entry, beyond }) => ({
      address,
      ...(entry.file !== undefined && { file: entry.file }),
      ids: [...idsOf(entry)],
      beyond: [...beyond],
    })),
  };
}

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
