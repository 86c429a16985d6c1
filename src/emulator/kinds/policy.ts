import { dateTime, flag, listOf, mapOf, number, record, text } from "../check.js";
import type { EmulatedKind } from "../kind.js";
import { plainKind } from "../plain-kind.js";

/** A policy (docs/reference/interface.md, 2.1): its objects and operations, of which 1 makes one. */
export const policy: EmulatedKind = plainKind({
  noun: "policy",
  folder: "policies",
  check: record(
    {
      _id: text,
      name: text,
      description: text,
      allowed_topics: record({ enabled: flag, topics: listOf(text) }),
      banned_topics: record({ enabled: flag, topics: listOf(text) }),
      keywords: record({ enabled: flag, keywords: listOf(text) }),
      toxicity_check: record({ enabled: flag, threshold: number }),
      prompt_injection: record({ enabled: flag, threshold: number }),
      secrets_detection: record({ enabled: flag, action: text }),
      pii_detection: record({
        enabled: flag,
        types: mapOf(text),
        custom_pii: listOf(record({ label: text, replacement: text, action: text })),
      }),
      user_id: text,
      created_at: dateTime,
      updated_at: dateTime,
    },
    ["name"],
  ),
  places: { all: /^\/v1\/rai\/policies$/, one: /^\/v1\/rai\/policies\/([^/]+)$/ },
  accept: false,
  isUpdatable: false,
  // The two times of a policy's answer, unless minimal or sent by the client.
  fill: ({ _id: _ignored, ...fields }, answers, now) =>
    answers === "minimal" ? fields : { created_at: now, updated_at: now, ...fields },
  answerNew: (_answers, id, stored) => ({ _id: id, ...stored }),
  filledIn: { user_id: "user-of-the-emulator" },
});
