import { expect, test } from "vitest";
import { changeEffect } from "../../src/core/explain/change-effect.js";
import { kinds } from "../../src/core/kind/kinds.js";
import { runIn } from "../cli/desk.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { sample } from "../harness/tier.js";
import { assemble } from "./assemble.js";

const policy = "policies/strict.yaml";
const toolset = "toolsets/helpdesk.yaml";
const openapi = "openapi/helpdesk.yaml";
const credential = "credentials/openai.yaml";
const agent = "agents/support.yaml";

interface Plan {
  readonly actions: readonly { readonly address: string; readonly action: string }[];
}

const says: Readonly<Record<string, string>> = {
  replace: "is a replacement",
  update: "is an update",
  record: "only recorded",
};

const edits = [
  { address: "agent:support", path: ["spec", "model"], file: agent, lines: "spec:\n  model: large-2" },
  {
    address: "agent:support",
    path: ["metadata", "labels"],
    file: agent,
    lines: "metadata:\n  labels: {a: b}",
  },
  {
    address: "agent:support",
    path: ["lifecycle", "protect"],
    file: agent,
    lines: "lifecycle:\n  protect: true",
  },
  {
    address: "agent:support",
    path: ["lifecycle", "on_replaced"],
    file: agent,
    lines: "lifecycle:\n  on_replaced: delete",
  },
  {
    address: "policy:strict",
    path: ["spec", "description"],
    file: policy,
    lines: "spec:\n  description: New",
  },
  { address: "credential:openai", path: ["spec", "name"], file: credential, lines: "spec:\n  name: New" },
  {
    address: "toolset:helpdesk",
    path: ["spec", "tool_set_name"],
    file: toolset,
    lines: "spec:\n  tool_set_name: desk",
  },
  {
    address: "toolset:helpdesk",
    path: ["spec", "default_headers"],
    file: toolset,
    lines: "spec:\n  default_headers: {a: b}",
  },
  {
    address: "toolset:helpdesk",
    path: ["spec", "provider_api_key"],
    file: toolset,
    lines: "spec:\n  provider_api_key: ${env:KEY}",
  },
  { address: "toolset:helpdesk", path: ["operations"], file: toolset, lines: "operations: [listTickets]" },
  {
    address: "toolset:helpdesk",
    path: ["spec", "openapi_schema"],
    file: openapi,
    lines: "servers:\n  - url: https://desk.example.net",
  },
] as const;

test.each(sample("edits", edits, 3))(
  "a plan does with $path of $address what the explanation says",
  async (edit) => {
    const { directory, write } = makeWorkspace(assemble({}));
    const variables = { OPENAI_API_KEY: "x" };
    await runIn(directory, ["apply", "--emulator", "--yes"], variables);
    write(assemble({ [edit.file]: edit.lines }));
    const { out } = await runIn(directory, ["plan", "--emulator", "--format", "json"], variables);
    const { actions } = JSON.parse(out) as Plan;
    const kind = kinds[edit.address.split(":")[0] as keyof typeof kinds];
    const text = changeEffect(kind, edit.path) ?? "";
    const said = Object.keys(says).find((action) => text.includes(says[action] ?? ""));
    expect(actions.find(({ address }) => address === edit.address)?.action).toBe(said);
  },
);
