import type { EmulatorOptions } from "../../src/emulator/emulator.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { documents, openEmulator, runIn, type Desk } from "./desk.js";

/** What the emulator can do beyond the documented operations, as a manifest says it. */
export const allOperations = {
  policy: operationsAt("/v1/rai/policies", "/v1/rai/policies"),
  credential: operationsAt("/v3/tools/credentials", "/v3/tools/credentials"),
  toolset: operationsAt("/v3/tools", "/v3/tools/"),
  agent: operationsAt("/v3/agents", "/v3/agents/"),
};

type Operations = { readonly [kind in keyof typeof allOperations]?: object };

function operationsAt(one: string, all: string) {
  return {
    read: `GET ${one}/{id}`,
    list: { request: `GET ${all}`, id: "/_id" },
    delete: `DELETE ${one}/{id}`,
  };
}

/** The same, with updates of what has no documented one. */
export const fullOperations = {
  ...allOperations,
  policy: { ...allOperations.policy, update: "PUT /v1/rai/policies/{id}" },
  credential: { ...allOperations.credential, update: "PUT /v3/tools/credentials/{id}" },
};

/** Gives the deletes alone, so that nothing can be looked up. */
export function deletesAlone(): Operations {
  return Object.fromEntries(
    Object.entries(allOperations).map(([kind, operations]) => [kind, { delete: operations.delete }]),
  );
}

/** The manifest of a workspace whose service can do more than is documented. */
export function fullManifest(url: string, operations: Operations = allOperations, more = ""): string {
  return `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service:
    base_url: "${url}"
    rai_base_url: "${url}"
    api_key: "\${env:AGENT_API_KEY}"
    operations: ${JSON.stringify(operations)}
${more}`;
}

/** Makes a desk whose service can read, list and delete. */
export async function openFullDesk(
  files: Readonly<Record<string, string>> = documents,
  operations: Operations = allOperations,
  options: EmulatorOptions = {},
): Promise<Desk> {
  const emulator = await openEmulator({ operations: "full", ...options });
  const workspace = makeWorkspace({
    "agentform.yaml": fullManifest(emulator.url, operations),
    ...files,
  });
  return {
    workspace,
    emulator,
    run: (...args) => runIn(workspace.directory, args),
    lock: () => JSON.parse(workspace.read("agentform.lock")) as ReturnType<Desk["lock"]>,
  };
}
