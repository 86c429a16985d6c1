import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { renderDiagnosticsText } from "../../src/cli/render/diagnostics-text.js";
import { renderPlanText } from "../../src/cli/render/plan-text.js";
import { JournalWriter, parseJournal } from "../../src/core/journal.js";
import type { Json, JsonObject } from "../../src/core/json.js";
import { kinds } from "../../src/core/kinds.js";
import { emptyLock, parseLock, renderLock, type Lock } from "../../src/core/lock.js";
import { buildSettings, parseManifest } from "../../src/core/manifest.js";
import { buildPlan, type Plan } from "../../src/core/plan.js";
import { noOptions } from "../../src/core/plan-options.js";
import { locate } from "../../src/core/position.js";
import { parseSavedPlan, renderSavedPlan } from "../../src/core/saved-plan.js";
import { replay } from "../../src/core/state.js";
import { buildWorkspace, type SourceFile } from "../../src/core/workspace.js";
import { hash } from "../../src/digest.js";

/** Something that takes texts from outside, with texts to start from. */
export interface Target {
  readonly corpus: readonly string[];
  /** Takes a text; may find it wrong in any way, and must not throw. */
  run(text: string): void;
}

const owner = { workspace: "test", environment: null };
const manifest = `apiVersion: agentform/v1
kind: Workspace
metadata: {name: test}
spec:
  service: {base_url: "https://agents.example.com", rai_base_url: "https://rai.example.com", api_key: "\${env:K}"}
  variables: {model: small-1, region: {description: Where, default: eu}}
  environments: {production: {variables: {model: large-2}}}
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
  ...textsBelow("test/fixtures/plans", /after.*\.yaml$/).filter((_, index) => index % 3 === 0),
];

/** Plans a workspace of one manifest and some files, against a lock, and renders what comes out. */
function planWith(manifestText: string, sources: readonly SourceFile[], lock: Lock): Plan | undefined {
  const read = (file: string) => sources.find((each) => each.file === file)?.text ?? manifestText;
  const parsed = parseManifest(manifestText);
  const settings = Array.isArray(parsed) ? parsed : buildSettings(parsed, null, new Map());
  if (Array.isArray(settings)) {
    renderDiagnosticsText(
      locate(settings, () => ({ text: manifestText, quotable: true })),
      { color: false },
    );
    return undefined;
  }
  const includes = { read: (_: string, path: string) => ({ file: path, text: "included ${var:model}" }) };
  const workspace = buildWorkspace(settings, sources, includes, hash);
  const found = locate(workspace.findings, (file) => ({ text: read(file), quotable: true }));
  renderDiagnosticsText(found, { color: false });
  const { plan } = buildPlan({ workspace, lock, source: "agentform.lock", options: noOptions, hash });
  renderPlanText(plan, { color: false });
  return plan;
}

const sources = documents.slice(0, 12).map((text, index) => ({ file: `agents/${index}.yaml`, text }));
const madeUp: Lock = {
  ...emptyLock(owner, "lineage"),
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
const lockText = renderLock(madeUp);

function journalText(): string {
  const writer = new JournalWriter(hash);
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
      service,
    }),
    writer.render({ type: "begin", n: 1, address: "agent:b", operation: "create", ...begin }),
    writer.render({ type: "done", n: 1, id: "b1" }),
    writer.render({ type: "begin", n: 2, address: "policy:strict", operation: "replace", ...begin }),
    writer.render({ type: "forget", address: "toolset:helpdesk" }),
  ].join("");
}

const savedPlan = renderSavedPlan(planWith(manifest, sources, madeUp) as Plan, hash);

// A plan with a checksum that is right, if the text is one at all.
function sealed(text: string): string {
  try {
    const { checksum: _checksum, ...plan } = JSON.parse(text) as JsonObject;
    return renderSavedPlan(plan as unknown as Plan, hash);
  } catch {
    return text;
  }
}

/** Everything that takes texts from outside. */
export const targets: Readonly<Record<string, Target>> = {
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
    corpus: [lockText],
    run(text) {
      const lock = parseLock(text, "agentform.lock", owner);
      if (Array.isArray(lock)) locate(lock, () => ({ text, quotable: false }));
      else planWith(manifest, sources.slice(0, 2), lock);
    },
  },
  journals: {
    corpus: [journalText()],
    run(text) {
      const journal = parseJournal(text, "agentform.lock.journal", hash);
      if (!Array.isArray(journal)) replay(madeUp, journal, "agentform.lock.journal");
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
        .split("\n")
        .slice(0, 2)
        .map((line) => line.slice(17));
      let [sum, journal] = ["", ""];
      for (const line of [...lines, text.replaceAll("\n", " ")]) {
        sum = hash(`${sum} ${line}`).slice(7, 23);
        journal += `${sum} ${line}\n`;
      }
      const parsed = parseJournal(journal, "agentform.lock.journal", hash);
      if (Array.isArray(parsed)) return;
      const state = replay(madeUp, parsed, "agentform.lock.journal");
      if (Array.isArray(state)) return;
      state.settle();
      planWith(manifest, sources.slice(0, 2), state.lock);
    },
  },
  plans: {
    corpus: [savedPlan],
    run(text) {
      const plan = parseSavedPlan(sealed(text), "plan.json", hash);
      if (!Array.isArray(plan)) renderPlanText(plan, { color: false });
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
