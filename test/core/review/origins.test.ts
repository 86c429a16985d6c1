import { expect, test } from "vitest";
import { withOrigins } from "../../../src/core/review/origins.js";
import { buildFleet } from "../../harness/build-fleet.js";
import { buildSettings, parseManifest } from "../../../src/core/resources/manifest.js";
import { manifest, documentText } from "../../harness/disk-workspace.js";
import { applyTo, noLock, planOf } from "../../plan/history.js";

/** The fleet of one agent in production, with a default and a patch. */
function fleetOf(version: number) {
  const below = {
    temperature: version,
    notes: { "a.b": version, plain: { deep: version }, list: [{ item: version }], gone: "x" },
    description: "default",
    features: [{ type: "TRACE", priority: version }],
  };
  const parsed = parseManifest(
    `${manifest}  environments: {production: {}}
  extra_fields: {agent: [notes]}
  defaults: ${JSON.stringify([{ kind: "Agent", spec: below }])}
`,
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const built = buildSettings(parsed, "production", new Map());
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  const { settings } = built;
  const own = { name: `Agent ${version}`, notes: { own: version, gone: version > 1 ? null : "y" } };
  const above = { description: `patch ${version}`, model: `m${version}` };
  const sources = [
    { file: "agents/a.yaml", text: documentText("Agent", "a", own) },
    { file: "agents/b.yaml", text: documentText("Agent", "b", { name: `B ${version}` }) },
    {
      file: "environments/production/a.yaml",
      text: documentText("Agent", "a", above, { protect: version > 1 }),
      isPatch: true,
    },
  ];
  const includes = { read: () => ({ ok: false, code: "file-missing", message: "there is none" }) as const };
  const fleet = buildFleet(settings, sources, includes);
  expect(fleet.findings).toEqual([]);
  return fleet;
}

test("an edit says where its new value is written, if not in the document", async () => {
  const { after: lock } = await applyTo(noLock, planOf(fleetOf(1), noLock).plan);
  const fleet = fleetOf(2);
  const { plan } = planOf(fleet, lock);
  const asked: (string | undefined)[] = [];
  const attributed = withOrigins(plan, fleet, (places) => {
    for (const { file, path } of places) asked.push(`${file} ${path?.join(".")}`);
    return places.map((_, index) => (index === 0 ? undefined : index));
  });
  const [a, b] = ["agent:a", "agent:b"].map((address) =>
    Object.fromEntries(
      attributed.actions
        .find((action) => action.address === address)
        ?.changes.map(({ path, origin }) => [path, origin?.file]) ?? [],
    ),
  );
  expect(a).toEqual({
    name: undefined,
    temperature: "agentform.yaml",
    description: "environments/production/a.yaml",
    model: "environments/production/a.yaml",
    'notes."a.b"': "agentform.yaml",
    "notes.plain.deep": "agentform.yaml",
    "notes.list[0].item": "agentform.yaml",
    "notes.own": undefined,
    "notes.gone": undefined,
    "features[TRACE].priority": "agentform.yaml",
    "lifecycle.protect": "environments/production/a.yaml",
  });
  expect(b?.name).toBeUndefined();
  expect(b?.temperature).toBe("agentform.yaml");
  expect(asked).toContain("agentform.yaml spec.defaults.0.spec.notes.a.b");
  expect(asked).toContain("environments/production/a.yaml lifecycle.protect");
  const origins = attributed.actions.flatMap(({ changes }) => changes.flatMap(({ origin }) => origin ?? []));
  expect(origins.filter(({ line }) => line === undefined)).toHaveLength(1);
  expect(attributed.digest).toBe(plan.digest);
});

test("a create has no edits, and a plan without layers is the same", () => {
  const fleet = fleetOf(1);
  const { plan } = planOf(fleet, noLock);
  expect(withOrigins(plan, fleet, () => [])).toBe(plan);
});
