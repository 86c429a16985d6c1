import type { Baseline } from "../../generated/lock.js";
import { lookupIn } from "../plan/lock-lookup.js";
import { idsOf } from "../kind/identity.js";
import type { Kind } from "../kind/kind.js";
import { equal, type JsonObject } from "../../json/json.js";
import { addedSince, baselineOf } from "../observation/baseline.js";
import { sightingsOf, sightingsOfBody } from "../observation/entry-sighting.js";
import { observedBody } from "../observation/observed-body.js";
import type { Sighting } from "../observation/sighting.js";
import type { LockEntry } from "../state/lock.js";
import { readObject } from "./read-object.js";
import type { Ending, Running } from "./running.js";

/** Whether an object is read before its update. */
export function isChecked(
  entry: LockEntry,
  kind: Kind,
  { checking, deployment }: Pick<Running, "checking" | "deployment">,
): boolean {
  // What an object has is not known until the first update of an adopted one has arrived.
  const isUntold = entry.uncertain === true && entry.attempted === undefined;
  return checking.before && deployment[kind.name]?.read !== undefined && !isUntold;
}

/** Says why an update must not be sent, or what is remembered of the object as it is before it. */
export async function checkUpdate(
  address: string,
  entry: LockEntry,
  body: JsonObject,
  kind: Kind,
  running: Running,
): Promise<{ readonly refusal: Ending } | { readonly baseline: Baseline }> {
  const { checking } = running;
  const observed = await readAll(entry, kind, running);
  if (!Array.isArray(observed)) return { refusal: unseen(address, observed) };
  const sightings = sightingsOf(entry, kind, observed);
  const wanted = sightingsOfBody(body, entry, kind, observed, lookupIn(running.state.lock));
  const fields = [
    ...editedFields(entry, body, sightings, wanted),
    ...addedFields(entry.baseline, sightings, body),
  ];
  const isOverwritten = checking.overwrite.has(address) || checking.overwrite.has("all");
  if (fields.length > 0 && !isOverwritten) return { refusal: conflict(address, fields) };
  return { baseline: baselineOf(sightings, running.hash) };
}

/** Reads an object after it was sent; gives what is to be remembered of it, and where it has something else. */
export async function verifySent(
  entry: LockEntry,
  kind: Kind,
  running: Running,
): Promise<{ readonly baseline?: Baseline; readonly hint?: string }> {
  const observed = await readAll(entry, kind, running);
  if (!Array.isArray(observed)) return { hint: `it could not be verified: ${reasonOf(observed)}` };
  const { baseline: _before, ...sent } = entry;
  const sightings = sightingsOf(sent, kind, observed);
  const fields = differentFields(entry.body, sightings);
  const taken = fields.length > 0 && {
    hint: `the service has something else than it was sent in ${named(fields)}; \`agentform drift\` shows it`,
  };
  return { baseline: baselineOf(sightings, running.hash), ...taken };
}

type Unseen = { readonly state: "gone" } | { readonly state: "unreadable"; readonly why: string };

async function readAll(
  entry: LockEntry,
  kind: Kind,
  { service, deployment, checking, hash }: Running,
): Promise<JsonObject[] | Unseen> {
  const read = deployment[kind.name]?.read;
  const bodies: JsonObject[] = [];
  if (!read) return bodies;
  for (const id of idsOf(entry)) {
    const seen = await readObject(service, read, id);
    if (seen.state !== "found") return seen;
    bodies.push(observedBody(seen.body, kind, checking.fieldNames, hash));
  }
  return bodies;
}

// An update whose outcome is not known may have arrived, and a document that agrees with the edit has nothing to lose.
function editedFields(
  { body: sent, attempted = {} }: LockEntry,
  body: JsonObject,
  sightings: readonly Sighting[],
  wanted: readonly Sighting[],
): string[] {
  const isWanted = new Set(differentFields(body, wanted));
  const edited = differentFields(sent, sightings);
  return edited.filter((field) => {
    const isAttempted = sightings.every(({ body: seen }) => equal(seen[field], attempted[field]));
    return isWanted.has(field) && !(Object.hasOwn(attempted, field) && isAttempted);
  });
}

function differentFields(sent: JsonObject, sightings: readonly Sighting[]): string[] {
  return Object.keys(sent).filter((field) =>
    sightings.some(({ body }) => !equal(body[field] ?? null, sent[field])),
  );
}

function addedFields(
  baseline: Baseline | undefined,
  sightings: readonly Sighting[],
  body: JsonObject,
): string[] {
  if (!baseline) return [];
  const fields = addedSince(baseline, sightings).map((pointer) => pointer.split("/")[1] ?? "");
  return [...new Set(fields)].filter((field) => !Object.hasOwn(body, field));
}

function conflict(address: string, fields: readonly string[]): Ending {
  return {
    type: "failed",
    message: `somebody changed ${named(fields)} in the service since the last apply, so nothing was sent`,
    hint: `\`agentform drift\` shows the change; write it into the document, or overwrite it with \`--overwrite ${address}\``,
  };
}

function unseen(address: string, object: Unseen): Ending {
  const hint =
    object.state === "gone"
      ? `create a new one with \`--replace ${address}\``
      : "apply again later, or pass `--no-check` to update without reading";
  return { type: "failed", message: `nothing was sent: ${reasonOf(object)}`, hint };
}

function reasonOf(object: Unseen): string {
  return object.state === "gone"
    ? "the object no longer exists in the service"
    : `it could not be read: ${object.why}`;
}

function named(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}\``).join(", ");
}
