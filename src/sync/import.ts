import { forgetUnfinished, noteUnfinished } from "./unfinished-import.js";
import { refused, type Refusal } from "../core/finding/checked.js";
import { error, hasErrors, type Diagnostic } from "../core/finding/diagnostic.js";
import { buildImport, filesOf, type Import } from "../core/import/build-import.js";
import { idsOf } from "../core/kind/identity.js";
import type { Kind } from "../core/kind/kind.js";
import { kinds } from "../core/kind/kinds.js";
import { checkLockSize } from "../core/plan/plan-size.js";
import { appliedSettings } from "../core/plan/applied-settings.js";
import { isBlank, ownerOf } from "../core/state/lock.js";
import { State } from "../core/state/state.js";
import type { WritableState } from "../core/state/lock-store.js";
import { agreeTo, type Agreeing } from "./agreement.js";
import { hash } from "../digest.js";
import type { Settings } from "../core/resources/manifest.js";
import {
  importingOf,
  kindsToImport,
  readForImport,
  prefixOf,
  type ImportReading,
  type ImportTarget,
  type ListingRequest,
} from "./import-reading.js";
import type { PlanRequest } from "./request.js";
import { recoverState, transact, writeNext, type Agreement } from "./transact.js";
import type { KnownState } from "../core/state/stored-state.js";
import { isSound, loadWorkspace, type SoundWorkspace } from "../workspace/load-workspace.js";
import {
  checkDocumentFile,
  checkDocumentPlace,
  checkNewFile,
  writeNewFiles,
  type NewDocuments,
} from "../workspace/new-files.js";
import { openFolder } from "../workspace/open-workspace.js";

/** What to import, and how. */
export type ImportRequest = PlanRequest & ListingRequest & ImportTarget & Agreeing<Import>;

/** How an import ended. */
export interface ImportResult {
  /** `refused`: nothing was imported; `moved`: the lock is held or has changed, or so has the workspace. */
  readonly status: "done" | "unchanged" | "refused" | "moved" | "declined" | "pending";
  readonly found?: Import;
  /** Those that were not shown before the question. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a person was shown, and what it was made from. */
interface Shown {
  readonly found: Import;
  readonly read: ImportReading;
}

/** Asks the service for its objects, and writes documents and lock entries for those that no address has. */
export async function importObjects(asked: ImportRequest): Promise<ImportResult> {
  const makes = Object.values(kinds).map((kind) => placeFor(kind, asked).name);
  const request = { ...asked, makes };
  return await transact<Shown, KnownState, ImportResult>(request, {
    // Documents that cannot be read may describe the objects, or have the keys.
    needsManifestAlone: false,
    agree: async ({ loaded }) => await agree(loaded, request),
    recover: recoverState,
    run: async (shown, held, { store }) => await write(store, shown, held, request),
  });
}

async function agree(
  loaded: SoundWorkspace,
  request: ImportRequest,
): Promise<Agreement<Shown, ImportResult>> {
  const { fleet } = loaded;
  const opened = openFolder(request.directory);
  if (!opened.ok) return opened;
  const { folder } = opened;
  for (const kind of kindsToImport(fleet, request)) {
    const problem = checkDocumentPlace(folder, fleet.settings, placeFor(kind, request));
    if (problem) return refused([problem]);
  }
  const seen = await readForImport(fleet, request);
  if (!seen.ok) return seen;
  const { state, lockLength, read, notes } = seen;
  const found = buildImport(importingOf({ fleet, folder }, state.lock, read, request));
  const findings = [...notes, ...found.findings];
  const diagnostics = loaded.locate(findings);
  const entries = [...found.imported, ...found.adopted].map(({ entry }) => entry);
  const unwritable = [
    ...checkLockSize("import", lockLength, entries, request.mostCharacters),
    ...filesOf(found).flatMap(checkDocumentFile),
    // All that is below one file is one problem.
    ...filesOf(found)
      .flatMap(({ file }) => checkNewFile(folder, file))
      .slice(0, 1),
  ];
  if (unwritable.length > 0) return refused(unwritable);
  if (entries.length === 0) {
    return { status: hasErrors(findings) ? "refused" : "unchanged", found, diagnostics };
  }
  const disagreement = await agreeTo(
    { shown: found, digest: digestOf(found, fleet.settings), diagnostics, lock: state.lock },
    loaded,
    request,
  );
  return disagreement ? { ...disagreement, found } : { ok: true, agreed: { found, read } };
}

function placeFor({ folder }: Pick<Kind, "folder">, { into, file }: ImportTarget): NewDocuments {
  const name = file ?? prefixOf({ into }) + folder;
  return { name, isFile: file !== undefined, toInclude: into === "" ? name : into };
}

// Of all that is written, and where: equal objects of two environments are two imports.
function digestOf(found: Import, settings: Settings): string {
  return hash(JSON.stringify([ownerOf(settings), found]));
}

// Documents first: an entry without one is a removal. If it dies between, the next import takes over what is left.
async function write(
  store: WritableState,
  { found: shown, read }: Shown,
  held: KnownState,
  request: ImportRequest,
): Promise<ImportResult | Refusal> {
  // Somebody may have edited documents while the question was open.
  const loaded = loadWorkspace(request);
  if (!isSound(loaded)) return { status: "refused", diagnostics: loaded.diagnostics };
  const { fleet } = loaded;
  const { settings } = fleet;
  const opened = openFolder(request.directory);
  if (!opened.ok) return opened;
  const { folder } = opened;
  const found = buildImport(importingOf({ fleet, folder }, held.lock, read, request));
  if (JSON.stringify(found) !== JSON.stringify(shown)) {
    const message = "the lock or the workspace has changed since the objects were shown";
    const changed = error("lock-changed", undefined, message, "run the import again");
    return { status: "moved", diagnostics: loaded.locate([changed]) };
  }
  const state = new State(held.lock);
  for (const { address, entry } of [...found.imported, ...found.adopted])
    state.advance({ type: "entry", address, entry });
  const ids = found.imported.map(({ address, entry }) => [address, idsOf(entry)[0] ?? ""] as const);
  noteUnfinished(request, new Map([...read.unfinished, ...ids]));
  const unwritten = writeNewFiles(folder, filesOf(found));
  if (unwritten) return refused([unwritten]);
  const next = {
    ...state.lock,
    service: held.lock.service ?? (await request.target(settings)).identity,
    // Nothing was applied with others, so these are those with which the entries are what they say.
    ...(isBlank(held.lock) && { settings: appliedSettings(settings, request.options?.emulator ?? false) }),
  };
  await writeNext(store, held, next);
  forgetUnfinished(request);
  return { status: "done", found, diagnostics: [] };
}
