import { randomUUID } from "node:crypto";
import { connectToAsk, explainMissing, explainUnread, type AskingOptions } from "./asking.js";
import { forgetBegun, noteBegun, readBegun } from "./begun-import.js";
import { listObjects, type Listed } from "../core/observation/list-objects.js";
import { readObject } from "../core/observation/read-object.js";
import type { Service } from "../core/observation/service.js";
import { error, hasErrors, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import { buildImport, type Import } from "../core/import/build-import.js";
import type { Importing, KindListing } from "../core/import/importing.js";
import type { KindName } from "../generated/kinds.js";
import { kindIn } from "../core/kind/deployment.js";
import { idsOf } from "../core/kind/identity.js";
import type { Kind } from "../core/kind/kind.js";
import { kindNames } from "../core/kind/kinds.js";
import { editLock } from "../core/lock-edit/lock-edit.js";
import { quote } from "../core/finding/quotation.js";
import { appliedSettings } from "../core/plan/applied-settings.js";
import type { Fleet } from "../core/resources/fleet.js";
import { renderLock, type Lock } from "../core/state/lock.js";
import type { LockStore } from "../core/state/lock-store.js";
import { nextWrite } from "../core/state/lock-writes.js";
import { newName } from "./new-name.js";
import type { JsonObject } from "../json/json.js";
import { managedElsewhere } from "./managed-elsewhere.js";
import type { PlanRequest } from "./request.js";
import { holding, isHeld, locationOf, ownerOf, readState } from "./state-access.js";
import { openStore } from "../store/open-store.js";
import { recover } from "../store/recovery.js";
import { isSound, loadWorkspace, type LoadedWorkspace } from "../workspace/load-workspace.js";
import { checkDocumentFolder, isThere, writeNewFiles } from "../workspace/new-files.js";
import { openFolder } from "../workspace/open-folder.js";
import type { WorkspaceFolder } from "../workspace/workspace-folder.js";

/** An object to import. */
export interface WantedObject {
  readonly kind: KindName;
  readonly id: string;
}

/** What to import, and how. */
export interface ImportRequest extends PlanRequest, AskingOptions {
  /** All objects unless given. */
  readonly wanted?: readonly WantedObject[];
  /** The folder for the documents, relative to the workspace, with `/`; empty for the workspace itself. */
  readonly into: string;
  /** Renders a document as the text of its file. */
  readonly render: (document: JsonObject) => string;
  /** Asked once, before anything is written. */
  readonly confirm: (found: Import, diagnostics: readonly Diagnostic[]) => Promise<boolean>;
}

/** How an import ended. */
export interface ImportResult {
  /** `refused`: nothing was imported; `moved`: the lock is held or has changed, or so has the workspace. */
  readonly status: "done" | "unchanged" | "refused" | "moved" | "declined";
  readonly found?: Import;
  /** Those that were not shown before the question. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A workspace that documents can be added to. */
interface Ground {
  readonly loaded: LoadedWorkspace & { readonly fleet: Fleet };
  readonly folder: WorkspaceFolder;
}

/** Asks the service for its objects, and writes documents and lock entries for those that no address has. */
export async function importObjects(request: ImportRequest): Promise<ImportResult> {
  const ground = readGround(request);
  if (!("folder" in ground)) return ground;
  const { loaded, folder } = ground;
  const { fleet } = loaded;
  const refuse = (findings: readonly Finding[]): ImportResult => {
    return { status: "refused", diagnostics: loaded.locate(findings) };
  };
  const read = await readState(fleet.settings, request);
  if (!("state" in read)) return refuse(read);
  const { lock } = read.state;
  const unread = kindsToWriteTo(fleet, request)
    .map(({ folder: of }) => checkDocumentFolder(folder, fleet.settings, `${prefixOf(request)}${of}`))
    .filter((finding) => finding !== undefined);
  if (unread.length > 0) return refuse(unread.slice(0, 1));
  const listings = await readListings(fleet, lock, request);
  if (!Array.isArray(listings.kinds)) return refuse(listings.findings);
  const elsewhere = await managedElsewhere(fleet.settings, request);
  if (Array.isArray(elsewhere)) return refuse(elsewhere);
  const rest = {
    listings: listings.kinds,
    elsewhere: elsewhere.owners,
    unknownElsewhere: elsewhere.unknown,
    begun: readBegun(request),
  };
  const found = buildImport(importingOf(ground, lock, rest, request));
  const findings = [...listings.findings, ...found.findings];
  const diagnostics = loaded.locate(findings);
  if (found.imported.length + found.adopted.length === 0) {
    return { status: hasErrors(findings) ? "refused" : "unchanged", found, diagnostics };
  }
  if (!(await request.confirm(found, diagnostics))) return { status: "declined", found, diagnostics: [] };
  const store = await openStore(fleet.settings, locationOf(request));
  const ended = await holding(store, loaded, () => write(store, found, rest, request));
  return { found, ...ended };
}

function readGround(request: ImportRequest): Ground | ImportResult {
  const loaded = loadWorkspace(request);
  // Documents that cannot be read may describe the objects, or have the keys.
  if (!isSound(loaded)) return { status: "refused", diagnostics: loaded.diagnostics };
  const folder = openFolder(request.directory);
  if ("code" in folder) return { status: "refused", diagnostics: loaded.locate([folder]) };
  return { loaded, folder };
}

// Documents first: an entry without one is a resource that was removed. What dies between the two is taken over by
// the next import, because these documents say exactly what the objects have.
async function write(
  store: LockStore,
  shown: Import,
  rest: Pick<Importing, "listings" | "elsewhere" | "unknownElsewhere" | "begun">,
  request: ImportRequest,
): Promise<Pick<ImportResult, "status" | "diagnostics">> {
  const ground = readGround(request);
  if (!("folder" in ground)) return ground;
  const { loaded, folder } = ground;
  const { settings } = loaded.fleet;
  const refuse = (status: "refused" | "moved", findings: readonly Finding[]) => {
    return { status, diagnostics: loaded.locate(findings) };
  };
  const held = await recover(store, ownerOf(settings), randomUUID);
  if (!isHeld(held)) return refuse("refused", held);
  const found = buildImport(importingOf(ground, held.lock, rest, request));
  if (JSON.stringify(found) !== JSON.stringify(shown)) {
    const message = "the lock or the workspace has changed since the objects were shown";
    return refuse("moved", [error("lock-changed", undefined, message, "run the import again")]);
  }
  const entries = [...found.imported, ...found.adopted];
  const edits = entries.map(({ address, entry }) => ({ type: "import" as const, address, entry }));
  const edited = editLock(held.lock, loaded.fleet.resources, edits);
  if (!edited.ok) return refuse("refused", edited.problems);
  const ids = found.imported.map(({ address, entry }) => [address, idsOf(entry)[0] ?? ""] as const);
  noteBegun(request, new Map([...rest.begun, ...ids]));
  const unwritten = writeNewFiles(
    folder,
    found.imported.flatMap(({ files }) => files),
  );
  if (unwritten) return refuse("refused", [unwritten]);
  const next = {
    ...edited.lock,
    service: held.lock.service ?? (await request.target(settings)).identity,
    // Nothing was applied with others, so these are those with which the entries are what they say.
    ...(isEmpty(held.lock) && { settings: appliedSettings(settings, request.options?.emulator ?? false) }),
  };
  await store.replace(renderLock(nextWrite(held.lock, next, newName())), held.version);
  forgetBegun(request);
  return { status: "done", diagnostics: [] };
}

function isEmpty({ settings, resources, retired, unknown }: Lock): boolean {
  return (
    settings === undefined && [resources, retired, unknown].every((table) => Object.keys(table).length === 0)
  );
}

function prefixOf({ into }: ImportRequest): string {
  return into === "" ? "" : `${into}/`;
}

function importingOf(
  { loaded: { fleet }, folder }: Ground,
  lock: Lock,
  rest: Pick<Importing, "listings" | "elsewhere" | "unknownElsewhere" | "begun">,
  request: ImportRequest,
): Importing {
  const { settings } = fleet;
  const isFile = (file: string) => isThere(folder, file);
  const planned = new Map<string, string>();
  return {
    ...rest,
    fleet,
    lock,
    settings,
    extraFields: settings.extraFields,
    fieldNames: settings.service.field_names ?? {},
    ...(request.wanted && { wanted: new Set(request.wanted.map(({ kind, id }) => `${kind}:${id}`)) }),
    isFile,
    importFolder: {
      into: prefixOf(request),
      place(name, stem, suffix, text) {
        for (let number = 1; ; number++) {
          const file = `${prefixOf(request)}${name}/${stem}${number === 1 ? "" : `-${number}`}${suffix}`;
          if (planned.has(file)) continue;
          const read = isFile(file) ? folder.read(file) : undefined;
          const isNew = read === undefined;
          if (!isNew && !("text" in read && read.text === text)) continue;
          planned.set(file, text);
          return { file, isNew };
        }
      },
    },
    render: request.render,
  };
}

function kindsToWriteTo({ settings }: Fleet, { wanted }: ImportRequest): Kind[] {
  const { deployment } = settings;
  const names = wanted ? [...new Set(wanted.map(({ kind }) => kind))] : kindNames;
  const kinds = names.map((name) => kindIn(deployment, name));
  return wanted ? kinds : kinds.filter(({ name }) => deployment[name]?.list !== undefined);
}

interface Listings {
  /** Missing if something could not be read. */
  readonly kinds?: readonly KindListing[];
  readonly findings: readonly Finding[];
}

async function readListings(fleet: Fleet, lock: Lock, request: ImportRequest): Promise<Listings> {
  const { settings } = fleet;
  const { deployment } = settings;
  const kinds = kindsToWriteTo(fleet, request);
  const { wanted } = request;
  const unlisted = wanted
    ? kinds.filter(({ name }) => !deployment[name]?.list && !deployment[name]?.read)
    : kindNames.map((name) => kindIn(deployment, name)).filter((kind) => !kinds.includes(kind));
  const missing = unlisted.map((kind) => explainMissing(settings, kind, "list", "`agentform import`"));
  if (wanted ? missing.length > 0 : kinds.length === 0) return { findings: missing };
  const service = await connectToAsk(fleet, lock, kinds, request);
  if (Array.isArray(service)) return { findings: service };
  try {
    const listed: KindListing[] = [];
    for (const kind of kinds) {
      const ids = wanted?.filter((each) => each.kind === kind.name).map(({ id }) => id);
      const listing = await readKind(service, kind, ids, settings);
      if ("code" in listing) return { findings: [listing] };
      listed.push(listing);
    }
    const warnings = missing.map((finding) => ({ ...finding, severity: "note" as const }));
    return { kinds: listed, findings: warnings };
  } finally {
    await service.close();
  }
}

async function readKind(
  service: Service,
  kind: Kind,
  ids: readonly string[] | undefined,
  settings: Fleet["settings"],
): Promise<KindListing | Finding> {
  const { list, read } = settings.deployment[kind.name] ?? {};
  // The tools of a set are found in the list alone.
  if (list && (ids === undefined || kind.gather || !read)) {
    const listing = await listObjects(service, kind, list);
    if (!listing.objects) return explainUnread(settings, kind, "list", listing);
    const { objects, isWithheld } = listing;
    const gone = ids?.find((id) => !objects.some((object) => object.id === id));
    return gone === undefined ? { kind, objects, isWithheld } : notThere(kind, gone);
  }
  const objects: Listed[] = [];
  let isWithheld = false;
  for (const id of read ? (ids ?? []) : []) {
    const seen = read && (await readObject(service, kind, read, id));
    if (seen?.state === "gone") return notThere(kind, id);
    if (seen?.state !== "found") {
      const why = seen?.why ?? "it cannot be read";
      return explainUnread(settings, kind, "read", { message: `${kind.noun[0]} ${quote(id)}: ${why}` });
    }
    isWithheld ||= seen.isWithheld === true;
    objects.push({ id, body: seen.body });
  }
  return { kind, objects, isWithheld };
}

function notThere({ noun }: Kind, id: string): Finding {
  const message = `the service has no ${noun[0]} with the ID ${quote(id)}`;
  return error("import-left-out", undefined, message, "check the ID, and that it is of this environment");
}
