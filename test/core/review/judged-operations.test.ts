import { describe, expect, test } from "vitest";
import type { Change, Plan } from "../../../src/generated/plan.js";
import type { JsonObject } from "../../../src/json/json.js";
import { difference } from "../../../src/core/plan/difference.js";
import { reviewOf, type Review } from "../../../src/core/review/review.js";
import { referencesIn } from "../../../src/core/expression/reference.js";
import { guardrailNotes } from "../../../src/core/guardrails/guardrail.js";
import { outline } from "../../../src/core/openapi/openapi.js";
import { renderPlanText } from "../../../src/render/plan/plan-text.js";
import { noLock, planOf } from "../../plan/history.js";
import { workspaceOf } from "../../plan/world.js";

const toolset = "toolset:desk";
const agent = "agent:desk";
const byName = { before: () => undefined, after: () => undefined };
const { plan: empty } = planOf(workspaceOf([]), noLock);

type Operations = Readonly<Record<string, JsonObject>>;

function bodyOf(operations: Operations): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const [route, operation] of Object.entries(operations)) {
    const [method = "", path = ""] = route.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: { responses: {}, ...operation } };
  }
  return { openapi_schema: outline({ openapi: "3.1.0", paths }) as unknown as JsonObject };
}

/** A plan in which a tool set gets further operations, and an agent has `tools` of it. */
function planWithNew(operations: Operations, tools: JsonObject = { tools: [`\${${toolset}}`] }): Plan {
  const before = bodyOf({ "GET /old": {} });
  const after = bodyOf({ "GET /old": {}, ...operations });
  const changes = difference(before, after, byName, ["openapi_schema"]);
  const actions = [
    { address: toolset, action: "update" as const, changes },
    { address: agent, action: "update" as const, changes: [] as Change[] },
  ];
  const resourceOf = (body: JsonObject) => ({
    body,
    documents: {},
    lifecycle: {},
    references: referencesIn(body),
  });
  const entryOf = (body: JsonObject) => ({ body, digest: "sha256:0" });
  const notes = guardrailNotes({
    actions,
    fleet: {
      resources: new Map([
        [toolset, resourceOf(after)],
        [agent, resourceOf(tools)],
      ]),
      settings: { deployment: {} },
    },
    lock: { resources: { [toolset]: entryOf(before), [agent]: entryOf(tools) } },
  });
  const whole = actions.map((each) => ({ ...each, reasons: [], affects: [], waits_for: [], reads: {} }));
  return { ...empty, actions: whole, notes };
}

function unjudgedIn({ onlyHere }: Review): string[] {
  return onlyHere.flatMap(({ change, isJudged }) => (change && !isJudged ? [change.path] : []));
}

const posts = (count: number, first: JsonObject = {}): Operations =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`POST /a${index + 1}`, index === 0 ? first : {}]),
  );

describe("which operations a note is about", () => {
  test.each([
    ["named by their routes", {}],
    ["one of which is named like a list of others", { operationId: "q (POST /a6) (POST /a7) (POST /a8)" }],
    ["one of which is named like the end of a note", { operationId: "q` of toolset:other, which writes" }],
  ])("is each of many that an agent gains, %s", (_, first) => {
    const plan = planWithNew(posts(8, first));
    expect(plan.notes.map(({ parts }) => parts.operations?.map(({ route }) => route))).toEqual([
      Object.keys(posts(8)),
    ]);
    const review = reviewOf(plan);
    expect(review.onlyHere.length).toBeGreaterThan(0);
    expect(unjudgedIn(review)).toEqual([]);
    expect(renderPlanText(plan, { color: false })).not.toContain("Not judged:");
  });

  test("is none that no agent gains, whatever the others are named", () => {
    const plan = planWithNew(posts(8, { operationId: "q (POST /a6) (POST /a7) (POST /a8)" }), {
      tools: [`\${${toolset}/POST /a2}`],
    });
    const review = reviewOf({
      ...plan,
      notes: [
        {
          code: "writing-tool-gained",
          effect: "widens",
          address: agent,
          path: "tools",
          parts: { toolset, operations: [{ name: "q (POST /a6) (POST /a7)", route: "POST /a1" }] },
          message: "gains `q (POST /a6) (POST /a7)` (POST /a1) of toolset:desk, which writes",
        },
      ],
    });
    expect(unjudgedIn(review)).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((index) => `openapi_schema.operations[POST /a${index}]`),
    );
    expect(renderPlanText({ ...plan, notes: [] }, { color: false })).toContain("Not judged:");
  });

  test("is one whose path has brackets", () => {
    const review = reviewOf(planWithNew({ "GET /b(c)": {} }));
    expect(review.notes.map(({ message }) => message)).toEqual(["gains `GET /b(c)` of toolset:desk"]);
    expect(unjudgedIn(review)).toEqual([]);
  });
});
