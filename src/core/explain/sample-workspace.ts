/** The files of the sample workspace by what they hold. */
export const manifest = "agentform.yaml";
export const policy = "policies/strict.yaml";
export const toolset = "toolsets/helpdesk.yaml";
export const openapi = "openapi/helpdesk.yaml";
export const credential = "credentials/openai.yaml";
export const agent = "agents/support.yaml";

/** The small workspace that all examples start from: one resource of each kind. */
export const sampleWorkspace: Readonly<Record<string, string>> = {
  [manifest]: `apiVersion: agentform/v1
kind: Workspace
metadata:
  name: desk
spec:
  service:
    base_url: https://agents.example.com
    rai_base_url: https://rai.example.com
    api_key: \${env:AGENT_API_KEY}
    tool_ids: document_order
`,
  [policy]: `apiVersion: agentform/v1
kind: Policy
metadata:
  name: strict
spec:
  name: Strict
  banned_topics:
    enabled: true
    topics: [politics]
`,
  [toolset]: `apiVersion: agentform/v1
kind: ToolSet
metadata:
  name: helpdesk
spec:
  tool_set_name: helpdesk
  openapi_schema: \${file:../openapi/helpdesk.yaml}
`,
  [openapi]: `openapi: 3.1.0
info: {title: Help desk, version: "1"}
servers:
  - url: https://desk.example.com
paths:
  /tickets:
    get: {operationId: listTickets, responses: {}}
    post: {operationId: createTicket, responses: {}}
`,
  [credential]: `apiVersion: agentform/v1
kind: Credential
metadata:
  name: openai
spec:
  name: OpenAI
  provider_id: openai
  credentials:
    api_key: \${env:OPENAI_API_KEY}
`,
  [agent]: `apiVersion: agentform/v1
kind: Agent
metadata:
  name: support
spec:
  name: Support
  model: small-1
  llm_credential_id: \${credential:openai}
  tools: ["\${toolset:helpdesk}"]
  features:
    - {type: RAI, priority: 0, config: {policy_id: "\${policy:strict}"}}
`,
};
