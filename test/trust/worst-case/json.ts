import { agent, fill, type WorstCase } from "./worst-case.js";

function included(name: string, text: (bytes: number) => string): WorstCase {
  return {
    name,
    files: (bytes) => ({ "agents/a.yaml": agent(["x: ${file:a.json}"]), "agents/a.json": text(bytes) }),
  };
}

/** Included JSON. */
export const jsonCases: readonly WorstCase[] = [
  included("json: numbers", (bytes) => `[${fill(bytes, () => "1,")}1]`),
  included("json: empty mappings", (bytes) => `[${fill(bytes, () => "{},")}1]`),
  included("json: small mappings", (bytes) => `[${fill(bytes, () => `{"a":1},`)}1]`),
  included("json: keys of one mapping", (bytes) => `{${fill(bytes, (index) => `"k${index}":1,`)}"z":1}`),
  included("json: integers as keys", (bytes) => `{${fill(bytes, (index) => `"${index * 977}":1,`)}"z":1}`),
  included("json: one text of escapes", (bytes) => `"${"\\n".repeat(bytes / 2)}"`),
  included("json: an open text", (bytes) => `["${"\\n".repeat(bytes / 2)}`),
  included("json: open texts", (bytes) => `[${fill(bytes, () => `"a\n`)}`),
  included("json: one text of dollars", (bytes) => JSON.stringify("${".repeat(bytes / 2))),
  included("json: one number", (bytes) => "1".repeat(bytes)),
  included("json: spaces", (bytes) => `[${" ".repeat(bytes)}1]`),
  included("json: open lists", (bytes) => "[".repeat(bytes)),
];
