import { Budget } from "../../src/json/budget.js";
import { workspaceExpansion } from "../../src/core/expression/expansion-limit.js";
import { expect, test } from "vitest";
import { appliedSettings } from "../../src/core/plan/applied-settings.js";
import { parseFile } from "../../src/core/resources/parse-file.js";
import { emptyLock, type Lock } from "../../src/core/state/lock.js";
import { buildSettings, parseManifest } from "../../src/core/resources/manifest.js";
import { Defaults } from "../../src/core/resources/defaults.js";
import { parsePatches } from "../../src/core/resources/patches.js";
import { buildPlan } from "../../src/core/plan/plan.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import { assembleFleet } from "../../src/core/resources/fleet.js";
import { documentText, manifest } from "../harness/disk-workspace.js";

const documents = [
  documentText("Policy", "strict", { name: "Strict" }),
  documentText("Credential", "provider", { name: "Provider", credentials: { key: "${env:KEY}" } }),
  documentText("ToolSet", "helpdesk", {
    tool_set_name: "helpdesk",
    openapi_schema: {
      openapi: "3.1.0",
      info: { title: "Helpdesk", version: "1" },
      paths: { "/tickets": { get: {} } },
    },
  }),
  documentText("Agent", "support", {
    name: "Support",
    llm_credential_id: "${credential:provider}",
    features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
  }),
];

test("what has not changed is settled by its digest, and neither its body nor its places are looked into", () => {
  const parsed = parseManifest(manifest);
  if (!parsed.ok) throw new Error("the manifest is in error");
  const built = buildSettings(parsed, null, new Map());
  if (!built.ok) throw new Error("the settings are in error");
  const { settings } = built;
  const patches = parsePatches([]);
  const includes = { read: () => ({ ok: false, code: "file-missing", message: "no file" }) as const };
  const context = {
    ...settings,
    defaults: new Defaults(settings.defaults),
    patches,
    includes,
    data: new Map(),
    budget: new Budget(workspaceExpansion),
  };
  const unread = (): never => {
    throw new Error("a text was looked into");
  };
  const files = documents.map((text, index) => {
    const { summary } = parseFile(`agents/${index}.yaml`, text, context);
    return { summary, details: unread };
  });
  const fleet = assembleFleet(settings, files, patches, { files: [], folders: false }, [], new Map());
  const entries = [...fleet.resources.values()].map(({ address, digest, references }) => {
    const known = Object.fromEntries(references.map(({ text }) => [text, `id-of-${text}`]));
    const entry = { id: `id-of-${address}`, digest, references: known, file: "" };
    return [address, Object.defineProperty(entry, "body", { get: unread, enumerable: true })];
  });
  const lock: Lock = {
    ...emptyLock({ workspace: "test", environment: null }, "lineage"),
    settings: appliedSettings(settings, false),
    resources: Object.fromEntries(entries) as Lock["resources"],
  };
  const { plan, findings } = buildPlan({ fleet, lock, source: "lock", options: noOptions });
  expect(findings).toEqual([]);
  expect(plan.summary).toMatchObject({ unchanged: 4 });
  expect(plan.actions).toEqual([]);
});
