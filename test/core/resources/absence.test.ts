import { expect, test } from "vitest";
import { noOptions } from "../../../src/core/plan/plan-options.js";
import { plan } from "../../../src/sync/plan.js";
import { validate } from "../../harness/validate.js";
import { makeCacheFolder } from "../../harness/cache-folder.js";
import { documentText, makeWorkspace, manifest } from "../../harness/disk-workspace.js";

const environments =
  "  environments: {default: {}, production: {}, staging: {}}\n  ignore: [environment-same-service]\n";
const withModel =
  "  environments: {default: {}, production: {variables: {model: large}}, staging: {}}\n  ignore: [environment-same-service]\n";

function trial(listed: readonly string[], spec: object = { name: "Trial" }): string {
  return documentText("Agent", "trial", spec, { environments: listed });
}

test("a resource exists in the environments of its list alone, and not in the default environment", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifest + environments,
    "agents/trial.yaml": trial(["staging"]),
    "agents/all.yaml": documentText("Agent", "all", { name: "All" }),
  });
  const cacheFolder = makeCacheFolder();
  const addressesIn = async (environment: string | null) => {
    const planned = await plan({ directory, environment });
    expect(planned.diagnostics).toEqual([]);
    for (let time = 0; time < 2; time++)
      expect(await plan({ directory, environment, cacheFolder })).toEqual(planned);
    return planned.plan?.actions.map(({ address }) => address);
  };
  expect(await addressesIn(null)).toEqual(["agent:all"]);
  expect(await addressesIn("production")).toEqual(["agent:all"]);
  expect(await addressesIn("staging")).toEqual(["agent:all", "agent:trial"]);
});

test.each([
  ["Policy", { name: "Trial" }],
  ["ToolSet", { tool_set_name: "trial", openapi_schema: { openapi: "3.1.0", paths: { "/a": { get: {} } } } }],
  ["Credential", { name: "Trial", credentials: { key: "${env:KEY}" } }],
  ["Agent", { name: "Trial" }],
])("a %s has a list of environments", async (kind, spec) => {
  const text = documentText(kind, "trial", spec, {
    environments: ["staging"],
    protect: true,
    moved_from: [],
  });
  const { directory } = makeWorkspace({
    "agentform.yaml": manifest + environments,
    "agents/trial.yaml": text,
  });
  const countIn = async (environment: string) => {
    const planned = await plan({ directory, environment });
    expect(planned.diagnostics).toEqual([]);
    return planned.plan?.actions.length;
  };
  expect([await countIn("production"), await countIn("staging")]).toEqual([0, 1]);
});

test("what is wrong in a document is said for the environments where it exists", () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}${withModel}  variables: {model: {}}\n`,
    "agents/trial.yaml": trial(["production"], { name: "Trial", model: "${var:model}" }),
  });
  expect(validate({ directory })).toEqual([]);
  expect(validate({ directory, environment: "staging" })).toEqual([]);
});

test("a variable, a file and a default that only an absent document uses are used", () => {
  const { directory, write } = makeWorkspace({
    "agentform.yaml": `${manifest}${withModel}  variables: {model: small, tone: warm}
  defaults: [{kind: Agent, spec: {model: "\${var:model}"}}]
`,
    "prompts/a.md": "${var:tone}",
    "agents/trial.yaml": trial(["production"], {
      name: "Trial",
      system_prompt: "${template:../prompts/a.md}",
    }),
  });
  const cacheFolder = makeCacheFolder();
  expect(validate({ directory, cacheFolder })).toEqual([]);
  write({ "prompts/a.md": "none" });
  const codes = () => validate({ directory, environment: "staging", cacheFolder }).map(({ code }) => code);
  expect(codes()).toEqual(["variable-unused"]);
  expect(codes()).toEqual(["variable-unused"]);
});

test("an option that names an absent resource says where it exists", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": manifest + environments,
    "agents/trial.yaml": trial(["staging"]),
  });
  const options = { ...noOptions, target: new Set(["agent:trial"]) };
  const { diagnostics } = await plan({ directory, environment: "production", options });
  expect(diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
    [
      "`--target agent:trial` names a resource that does not exist in environment `production`",
      "`lifecycle.environments` of `agent:trial` lists `staging`: add `production` if it is meant to exist there",
    ],
  ]);
});
