import { kindNames } from "../../core/kind/kinds.js";
import { schemas } from "../../generated/schemas.js";
import { defineCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import { orMeant } from "../near-miss.js";

type SchemaName = keyof typeof schemas;

// What a person writes comes first.
const written: readonly SchemaName[] = ["workspace", ...kindNames];

/** The names of the schemas. */
export const schemaNames = [...new Set([...written, ...(Object.keys(schemas) as SchemaName[])])];

export const schema = defineCommand<SchemaName | undefined>({
  about: "Editors check documents with them, and scripts the files that agentform writes.",
  examples: [
    ["agentform schema agent", "of one kind of document"],
    ["agentform schema > schemas.json", "all, by their names"],
  ],
  documents: ["documents.md"],
  options(command) {
    command.argument("[kind]", `one of ${schemaNames.join(", ")}; all of them if left out`);
  },
  build([name]) {
    if (name === undefined || name in schemas) return name as SchemaName | undefined;
    throw new UsageError(
      `there is no schema \`${name}\`; there are ${schemaNames.join(", ")}${orMeant(name, schemaNames)}`,
    );
  },
  async run(name, terminal) {
    const chosen = name === undefined ? schemaNames : [name];
    const loaded = await Promise.all(
      chosen.map(async (each) => [each, (await schemas[each]()).default] as const),
    );
    const printed = name === undefined ? Object.fromEntries(loaded) : loaded[0]?.[1];
    terminal.out(`${JSON.stringify(printed, null, 2)}\n`);
    return exitCode.fine;
  },
});
