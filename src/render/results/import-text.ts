import { filesOf, type Import } from "../../core/import/build-import.js";
import { idsOf } from "../../core/kind/identity.js";
import { firstOf } from "../../core/finding/quotation.js";
import type { UnmanagedObject, UnmanagedObjects } from "../../core/import/unmanaged-objects.js";
import { countText } from "../words/count-text.js";
import { secretsToSet } from "../words/secrets-to-set.js";
import { safeLine } from "../words/terminal-text.js";
import { tableLines } from "../words/text-lines.js";

const mostNamed = 3;
const mostListed = 2;

/** Renders what an import would write and take over, and the variables that it leaves to be set. */
export function renderImport({ imported, adopted, managed, retired }: Import): string {
  const lines: string[] = [];
  for (const { address, name, entry, files } of imported) {
    lines.push(`+ ${address} from ${JSON.stringify(name)} (${idText(idsOf(entry))})`);
    for (const { file } of files) lines.push(`    ${file}`);
  }
  for (const { address, entry, beyond } of adopted) {
    lines.push(`= ${address} in ${entry.file ?? ""} describes ${idText(idsOf(entry))}`);
    if (beyond.length > 0) lines.push(`    which has also: ${beyond.join(", ")}`);
  }
  const secrets = secretsToSet(imported);
  const files = filesOf({ imported }).length;
  const counts = [
    `${countText(imported.length, "object")} to import, in ${countText(files, "new file")}`,
    ...(adopted.length > 0 ? [`${countText(adopted.length, "document")} to take over what exists`] : []),
    ...knownCounts({ managed, retired }),
  ];
  const toSet = secrets.length > 0 ? ["", ...secrets] : [];
  return `${[...lines, ...toSet, "", `${counts.join("; ")}.`].map(safeLine).join("\n")}\n`;
}

function idText(ids: readonly string[]): string {
  return `${ids.length === 1 ? "ID" : "IDs"} ${firstOf(ids, mostNamed)}`;
}

/** Renders what nobody manages as a table, with what an import would make of it. */
export function renderImportList({ objects, managed, retired }: UnmanagedObjects): string {
  const rows = objects.map(({ kind, ids, name, fate }) => [
    kind,
    firstOf(ids, mostListed),
    name,
    fateText(fate),
  ]);
  const counts = [
    `${countText(objects.length, "object")} that nobody manages`,
    ...knownCounts({ managed, retired }),
  ];
  const table = rows.length > 0 ? [...tableLines(["kind", "ID", "name", "import makes"], rows), ""] : [];
  return `${[...table, `${counts.join("; ")}.`].join("\n")}\n`;
}

function fateText(fate: UnmanagedObject["fate"]): string {
  switch (fate.type) {
    case "new":
      return `a document, ${fate.address}`;
    case "described":
      return `${fate.address} takes it over: ${fate.file} describes it`;
    case "offered":
      return fate.by === "several"
        ? `nothing: ${fate.addresses.join(", ")} describe it; \`${fate.command.join(" ")}\` says which`
        : `nothing: it may be ${fate.addresses.join(", ")}, which differs in ${fate.fields.join(", ")}; \`${fate.command.join(" ")}\` if it is`;
  }
}

// What is there, and not of the objects that are shown.
function knownCounts({ managed, retired }: Pick<UnmanagedObjects, "managed" | "retired">): string[] {
  return [
    ...(managed > 0 ? [`${managed} managed already`] : []),
    ...(retired > 0 ? [`${retired} left behind earlier (\`agentform lock retired\`)`] : []),
  ];
}
