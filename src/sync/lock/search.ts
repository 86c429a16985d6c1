import { askService, explainMissing, explainUnread, type AskingOptions } from "../asking.js";
import { listObjects } from "../../core/observation/list-objects.js";
import { refused, type Checked } from "../../core/finding/checked.js";
import { error, type Diagnostic, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { nearAmong } from "../../core/kind/near-address.js";
import { findCandidates, type CandidateSearch } from "../../core/import/find-candidates.js";
import { kindOfAddressIn } from "../../core/kind/deployment.js";
import { heldAt } from "../../core/lock-edit/edited.js";
import { managedElsewhere } from "../other-environments.js";
import type { PlanRequest } from "../request.js";
import { readState } from "../read-state.js";
import { loadWorkspace } from "../../workspace/load-workspace.js";

/** Whose outcome to look for, and how. */
export interface SearchRequest extends PlanRequest, AskingOptions {
  readonly address: string;
}

/** What was found, or why nothing could be looked for. */
export interface SearchResult {
  readonly search?: CandidateSearch;
  readonly diagnostics: readonly Diagnostic[];
}

/** Looks in the service for the object that a create of unknown outcome made; writes nothing. */
export async function searchOutcome(request: SearchRequest): Promise<SearchResult> {
  const loaded = loadWorkspace(request);
  const { fleet } = loaded;
  if (!fleet) return { diagnostics: loaded.diagnostics };
  const { settings, resources } = fleet;
  const refuse = (findings: readonly Finding[]) => ({ diagnostics: loaded.locate(findings) });
  const read = await readState(fleet, request);
  if (!read.ok) return refuse(read.problems);
  const { lock } = read.state;
  const address = heldAt(request.address, resources, lock.unknown);
  const unknown = lock.unknown[address];
  const kind = kindOfAddressIn(settings.deployment, address);
  if (!unknown || !kind) {
    const hint =
      nearAmong(Object.keys(lock.unknown))(address) ?? "`agentform lock list` lists the unknown outcomes";
    const message = say`${bare({ address: request.address })}: has no create with an unknown outcome`;
    return refuse([error("option-unknown-address", undefined, message, hint)]);
  }
  const list = settings.deployment[kind.name]?.list;
  if (!list) return refuse([explainMissing(settings, kind, "list", "`agentform lock resolve --search`")]);
  type Searched = Checked<{ readonly search: CandidateSearch }>;
  const searched = await askService(fleet, lock, [kind], request, async (service): Promise<Searched> => {
    const listed = await listObjects(service, list);
    if (!listed.ok) return refused([explainUnread(settings, kind, "list", listed)]);
    const elsewhere = await managedElsewhere(settings, request);
    if (!elsewhere.ok) return elsewhere;
    const search = findCandidates({
      address,
      unknown,
      lock,
      listing: { kind, objects: listed.objects, isWithheld: listed.isWithheld },
      reading: { kindFields: settings.kindFields, fieldNames: settings.service.field_names ?? {} },
      elsewhere,
    });
    return { ok: true, search };
  });
  return searched.ok ? { search: searched.search, diagnostics: [] } : refuse(searched.problems);
}
