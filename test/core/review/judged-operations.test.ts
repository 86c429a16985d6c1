import { describe, expect, test } from "vitest";
import type { Change, Plan } from "../../../src/generated/plan.js";
import type { JsonObject } from "../../../src/json/json.js";
import { itemSegment } from "../../../src/json/path.js";
import { difference } from "../../../src/core/plan/difference.js";
import { reviewOf, type Review } from "../../../src/core/review/review.js";
import { referencesIn } from "../../../src/core/expression/reference.js";
import { guardrailNotes } from "../../../src/core/guardrails/guardrail.js";
import { kinds } from "../../../src/core/kind/kinds.js";
import { renderPlanText } from "../../../src/render/plan/plan-text.js";
import { noLock, planOf } from "../../plan/history.js";
import { workspaceOf } from "../../plan/world.js";

const toolset = "toolset:desk";
const agent = "agent:desk";
const byName = { before: () => undefined, after: () => undefined };
const { plan: empty } = planOf(workspaceOf([]), noLock);

type Operations = Readonly<Record<string, JsonObject>>;

function bodyOf(operations: Operations, document: JsonObject = {}): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const [route, operation] of Object.entries(operations)) {
    const [method = "", ...rest] = route.split(" ");
    const path = rest.join(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: { responses: {}, ...operation } };
  }
  return kinds.toolset.outline({ openapi_schema: { openapi: "3.1.0", ...document, paths } }).body;
}

/** A plan in which a tool set gets further operations, and an agent has `tools` of it. */
function planWithNew(operations: Operations, tools: JsonObject = { tools: [`\${${toolset}}`] }): Plan {
  return planFrom(bodyOf({ "GET /old": {} }), bodyOf({ "GET /old": {}, ...operations }), tools);
}

/** A plan in which the body of a tool set changes. */
function planFrom(before: JsonObject, after: JsonObject, tools: JsonObject): Plan {
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

/** What notes say of a tool set whose operations change, and which changes none is about. */
function judged(was: Operations, is: Operations, [before, after]: [JsonObject?, JsonObject?] = []) {
  const review = reviewOf(planFrom(bodyOf(was, before), bodyOf(is, after), {}));
  return { unjudged: unjudgedIn(review), messages: review.notes.map(({ message }) => message) };
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

describe("what of a tool set a note on its calls is about", () => {
  const servers = (host: string) => ({ servers: [{ url: `https://${host}.example.com` }] });
  const link = (host: string, description = "ok") => ({
    responses: {
      "200": {
        description,
        links: { next: { operationId: "a", server: { url: `https://${host}.example.com` } } },
      },
    },
  });
  const asked = (type: string) => ({ requestBody: { content: { "text/plain": { schema: { type } } } } });
  const at = (route: string, member: string) => `openapi_schema.operations${itemSegment(route)}.${member}`;

  test("is the same member of each operation that it names", () => {
    const { unjudged, messages } = judged(
      { "GET /a": servers("one"), "GET /b[c].d": servers("one") },
      { "GET /a": servers("two"), "GET /b[c].d": { ...servers("two"), ...asked("string") } },
    );
    expect(messages).toEqual([expect.stringContaining("`GET /a` and `GET /b[c].d` may go to a new host")]);
    expect(unjudged).toEqual([at("GET /b[c].d", "request_body")]);
  });

  test("is none of an operation whose path goes on like what is below another one", () => {
    const named = { ...servers("evil"), operationId: "a" };
    const added = judged({ "GET /z": {} }, { "GET /z": {}, "GET /a": named, "GET /a].x": asked("string") });
    expect(added.unjudged).toEqual([`openapi_schema.operations["GET /a].x"]`]);
    const quoted = judged(
      { "GET /z": {} },
      { "GET /z": {}, 'GET /a"].x': named, 'GET /a"].x"].y': asked("string") },
    );
    expect(quoted.unjudged).toEqual([String.raw`openapi_schema.operations["GET /a\"].x\"].y"]`]);
  });

  test("is no parameter of another one where an agent gains an operation with such a path", () => {
    const parameters = (...names: string[]) => ({ parameters: names.map((name) => ({ in: "query", name })) });
    const plan = planFrom(
      bodyOf({ "GET /a": parameters("x") }),
      bodyOf({ "GET /a": parameters("x", "y"), "GET /a].parameters[query y": {} }),
      { tools: [`\${${toolset}}`] },
    );
    expect(unjudgedIn(reviewOf(plan))).toEqual(["openapi_schema.operations[GET /a].parameters[query y]"]);
  });

  test("is the servers of links, and nothing else of their responses", () => {
    const { unjudged } = judged(
      { "GET /a": link("one"), "GET /b": link("one") },
      { "GET /a": link("two", "anything"), "GET /b": link("two") },
    );
    expect(unjudged).toEqual([at("GET /a", "responses"), at("GET /b", "responses")]);
  });

  test("is what the document says, where an operation says more and is edited elsewhere", () => {
    const { unjudged } = judged(
      { "GET /a": { ...link("next"), ...asked("string") }, "GET /b": {} },
      { "GET /a": { ...link("next"), ...asked("number") }, "GET /b": {} },
      [servers("one"), servers("two")],
    );
    expect(unjudged).toEqual([at("GET /a", "request_body")]);
  });

  test("is each part of a server, of which it quotes none", () => {
    const region = (first: string, other: string) => ({
      servers: [
        { url: "https://{r}.example.com", variables: { r: { default: first, enum: [first, other] } } },
      ],
    });
    const longer = (type: string) => ({ "GET /a/b": { ...servers("own"), ...asked(type) } });
    const { unjudged } = judged(
      { "GET /a": {}, ...longer("string") },
      { "GET /a": {}, ...longer("number") },
      [region("eu", "us"), region("us", "ap")],
    );
    expect(unjudged).toEqual([at("GET /a/b", "request_body")]);
  });

  test("is what the document and what an operation say alike", () => {
    const { unjudged } = judged(
      { "GET /a": servers("one"), "GET /b": {} },
      { "GET /a": servers("two"), "GET /b": {} },
      [servers("one"), servers("two")],
    );
    expect(unjudged).toEqual([]);
  });
});
