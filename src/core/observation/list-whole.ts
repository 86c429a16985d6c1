import { measure } from "../../json/extent.js";
import { requestFor, type DeclaredList, type DeclaredRead } from "../kind/deployment.js";
import { listTwice, mostCharacters, type Listed, type Listing } from "./list-objects.js";
import { readObject, type Seen } from "./read-object.js";
import type { Service } from "./service.js";

/** How many objects are read at once. */
const concurrency = 8;

/**
 * Lists all objects of a kind, each as its `read` shows it where the list shows less: many services list no more than
 * IDs and names. Fails if one of these reads does.
 */
export async function listWhole(
  service: Service,
  { list, read }: { readonly list: DeclaredList; readonly read?: DeclaredRead },
): Promise<Listing> {
  const listing = await listTwice(service, list);
  if (!listing.ok || !read || !(await showsLess(service, read, listing.objects))) return listing;
  return await readAll(service, read, listing);
}

// A list that shows less does so of every object, but one of them may have nothing to leave out.
async function showsLess(service: Service, read: DeclaredRead, objects: readonly Listed[]): Promise<boolean> {
  const last = objects.length - 1;
  const sample = new Set([0, last >> 1, last].flatMap((index) => objects[index] ?? []));
  const isLess = async ({ id, body }: Listed): Promise<boolean> => {
    const seen = await readObject(service, read, id);
    return seen.state === "found" && Object.keys(seen.body).some((key) => !Object.hasOwn(body, key));
  };
  return (await Promise.all([...sample].map(isLess))).includes(true);
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
    if (seen?.state === "unreadable")
      return { ok: false, message: `${read.method} ${requestFor(read, id).path}: ${seen.why}` };
    // Somebody has deleted it since.
    if (seen?.state !== "found") continue;
    isWithheld ||= seen.isWithheld === true;
    whole.push({ id, body: seen.body });
  }
  return { ...listing, objects: whole, isWithheld };
}
