import type { ServiceAccess } from "./request.js";
import { refused, type Checked, type Refusal } from "../core/finding/checked.js";
import { error, type Finding } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import type { KindListing } from "../core/import/importing.js";
import { kindIn } from "../core/kind/deployment.js";
import type { Kind } from "../core/kind/kind.js";
import { kindNames } from "../core/kind/kinds.js";
import { listObjects, type Listed } from "../core/observation/list-objects.js";
import { readObject } from "../core/observation/read-object.js";
import type { Service } from "../core/observation/service.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import type { KindName } from "../generated/kinds.js";
import { askService, explainMissing, explainUnread } from "./asking.js";

/** An object to import. */
export interface WantedObject {
  readonly kind: KindName;
  readonly id: string;
}

/** Which objects to import, and how to ask for them. */
export interface ListingRequest extends ServiceAccess {
  /** All objects unless given. */
  readonly wanted?: readonly WantedObject[];
}

/** Gives the kinds of which documents may be written. */
export function kindsToImport({ settings }: Fleet, { wanted }: ListingRequest): Kind[] {
  const { deployment } = settings;
  const names = wanted ? [...new Set(wanted.map(({ kind }) => kind))] : kindNames;
  const kinds = names.map((name) => kindIn(deployment, name));
  return wanted ? kinds : kinds.filter(({ name }) => deployment[name]?.list !== undefined);
}

/** What the service has of some kinds, and notes on those that it cannot be asked about. */
interface Listings {
  readonly kinds: readonly KindListing[];
  readonly notes: readonly Finding[];
}

/** Asks the service for the objects to import. */
export async function readListings(
  fleet: Fleet,
  lock: Lock,
  request: ListingRequest,
): Promise<Checked<Listings>> {
  const { settings } = fleet;
  const { deployment } = settings;
  const kinds = kindsToImport(fleet, request);
  const { wanted } = request;
  const unlisted = wanted
    ? kinds.filter(({ name }) => !deployment[name]?.list && !deployment[name]?.read)
    : kindNames.map((name) => kindIn(deployment, name)).filter((kind) => !kinds.includes(kind));
  const missing = unlisted.length > 0 ? [explainMissing(settings, unlisted, "`agentform import`")] : [];
  if (wanted ? missing.length > 0 : kinds.length === 0) return refused(missing);
  return await askService(fleet, lock, kinds, request, async (service) => {
    const listed: KindListing[] = [];
    for (const kind of kinds) {
      const ids = wanted?.filter((each) => each.kind === kind.name).map(({ id }) => id);
      const listing = await readKind(service, kind, ids, settings);
      if (!listing.ok) return listing;
      listed.push(listing);
    }
    const notes = missing.map((finding) => ({ ...finding, severity: "note" as const }));
    return { ok: true, kinds: listed, notes };
  });
}

async function readKind(
  service: Service,
  kind: Kind,
  ids: readonly string[] | undefined,
  settings: Fleet["settings"],
): Promise<Checked<KindListing>> {
  const { list, read } = settings.deployment[kind.name] ?? {};
  // The tools of a set are found in the list alone.
  if (list && (ids === undefined || kind.gather || !read)) {
    const listing = await listObjects(service, list);
    if (!listing.ok) return refused([explainUnread(settings, kind, "list", listing)]);
    const { objects, isWithheld } = listing;
    const gone = ids?.find((id) => !objects.some((object) => object.id === id));
    return gone === undefined ? { ok: true, kind, objects, isWithheld } : notThere(kind, gone);
  }
  const objects: Listed[] = [];
  let isWithheld = false;
  for (const id of read ? (ids ?? []) : []) {
    const seen = read && (await readObject(service, read, id));
    if (seen?.state === "gone") return notThere(kind, id);
    if (seen?.state !== "found") {
      const why = seen?.why ?? "it cannot be read";
      const message = say`${kind.noun[0]} ${{ id }}: ${bare({ reason: why })}`;
      return refused([explainUnread(settings, kind, "read", { message })]);
    }
    isWithheld ||= seen.isWithheld === true;
    objects.push({ id, body: seen.body });
  }
  return { ok: true, kind, objects, isWithheld };
}

function notThere({ noun }: Kind, id: string): Refusal {
  const message = say`the service has no ${noun[0]} with the ID ${{ id }}`;
  const hint = "check the ID, and that it is of this environment";
  return refused([error("import-left-out", undefined, message, hint)]);
}
