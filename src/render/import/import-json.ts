import type { Import } from "../../core/import/build-import.js";
import { idsOf } from "../../core/kind/identity.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import type { ImportAnswer } from "../../generated/import.js";
import { withoutFrames } from "../diagnostics/diagnostics-json.js";
import { confirmation } from "../words/confirmation.js";

/** What waits for an agreement. */
interface AwaitedImport {
  readonly digest: string;
  readonly command: readonly string[];
}

/** Makes the result of an import (`agentform/import/v1`): what it would do if it waits for an agreement, or what it did. */
export function importJson(
  found: Import | undefined,
  diagnostics: readonly Diagnostic[],
  asked?: AwaitedImport,
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
