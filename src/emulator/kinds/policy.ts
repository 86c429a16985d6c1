import type { JsonObject } from "../../json/json.js";
import type { Answers } from "../answers.js";
import { type Check, dateTime, flag, listOf, mapOf, number, record, text } from "../check.js";
import { readRoutes, updateRoute } from "../full.js";
import { done, type EmulatedKind, type Operate, type EmulatedService, title } from "../kind.js";
import { plainObjects } from "../plain-objects.js";
import { keepSecretsOut } from "../secret.js";

/** The body of a policy (docs/interface.md, 2.1). */
const checkPolicy: Check = record(
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
);

/** Operation 1: a new policy. */
const createPolicy: Operate = (service, body) => {
  const { id, policy } = storePolicy(service, body);
  return done({ _id: id, ...policy }, `policy ${title(body, "name")} created as ${id}`);
};

/** Stores a new policy, and gives it as it is answered. */
function storePolicy(
  { storage, answers, now }: EmulatedService,
  body: JsonObject,
): { id: string; policy: JsonObject } {
  const { _id: _ignored, ...fields } = body;
  const at = now();
  const policy = stamp(answers, fields, at);
  return { id: storage.create("policies", keepSecretsOut(policy), at).id, policy };
}

/** Adds the two times of a policy's answer (docs/interface.md, 2.1), unless minimal or sent by the client. */
function stamp(answers: Answers, body: JsonObject, now: string): JsonObject {
  return answers === "minimal" ? body : { created_at: now, updated_at: now, ...body };
}

const policies = plainObjects({
  noun: "policy",
  folder: "policies",
  checkNew: checkPolicy,
  create: (service, body) => [storePolicy(service, body).id],
  filledIn: { user_id: "user-of-the-emulator" },
});

const all = /^\/v1\/rai\/policies$/;
const one = /^\/v1\/rai\/policies\/([^/]+)$/;

/** A policy: its objects and operations. */
export const policy: EmulatedKind = {
  objects: policies,
  documented: [{ method: "POST", path: all, check: checkPolicy, operate: createPolicy, accept: false }],
  full: [...readRoutes(policies, { all, one }), updateRoute(policies, one, false)],
};
