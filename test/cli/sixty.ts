import { manifestAt, openEmulator, runIn, type Ran } from "./desk.js";
import type { Emulator, EmulatorOptions } from "../../src/emulator/emulator.js";
import { byKind } from "../harness/kind-places.js";
import { makeWorkspace, type DiskWorkspace } from "../harness/disk-workspace.js";

/** The shapes of lists that a full service can have. */
export type Lists = NonNullable<EmulatorOptions["lists"]>;

/** What the manifest says of a service with lists of some shape. */
function operationsText(lists: Lists): string {
  const operations = byKind(({ one, all, key, update }, kind) => {
    const items = { array: "", key, pages: "/data/items" }[lists];
    const list = {
      request: `GET ${all}`,
      items,
      id: "/_id",
      ...(lists === "pages" && { next: "/paging/next" }),
    };
    const read = { request: `GET ${one}`, object: lists === "pages" ? "/data" : "" };
    return { list, read, ...(kind === "policy" && update) };
  });
  return `    operations: ${JSON.stringify(operations)}\n`;
}

/** The manifest of an empty workspace whose service can be asked. */
export function askingManifest(url: string, lists: Lists, more = ""): string {
  return manifestAt(url)
    .replace(/  service: \{(.*)\}\n/, (_all, members: string) => {
      const lines = members.split(/, (?=\w+:)/).map((member) => `    ${member}\n`);
      return `  service:\n${lines.join("")}${operationsText(lists)}`;
    })
    .replace(/\n*$/, `\n${more}`);
}

/** A service that somebody filled by hand, and an empty workspace. */
export interface Filled {
  readonly workspace: DiskWorkspace;
  readonly emulator: Emulator;
  run(...args: readonly string[]): Promise<Ran>;
  /** Makes an object with a plain request; gives the answer. */
  post(path: string, body: object): Promise<Record<string, unknown>>;
}

/** Starts a service that can be asked, and an empty workspace for it. */
export async function openAsked(lists: Lists = "array", options: EmulatorOptions = {}): Promise<Filled> {
  const emulator = await openEmulator({ operations: "full", lists, ...options });
  const workspace = makeWorkspace({ "agentform.yaml": askingManifest(emulator.url, lists) });
  return {
    workspace,
    emulator,
    run: (...args) => runIn(workspace.directory, args),
    async post(path, body) {
      const answer = await fetch(`${emulator.url}${path}`, {
        method: "POST",
        headers: { "x-api-key": "k", "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
  };
}

/** The OpenAPI document of one set. */
export function desk(title: string, operations: readonly string[]): object {
  return {
    openapi: "3.1.0",
    info: { title, version: "1" },
    servers: [{ url: "https://desk.example.com" }],
    paths: Object.fromEntries(
      operations.map((operation) => [
        `/${operation}/{id}`,
        {
          get: { operationId: operation, summary: `Gets \${HOME} of ${operation}`, responses: { "200": {} } },
        },
      ]),
    ),
  };
}

/** Makes sixty objects, as somebody with curl would, or a third of them: with all that differs among sixty. */
export async function makeSixty({ post }: Pick<Filled, "post">, isThird = false): Promise<void> {
  const count = isThird
    ? { policies: 4, credentials: 3, sets: 3, agents: 12 }
    : { policies: 12, credentials: 8, sets: 10, agents: 30 };
  const policies: string[] = [];
  for (let at = 0; at < count.policies; at++) {
    const { _id } = await post("/v1/rai/policies", {
      name: at < 3 ? "Strict policy" : `Policy №${at}`,
      description: at % 2 === 0 ? 'Says: "no"' : "",
      banned_topics: { enabled: true, topics: ["weapons", `topic ${at}`] },
      pii_detection: {
        enabled: true,
        types: { EMAIL: "mask" },
        custom_pii: [{ label: "Badge", replacement: "***", action: "mask" }],
      },
      toxicity_check: { enabled: at % 3 === 0, threshold: 0.5 },
    });
    policies.push(String(_id));
  }
  const credentials: string[] = [];
  for (let at = 0; at < count.credentials; at++) {
    const body = {
      name: `Provider ${at}`,
      provider_id: "OpenAI",
      credentials: { api_key: `sk-live-canary-${at}`, nested: { token: "another-canary" } },
      meta_data: { region: "eu" },
    };
    const answer = await post("/v3/tools/credentials", body);
    credentials.push(String(answer.credential_id ?? answer._id ?? answer.id));
  }
  const sets: string[][] = [];
  for (let at = 0; at < count.sets; at++) {
    const { tool_ids } = await post("/v3/tools/", {
      tool_set_name: at < 2 ? "twins" : `desk ${at}`,
      openapi_schema: desk(at < 2 ? "Twins" : `Desk ${at}`, [
        "listTickets",
        "getTicket",
        `special${at < 2 ? "" : at}`,
      ]),
      default_headers: { Authorization: "Bearer canary-header-value", trace: "on" },
    });
    sets.push((tool_ids as string[]).map(String));
  }
  for (let at = 0; at < count.agents; at++) {
    const set = sets[at % count.sets] ?? [];
    await post("/v3/agents/", {
      name: `Agent ${at}`,
      description: "{{ user }} pays $${x} and ${file:../../etc/passwd}",
      system_prompt:
        at % 2 === 0 ? `# Agent ${at}\n\nUse \${env:AWS_SECRET} and {{ name }}.\n\n- one\n- two` : "Short",
      model: "large-2",
      provider_id: "OpenAI",
      temperature: 0.25,
      llm_credential_id: credentials[at % count.credentials],
      tools: at % 3 === 0 ? set.slice(0, 1) : set,
      features: [{ type: "RAI", priority: 0, config: { policy_id: policies[at % count.policies] } }],
    });
  }
}
