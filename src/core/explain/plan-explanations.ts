import { byCommand, inFile, type Explanations } from "./explanation.js";
import { agent, manifest, policy, toolset } from "./sample-workspace.js";

const mild = (lifecycle = "") =>
  `apiVersion: agentform/v1\nkind: Policy\nmetadata:\n  name: mild\n${lifecycle}spec:\n  name: Mild`;

const lockWith = (members: string) => ({
  "agentform.lock": `{"format": "agentform/lock/v1", "workspace": "desk", "environment": null, "lineage": "a1", "serial": 3, "unknown": {}, ${members}}`,
});

const retired = lockWith(
  '"resources": {}, "retired": {"65f0": {"address": "policy:mild", "reason": "forgotten"}}',
);

const care = (lifecycle = "") =>
  `apiVersion: agentform/v1\nkind: Agent\nmetadata:\n  name: care\n${lifecycle}spec:\n  name: Support`;

const plain = { [agent]: care().replace("name: care", "name: support") };

/** What is wrong with a plan, and with the options that it is made with. */
export const planExplanations: Explanations = {
  "delete-undeclared": {
    about: "The documented service cannot delete. A deployment that can is described in the manifest.",
    fix: "Set `spec.service.operations.KIND.delete` of the manifest, or remove `on_removal: delete`.",
    example: {
      wrong: { [agent]: "lifecycle:\n  on_removal: delete" },
      right: {
        [agent]: "lifecycle:\n  on_removal: delete",
        [manifest]: 'spec:\n  service:\n    operations:\n      agent: {delete: "DELETE /v3/agents/{id}"}',
      },
    },
  },
  protected: {
    fix: "If it is meant, remove `lifecycle.protect` in the same change.",
    example: {
      applied: { [policy]: "lifecycle:\n  protect: true" },
      wrong: { [policy]: "spec:\n  name: Very strict\nlifecycle:\n  protect: true" },
      right: { [policy]: "spec:\n  name: Very strict\nlifecycle:\n  protect: false" },
    },
  },
  "retired-address": {
    about: "The old object still exists, and creating the resource again would make a second one.",
    fix: "Take the old object back with `lifecycle.adopt`, or have a new one with `--replace ADDRESS`.",
    example: inFile("policies/mild.yaml", mild(), mild("lifecycle:\n  adopt: 65f0\n"), {
      run: "plan",
      wrong: retired,
    }),
  },
  "prune-unknown-id": {
    fix: "`agentform lock retired` lists the IDs.",
    example: byCommand("prune 65f0 --yes --emulator", "prune --yes --emulator", {}, {}),
  },
  "orphan-limit": {
    about:
      "A policy and a credential cannot be updated, so each change leaves an object behind in the service.",
    fix: "Name each resource that may be replaced with `--replace`, or raise the limit.",
    example: byCommand(
      "plan --emulator",
      "plan --emulator --replace policy:strict",
      { [manifest]: "spec:\n  limits: {orphans: 0}", [policy]: "spec:\n  name: Very strict" },
      {},
    ),
  },
  "adopt-taken": {
    about: "Two resources with one object would overwrite each other's changes.",
    fix: "Remove `adopt` from one of the two documents, or correct the ID.",
    example: inFile("policies/mild.yaml", mild("lifecycle:\n  adopt: 65f0\n"), mild(), {
      run: "plan",
      wrong: lockWith(
        '"resources": {"policy:strict": {"id": "65f0", "body": {"name": "Strict"}, "digest": "sha256:0"}}, "retired": {}',
      ),
    }),
  },
  "adopt-invalid": {
    about: "A tool set has one ID for each operation, and everything else has one ID.",
    fix: "Write `adopt: ID`, or for a tool set `adopt: [OPERATION=ID, …]` with all of its operations.",
    example: inFile(
      toolset,
      "lifecycle:\n  adopt: [closeTicket=t1]",
      "lifecycle:\n  adopt: [listTickets=t1, createTicket=t2]",
      { run: "plan" },
    ),
  },
  "move-invalid": {
    about:
      "It must be an earlier address of the same kind, whose document is gone and that nothing else has moved from.",
    fix: "Correct or remove it.",
    example: inFile(agent, "lifecycle:\n  moved_from: policy:care", "spec:\n  name: Support", {
      run: "plan",
    }),
  },
  "move-done": {
    about: "A move happens once, at the apply after the rename.",
    fix: "Remove `moved_from` once every environment is applied.",
    example: inFile(agent, "lifecycle:\n  moved_from: agent:care", "spec:\n  name: Support", { run: "plan" }),
  },
  "move-unmarked": {
    about: "Without `moved_from` the old object is forgotten and a new one created, with a new ID.",
    fix: "If it is a rename, write the old address as `lifecycle.moved_from`.",
    example: inFile("agents/care.yaml", care(), care("lifecycle:\n  moved_from: agent:support\n"), {
      applied: plain,
      wrong: { [agent]: "" },
    }),
  },
  "plan-invalid": {
    fix: "Make it again with `agentform plan --out FILE`.",
    example: byCommand("show plan.json", "plan --out plan.json", { "plan.json": "{}" }),
  },
  "plan-foreign": {
    fix: "Use the plan in the workspace and environment that it was made for, or make it again.",
  },
  "plan-moved": {
    about: "What was reviewed is what is applied: a plan runs only on the state that it was made with.",
    fix: "Plan again, and review the new plan.",
  },
  "option-unknown-address": {
    about: "An address is the kind and `metadata.name`, such as `agent:support`.",
    fix: "Correct the address.",
    example: byCommand("plan --target agent:suport", "plan --target agent:support"),
  },
  "selector-empty": {
    fix: "Correct the selector, or add the label under `metadata.labels`.",
    example: inFile(agent, "metadata:\n  labels: {team: sales}", "metadata:\n  labels: {team: care}", {
      run: "plan --selector team=care",
    }),
  },
};
