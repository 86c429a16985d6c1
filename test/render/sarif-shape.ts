import { Ajv } from "ajv";

const count = { type: "integer", minimum: 1 };
const text = { type: "string" };

function object(properties: object, required: readonly string[] = []): object {
  return { type: "object", additionalProperties: false, properties, required };
}

function list(items: object, uniqueItems = false): object {
  return { type: "array", items, uniqueItems };
}

const message = object({ text: { type: "string", minLength: 1 } }, ["text"]);

const region = object(
  { startLine: count, startColumn: count, endLine: count, endColumn: count },
  // A region without its first line says nothing.
  ["startLine"],
);

const physicalLocation = object(
  {
    // What may stand in a relative reference (RFC 3986); a colon in its first segment would make it a scheme.
    artifactLocation: object(
      {
        uri: { type: "string", pattern: "^(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$" },
        uriBaseId: { const: "%SRCROOT%" },
      },
      ["uri", "uriBaseId"],
    ),
    region,
  },
  ["artifactLocation"],
);

const logicalLocation = object({ fullyQualifiedName: text, kind: text });

const location = object({ physicalLocation, message, logicalLocations: list(logicalLocation, true) }, [
  "physicalLocation",
]);

const result = object(
  {
    ruleId: text,
    ruleIndex: { type: "integer", minimum: 0 },
    level: { enum: ["none", "note", "warning", "error"] },
    message,
    locations: { ...list(location), minItems: 1 },
    relatedLocations: list(location, true),
    partialFingerprints: { type: "object", additionalProperties: text },
  },
  ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
);

const rule = object({ id: text, shortDescription: message }, ["id"]);
const driver = object({ name: text, version: text, rules: list(rule, true) }, ["name"]);

const log = object(
  {
    $schema: { const: "https://json.schemastore.org/sarif-2.1.0.json" },
    version: { const: "2.1.0" },
    runs: list(
      object(
        {
          tool: object({ driver }, ["driver"]),
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          results: list(result),
        },
        ["tool", "columnKind", "results"],
      ),
    ),
  },
  ["$schema", "version", "runs"],
);

/** Checks a log against the part of SARIF 2.1.0 (sections 3.13 to 3.58) that reports of problems need. */
export const checkSarif = new Ajv({ allErrors: true }).compile(log);
