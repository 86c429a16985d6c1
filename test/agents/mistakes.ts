/** A mistake that somebody made in a workspace: one text in the place of another, in one file. */
export interface Mistake {
  readonly name: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

const support = "agents/support.yaml";
const triage = "agents/triage.yaml";
const supervisor = "agents/supervisor.yaml";
const manifest = "agentform.yaml";

function made(name: string, file: string, right: string, wrong: string): Mistake {
  return { name, file, right, wrong };
}

/** Mistakes in `examples/support-desk`, of all sorts that documents and manifest can have. */
export const mistakes: readonly Mistake[] = [
  made("a field misspelt", support, "  description:", "  descripton:"),
  made("two letters of a field swapped", support, "  system_prompt:", "  system_promtp:"),
  made("a field in another spelling", support, "  top_p:", "  topP:"),
  made("a field of a feature misspelt", support, "priority: 0", "priorty: 0"),
  made("a key of the policy misspelt", support, "policy_id", "policyId"),
  made("a type of a feature misspelt", support, "type: RAI", "type: RIA"),
  made("a kind misspelt", triage, "kind: Agent", "kind: Agnet"),
  made("a kind in lower case", triage, "kind: Agent", "kind: agent"),
  made("a version of another tool", triage, "apiVersion: agentform/v1", "apiVersion: agentform/v2"),
  made("a key of metadata misspelt", triage, "  labels:", "  lables:"),
  made("a section misspelt", support, "lifecycle:", "lifecyle:"),
  made("a key of lifecycle misspelt", support, "  protect: true", "  protected: true"),
  made("a policy that is not there", support, "${policy:strict}", "${policy:strct}"),
  made("a tool set that is not there", support, "${toolset:helpdesk}", "${toolset:helpdsk}"),
  made("a credential that is not there", support, "${credential:openai}", "${credential:opnai}"),
  made("an agent that is not there", supervisor, "${agent:triage}", "${agent:traige}"),
  made("an operation that is not there", support, "GET /invoices/{invoiceId}", "GET /invoice/{invoiceId}"),
  made("a variable that is not there", support, "${var:temperature}", "${var:temprature}"),
  made("a scheme misspelt", support, "${var:model}", "${vra:model}"),
  made("a scheme for a reference of another kind", support, "${template:", "${templat:"),
  made("a file that is not there", triage, "prompts/triage.md", "prompts/triag.md"),
  made("a prompt that is not there", supervisor, "prompts/supervisor.md", "prompts/supervisr.md"),
  made(
    "a field that only the service sets",
    support,
    "  top_p: 0.9",
    "  top_p: 0.9\n  _id: 66f1c0de0000000000000001",
  ),
  made("a time that only the service sets", triage, "spec:\n", "spec:\n  created_at: 2026-01-01\n"),
  made("a key twice", support, "  top_p: 0.9", "  top_p: 0.9\n  top_p: 0.8"),
  made(
    "a key of the manifest misspelt",
    manifest,
    "  variables:\n    model: small",
    "  varibles:\n    model: small",
  ),
  made("a key of the service misspelt", manifest, "    tool_ids: document", "    tool_id: document"),
  made("a value of the manifest misspelt", manifest, "document_order", "document_ordr"),
  made("a field that nobody declared", manifest, "agent: [managed_agents]", "agnet: [managed_agents]"),
  made("a name without its form", support, '"${policy:strict}"', '"policy:strict"'),
];
