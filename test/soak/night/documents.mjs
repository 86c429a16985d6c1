/**
 * The documents that people keep: a model of them, how it is written as YAML, and what the service must have in the end.
 *
 * Each document has a mark that no other ever has, and it goes into the name that the service sees, with the mark of the environment.
 * What makes a new object when it changes has a version, so that each creation that somebody could want has a name of its own.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folders = { policy: "policies", toolset: "toolsets", credential: "credentials", agent: "agents" };
const titles = { policy: "Policy", toolset: "ToolSet", credential: "Credential", agent: "Agent" };

export class Documents {
  list = [];
  removed = [];
  /** Address to document, of every address that ever was: no name is used twice. */
  everAt = new Map();
  next = 1;

  constructor(dice) {
    this.dice = dice;
  }

  of(kind) {
    return this.list.filter((each) => each.kind === kind);
  }

  add(kind) {
    const mark = `${kind}-${this.next++}`;
    const document = { kind, mark, key: mark, version: 1, tune: 1, refs: [] };
    if (kind === "agent") document.refs = this.drawRefs();
    this.list.push(document);
    this.everAt.set(address(document), document);
    return document;
  }

  drawRefs() {
    return this.list
      .filter((each) => each.kind !== "agent" && this.dice.chance(0.5))
      .map((each) => each.mark);
  }

  /** A change of what is there already; says in words what it was. */
  change(document) {
    const { kind } = document;
    if (kind === "agent" && this.dice.chance(0.4)) {
      document.refs = this.drawRefs();
      return `${address(document)} refers to ${document.refs.join(" ") || "nothing"}`;
    }
    // A tool set has what is updated beside what makes it anew.
    const field = kind === "agent" || (kind === "toolset" && this.dice.chance(0.5)) ? "tune" : "version";
    document[field] += 1;
    return `${address(document)} gets ${field} ${document[field]}`;
  }

  remove(document) {
    this.removed.push(document);
    this.list = this.list.filter((each) => each !== document);
    for (const each of this.list) each.refs = each.refs.filter((mark) => mark !== document.mark);
  }

  move(document) {
    // An environment may have applied any of them last.
    document.movedFrom = [...(document.movedFrom ?? []), address(document)];
    document.key = `${document.mark}-${this.next++}`;
    this.everAt.set(address(document), document);
  }

  /** Puts a removed document back, as it was. */
  bringBack(document) {
    delete document.movedFrom;
    delete document.adopt;
    document.refs = [];
    this.removed = this.removed.filter((each) => each !== document);
    this.list.push(document);
  }

  write(folder) {
    for (const [kind, name] of Object.entries(folders)) {
      rmSync(join(folder, name), { recursive: true, force: true });
      mkdirSync(join(folder, name), { recursive: true });
      for (const each of this.of(kind))
        writeFileSync(
          join(folder, name, `${each.mark}.yaml`),
          `${JSON.stringify(this.document(each), null, 1)}\n`,
        );
    }
  }

  document(each) {
    const lifecycle = {};
    if (each.movedFrom !== undefined) lifecycle.moved_from = each.movedFrom;
    if (each.adopt !== undefined) lifecycle.adopt = each.adopt;
    return {
      apiVersion: "agentform/v1",
      kind: titles[each.kind],
      metadata: { name: each.key },
      spec: this.body(each, "${var:mark}", (other) => `\${${address(other)}}`, "${env:NIGHT_SECRET}"),
      ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
    };
  }

  /** The body, with names for an environment and references as `refer` gives them. */
  body(each, environment, refer, secret) {
    const { kind, version, tune } = each;
    const name = `${environment}.${each.mark}`;
    if (kind === "policy")
      return { name, description: `version ${version}`, toxicity_check: { enabled: true, threshold: 0.5 } };
    if (kind === "credential")
      return {
        name,
        provider_id: "openai",
        credentials: { token: secret },
        meta_data: { version: `v${version}` },
      };
    if (kind === "toolset") {
      const operation = (id) => ({
        operationId: id,
        summary: `version ${version}`,
        responses: { 200: { description: "fine" } },
      });
      const paths = { "/tickets": { get: operation("listTickets"), post: operation("createTicket") } };
      const openapi_schema = {
        openapi: "3.0.3",
        info: { title: "desk", version: "1" },
        servers: [{ url: "https://desk.example.com" }],
        paths,
      };
      return { tool_set_name: name, openapi_schema, default_headers: { "x-tune": `t${tune}` } };
    }
    const others = this.list.filter((other) => each.refs.includes(other.mark));
    const ofKind = (wanted) => others.filter((other) => other.kind === wanted).map(refer);
    const [credential] = ofKind("credential");
    return {
      name,
      system_prompt: `You answer. Tune ${tune}.`,
      model: "small-1",
      temperature: (tune % 10) / 10,
      ...(credential === undefined ? {} : { llm_credential_id: credential }),
      tools: ofKind("toolset").flat(),
      features: ofKind("policy").map((policy, priority) => ({
        type: "RAI",
        priority,
        config: { policy_id: policy },
      })),
    };
  }
}

export function address(document) {
  return `${document.kind}:${document.key}`;
}
