import { expect, test } from "vitest";
import { renderGraphDot } from "../../src/render/results/graph-dot.js";
import { renderGraphMermaid } from "../../src/render/results/graph-mermaid.js";
import type { GraphView } from "../../src/render/results/graph-view.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { documents, openDesk, policyText, runIn } from "./desk.js";

const more = {
  ...documents,
  "agents/lead.yaml": documentText("Agent", "lead", { name: "Lead", description: "Leads ${agent:support}." }),
  "agents/alone.yaml": documentText("Agent", "alone", { name: "Alone" }),
};

test("the references of a workspace are drawn from dependent to dependency, in groups by kind", async () => {
  const { run } = await openDesk(more);
  expect(await run("graph")).toEqual({
    code: 0,
    err: "",
    out: `flowchart LR
  subgraph policy["policies"]
    n0["policy:strict"]
  end
  subgraph toolset["tool sets"]
    n1["toolset:desk"]
  end
  subgraph credential["credentials"]
    n2["credential:provider"]
  end
  subgraph agent["agents"]
    n3["agent:alone"]
    n4["agent:lead"]
    n5["agent:support"]
  end
  n4 --> n5
  n5 --> n2
  n5 --> n0
  n5 --> n1
`,
  });
});

test("the same is drawn for Graphviz", async () => {
  const { run } = await openDesk(more);
  const { code, out } = await run("graph", "--format", "dot", "--around", "policy:strict");
  expect(code).toBe(0);
  expect(out).toBe(`digraph {
  rankdir=LR;
  node [shape=box];
  subgraph "cluster_policy" {
    label="policies";
    "policy:strict";
  }
  subgraph "cluster_agent" {
    label="agents";
    "agent:lead";
    "agent:support";
  }
  "agent:lead" -> "agent:support";
  "agent:support" -> "policy:strict";
}
`);
});

test("--around keeps what a resource depends on and what depends on it, however far", async () => {
  const { run } = await openDesk(more);
  const { out } = await run("graph", "--around", "agent:lead");
  expect(out).toContain("credential:provider");
  expect(out).not.toContain("agent:alone");
  expect((await run("graph", "--around", "agent:alone")).out).not.toContain("agent:support");
  const unknown = await run("graph", "--around", "agent:leed");
  expect(unknown).toMatchObject({ code: 1, out: "" });
  expect(unknown.err).toContain("did you mean `agent:lead`?");
  expect((await run("graph", "--around", "lead")).code).toBe(64);
});

test("--plan marks what a saved plan does, what it forgets among it", async () => {
  const { workspace, run } = await openDesk(more);
  await run("apply", "--yes");
  workspace.write({ "policies/strict.yaml": policyText(["drugs"]) });
  workspace.remove("agents/alone.yaml");
  await run("plan", "--out", "plan.json");
  const { code, out } = await run("graph", "--plan", "plan.json");
  expect(code).toBe(0);
  for (const label of [
    "policy:strict (replace)",
    "agent:support (update)",
    "agent:alone (forget)",
    "toolset:desk",
  ]) {
    expect(out).toContain(`["${label}"]`);
  }
  expect(out).toMatch(/class n0 replace\n/);
  const dot = await run("graph", "--plan", "plan.json", "--format", "dot");
  expect(dot.out).toContain(
    '"policy:strict" [label="policy:strict (replace)", style=filled, fillcolor="#e1bee7"];',
  );

  workspace.write({
    "agentform.yaml": workspace.read("agentform.yaml").replace("name: desk", "name: another"),
  });
  const foreign = await run("graph", "--plan", "plan.json");
  expect(foreign).toMatchObject({ code: 1, out: "" });
  expect(foreign.err).toContain("plan-foreign");
});

test("a circle of references is drawn and is still an error", async () => {
  const { run } = await openDesk({
    "agents/a.yaml": documentText("Agent", "a", { name: "A", tools: ["${agent:b}"] }),
    "agents/b.yaml": documentText("Agent", "b", { name: "B", tools: ["${agent:a}"] }),
  });
  const drawn = await run("graph");
  expect(drawn.code).toBe(1);
  expect(drawn.err).toContain("reference-cycle");
  expect(drawn.out).toContain("n0 --> n1\n  n1 --> n0");
});

test("no name breaks out of its quotes", () => {
  const address = 'agent:"]; click n0 "x\\" #quot;`\n<b>&\u001b[2J';
  const view: GraphView = {
    groups: [{ name: "agent", title: "agents", nodes: [{ address }] }],
    edges: [{ from: address, to: address }],
  };
  const mermaid = renderGraphMermaid(view).split("\n");
  expect(mermaid).toHaveLength(6);
  const label = /^ {4}n0\["(.*)"\]$/.exec(mermaid[2] ?? "")?.[1] ?? "";
  expect(label).toMatch(/^[\w .:/()#;-]+$/);
  const decoded = label.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
  expect(decoded).toBe(address);
  const dot = renderGraphDot(view).split("\n");
  expect(dot).toHaveLength(10);
  const string = String.raw`"(?:[^"\\]|\\.)*"`;
  expect(dot[5]).toMatch(new RegExp(`^    ${string};$`));
  expect(dot[7] ?? "").toMatch(new RegExp(`^  ${string} -> ${string};$`));
});

test("--around says where a resource exists that is not in this environment", async () => {
  const { directory } = makeWorkspace({
    "agentform.yaml": `${manifest}  environments: {staging: {}, production: {}}\n`,
    "agents/rehearsal.yaml": documentText("Agent", "rehearsal", { name: "R" }, { environments: ["staging"] }),
  });
  const around = (environment: string) =>
    runIn(directory, ["graph", "-e", environment, "--around", "agent:rehearsal"]);
  expect((await around("staging")).code).toBe(0);
  const refused = await around("production");
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("agent:rehearsal does not exist in environment `production`");
  expect(refused.err).toContain("lists `staging`");
});
