import { expect, it } from "vitest";
import { Budget } from "../../../src/json/budget.js";
import { Pointers } from "../../../src/core/openapi/openapi-pointer.js";
import { SchemaNames } from "../../../src/core/openapi/schema-names.js";

it("what has one of many alike addresses is given once, however many references end so", () => {
  const schemas = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`S${at}`, { $id: `v${at}/a` }]));
  const document = { components: { schemas } };
  const names = new SchemaNames(
    document,
    new Map([["components", 3]]),
    new Pointers(document, new Budget(1000)),
  );
  const given = Array.from({ length: 100 }, (_, at) => names.called(`u${at}/a`)).flat();
  expect(given).toHaveLength(100);
});
