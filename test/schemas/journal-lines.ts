import type { JournalLine } from "../../src/generated/journal.js";

const request = { time: "2026-01-02T03:04:05Z", method: "POST", path: "/v3/agents/" };
const sending = {
  ...request,
  body: { name: "Support", tools: ["${toolset:helpdesk}"] },
  digest: "sha256:1",
  references: { "toolset:helpdesk": ["t1", "t2"], "policy:strict": "p1" },
  file: "agents/support.yaml",
  protect: true,
  moved_from: ["agent:helpdesk"],
};
const trace = { message: "no answer", status: 504, request_id: "r1", answer: "{}", sent: 1 };

/** A good header and good records of every type, which use everything that the schema knows. */
export const journalLines: readonly JournalLine[] = [
  {
    type: "header",
    format: "agentform/journal/v1",
    workspace: "test",
    environment: null,
    lineage: "lineage",
    serial: 0,
    after: "write-1",
    write: "write-2",
    service: { base_url: "https://agents.example.com", rai_base_url: "https://rai.example.com" },
    settings: { service: { rejected_statuses: [503] }, lock: { store: "git" } },
  },
  { type: "claim", creates: [{ address: "agent:b", operation: "replace", ...sending }] },
  {
    type: "begin",
    n: 1,
    address: "agent:a",
    operation: "create",
    ...sending,
    adopted: ["read=t1"],
    used_by: ["agent:b"],
  },
  { type: "done", n: 1, id: "a1", ids: ["t1"], tools: { read: "t1" }, candidates: [{ _id: "t1" }] },
  { type: "rejected", n: 1, ...trace },
  { type: "not-sent", n: 1, ...trace },
  { type: "unknown", n: 1, ...trace, ...request, ids: ["t1"], tools: { read: "t1" }, doubts: ["agent:b"] },
  { type: "forget", address: "agent:a", used_by: ["agent:b"] },
  {
    type: "entry",
    address: "toolset:helpdesk",
    entry: {
      ids: ["t1"],
      tools: { read: "t1" },
      candidates: [{ _id: "t1" }],
      body: { tool_set_name: "helpdesk" },
      digest: "sha256:2",
      write: "write-1",
      adopted: "x",
      assumed: true,
      uncertain: true,
      attempted: [{ body: { tool_set_name: "desk" }, references: { "agent:a": "1" } }],
    },
    replaces: true,
    used_by: ["agent:a"],
  },
  { type: "move", moves: [{ from: "agent:a", to: "agent:c", moved_from: ["agent:a"] }] },
  { type: "resolved", address: "agent:a" },
];
