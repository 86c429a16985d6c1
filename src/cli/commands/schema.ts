import { defineCommand } from "../command.js";
import { exitCode, UsageError } from "../exit-code.js";

const schemas = {
  workspace: () => import("../../../schemas/workspace.schema.json", { with: { type: "json" } }),
  policy: () => import("../../../schemas/policy.schema.json", { with: { type: "json" } }),
  toolset: () => import("../../../schemas/toolset.schema.json", { with: { type: "json" } }),
  credential: () => import("../../../schemas/credential.schema.json", { with: { type: "json" } }),
  agent: () => import("../../../schemas/agent.schema.json", { with: { type: "json" } }),
  lock: () => import("../../../schemas/lock.schema.json", { with: { type: "json" } }),
  plan: () => import("../../../schemas/plan.schema.json", { with: { type: "json" } }),
  diagnostics: () => import("../../../schemas/diagnostics.schema.json", { with: { type: "json" } }),
} as const;
type SchemaName = keyof typeof schemas;

export const schema = defineCommand<SchemaName | undefined>({
  options(command) {
    command.argument("[kind]", `one of ${Object.keys(schemas).join(", ")}; all of them if left out`);
  },
  build([name]) {
    if (name === undefined || name in schemas) return name as SchemaName | undefined;
    throw new UsageError(`there is no schema \`${name}\`; there are ${Object.keys(schemas).join(", ")}`);
  },
  async run(name, terminal) {
    const names = name === undefined ? (Object.keys(schemas) as SchemaName[]) : [name];
    const loaded = await Promise.all(
      names.map(async (each) => [each, (await schemas[each]()).default] as const),
    );
    const printed = name === undefined ? Object.fromEntries(loaded) : loaded[0]?.[1];
    terminal.out(`${JSON.stringify(printed, null, 2)}\n`);
    return exitCode.fine;
  },
});
