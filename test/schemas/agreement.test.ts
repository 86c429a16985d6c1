import { readFileSync } from "node:fs";
import { Ajv, type AnySchemaObject } from "ajv";
import { describe, expect, it } from "vitest";
import { kindNames, kinds } from "../../src/core/kind/kinds.js";
import type { KindName } from "../../src/generated/kinds.js";
import { validate as validateWorkspace } from "../../src/generated/validate-workspace.js";
import { agent, credential, policy, toolset, workspace } from "./documents.js";

const strangers = [null, true, 1.5, "", "text", "${var:name}", "$${literal}", [], {}, [1], { a: 1 }];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The value again and again, each time with one of its parts gone or replaced by a stranger. */
function* variants(value: unknown): Generator<unknown> {
  yield* strangers;
  if (!isObject(value)) return;
  for (const [name, part] of Object.entries(value)) {
    if (Array.isArray(value)) {
      const at = Number(name);
      for (const other of variants(part)) yield value.with(at, other);
      yield value.toSpliced(at, 1);
    } else {
      for (const other of variants(part)) yield { ...value, [name]: other };
      const { [name]: _gone, ...rest } = value;
      yield rest;
    }
  }
}

function readSchema(name: string): AnySchemaObject {
  return JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8"));
}

const documents = { policy, toolset, credential, agent } satisfies Record<KindName, unknown>;
const all = [
  ...kindNames.map((name) => [name, kinds[name].validate, documents[name]] as const),
  ["workspace", validateWorkspace, workspace] as const,
];

describe.each(all)("the validator of %s", (name, validate, document) => {
  it("agrees with the schema as written on every variant of a good document", () => {
    const asWritten = new Ajv({ strict: false, validateFormats: false }).compile(readSchema(name));
    const verdicts = { accepted: 0, refused: 0 };
    for (const variant of variants(document)) {
      const accepted = validate(variant);
      expect(accepted, JSON.stringify(variant)).toBe(asWritten(variant));
      expect((validate.errors ?? []).length > 0).toBe(!accepted);
      verdicts[accepted ? "accepted" : "refused"] += 1;
    }
    expect(verdicts.accepted).toBeGreaterThan(20);
    expect(verdicts.refused).toBeGreaterThan(20);
  });
});
