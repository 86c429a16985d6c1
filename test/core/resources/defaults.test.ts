import { describe, expect, test } from "vitest";
import { layOver } from "../../../src/json/merge-patch.js";
import { plan } from "../../../src/sync/plan.js";
import { validate } from "../../harness/validate.js";
import { makeCacheFolder } from "../../harness/cache-folder.js";
import { documentText, makeWorkspace, manifest } from "../../harness/disk-workspace.js";
import { runs, wholeTest } from "../../harness/tier.js";

test.each([
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: 1 }, { a: 2 }, { a: 2 }],
  [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
  [{ a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: { b: 1 } }, { a: ["c"] }, { a: ["c"] }],
  // A null with nothing below it is a value like any other.
  [{}, { a: null }, { a: null }],
  [{ a: 1 }, { a: { b: null } }, { a: { b: null } }],
  [{ a: 1 }, { c: { b: null } }, { a: 1, c: { b: null } }],
])("%j under %j gives %j", (below, value, merged) => {
  expect(layOver(below, value)).toEqual(merged);
});

const labelled = (name: string, labels: object, spec: object) =>
  JSON.stringify({ apiVersion: "agentform/v1", kind: "Agent", metadata: { name, labels }, spec });

async function bodiesOf(
  defaults: readonly object[],
  files: Readonly<Record<string, string>>,
  environment = "",
) {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  environments: {default: {}, production: {}}\n  ignore: [environment-same-service]\n  defaults: ${JSON.stringify(defaults)}\n`,
    ...files,
  });
  const planned = await plan({ directory, environment: environment || null });
  expect(planned.diagnostics).toEqual([]);
  return Object.fromEntries(planned.plan?.actions.map(({ address, body }) => [address, body]) ?? []);
}

describe("defaults", () => {
  test("go to the documents of their kind with all of their labels", async () => {
    const bodies = await bodiesOf(
      [
        { kind: "Agent", spec: { name: "Agent" } },
        { kind: "Agent", selector: { team: "care", tone: "warm" }, spec: { model: "large-2" } },
        { kind: "Policy", spec: { description: "Strict" } },
      ],
      {
        "agents/a.yaml": [
          labelled("a", { team: "care", tone: "warm", more: "x" }, {}),
          labelled("b", { team: "care" }, {}),
          labelled("c", { tone: "warm" }, {}),
          documentText("Agent", "d", {}),
        ].join("\n---\n"),
        "policies/p.yaml": documentText("Policy", "p", { name: "P" }),
      },
    );
    expect(bodies).toEqual({
      "agent:a": { name: "Agent", model: "large-2" },
      "agent:b": { name: "Agent" },
      "agent:c": { name: "Agent" },
      "agent:d": { name: "Agent" },
      "policy:p": { name: "P", description: "Strict" },
    });
  });

  test("are replaced by later ones, these by the document, and all by a patch", async () => {
    const spec = { name: "N", model: "first", provider_id: "first", description: "first", top_p: 0.1 };
    const bodies = await bodiesOf(
      [
        { kind: "Agent", spec },
        { kind: "Agent", spec: { model: "second", provider_id: "second", description: "second" } },
      ],
      {
        "agents/a.yaml": documentText("Agent", "a", { provider_id: "third", description: "third" }),
        "environments/production/a.yaml": documentText("Agent", "a", { description: "fourth", top_p: null }),
      },
      "production",
    );
    expect(bodies["agent:a"]).toEqual({
      name: "N",
      model: "second",
      provider_id: "third",
      description: "fourth",
    });
  });

  test("include files from the manifest's folder, and their references are edges", async () => {
    const { directory } = makeWorkspace({
      "agentform.yaml": `${manifest}  defaults:
    - kind: Agent
      spec:
        system_prompt: "\${template:prompts/all.md}"
        llm_credential_id: "\${credential:c}"
`,
      "prompts/all.md": "Follow ${policy:p}.",
      "agents/a.yaml": documentText("Agent", "a", { name: "A" }),
      "credentials/c.yaml": documentText("Credential", "c", {
        name: "C",
        credentials: { api_key: "${env:KEY}" },
      }),
      "policies/p.yaml": documentText("Policy", "p", { name: "P" }),
    });
    const planned = await plan({ directory });
    expect(planned.diagnostics).toEqual([]);
    const action = planned.plan?.actions.find(({ address }) => address === "agent:a");
    expect(action?.body?.system_prompt).toBe("Follow ${policy:p}.");
    expect(action?.waits_for).toEqual(["credential:c", "policy:p"]);
  });

  test("with a mistake give one diagnostic, however many documents use them", () => {
    const agents = Array.from({ length: runs("documents", 300, 1500) }, (_, index) =>
      documentText("Agent", `a${index}`, { name: "A" }),
    );
    const { directory } = makeWorkspace({
      "agentform.yaml": `${manifest}  variables: {region: {}}
  defaults:
    - kind: Agent
      spec: {temperature: hot, description: "\${var:region}", modle: x, agent_role: "\${policy:none}"}
`,
      "agents/a.yaml": agents.join("\n---\n"),
    });
    const found = validate({ directory });
    expect(found.map(({ code, file, line }) => [code, file, line])).toEqual([
      ["document-invalid", "agentform.yaml", 13],
      ["variable-missing", "agentform.yaml", 13],
      ["document-misspelt-field", "agentform.yaml", 13],
      ["reference-unknown", "agentform.yaml", 13],
    ]);
    expect(found.some(({ related }) => related !== undefined)).toBe(false);
  });
});

wholeTest("a default counts for every document like what the document includes", () => {
  const text = "x".repeat(1024 * 1024);
  const agents = Array.from({ length: 130 }, (_, index) => documentText("Agent", `a${index}`, { name: "A" }));
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  defaults: [{kind: Agent, spec: {system_prompt: ${text}}}]\n`,
    "agents/a.yaml": agents.join("\n---\n"),
  });
  const found = validate({ directory });
  expect(found.map(({ code, severity }) => [code, severity])).toEqual([["expansion-too-large", "error"]]);
});

test("a parameter in a default that documents do not have is one error that names them", () => {
  const defaults = [{ kind: "Agent", spec: { model: "large-${each:key}", description: "${each:text}" } }];
  const plain = (count: number) =>
    Array.from({ length: count }, (_, index) => documentText("Agent", `a${index}`, { name: "A" })).join(
      "\n---\n",
    );
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  defaults: ${JSON.stringify(defaults)}\n`,
    "agents/a.yaml": plain(11),
    "agents/b.yaml": JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Agent",
      metadata: { name: "b-${each:key}" },
      for_each: { de: {}, fr: {} },
      spec: { name: "B" },
    }),
  });
  const found = validate({ directory }).map(({ file, message, hint, related }) => {
    return {
      file,
      message,
      hint,
      related: related?.map(({ message: text, file: of, line }) => [text, of, line]),
    };
  });
  const shown = Array.from({ length: 8 }, (_, index) => [
    "for this document",
    "agents/a.yaml",
    1 + 2 * index,
  ]);
  const related = [...shown, ["for 3 more documents", undefined, undefined]];
  const hint =
    "give these documents `for_each`, or the default a `selector` that leaves them out; for a literal `${`, write `$${`";
  expect(found).toEqual([
    {
      file: "agentform.yaml",
      message: "`${each:key}` is used for a document without `for_each`",
      hint,
      related,
    },
    {
      file: "agentform.yaml",
      message: "`${each:text}` is used for a document without `for_each`",
      hint,
      related,
    },
    {
      file: "agentform.yaml",
      message: "unknown parameter `text`",
      hint: "it is in no entry of `for_each`; known: `${each:key}`",
      related: [["for this document", "agents/b.yaml", 1]],
    },
  ]);
});

describe("a null takes away what a default gives", () => {
  const given = {
    kind: "Agent",
    selector: { team: "care" },
    spec: { model: "m", response_format: { type: "t", deep: 1 } },
  };
  const taken = { model: null, response_format: { deep: null, own: 2 } };

  test("and nothing where the default is not for the document", async () => {
    const bodies = await bodiesOf(
      [given, { kind: "Agent", selector: { plain: "yes" }, spec: { model: null } }],
      {
        "agents/a.yaml": [
          labelled("both", { team: "care" }, { name: "A", ...taken }),
          labelled("none", {}, { name: "A", ...taken }),
          labelled("late", { plain: "yes" }, { name: "A" }),
          labelled("later", { plain: "yes", team: "care" }, { name: "A" }),
          JSON.stringify({
            apiVersion: "agentform/v1",
            kind: "Agent",
            metadata: { name: "many-${each:key}", labels: { team: "${each:key}" } },
            for_each: { care: {}, sales: {} },
            spec: { name: "A", model: null },
          }),
        ].join("\n---\n"),
      },
    );
    const format = { type: "t", deep: 1 };
    expect(bodies).toEqual({
      "agent:both": { name: "A", response_format: { type: "t", own: 2 } },
      "agent:none": { name: "A", response_format: { own: 2 } },
      "agent:late": { name: "A" },
      "agent:later": { name: "A", response_format: format },
      "agent:many-care": { name: "A", response_format: format },
      "agent:many-sales": { name: "A" },
    });
  });

  test("is an error where no default gives it, also after the default is gone", () => {
    const text = (defaults: readonly object[]) => `${manifest}  defaults: ${JSON.stringify(defaults)}\n`;
    const other = { kind: "Agent", spec: { top_p: 1 } };
    const { directory, write } = makeWorkspace({
      "agentform.yaml": text([given, other]),
      "agents/a.yaml": labelled("a", {}, { name: "A", model: null }),
      "agents/b.yaml": labelled("b", { team: "care" }, { name: "B" }),
    });
    const cacheFolder = makeCacheFolder();
    expect(validate({ directory, cacheFolder })).toEqual([]);
    expect(validate({ directory, cacheFolder })).toEqual([]);
    write({ "agentform.yaml": text([other]) });
    expect(validate({ directory, cacheFolder })).toMatchObject([
      { code: "document-invalid", file: "agents/a.yaml" },
    ]);
    write({ "agentform.yaml": text([{ kind: "Agent", spec: { model: null } }]) });
    expect(validate({ directory, cacheFolder }).map(({ code }) => code)).toContain("document-invalid");
  });
});

test("a reference in a selector is a warning, because it is not resolved", () => {
  const selected = { kind: "Agent", selector: { team: "${var:team}" }, spec: { model: "m" } };
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  defaults: ${JSON.stringify([selected])}\n`,
    "agents/a.yaml": labelled("a", { team: "care" }, { name: "A" }),
  });
  const found = validate({ directory }).map(({ code, severity, file }) => [code, severity, file]);
  expect(found).toContainEqual(["reference-literal", "warning", "agentform.yaml"]);
});
