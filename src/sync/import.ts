import { forgetBegun, noteBegun, readBegun } from "./begun-import.js";
import { error, hasErrors, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import { buildImport, type Import } from "../core/import/build-import.js";
import type { Importing } from "../core/import/importing.js";
import { idsOf } from "../core/kind/identity.js";
import { editLock } from "../core/lock-edit/lock-edit.js";
import { checkImportSize } from "../core/plan/plan-size.js";
import { appliedSettings } from "../core/plan/applied-settings.js";
import type { Fleet } from "../core/resources/fleet.js";
import { renderLock, type Lock } from "../core/state/lock.js";
import type { WritableState } from "../core/state/lock-store.js";
import { nextWrite } from "../core/state/lock-writes.js";
import { kindsToImport, readListings, type ListingRequest } from "./import-listings.js";
import { newName } from "./new-name.js";
import type { JsonObject } from "../json/json.js";
import { managedElsewhere } from "./other-environments.js";
import { readState } from "./read-state.js";
import type { PlanRequest } from "./request.js";
import { recoverState, transact, type Agreement } from "./transact.js";
import type { KnownState } from "../core/state/stored-state.js";
import { isSound, loadWorkspace, type SoundWorkspace } from "../workspace/load-workspace.js";
import { checkDocumentFolder, isThere, writeNewFiles } from "../workspace/new-files.js";
import { IncludedFiles } from "../workspace/included-files.js";
import { openFolder } from "../workspace/open-workspace.js";
import type { WorkspaceFolder } from "../workspace/workspace-folder.js";

/** What to import, and how. */
export interface ImportRequest extends PlanRequest, ListingRequest {
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
interface OpenWorkspaceFolder {
  readonly fleet: Fleet;
  readonly folder: WorkspaceFolder;
}

/** What was found in the service and elsewhere, and is not asked again. */
type Read = Pick<Importing, "listings" | "elsewhere" | "begun">;

/** What a person was shown, and what it was made from. */
interface Shown {
  readonly found: Import;
  readonly read: Read;
}

/** Asks the service for its objects, and writes documents and lock entries for those that no address has. */
export async function importObjects(request: ImportRequest): Promise<ImportResult> {
  let found: Import | undefined;
  const ended = await transact<Shown, KnownState, ImportResult>(request, {
    // Documents that cannot be read may describe the objects, or have the keys.
    needsManifestAlone: false,
    async agree({ loaded }) {
      const agreement = await agree(loaded, request);
      if (agreement.ok) ({ found } = agreement.agreed);
      return agreement;
    },
    recover: recoverState,
    run: async (shown, held, { store }) => await write(store, shown, held, request),
  });
  return { ...(found && { found }), ...ended };
}

// Reads the service, shows what it has, and asks.
async function agree(
  loaded: SoundWorkspace,
  request: ImportRequest,
): Promise<Agreement<Shown, ImportResult>> {
  const { fleet } = loaded;
  const { settings } = fleet;
  const end = (ended: ImportResult): Agreement<Shown, ImportResult> => ({ ok: false, ended });
  const refuse = (problems: readonly Finding[]) =>
    end({ status: "refused", diagnostics: loaded.locate(problems) });
  const opened = openFolder(request.directory);
  if (!opened.ok) return refuse(opened.problems);
  const { folder } = opened;
  const state = await readState(fleet, request);
  if (!state.ok) return refuse(state.problems);
  const { lock } = state.state;
  const unread = kindsToImport(fleet, request)
    .map(({ folder: of }) => checkDocumentFolder(folder, settings, `${prefixOf(request)}${of}`))
    .filter((finding) => finding !== undefined);
  if (unread.length > 0) return refuse(unread.slice(0, 1));
  const listed = await readListings(fleet, lock, request);
  if (!listed.ok) return refuse(listed.problems);
  const elsewhere = await managedElsewhere(settings, request);
  if (!elsewhere.ok) return refuse(elsewhere.problems);
  const read: Read = {
    listings: listed.kinds,
    elsewhere,
    begun: readBegun(request),
  };
  const found = buildImport(importingOf({ fleet, folder }, lock, read, request));
  const findings = [...listed.notes, ...found.findings];
  const diagnostics = loaded.locate(findings);
  const entries = [...found.imported, ...found.adopted].map(({ entry }) => entry);
  const tooLarge = checkImportSize(entries, state.lockLength, request.mostCharacters);
  if (tooLarge.length > 0) return refuse(tooLarge);
  if (entries.length === 0) {
    return end({ status: hasErrors(findings) ? "refused" : "unchanged", found, diagnostics });
  }
  if (!(await request.confirm(found, diagnostics)))
    return end({ status: "declined", found, diagnostics: [] });
  return { ok: true, agreed: { found, read } };
}

// Documents first: an entry without one is a resource that was removed. What dies between the two is taken over by
// the next import, because these documents say exactly what the objects have.
async function write(
  store: WritableState,
  { found: shown, read }: Shown,
  held: KnownState,
  request: ImportRequest,
): Promise<ImportResult> {
  // Somebody may have edited documents while the question was open.
  const loaded = loadWorkspace(request);
  if (!isSound(loaded)) return { status: "refused", diagnostics: loaded.diagnostics };
  const { fleet } = loaded;
  const { settings } = fleet;
  const refuse = (status: "refused" | "moved", findings: readonly Finding[]) => {
    return { status, diagnostics: loaded.locate(findings) };
  };
  const opened = openFolder(request.directory);
  if (!opened.ok) return refuse("refused", opened.problems);
  const { folder } = opened;
  const found = buildImport(importingOf({ fleet, folder }, held.lock, read, request));
  if (JSON.stringify(found) !== JSON.stringify(shown)) {
    const message = "the lock or the workspace has changed since the objects were shown";
    return refuse("moved", [error("lock-changed", undefined, message, "run the import again")]);
  }
  const entries = [...found.imported, ...found.adopted];
  const edits = entries.map(({ address, entry }) => ({ type: "import" as const, address, entry }));
  const edited = editLock(held.lock, fleet.resources, edits);
  if (!edited.ok) return refuse("refused", edited.problems);
  const ids = found.imported.map(({ address, entry }) => [address, idsOf(entry)[0] ?? ""] as const);
  noteBegun(request, new Map([...read.begun, ...ids]));
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
  { fleet, folder }: OpenWorkspaceFolder,
  lock: Lock,
  read: Read,
  request: ImportRequest,
): Importing {
  const { settings } = fleet;
  const isFile = (file: string) => isThere(folder, file);
  const planned = new Map<string, string>();
  return {
    ...read,
    fleet,
    lock,
    settings,
    kindFields: settings.kindFields,
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
