import { readExtraFields } from "../../src/core/kind/extra-fields.js";
import { readdirSync, readFileSync } from "node:fs";
import { compileRules } from "../../src/core/rules/judge.js";
import { readRuleTexts } from "../../src/core/rules/rule-texts.js";
import { parseEditFile } from "../../src/core/lock-edit/lock-edit-file.js";
import { parseObservation } from "../../src/core/observation/observation.js";
import { parseIds } from "../../src/core/resources/parse-ids.js";
import { parsePlace } from "../../src/core/resources/store-place.js";
import { parseAnySaved } from "../../src/core/review/saved-plan.js";
import { explainMove, moveFormat, parseMove } from "../../src/core/state/lock-move.js";
import { StoreFailedError } from "../../src/core/state/lock-store.js";
import { openState, sealLock } from "../../src/core/state/seal.js";
import { readFacts } from "../../src/cli/init/job-facts.js";
import { parseGithubEvent } from "../../src/forge/github-event.js";
import { findSealKey } from "../../src/store/seal/seal-key.js";
import { Secret } from "../../src/service/secret.js";
import { parseDocument } from "../../src/store/network/state-document.js";
import type { Target } from "./target.js";

const owner = { workspace: "test", environment: null };
const textsIn = (folder: string) =>
  readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8"));
const service = { base_url: "https://agents.example.com" };
const move = { format: moveFormat, ...owner, lineage: "l", serial: 4, service, to: { store: "git" } };
const lock = `${JSON.stringify({ format: "agentform/lock/v1", ...owner, lineage: "l", serial: 4 }, null, 2)}\n`;
const found = findSealKey("${env:SEAL}", () => new Secret("k".repeat(40)));
const key = "key" in found ? found.key : undefined;
const observation = {
  format: "agentform/observation/v1",
  ...owner,
  service,
  observed_at: "2026-01-01T00:00:00Z",
  resources: { "agent:support": { id: "a1", state: "present", body: { name: "Support" } } },
};
const stateForm = { store: "http", check: "check it", ownPlace: "a place of its own" } as const;

/** What reads a text to a few values, and leaves what they mean to others. */
export const smallTargets: Readonly<Record<string, Target>> = {
  rules: {
    corpus: textsIn("examples/fleet/rules"),
    run(text) {
      for (const origin of ["organisation", "base"] as const) {
        const read = readRuleTexts({ origin, files: new Map([["rules/fuzz.yaml", text]]) });
        for (const { judge } of compileRules(read.rules, 3, readExtraFields()).rules)
          judge({ kind: "Agent", spec: { name: "Support", model: "small-1" } });
      }
    },
  },
  ids: {
    corpus: [
      '{"format": "agentform/ids/v1", "workspace": "guard", "environment": null, "ids": {"policy:strict": "p1", "toolset:desk/read": "t1"}}',
    ],
    run: (text) => void parseIds(text),
  },
  places: {
    corpus: ["git", "{store: s3, bucket: b, key: k}", '{"store": "http", "address": "${env:A}"}'],
    run: (text) => void parsePlace("AGENTFORM_STORE", text),
  },
  moves: {
    corpus: [
      JSON.stringify(move),
      JSON.stringify({ ...move, to: undefined, from: { store: "s3", key: "k" } }),
    ],
    run(text) {
      const end = parseMove(text);
      if (end) explainMove(end, "agentform.lock");
    },
  },
  seals: {
    corpus: key ? [sealLock(lock, owner, key), lock] : [],
    run(text) {
      for (const each of [key, undefined]) openState({ lock: text, journal: text }, owner, each);
    },
  },
  observations: {
    corpus: [JSON.stringify(observation)],
    run: (text) => void parseObservation(text, "observation.json"),
  },
  several: {
    corpus: [
      JSON.stringify({
        format: "agentform/plans/v1",
        environment: null,
        digest: "sha256:1",
        plans: [{ folder: "guard", plan: { format: "agentform/plan/v1" } }],
        leftOut: [],
        summary: {},
        checksum: "sha256:2",
      }),
    ],
    run: (text) => void parseAnySaved(text, "plans.json"),
  },
  states: {
    corpus: [
      JSON.stringify({
        format: "agentform/http-state/v1",
        serial: 2,
        ...owner,
        holder: null,
        lock,
        journal: "",
      }),
    ],
    run(text) {
      try {
        parseDocument(text, [owner], "the state", stateForm);
      } catch (thrown) {
        if (!(thrown instanceof StoreFailedError)) throw thrown;
      }
    },
  },
  edits: {
    corpus: ['{"agent:a": "a1", "toolset:t": {"read": "t1"}}', "address,id\nagent:a,a1\ntoolset:t/read,t1\n"],
    run: (text) => void parseEditFile(text, "ids.csv"),
  },
  events: {
    corpus: [
      '{"pull_request": {"number": 3, "base": {"ref": "main"}}}',
      '{"workflow_run": {"head_branch": "b", "head_sha": "c", "created_at": "t", "head_repository": {"owner": {"login": "o"}}}}',
    ],
    run: (text) => void parseGithubEvent(text, "abc"),
  },
  jobs: {
    corpus: textsIn("src/cli/init/templates/github"),
    run: (text) => void readFacts(text),
  },
};
