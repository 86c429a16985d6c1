import { commonFiles } from "./init-files-common.js";

/** Gives the files of a workspace for a fleet, by path: two environments, and an agent for each of two languages. */
export function fleetFiles(
  name: string,
): { readonly "agentform.yaml": string } & Readonly<Record<string, string>> {
  return { "agentform.yaml": manifestText(name), ...documents };
}

function manifestText(name: string): string {
  return `apiVersion: agentform/v1
kind: Workspace
metadata:
  name: ${name}
spec:
  service:
    api_key: \${env:AGENT_API_KEY}          # not needed for a plan
    # tool_ids: document_order             # if your deployment answers tool IDs in the order of the operations
  variables:
    model: small-1
  environments:                            # each with a service, a lock and objects of its own
    staging:
      service:
        base_url: https://agents.staging.example.com
        rai_base_url: https://rai.staging.example.com
    production:
      service:
        base_url: https://agents.example.com
        rai_base_url: https://rai.example.com
      variables:
        model: large-2
  defaults:                                # laid under the documents, which win over them
    - kind: Agent
      spec:
        provider_id: OpenAI
        model: \${var:model}
        llm_credential_id: \${credential:provider}
    - kind: Agent
      selector: {audience: customer}       # only documents with this label
      spec:
        temperature: 0.2
        features:
          - {type: RAI, priority: 0, config: {policy_id: "\${policy:customer}"}}
`;
}

const documents = {
  "languages.yaml": `# One key for each language; documents use what is under it as \${each:NAME}.
de:
  language: German
  manner: Address customers as "Sie".
en:
  language: English
  manner: Use first names once the customer has.
`,
  "policies/customer.yaml": `apiVersion: agentform/v1
kind: Policy
metadata:
  name: customer
spec:
  name: Customer conversations
  description: For every agent whose answers a customer reads.
  banned_topics:
    enabled: true
    topics: [legal advice, medical advice]
  prompt_injection:
    enabled: true
    threshold: 0.3
`,
  "toolsets/helpdesk.yaml": `apiVersion: agentform/v1
kind: ToolSet
metadata:
  name: helpdesk
operations:                                # only these become tools
  - GET /tickets*
  - createTicket
spec:
  tool_set_name: helpdesk
  openapi_schema: \${file:../openapi/helpdesk.yaml}
  default_headers:
    Authorization: Bearer \${env:HELPDESK_TOKEN}
`,
  "openapi/helpdesk.yaml": `openapi: 3.1.0
info: {title: Helpdesk, version: 1.0.0}
servers:
  - url: https://helpdesk.example.com
paths:
  /tickets:
    get:
      operationId: listTickets
      summary: List the open tickets of a customer
      parameters:
        - {name: customer, in: query, required: true, schema: {type: string}}
      responses:
        "200": {description: The tickets}
    post:
      operationId: createTicket
      summary: Open a ticket
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Ticket"}
      responses:
        "201": {description: The ticket}
  /tickets/{ticketId}:
    parameters:
      - {name: ticketId, in: path, required: true, schema: {type: string}}
    get:
      operationId: getTicket
      summary: Read a ticket
      responses:
        "200": {description: The ticket}
    delete:
      operationId: deleteTicket
      summary: Delete a ticket
      responses:
        "204": {description: Deleted}
components:
  schemas:
    Ticket:
      type: object
      required: [subject]
      properties: {subject: {type: string}, text: {type: string}}
`,
  "agents/support.yaml": `apiVersion: agentform/v1
kind: Agent
metadata:
  name: support-\${each:key}
  labels: {audience: customer}
for_each: \${file:../languages.yaml}       # one agent for each language: agent:support-de, agent:support-en
spec:
  name: Support (\${each:language})
  system_prompt: \${template:../prompts/support.md}
  tools: ["\${toolset:helpdesk}"]
`,
  "agents/rehearsal.yaml": `apiVersion: agentform/v1
kind: Agent
metadata:
  name: rehearsal
spec:
  name: Rehearsal customer
  description: Plays a customer, to try out the support agents.
  system_prompt: \${file:../prompts/rehearsal.md}
lifecycle:
  environments: [staging]                  # exists there alone
`,
  "prompts/support.md": `You answer customers in \${each:language}. \${each:manner}

Look for tickets of the customer first, open one when a person must decide, and say so when you do not know.
`,
  "prompts/rehearsal.md": `You play a customer who is in a hurry and leaves things out. Invent a name and a problem, and keep to them.
`,
  ...commonFiles,
};
