import { expect, test } from "vitest";
import type { Action, Change, GuardrailNote, Plan } from "../../../src/generated/plan.js";
import type { Edit } from "../../../src/core/review/edit.js";
import { reviewOf } from "../../../src/core/review/review.js";
import { unchangedOf } from "../../../src/core/plan/plan-summary.js";
import { withoutReview, withReview } from "../../../src/core/review/reviewed-plan.js";
import { noLock, planOf } from "../../plan/history.js";
import { workspaceOf } from "../../plan/world.js";
import { wholeTest } from "../../harness/tier.js";

const { plan: empty } = planOf(workspaceOf([]), noLock);

function planWith(actions: Action[], rest: Partial<Plan> = {}): Plan {
  return { ...empty, actions, ...rest };
}

function actionOf(
  address: string,
  action: Action["action"],
  changes: Change[] = [],
  rest: Partial<Action> = {},
) {
  return { address, action, reasons: [], changes, affects: [], waits_for: [], reads: {}, ...rest };
}

const prompt = (before: string, after: string): Change => ({ path: "system_prompt", before, after });
const moved: Change = {
  path: "tools",
  before: ["${toolset:a}"],
  after: ["${toolset:a}"],
  references: ["toolset:a"],
};

function named(edits: readonly Edit[]): string[] {
  return edits.map(({ action, change }) => `${action.address} ${change?.path ?? "whole"}`);
}

test("what is edited once is apart from what is edited in many resources and from what follows", () => {
  const review = reviewOf(
    planWith([
      actionOf("policy:p", "replace", [{ path: "name", before: "a", after: "b" }]),
      actionOf("agent:c", "update", [prompt("c\nX", "c"), moved]),
      actionOf("agent:b", "update", [prompt("b\nX\n1", "b\n1"), { path: "model", before: "s", after: "l" }]),
      actionOf("agent:a", "update", [moved]),
      actionOf("agent:d", "unknown"),
      actionOf("agent:e", "blocked"),
      actionOf("agent:f", "create", [prompt("", "new")]),
      actionOf("agent:g", "forget"),
    ]),
  );
  expect(named(review.onlyHere)).toEqual([
    "policy:p name",
    "agent:b model",
    "agent:f whole",
    "agent:g whole",
  ]);
  expect(review.groups.map(({ actions }) => actions.map(({ address }) => address))).toEqual([
    ["agent:b", "agent:c"],
  ]);
  expect(review.groups[0]?.change).toEqual(prompt("b\nX\n1", "b\n1"));
  expect(review.edits).toBe(5);
  expect(review.consequences.map(({ address }) => address)).toEqual(["agent:a"]);
  expect(review.held.map(({ address }) => address)).toEqual(["agent:d", "agent:e"]);
});

test("a move, an adoption and a replacement that was asked for are edits, whatever else follows", () => {
  const review = reviewOf(
    planWith([
      actionOf("agent:moved", "update", [moved], { from: "agent:old" }),
      actionOf("agent:renamed", "record", [], { from: "agent:older" }),
      actionOf("agent:adopted", "record", [], { adopted: "id" }),
      actionOf("credential:asked", "replace", [moved], { causes: [{ code: "replace-asked", parts: {} }] }),
      actionOf("policy:resent", "replace", [], { causes: [{ code: "resend-asked", parts: { fields: [] } }] }),
      actionOf("agent:protected", "update", [
        moved,
        { path: "lifecycle.protect", before: true, after: false },
      ]),
    ]),
  );
  expect(named(review.onlyHere)).toEqual([
    "agent:moved whole",
    "agent:renamed whole",
    "agent:adopted whole",
    "credential:asked whole",
    "policy:resent whole",
    "agent:protected lifecycle.protect",
  ]);
  expect(review.consequences).toEqual([]);
});

test("what is only sent or recorded again is no edit", () => {
  const actions = [
    actionOf("agent:a", "update"),
    actionOf("toolset:t", "record"),
    actionOf("policy:p", "replace", [moved]),
  ];
  const review = reviewOf(planWith(actions));
  expect(review.edits).toBe(0);
  expect(review.consequences).toEqual(actions);
});

test("edits of the same words in lines that differ are one group, and the odd one is only here", () => {
  const line = (place: string, hours: string, more = "") =>
    prompt(
      `Hello.\nOur shop in ${place} is open from 9 to ${hours}.`,
      `Hello.\nOur shop in ${place} is open from 8 to ${hours}.${more}`,
    );
  const shops = Array.from({ length: 40 }, (_, index) => line(`City ${index}`, `${index + 100}`));
  const odd = line("City 23", "17", " The door code is 4711.");
  const review = reviewOf(
    planWith(
      [...shops.slice(0, 23), odd, ...shops.slice(23)].map((change, index) =>
        actionOf(`agent:a${index}`, "update", [change]),
      ),
    ),
  );
  expect(named(review.onlyHere)).toEqual(["agent:a23 system_prompt"]);
  expect(review.groups).toMatchObject([{ linesDiffer: true, change: shops[0], isJudged: false }]);
  expect(review.groups[0]?.actions.length).toBe(40);
  expect(review.edits).toBe(2);
});

test("the same words in other sentences, or at other places of a sentence, are no group", () => {
  const sentences = [
    "Do not give refunds to strangers; do promise a date",
    "Do give refunds to strangers; do not promise a date",
    "Agents may not see card numbers of the shop",
    "You are not allowed to read mail aloud",
    "Never say that it is not possible",
  ];
  const changes = sentences.map((text) => prompt(text, text.replace(" not", "")));
  const review = reviewOf(
    planWith(changes.map((change, index) => actionOf(`agent:a${index}`, "update", [change]))),
  );
  expect(review.groups).toEqual([]);
  expect(review.onlyHere.length).toBe(sentences.length);
});

test("what a note is about is in no group with what is not judged", () => {
  const text = (index: number) => prompt(`Shop ${index} may not sell`, `Shop ${index} may sell`);
  const actions = [0, 1, 2, 3].map((index) => actionOf(`agent:a${index}`, "update", [text(index)]));
  const note = (address: string): GuardrailNote => ({
    code: "prohibition-lost",
    effect: "review",
    address,
    path: "system_prompt",
    parts: {},
    message: "it no longer forbids",
  });
  const review = reviewOf(planWith(actions, { notes: [note("agent:a3")] }));
  expect(named(review.onlyHere)).toEqual(["agent:a3 system_prompt"]);
  expect(review.groups).toMatchObject([{ linesDiffer: true, isJudged: false }]);
  expect(withReview(planWith(actions)).groups).toMatchObject([{ lines_differ: true }]);
});

test("one resource with one edit twice is no group", () => {
  const twice = [prompt("a", "b"), prompt("a", "b")];
  expect(reviewOf(planWith([actionOf("agent:a", "update", twice)])).groups).toEqual([]);
});

test("a group's change says of references only what holds for all of its resources", () => {
  const adding = (references?: string[]): Change => ({
    path: "tools",
    before: ["${toolset:a}"],
    after: ["${toolset:a}", "x"],
    ...(references && { references }),
  });
  const groupOf = (...changes: Change[]) =>
    reviewOf(planWith(changes.map((change, index) => actionOf(`agent:a${index}`, "update", [change]))))
      .groups;
  expect(groupOf(adding(["toolset:a"]), adding())).toMatchObject([{ change: adding() }]);
  expect(groupOf(adding(["toolset:a"]), adding())[0]?.change).not.toHaveProperty("references");
  expect(groupOf(adding(["toolset:a"]), adding(["toolset:a"]))[0]?.change).toEqual(adding(["toolset:a"]));
});

test("equal notes are one, with their addresses and their change, and what is rare is first", () => {
  const note = (address: string, rest: Partial<GuardrailNote> = {}): GuardrailNote => ({
    code: "prompt-changed",
    effect: "weakens",
    address,
    parts: { agent: address },
    message: `${address} lost a line`,
    path: "system_prompt",
    ...rest,
  });
  const { notes } = reviewOf(
    planWith(
      [
        actionOf("agent:b", "update", [prompt("b\nX", "b")]),
        actionOf("agent:a", "update", [prompt("a\nX", "a")]),
        actionOf("agent:c", "update", [prompt("c\nY", "c")]),
      ],
      {
        notes: [
          note("agent:b"),
          note("agent:a"),
          note("agent:c"),
          note("agent:a", { effect: "widens" }),
          note("agent:a", { parts: { agent: "of another sort" } }),
        ],
      },
    ),
  );
  expect(notes.map(({ addresses, change }) => [addresses, change])).toEqual([
    [["agent:c"], prompt("c\nY", "c")],
    [["agent:a"], prompt("a\nX", "a")],
    [["agent:a", "agent:b"], prompt("b\nX", "b")],
    [["agent:a"], prompt("a\nX", "a")],
  ]);
});

const gain = (address: string, operation: string, toolset: string): GuardrailNote => ({
  code: "writing-tool-gained",
  effect: "widens",
  address,
  path: "tools",
  parts: { toolset, operations: [{ name: operation, route: `POST /${operation}` }] },
  message: `gains \`${operation}\` (POST /${operation}) of ${toolset}, which writes`,
});

test("what one resource gains is before what many gain, each of a tool set of its own", () => {
  const languages = ["de", "en", "es"];
  const notes = [
    ...languages.map((each) => gain(`agent:billing-${each}`, "createRefund", `toolset:billing-${each}`)),
    gain("agent:dev-issues", "closeIssue", "toolset:issues"),
  ];
  const [rare, many] = reviewOf(planWith([], { notes })).notes;
  expect(rare?.addresses).toEqual(["agent:dev-issues"]);
  expect(many).toMatchObject({
    addresses: languages.map((each) => `agent:billing-${each}`),
    patterns: [{ pattern: "agent:billing-*", count: 3 }],
    parts: { toolset: "toolset:billing-*" },
    message: "gains `createRefund` (POST /createRefund) of toolset:billing-*, which writes",
  });
});

test("notes that differ in names that follow from the noted one are one, and a name that does not is apart", () => {
  const languages = ["de", "en", "es", "fr"];
  const detached = (language: string, policy: string): GuardrailNote => ({
    code: "policy-detached",
    effect: "weakens",
    address: `agent:desk-${language}`,
    path: "features",
    parts: { policy, in_text: false },
    message: `${policy} is detached: the agent no longer refers to it`,
  });
  const feature = (policy: string): Change => ({
    path: "features",
    before: [{ type: "RAI", config: { policy_id: `\${${policy}}` } }],
  });
  const policyOf = (language: string) =>
    language === "es" ? "policy:admin-fr" : `policy:customer-${language}`;
  const actions = languages.map((each) =>
    actionOf(`agent:desk-${each}`, "update", [feature(policyOf(each))]),
  );
  const notes = languages.map((each) => detached(each, policyOf(each)));
  const [odd, many, ...rest] = reviewOf(planWith(actions, { notes })).notes;
  expect(rest).toEqual([]);
  expect(odd).toMatchObject({ addresses: ["agent:desk-es"], parts: { policy: "policy:admin-fr" } });
  expect(odd?.change?.path).toBe("features");
  expect(many).toMatchObject({
    addresses: ["agent:desk-de", "agent:desk-en", "agent:desk-fr"],
    message: "policy:customer-* is detached: the agent no longer refers to it",
  });
  // Each has a value of its own, which is shown with its own resource.
  expect(many?.change).toBeUndefined();
});

test("a new operation of a tool set is judged if a note says that an agent gains it", () => {
  const added = (operation: string): Change => ({
    path: `openapi_schema.operations[POST /${operation}]`,
    after: { operationId: operation },
    outline: true,
  });
  const { onlyHere } = reviewOf(
    planWith(
      [
        actionOf("toolset:a", "update", [added("one"), added("two")]),
        actionOf("toolset:b", "update", [added("three")]),
      ],
      { notes: [gain("agent:x", "one", "toolset:a"), gain("agent:x", "three", "toolset:c")] },
    ),
  );
  expect(onlyHere.map(({ isJudged }) => isJudged)).toEqual([true, false, false]);
});

test("a plan is marked with what follows from it, and can be had without again", () => {
  const plan = planWith([
    actionOf("agent:a", "update", [moved, prompt("a\nX", "a")]),
    actionOf("agent:b", "update", [prompt("b\nX", "b")]),
  ]);
  const whole = withReview(plan);
  expect(whole.actions[0]?.changes).toEqual([{ ...moved, consequence: true }, prompt("a\nX", "a")]);
  expect(whole).toMatchObject({
    edits: 1,
    groups: [{ change: prompt("a\nX", "a"), addresses: ["agent:a", "agent:b"] }],
  });
  expect(withoutReview(whole)).toEqual(plan);
});

test("an edit that resources share says where it is written if that is the same for all", () => {
  const edit = (file: string, line: number): Change => ({
    path: "model",
    before: "a",
    after: "b",
    origin: { file, line },
  });
  const actionAt = (address: string, file: string, line: number) =>
    actionOf(address, "update", [edit(file, line)]);
  const originOf = (...actions: Action[]) => {
    const notes: GuardrailNote[] = actions.map(({ address }) => ({
      code: "model-changed",
      effect: "widens",
      address,
      path: "model",
      parts: {},
      message: "the model changes",
    }));
    const { groups, notes: gathered } = reviewOf(planWith(actions, { notes }));
    expect([groups.length, gathered.length]).toEqual([1, 1]);
    expect(gathered[0]?.change?.origin).toEqual(groups[0]?.change.origin);
    return groups[0]?.change.origin;
  };
  const one = actionAt("agent:a", "agentform.yaml", 7);
  expect(originOf(one, actionAt("agent:b", "agentform.yaml", 7))).toEqual({
    file: "agentform.yaml",
    line: 7,
  });
  expect(originOf(one, actionAt("agent:b", "agentform.yaml", 8))).toBeUndefined();
  expect(originOf(one, actionAt("agent:b", "environments/x/a.yaml", 7))).toBeUndefined();
  expect(
    originOf(one, actionOf("agent:b", "update", [{ path: "model", before: "a", after: "b" }])),
  ).toBeUndefined();
});

test("a shared edit says which resources of its kinds do not have it", () => {
  const model = (after: string): Change => ({ path: "model", before: "small", after });
  const shared = [
    actionOf("agent:a", "update", [model("large")]),
    actionOf("agent:b", "update", [model("large")]),
  ];
  const rest = [
    actionOf("agent:c", "update", [model("tiny")]),
    actionOf("agent:new", "create", [model("large")]),
    actionOf("agent:waits", "blocked"),
    actionOf("policy:p", "replace", [{ path: "name", before: "a", after: "b" }]),
  ];
  const summary = { ...empty.summary, unchanged: 3 };
  const unchanged = { agent: { count: 2, addresses: ["agent:d", "agent:e"] } };
  const othersOf = (plan: Partial<Plan>) => reviewOf(planWith([...shared, ...rest], plan)).groups[0]?.others;
  expect(othersOf({ summary, unchanged })).toEqual({
    count: 3,
    addresses: ["agent:c", "agent:d", "agent:e"],
  });
  expect(othersOf({})).toEqual({ count: 1, addresses: ["agent:c"] });
  // As a version wrote it that did not say which ones they are.
  expect(othersOf({ summary })).toEqual({ addresses: ["agent:c"] });
});

test("an edit is judged if a note is about it or about what is around it", () => {
  const changes = [
    { path: "features[RAI].config.a", before: 1, after: 2 },
    { path: "featuresX", before: 1, after: 2 },
    prompt("a", "b"),
  ];
  const note = {
    code: "c",
    effect: "review" as const,
    address: "agent:a",
    path: "features[RAI]",
    parts: {},
    message: "m",
  };
  const { onlyHere, notJudged } = reviewOf(
    planWith(
      [actionOf("agent:a", "update", changes), actionOf("agent:n", "create"), actionOf("agent:o", "create")],
      {
        notes: [note, { code: "c", effect: "review", address: "agent:n", parts: {}, message: "m" }],
      },
    ),
  );
  expect(onlyHere.map(({ isJudged }) => isJudged)).toEqual([true, false, false, true, false]);
  expect(notJudged).toEqual([
    { field: "featuresX", resources: 1 },
    { field: "system_prompt", resources: 1 },
    { action: "create", resources: 1 },
  ]);
});

test("an edit at a path that is none is named as it is", () => {
  const { notJudged } = reviewOf(
    planWith([
      actionOf("agent:a", "update", [{ path: '"', after: 1 }]),
      actionOf("agent:b", "update", [{ path: '"\\q"', after: 1 }]),
    ]),
  );
  expect(notJudged).toEqual([
    { field: '"', resources: 1 },
    { field: '"\\q"', resources: 1 },
  ]);
});

test("a plan lists what does not change, of the kinds of which several change", () => {
  const actions = [
    actionOf("agent:a", "update"),
    actionOf("agent:b", "replace"),
    actionOf("policy:p", "update"),
  ];
  const resources = ["agent:a", "agent:b", "agent:d", "agent:c", "policy:p", "policy:q"].map((address) => ({
    address,
  }));
  expect(unchangedOf(actions, resources)).toEqual({
    unchanged: { agent: { count: 2, addresses: ["agent:c", "agent:d"] } },
  });
  expect(unchangedOf(actions.slice(1), resources)).toEqual({});
});

const listed = (title: string, isNew: boolean) => `${title}\n- a${isNew ? "\n- refund" : ""}\n`;

test.each([
  ["underlined headings", "Never\n=====\n", "Allowed\n=======\n"],
  ["equal headings below others", "# Never\n## Calls\n", "# Allowed\n## Calls\n"],
  ["titles with a part of a name", "# What you never do\n", "# What you always do\n"],
  ["equal headings in tags", "<never>\n\n# Calls\n", "<allowed>\n\n# Calls\n"],
  ["titles that differ in a sign", "# Refunds < 100\n", "# Refunds > 100\n"],
  ["titles that signs tell apart", "# ❌ Refunds\n", "# ✅ Refunds\n"],
  ["long titles", `Never ${"do this ".repeat(40)}:\n`, `Always ${"do this ".repeat(40)}:\n`],
])("the same line below another title is another edit: %s", (_, one, other) => {
  const under = (title: string) => prompt(listed(title, false), listed(title, true));
  const review = reviewOf(
    planWith([
      ...["agent:bot-never", "agent:bot-b", "agent:bot-c"].map((address) =>
        actionOf(address, "update", [under(one)]),
      ),
      actionOf("agent:bot-always", "update", [under(other)]),
    ]),
  );
  expect(named(review.onlyHere)).toEqual(["agent:bot-always system_prompt"]);
  expect(review.groups.map(({ actions }) => actions.length)).toEqual([3]);
});

test("the same line that has another title in each resource is an edit of each", () => {
  const titles = {
    "agent:a": "# Never do this\n",
    "agent:b": "# Allowed without asking\n",
    "agent:c": "# Sometimes\n",
  };
  const actions = Object.entries(titles).map(([address, title]) =>
    actionOf(address, "update", [prompt(listed(title, false), listed(title, true))]),
  );
  for (const some of [actions, actions.slice(0, 2)]) {
    const { onlyHere, groups } = reviewOf(planWith(some));
    expect(groups).toEqual([]);
    expect(onlyHere).toHaveLength(some.length);
  }
});

test.each([
  ["agent:never", "# Never do this\n", "agent:always", "# Always do this\n"],
  ["agent:no-desk", "# Desk: no refunds\n", "agent:full-desk", "# Desk: full refunds\n"],
  ["agent:never", "# Never do this\n", "agent:c", "# Do this\n"],
  ["agent:off-limits", "# What is off limits\n", "agent:within-reach", "# What is within reach\n"],
])("a name that is what the title says is no mere name: %s", (one, under, other, otherUnder) => {
  const actions = [
    actionOf(one, "update", [prompt(listed(under, false), listed(under, true))]),
    actionOf(other, "update", [prompt(listed(otherUnder, false), listed(otherUnder, true))]),
  ];
  expect(reviewOf(planWith(actions)).groups).toEqual([]);
});

test("titles with the name of the resource, in one or more words, are equal", () => {
  const actions = ["agent:books", "agent:desk-de"].map((address) => {
    const title = `# Rules of ${address}.\n`;
    return actionOf(address, "update", [prompt(listed(title, false), listed(title, true))]);
  });
  expect(reviewOf(planWith(actions)).groups).toHaveLength(1);
});

test("notes of the same words under other titles are apart, each with its own difference", () => {
  const under = (title: string) => prompt(`${title}\n- pay only a\n`, `${title}\n- pay\n`);
  const notes = ["agent:a", "agent:b"].map((address): GuardrailNote => {
    const parts = { field: "system_prompt", gone: ["pay only a"] };
    return { code: "prohibition-lost", effect: "review", address, path: "system_prompt", parts, message: "" };
  });
  const gathered = (titles: readonly string[]) => {
    const actions = titles.map((title, at) =>
      actionOf(at === 0 ? "agent:a" : "agent:b", "update", [under(title)]),
    );
    return reviewOf(planWith(actions, { notes })).notes.map(({ change }) => change?.under);
  };
  expect(gathered(["# Never", "# Allowed"])).toEqual([["# Never"], ["# Allowed"]]);
  expect(gathered(["# Never", "# Never"])).toEqual([["# Never"]]);
});

test("a note on a field judges what it quotes of it, and nothing beside that", () => {
  const changes: Change[] = [
    { path: "agent_instructions.r", before: "never lie", after: "lie" },
    { path: "agent_instructions.s", before: "ask", after: "pay all" },
    { path: "agent_instructions.t", before: "Never", after: "Always" },
  ];
  const note: GuardrailNote = {
    code: "prohibition-lost",
    effect: "review",
    address: "agent:a",
    path: "agent_instructions",
    parts: { field: "agent_instructions", gone: ["never lie"], titles: ["Never"] },
    message: "",
  };
  const { notJudged, onlyHere } = reviewOf(
    planWith([actionOf("agent:a", "update", changes)], { notes: [note] }),
  );
  expect(onlyHere.map(({ isJudged }) => isJudged)).toEqual([true, false, false]);
  expect(notJudged).toEqual([{ field: "agent_instructions", resources: 1 }]);
});

wholeTest("texts of thousands of lines with hundreds of hunks are cut, too", () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `Line ${index}.`);
  const edited = lines.map((line, index) => (index % 15 === 0 ? `${line} Please.` : line));
  const text = prompt(lines.join("\n"), edited.join("\n"));
  const odd = prompt(lines.join("\n"), edited.toSpliced(1507, 0, "Refund everything.").join("\n"));
  const review = reviewOf(
    planWith([
      actionOf("agent:a", "update", [text]),
      actionOf("agent:b", "update", [{ ...text }]),
      actionOf("agent:c", "update", [odd]),
    ]),
  );
  expect(named(review.onlyHere)).toEqual(["agent:c system_prompt"]);
  expect(review.groups.map(({ actions }) => actions.length)).toEqual([3]);
});
