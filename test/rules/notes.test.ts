import { expect, test } from "vitest";
import { agentText, documents, openDesk as open, policyText } from "../cli/desk.js";
import { ofSpec, ruleText, where } from "./rule-text.js";

interface Plan {
  readonly digest: string;
  readonly notes: readonly {
    readonly code: string;
    readonly effect: string;
    readonly address: string;
    readonly message: string;
    readonly path?: string;
  }[];
  readonly actions: readonly { readonly address: string; readonly action: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
}

const openDesk = (files: Readonly<Record<string, string>>) => open({ ...documents, ...files });

async function planOf(desk: Awaited<ReturnType<typeof openDesk>>, ...more: string[]): Promise<Plan> {
  return JSON.parse((await desk.run("plan", "--format", "json", ...more)).out) as Plan;
}

const knownModels = (effect: string) =>
  ruleText("known-models", {
    for: { kind: "Agent" },
    effect,
    message: "Agents use a model that we have tried.",
    document: ofSpec({ properties: { model: { enum: ["small-1"] } } }),
  });

test("a rule whose effect is an error refuses plan and apply, like an invalid document", async () => {
  const desk = await openDesk({
    "agents/support.yaml": agentText({ model: "huge-9" }),
    "rules/models.yaml": knownModels("error"),
  });
  const message = "error[known-models]: Agents use a model that we have tried: `spec.model` is `huge-9`";
  for (const command of [["validate"], ["plan"], ["apply", "--yes"]]) {
    const ran = await desk.run(...command);
    expect(ran.code, command[0]).toBe(1);
    expect(ran.out + ran.err).toContain(message);
  }
});

test("other effects are notes of what the plan brings, before the built-in ones of their effect", async () => {
  const desk = await openDesk({
    "agents/support.yaml": agentText({ model: "small-1" }),
    "rules/models.yaml": knownModels("review"),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect((await planOf(desk)).notes).toEqual([]);
  desk.workspace.write({ "agents/support.yaml": agentText({ model: "huge-9", provider_id: "Other" }) });
  const { notes } = await planOf(desk);
  expect(notes.map(({ code, effect, path }) => [code, effect, path])).toEqual([
    ["provider-changed", "widens", "provider_id"],
    ["known-models", "review", "model"],
    ["model-changed", "review", "model"],
  ]);
  expect(notes[1]?.message).toBe("Agents use a model that we have tried: `spec.model` is `huge-9`");
  const validated = await desk.run("validate");
  expect(validated.code).toBe(0);
  expect(validated.out).toContain("note[known-models]");
});

test("what a plan leaves as it is has no note, and is still told by validate", async () => {
  const desk = await openDesk({ "agents/support.yaml": agentText({ model: "huge-9" }) });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({ "rules/models.yaml": knownModels("weakens") });
  const { notes, actions } = await planOf(desk);
  expect(actions).toEqual([]);
  expect(notes.map(({ code, effect }) => [code, effect])).toEqual([["setting-changed", "review"]]);
});

test("a rule says of a change what a document cannot show", async () => {
  const desk = await openDesk({
    "policies/strict.yaml": policyText(["weapons"]),
    "policies/other.yaml": policyText(["drugs"]).replace('"strict"', '"other"'),
    "rules/changes.yaml": [
      ruleText("no-policy-forgotten", {
        for: { kind: "Policy" },
        effect: "error",
        message: "No policy is forgotten.",
        change: { properties: { action: { not: { enum: ["forget", "delete"] } } } },
      }),
      ruleText("threshold-falls", {
        for: { kind: "Policy" },
        effect: "weakens",
        message: "A threshold only falls.",
        change: {
          properties: {
            changes: {
              items: where(
                { required: ["path"], properties: { path: { pattern: "threshold$" } } },
                { properties: { delta: { maximum: 0 } } },
              ),
            },
          },
        },
      }),
      ruleText("few-replacements", {
        effect: "error",
        message: "At most one replacement at once.",
        change: where(
          { properties: { action: { const: "replace" } } },
          { properties: { plan: { properties: { summary: { properties: { replace: { maximum: 1 } } } } } } },
        ),
      }),
      ruleText("no-new-writes", {
        for: { kind: "ToolSet" },
        effect: "error",
        message: "No operation that deletes is added.",
        change: {
          properties: {
            gained: {
              properties: { operations: { items: { properties: { method: { not: { const: "DELETE" } } } } } },
            },
          },
        },
      }),
    ].join("\n---\n"),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const checked = (threshold: number) => ({
    "policies/strict.yaml": policyText(["weapons"]).replace(
      '"banned_topics"',
      `"toxicity_check":{"enabled":true,"threshold":${threshold}},"banned_topics"`,
    ),
  });
  desk.workspace.write(checked(0.4));
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write(checked(0.3));
  expect((await planOf(desk)).notes.map(({ code }) => code)).not.toContain("threshold-falls");
  desk.workspace.write(checked(0.5));
  const found = (await planOf(desk)).notes.find(({ code }) => code === "threshold-falls");
  expect(found).toMatchObject({
    effect: "weakens",
    address: "policy:strict",
    path: "toxicity_check.threshold",
    message: "A threshold only falls: `changes[0].delta` is 0.1",
  });

  desk.workspace.write({ "policies/other.yaml": policyText(["all"]).replace('"strict"', '"other"') });
  const replaced = await desk.run("plan");
  expect(replaced.code).toBe(1);
  expect(replaced.err).toContain(
    "error[few-replacements]: At most one replacement at once: `plan.summary.replace` is 2",
  );

  desk.workspace.write(checked(0.4));
  desk.workspace.remove("policies/other.yaml");
  const forgotten = await desk.run("plan");
  expect(forgotten.code).toBe(1);
  expect(forgotten.err).toContain("error[no-policy-forgotten]: No policy is forgotten: `action` is `forget`");

  desk.workspace.write({ "policies/other.yaml": policyText(["drugs"]).replace('"strict"', '"other"') });
  const text = desk.workspace.read("toolsets/desk.yaml");
  desk.workspace.write({
    "toolsets/desk.yaml": text.replace('"post":', '"delete":{"operationId":"drop","responses":{}},"post":'),
  });
  const gained = await desk.run("plan");
  expect(gained.code).toBe(1);
  expect(gained.err).toContain("error[no-new-writes]: No operation that deletes is added");
});

test("--fail-on takes codes of notes and names of rules beside effects, and no other name", async () => {
  const desk = await openDesk({
    "agents/support.yaml": agentText({ model: "small-1" }),
    "rules/models.yaml": knownModels("review"),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({ "agents/support.yaml": agentText({ model: "huge-9" }) });
  for (const name of ["known-models", "model-changed", "review"]) {
    const ran = await desk.run("plan", "--fail-on", name);
    expect(ran.code, name).toBe(1);
    expect(ran.err).toContain(`error: --fail-on ${name}: agent:support: `);
  }
  expect((await desk.run("plan", "--fail-on", "weakens,host-added")).code).toBe(0);
  const unknown = await desk.run("plan", "--fail-on", "known-model");
  expect(unknown.code).toBe(64);
  expect(unknown.err).toContain("known-models");
});

test("a document is excused with a reason, which the plan shows before everything else while it is new", async () => {
  const excused = (rule: string) =>
    JSON.stringify({
      ...JSON.parse(agentText({ model: "huge-9" })),
      lifecycle: { except: [{ rule, reason: "It is tried this week." }] },
    });
  const desk = await openDesk({
    "agents/support.yaml": agentText({ model: "small-1" }),
    "rules/models.yaml": knownModels("error"),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  desk.workspace.write({ "agents/support.yaml": excused("known-models") });
  const { notes, actions } = await planOf(desk);
  expect(actions).toMatchObject([{ address: "agent:support", action: "update" }]);
  expect(notes[0]).toMatchObject({ code: "setting-changed", effect: "weakens" });
  expect(notes[0]?.message).toContain("It is tried this week.");
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect((await planOf(desk)).notes).toEqual([]);

  desk.workspace.write({ "agents/support.yaml": excused("known-modles") });
  const unknown = await desk.run("validate");
  expect(unknown.code).toBe(1);
  expect(unknown.out).toContain("error[rule-unknown]: there is no rule `known-modles`");
  expect(unknown.out).toContain("did you mean `known-models`?");
});

test("an excuse is new for what moves to the address that has it", async () => {
  const known = JSON.parse(agentText({ model: "small-1" }));
  const excused = { except: [{ rule: "known-models", reason: "A sandbox." }] };
  const agent = (name: string, model: string, lifecycle: object) =>
    JSON.stringify({ ...known, metadata: { name }, spec: { ...known.spec, model }, lifecycle });
  const desk = await openDesk({
    "agents/support.yaml": agent("support", "small-1", {}),
    "agents/sandbox.yaml": agent("sandbox", "huge-9", excused),
    "rules/models.yaml": knownModels("error"),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const notesOf = async () =>
    (await planOf(desk)).notes
      .filter(({ effect }) => effect === "weakens")
      .map(({ code, path }) => `${code} ${path}`);
  const taken = 'setting-changed exceptions."agent:sandbox".known-models';
  desk.workspace.write({
    "agents/support.yaml": agent("sandbox", "huge-9", { ...excused, moved_from: "agent:support" }),
    "agents/sandbox.yaml": agent("sandbox-2", "small-1", { moved_from: "agent:sandbox" }),
  });
  expect(await notesOf()).toEqual([taken]);
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  expect(await notesOf()).toEqual([]);
});

test("a document is excused from a built-in note, and the manifest sets the effects of such notes", async () => {
  const desk = await openDesk({ "agents/support.yaml": agentText({ model: "small-1" }) });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const edited = JSON.parse(agentText({ model: "huge-9" })) as object;
  desk.workspace.write({ "agents/support.yaml": JSON.stringify(edited) });
  const { "agentform.yaml": before } = { "agentform.yaml": desk.workspace.read("agentform.yaml") };
  desk.workspace.write({ "agentform.yaml": `${before}  notes: {model-changed: weakens}\n` });
  const raised = (await planOf(desk)).notes.map(({ code, effect }) => [code, effect]);
  expect(raised).toEqual([
    ["setting-changed", "weakens"],
    ["model-changed", "weakens"],
  ]);
  desk.workspace.write({ "agentform.yaml": `${before}  notes: {model-changed: error}\n` });
  const refused = await desk.run("plan");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("error[model-changed]: agent:support: ");
  const lifecycle = { except: [{ rule: "model-changed", reason: "It is tried every week." }] };
  desk.workspace.write({ "agents/support.yaml": JSON.stringify({ ...edited, lifecycle }) });
  const effects = (await planOf(desk)).notes.map(({ effect, path }) => [effect, path]);
  expect(effects).toEqual([
    ["weakens", 'exceptions."agent:support".model-changed'],
    ["review", "notes.model-changed"],
  ]);
  desk.workspace.write({ "agentform.yaml": `${before}  notes: {setting-changed: review}\n` });
  expect((await desk.run("validate")).out).toContain("error[rule-unknown]");
});

test("a note of a rule about a member with an odd name is about the change of that member", async () => {
  const desk = await openDesk({
    "rules/headers.yaml": ruleText("known-clients", {
      document: ofSpec({
        properties: { default_headers: { properties: { "X.Client": { enum: ["a"] } } } },
      }),
    }),
  });
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const text = desk.workspace.read("toolsets/desk.yaml");
  desk.workspace.write({
    "toolsets/desk.yaml": text.replace(
      '"default_headers":{',
      '"default_headers":{"X.Client":"b","X-Team":"c",',
    ),
  });
  const paths = (await planOf(desk)).notes.map(({ code, path }) => [code, path]);
  const path = 'default_headers."X.Client"';
  expect(paths).toEqual([
    ["default-changed", path],
    ["default-changed", "default_headers.X-Team"],
    ["known-clients", path],
  ]);
});

test("an error about an item of a list is at the list, of a note as well as of a rule", async () => {
  const desk = await openDesk({});
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const edited = JSON.parse(agentText({ features: [{ type: "RAG", priority: 0, config: {} }] })) as object;
  desk.workspace.write({
    "agentform.yaml": `${desk.workspace.read("agentform.yaml")}  notes: {policy-detached: error}\n`,
    "agents/support.yaml": JSON.stringify(edited, null, 1),
    "rules/features.yaml": ruleText("same-features", {
      effect: "error",
      change: {
        properties: { changes: { items: { properties: { path: { not: { pattern: "^features" } } } } } },
      },
    }),
  });
  const { err } = await desk.run("plan");
  expect(err.match(/(?<=^error\[)[a-z-]+/gmu)).toEqual(["policy-detached", "same-features", "same-features"]);
  expect(err.match(/(?<=^> +\d+ \| +)"\w+"/gmu)).toEqual(['"features"', '"features"', '"features"']);
});

test.each(Object.keys(documents))("%s is excused like any other document", async (file) => {
  const named = ruleText("named", {
    effect: "error",
    message: "It has another name.",
    document: { properties: { metadata: { properties: { name: { const: "other" } } } } },
  });
  const lifecycle = { except: [{ rule: "named", reason: "It has its name for good." }] };
  const document = JSON.parse(documents[file] ?? "") as object;
  const desk = await openDesk({
    [file]: JSON.stringify({ ...document, lifecycle }),
    "rules/named.yaml": named,
  });
  const { out } = await desk.run("validate", "--format", "json");
  const refused = (JSON.parse(out) as Plan).diagnostics.map(({ code }) => code);
  expect(refused).toEqual(["named", "named", "named"]);
});

test("explain shows a rule with its examples", async () => {
  const desk = await openDesk({
    "rules/models.yaml": ruleText("known-models", {
      for: { kind: "Agent", selector: { audience: "customer" } },
      effect: "weakens",
      message: "Agents use a model that we have tried.",
      document: ofSpec({ properties: { model: { enum: ["small-1"] } } }),
      examples: { good: [{ spec: { model: "small-1" } }], bad: [{ spec: { model: "huge-9" } }] },
    }),
  });
  const { code, out } = await desk.run("explain", "known-models");
  expect(code).toBe(0);
  expect(out).toContain("Agents use a model that we have tried.");
  expect(out.replaceAll("\n", " ")).toContain("rules/models.yaml, for each Agent with audience=customer.");
  expect(out).toContain("Does not satisfy it:");
  expect(out).toContain("model: huge-9");
  const json = JSON.parse((await desk.run("explain", "known-models", "--format", "json")).out) as object;
  expect(json).toMatchObject({ type: "rule", code: { code: "known-models" } });
  expect((await desk.run("explain", "rule.spec.effect")).out).toContain("rule.spec.effect");
});
