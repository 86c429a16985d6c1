import { measure } from "../../json/extent.js";
import { depthLimit, equal, isObject, isShallow, type Json, type JsonObject } from "../../json/json.js";
import { requestFor, type DeclaredList, type DeclaredRead } from "../kind/deployment.js";
import { listTwice, mostCharacters, type Listed, type Listing } from "./list-objects.js";
import { foldedId } from "../kind/id.js";
import { isTime } from "./baseline.js";
import { readObject, type Seen, type Unreadable } from "./read-object.js";
import type { Service } from "./service.js";

const concurrency = 8;

/** Of how many objects that a list lacks it is looked up whether they are there. */
const mostMissing = 10;

/** Lists objects as `read` shows them, for a list may show less or lag; fails if what it lacks can still be read. */
export async function listWhole(
  service: Service,
  list: DeclaredList,
  read: DeclaredRead | undefined,
  known: readonly string[],
): Promise<Listing> {
  const listing = await listTwice(service, list);
  if (!listing.ok || !read) return listing;
  const listed = new Set(listing.objects.map(({ id }) => foldedId(id)));
  const missing = known.filter((id) => !listed.has(foldedId(id)));
  for (const id of missing.slice(0, mostMissing)) {
    const seen = await readObject(service, read, id);
    if (seen.state === "unreadable") return notRead(read, id, seen);
    if (seen.state === "found") return notWhole(list, id);
  }
  if (listing.objects.length === 0) return listing;
  const sample = await readSample(service, read, listing.objects);
  const unread = sample.find(({ seen }) => seen.state === "unreadable");
  if (unread?.seen.state === "unreadable") return notRead(read, unread.id, unread.seen);
  const isOther = sample.some(({ seen, body }) => seen.state !== "found" || showsOther(seen.body, body));
  return isOther ? await readAll(service, read, listing) : listing;
}

// A list that shows less does so of every object, but one of them may have nothing to leave out.
async function readSample(
  service: Service,
  read: DeclaredRead,
  objects: readonly Listed[],
): Promise<(Listed & { readonly seen: Seen })[]> {
  const last = objects.length - 1;
  const sample = new Set([0, last >> 1, last].flatMap((index) => objects[index] ?? []));
  const look = async (listed: Listed) => ({ ...listed, seen: await readObject(service, read, listed.id) });
  return await Promise.all([...sample].map(look));
}

// What a list leaves out may be missing, empty or cut off there; it may show more than a read.
function showsOther(read: JsonObject, listed: JsonObject): boolean {
  if (!isShallow(read, depthLimit) || !isShallow(listed, depthLimit)) return true;
  return hasOther(read, listed);
}

function hasOther(read: Json, listed: Json): boolean {
  if (isObject(read) && isObject(listed)) {
    return Object.entries(read).some(([key, value]) => {
      const there = Object.hasOwn(listed, key) ? listed[key] : undefined;
      return there === undefined || hasOther(value, there);
    });
  }
  if (Array.isArray(read) && Array.isArray(listed)) {
    return read.length > listed.length || read.some((item, index) => hasOther(item, listed[index] ?? null));
  }
  // Services say when an object was last used or looked at.
  return !equal(read, listed) && !(isTime(read) && isTime(listed));
}

function notRead(read: DeclaredRead, id: string, { why }: Pick<Unreadable, "why">): Listing {
  return { ok: false, message: `${read.method} ${requestFor(read, id).path}: ${why}` };
}

// A list of what one user may see, of one folder, or of an index that is behind has no page that is missing.
function notWhole({ method, path }: DeclaredList, id: string): Listing {
  return {
    ok: false,
    message: `the list of ${method} ${path} lacks ${id}, which the service shows when it is read`,
    hint: "check that the key may see all objects, and that the path of `list` has no filter; a list that is behind may have it later",
  };
}

async function readAll(
  service: Service,
  read: DeclaredRead,
  listing: Extract<Listing, { readonly ok: true }>,
): Promise<Listing> {
  const { objects } = listing;
  const found: Seen[] = [];
  let characters = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < objects.length; index = next++) {
      const seen = await readObject(service, read, (objects[index] as Listed).id);
      found[index] = seen;
      if (seen.state === "found") characters += measure(seen.body).size;
      // The others need not be read to know that this has failed.
      if (seen.state === "unreadable" || characters > mostCharacters) next = objects.length;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (characters > mostCharacters)
    return {
      ok: false,
      message: `all objects of ${read.method} ${read.path} together are longer than ${mostCharacters / 1_000_000} million characters`,
    };
  const whole: Listed[] = [];
  let { isWithheld } = listing;
  for (const [index, seen] of found.entries()) {
    const { id } = objects[index] as Listed;
    if (seen?.state === "unreadable") return notRead(read, id, seen);
    // Somebody has deleted it since.
    if (seen?.state !== "found") continue;
    isWithheld ||= seen.isWithheld === true;
    whole.push({ id, body: seen.body });
  }
  // A wrong path answers that there is none of them.
  if (whole.length === 0)
    return {
      ok: false,
      message: `${read.method} ${read.path} finds none of the objects that are listed`,
      hint: "check the path of `read` in `service.operations`",
    };
  return { ...listing, objects: whole, isWithheld };
}
