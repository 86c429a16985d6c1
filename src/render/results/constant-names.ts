import { bare, say } from "../../core/finding/said.js";
import { error, type Finding } from "../../core/finding/diagnostic.js";
import type { WorkspaceIds } from "../../core/resources/application-ids.js";

/** An ID with the name of its constant. */
export interface Constant {
  readonly name: string;
  readonly id: string;
  readonly address: string;
}

/** Gives each ID a name such as `AGENT_SUPPORT_ID` or `TOOLSET_HELPDESK_CREATE_TICKET_ID`; two IDs with one name are an error. */
export function nameConstants({ ids }: WorkspaceIds): {
  readonly constants: readonly Constant[];
  readonly findings: readonly Finding[];
} {
  const constants = new Map<string, Constant>();
  const findings: Finding[] = [];
  for (const [address, id] of ids) {
    const constant = { name: constantName(address), id, address };
    const first = constants.get(constant.name);
    if (first) findings.push(explainTaken(first, constant));
    else constants.set(constant.name, constant);
  }
  return { constants: [...constants.values()], findings };
}

// Whatever the alphabet, names are in ASCII: `é` becomes `UE9`.
function constantName(address: string): string {
  const words = address
    .replaceAll(/[^\0-\x7f]/gu, (char) => `_u${(char.codePointAt(0) ?? 0).toString(16)}_`)
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
    .replaceAll(/[^A-Za-z\d]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .toUpperCase();
  return `${words}_ID`;
}

function explainTaken({ name, address: first }: Constant, { address }: Constant): Finding {
  const message = say`\`${bare({ other: first })}\` and \`${bare({ address })}\` both become ${bare({ name })}`;
  const hint = "rename one of them, or use `--format json` or `--format typescript`, which have addresses";
  return error("output-name-taken", undefined, message, hint);
}
