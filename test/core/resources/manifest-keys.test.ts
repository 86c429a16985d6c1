import { readFileSync } from "node:fs";
import { markedPart } from "../../docs/marked-part.js";
import { describe, expect, it } from "vitest";
import { otherKeys, settingKeys } from "../../../src/core/resources/manifest-keys.js";
import { buildSettings, parseManifest } from "../../../src/core/resources/manifest.js";
import { buildPlan } from "../../../src/core/plan/plan.js";
import { noOptions } from "../../../src/core/plan/plan-options.js";
import { buildFleet } from "../../harness/build-fleet.js";
import { documentText } from "../../harness/disk-workspace.js";
import { noLock } from "../../plan/history.js";

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
}

/** One key of the manifest as its schema has it: `*` stands for a name that people choose. */
interface Key {
  readonly path: readonly string[];
  readonly schema: Schema;
}

const root = JSON.parse(
  readFileSync(new URL("../../../schemas/workspace.schema.json", import.meta.url), "utf8"),
) as Schema;
const keys = [...keysOf(root, [])];
const service = ["spec", "service"];
const ofEnvironment = ["spec", "environments", "*", "service"];

function* keysOf(schema: Schema, path: readonly string[]): Generator<Key> {
  const { properties = {}, additionalProperties, items, allOf = [] } = whole(schema);
  const isLeaf = Object.keys(properties).length === 0 && !isSchema(additionalProperties) && !items;
  // A variable is a value, or a mapping that declares it.
  const isValue = whole(schema).type?.includes("string") === true;
  if ((isLeaf && allOf.length === 0) || isValue) yield { path, schema: whole(schema) };
  for (const [name, part] of Object.entries(properties)) yield* keysOf(part, [...path, name]);
  if (isSchema(additionalProperties)) yield* keysOf(additionalProperties, [...path, "*"]);
  if (items) yield* keysOf(items, [...path.slice(0, -1), `${path.at(-1) ?? ""}[]`]);
}

function isSchema(part: Schema | boolean | undefined): part is Schema {
  return typeof part === "object";
}

function whole(schema: Schema): Schema {
  const parts = [schema, ...(schema.allOf ?? [])].map(({ $ref }) => $ref?.replace("#/definitions/", ""));
  const referred = parts.flatMap((name) => (name === undefined ? [] : [root.definitions?.[name] ?? {}]));
  return Object.assign({}, schema, { allOf: [] }, ...referred) as Schema;
}

function isWithin(path: readonly string[], folder: readonly string[]): boolean {
  return folder.every((name, index) => path[index] === name);
}

/** Gives the key of a service's settings or of the lock's that a path is of. */
function settingOf(path: readonly string[]): string | undefined {
  for (const folder of [service, ofEnvironment]) {
    const name = path[folder.length]?.replace("[]", "") ?? "";
    if (isWithin(path, folder))
      return Object.hasOwn(settingKeys.service ?? {}, name) ? `service.${name}` : undefined;
  }
  const [spec, section = "", name = ""] = path;
  return spec === "spec" && Object.hasOwn(settingKeys[section] ?? {}, name)
    ? `${section}.${name}`
    : undefined;
}

const named: Readonly<Record<string, string>> = { "*": "live" };

/** The lock of a store that has a key, as far as it must be written beside that key. */
function lockWith(key: string): object {
  if (["store", "seal", "remote", "ref"].includes(key)) return { store: "git" };
  if (key === "gitlab") return { store: "http", gitlab: { project: "group/name" } };
  if (["bucket", "key", "region", "endpoint"].includes(key)) {
    return { store: "s3", bucket: "desk", key: "state.json", region: "eu-central-1" };
  }
  if (/^(access_key_id|secret_access_key|session_token)$/.test(key)) {
    const pair = { access_key_id: "${env:ID}", secret_access_key: "${env:KEY}" };
    return { store: "s3", bucket: "desk", key: "state.json", region: "eu-central-1", ...pair };
  }
  if (["url", "schema"].includes(key)) return { store: "postgres" };
  const address = "https://state.example.com/{environment}";
  return { store: "http", address };
}

/** Makes a manifest that has a value at a path, among what it must have. */
function manifestWith(path: readonly string[], value: unknown): string {
  const manifest = {
    apiVersion: "agentform/v1",
    kind: "Workspace",
    metadata: { name: "test" },
    spec: {
      service: {},
      environments: { live: { service: {}, variables: {} } },
      variables: {},
      ...(path[1] === "lock" && { lock: lockWith(path[2] ?? "") }),
    },
  };
  let at: Record<string, unknown> = manifest;
  const names = path.map((name) => named[name] ?? name);
  for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
  const last = names.at(-1) ?? "";
  // A mapping of an operation says its request, and a parameter of the next page where that page is.
  const [operation] = names.slice(names.indexOf("operations") + 2);
  if (names.includes("operations") && operation !== last) {
    at["request"] = operationSamples[operation ?? ""]?.[0];
    if (last === "parameter") at["next"] = "/next";
  }
  if (last.endsWith("[]")) at[last.slice(0, -2)] = [value];
  else at[last] = value;
  return JSON.stringify(manifest);
}

const samples: Readonly<Record<string, readonly [unknown, unknown]>> = {
  "limits.orphans": [1, 2],
  "service.base_url": ["https://a.example.com", "https://b.example.com"],
  "service.rai_base_url": ["https://a.example.com", "https://b.example.com"],
  "service.api_key": ["${env:A}", "${env:B}"],
  "service.tool_ids": [undefined, "document_order"],
  "service.id_pointers": ["/a", "/b"],
  "service.rejected_statuses": [500, 503],
  "service.confirm": [undefined, "digest"],
  "service.field_names": ["a", "b"],
  "lock.store": ["file", "git"],
  "lock.seal": ["${env:A}", "${env:B}"],
  "lock.remote": ["a", "b"],
  "lock.ref": ["refs/agentform/a", "refs/agentform/b"],
  "lock.gitlab": ["a", "b"],
  "lock.address": ["https://a.example.com", "https://b.example.com"],
  "lock.lock_address": ["https://a.example.com/{environment}", "https://b.example.com/{environment}"],
  "lock.unlock_address": ["https://a.example.com/{environment}", "https://b.example.com/{environment}"],
  "lock.lock_method": ["LOCK", "PUT"],
  "lock.unlock_method": ["UNLOCK", "PUT"],
  "lock.username": ["a", "b"],
  "lock.password": ["${env:A}", "${env:B}"],
  "lock.url": ["${env:A}", "${env:B}"],
  "lock.schema": ["a", "b"],
  "lock.bucket": ["one", "other"],
  "lock.key": ["a.json", "b.json"],
  "lock.region": ["eu-central-1", "eu-west-1"],
  "lock.access_key_id": ["${env:A}", "${env:B}"],
  "lock.secret_access_key": ["${env:A}", "${env:B}"],
  "lock.session_token": ["${env:A}", "${env:B}"],
  "lock.endpoint": ["https://a.example.com", "https://b.example.com"],
};

const operationSamples: Readonly<Record<string, readonly [unknown, unknown]>> = {
  read: ["GET /a/{id}", "GET /b/{id}"],
  list: ["GET /a", "GET /b"],
  update: ["PUT /a/{id}", "PUT /b/{id}"],
  delete: ["DELETE /a/{id}", "DELETE /b/{id}"],
};

const partSamples: Readonly<Record<string, readonly [unknown, unknown]>> = {
  host: ["base", "rai"],
  "gone[]": [404, 410],
};

function samplesOf(path: readonly string[]): readonly [unknown, unknown] {
  const setting = settingOf(path) ?? "";
  if (setting !== "service.operations") return samples[setting] ?? [undefined, undefined];
  const [operation = "", part] = path.slice(path.indexOf("operations") + 2);
  if (part === undefined || part === "request") return operationSamples[operation] ?? ["", ""];
  return partSamples[part] ?? ["/a", "/b"];
}

function digestOf(manifestText: string): string {
  const parsed = parseManifest(manifestText);
  if (!parsed.ok) throw new Error(`${parsed.problems[0]?.message}: ${manifestText}`);
  const built = buildSettings(parsed, "live", new Map());
  if (!built.ok) throw new Error(built.problems[0]?.message);
  const { settings } = built;
  const files = [{ file: "agents/a.yaml", text: documentText("Agent", "a", { name: "A" }) }];
  const none = { read: () => ({ ok: false, code: "file-missing", message: "no file" }) as const };
  const fleet = buildFleet(settings, files, none);
  return buildPlan({ fleet, lock: noLock, source: null, options: noOptions }).plan.digest;
}

describe("the keys of the manifest", () => {
  it("are found in the schema", () => {
    const paths = keys.map(({ path }) => path.join("."));
    expect(paths).toContain("spec.service.field_names.*");
    expect(paths).toContain("spec.environments.*.service.id_pointers.agent");
    expect(paths).toContain("spec.variables.*");
    expect(paths.length).toBeGreaterThan(30);
  });

  it.each(keys)("have an answer whether a plan's digest covers them: $path", ({ path }) => {
    const isSetting = settingOf(path) !== undefined;
    expect(isSetting !== Object.hasOwn(otherKeys, path.join("."))).toBe(true);
  });

  it("are the only ones that have one", () => {
    const paths = new Set(keys.map(({ path }) => path.join(".")));
    expect(Object.keys(otherKeys).filter((path) => !paths.has(path))).toEqual([]);
  });

  it.each(keys.filter(({ path }) => settingOf(path) !== undefined))(
    "move the digest of a plan where they are covered: $path",
    ({ path }) => {
      const [one, other] = samplesOf(path);
      const digests = [one, other].map((value) => digestOf(manifestWith(path, value)));
      expect(digests[0]).not.toBe(digests[1]);
      expect(digestOf(manifestWith(path, one))).toBe(digests[0]);
    },
  );

  it("that are covered are all in the documentation, with what they can do", () => {
    const begin = "<!-- begin: the settings, written by UPDATE_GOLDEN=1 npx vitest run test/core -->";
    const items = Object.entries(settingKeys).flatMap(([section, table]) =>
      Object.entries(table).map(([key, { effect, risk }]) => `- \`${section}.${key}\` (${effect}): ${risk}`),
    );
    const current = items.join("\n");
    expect(markedPart("docs/explanation/guardrails.md", begin, current)).toBe(current);
  });
});
