import { expect, test } from "vitest";
import { renderGraphDot } from "../../src/render/results/graph-dot.js";
import { renderGraphMermaid } from "../../src/render/results/graph-mermaid.js";
import { buildGraphView } from "../../src/render/results/graph-view.js";
import { renderLockListText } from "../../src/render/lock/lock-list-text.js";
import { error } from "../../src/core/finding/diagnostic.js";
import { buildGraph } from "../../src/core/resources/graph.js";
import type { LockEntry } from "../../src/core/state/lock.js";
import { nearest, didYouMeanAmong } from "../../src/core/finding/nearest.js";
import { checkOptions } from "../../src/core/plan/plan-check.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import { locate } from "../../src/core/position/position.js";
import { othersBy } from "../harness/edges.js";
import { addressAt, edgesOf, many, noLock, star, workspaceOf } from "./scene.js";
import { runs, wholeTest } from "../harness/tier.js";

const numbers = Array.from({ length: Math.min(many, 10_000) }, (_, index) => index);

test("a finding at each member of a mapping, and one at each expression of a text, has its place", () => {
  const members = numbers.map((number) => `  m${number}: ${number}\n`).join("");
  const text = `text: "${numbers.map((number) => `\${agent:a${number}}`).join(" ")}"\nmap:\n${members}`;
  const found = numbers.flatMap((number) => [
    error("document-invalid", { file: "a.yaml", document: 0, path: ["map", `m${number}`] }, `${number}`),
    error(
      "reference-unknown",
      { file: "a.yaml", document: 0, path: ["text"], expression: `\${agent:a${number}}` },
      `${number}`,
    ),
  ]);
  const diagnostics = locate(found, () => ({ text, quotable: true }));
  expect(diagnostics).toHaveLength(2 * numbers.length);
  const inMap = diagnostics.filter(({ code }) => code === "document-invalid");
  expect(inMap.filter(({ line, message }) => line !== Number(message) + 3)).toEqual([]);
  const inText = diagnostics.filter(({ code }) => code === "reference-unknown");
  expect(new Set(inText.map(({ line, column }) => `${line}:${column}`)).size).toBe(numbers.length);
});

test("findings among as many secrets have frames that show none of them", () => {
  const text = numbers.map((number) => `- api_key: secret${number}\n`).join("");
  const found = numbers.map((number) =>
    error("secret-literal", { file: "a.yaml", document: 0, path: [number, "api_key"] }, `${number}`),
  );
  const diagnostics = locate(found, () => ({ text, quotable: true }));
  expect(diagnostics.filter(({ line, message }) => line !== Number(message) + 1)).toEqual([]);
  expect(diagnostics.filter(({ frame = "secret" }) => frame.includes("secret"))).toEqual([]);
});

test("an alias is followed to the last anchor before it, however many there are", () => {
  const text = numbers.map((number) => `- {a: &x "\${agent:a${number}}", b: *x}\n`).join("");
  const found = numbers.map((number) => {
    const place = { file: "a.yaml", document: 0, path: [number, "b"], expression: `\${agent:a${number}}` };
    return error("reference-unknown", place, `${number}`);
  });
  const diagnostics = locate(found, () => ({ text, quotable: false }));
  expect(
    diagnostics.filter(({ line, column, message }) => line !== Number(message) + 1 || column !== 11),
  ).toEqual([]);
});

wholeTest("where a mistake is everywhere, the first have a hint", () => {
  const known = Array.from({ length: runs("known names", 20_000, 100_000) }, (_, index) =>
    addressAt("agent", index),
  );
  const didYouMean = didYouMeanAmong(known);
  const hints = known.map((address) => didYouMean(address.replace("n", "m")));
  expect(hints[0]?.text).toBe("did you mean `agent:n000000`?");
  expect(hints.filter((hint) => hint !== undefined).length * known.length).toBeLessThan(1_000_000);
  expect(nearest("agent:n19999", known)).toBe("agent:n019999");
});

test("options that name what is not there are told, all of them", () => {
  const workspace = workspaceOf([[addressAt("agent", 0), []]]);
  const target = new Set(Array.from({ length: many }, (_, index) => addressAt("policy", index)));
  expect(checkOptions({ ...noOptions, target }, workspace, noLock)).toHaveLength(many);
});

test("a graph is drawn with every reference", () => {
  const edges = edgesOf(star);
  const graph = buildGraph(
    star.map(([address]) => address),
    othersBy(edges),
  );
  const view = buildGraphView(graph, {});
  expect(renderGraphDot(view).split(" -> ")).toHaveLength(edges.length + 1);
  expect(renderGraphMermaid(view).split(" --> ")).toHaveLength(edges.length + 1);
});

test("two hundred thousand entries are listed, a line each", () => {
  const entry: LockEntry = { id: "1", body: {}, digest: "d" };
  const entries = Array.from({ length: 2 * many }, (_, index) => [addressAt("agent", index), entry] as const);
  const lock = { ...noLock, resources: Object.fromEntries(entries) };
  const text = renderLockListText({ lock, source: "agentform.lock" }, { color: false });
  expect(text.split("\n")).toHaveLength(2 * many + 4);
});
