import type { Emulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import type { ConsoleEdit } from "../../src/emulator/edit.js";
import type { Lists } from "../../src/emulator/world.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";
import { byKind } from "../harness/kind-places.js";
import { openEmulator, runIn, type Ran } from "./desk.js";

/** How the objects of a kind are looked at. */
export type Ways = "read" | "list";

/** The manifest's `operations` for an emulator with all operations and one form of lists, by which objects are looked at. */
export function operationsOf(lists: Lists = "array", ways: Ways = "read"): object {
  return byKind(({ one, all, key, update }) => {
    const items = { array: "", key, pages: "/data/items" }[lists];
    const list = {
      request: `GET ${all}`,
      items,
      id: "/_id",
      ...(lists === "pages" && { next: "/paging/next" }),
    };
    const read = { request: `GET ${one}`, ...(lists === "pages" && { object: "/data" }) };
    return { ...(ways === "read" ? { read } : { list }), ...update, delete: `DELETE ${one}` };
  });
}

/** The manifest of a workspace whose service at `url` has more than the documented operations. */
export function manifestWithOperations(url: string, operations: object = operationsOf()): string {
  const service = {
    base_url: url,
    rai_base_url: url,
    api_key: "${env:AGENT_API_KEY}",
    tool_ids: "document_order",
    operations,
  };
  return JSON.stringify({
    apiVersion: "agentform/v1",
    kind: "Workspace",
    metadata: { name: "desk" },
    spec: { service },
  });
}

/** An OpenAPI document with an operation for each name. */
export const openapi = (paths: readonly string[]) => ({
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  paths: Object.fromEntries(paths.map((name) => [`/${name}`, { get: { operationId: name, responses: {} } }])),
});

/** Documents of which each kind has at least two, so that what the service shows of one is known of the other. */
export const twoOfEach: Readonly<Record<string, string>> = {
  "policies/strict.yaml": documentText("Policy", "strict", {
    name: "Strict",
    banned_topics: { enabled: true, topics: ["weapons", "drugs"] },
  }),
  "policies/lax.yaml": documentText("Policy", "lax", {
    name: "Lax",
    banned_topics: { enabled: true, topics: ["war"] },
  }),
  "toolsets/desk.yaml": documentText("ToolSet", "desk", {
    tool_set_name: "desk",
    openapi_schema: openapi(["listTickets", "getTicket", "closeTicket"]),
    default_headers: { Authorization: "Bearer ${env:DESK_TOKEN}", "X-Team": "care" },
    default_query_params: { lang: "en" },
  }),
  "toolsets/billing.yaml": documentText("ToolSet", "billing", {
    tool_set_name: "billing",
    openapi_schema: openapi(["getInvoice"]),
    default_query_params: { lang: "en" },
  }),
  "credentials/provider.yaml": documentText("Credential", "provider", {
    name: "Provider",
    credentials: { api_key: "${env:PROVIDER_KEY@1}" },
  }),
  "credentials/other.yaml": documentText("Credential", "other", {
    name: "Other",
    credentials: { api_key: "${env:PROVIDER_KEY@1}" },
  }),
  ...Object.fromEntries(["support", "triage", "sales"].map((name) => [`agents/${name}.yaml`, agent(name)])),
};

/** The document of an agent. */
export function agent(name: string, more: object = {}): string {
  return documentText("Agent", name, {
    name,
    description: `The ${name} desk`,
    system_prompt: "Be kind.\nBe brief.",
    temperature: 0.2,
    tools: ["${toolset:desk}"],
    llm_credential_id: "${credential:provider}",
    features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
    ...more,
  });
}

/** A workspace that was applied to an emulator with all operations. */
export interface AppliedDesk {
  readonly workspace: DiskWorkspace;
  readonly emulator: Emulator;
  run(...args: readonly string[]): Promise<Ran>;
  /** The ID of what has an address, or of a tool as `toolset:desk/getTicket`. */
  id(address: string): string;
  /** Does what somebody does in the console. */
  edit(address: string, changes: Extract<ConsoleEdit, { changes: unknown }>["changes"]): void;
  delete(address: string): void;
}

interface Entries {
  readonly resources: Record<string, { readonly id?: string; readonly tools?: Record<string, string> }>;
}

/** Makes such a workspace, and applies it. */
export async function openAppliedDesk(
  lists: Lists = "array",
  ways: Ways = "read",
  files: Readonly<Record<string, string>> = twoOfEach,
  faults: readonly EmulatedFault[] = [],
): Promise<AppliedDesk> {
  const emulator = await openEmulator({ operations: "full", lists, pageSize: 2, faults });
  const manifest = manifestWithOperations(emulator.url, operationsOf(lists, ways));
  const workspace = makeWorkspace({ "agentform.yaml": manifest, ...files });
  const run = (...args: readonly string[]) => runIn(workspace.directory, args);
  const applied = await run("apply", "--yes");
  if (applied.code !== 0) throw new Error(applied.err);
  const id = (address: string): string => {
    const { resources } = JSON.parse(workspace.read("agentform.lock")) as Entries;
    const [key = "", operation] = address.split("/");
    const entry = resources[key];
    return (operation === undefined ? entry?.id : entry?.tools?.[operation]) ?? "";
  };
  const kindOf = (address: string) => {
    const [kind = ""] = address.split(":");
    return (kind === "toolset" ? "tool" : kind) as ConsoleEdit["kind"];
  };
  return {
    workspace,
    emulator,
    run,
    id,
    edit: (address, changes) => void emulator.edit({ kind: kindOf(address), id: id(address), changes }),
    delete: (address) => void emulator.edit({ kind: kindOf(address), id: id(address), delete: true }),
  };
}

/** Does ten things in the console, each of another sort. */
export function tenEdits({ edit, delete: remove, id }: AppliedDesk): void {
  edit("policy:strict", { banned_topics: { topics: ["weapons"] } });
  remove("policy:lax");
  edit("toolset:desk/getTicket", { default_query_params: { lang: "fr" } });
  remove("toolset:desk/closeTicket");
  edit("agent:support", { description: "Edited" });
  edit("agent:support", { features: [] });
  edit("agent:support", { llm_credential_id: id("credential:other") });
  edit("agent:triage", { temperature: null });
  edit("agent:triage", {
    tools: ["listTickets", "getTicket", "closeTicket"]
      .map((name) => id(`toolset:desk/${name}`))
      .concat(id("toolset:billing/getInvoice")),
  });
  remove("agent:sales");
}
