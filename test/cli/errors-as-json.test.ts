import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/finding/diagnostic.js";
import { documents, openDesk } from "./desk.js";

interface Shown {
  readonly format: string;
  readonly diagnostics: readonly Diagnostic[];
}

const brokenLock = { "agentform.lock": "{" };
const brokenManifest = { "agentform.yaml": "kind: [" };
const brokenDocument = { "agents/support.yaml": "kind: [" };

test.each([
  ["plan of a broken document", brokenDocument, ["plan"]],
  ["plan against another environment", brokenDocument, ["plan", "--against", "default"]],
  ["plan without a manifest that can be used", brokenManifest, ["plan"]],
  ["plan of an environment that is not there", {}, ["plan", "-e", "nowhere"]],
  ["plan with a damaged lock", brokenLock, ["plan"]],
  ["show of a damaged plan", { "plan.json": "{" }, ["show", "plan.json"]],
  ["lock list", brokenLock, ["lock", "list"]],
  ["lock list without a manifest that can be used", brokenManifest, ["lock", "list"]],
  ["lock retired", brokenLock, ["lock", "retired"]],
  ["lock show", brokenLock, ["lock", "show", "agent:support"]],
  ["lock show of an unknown address", {}, ["lock", "show", "agent:nobody"]],
  ["validate", brokenDocument, ["validate"]],
])("%s gives diagnostics as JSON where JSON was asked for", async (_name, files, args) => {
  const { workspace, run } = await openDesk();
  workspace.write(files);
  const { code, out } = await run(...args, "--format", "json");
  expect(code).toBe(1);
  const { format, diagnostics } = JSON.parse(out) as Shown;
  expect(format).toBe("agentform/diagnostics/v1");
  expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
  const asText = await run(...args);
  if (args[0] !== "validate") expect(asText).toMatchObject({ code: 1, out: "" });
});

test.each([
  ["a broken document", brokenDocument, []],
  ["a damaged lock", brokenLock, []],
  ["a damaged plan", { "plan.json": "{" }, ["plan.json"]],
  ["a file of certificates that holds none", { "ca.pem": "" }, ["--ca-file", "ca.pem"]],
])("an apply with %s gives its diagnostics as an event", async (_name, files, args) => {
  const { workspace, run } = await openDesk();
  workspace.write(files);
  const { code, out } = await run("apply", ...args, "--yes", "--format", "json");
  expect(code).toBe(1);
  const events = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; diagnostics?: Diagnostic[] });
  expect(events.map(({ type }) => type)).toEqual(["version", "diagnostics", "summary"]);
  expect(events[1]?.diagnostics?.[0]).toMatchObject({ severity: "error", code: expect.any(String) });
});

test("where there is a result, that alone is on standard output", async () => {
  const { workspace, run } = await openDesk();
  const warned = documents["agents/support.yaml"]?.replace('"name":"Support"', '"name":"Support","colour":1');
  workspace.write({ "agents/support.yaml": warned ?? "" });
  const { code, out, err } = await run("plan", "--format", "json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    format: "agentform/plan/v1",
    diagnostics: [{ severity: "warning" }],
  });
  expect(err).toContain("colour");
});
