import { join } from "node:path";
import { readUnfinished } from "./unfinished-import.js";
import { type Checked, refused, type Refusal } from "../core/finding/checked.js";
import { type Finding, error } from "../core/finding/diagnostic.js";
import { type Importing, type KindListing, objectKey } from "../core/import/importing.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import type { JsonObject } from "../json/json.js";
import { managedElsewhere } from "./around/managed-elsewhere.js";
import { findPromisedAround } from "./around/outside-users.js";
import { readState, type ReadState } from "./read-state.js";
import { choiceIn, type PlanRequest, type ServiceAccess } from "./request.js";
import { lookAt } from "../disk/refuse-links.js";
import { IncludedFiles } from "../workspace/included-files.js";
import type { WorkspaceFolder } from "../workspace/workspace-folder.js";
import { bare, say } from "../core/finding/said.js";
import { kindIn } from "../core/kind/deployment.js";
import { foldedId } from "../core/kind/id.js";
import type { Kind } from "../core/kind/kind.js";
import { kindNames } from "../core/kind/kinds.js";
import type { Listed } from "../core/observation/list-objects.js";
import { listWhole } from "../core/observation/list-whole.js";
import { readObject } from "../core/observation/read-object.js";
import type { Service } from "../core/observation/service.js";
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

/** Asks the service for the objects to import; with notes on the kinds that it cannot be asked about. */
async function readListings(
  fleet: Fleet,
  lock: Lock,
  request: ListingRequest,
): Promise<Checked<{ readonly kinds: readonly KindListing[]; readonly notes: readonly Finding[] }>> {
  const { settings } = fleet;
  const { deployment } = settings;
  const kinds = kindsToImport(fleet, request);
  const { wanted } = request;
  const unlisted = wanted
    ? kinds.filter(({ name }) => !deployment[name]?.list && !deployment[name]?.read)
    : kindNames.map((name) => kindIn(deployment, name)).filter((kind) => !kinds.includes(kind));
  const missing =
    unlisted.length > 0
      ? [
          explainMissing(
            settings,
            unlisted,
            "`agentform import`",
            "write the document with `lifecycle: {adopt: ID}`",
          ),
        ]
      : [];
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
    const listing = await listWhole(service, list, read, ids ?? []);
    if (!listing.ok) return refused([explainUnread(settings, kind, "list", listing)]);
    const { objects, isWithheld } = listing;
    const gone = ids?.find((id) => !objects.some((object) => foldedId(object.id) === foldedId(id)));
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

/** Where an import writes its documents, and how. */
export interface ImportTarget {
  /** The folder for the documents, relative to the workspace, with `/`; empty for the workspace itself. */
  readonly into: string;
  /** The file for all documents, in that folder; one for each unless given. */
  readonly file?: string;
  readonly render: (document: JsonObject) => string;
}

/** What was found in the service and elsewhere, and is not asked again. */
export type ImportReading = Pick<Importing, "listings" | "elsewhere" | "promised" | "unfinished">;

/** What is known before anything is decided. */
interface SeenService extends Pick<ReadState, "state" | "lockLength"> {
  readonly read: ImportReading;
  /** On the kinds that the service cannot be asked about. */
  readonly notes: readonly Finding[];
}

/** Reads the state, the service, and what the other environments have. */
export async function readForImport(
  fleet: Fleet,
  request: PlanRequest & ListingRequest,
): Promise<Checked<SeenService>> {
  const { settings } = fleet;
  const known = await readState(fleet, request, { isNewest: true });
  if (!known.ok) return known;
  const { state, lockLength } = known;
  const listed = await readListings(fleet, state.lock, request);
  if (!listed.ok) return listed;
  const elsewhere = await managedElsewhere(settings, request);
  if (!elsewhere.ok) return elsewhere;
  const promised = findPromisedAround(settings, request);
  const read = { listings: listed.kinds, elsewhere, promised, unfinished: readUnfinished(request) };
  return { ok: true, state, lockLength, read, notes: listed.notes };
}

/** Gives what the names of new files begin with. */
export function prefixOf({ into }: Pick<ImportTarget, "into">): string {
  return into === "" ? "" : `${into}/`;
}

// No file that exists is changed.
function freeName(file: string, isFile: (file: string) => boolean): string {
  const [, stem = file, suffix = ""] = /^(.*)(\.ya?ml)$/i.exec(file) ?? [];
  for (let number = 1; ; number++) {
    const name = number === 1 ? file : `${stem}-${number}${suffix}`;
    if (!isFile(name)) return name;
  }
}

/** Gives what an import is made of. */
export function importingOf(
  { fleet, folder }: { readonly fleet: Fleet; readonly folder: WorkspaceFolder },
  lock: Lock,
  read: ImportReading,
  request: PlanRequest & ListingRequest & ImportTarget,
): Importing {
  const { settings } = fleet;
  const isFile = (file: string) => lookAt(join(folder.root, file)) !== undefined;
  const planned = new Map<string, string>();
  return {
    ...read,
    fleet,
    lock,
    choice: choiceIn(settings, request),
    settings,
    kindFields: settings.kindFields,
    fieldNames: settings.service.field_names ?? {},
    ...(request.wanted && {
      wanted: new Set(request.wanted.map(({ kind, id }) => objectKey(`${kind}:`, id))),
    }),
    isFile,
    importFolder: {
      into: prefixOf(request),
      ...(request.file !== undefined && { file: freeName(request.file, isFile) }),
      place(name, stem, suffix, text) {
        for (let number = 1; ; number++) {
          const file = `${prefixOf(request)}${name}/${stem}${number === 1 ? "" : `-${number}`}${suffix}`;
          if (planned.has(file)) continue;
          const read = isFile(file) ? folder.read(file) : undefined;
          if (read && !(read.ok && read.text === text)) continue;
          planned.set(file, text);
          return { file, isNew: !read };
        }
      },
    },
    includes: new IncludedFiles(folder),
    render: request.render,
  };
}
