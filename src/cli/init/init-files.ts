import { commonFiles } from "./init-files-common.js";
import { fleetFiles } from "./init-files-fleet.js";

/** A workspace that `init` can make. */
export interface NewWorkspace {
  /** By path; all of it is ready to plan. */
  readonly files: Readonly<Record<string, string>>;
  /** The environments; `default` is the default one. */
  readonly environments: readonly string[];
  /** The environment variables that an apply needs. */
  readonly secrets: readonly string[];
  readonly store: NewStore["store"];
}

/** What a new workspace has: one of each kind, a fleet, or nothing but its manifest. */
export type WorkspaceForm = "single" | "fleet" | "empty";

/** Where a new workspace keeps its state: in files, on a git ref, or in a project of GitLab. */
export type NewStore =
  | { readonly store: "file" | "git" }
  | { readonly store: "http"; readonly project: string };

/** Gives a new workspace. */
export function newWorkspace(name: string, form: WorkspaceForm, kept: NewStore): NewWorkspace {
  const { files, ...rest } = { single, fleet, empty }[form](name);
  const { "agentform.yaml": manifest, ...others } = files;
  if (kept.store === "file")
    return { ...rest, store: "file", files: { ...files, ".gitattributes": attributes } };
  const lock = kept.store === "http" ? gitlabLockText(kept.project, name) : lockText;
  return { ...rest, store: kept.store, files: { "agentform.yaml": manifest + lock, ...others } };
}

function single(name: string) {
  return {
    files: { "agentform.yaml": manifestText(name), ...documents },
    environments: ["default"],
    secrets: ["AGENT_API_KEY", "PROVIDER_API_KEY", "WEATHER_TOKEN"],
  };
}

function fleet(name: string) {
  return {
    files: fleetFiles(name),
    environments: ["staging", "production"],
    secrets: ["AGENT_API_KEY", "PROVIDER_API_KEY", "HELPDESK_TOKEN"],
  };
}

function empty(name: string) {
  const { ".gitignore": ignored } = commonFiles;
  return {
    files: { "agentform.yaml": serviceText(name) + operationsText, ".gitignore": ignored },
    environments: ["default"],
    secrets: ["AGENT_API_KEY"],
  };
}

const lockText = `  lock:
    store: git                             # on a ref of its own, refs/agentform/…, that every runner sees
`;

function gitlabLockText(project: string, name: string): string {
  return `  lock:
    store: http                            # the state that GitLab manages, which every runner sees
    gitlab: {project: ${project}, name: ${name}}
`;
}

// Where two branches have a lock file, agentform merges it.
const attributes = `agentform*.lock merge=agentform
`;

/** The command that makes git merge locks with agentform; each clone needs it, as git takes no command from a commit. */
export const mergeDriver = 'git config merge.agentform.driver "agentform lock merge %O %A %B"';

function manifestText(name: string): string {
  return `${serviceText(name)}  variables:
    model: small-1
`;
}

// What a deployment answers differs, so that nothing here can be more than an example.
const operationsText = `    # What your deployment can do beyond creating, for \`agentform import\` and others; see docs/deployments.md:
    # operations:
    #   policy: {list: {request: GET /v1/rai/policies, items: "", id: /_id}, read: "GET /v1/rai/policies/{id}"}
    #   credential: {list: {request: GET /v3/tools/credentials, items: "", id: /_id}}
    #   toolset: {list: {request: GET /v3/tools/, items: "", id: /_id}, read: "GET /v3/tools/{id}"}
    #   agent: {list: {request: GET /v3/agents/, items: "", id: /_id}, read: "GET /v3/agents/{id}"}
`;

function serviceText(name: string): string {
  return `apiVersion: agentform/v1
kind: Workspace
metadata:
  name: ${name}
spec:
  service:
    base_url: https://agents.example.com
    rai_base_url: https://rai.example.com
    api_key: \${env:AGENT_API_KEY}          # not needed for a plan
    # tool_ids: document_order             # if your deployment answers tool IDs in the order of the operations
`;
}

const documents = {
  "policies/careful.yaml": `apiVersion: agentform/v1
kind: Policy
metadata:
  name: careful
spec:
  name: Careful
  description: Keeps answers on topic and personal data out.
  banned_topics:
    enabled: true
    topics: [legal advice, medical advice]
  prompt_injection:
    enabled: true
    threshold: 0.5
`,
  "toolsets/weather.yaml": `apiVersion: agentform/v1
kind: ToolSet
metadata:
  name: weather
spec:
  tool_set_name: weather
  openapi_schema: \${file:../openapi/weather.yaml}
  default_headers:
    Authorization: Bearer \${env:WEATHER_TOKEN}
`,
  "openapi/weather.yaml": `openapi: 3.1.0
info: {title: Weather, version: 1.0.0}
servers:
  - url: https://weather.example.com
paths:
  /forecast/{city}:
    get:
      operationId: getForecast
      summary: The forecast of a city for the next days
      parameters:
        - {name: city, in: path, required: true, schema: {type: string}}
        - {name: days, in: query, schema: {type: integer, minimum: 1, maximum: 7}}
      responses:
        "200": {description: The forecast}
`,
  "agents/assistant.yaml": `apiVersion: agentform/v1
kind: Agent
metadata:
  name: assistant
  labels: {team: example}
spec:
  name: Assistant
  system_prompt: \${file:../prompts/assistant.md}
  provider_id: OpenAI
  model: \${var:model}
  llm_credential_id: \${credential:provider}
  tools: ["\${toolset:weather}"]
  features:
    - {type: RAI, priority: 0, config: {policy_id: "\${policy:careful}"}}
`,
  "prompts/assistant.md": `You answer questions about the weather.

Use the forecast tool, name the city and the day, and say so when you do not know.
`,
  ...commonFiles,
};
