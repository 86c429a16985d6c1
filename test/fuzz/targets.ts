import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderLockListJson } from "../../src/render/lock/lock-json.js";
import { renderLockListText, renderLockRetiredText } from "../../src/render/lock/lock-list-text.js";
import { withUsers } from "../../src/sync/lock/used-lock.js";
import { renderLockShowText } from "../../src/render/lock/lock-show-text.js";
import { listResources } from "../../src/render/lock/lock-view.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { Agenda } from "../../src/core/apply/agenda.js";
import { requestsOf } from "../../src/core/apply/requests.js";
import { editLock } from "../../src/core/lock-edit/lock-edit.js";
import { FaultError, parseFaults } from "../../src/emulator/fault.js";
import { StorageError } from "../../src/emulator/folder.js";
import { Storage } from "../../src/emulator/storage.js";
import { describeThisProcess, isCertainlyDead, parseRecord } from "../../src/store/local/process-record.js";
import { renderDiagnosticsText } from "../../src/render/diagnostics/diagnostics-text.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { JournalWriter, parseJournal } from "../../src/core/state/journal.js";
import type { Json, JsonObject } from "../../src/json/json.js";
import { kinds } from "../../src/core/kind/kinds.js";
import { emptyLock, parseLock, type Lock } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";
import { buildSettings, parseManifest } from "../../src/core/resources/manifest.js";
import { buildPlan, type Plan } from "../../src/core/plan/plan.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import { locate } from "../../src/core/position/position.js";
import { parseSavedPlan } from "../../src/core/review/saved-plan.js";
import { movedEntries } from "../../src/core/review/saved-plan-check.js";
import { replay } from "../../src/core/state/replay.js";
import { buildFleet, type FleetSource } from "../harness/build-fleet.js";
import { hash } from "../../src/digest.js";
import { savedPlanText } from "../harness/plan-text.js";
import { smallTargets } from "./small-targets.js";
import type { Target } from "./target.js";

const keptFolder = mkdtempSync(join(tmpdir(), "agentform-kept-"));
process.once("exit", () => rmSync(keptFolder, { recursive: true, force: true }));
const owner = { workspace: "test", environment: null };
const manifest = `apiVersion: agentform/v1
kind: Workspace
metadata: {name: test}
spec:
  service: {base_url: "https://agents.example.com", rai_base_url: "https://rai.example.com", api_key: "\${env:K}"}
  variables: {model: small-1, region: {description: Where, default: eu}}
  environments: {default: {}, production: {variables: {model: large-2}}}
  extra_fields: {agent: [managed_agents]}
  limits: {orphans: 3}
`;

/** Gives the texts of all files of some endings below a folder. */
function textsBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => ending.test(file) && statSync(file).isFile() && statSync(file).size < 20_000)
    .map((file) => readFileSync(file, "utf8"));
}

const documents = [
  ...textsBelow("examples", /(policies|toolsets|credentials|agents).*\.yaml$/),
  ...textsBelow("test/fixtures/plans", /\.yaml$/).filter((_, index) => index % 3 === 0),
];

/** Plans a workspace of one manifest and some files, against a lock, and renders what comes out. */
function planWith(manifestText: string, sources: readonly FleetSource[], lock: Lock): Plan | undefined {
  const read = (file: string) => sources.find((each) => each.file === file)?.text ?? manifestText;
  const parsed = parseManifest(manifestText);
  const built = parsed.ok ? buildSettings(parsed, null, new Map()) : parsed;
  if (!built.ok) {
    renderDiagnosticsText(
      locate(built.problems, () => ({ text: manifestText, quotable: true })),
      { color: false },
    );
    return undefined;
  }
  const { settings } = built;
  const includes = {
    read: (_from: string, file: string) => ({ ok: true as const, file, text: "included ${var:model}" }),
  };
  const fleet = buildFleet(settings, sources, includes);
  const found = locate(fleet.findings, (file) => ({ text: read(file), quotable: true }));
  renderDiagnosticsText(found, { color: false });
  const { plan } = buildPlan({ fleet, lock, source: "agentform.lock", options: noOptions });
  renderPlanText(plan, { color: false });
  return plan;
}

const sources = documents.slice(0, 12).map((text, index) => ({ file: `agents/${index}.yaml`, text }));
const madeUp: Lock = {
  ...emptyLock(owner, "lineage"),
  writes: "w1",
  serial: 3,
  service: { base_url: "https://agents.example.com" },
  resources: {
    "agent:support": {
      id: "a1",
      body: { name: "Support", features: [{ type: "RAI", config: { policy_id: "${policy:strict}" } }] },
      references: { "policy:strict": "p1" },
      digest: "sha256:0",
    },
    "toolset:helpdesk": {
      ids: ["t1"],
      tools: { read: "t1" },
      body: { tool_set_name: "x" },
      digest: "sha256:1",
    },
    "policy:strict": { id: "p1", body: { name: "Strict" }, digest: "sha256:2", protect: true },
  },
  retired: { p0: { address: "policy:strict", reason: "replaced", body: {} } },
  unknown: {
    "agent:new": {
      operation: "create",
      since: "2026-01-01T00:00:00Z",
      method: "POST",
      path: "/v3/agents/",
      body: { name: "New" },
      digest: "sha256:3",
    },
  },
};
const outline = {
  servers: [{ url: "https://h.example.com" }],
  security: { requirements: [], schemes: "0123456789abcdef" },
  operations: [
    {
      method: "GET",
      path: "/tickets",
      operationId: "read",
      parameters: [{ in: "query", name: "q", required: true, digest: "0123456789abcdef" }],
      responses: "0123456789abcdef",
    },
    { method: "POST", path: "/tickets", request_body: "0123456789abcdef", description: "0123456789abcdef" },
  ],
};
const outlined: Lock = {
  ...madeUp,
  resources: {
    ...madeUp.resources,
    "toolset:helpdesk": {
      ids: ["t1", "t2"],
      tools: { read: "t1", "POST /tickets": "t2" },
      body: { tool_set_name: "x", openapi_schema: outline },
      digest: "sha256:1",
      uncertain: true,
      attempted: [{ body: { openapi_schema: outline } }],
    },
    "agent:reader": {
      id: "a2",
      body: { name: "Reader", tools: ["${toolset:helpdesk/read}", "${toolset:helpdesk}"] },
      references: { "toolset:helpdesk/read": "t1", "toolset:helpdesk": ["t1", "t2"] },
      digest: "sha256:2",
      moved_from: ["agent:old"],
      adopted: "a2",
    },
  },
  retired: {
    ...madeUp.retired,
    t0: { address: "toolset:helpdesk", operation: "read", reason: "forgotten", used_by: ["agent:reader"] },
  },
  unknown: {
    ...madeUp.unknown,
    "toolset:lost": {
      operation: "replace",
      since: "2026-01-01T00:00:00Z",
      method: "POST",
      path: "/v3/tools/",
      status: 504,
      body: { openapi_schema: outline },
      references: { "policy:strict": "p1" },
      digest: "sha256:4",
    },
  },
};
const madeUpText = lockText(madeUp);

function journalText(): string {
  const writer = new JournalWriter();
  const { lineage, serial, workspace, environment } = madeUp;
  const service = { base_url: "https://agents.example.com" };
  const begin = { time: "now", method: "POST", path: "/v3/agents/", body: { name: "N" }, digest: "sha256:4" };
  return [
    writer.render({
      type: "header",
      format: "agentform/journal/v1",
      workspace,
      environment,
      lineage,
      serial,
      write: "w1",
      service,
    }),
    writer.render({ type: "begin", n: 1, address: "agent:b", operation: "create", ...begin }),
    writer.render({ type: "done", n: 1, id: "b1" }),
    writer.render({ type: "begin", n: 2, address: "policy:strict", operation: "replace", ...begin }),
    writer.render({ type: "forget", address: "toolset:helpdesk" }),
    writer.render({
      type: "entry",
      address: "toolset:other",
      entry: { ids: ["o1"], tools: { read: "o1" }, body: { openapi_schema: outline }, digest: "sha256:5" },
      replaces: true,
      used_by: ["agent:support"],
    }),
    writer.render({
      type: "move",
      moves: [{ from: "agent:support", to: "agent:moved", moved_from: ["agent:x"] }],
    }),
    writer.render({
      type: "claim",
      creates: [{ address: "toolset:c", operation: "create", ...begin, body: { openapi_schema: outline } }],
    }),
    writer.render({
      type: "begin",
      n: 3,
      address: "agent:moved",
      operation: "update",
      ...begin,
      references: { "toolset:helpdesk": ["t1"] },
    }),
    writer.render({ type: "unknown", n: 3, message: "m", time: "t", method: "PUT", path: "/", status: 500 }),
    writer.render({
      type: "begin",
      n: 4,
      address: "toolset:helpdesk",
      operation: "replace",
      ...begin,
      body: { openapi_schema: outline },
    }),
    writer.render({ type: "done", n: 4, ids: ["n1"], tools: { read: "n1" } }),
    writer.render({ type: "rejected", n: 2, message: "m", status: 422, sent: 1 }),
    writer.render({ type: "resolved", address: "agent:new" }),
  ].join("");
}

/** Gives a journal's text whose lines are the records, with checksums that are right whatever they say. */
function chained(records: readonly string[]): string {
  let [sum, journal] = ["", ""];
  for (const line of records) {
    sum = hash(`${sum} ${line}`).slice(7, 23);
    journal += `${sum} ${line}\n`;
  }
  return journal;
}

/** Does with a lock what commands do: plans, renders, writes and reads again. */
function useLock(lock: Lock): void {
  const plan = planWith(manifest, sources.slice(0, 2), lock);
  const named = withUsers({ lock, source: "agentform.lock", originsOf: () => [] });
  renderLockListJson(named);
  renderLockListText(named, { color: false });
  renderLockRetiredText(named, { color: false });
  for (const row of listResources(lock)) renderLockShowText(named, row, { color: false, origins: [] });
  for (const address of [...Object.keys(lock.resources), ...Object.keys(lock.unknown)]) {
    editLock(lock, new Map(), [{ type: "not-created", address }]);
    editLock(lock, new Map(), [{ type: "resolve", address, adoption: "new" }]);
    editLock(lock, new Map(), [{ type: "resolve", address, adoption: ["read=t1"] }]);
  }
  const again = parseLock(lockText(lock), "agentform.lock", owner);
  if (!again.ok) throw new Error("what was written cannot be read again");
  if (plan) renderPlanMarkdown(plan);
}

const savedPlan = savedPlanText(planWith(manifest, sources, madeUp) as Plan);

// A plan with a checksum that is right, if the text is one at all.
function sealed(text: string): string {
  try {
    const { checksum: _checksum, ...plan } = JSON.parse(text) as JsonObject;
    return savedPlanText(plan as unknown as Plan);
  } catch {
    return text;
  }
}

/** Everything that takes texts from outside. */
export const targets: Readonly<Record<string, Target>> = {
  ...smallTargets,
  documents: {
    corpus: documents,
    run: (text) =>
      void planWith(manifest, [{ file: "agents/fuzz.yaml", text }, ...sources.slice(0, 2)], madeUp),
  },
  patches: {
    corpus: documents,
    run(text) {
      void planWith(
        manifest,
        [{ file: "environments/production/x.yaml", text, isPatch: true }, ...sources],
        madeUp,
      );
    },
  },
  manifests: { corpus: [manifest], run: (text) => void planWith(text, sources.slice(0, 2), madeUp) },
  locks: {
    corpus: [madeUpText, lockText(outlined), JSON.stringify(outlined)],
    run(text) {
      const lock = parseLock(text, "agentform.lock", owner);
      if (lock.ok) useLock(lock.lock);
      else locate(lock.problems, () => ({ text, quotable: false }));
    },
  },
  journals: {
    corpus: [journalText()],
    run(text) {
      const journal = parseJournal(text, "agentform.lock.journal");
      if (journal.ok) replay(madeUp, journal, "agentform.lock.journal");
    },
  },
  // Lines whose checksums are right, whatever they say.
  records: {
    corpus: journalText()
      .trim()
      .split("\n")
      .map((line) => line.slice(17)),
    run(text) {
      const lines = journalText()
        .trim()
        .split("\n")
        .map((line) => line.slice(17));
      const [header = "", ...others] = lines;
      for (const before of [[header], lines]) {
        const after = before.length === 1 ? others : [];
        const journal = chained([...before, text.replaceAll("\n", " "), ...after]);
        const parsed = parseJournal(journal, "agentform.lock.journal");
        if (!parsed.ok) continue;
        const replayed = replay(outlined, parsed, "agentform.lock.journal");
        if (!replayed.ok) continue;
        replayed.state.settle();
        useLock(replayed.state.lock);
      }
    },
  },
  plans: {
    corpus: [savedPlan],
    run(text) {
      const saved = parseSavedPlan(sealed(text), "plan.json");
      if (!saved.ok) return;
      const { plan } = saved;
      renderPlanText(plan, { color: false });
      renderPlanMarkdown(plan);
      movedEntries(plan, outlined);
      for (const action of plan.actions) requestsOf(action, outlined, plan.documents ?? {}, {});
      const agenda = new Agenda(plan.actions);
      for (let action = agenda.take(); action; action = agenda.take()) agenda.finish(action.address);
    },
  },
  holders: {
    corpus: [JSON.stringify(describeThisProcess())],
    run(text) {
      const record = parseRecord(text);
      if (record) isCertainlyDead(record);
    },
  },
  faults: {
    corpus: [
      '[{"method": "POST", "path": "/v3/*", "count": 2, "skip": 1, "status": 503, "headers": {"a": "b"}, "body": {}}]',
      '[{"delay": 5}, {"drop": "before"}, {"half": true}, {"redirect": "/x"}, {"garbage": "x"}]',
    ],
    run(text) {
      try {
        JSON.stringify(parseFaults(text));
      } catch (thrown) {
        if (!(thrown instanceof FaultError)) throw thrown;
      }
    },
  },
  kept: {
    corpus: [
      JSON.stringify({ number: 1, id: "a", body: { name: "A" } }),
      JSON.stringify({
        number: 2,
        id: "b",
        body: {},
        tools: [{ number: 3, id: "c", method: "GET", path: "/" }],
      }),
    ],
    run(text) {
      for (const kind of ["agents", "toolSets", "tools"]) {
        mkdirSync(join(keptFolder, kind), { recursive: true });
        writeFileSync(join(keptFolder, kind, "1.json"), text);
        try {
          new Storage({ path: keptFolder, below: [] }, "seed", "documented").objects();
        } catch (thrown) {
          if (!(thrown instanceof StorageError)) throw thrown;
        }
        rmSync(join(keptFolder, kind), { recursive: true });
      }
    },
  },
  answers: {
    corpus: [
      '{"agent_id": "a", "id": 1, "_id": "x"}',
      '{"tool_ids": ["a_read", {"name": "b", "method": "GET", "path": "/"}]}',
    ],
    run(text) {
      let answer: Json;
      try {
        answer = JSON.parse(text) as Json;
      } catch {
        return;
      }
      const body = { openapi_schema: { operations: [{ method: "GET", path: "/", operationId: "read" }] } };
      for (const kind of Object.values(kinds)) {
        kind.identify(answer, body, { documentOrder: true });
        kind.identify(answer, body, { documentOrder: false, idPointer: "/a/0/~1b" });
      }
    },
  },
};
