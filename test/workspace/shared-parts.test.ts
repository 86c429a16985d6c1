import { expect, test } from "vitest";
import type { ParsedFile } from "../../src/core/resources/parsed-file.js";
import { sharingParts } from "../../src/workspace/parsed-once.js";
import { examples, fc } from "../harness/property.js";

test("a file that takes equal parts from a different one is equal to what it was", () => {
  const same = fc.jsonValue();
  fc.assert(
    fc.property(same, same, same, (a, b, c) => {
      const parsed = fileOf({ a, b, list: [a, c] });
      const like = fileOf({ a: structuredClone(a), b: c, list: [structuredClone(a), b] });
      const expected = JSON.stringify(parsed);
      expect(JSON.stringify(sharingParts(parsed, like))).toBe(expected);
      expect(JSON.stringify(like)).toBe(JSON.stringify(fileOf({ a, b: c, list: [a, b] })));
    }),
    { numRuns: examples(200) },
  );
});

test("what is equal in a file with the same content is the same object", () => {
  const resource = { address: "agent:a", labels: { team: "x" }, references: ["policy:p"] };
  const like = fileOf({ resources: [{ ...resource, digest: "1" }] });
  const parsed = fileOf({ resources: [{ ...structuredClone(resource), digest: "2" }] });
  const shared = sharingParts(parsed, like);
  expect(shared.summary.resources[0]).toEqual(parsed.summary.resources[0]);
  expect(shared.summary.resources[0]?.labels).toBe(like.summary.resources[0]?.labels);
  expect(shared.summary.resources[0]?.references).toBe(like.summary.resources[0]?.references);
  expect(sharingParts({ ...like, summary: structuredClone(like.summary) }, like).summary).toBe(like.summary);
});

function fileOf(members: object): ParsedFile {
  return { summary: { file: "a.yaml", resources: [], ...members }, details: () => [] };
}
