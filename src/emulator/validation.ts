import { isObject, type Json } from "../json/json.js";

/** One item of the `detail` of a 422 (interface.md section 7). */
export interface Problem {
  loc: string[];
  msg: string;
  type: string;
}

/** Lists what is wrong with a value that stands at a place of the body. */
export type Check = (value: Json, loc: string[]) => Problem[];

function typed(type: string, test: (value: Json) => boolean): Check {
  return (value, loc) =>
    test(value) ? [] : [{ loc, msg: `not a valid ${type}`, type: `type_error.${type}` }];
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/;

const text = typed("string", (value) => typeof value === "string");
const flag = typed("boolean", (value) => typeof value === "boolean");
const number = typed("number", (value) => typeof value === "number");
const integer = typed("integer", (value) => Number.isInteger(value));
const dateTime = typed("datetime", (value) => typeof value === "string" && DATE_TIME.test(value));
const anyObject = typed("object", isObject);

function listOf(item: Check): Check {
  return (value, loc) => {
    if (!Array.isArray(value)) return [{ loc, msg: "not a valid array", type: "type_error.array" }];
    return value.flatMap((entry, index) => item(entry, [...loc, String(index)]));
  };
}

function mapOf(item: Check): Check {
  return (value, loc) => {
    if (!isObject(value)) return anyObject(value, loc);
    return Object.entries(value).flatMap(([key, entry]) => item(entry, [...loc, key]));
  };
}

function record(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, loc) => {
    if (!isObject(value)) return anyObject(value, loc);
    const missing = required
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => ({ loc: [...loc, name], msg: "field required", type: "value_error.missing" }));
    const wrong = Object.entries(value).flatMap(([name, entry]) => {
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return check === undefined ? [] : check(entry, [...loc, name]);
    });
    return [...missing, ...wrong];
  };
}

const TOOL_SET_FIELDS = {
  tool_set_name: text,
  openapi_schema: anyObject,
  default_headers: anyObject,
  default_query_params: anyObject,
  default_body_params: anyObject,
  endpoint_defaults: anyObject,
  enhance_descriptions: flag,
  provider_api_key: text,
};

/** The body of a policy (interface.md section 2.1). */
export const checkPolicy: Check = record(
  {
    _id: text,
    name: text,
    description: text,
    allowed_topics: record({ enabled: flag, topics: listOf(text) }),
    banned_topics: record({ enabled: flag, topics: listOf(text) }),
    keywords: record({ enabled: flag, keywords: listOf(text) }),
    toxicity_check: record({ enabled: flag, threshold: number }),
    prompt_injection: record({ enabled: flag, threshold: number }),
    secrets_detection: record({ enabled: flag, action: text }),
    pii_detection: record({
      enabled: flag,
      types: mapOf(text),
      custom_pii: listOf(record({ label: text, replacement: text, action: text })),
    }),
    user_id: text,
    created_at: dateTime,
    updated_at: dateTime,
  },
  ["name"],
);

/** The body of a tool set (interface.md section 2.2). */
export const checkToolSet: Check = record(TOOL_SET_FIELDS, ["tool_set_name", "openapi_schema"]);

/** The body of a tool's update: any object, in which the known fields of 2.2 keep their types. */
export const checkToolUpdate: Check = record(TOOL_SET_FIELDS);

/** The body of an agent, at its creation and at its update (interface.md section 2.3). */
export const checkAgent: Check = record(
  {
    name: text,
    system_prompt: text,
    description: text,
    features: listOf(record({ type: text, config: anyObject, priority: integer })),
    tools: listOf(text),
    llm_credential_id: text,
    provider_id: text,
    model: text,
    top_p: number,
    temperature: number,
    response_format: anyObject,
    version: text,
  },
  ["name"],
);

/** The body of a credential (interface.md section 2.4). */
export const checkCredential: Check = record(
  { name: text, provider_id: text, credentials: anyObject, meta_data: anyObject },
  ["name"],
);
