import { Argument } from "commander";
import { kindNames } from "../../core/kind/kinds.js";
import { schemas } from "../../generated/schemas.js";
import { addFormat, type RunnableCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";
import { orMeant } from "../near-miss.js";

type SchemaName = keyof typeof schemas;

// What a person writes comes first.
const written: readonly SchemaName[] = ["workspace", ...kindNames, "rule"];

const schemaNames = [...new Set([...written, ...(Object.keys(schemas) as SchemaName[])])];

export const schema: RunnableCommand = {
  about: "Editors check documents with them, and scripts the files that agentform writes.",
  examples: [
    ["agentform schema agent", "of one kind of document"],
    ["agentform schema > schemas.json", "all, by their names"],
  ],
  documents: ["reference/formats.md", "reference/documents.md"],
  options(command) {
    const kind = new Argument("[kind]", "the schema; all of them if left out");
    // Not `choices`, for the message names the one that may be meant.
    kind.argChoices = schemaNames;
    command.addArgument(kind);
    addFormat(command, ["json"]);
  },
  async run([name], _flags, terminal) {
    const chosen = schemaNames.filter((each) => name === undefined || each === name);
    if (chosen.length === 0) {
      const meant = orMeant(name ?? "", schemaNames);
      throw new UsageError(`there is no schema \`${name}\`; there are ${schemaNames.join(", ")}${meant}`);
    }
    const loaded = await Promise.all(
      chosen.map(async (each) => [each, (await schemas[each]()).default] as const),
    );
    const printed = name === undefined ? Object.fromEntries(loaded) : loaded[0]?.[1];
    terminal.out(`${JSON.stringify(printed, null, 2)}\n`);
    return exitCode.fine;
  },
};
