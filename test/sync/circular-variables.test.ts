import { expect, test } from "vitest";
import { apply, drift, output, plan, validate } from "../../src/library/library.js";
import { makeWorkspace, manifest } from "../harness/disk-workspace.js";
import type { Json } from "../../src/json/json.js";

const calls = { validate, plan, apply, drift, output };

test.each(Object.entries(calls))("%s throws for a variable that is circular", async (_, call) => {
  const { directory } = makeWorkspace({ "agentform.yaml": `${manifest}  variables: {a: {}}\n` });
  const a: Record<string, Json> = {};
  a["self"] = a;
  await expect(call({ directory, variables: { a } })).rejects.toThrow(
    new TypeError("variables.a is circular, or nested deeper than 100"),
  );
});
