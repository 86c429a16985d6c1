import { installedFiles } from "../../src/cli/init/own-package.js";
import { documentText } from "../harness/disk-workspace.js";

/** What the documents of the desk say; what is left out is as at the beginning. */
export interface DeskState {
  readonly store?: "git" | "file";
  readonly topics?: readonly string[];
  readonly threshold?: number;
  readonly prompt?: string;
  readonly greeting?: string;
}

/** The folder of the workspace in the repository. */
export const folder = "fleet/desk";

/** The secret values that an apply needs; nothing that is stored or printed may hold them. */
export const secrets = { AGENT_API_KEY: "k3y-value", PROVIDER_KEY: "pr0vider-value" };

/** Gives the manifest of the desk. */
export function manifest(url: string, store: "git" | "file" | "http"): Record<string, string> {
  const spec = {
    service: { base_url: url, rai_base_url: url, api_key: "${env:AGENT_API_KEY}" },
    lock: { store, ...(store === "http" && { gitlab: { project: 7 } }) },
  };
  const text = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  return { [`${folder}/agentform.yaml`]: JSON.stringify(text) };
}

/** Gives the document of the policy. */
export function policy({ topics = ["weapons"], threshold = 0.5 }: DeskState = {}): Record<string, string> {
  const spec = {
    name: "Strict",
    banned_topics: { enabled: true, topics },
    prompt_injection: { enabled: true, threshold },
  };
  return { [`${folder}/policies/strict.yaml`]: `${documentText("Policy", "strict", spec)}\n` };
}

/** Gives the document of the agent that uses the policy. */
export function support({ prompt = "Help." }: DeskState = {}): Record<string, string> {
  const spec = {
    name: "Support",
    system_prompt: prompt,
    llm_credential_id: "${credential:provider}",
    features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
  };
  return { [`${folder}/agents/support.yaml`]: `${documentText("Agent", "support", spec)}\n` };
}

/** Gives the document of an agent that uses nothing. */
export function greeter({ greeting = "Hello." }: DeskState = {}): Record<string, string> {
  const spec = { name: "Greeter", system_prompt: greeting };
  return { [`${folder}/agents/greeter.yaml`]: `${documentText("Agent", "greeter", spec)}\n` };
}

/** Gives the document of the credential. */
export function credential(): Record<string, string> {
  const spec = { name: "Provider", credentials: { api_key: "${env:PROVIDER_KEY}" } };
  return { [`${folder}/credentials/provider.yaml`]: `${documentText("Credential", "provider", spec)}\n` };
}

/** Gives the folder that a CI installs agentform from, as far as a machine without a real npm reads it. */
export function installed(place: string): Record<string, string> {
  return Object.fromEntries(installedFiles.map((file) => [`${place}/${file}`, `${file}\n`]));
}
