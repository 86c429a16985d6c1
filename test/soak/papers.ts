import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { kinds, kindNames } from "../../src/core/kind/kinds.js";
import type { KindName } from "../../src/generated/kinds.js";
import { isObject, type Json, type JsonObject } from "../../src/json/json.js";

/** A document as it is on the disk, whoever wrote it. */
export interface Paper {
  readonly file: string;
  readonly kind: KindName;
  readonly address: string;
  readonly spec: JsonObject;
  readonly lifecycle: JsonObject;
}

const anchor = "anchor";

/** What somebody does to documents. */
export type PaperEdit = (typeof paperEdits)[number];

/** Each edit, the frequent ones more than once. */
export const paperEdits = [
  "add",
  "add",
  "add again",
  "change",
  "change",
  "change",
  "refer",
  "remove",
  "move",
  "rename",
  "protect",
  "on_removal",
  "on_replaced",
] as const;

/** The documents of a workspace, which one hand edits and an import adds to. */
export class Papers {
  readonly #removed = new Map<string, Paper>();
  #count = 0;

  constructor(private readonly directory: string) {}

  /** All documents, in the order of their files. */
  all(): Paper[] {
    return kindNames.flatMap((kind) => {
      const folder = join(this.directory, kinds[kind].folder);
      const files = existsSync(folder) ? readdirSync(folder).toSorted() : [];
      return files.map((name) => this.#read(kind, `${kinds[kind].folder}/${name}`));
    });
  }

  /** Edits a document that a number chooses. */
  edit(edit: PaperEdit, kind: KindName, choice: number): void {
    const all = this.all();
    const paper = all[choice % Math.max(1, all.length)];
    if (edit === "add" || !paper) return this.add(kind, choice);
    const number = ++this.#count;
    const { lifecycle, spec } = paper;
    switch (edit) {
      case "add again":
        return this.#bringBack(choice);
      case "change":
        return this.#write({ ...paper, spec: { ...spec, ...this.#changed(paper, choice) } });
      case "refer":
        return this.#write({ ...paper, spec: { ...spec, ...this.#references(paper.kind, choice) } });
      case "remove":
        return this.#remove(paper);
      case "move": {
        const from = [paper.address, ...((lifecycle.moved_from ?? []) as Json[])];
        return this.#rename(paper, `moved-${number}`, { ...lifecycle, moved_from: from });
      }
      case "rename":
        return this.#rename(paper, `renamed-${number}`);
      case "protect":
        return this.#write({ ...paper, lifecycle: { ...lifecycle, protect: lifecycle.protect !== true } });
      case "on_removal":
        return this.#write({ ...paper, lifecycle: { ...lifecycle, on_removal: "delete" } });
      case "on_replaced":
        return this.#write({ ...paper, lifecycle: { ...lifecycle, on_replaced: "delete" } });
    }
  }

  /** Adds the document that stays: without one, a secret's variable is known to nobody, and neither is its value. */
  anchor(): void {
    const spec = { name: anchor, credentials: { key: "${env:PROVIDER_KEY}", token: "${env:DESK_TOKEN}" } };
    const file = `${kinds.credential.folder}/${anchor}.yaml`;
    this.#write({ file, kind: "credential", address: `credential:${anchor}`, spec, lifecycle: {} });
  }

  /** Adds a document of a kind. */
  add(kind: KindName, choice: number): void {
    const number = ++this.#count;
    const key = `new-${number}`;
    const spec = { ...this.#newSpec(kind, `label-${number}`), ...this.#references(kind, choice) };
    const file = `${kinds[kind].folder}/${key}.yaml`;
    this.#write({ file, kind, address: `${kind}:${key}`, spec, lifecycle: {} });
  }

  /** Gives the documents that exist in an environment. */
  in(environment: string | undefined): Paper[] {
    return this.all().filter(({ lifecycle: { environments } }) => {
      return !Array.isArray(environments) || environments.includes(environment ?? "default");
    });
  }

  /** Takes the protection from a document, and brings it back for that if it was removed. */
  unprotect(address: string): void {
    const there = this.all().find((paper) => paper.address === address);
    const removed = this.#removed.get(address);
    const paper = there ?? (removed && this.#sound(removed));
    if (!paper) throw new Error(`${address} was never there`);
    const { protect: _protect, ...lifecycle } = paper.lifecycle;
    this.#write({ ...paper, lifecycle });
  }

  #newSpec(kind: KindName, label: string): JsonObject {
    switch (kind) {
      case "policy":
        return { name: label, banned_topics: { enabled: true, topics: ["weapons", "drugs"] } };
      case "credential":
        return { name: label, credentials: { key: "${env:PROVIDER_KEY@1}" }, meta_data: { revision: "1" } };
      case "toolset":
        return {
          tool_set_name: label,
          openapi_schema: openapi(label),
          default_headers: { Authorization: "Bearer ${env:DESK_TOKEN}", "X-Team": "care" },
          default_query_params: { lang: "en" },
        };
      case "agent":
        return {
          name: label,
          description: "as written",
          system_prompt: "Be kind.\nBe brief.\n",
          temperature: 1,
        };
    }
  }

  #changed({ kind, spec }: Paper, choice: number): JsonObject {
    const number = ++this.#count;
    switch (kind) {
      case "policy":
        return choice % 2 === 0
          ? { banned_topics: { enabled: true, topics: ["weapons", `topic ${number}`] } }
          : { description: `written ${number}` };
      case "credential":
        return { meta_data: { revision: String(number) } };
      case "toolset":
        return choice % 8 === 0
          ? { openapi_schema: openapi(`${String(spec.tool_set_name)}-${number}`) }
          : { default_query_params: { lang: `lang ${number}` } };
      case "agent":
        return choice % 2 === 0 ? { description: `written ${number}` } : { temperature: number };
    }
  }

  // Only to what was there before it, so that no two refer to each other.
  #references(kind: KindName, choice: number): JsonObject {
    // What an import wrote for one environment is nothing that the others can refer to.
    const all = this.all().filter(({ lifecycle }) => lifecycle.environments === undefined);
    const one = (name: KindName) => {
      const some = all.filter((paper) => paper.kind === name);
      const { address } = some[choice % Math.max(1, some.length)] ?? {};
      return address === undefined ? undefined : `\${${address}}`;
    };
    const [policy, credential, tools] = [one("policy"), one("credential"), one("toolset")];
    // An imported set has other operations, or some of its own alone.
    const hasFirst = all.some(
      ({ address, spec }) =>
        tools === `\${${address}}` &&
        spec.operations === undefined &&
        JSON.stringify(spec.openapi_schema).includes('"first"'),
    );
    if (kind === "toolset" && policy !== undefined && choice % 3 === 0)
      return { default_body_params: { policy } };
    if (kind !== "agent") return {};
    return {
      ...(tools !== undefined && {
        tools: [choice % 4 === 0 && hasFirst ? tools.replace("}", "/first}") : tools],
      }),
      ...(credential !== undefined && { llm_credential_id: credential }),
      ...(policy !== undefined && {
        features: [{ type: "RAI", priority: 0, config: { policy_id: policy } }],
      }),
    };
  }

  #bringBack(choice: number): void {
    const old = [...this.#removed.values()][choice % Math.max(1, this.#removed.size)];
    const all = this.all();
    const isTaken = all.some(
      ({ address, lifecycle }) =>
        address === old?.address || JSON.stringify(lifecycle).includes(old?.address ?? ""),
    );
    if (old && !isTaken) this.#write(this.#sound(old));
  }

  // What it referred to may be gone, and its file may be that of a different one.
  #sound(paper: Paper): Paper {
    const addresses = new Set(this.all().map(({ address }) => address));
    const dead = referencesOf(paper.spec).filter((address) => !addresses.has(address));
    const spec = dead.reduce((rest, address) => without(rest, address) as JsonObject, paper.spec);
    const { moved_from: _from, ...lifecycle } = paper.lifecycle;
    return { ...paper, spec, lifecycle, file: `${kinds[paper.kind].folder}/back-${++this.#count}.yaml` };
  }

  #remove(paper: Paper): void {
    if (paper.spec.name === anchor) return;
    rmSync(join(this.directory, paper.file));
    this.#removed.set(paper.address, paper);
    for (const other of this.all()) {
      if (!referencesOf(other.spec).includes(paper.address)) continue;
      this.#write({ ...other, spec: without(other.spec, paper.address) as JsonObject });
    }
  }

  #rename(paper: Paper, key: string, lifecycle = paper.lifecycle): void {
    const address = `${paper.kind}:${key}`;
    this.#removed.set(paper.address, paper);
    this.#write({ ...paper, address, lifecycle });
    for (const other of this.all()) {
      if (!referencesOf(other.spec).includes(paper.address)) continue;
      const text = JSON.stringify(other.spec);
      const renamed = text
        .replaceAll(`\${${paper.address}}`, `\${${address}}`)
        .replaceAll(`\${${paper.address}/`, `\${${address}/`);
      this.#write({ ...other, spec: JSON.parse(renamed) as JsonObject });
    }
  }

  #read(kind: KindName, file: string): Paper {
    const document = parse(readFileSync(join(this.directory, file), "utf8")) as JsonObject;
    const { metadata, spec, lifecycle } = document as Record<string, JsonObject | undefined>;
    return {
      file,
      kind,
      address: `${kind}:${String(metadata?.name)}`,
      spec: spec ?? {},
      lifecycle: lifecycle ?? {},
    };
  }

  #write({ file, kind, address, spec, lifecycle }: Paper): void {
    const document = {
      apiVersion: "agentform/v1",
      kind: kinds[kind].document,
      metadata: { name: address.slice(kind.length + 1) },
      spec,
      ...(Object.keys(lifecycle).length > 0 && { lifecycle }),
    };
    mkdirSync(dirname(join(this.directory, file)), { recursive: true });
    writeFileSync(join(this.directory, file), `${JSON.stringify(document, null, 1)}\n`);
  }
}

function referencesOf(spec: JsonObject): string[] {
  return [...JSON.stringify(spec).matchAll(/\$\{((?:policy|credential|toolset|agent):[^}/]+)/g)].map(
    ([, address = ""]) => address,
  );
}

function without(value: Json, address: string): Json | undefined {
  const isDead = (part: Json) => referencesOf({ part }).includes(address);
  if (typeof value === "string") return isDead(value) ? undefined : value;
  if (Array.isArray(value)) return value.filter((item) => !isDead(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const rest = without(member, address);
      return rest === undefined ? [] : [[key, rest]];
    }),
  );
}

function openapi(label: string): JsonObject {
  const operation = (operationId: string) => ({ get: { operationId, responses: {} } });
  return {
    openapi: "3.1.0",
    info: { title: "Desk", version: "1" },
    paths: { [`/${label}`]: operation("first"), [`/${label}/second`]: operation("second") },
  };
}
