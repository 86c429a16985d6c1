import { filesOf, type Import } from "../../core/import/build-import.js";
import { idsOf } from "../../core/kind/identity.js";
import { firstOf } from "../../core/finding/quotation.js";
import { countText } from "../words/count-text.js";
import { secretsToSet } from "../words/secrets-to-set.js";
import { safeLine } from "../words/terminal-text.js";

/** Renders what an import would write and take over, and the variables that it leaves to be set. */
export function renderImport({ imported, adopted, managed, retired }: Import): string {
  const lines: string[] = [];
  for (const { address, name, entry, files } of imported) {
    lines.push(`+ ${address} from ${JSON.stringify(name)} (${idText(idsOf(entry))})`);
    lines.push(...files.map(({ file }) => `    ${file}`));
  }
  for (const { address, entry, beyond } of adopted) {
    lines.push(`= ${address} in ${entry.file ?? ""} describes ${idText(idsOf(entry))}`);
    if (beyond.length > 0) lines.push(`    which has also: ${beyond.join(", ")}`);
  }
  const secrets = secretsToSet(imported);
  if (secrets.length > 0) lines.push("", ...secrets);
  const files = filesOf({ imported }).length;
  const counts = [
    `${countText(imported.length, "object")} to import, in ${countText(files, "new file")}`,
    ...(adopted.length > 0 ? [`${countText(adopted.length, "document")} to take over what is there`] : []),
    ...(managed > 0 ? [`${managed} managed already`] : []),
    ...(retired > 0 ? [`${retired} left behind earlier (\`agentform lock retired\`)`] : []),
  ];
  lines.push("", `${counts.join("; ")}.`);
  return `${lines.map(safeLine).join("\n")}\n`;
}

const mostIds = 3;

function idText(ids: readonly string[]): string {
  return `${ids.length === 1 ? "ID" : "IDs"} ${firstOf(ids, mostIds)}`;
}
