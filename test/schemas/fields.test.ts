import { kindNames } from "../../src/core/kind/kinds.js";
import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { KindName } from "../../src/generated/kinds.js";
import { fields, type Field } from "../../src/generated/fields.js";

const folder = new URL("../../schemas/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".schema.json"));

type Schema = Record<string, unknown>;

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readSchema(file: string): Schema {
  const parsed: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  if (!isSchema(parsed)) throw new Error(`${file} is no object`);
  return parsed;
}

/** The fields in the tables of docs/reference/interface.md, with the inside of objects and list items after a dot. */
const shown: Readonly<Record<KindName, readonly string[]>> = {
  policy: [
    ..."_id name description user_id created_at updated_at".split(" "),
    ..."allowed_topics.enabled allowed_topics.topics banned_topics.enabled banned_topics.topics".split(" "),
    ..."keywords.enabled keywords.keywords toxicity_check.enabled toxicity_check.threshold".split(" "),
    ..."prompt_injection.enabled prompt_injection.threshold".split(" "),
    ..."secrets_detection.enabled secrets_detection.action".split(" "),
    ..."pii_detection.enabled pii_detection.types pii_detection.custom_pii.label".split(" "),
    ..."pii_detection.custom_pii.replacement pii_detection.custom_pii.action".split(" "),
  ],
  toolset: [
    ..."tool_set_name openapi_schema default_headers default_query_params default_body_params".split(" "),
    ..."endpoint_defaults enhance_descriptions provider_api_key".split(" "),
  ],
  agent: [
    ..."name system_prompt description features.type features.config features.priority tools".split(" "),
    ..."llm_credential_id provider_id model top_p temperature response_format".split(" "),
    ..."api_key template_type agent_role agent_instructions examples tool".split(" "),
    ..."tool_usage_description version features.config.module_mode".split(" "),
  ],
  credential: "name provider_id credentials meta_data".split(" "),
};

const required: Readonly<Record<KindName, readonly string[]>> = {
  policy: ["name"],
  toolset: ["tool_set_name", "openapi_schema"],
  credential: ["name"],
  agent: ["name"],
};

function subschema(schema: Schema, ...path: readonly string[]): Schema {
  let at: unknown = schema;
  for (const name of path) at = isSchema(at) ? at[name] : undefined;
  if (!isSchema(at)) throw new Error(`no schema at ${path.join("/")}`);
  return at;
}

/** The schema of a field, through lists and through what may be an expression instead. */
function find(schema: Schema, path: readonly string[]): Schema | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const { anyOf, items, properties } = schema;
  const inside = isSchema(properties) ? properties[name] : undefined;
  if (isSchema(inside)) return find(inside, rest);
  const others = [...(Array.isArray(anyOf) ? anyOf : []), items].filter(isSchema);
  return others.map((other) => find(other, path)).find((found) => found !== undefined);
}

/** Every named property in a schema, as its path and its schema. */
function namedProperties(value: unknown, path = ""): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => namedProperties(item, `${path}/${index}`));
  if (!isSchema(value)) return [];
  return Object.entries(value).flatMap(([keyword, part]) => {
    if (keyword === "if" || keyword === "then" || keyword === "else") return [];
    const at = `${path}/${keyword}`;
    if (keyword !== "properties" || !isSchema(part)) return namedProperties(part, at);
    const named = Object.entries(part).map(([name, inner]): [string, unknown] => [`${at}/${name}`, inner]);
    return named.concat(named.flatMap(([path, inner]) => namedProperties(inner, path)));
  });
}

function describes(schema: Schema, part: unknown): boolean {
  if (!isSchema(part)) return false;
  if (typeof part["description"] === "string") return part["description"].endsWith(".");
  const reference = part["$ref"];
  return (
    typeof reference === "string" && describes(schema, subschema(schema, ...reference.split("/").slice(1)))
  );
}

describe("the schemas", () => {
  it.each(files)("%s is valid draft-07 under its own name", (file) => {
    const schema = readSchema(file);
    const ajv = new Ajv();
    expect(schema["$schema"]).toBe("http://json-schema.org/draft-07/schema#");
    expect(schema["$id"]).toBe(`https://agentform.dev/schemas/v1/${file}`);
    expect(schema["title"]).toMatch(/^[A-Z]\w+$/);
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
  });

  it.each(files)("%s describes every property in a sentence", (file) => {
    const schema = readSchema(file);
    const properties = namedProperties(schema);
    expect(properties.length).toBeGreaterThan(1);
    expect(properties.filter(([, part]) => !describes(schema, part)).map(([path]) => path)).toEqual([]);
  });

  it.each(kindNames)("know and describe every field of the service's interface: %s", (kind) => {
    const spec = subschema(readSchema(`${kind}.schema.json`), "properties", "spec");
    const missing = shown[kind].filter((path) => find(spec, path.split("."))?.["description"] === undefined);
    expect(missing).toEqual([]);
  });

  it.each(kindNames)("require no more than the kind's own required fields: %s", (kind) => {
    const spec = subschema(readSchema(`${kind}.schema.json`), "properties", "spec");
    expect(spec["required"]).toEqual(required[kind]);
    const deeper = Object.values(subschema(spec, "properties")).filter((part) =>
      JSON.stringify(part).includes('"required":['),
    );
    expect(deeper).toEqual([]);
  });

  it("close no value set of the service", () => {
    for (const kind of kindNames) {
      const spec = subschema(readSchema(`${kind}.schema.json`), "properties", "spec");
      expect(JSON.stringify(spec)).not.toContain('"enum"');
    }
  });
});

/** The paths of the fields that carry a mark. */
function marked(
  field: Field,
  mark: "readOnly" | "writeOnly" | "open",
  path: readonly string[] = [],
): string[] {
  const own = field[mark] ? [path.join(".")] : [];
  const named = Object.entries(field.fields ?? {});
  const listed = field.items ? marked(field.items, mark, [...path, "[]"]) : [];
  return [...own, ...named.flatMap(([name, inner]) => marked(inner, mark, [...path, name])), ...listed];
}

const specOf = (kind: (typeof kindNames)[number]): Field => fields[kind].fields?.["spec"] ?? {};

describe("the table of known fields", () => {
  it("has every field of the service's interface, and each kind", () => {
    expect(Object.keys(fields).toSorted()).toEqual([...kindNames, "rule", "workspace"].toSorted());
    for (const kind of kindNames) {
      for (const path of shown[kind]) {
        let at: Field | undefined = specOf(kind);
        for (const name of path.split(".")) at = (at?.fields ?? at?.items?.fields)?.[name];
        expect(at, `${kind}: ${path}`).toBeDefined();
      }
    }
  });

  it("marks what only the service sets", () => {
    for (const kind of kindNames) {
      expect(marked(specOf(kind), "readOnly")).toEqual(["_id", "created_at", "updated_at"]);
    }
  });

  it("marks what is secret", () => {
    const headers = ["authorization", "proxy-authorization", "cookie", "api-key", "x-api-key"];
    expect(marked(specOf("policy"), "writeOnly")).toEqual([]);
    expect(marked(specOf("credential"), "writeOnly")).toEqual(["credentials"]);
    expect(marked(specOf("agent"), "writeOnly")).toEqual(["api_key"]);
    expect(marked(specOf("toolset"), "writeOnly")).toEqual([
      ...headers.map((name) => `default_headers.${name}`),
      "provider_api_key",
    ]);
  });

  it("leaves open what the interface does not show the inside of", () => {
    expect(marked(specOf("credential"), "open")).toEqual(["credentials", "meta_data"]);
    expect(marked(specOf("toolset"), "open")).toEqual(
      "openapi_schema default_headers default_query_params default_body_params endpoint_defaults".split(" "),
    );
    expect(marked(specOf("agent"), "open")).toEqual(
      expect.arrayContaining(["features.[].config", "response_format", "examples"]),
    );
    expect(marked(specOf("policy"), "open")).toEqual([
      "allowed_topics.topics.[]",
      "banned_topics.topics.[]",
      "keywords.keywords.[]",
      "pii_detection.types",
    ]);
  });
});
