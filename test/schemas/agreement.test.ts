import { readFileSync } from "node:fs";
import { Ajv, type AnySchemaObject } from "ajv";
import { describe, expect, it } from "vitest";
import { kindNames, kinds } from "../../src/core/kind/kinds.js";
import { validate as validateJournal } from "../../src/generated/validate-journal.js";
import { validate as validateWorkspace } from "../../src/generated/validate-workspace.js";
import { documents, workspace } from "./documents.js";
import { journalLines } from "./journal-lines.js";
import { variants } from "./variants.js";

function readSchema(name: string): AnySchemaObject {
  return JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8"));
}

const all = [
  ...kindNames.map((name) => [name, kinds[name].validate, [documents[name]]] as const),
  ["workspace", validateWorkspace, [workspace]] as const,
  ["journal", validateJournal, journalLines] as const,
];

describe.each(all)("the validator of %s", (name, validate, good) => {
  it("agrees with the schema as written on every variant of what is good", () => {
    const asWritten = new Ajv({ strict: false, validateFormats: false }).compile(readSchema(name));
    const verdicts = { accepted: 0, refused: 0 };
    for (const variant of good.flatMap((value) => [value, ...variants(value)])) {
      const accepted = validate(variant);
      expect(accepted, JSON.stringify(variant)).toBe(asWritten(variant));
      expect((validate.errors ?? []).length > 0).toBe(!accepted);
      verdicts[accepted ? "accepted" : "refused"] += 1;
    }
    expect(verdicts.accepted).toBeGreaterThan(20);
    expect(verdicts.refused).toBeGreaterThan(20);
  });
});
