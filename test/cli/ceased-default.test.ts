import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import type { Change } from "../../src/generated/plan.js";
import { manifestAt, openDesk, type Desk } from "./desk.js";

interface Own {
  readonly model?: null;
  readonly labels?: object;
}

interface PlanFile {
  readonly actions: readonly { readonly changes?: readonly Change[] }[];
}

const features = [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }];

function manifest(desk: Desk, given: object): string {
  const all = [{ kind: "Agent", spec: { temperature: 0.2, ...given } }];
  return manifestAt(desk.emulator.url, `  defaults: ${JSON.stringify(all)}\n`);
}

const says = "the default for all of the kind does not give it any more";

test.each<[string, object, object, boolean]>([
  ["a null in the document takes it away", { features }, { features: null }, false],
  ["an empty list in the document takes its place", { features }, { features: [] }, false],
  ["the default has another field alone", {}, {}, true],
])("a policy is detached where %s", async (_, given, own, isCeased) => {
  const desk = await openDesk();
  const agent = (spec: object) => ({
    "agents/support.yaml": documentText("Agent", "support", { name: "Support", ...spec }),
  });
  desk.workspace.write({ "agentform.yaml": manifest(desk, { features }), ...agent({}) });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  desk.workspace.write({ "agentform.yaml": manifest(desk, given), ...agent(own) });
  const { out } = await desk.run("plan");
  expect(out).toContain("policy:strict is detached");
  expect(out.includes(says)).toBe(isCeased);
});

test("a header with a blank in its name that the document writes anew is no default that ceased", async () => {
  const headers = { default_headers: { "X Client": "desk", Accept: "text/plain" } };
  const desk = await openDesk();
  const all = [{ kind: "ToolSet", spec: headers }];
  desk.workspace.write({
    "agentform.yaml": manifestAt(desk.emulator.url, `  defaults: ${JSON.stringify(all)}\n`),
  });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  const set = JSON.parse(desk.workspace.read("toolsets/desk.yaml")) as { spec: Record<string, object> };
  set.spec.default_headers = { ...set.spec.default_headers, "X Client": "mine" };
  desk.workspace.write({ "toolsets/desk.yaml": JSON.stringify(set) });
  const { out } = await desk.run("plan", "--format", "json");
  expect(out).toContain('"X Client\\"');
  expect(out).not.toContain('"ceased"');
});

test.each<[string, object, string | undefined]>([
  ["a null in the document takes a default away", { model: null }, undefined],
  ["the document has another label", { labels: {} }, "labels"],
])("where a patch has another label, and %s", async (_, { model, labels }: Own, why) => {
  const desk = await openDesk();
  const agent = (spec: object, own: object = { audience: "customer" }) => {
    const metadata = { name: "support", labels: own };
    return JSON.stringify({ apiVersion: "agentform/v1", kind: "Agent", metadata, spec });
  };
  const all = [{ kind: "Agent", selector: { audience: "customer" }, spec: { model: "small" } }];
  const more = `  environments: {default: {}}\n  defaults: ${JSON.stringify(all)}\n`;
  desk.workspace.write({
    "agentform.yaml": manifestAt(desk.emulator.url, more),
    "agents/support.yaml": agent({ name: "Support" }),
    "environments/default/support.yaml": agent({ description: "Answers" }, { audience: "staff" }),
  });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  desk.workspace.write({
    "agents/support.yaml": agent({ name: "Support", ...(model === null && { model }) }, labels),
  });
  expect((await modelChange(desk))?.ceased?.why).toBe(why);
});

test("what is gone from a mapping that a default still gives has ceased", async () => {
  const desk = await openDesk();
  const write = (format: object): void => {
    const all = JSON.stringify([{ kind: "Agent", spec: { response_format: format } }]);
    desk.workspace.write({ "agentform.yaml": manifestAt(desk.emulator.url, `  defaults: ${all}\n`) });
  };
  write({ type: "json", old: 1, kept: 1 });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  write({ type: "json", new: 1, kept: 2 });
  const { out } = await desk.run("plan", "--format", "json");
  const changes = (JSON.parse(out) as PlanFile).actions.flatMap((action) => action.changes ?? []);
  expect(changes.flatMap(({ path, ceased }) => (ceased ? [path, ceased.why] : []))).toEqual([
    "response_format.old",
    "field",
  ]);
});

async function modelChange(desk: Desk): Promise<Change | undefined> {
  const { out } = await desk.run("plan", "--format", "json");
  return (JSON.parse(out) as PlanFile).actions
    .flatMap(({ changes = [] }) => changes)
    .find(({ path }) => path === "model");
}

const models = {
  all: { kind: "Agent", spec: { model: "small" } },
  staff: { kind: "Agent", selector: { audience: "staff" }, spec: { model: "large" } },
  eu: { kind: "Agent", selector: { region: "eu" }, spec: { model: "near" } },
};

test.each<[string, readonly (keyof typeof models)[], object, string | undefined]>([
  ["the document has other labels", ["all", "staff", "eu"], { region: "eu" }, "labels"],
  ["it is gone from the manifest", ["all", "eu"], { audience: "staff", region: "eu" }, "removed"],
  ["another one is over it", ["all", "staff", "eu"], { audience: "staff", region: "eu" }, undefined],
])("where two defaults give a value now, and %s", async (_, given, labels, why) => {
  const desk = await openDesk();
  const write = (names: readonly (keyof typeof models)[], own: object): void => {
    const all = JSON.stringify(names.map((name) => models[name]));
    const metadata = { name: "support", labels: own };
    desk.workspace.write({
      "agentform.yaml": manifestAt(desk.emulator.url, `  defaults: ${all}\n`),
      "agents/support.yaml": JSON.stringify({
        apiVersion: "agentform/v1",
        kind: "Agent",
        metadata,
        spec: { name: "Support" },
      }),
    });
  };
  write(["all", "staff"], { audience: "staff", region: "eu" });
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  write(given, labels);
  expect((await modelChange(desk))?.ceased?.why).toBe(why);
});

test("a lock in which a default is named like a part of every object does not stop a plan", async () => {
  const desk = await openDesk();
  const write = (temperature: number): void => {
    desk.workspace.write({ "agentform.yaml": manifest(desk, { temperature }) });
  };
  write(0.2);
  expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
  write(0.3);
  const lock = desk.workspace.read("agentform.lock");
  for (const selector of ["constructor", "__proto__"]) {
    const damaged = lock.replace(/("defaults": \{\s+)"":/, `$1"${selector}":`);
    expect(damaged).not.toBe(lock);
    desk.workspace.write({ "agentform.lock": damaged });
    const { code, out } = await desk.run("plan");
    expect(code).toBe(0);
    expect(out).toContain("0.2 → 0.3");
  }
});
