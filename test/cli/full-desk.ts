import type { EmulatorOptions } from "../../src/emulator/emulator.js";
import { documents, manifestAt, openDesk, type Desk } from "./desk.js";

/** What the emulator's full service can do beyond the documents, as a manifest says it. */
export const fullOperations = {
  policy: {
    read: "GET /v1/rai/policies/{id}",
    list: { request: "GET /v1/rai/policies", id: "/_id" },
    update: "PUT /v1/rai/policies/{id}",
    delete: "DELETE /v1/rai/policies/{id}",
  },
  toolset: {
    read: "GET /v3/tools/{id}",
    list: { request: "GET /v3/tools/", id: "/_id" },
    delete: "DELETE /v3/tools/{id}",
  },
  credential: {
    read: "GET /v3/tools/credentials/{id}",
    list: { request: "GET /v3/tools/credentials", id: "/_id" },
    update: "PUT /v3/tools/credentials/{id}",
    delete: "DELETE /v3/tools/credentials/{id}",
  },
  agent: {
    read: "GET /v3/agents/{id}",
    list: { request: "GET /v3/agents/", id: "/_id" },
    delete: "DELETE /v3/agents/{id}",
  },
};

/** The manifest of a workspace whose service can do more than is documented. */
export function fullManifest(url: string, operations: object = fullOperations): string {
  return manifestAt(url).replace(
    /service: \{(.*)\}/,
    `service: {$1, operations: ${JSON.stringify(operations)}}`,
  );
}

/** Makes a desk whose service can be asked and corrected. */
export async function openFullDesk(
  files: Readonly<Record<string, string>> = documents,
  operations: object = fullOperations,
  options: EmulatorOptions = {},
): Promise<Desk> {
  const desk = await openDesk(files, { ...options, operations: "full" });
  desk.workspace.write({ "agentform.yaml": fullManifest(desk.emulator.url, operations) });
  return desk;
}
