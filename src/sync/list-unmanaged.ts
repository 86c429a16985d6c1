import type { Diagnostic } from "../core/finding/diagnostic.js";
import { unmanagedObjects, type UnmanagedObjects } from "../core/import/unmanaged-objects.js";
import { type LockOwner, ownerOf } from "../core/state/lock.js";
import { isSound, loadWorkspace } from "../workspace/load-workspace.js";
import { openFolder } from "../workspace/open-workspace.js";
import { importingOf, readForImport, type ListingRequest } from "./import-reading.js";
import type { PlanRequest } from "./request.js";

/** What the service has that nobody manages, or why that is not known. */
export interface UnmanagedResult {
  readonly found?: UnmanagedObjects;
  /** What it is listed for. */
  readonly owner?: LockOwner;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the objects of the service that nobody manages; writes nothing. */
export async function listUnmanaged(
  request: PlanRequest & Omit<ListingRequest, "wanted">,
): Promise<UnmanagedResult> {
  const loaded = loadWorkspace(request);
  if (!isSound(loaded)) return { diagnostics: loaded.diagnostics };
  const { fleet } = loaded;
  const opened = openFolder(request.directory);
  const seen = opened.ok ? await readForImport(fleet, request) : opened;
  if (!opened.ok || !seen.ok) return { diagnostics: loaded.locate(seen.ok ? [] : seen.problems) };
  const { folder } = opened;
  const { state, read, notes } = seen;
  const nowhere = { ...request, into: "", render: () => "" };
  const found = unmanagedObjects(importingOf({ fleet, folder }, state.lock, read, nowhere));
  const diagnostics = loaded.locate([...notes, ...found.findings]);
  return { found, owner: ownerOf(fleet.settings), diagnostics };
}
