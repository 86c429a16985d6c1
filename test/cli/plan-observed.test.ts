import { describe, expect, test } from "vitest";
import type { Observation } from "../../src/core/observation/observation.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { agent, openAppliedDesk, tenEdits, twoOfEach, type AppliedDesk } from "./applied-desk.js";

async function observed(desk: AppliedDesk, ...args: readonly string[]): Promise<Plan> {
  const { code, out, err } = await desk.run("plan", "--observed", "found.json", "--format", "json", ...args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as Plan;
}

async function look({ run }: AppliedDesk): Promise<void> {
  expect((await run("drift", "--out", "found.json")).code).toBe(0);
}

function shortOf({ actions }: Plan) {
  return actions.map(({ address, action, reasons, leaves, gone = [], changes }) => ({
    address,
    action,
    reasons,
    ...(leaves !== undefined && { leaves, gone: gone.length }),
    undoes: changes.flatMap(({ path, before, after, undoes, edited }) =>
      undoes ? [[path, before ?? null, after ?? null, ...(edited ? ["edited"] : [])]] : [],
    ),
  }));
}

test("a plan undoes what somebody changed, and after its apply there is nothing to do and no drift", async () => {
  const desk = await openAppliedDesk();
  await look(desk);
  expect((await observed(desk)).actions).toEqual([]);
  const ids = Object.fromEntries(
    ["policy:lax", "agent:sales", "toolset:desk/closeTicket", "toolset:desk/getTicket"].map((address) => [
      address,
      desk.id(address),
    ]),
  );
  tenEdits(desk);
  await look(desk);
  const plan = await observed(desk);
  expect(shortOf(plan)).toMatchInlineSnapshot(`
    [
      {
        "action": "update",
        "address": "policy:strict",
        "reasons": [
          "it was changed in the service since it was last sent",
        ],
        "undoes": [
          [
            "banned_topics.topics",
            [
              "weapons",
            ],
            [
              "weapons",
              "drugs",
            ],
          ],
        ],
      },
      {
        "action": "replace",
        "address": "toolset:desk",
        "gone": 1,
        "leaves": 2,
        "reasons": [
          "closeTicket of its 3 tools is not in the service any more",
          "it was changed in the service since it was last sent",
        ],
        "undoes": [
          [
            "default_query_params.lang",
            "fr",
            "en",
          ],
        ],
      },
      {
        "action": "replace",
        "address": "agent:sales",
        "gone": 1,
        "leaves": 0,
        "reasons": [
          "it is not in the service any more",
          "toolset:desk gets new IDs",
        ],
        "undoes": [],
      },
      {
        "action": "update",
        "address": "agent:support",
        "reasons": [
          "toolset:desk gets new IDs",
          "it was changed in the service since it was last sent",
        ],
        "undoes": [
          [
            "description",
            "Edited",
            "The support desk",
          ],
          [
            "llm_credential_id",
            "\${credential:other}",
            "\${credential:provider}",
          ],
          [
            "features[RAI]",
            null,
            {
              "config": {
                "policy_id": "\${policy:strict}",
              },
              "priority": 0,
              "type": "RAI",
            },
          ],
        ],
      },
      {
        "action": "update",
        "address": "agent:triage",
        "reasons": [
          "toolset:desk gets new IDs",
          "it was changed in the service since it was last sent",
        ],
        "undoes": [
          [
            "tools",
            [
              "\${toolset:desk}",
              "\${toolset:billing}",
            ],
            [
              "\${toolset:desk}",
            ],
          ],
          [
            "temperature",
            null,
            0.2,
          ],
        ],
      },
      {
        "action": "replace",
        "address": "policy:lax",
        "gone": 1,
        "leaves": 0,
        "reasons": [
          "it is not in the service any more",
        ],
        "undoes": [],
      },
    ]
  `);
  const text = await desk.run("plan", "--observed", "found.json");
  expect(text.out).toMatch(
    /^Compared with what was last applied .*, and with what was found in the service at /m,
  );
  const markdown = await desk.run("plan", "--observed", "found.json", "--format", "markdown");
  const html = await desk.run("plan", "--observed", "found.json", "--format", "html");
  for (const { out } of [text, markdown, html]) expect(out).toContain("reverts a manual edit in the service");

  const refused = await desk.run("apply", "--yes", "--expect", plan.digest);
  expect(refused.code).toBe(4);
  expect((await desk.run("plan", "--observed", "found.json", "--out", "plan.json")).code).toBe(0);
  const applied = await desk.run("apply", "--yes", "--observed", "found.json", "--expect", plan.digest);
  expect(applied).toMatchObject({ code: 0 });
  expect((await desk.run("plan", "--detailed-exitcode")).code).toBe(0);
  expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
  const { retired } = JSON.parse(desk.workspace.read("agentform.lock")) as {
    retired: Record<string, { reason: string }>;
  };
  expect(
    Object.fromEntries(Object.entries(ids).map(([address, id]) => [address, retired[id]?.reason])),
  ).toEqual({
    "policy:lax": "gone",
    "agent:sales": "gone",
    "toolset:desk/closeTicket": "gone",
    "toolset:desk/getTicket": "replaced",
  });
  const old = await desk.run("plan", "--observed", "found.json");
  expect(old).toMatchObject({ code: 1 });
  expect(old.err).toContain("the observation is older than the lock");
});

test("a saved plan with an observation is applied as it is", async () => {
  const desk = await openAppliedDesk();
  tenEdits(desk);
  await look(desk);
  expect((await desk.run("plan", "--observed", "found.json", "--out", "plan.json")).code).toBe(0);
  expect((await desk.run("apply", "plan.json", "--yes")).code).toBe(0);
  expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(0);
  expect((await desk.run("apply", "plan.json", "--yes", "--observed", "found.json")).code).toBe(64);
});

test("what agrees with the document is not undone, and what the document changes as well is", async () => {
  const desk = await openAppliedDesk();
  desk.edit("agent:support", { description: "New" });
  desk.edit("agent:triage", { description: "Hand" });
  desk.edit("agent:sales", { temperature: 0.9 });
  await look(desk);
  desk.workspace.write({
    "agents/support.yaml": agent("support", { description: "New" }),
    "agents/triage.yaml": agent("triage", { description: "Mine" }),
    "agents/sales.yaml": agent("sales", { description: "Mine" }),
  });
  expect(shortOf(await observed(desk))).toMatchInlineSnapshot(`
    [
      {
        "action": "update",
        "address": "agent:sales",
        "reasons": [
          "\`description\` was edited",
          "it was changed in the service since it was last sent",
        ],
        "undoes": [
          [
            "temperature",
            0.9,
            0.2,
          ],
        ],
      },
      {
        "action": "update",
        "address": "agent:support",
        "reasons": [],
        "undoes": [],
      },
      {
        "action": "update",
        "address": "agent:triage",
        "reasons": [
          "\`description\` was edited",
          "it was changed in the service since it was last sent",
        ],
        "undoes": [
          [
            "description",
            "Hand",
            "Mine",
            "edited",
          ],
        ],
      },
    ]
  `);
  const { out } = await desk.run("plan", "--observed", "found.json");
  expect(out).toContain("~ temperature (reverts a manual edit in the service): 0.9 → 0.2\n");
  expect(out).toContain("~ description (edited, and overwrites a manual edit in the service): Hand → Mine\n");
});

test("an edit of what somebody changed, too, is not the same edit as undoing the same change", async () => {
  const desk = await openAppliedDesk();
  desk.workspace.write({ "agents/sales.yaml": agent("sales", { temperature: 0.5 }) });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  for (const key of ["support", "sales"]) desk.edit(`agent:${key}`, { temperature: 0.9 });
  await look(desk);
  desk.workspace.write({ "agents/support.yaml": agent("support", { temperature: 0.5 }) });
  const { actions, groups } = await observed(desk);
  const change = { path: "temperature", before: 0.9, after: 0.5, undoes: true };
  expect(Object.fromEntries(actions.map(({ address, changes }) => [address, changes]))).toMatchObject({
    "agent:sales": [change],
    "agent:support": [{ ...change, edited: true }],
  });
  expect(groups).toEqual([]);
});

const guarding = documentText("Policy", "strict", {
  name: "Strict",
  prompt_injection: { enabled: true, threshold: 0.5 },
});

test("what no update can undo is in the plan, fails it, and names --replace, until that is asked for", async () => {
  const desk = await openAppliedDesk("array", "read", { ...twoOfEach, "policies/strict.yaml": guarding });
  const manifest = desk.workspace.read("agentform.yaml");
  desk.workspace.write({
    "agentform.yaml": manifest.replace(`"update":"PUT /v1/rai/policies/{id}",`, ""),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.edit("policy:strict", { prompt_injection: { enabled: false, threshold: 0.5 } });
  await look(desk);
  const [plan, drift] = [["plan", "--observed", "found.json"], ["drift"]];
  for (const command of [plan, drift]) {
    const shown = await desk.run(...command, "--detailed-exitcode");
    expect(shown).toMatchObject({ code: 2 });
    expect(shown.out).not.toContain("No changes");
    expect(shown.out).toContain("the check `prompt_injection` is switched off");
    expect(shown.out).toContain("`--replace policy:strict` creates it again");
  }
  const failed = await desk.run(...plan, "--fail-on", "weakens");
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.err).toContain("--fail-on weakens: policy:strict");
  const { actions, notes, summary } = await observed(desk);
  expect(summary).toMatchObject({ changed: 1, replace: 0 });
  expect(actions).toMatchObject([
    {
      address: "policy:strict",
      action: "changed",
      changes: [{ path: "prompt_injection.enabled", before: true, after: false, stays: true }],
    },
  ]);
  expect(notes).toMatchObject([{ code: "check-off", effect: "weakens", address: "policy:strict" }]);
  const before = desk.workspace.read("agentform.lock");
  const applied = await desk.run("apply", "--yes", "--observed", "found.json");
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.out).toContain("no update can undo");
  expect(desk.workspace.read("agentform.lock")).toBe(before);
  const replaced = await desk.run("apply", "--yes", "--observed", "found.json", "--replace", "policy:strict");
  expect(replaced).toMatchObject({ code: 0 });
  expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(0);
});

test("what stays is told beside what an action does, and goes with a replacement or where the document agrees", async () => {
  const desk = await openAppliedDesk();
  desk.edit("toolset:billing/getInvoice", { tool_set_name: "openapi-other" });
  await look(desk);
  const path = "toolsets/billing.yaml";
  const billing = twoOfEach[path] ?? "";
  const both = async (text: string) => {
    desk.workspace.write({ [path]: text });
    const { actions } = await observed(desk);
    return actions
      .filter(({ address }) => address === "toolset:billing")
      .map(({ action, changes }) => [action, changes.map((each) => [each.path, each.stays === true])]);
  };
  const stays = ["tool_set_name", true];
  expect(await both(billing)).toEqual([["changed", [stays]]]);
  expect(await both(billing.replace(/\ben\b/, "fr"))).toEqual([
    ["update", [["default_query_params.lang", false], stays]],
  ]);
  expect(await both(billing.replace(/}$/, ',"lifecycle":{"protect":true}}'))).toEqual([
    ["record", [["lifecycle.protect", false], stays]],
  ]);
  const agreeing = billing.replace('"tool_set_name":"billing"', '"tool_set_name":"other"');
  expect(await both(agreeing)).toEqual([["replace", [["tool_set_name", false]]]]);
});

test("what could not be read is named beside what was", async () => {
  const desk = await openAppliedDesk();
  await look(desk);
  const found = JSON.parse(desk.workspace.read("found.json")) as Observation;
  const unread = {
    id: desk.id("policy:strict"),
    state: "unreadable" as const,
    why: "the service answered 500",
  };
  const objects = { ...found.objects, "policy:strict": [unread] };
  desk.workspace.write({ "found.json": JSON.stringify({ ...found, objects }) });
  const { code, out } = await desk.run("plan", "--observed", "found.json");
  expect(code).toBe(0);
  expect(out).toContain("`policy:strict` could not be read: the service answered 500");
});

const bare = documentText("Agent", "bare", { name: "bare", system_prompt: "Be kind." });
const evil = { tools: ["evil"], description: "By hand" };

/** A desk with an agent of few fields that was read after it was applied. */
async function openVerifiedDesk(): Promise<AppliedDesk> {
  const desk = await openAppliedDesk();
  desk.workspace.write({ "agents/bare.yaml": bare });
  expect(await desk.run("apply", "--yes", "--verify")).toMatchObject({ code: 0 });
  expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
  return desk;
}

test("what somebody added to an agent is undone, and after the apply there is no drift", async () => {
  const desk = await openVerifiedDesk();
  desk.edit("agent:bare", evil);
  const drift = await desk.run("drift", "--out", "found.json", "--format", "json", "--detailed-exitcode");
  expect(drift.code).toBe(2);
  const [{ changes } = { changes: [] }] = (JSON.parse(drift.out) as Plan).actions;
  expect(changes).toEqual([
    { path: "description", after: "By hand", own: true },
    { path: "tools", after: ["evil"], own: true },
  ]);
  const plan = await observed(desk);
  expect(shortOf(plan)).toEqual([
    {
      address: "agent:bare",
      action: "update",
      reasons: ["it was changed in the service since it was last sent"],
      undoes: [
        ["description", "By hand", null],
        ["tools", ["evil"], null],
      ],
    },
  ]);
  expect(await desk.run("plan", "--observed", "found.json", "--detailed-exitcode")).toMatchObject({
    code: 2,
  });
  expect((await desk.run("plan", "--observed", "found.json", "--out", "plan.json")).code).toBe(0);
  expect(await desk.run("apply", "plan.json", "--yes")).toMatchObject({ code: 0 });
  expect(await desk.run("drift", "--detailed-exitcode")).toMatchObject({ code: 0 });
  // A second addition of the same is one again.
  desk.edit("agent:bare", evil);
  await look(desk);
  expect(shortOf(await observed(desk))).toEqual(shortOf(plan));
});

wholeTest(
  "what somebody added since the observation, or changed once more, is not undone unseen",
  async () => {
    for (const more of [{ tools: ["evil", "worse"] }, { temperature: 0.5, examples: "None" }]) {
      const desk = await openVerifiedDesk();
      desk.edit("agent:bare", evil);
      await look(desk);
      desk.edit("agent:bare", more);
      const { code, err } = await desk.run("apply", "--yes", "--observed", "found.json");
      expect(code).toBe(1);
      const [field = ""] = Object.keys(more).toReversed();
      expect(err).toContain(`\`${field}\``);
      expect(err).toContain("in the service since the last apply, so nothing was sent");
      expect(err).not.toContain("`description`");
      await look(desk);
      expect((await desk.run("apply", "--yes", "--observed", "found.json")).code).toBe(0);
      expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(0);
    }
  },
);

wholeTest("what was added is undone beside an edit, and not where the document has it too", async () => {
  const desk = await openVerifiedDesk();
  desk.edit("agent:bare", { ...evil, tools: null, examples: "None" });
  await look(desk);
  desk.workspace.write({ "agents/bare.yaml": bare.replace("Be kind", "Be brief") });
  const [action] = (await observed(desk)).actions;
  expect(action?.reasons).toEqual([
    "`system_prompt` was edited",
    "it was changed in the service since it was last sent",
  ]);
  desk.workspace.write({
    "agents/bare.yaml": documentText("Agent", "bare", {
      name: "bare",
      system_prompt: "Be kind.",
      examples: "None",
      description: "Mine",
    }),
  });
  expect(shortOf(await observed(desk))).toMatchObject([
    { undoes: [["description", "By hand", "Mine", "edited"]] },
  ]);
  expect((await desk.run("apply", "--yes", "--observed", "found.json")).code).toBe(0);
  expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(0);
});

test("a guard that somebody added and a plan undoes is told as what it is", async () => {
  const desk = await openVerifiedDesk();
  const features = [{ type: "RAI", priority: 0, config: { policy_id: desk.id("policy:strict") } }];
  desk.edit("agent:bare", { features });
  await look(desk);
  const { notes, actions } = await observed(desk);
  expect(actions[0]?.changes).toMatchObject([
    { path: "features", before: [{ config: { policy_id: "${policy:strict}" } }], undoes: true },
  ]);
  expect(notes).toMatchObject([{ address: "agent:bare", effect: "weakens" }]);
});

wholeTest("what was added to policies and credentials is undone where they can be updated", async () => {
  const desk = await openAppliedDesk();
  for (const [file, text] of Object.entries(twoOfEach)) {
    desk.workspace.write({ [file]: text.replace("Strict", "Strict 2").replace("Provider", "Provider 2") });
  }
  expect((await desk.run("apply", "--yes", "--verify")).code).toBe(0);
  expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(0);
  desk.edit("policy:strict", { description: "By hand" });
  desk.edit("credential:provider", { meta_data: { team: "x", api_key: "hunter2hunter2" } });
  await look(desk);
  const plan = await observed(desk);
  expect(shortOf(plan)).toMatchObject([
    {
      address: "credential:provider",
      undoes: [["meta_data", { team: "x", api_key: "***" }, null]],
    },
    { address: "policy:strict", undoes: [["description", "By hand", null]] },
  ]);
  expect(JSON.stringify(plan)).not.toContain("hunter2hunter2");
  expect((await desk.run("apply", "--yes", "--observed", "found.json")).code).toBe(0);
  expect((await desk.run("drift", "--detailed-exitcode")).code).toBe(0);
});

test("what was added to a tool stays, and the plan says so with its effect", async () => {
  const desk = await openAppliedDesk();
  desk.workspace.write({
    "toolsets/billing.yaml": (twoOfEach["toolsets/billing.yaml"] ?? "").replace(/\ben\b/, "fr"),
  });
  expect((await desk.run("apply", "--yes", "--verify")).code).toBe(0);
  desk.edit("toolset:billing/getInvoice", { default_body_params: { tenant: "x" } });
  await look(desk);
  const { code, out } = await desk.run("plan", "--observed", "found.json", "--detailed-exitcode");
  expect(code).toBe(2);
  expect(out).toContain("`default_body_params`");
  expect(out).toContain("[default-changed]");
});

test("what has no document any more and is gone leaves nothing behind", async () => {
  const desk = await openAppliedDesk();
  const id = desk.id("agent:sales");
  desk.delete("agent:sales");
  await look(desk);
  desk.workspace.remove("agents/sales.yaml");
  const plan = await observed(desk);
  expect(shortOf(plan)).toEqual([
    {
      address: "agent:sales",
      action: "forget",
      reasons: ["the workspace has no document for it any more", "it is not in the service any more"],
      leaves: 0,
      gone: 1,
      undoes: [],
    },
  ]);
  expect((await desk.run("apply", "--yes", "--observed", "found.json")).code).toBe(0);
  expect(JSON.parse(desk.workspace.read("agentform.lock")).retired[id]).toMatchObject({ reason: "gone" });
  desk.workspace.write({ "agents/sales.yaml": agent("sales") });
  expect((await desk.run("plan")).code).toBe(0);
});

test("what was missing for a moment is not created a second time", async () => {
  // The reads before are those of the apply.
  const moment = { method: "GET", path: "/v3/agents/{id}", skip: 3, count: 1, status: 404 };
  const refusal = { ...moment, skip: 6, status: 403 };
  const desk = await openAppliedDesk("array", "read", twoOfEach, [moment, refusal]);
  await look(desk);
  expect(shortOf(await observed(desk))).toMatchObject([{ action: "replace", gone: 1 }]);
  const { code, err } = await desk.run("apply", "--yes", "--observed", "found.json");
  expect(code).toBe(1);
  expect(err).toMatch(/failed: the service has \w+, which was not found before, so nothing was created/);
  expect((await desk.run("apply", "--yes", "--observed", "found.json")).err).toContain("HTTP 403");
  expect(desk.emulator.objects().agents).toHaveLength(3);
  expect((await desk.run("apply", "--yes", "--observed", "found.json", "--no-check")).code).toBe(0);
  expect(desk.emulator.objects().agents).toHaveLength(4);
});

test("what a list lacked for a moment is not created a second time, either", async () => {
  const empty = { method: "GET", path: "/v3/agents/", status: 200, body: [] };
  const desk = await openAppliedDesk("array", "list", twoOfEach, [empty]);
  await look(desk);
  const { code, err } = await desk.run("apply", "--yes", "--observed", "found.json");
  expect(code).toBe(1);
  expect(err).toMatch(/failed: the service has \w+, which was not found before, so nothing was created/);
  expect(desk.emulator.objects().agents).toHaveLength(3);
  // One list for all that it says is there.
  const lists = desk.emulator.requests.filter(({ path }) => path === "/v3/agents/");
  expect(lists.filter(({ method }) => method === "GET")).toHaveLength(2);
});

test("no plan promises to delete an old object that is gone already", async () => {
  const desk = await openAppliedDesk();
  desk.delete("policy:lax");
  await look(desk);
  const lax = documentText("Policy", "lax", { name: "Lax" }, { on_replaced: "delete" });
  desk.workspace.write({ "policies/lax.yaml": lax });
  expect(shortOf(await observed(desk))).toMatchObject([{ action: "replace", leaves: 0, gone: 1 }]);
});

test("undoing what somebody added for safety is told as what it is", async () => {
  const desk = await openAppliedDesk();
  desk.edit("policy:strict", { banned_topics: { topics: ["weapons", "drugs", "gambling"] } });
  await look(desk);
  const { notes } = await observed(desk);
  expect(notes).toMatchObject([{ code: "banned-topic-gone", address: "policy:strict" }]);
});

describe("an observation is refused", () => {
  const forgeries: readonly [string, (observation: Record<string, unknown>) => unknown, string][] = [
    ["of another workspace", (one) => ({ ...one, workspace: "other" }), "is of `other`, and this is `desk`"],
    ["of another environment", (one) => ({ ...one, environment: "prod" }), "is of `desk` in `prod`"],
    [
      "of another service",
      (one) => ({ ...one, service: { base_url: "https://x" } }),
      "is of the service at `https://x`",
    ],
    ["of another lock", (one) => ({ ...one, lock: { lineage: "x", serial: 1 } }), "with a different lock"],
    [
      "older than the lock",
      (one) => ({ ...one, lock: { ...(one.lock as object), serial: 0 } }),
      "is older than the lock",
    ],
    [
      "newer than the lock",
      (one) => ({ ...one, lock: { ...(one.lock as object), serial: 9 } }),
      "with a newer lock",
    ],
    ["of another format", (one) => ({ ...one, format: "agentform/observation/v2" }), "this version reads"],
    ["that breaks its format", ({ at: _at, ...one }) => one, "breaks the observation's format"],
    ["that is no JSON", () => undefined, "is not valid JSON"],
    [
      "that is nested too deep",
      (one) => ({ ...one, objects: { "agent:a": [{ id: "1", state: "found", body: deep(500) }] } }),
      "nested too deep",
    ],
    [
      "of a resource that the lock does not have",
      (one) => ({ ...one, objects: { "agent:nope": [{ id: "1", state: "gone" }] } }),
      "the lock has no `agent:nope`",
    ],
    [
      "whose outline is damaged",
      (one) => ({
        ...one,
        objects: { "toolset:a": [{ id: "1", state: "found", body: { openapi_schema: { operations: 1 } } }] },
      }),
      "breaks the observation's format",
    ],
  ];
  test.each(sample("observations", forgeries, 3))("%s", async (_what, forged, message) => {
    const desk = await openAppliedDesk();
    await look(desk);
    const value = forged(JSON.parse(desk.workspace.read("found.json")) as Record<string, unknown>);
    desk.workspace.write({ "found.json": value === undefined ? "{" : JSON.stringify(value) });
    const { code, err } = await desk.run("plan", "--observed", "found.json");
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain("observation-invalid");
  });
});

function deep(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

test("an observation in which nothing differs makes no other plan", async () => {
  const desk = await openAppliedDesk();
  await look(desk);
  desk.workspace.write({ "agents/support.yaml": agent("support", { description: "New" }) });
  const { digest } = JSON.parse((await desk.run("plan", "--format", "json")).out) as Plan;
  expect((await observed(desk)).digest).toBe(digest);
  await look(desk);
  expect((await observed(desk)).digest).toBe(digest);
});

test("what somebody changed once more is not undone unseen", async () => {
  const desk = await openAppliedDesk();
  desk.edit("agent:support", { description: "Once" });
  await look(desk);
  desk.edit("agent:support", { description: "Twice" });
  const { code, err } = await desk.run("apply", "--yes", "--observed", "found.json");
  expect(code).toBe(1);
  expect(err).toContain("somebody changed `description` in the service");
  await look(desk);
  expect((await desk.run("apply", "--yes", "--observed", "found.json")).code).toBe(0);
});

test("nothing of a forged observation is sent", async () => {
  const desk = await openAppliedDesk();
  await look(desk);
  const forged = JSON.parse(desk.workspace.read("found.json")) as Observation;
  for (const objects of Object.values(forged.objects)) {
    for (const object of objects) {
      object.body = { ...object.body, name: "forged", model: "forged", extra: { forged: true } };
    }
  }
  desk.workspace.write({ "found.json": JSON.stringify(forged) });
  const before = JSON.stringify(desk.emulator.objects(), withoutTimes);
  expect((await desk.run("plan", "--observed", "found.json")).out).toContain("forged");
  expect((await desk.run("apply", "--yes", "--observed", "found.json", "--no-check")).code).toBe(0);
  expect(JSON.stringify(desk.emulator.objects(), withoutTimes)).toBe(before);
  expect(desk.workspace.read("agentform.lock")).not.toContain("forged");
});

function withoutTimes(key: string, value: unknown): unknown {
  return /At$|_at$|updated/.test(key) ? undefined : value;
}
