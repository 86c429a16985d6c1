import { describe, expect, test } from "vitest";
import { guardrailNotes } from "../../src/core/guardrails/guardrail.js";
import { difference } from "../../src/core/plan/difference.js";
import { unitsOf } from "../../src/core/review/edit-units.js";
import { comparisons, partsAbout, unitsAbout } from "../../src/core/review/units-about.js";
import type { Change } from "../../src/generated/plan.js";
import type { Json, JsonObject } from "../../src/json/json.js";
import { effort } from "../harness/effort.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { agentText, openDesk } from "../cli/desk.js";
import { sample, wholeTest } from "../harness/tier.js";
import { runCommand } from "./run-command.js";

const lines = (count: number, start = 0) =>
  Array.from({ length: count }, (_, index) => `line ${start + index}`);

describe("a change that is larger than anybody reads", () => {
  wholeTest("a text of 130,000 lines with edits at both ends is planned", async () => {
    const desk = await openDesk();
    desk.workspace.write({
      "agents/support.yaml": agentText({ system_prompt: "${file:../prompt.md}" }),
      "prompt.md": lines(130_000).join("\n"),
    });
    expect((await desk.run("apply", "--yes")).code).toBe(0);
    desk.workspace.write({ "prompt.md": ["first", ...lines(129_998, 1), "last"].join("\n") });
    const { code, stdout } = await runCommand(["plan"], { cwd: desk.workspace.directory });
    expect([code, stdout]).toEqual([0, expect.stringContaining("Plan: 1 to update")]);
  });

  test("each line of a prompt that many agents have is edited: no note looks at a text once more for each of its edits", () => {
    const text = (word: string) =>
      Array.from({ length: 40 }, (_, index) => `- Never tell anybody the ${word} of customer ${index}.`).join(
        "\n",
      );
    let reads = 0;
    const counted = (value: string) => ({
      enumerable: true,
      get: () => {
        reads++;
        return value;
      },
    });
    const change = Object.defineProperties({ path: "system_prompt" } as Change, {
      before: counted(text("number")),
      after: counted(text("address")),
    });
    const parts = { field: "system_prompt", gone: ["Never tell anybody the number of customer 7."] };
    const note = { parts };
    const units = unitsOf(change);
    const first = unitsAbout(note, change);
    expect([units.length, first]).toEqual([40, [units[7]]]);
    const once = reads;
    for (const unit of units) expect(unitsAbout(note, change).includes(unit)).toBe(unit === units[7]);
    expect(reads).toBe(once);
  });

  test("what a note quotes is not looked for in each of many changes where both are thousands", () => {
    const at = (count: number) => {
      const parts = { gone: lines(count) };
      const changes = lines(count).map((before, index) => ({ path: `topics[${index}]`, before }));
      return effort(() => expect(partsAbout({ parts }, () => changes).size).toBe(count));
    };
    at(1000);
    expect(at(40_000)).toBeLessThan(8 * at(10_000) + 300);
  });

  test("thousands of changes of one list are not gone through for each of thousands of notes on it", () => {
    const changes = lines(3000).map((before, index) => ({ path: `features[${index}].priority`, before }));
    let asked = 0;
    const below = () => {
      asked++;
      return changes;
    };
    const work = comparisons();
    for (const gone of lines(20_000, 3000)) partsAbout({ parts: { gone } }, below, work);
    expect(asked).toBeLessThan(5000);
  });

  test("of the edits of a text no more than one text is held", () => {
    const [before, after] = [lines(300).join("\n"), lines(300, 1000).join("\n")];
    const units = unitsOf({ path: "system_prompt", before, after });
    expect(units.length).toBe(300);
    expect(units.every((unit) => Object.getOwnPropertyDescriptor(unit, "before")?.get)).toBe(true);
    expect(units.map(({ before: text }) => String(text).split("\n").length)).toEqual(units.map(() => 300));
  });

  test("a list in which thousands of items change is not copied for each of them", () => {
    const [before, after] = [lines(4000), lines(4000, 4000)];
    const held = unitsOf({ path: "keywords", before, after }).map((unit) => (unit.before as string[]).length);
    expect(held.reduce((sum, length) => sum + length, 0)).toBeLessThan(500_000);
  });
});

const range = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));

const guard = (priority: number, policy: string) => ({
  type: "RAI",
  priority,
  config: { policy_id: policy },
});
const features = (count: number, start = 0) => ({
  features: range(count, (index) => guard(index, `\${policy:p${start + index}}`)),
});
const document = (operations: Json[], more: JsonObject = {}) => ({
  openapi_schema: { openapi: "3.1.0", operations, ...more },
});
const operation = (path: string, more: JsonObject = {}) => ({ method: "GET", path, ...more });
const server = (name: string) => ({ url: `https://${name}.example` });
const demands = (name: string, count: number) => range(count, (index): Json => ({ [`${name}${index}`]: [] }));

/** Two bodies of one resource, each as large as the number says. */
const turns: readonly (readonly [
  what: string,
  address: string,
  bodies: (size: number) => readonly [before: JsonObject, after: JsonObject],
])[] = [
  [
    "an agent loses all of its policies and gains as many",
    "agent:a",
    (size) => [features(size), features(size, size)],
  ],
  ["a feature gets policies beside as many", "agent:a", (size) => [features(size), features(2 * size)]],
  [
    "policies are in another order",
    "agent:a",
    (size) => [
      features(size),
      { features: range(size, (index) => guard(size - index, `\${policy:p${index}}`)) },
    ],
  ],
  [
    "two features with many policies change places",
    "agent:a",
    (size) => {
      const of = (start: number) => range(size, (index) => `\${policy:p${start + index}}`);
      const [one, other] = [of(0), of(size)].map((policies) => ({ type: "RAI", config: { policies } }));
      return [{ features: [one ?? {}, other ?? {}] }, { features: [other ?? {}, one ?? {}] }];
    },
  ],
  [
    "each new operation has a host of its own, and an old one had many",
    "toolset:a",
    (size) => {
      const old = operation("/", { servers: range(size, (index) => server(`h${index}`)) });
      const fresh = range(size, (index) => operation(`/${index}`, { servers: [server(`n${index}`)] }));
      return [document([old]), document([old, ...fresh])];
    },
  ],
  [
    "each operation goes to another host, with many headers",
    "toolset:a",
    (size) => {
      const default_headers = Object.fromEntries(range(size, (index) => [`h${index}`, `\${env:V${index}}`]));
      const of = (name: string) =>
        range(size, (index) => operation(`/${index}`, { servers: [server(`${name}${index}`)] }));
      const [before, after] = [of("a"), of("b")].map((all) => ({ ...document(all), default_headers }));
      return [before ?? {}, after ?? {}];
    },
  ],
  [
    "an operation has other callbacks",
    "toolset:a",
    (size) => {
      const called = (name: string) => Object.fromEntries(range(size, (index) => [`${name}${index}`, {}]));
      return [
        document([operation("/", { callbacks: { c: called("a") } })]),
        document([operation("/", { callbacks: { c: called("b") } })]),
      ];
    },
  ],
  [
    "an operation demands one of many other keys",
    "toolset:a",
    (size) => [
      document([operation("/", { security: demands("a", size) })]),
      document([operation("/", { security: demands("b", size) })]),
    ],
  ],
];

test("thousands of agents that have all of thousands of tools are refused before anything is sent", async () => {
  const paths = Object.fromEntries(range(2000, (index) => [`/${index}`, { get: {} }]));
  const workspace = makeWorkspace({
    "toolsets/t.yaml": documentText("ToolSet", "t", {
      tool_set_name: "t",
      openapi_schema: { openapi: "3.1.0", info: { title: "T", version: "1" }, paths },
    }),
    "agents/a.yaml": JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Agent",
      metadata: { name: "a-${each:key}" },
      for_each: Object.fromEntries(range(2000, (index) => [`k${index}`, {}])),
      spec: { name: "A", tools: ["${toolset:t}"] },
    }),
  });
  const { code, stdout } = await runCommand(["plan", "--format", "json"], { cwd: workspace.directory });
  expect([code, stdout]).toEqual([1, expect.stringContaining("lock-too-large")]);
});

describe("a change of which each part could be told with all others", () => {
  test.each(turns)("has notes in proportion to it: %s", (_what, address, bodies) => {
    const at = (size: number) => {
      const [before, after] = bodies(size);
      let length = 0;
      const time = effort(() => {
        const notes = guardrailNotes({
          actions: [{ address, action: "update", changes: difference(before, after, lookups) }],
          fleet: {
            resources: new Map([[address, { body: after, documents: {}, lifecycle: {}, references: [] }]]),
            settings: { deployment: {} },
          },
          lock: { resources: { [address]: { body: before, digest: "" } } },
        });
        length = JSON.stringify(notes).length;
      });
      return { time, length };
    };
    at(100);
    const [small, large] = [at(1000), at(4000)];
    expect(large.length).toBeLessThan(6 * small.length);
    expect(large.time).toBeLessThan(8 * small.time + 300);
  });
});

const lookups = { before: () => undefined, after: () => undefined };

const rule = (index: number, spec: object) =>
  JSON.stringify({
    apiVersion: "agentform/v1",
    kind: "Rule",
    metadata: { name: `rule-${index}` },
    spec: { effect: "error", for: { kind: "Agent" }, message: "No.", ...spec },
  });

const agents = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Agent",
      metadata: { name: `a${index}` },
      spec: { name: "A", system_prompt: "a".repeat(1000) },
    }),
  );

/** Rules that alone are within what a rule may do. */
const rules: readonly (readonly [
  what: string,
  rules: number,
  agents: number,
  spec: (index: number) => object,
])[] = [
  [
    "that every document breaks",
    400,
    400,
    () => ({ document: { properties: { spec: { required: ["x"] } } } }),
  ],
  [
    "with patterns that are too large",
    200,
    1,
    (index) => ({ document: { properties: { x: { pattern: `${"(a|b|c){1,900}".repeat(9)}${index}` } } } }),
  ],
  [
    "of many patterns",
    300,
    1,
    (index) => ({
      document: {
        properties: Object.fromEntries(
          Array.from({ length: 20 }, (_, key) => [`k${key}`, { pattern: `[^\\p{L}\\p{N}]{1,60}${index}` }]),
        ),
      },
    }),
  ],
];

describe("hundreds of rules", () => {
  test.each(sample("rules of hundreds", rules, 0))(
    "%s are refused when all have done what all may do",
    async (_, count, documents, spec) => {
      const workspace = makeWorkspace({
        "agents/a.yaml": agents(documents).join("\n---\n"),
        "rules/a.yaml": Array.from({ length: count }, (__, index) => rule(index, spec(index))).join(
          "\n---\n",
        ),
      });
      const { code, stdout } = await runCommand(["plan", "--format", "json"], { cwd: workspace.directory });
      expect(code).toBe(1);
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
      expect(diagnostics.map((each) => each.code)).toContain("rule-too-costly");
    },
  );
});
