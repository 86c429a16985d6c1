import { askService, explainMissing, explainUnread } from "../asking.js";
import { listWhole } from "../../core/observation/list-whole.js";
import { refused, type Checked } from "../../core/finding/checked.js";
import {
  searchUnknown,
  type CandidateSearch,
  type SearchedAddress,
} from "../../core/import/search-unknown.js";
import { kindOfAddressIn } from "../../core/kind/deployment.js";
import { kindOfAddress } from "../../core/kind/kinds.js";
import { idsIn } from "../../core/state/known-ids.js";
import { heldAt } from "../../core/lock-edit/edited.js";
import { withoutCreate } from "../../core/lock-edit/resolve.js";
import { managedElsewhere } from "../around/managed-elsewhere.js";
import type { PlanRequest, ServiceAccess } from "../request.js";
import { readState } from "../read-state.js";
import { hash } from "../../digest.js";
import type { RepairChange } from "../../core/lock-edit/repair-change.js";
import type { LockEdit } from "../../core/lock-edit/lock-edit.js";
import { type Lock, type UnknownCreate, ownerOf } from "../../core/state/lock.js";
import type { KnownState } from "../../core/state/stored-state.js";
import type { SoundWorkspace } from "../../workspace/load-workspace.js";
import { agreeTo, type Agreeing, type Disagreement } from "../agreement.js";
import { recoverState, transact, type Agreement, type Ended } from "../transact.js";
import { repair, type RepairResult } from "./edits.js";

/** Whose outcome to look for, and how. */
export interface SearchRequest extends PlanRequest, ServiceAccess, Agreeing<SearchedAddress> {
  readonly address: string;
}

/** How a search ended: `unsure` if it cannot be told which object it is. */
export interface ResolvedSearch extends Ended<RepairResult["status"] | Disagreement["status"] | "unsure"> {
  readonly changes?: readonly RepairChange[];
  readonly found?: SearchedAddress;
}

/** Looks in the service for the object that a create of unknown outcome made, asks, and adopts it. */
export async function resolveBySearch(request: SearchRequest): Promise<ResolvedSearch> {
  let found: SearchedAddress | undefined;
  const ended = await transact<readonly LockEdit[], KnownState, ResolvedSearch>(request, {
    needsManifestAlone: true,
    async agree({ loaded }): Promise<Agreement<readonly LockEdit[], ResolvedSearch>> {
      const searched = await searchOutcome(loaded, request);
      if (!searched.ok) return searched;
      found = { address: request.address, search: searched.search };
      const { sure } = searched.search;
      if (!sure) return { status: "unsure", diagnostics: [] };
      const edits = [{ type: "resolve" as const, address: request.address, adoption: sure.adoption }];
      const digest = hash(JSON.stringify([ownerOf(loaded.fleet.settings), searched.unknown, edits]));
      const disagreement = await agreeTo(
        { shown: found, digest, diagnostics: [], lock: searched.lock },
        loaded,
        request,
      );
      return disagreement ?? { ok: true, agreed: edits };
    },
    recover: recoverState,
    run: async (edits, held, scene) => await repair(held, scene, request, edits),
  });
  return { ...ended, ...(found && { found }) };
}

type Searched = Checked<{
  readonly search: CandidateSearch;
  readonly unknown: UnknownCreate;
  readonly lock: Lock;
}>;

async function searchOutcome({ fleet }: SoundWorkspace, request: SearchRequest): Promise<Searched> {
  const { settings, resources } = fleet;
  const read = await readState(fleet, request);
  if (!read.ok) return read;
  const { lock } = read.state;
  const address = heldAt(request.address, resources, lock.unknown);
  const unknown = lock.unknown[address];
  if (!unknown) return withoutCreate(address, lock);
  const kind = kindOfAddressIn(settings.deployment, address);
  const { list, read: one } = settings.deployment[kind.name] ?? {};
  if (!list)
    return refused([
      explainMissing(
        settings,
        [kind],
        "`agentform lock resolve --search`",
        "look in the service, and pass `--adopt ID` or `--not-created`",
      ),
    ]);
  return await askService(fleet, lock, [kind], request, async (service): Promise<Searched> => {
    const own = idsIn(lock.resources).filter((each) => kindOfAddress(each.address).name === kind.name);
    const known = own.map(({ id }) => id);
    const listed = await listWhole(service, list, one, known);
    if (!listed.ok) return refused([explainUnread(settings, kind, "list", listed)]);
    const elsewhere = await managedElsewhere(settings, request);
    if (!elsewhere.ok) return elsewhere;
    const search = searchUnknown({
      address,
      unknown,
      lock,
      listing: { kind, objects: listed.objects, isWithheld: listed.isWithheld },
      reading: { kindFields: settings.kindFields, fieldNames: settings.service.field_names ?? {} },
      elsewhere,
    });
    return { ok: true, search, unknown, lock };
  });
}
