import type { EmulatorOptions } from "../../src/emulator/emulator.js";
import type { KindName } from "../../src/generated/kinds.js";
import { byKind } from "../harness/kind-places.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { documents, openEmulator, runIn, type Desk } from "./desk.js";

/** What the emulator can do beyond the documented operations, as a manifest says it. */
export const allOperations = byKind(({ one, all }) => ({
  read: `GET ${one}`,
  list: { request: `GET ${all}`, id: "/_id" },
  delete: `DELETE ${one}`,
}));

type Operations = { readonly [kind in KindName]?: object };

/** The same, with updates of what has no documented one. */
export const fullOperations = byKind(({ update }, kind) => ({ ...allOperations[kind], ...update }));

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
