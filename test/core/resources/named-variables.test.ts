import { expect, test } from "vitest";
import { namedVariables } from "../../../src/core/resources/named-variables.js";
import type { Settings } from "../../../src/core/resources/manifest.js";
import type { Lock } from "../../../src/core/state/lock.js";

test("the secrets of what was left behind or may have been made are known", () => {
  const settings = {
    service: { api_key: "${env:KEY}" },
    lock: { store: "file", seal: "${env:SEAL}" },
  } as Settings;
  const common = { address: "credential:old", digest: "sha256:0", reason: "forgotten" } as const;
  const lock = {
    resources: {
      "credential:used": {
        ...common,
        id: "1",
        body: { key: "${env:USED@1}" },
        attempted: [{ body: { key: "${env:TRIED}" } }],
      },
    },
    retired: { "2": { ...common, body: { key: "${env:LEFT@2}" } }, "3": common },
    unknown: { "credential:new": { ...common, body: { key: "a ${env:MADE} b" } } },
  } as unknown as Lock;
  const named = namedVariables({ resources: new Map(), settings }, lock);
  expect([...named].toSorted()).toEqual(["KEY", "LEFT", "MADE", "SEAL", "TRIED", "USED"]);
});
