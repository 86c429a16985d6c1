/**
 * Makes a workspace for measurements: 60 % agents, 20 % tool sets, 20 % policies, one document per file or many.
 * `node bench/make-workspace.mjs DIR COUNT [DOCUMENTS_A_FILE] [URL]`
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const words =
  "You answer customers of the shop in their own language and say so when you do not know. ".repeat(6);

// A workspace may have 200,000 expressions.
const mostPairs = 100_000;

/** Writes the workspace of a service at `url`; the same arguments give the same bytes. */
export function makeWorkspace(directory, count, perFile = 1, url = "http://127.0.0.1:8787") {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "agentform.yaml"), manifest(url));
  const sets = Math.max(1, Math.round(count * 0.2));
  const isPaired = count - 2 * sets <= mostPairs;
  const documents = Array.from({ length: count }, (_, index) => {
    if (index < sets) return policy(index);
    return index < 2 * sets ? toolset(index - sets) : agent(index - 2 * sets, sets, isPaired);
  });
  for (let at = 0, file = 0; at < documents.length; at += perFile, file++) {
    const folder = join(directory, "documents", String(Math.floor(file / 1000)));
    if (file % 1000 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${file}.yaml`), documents.slice(at, at + perFile).join("---\n"));
  }
}

function manifest(url) {
  return `apiVersion: agentform/v1
kind: Workspace
metadata: {name: bench}
spec:
  service:
    base_url: ${url}
    rai_base_url: ${url}
    api_key: \${env:AGENT_API_KEY}
    tool_ids: document_order
  include: [documents]
`;
}

function head(kind, name) {
  return `apiVersion: agentform/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  labels: {team: bench}\n`;
}

function policy(index) {
  return `${head("Policy", `policy-${index}`)}spec:
  name: Policy ${index}
  description: ${words}
  banned_topics:
    enabled: true
    topics: [weapons, politics, medical advice, legal advice]
  toxicity_check: {enabled: true, threshold: 0.4}
  prompt_injection: {enabled: true, threshold: 0.3}
  pii_detection:
    enabled: true
    types: {CREDIT_CARD: block, EMAIL_ADDRESS: redact}
`;
}

function toolset(index) {
  return `${head("ToolSet", `tools-${index}`)}spec:
  tool_set_name: tools-${index}
  openapi_schema:
    openapi: 3.1.0
    info: {title: Tools ${index}, version: 1.0.0}
    servers: [{url: "https://tools-${index}.example.com"}]
    paths:
      /items:
        get: {operationId: listItems, summary: Lists the items, responses: {"200": {description: The items}}}
        post: {operationId: createItem, summary: Makes an item, responses: {"201": {description: The item}}}
      /items/{id}:
        get:
          operationId: getItem
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: The item}}
  default_query_params: {region: eu-west}
`;
}

// In a large workspace an agent has a tool set or a policy, and not both, but more to say.
function agent(index, sets, isPaired) {
  const tools = `  tools: ["\${toolset:tools-${index % sets}}"]\n`;
  const policy = `  features:
    - {type: RAI, priority: 0, config: {policy_id: "\${policy:policy-${(index * 7) % sets}}"}}
`;
  return `${head("Agent", `agent-${index}`)}spec:
  name: Agent ${index}
  description: Answers questions of group ${index}
  system_prompt: |
    ${words}
    ${words}
${isPaired ? "" : `    ${words}\n`}  provider_id: OpenAI
  model: small-1
  temperature: 0.2
${isPaired || index % 2 === 0 ? tools : ""}${isPaired || index % 2 === 1 ? policy : ""}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [directory, count, perFile = "1", url] = process.argv.slice(2);
  makeWorkspace(directory, Number(count), Number(perFile), url);
}
