import { kinds } from "../../src/core/kind/kinds.js";
import type { KindName } from "../../src/generated/kinds.js";
import type { Json, JsonObject } from "../../src/json/json.js";
import { documentText } from "../harness/disk-workspace.js";

/** One document. Its label is in the name of its object, and stays when the document gets another key. */
export interface Item {
  readonly kind: KindName;
  readonly label: string;
  key: string;
  revision: number;
  /** Counts the editions of what cannot be updated in place. */
  edition: number;
  movedFrom: string[];
}

/** The documents of a workspace, as people edit them. */
export class Fleet {
  readonly items: Item[] = [];
  #count = 0;

  /** Adds a document under a key that is free, a forgotten one's if there is any and it is wanted. */
  add(kind: KindName, wantsOldKey: boolean): void {
    const label = `label-${++this.#count}`;
    const mentioned = this.items.flatMap(({ movedFrom }) => movedFrom);
    const isFree = (key: string) =>
      this.#at(kind, key) === undefined && !mentioned.includes(`${kind}:${key}`);
    const old = ["one", "two", "three"].find(isFree);
    const key = wantsOldKey && old !== undefined ? old : `new-${this.#count}`;
    this.items.push({ kind, label, key, revision: 1, edition: 1, movedFrom: [] });
  }

  /** Chooses a document by any number; undefined where there is none. */
  choose(choice: number): Item | undefined {
    return this.items[choice % Math.max(1, this.items.length)];
  }

  /** Chooses documents by the bits of a number. */
  some(choice: number): Item[] {
    return this.items.filter((_, index) => ((choice >> (index % 8)) & 1) === 1);
  }

  remove(item: Item): void {
    this.items.splice(this.items.indexOf(item), 1);
  }

  /** Gives a document another key, and says from where it comes. */
  rename(item: Item): void {
    item.movedFrom = [addressOf(item), ...item.movedFrom];
    item.key = `moved-${++this.#count}`;
  }

  /** The files of all documents. */
  files(): Record<string, string> {
    return Object.fromEntries(
      this.items.map((item) => {
        const { document, folder } = kinds[item.kind];
        const lifecycle = item.movedFrom.length > 0 ? { moved_from: item.movedFrom } : undefined;
        return [
          `${folder}/${item.key}.yaml`,
          documentText(document, item.key, this.#specOf(item), lifecycle),
        ];
      }),
    );
  }

  /** The documents of a kind. */
  of(kind: KindName): Item[] {
    return this.items.filter((item) => item.kind === kind);
  }

  #at(kind: KindName, key: string): Item | undefined {
    return this.items.find((item) => item.kind === kind && item.key === key);
  }

  #specOf(item: Item): JsonObject {
    const { kind, label, revision, edition } = item;
    const [policy] = this.of("policy").map((each) => `\${${addressOf(each)}}`);
    switch (kind) {
      case "policy":
        return { name: label, description: `revision ${revision}` };
      case "credential":
        return { name: label, credentials: { key: "${env:KEY}" }, meta_data: { revision } };
      case "toolset":
        return {
          tool_set_name: label,
          openapi_schema: openapi(edition),
          default_query_params: { revision },
          ...(policy !== undefined && { default_body_params: { policy } }),
        };
      case "agent":
        return { name: label, system_prompt: `revision ${revision}`, ...this.#referencesOf(item, policy) };
    }
  }

  #referencesOf(agent: Item, policy: string | undefined): JsonObject {
    const tools = this.of("toolset").map((each) => `\${${addressOf(each)}}`);
    const [credential] = this.of("credential").map((each) => `\${${addressOf(each)}}`);
    const agents = this.of("agent");
    const [colleague] = agents.slice(0, agents.indexOf(agent)).map((each) => `\${${addressOf(each)}}`);
    const rai: Json = { type: "RAI", priority: 0, config: { policy_id: policy ?? "" } };
    return {
      tools,
      ...(credential !== undefined && { llm_credential_id: credential }),
      ...(policy !== undefined && { features: [rai] }),
      ...(colleague !== undefined && { managed_agents: [colleague] }),
    };
  }
}

/** The address of a document. */
export function addressOf({ kind, key }: Item): string {
  return `${kind}:${key}`;
}

function openapi(edition: number): JsonObject {
  const operations = Array.from({ length: 1 + (edition % 2) }, (_, index) => `operation${index}`);
  return {
    openapi: "3.1.0",
    info: { title: "Desk", version: "1" },
    paths: Object.fromEntries(
      operations.map((operationId) => [
        `/${operationId}-${edition}`,
        { get: { operationId, responses: {} } },
      ]),
    ),
  };
}
