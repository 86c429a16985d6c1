import { hasErrors, note, warning, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import { applicationIds, type WorkspaceIds } from "../core/resources/application-ids.js";
import { checkSelector, labelsAt, matcherOf, selectable, type Selector } from "../core/resources/selector.js";
import type { Fleet } from "../core/resources/fleet.js";
import { mergeDiagnostics } from "../core/position/position.js";
import { readLock, type ReadLock } from "./lock/edits.js";
import type { PlanRequest } from "./request.js";
import type { LoadedWorkspace } from "../workspace/load-workspace.js";

/** Selects the IDs to read. */
export interface IdsRequest extends PlanRequest {
  readonly selector: Selector;
}

/** Reads the IDs that applications use from lock and journal; documents say which are chosen, and which are missing. */
export async function readIds(
  request: IdsRequest,
): Promise<{ readonly found?: WorkspaceIds; readonly diagnostics: readonly Diagnostic[] }> {
  const { state, loaded, diagnostics } = await readLock(request);
  if (!state) return { diagnostics };
  const { ids, diagnostics: own } = idsOf(state, loaded, request);
  const all = mergeDiagnostics([...diagnostics, ...own]);
  if (hasErrors(all)) return { diagnostics: all };
  const { workspace, environment } = state.lock;
  return { found: { workspace, environment, ids }, diagnostics: all };
}

function idsOf(
  { lock }: ReadLock,
  { fleet, diagnostics, locate }: LoadedWorkspace,
  { selector, options: asked }: IdsRequest,
) {
  const resources: Fleet["resources"] = fleet?.resources ?? new Map();
  const isBroken = hasErrors(diagnostics);
  // Without its labels, a resource could be missing from what is selected.
  if (selector.size > 0 && isBroken) return { ids: new Map<string, string>(), diagnostics };
  const isSelected = matcherOf(selector);
  const isChosen = (address: string) => selector.size === 0 || isSelected(labelsAt(address, resources, lock));
  const options = [
    ...(lock.environment === null ? [] : ["-e", lock.environment]),
    ...(asked?.emulator ? ["--emulator"] : []),
  ];
  const { ids, findings } = applicationIds(
    lock,
    resources,
    isChosen,
    options,
    fleet?.settings.service.tool_ids !== undefined,
  );
  const broken = "the workspace has errors, so resources may be missing of which nothing was applied";
  const isBlank = ids.size === 0 && findings.length === 0 && selector.size === 0;
  const all: readonly Finding[] = [
    ...findings,
    ...(isBlank ? [note("output-incomplete", undefined, "there are no IDs: nothing was applied")] : []),
    ...(isBroken ? [warning("output-incomplete", undefined, broken, "run `agentform validate`")] : []),
  ];
  return { ids, diagnostics: locate([...all, ...checkSelector(selector, selectable(resources, lock))]) };
}
