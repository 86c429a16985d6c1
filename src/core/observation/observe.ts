import { mapAtOnce } from "../../json/at-once.js";
import type { DeclaredList, Deployment } from "../kind/deployment.js";
import { foldedId } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { Kind } from "../kind/kind.js";
import { lazy, oncePer } from "../../json/once.js";
import { depthLimit, isShallow, type Json, type JsonObject } from "../../json/json.js";
import { inCode } from "../finding/quotation.js";
import { indexOperations } from "../openapi/openapi.js";
import { isOutline, type Outline } from "../openapi/outline-shape.js";
import type { ObservedObject } from "./observation.js";
import { observedBody, secretMask } from "./observed-body.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { listObjects, mostCharacters, type Listing } from "./list-objects.js";
import { canLook, readObject, type Seen } from "./read-object.js";
import { sentTexts } from "./entry-sighting.js";
import type { Service } from "./service.js";

/** What an observation is made with. */
export interface Observing {
  readonly service: Service;
  readonly deployment: Deployment;
  /** The deployment's own names of fields. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** How many objects are read at once. */
  readonly concurrency: number;
  readonly onRead?: (done: number, all: number) => void;
}

interface Wanted {
  readonly address: string;
  readonly kind: Kind;
  readonly id: string;
  readonly entry: LockEntry;
}

/** Gives the managed objects that a deployment can be asked about. */
export function readableObjects({ resources }: Pick<Lock, "resources">, deployment: Deployment): Wanted[] {
  return Object.entries(resources).flatMap(([address, entry]) => {
    const kind = kindOfAddress(address);
    if (!canLook(deployment[kind.name])) return [];
    return idsOf(entry).map((id) => ({ address, kind, id, entry }));
  });
}

/** Reads every managed object that can be read: one by one, or from the list of its kind if that is all there is. */
export async function observe(
  lock: Pick<Lock, "resources">,
  observing: Observing,
): Promise<Record<string, ObservedObject[]>> {
  const { deployment, fieldNames, onRead, concurrency } = observing;
  const wanted = readableObjects(lock, deployment);
  const look = createLook(observing);
  let done = 0;
  let characters = 0;
  const found = await mapAtOnce(wanted, concurrency, async (each) => {
    const seen = observedObject(each, await look(each), fieldNames);
    const { length } = JSON.stringify(seen);
    const isKept = characters + length <= mostCharacters;
    if (isKept) characters += length;
    const object = isKept ? seen : tooLong(each.id);
    onRead?.(++done, wanted.length);
    return { address: each.address, object };
  });
  const objects: Record<string, ObservedObject[]> = {};
  for (const { address, object } of found) (objects[address] ??= []).push(object);
  return objects;
}

function tooLong(id: string): ObservedObject {
  const why = `all objects together are longer than ${mostCharacters / 1_000_000} million characters`;
  return { id, state: "unreadable", code: "too-long", why };
}

/** Gives a function that looks at one object, in the lists of its kind too; each of these is read once. */
export function createLook({
  service,
  deployment,
}: Pick<Observing, "service" | "deployment">): (object: Pick<Wanted, "kind" | "id">) => Promise<Seen> {
  const lookIn = oncePer((list: DeclaredList) => inList(service, list));
  return async ({ kind, id }) => {
    const { read, list } = deployment[kind.name] ?? {};
    const seen = read && (await readObject(service, read, id));
    if (seen && (seen.state !== "gone" || !list)) return seen;
    if (!list) return { state: "unreadable", code: "not-declared", why: "the deployment cannot read it" };
    const look = await lookIn(list);
    const shown = await look(id);
    if (!seen || shown.state === "gone") return shown;
    // A wrong path, or a key that may not see objects, answers to a read that there is none.
    const instead = shown.state === "found" ? `${list.method} ${list.path} shows it` : shown.why;
    const why = `its read answers that it is gone, but ${instead}`;
    return { state: "unreadable", code: "request-failed", why };
  };
}

// A delete meanwhile moves others to pages already read, so several pages never say that an object is gone.
async function inList(service: Service, list: DeclaredList): Promise<(id: string) => Seen | Promise<Seen>> {
  const listing = await listObjects(service, list);
  const first = seenIn(listing);
  if (!listing.ok || listing.pages === 1) return first;
  const again = lazy(async () => seenIn(await listObjects(service, list)));
  return async (id) => {
    const seen = first(id);
    return seen.state === "gone" ? (await again())(id) : seen;
  };
}

function seenIn(listing: Listing): (id: string) => Seen {
  if (!listing.ok) {
    const { message: why } = listing;
    return () => ({ state: "unreadable", code: "list-unread", why });
  }
  const { objects, isWithheld } = listing;
  const byId = new Map(objects.map(({ id, body }) => [foldedId(id), body]));
  return (id) => {
    const body = byId.get(foldedId(id));
    return body ? { state: "found", body, ...(isWithheld && { isWithheld: true }) } : { state: "gone" };
  };
}

/** Gives what an observation says of an object that was looked at, beside what it was last sent. */
export function observedObject(
  {
    kind,
    id,
    entry,
  }: { readonly kind: Kind; readonly id: string; readonly entry: Parameters<typeof sentTexts>[0] },
  seen: Seen,
  fieldNames: Observing["fieldNames"],
): ObservedObject {
  if (seen.state === "gone") return { id, state: "gone" };
  if (seen.state === "unreadable") return { id, ...seen };
  if (!isShallow(seen.body, depthLimit))
    return { id, state: "unreadable", code: "too-deep", why: "the answer is nested too deep" };
  const other = otherOperation(id, kind, entry, seen.body);
  if (other !== undefined) {
    const why = `the service shows ${inCode(other)} under the ID ${id}; look which tool is which, and tell it with \`agentform lock resolve\``;
    return { id, state: "unreadable", code: "other-operation", why };
  }
  const body = seen.isWithheld === true ? unwithheld(seen.body) : seen.body;
  return { id, state: "found", body: observedBody(body, kind, fieldNames, sentTexts(entry)) };
}

const indexOf = oncePer(({ operations }: Outline) => indexOperations(operations));

// A service may answer the IDs of tools in another order than the manifest says.
function otherOperation(
  id: string,
  { outlined }: Kind,
  { body, tools = {} }: Pick<LockEntry, "body" | "tools">,
  { method, path }: JsonObject,
): string | undefined {
  const sent = outlined.map((field) => body[field]).find(isOutline);
  if (!sent || typeof method !== "string" || typeof path !== "string") return undefined;
  const { keys, find } = indexOf(sent);
  const shown = keys[find(`${method} ${path}`) ?? -1] ?? "";
  const own = Object.hasOwn(tools, shown) ? tools[shown] : undefined;
  return own !== undefined && foldedId(own) !== foldedId(id) ? shown : undefined;
}

// What had the value of a secret is null in such an answer, and nothing that somebody changed.
function unwithheld(body: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(body, (_key, value: Json) => value ?? secretMask)) as JsonObject;
}
