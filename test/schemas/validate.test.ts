import { readdirSync } from "node:fs";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { validatorsForEsbuild } from "../../scripts/validators.mjs";
import { validate as validateAgent } from "../../src/generated/validate-agent.js";
import { validate as validateCredential } from "../../src/generated/validate-credential.js";
import { validate as validatePolicy } from "../../src/generated/validate-policy.js";
import { validate as validateToolSet } from "../../src/generated/validate-toolset.js";
import { validate as validateWorkspace } from "../../src/generated/validate-workspace.js";
import { kindNames, kinds } from "../../src/core/kind/kinds.js";
import type { Validate } from "../../src/json/validate.js";
import { agent, credential, documents, policy, toolset, workspace } from "./documents.js";

/** Each error as `path keyword`, with the property's name where the path is its parent's. */
function errors(validate: Validate, value: unknown): string[] {
  expect(validate(value)).toBe(false);
  return (validate.errors ?? []).map(({ instancePath, keyword, params }) =>
    [instancePath, keyword, params["missingProperty"] ?? params["additionalProperty"]]
      .filter(Boolean)
      .join(" "),
  );
}

function accepts(validate: Validate, value: unknown): void {
  const valid = validate(value);
  expect(validate.errors ?? null).toBeNull();
  expect(valid).toBe(true);
}

const all = kindNames.map((name) => [name, kinds[name].validate, documents[name]] as const);

describe.each(all)("the validator of a document: %s", (_, validate, document) => {
  it("accepts a good document", () => accepts(validate, document));

  it("accepts fields that it does not know in spec, and nowhere else", () => {
    accepts(validate, { ...document, spec: { ...document.spec, agent_goal: { any: 1 } } });
    expect(errors(validate, { ...document, status: {} })).toEqual(["additionalProperties status"]);
    expect(errors(validate, { ...document, metadata: { ...document.metadata, namespace: "x" } })).toEqual([
      "/metadata additionalProperties namespace",
    ]);
    expect(errors(validate, { ...document, lifecycle: { protected: true } })).toEqual([
      "/lifecycle additionalProperties protected",
    ]);
  });

  it("asks for everything that is required, all at once", () => {
    const { apiVersion: _version, ...rest } = document;
    const found = errors(validate, { ...rest, metadata: {}, spec: {} });
    expect(found).toContain("required apiVersion");
    expect(found).toContain("/metadata required name");
    expect(found).toContain(`/spec required ${document.kind === "ToolSet" ? "tool_set_name" : "name"}`);
  });

  it("refuses another kind, version or form of key", () => {
    const other = { ...document, kind: "Robot", apiVersion: "agentform/v2", metadata: { name: "Not A Key" } };
    expect(errors(validate, other)).toEqual(["/apiVersion const", "/kind const", "/metadata/name pattern"]);
  });

  it.each(["a", "a.b", "a-1_b"])("accepts the key %s", (name) => {
    accepts(validate, { ...document, metadata: { name } });
  });

  it.each(["", "-a", "a.", "A", "a/b", "a\n"])("refuses the key %j", (name) => {
    expect(errors(validate, { ...document, metadata: { name } })).toEqual(["/metadata/name pattern"]);
  });
});

describe("the errors", () => {
  it("are those of the value alone where an expression would do as well", () => {
    const spec = { name: "x", temperature: "hot", features: [{ priority: 1.5 }, { config: [] }, 3] };
    expect(errors(validateAgent, { ...agent, spec })).toEqual([
      "/spec/features/0/priority type",
      "/spec/features/1/config type",
      "/spec/features/2 type",
      "/spec/temperature type",
    ]);
  });

  it("say where a policy is wrong", () => {
    const spec = {
      name: 1,
      keywords: { enabled: "yes", keywords: [1] },
      pii_detection: { types: { EMAIL: 1 } },
    };
    expect(errors(validatePolicy, { ...policy, spec })).toEqual([
      "/spec/name type",
      "/spec/keywords/enabled type",
      "/spec/keywords/keywords/0 type",
      "/spec/pii_detection/types/EMAIL type",
    ]);
  });

  it("say where a tool set and a credential are wrong", () => {
    const wrong = { ...toolset, spec: { ...toolset.spec, openapi_schema: "openapi.yaml" } };
    expect(errors(validateToolSet, wrong)).toEqual(["/spec/openapi_schema type"]);
    expect(errors(validateToolSet, { ...toolset, lifecycle: { adopt: ["71"] } })).toEqual([
      "/lifecycle/adopt/0 pattern",
    ]);
    expect(errors(validateToolSet, { ...toolset, lifecycle: { adopt: "71" } })).toEqual([
      "/lifecycle/adopt type",
    ]);
    const open = { ...credential, spec: { name: "x", credentials: "sk-1" } };
    expect(errors(validateCredential, open)).toEqual(["/spec/credentials type"]);
  });

  it("never hold the value itself", () => {
    validateCredential({ ...credential, spec: { name: "x", credentials: "sk-secret-1" } });
    expect(JSON.stringify(validateCredential.errors)).not.toContain("sk-secret-1");
  });

  it("are gone after the next good document", () => {
    validateAgent({});
    accepts(validateAgent, agent);
  });
});

describe("the validator of the manifest", () => {
  const withSpec = (spec: object) => ({ ...workspace, spec });

  it("accepts the whole manifest, and the smallest", () => {
    accepts(validateWorkspace, workspace);
    accepts(validateWorkspace, withSpec({}));
    accepts(validateWorkspace, withSpec({ lock: { store: "file" } }));
  });

  it("requires the envelope", () => {
    expect(errors(validateWorkspace, {})).toEqual([
      "required apiVersion",
      "required kind",
      "required metadata",
      "required spec",
    ]);
    expect(errors(validateWorkspace, { ...workspace, metadata: {} })).toEqual(["/metadata required name"]);
  });

  it.each([
    [{ services: {} }, "/spec additionalProperties services"],
    [{ service: { baseurl: "x" } }, "/spec/service additionalProperties baseurl"],
    [{ service: { tool_ids: "shuffled" } }, "/spec/service/tool_ids const"],
    [{ service: { id_pointers: { agent: "data/id" } } }, "/spec/service/id_pointers/agent pattern"],
    [{ service: { id_pointers: { robot: "/id" } } }, "/spec/service/id_pointers additionalProperties robot"],
    [{ service: { rejected_statuses: [404] } }, "/spec/service/rejected_statuses/0 minimum"],
    [{ variables: { region: { defualt: 1 } } }, "/spec/variables/region additionalProperties defualt"],
    [{ variables: { region: [1] } }, "/spec/variables/region type"],
    [{ environments: { p: { variables: { a: {} } } } }, "/spec/environments/p/variables/a type"],
    [{ environments: { p: { lock: {} } } }, "/spec/environments/p additionalProperties lock"],
    [{ extra_fields: { agents: [] } }, "/spec/extra_fields additionalProperties agents"],
    [{ limits: { orphans: -1 } }, "/spec/limits/orphans minimum"],
    [{ lock: {} }, "/spec/lock required store"],
    [{ lock: { store: "redis" } }, "/spec/lock/store enum"],
    [{ lock: { store: "file", ref: "refs/x" } }, "/spec/lock/ref false schema"],
  ])("refuses %j", (spec, error) => {
    expect(errors(validateWorkspace, withSpec(spec))).toEqual([error]);
  });

  it("refuses an environment whose name is no file name", () => {
    expect(errors(validateWorkspace, withSpec({ environments: { "../p": {} } }))).toEqual([
      "/spec/environments pattern",
      "/spec/environments propertyNames",
    ]);
  });
});

describe("a validator", () => {
  const schemas = readdirSync(new URL("../../schemas/", import.meta.url)).flatMap((file) =>
    file.endsWith(".schema.json") ? [file.replace(".schema.json", "")] : [],
  );

  it.each(schemas)("is compiled of the schema %s, and stands alone", async (name) => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from "./generated/validate-${name}.js"`, resolveDir: "src" },
      bundle: true,
      write: false,
      format: "esm",
      plugins: [validatorsForEsbuild()],
    });
    const text = outputFiles[0]?.text ?? "";
    expect(text).not.toMatch(/^\s*import\b|(?<!_)require\(/m);
    const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as ValidatorModule;
    expect(module.validate({})).toBe(false);
    expect(module.validate.errors?.length).toBeGreaterThan(0);
  });
});

interface ValidatorModule {
  readonly validate: typeof validateAgent;
}
