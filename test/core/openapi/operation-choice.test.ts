import { describe, expect, it } from "vitest";
import { Budget } from "../../../src/json/budget.js";
import { routeOf } from "../../../src/core/openapi/openapi-operation.js";
import { chooseOperations } from "../../../src/core/openapi/operation-choice.js";
import type { OperationPick } from "../../../src/generated/toolset.js";
import { sourcesIn } from "./picked-document.js";

const document = {
  paths: {
    "/pets": { get: { operationId: "listPets", tags: ["read", "read"] }, post: { operationId: "addPet" } },
    "/pets/{id}": { get: { operationId: "pets/get", tags: ["read"] }, delete: { operationId: "twice" } },
    "/pets/{id}/toys": { get: { operationId: "GET /stores" } },
    "/files/a*b": { put: { operationId: "twice" } },
    "/stores": { get: {} },
  },
};

function choose(...picks: OperationPick[]) {
  const { chosen, others, unmatched } = chooseOperations(
    sourcesIn(document).sources,
    picks,
    new Budget(10_000),
  );
  expect(chosen.length + others.length).toBe(sourcesIn(document).sources.length);
  return { chosen: chosen.map(({ operation }) => routeOf(operation)), unmatched };
}

describe("chooseOperations", () => {
  it.each<[OperationPick, string[]]>([
    ["listPets", ["GET /pets"]],
    ["pets/get", ["GET /pets/{id}"]],
    ["twice", ["DELETE /pets/{id}", "PUT /files/a*b"]],
    ["GET /pets/{id}", ["GET /pets/{id}"]],
    ["get  /pets", ["GET /pets"]],
    ["GET /stores", ["GET /pets/{id}/toys", "GET /stores"]],
    ["* /pets", ["GET /pets", "POST /pets"]],
    ["GET /pets*", ["GET /pets", "GET /pets/{id}", "GET /pets/{id}/toys"]],
    ["GET /*/toys", ["GET /pets/{id}/toys"]],
    ["GET /pets/*/*", ["GET /pets/{id}/toys"]],
    ["GET *", ["GET /pets", "GET /pets/{id}", "GET /pets/{id}/toys", "GET /stores"]],
    ["PUT /files/a*b", ["PUT /files/a*b"]],
    ["DELETE */{*}*", ["DELETE /pets/{id}"]],
    [{ tag: "read" }, ["GET /pets", "GET /pets/{id}"]],
  ])("%j chooses %j", (pick, routes) => {
    expect(choose(pick)).toEqual({ chosen: routes, unmatched: [] });
  });

  it.each<[OperationPick]>([
    ["*"],
    ["pets*"],
    ["/pets"],
    ["listpets"],
    ["GET /pet"],
    ["GET /Pets"],
    ["GE* /pets/*/toys/*"],
    ["GET /pets/{id}*{id}"],
    ["GET pets"],
    [{ tag: "rea*" }],
    [{ tag: "toString" }],
  ])("%j chooses nothing", (pick) => {
    expect(choose(pick)).toEqual({ chosen: [], unmatched: [0] });
  });

  it("chooses each operation once, in document order, and names the picks that choose nothing", () => {
    const picks: OperationPick[] = ["GET /stores", "none", { tag: "read" }, "listPets", "listPets", "none"];
    expect(choose(...picks)).toEqual({
      chosen: ["GET /pets", "GET /pets/{id}", "GET /pets/{id}/toys", "GET /stores"],
      unmatched: [1, 5],
    });
  });

  it("spends work for each pattern with `*`, and stops at the limit", () => {
    const budget = new Budget(1000);
    const picks = Array.from({ length: 1000 }, (_, index) => `GET /${"*".repeat(index)}`);
    chooseOperations(sourcesIn(document).sources, picks, budget);
    expect(budget.isSpent).toBe(true);
  });
});
