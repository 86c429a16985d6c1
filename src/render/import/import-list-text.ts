import { firstOf } from "../../core/finding/quotation.js";
import type { UnmanagedObject, UnmanagedObjects } from "../../core/import/unmanaged-objects.js";
import { tableLines } from "../lock/lock-table.js";
import { countText } from "../words/count-text.js";

const mostIds = 2;

/** Renders what nobody manages as a table, with what an import would make of it. */
export function renderImportList({ objects, managed, retired }: UnmanagedObjects): string {
  const rows = objects.map(({ kind, ids, name, fate }) => [
    kind,
    firstOf(ids, mostIds),
    name,
    fateText(fate),
  ]);
  const counts = [
    `${countText(objects.length, "object")} that nobody manages`,
    ...(managed > 0 ? [`${managed} managed already`] : []),
    ...(retired > 0 ? [`${retired} left behind earlier (\`agentform lock retired\`)`] : []),
  ];
  const table = rows.length > 0 ? [...tableLines(["kind", "ID", "name", "import makes"], rows), ""] : [];
  return `${[...table, `${counts.join("; ")}.`].join("\n")}\n`;
}

function fateText(fate: UnmanagedObject["fate"]): string {
  switch (fate.type) {
    case "new":
      return `a document, ${fate.address}`;
    case "described":
      return `${fate.address} has it then: ${fate.file} describes it`;
    case "offered":
      return fate.by === "several"
        ? `nothing: ${fate.addresses.join(", ")} describe it; \`${fate.command.join(" ")}\` says which`
        : `nothing: it may be ${fate.addresses.join(", ")}, which differs in ${fate.fields.join(", ")}; \`${fate.command.join(" ")}\` if it is`;
  }
}
