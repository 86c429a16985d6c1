import { onTestFinished } from "vitest";
import { main } from "../../src/cli/main.js";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.js";
import { documentText, makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";

/** How a command ended, and what it wrote. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A workspace with a service of its own, worked on through the command line. */
export interface Desk {
  readonly workspace: DiskWorkspace;
  readonly emulator: Emulator;
  /** Runs a command in the folder of the workspace, where nobody can be asked. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Reads the lock, parsed. */
  lock(): Lock;
}

interface Lock {
  readonly lineage: string;
  readonly serial: number;
  readonly resources: Record<string, Record<string, unknown>>;
  readonly retired: Record<string, Record<string, unknown>>;
  readonly unknown: Record<string, Record<string, unknown>>;
}

/** The values of the secrets that the documents ask for; no file may hold them. */
export const secretValue = "s3cr3t-value";

/** The manifest of a workspace whose service is at `url`. */
export function manifestAt(url: string, more = ""): string {
  return `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {base_url: "${url}", rai_base_url: "${url}", api_key: "\${env:AGENT_API_KEY}"}
${more}`;
}

/** A policy that bans topics. */
export function policyText(topics: readonly string[] = ["weapons"]): string {
  return documentText("Policy", "strict", { name: "Strict", banned_topics: { enabled: true, topics } });
}

/** An agent that uses everything else of the desk. */
export function agentText(more: object = {}): string {
  return documentText("Agent", "support", {
    name: "Support",
    tools: ["${toolset:desk}"],
    llm_credential_id: "${credential:provider}",
    features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
    ...more,
  });
}

/** The documents of the desk: one of each kind. */
export const documents: Readonly<Record<string, string>> = {
  "policies/strict.yaml": policyText(),
  "toolsets/desk.yaml": documentText("ToolSet", "desk", {
    tool_set_name: "desk",
    openapi_schema: {
      openapi: "3.1.0",
      info: { title: "Desk", version: "1" },
      paths: {
        "/tickets": {
          get: { operationId: "listTickets", responses: {} },
          post: { operationId: "createTicket", responses: {} },
        },
      },
    },
    default_headers: { Authorization: "Bearer ${env:DESK_TOKEN}" },
  }),
  "credentials/provider.yaml": documentText("Credential", "provider", {
    name: "Provider",
    credentials: { api_key: "${env:PROVIDER_KEY@1}" },
  }),
  "agents/support.yaml": agentText(),
};

/** Makes a desk of the given files, with an emulator in the place of the service. */
export async function openDesk(
  files: Readonly<Record<string, string>> = documents,
  options: EmulatorOptions = {},
): Promise<Desk> {
  const emulator = await openEmulator(options);
  const workspace = makeWorkspace({ "agentform.yaml": manifestAt(emulator.url), ...files });
  return {
    workspace,
    emulator,
    run: (...args) => runIn(workspace.directory, args),
    lock: () => JSON.parse(workspace.read("agentform.lock")) as Lock,
  };
}

/** Starts an emulator that ends with the test. */
export async function openEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

/** Runs a command in a folder, where nobody can be asked. */
export async function runIn(
  cwd: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  let out = "";
  let err = "";
  const secrets = { AGENT_API_KEY: secretValue, DESK_TOKEN: secretValue, PROVIDER_KEY: secretValue };
  const env = {
    ...secrets,
    EXAMPLE_SEAL: `${secretValue} `.repeat(8),
    OLD_SEAL: secretValue.repeat(8),
    ...more,
  };
  const code = await main(args, {
    env,
    cwd,
    isTerminal: false,
    canAsk: false,
    showsProgress: false,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}
