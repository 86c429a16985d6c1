import type { Action } from "../../generated/plan.js";
import { isUntold } from "../state/attempts.js";
import { cause, type Cause, because } from "./cause.js";
import { editedFields, reasonsOf } from "./change-reasons.js";
import { askedOf, compare, everythingSent, type Asked, type ComparedResource } from "./compared-resource.js";
import { difference, topField, hasMoved, isConsequence } from "./difference.js";
import { warning, type Finding } from "../finding/diagnostic.js";
import { lasting } from "../kind/body.js";
import { idsOf } from "../kind/identity.js";
import { equal, filterMembers } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { kinds } from "../kind/kinds.js";
import { canTellApart } from "../observation/left-object.js";
import type { LockEntry } from "../state/lock.js";
import { act, requestText } from "./action.js";
import { lookups, type Planning } from "./planning.js";
import { recordedChanges, recordedMarks } from "./recorded-marks.js";
import { goneCause } from "./gone-objects.js";
import { withPresentNames } from "../guardrails/mention.js";
import { memberPointers } from "../kind/openapi-tools.js";
import type { Resource } from "../resources/resource.js";
import { pointersText } from "./tool-ids.js";

/** Decides what is done to a managed resource: an update, a replacement, a record, or nothing. */
export function changeOf(resource: Resource, stored: LockEntry, planning: Planning): Action | undefined {
  const { address } = resource;
  const entry = withPresentNames(stored, planning);
  const kind = kindFor(resource, entry);
  if (entry.candidates) {
    const isWaiting = planning.options.replace.has(address) || !isSettled(resource, entry, planning);
    const pointers = memberPointers(entry.candidates);
    if (isWaiting)
      return act("blocked", resource, planning, because([cause("tool-ids-unsettled", { pointers })]));
    planning.findings.push(unsettled(resource, pointers));
    return recordOf(resource, entry, planning);
  }
  if (planning.settled.has(address)) return recordOf(resource, entry, planning);
  const asked = askedOf(resource, entry, kind, planning);
  const isAsked = asked.isReplace || asked.forced.length > 0 || asked.gone.length > 0;
  const found = planning.found.get(address);
  if (!isAsked && !found && isSettled(resource, entry, planning)) return recordOf(resource, entry, planning);
  const compared = compare(resource, entry, kind, asked, planning);
  if (!isAsked && compared.changes.length === 0)
    return recordOf(resource, entry, planning, compared.isRebound ? compared : undefined);
  const fields = [...new Set([...compared.changes.map(topField), ...asked.forced])].filter(
    (field) => !kind.creationOnly.has(field),
  );
  const { why, details } = detailsOf(resource, entry, { asked, ...compared }, planning);
  if (compared.isReplaced)
    return replace(resource, entry, { asked, details, why, kind, ...compared }, planning);
  const { body } = compared;
  Object.assign(details, because(why));
  if (isUntold(entry))
    details.changes = [
      ...everythingSent(entry, lasting(body, resource.kind), resource.kind, lookups(entry, planning)),
      ...recordedChanges(entry, recordedMarks(resource)),
    ];
  details.body = body;
  details.fields = fields;
  details.ids = [...idsOf(entry)];
  if (entry.tools) details.tools = entry.tools;
  details.requests = kind.update(entry, fields, body).map(requestText);
  return act("update", resource, planning, details);
}

// An object that is not deleted is left behind, and so is one whose ID is not known.
function oldObjects(
  { address, lifecycle, kind }: Resource,
  entry: LockEntry,
  { fleet }: Planning,
  gone: number,
): Pick<Action, "leaves" | "deletes"> {
  const count = (entry.ids ? entry.ids.length : 1) - gone;
  const isDeleted =
    lifecycle.on_replaced === "delete" &&
    canTellApart(address, entry, fleet.settings.deployment) &&
    fleet.settings.deployment[kind.name]?.delete !== undefined &&
    idsOf(entry).length > gone;
  return isDeleted ? { deletes: count } : { leaves: count };
}

/** What an action has beside what all have, in the making. A spread of each takes longer. */
type Details = { -readonly [Key in keyof Action]?: Action[Key] };

type Detailed = ComparedResource & { readonly asked: Asked };

function detailsOf(
  resource: Resource,
  entry: LockEntry,
  { changes, edits, isUndoing, rewritten, asked }: Detailed,
  planning: Planning,
): { readonly details: Details; readonly why: readonly Cause[] } {
  const { address } = resource;
  const recorded = recordedChanges(entry, recordedMarks(resource));
  const follows = [
    ...reasonsOf(edits, entry, asked.resent, planning),
    ...(isUndoing ? [cause("changed-in-service", {})] : []),
  ];
  const isForced = asked.isReplace || asked.gone.length > 0;
  const edited = editedFields([...edits, ...rewritten, ...recorded]);
  // Where there is no other reason, the changes alone say what was edited.
  const hasOther = isForced || follows.length > 0 || planning.moves.has(address);
  const details: Details = {};
  if (![...edits, ...rewritten].every(isConsequence)) Object.assign(details, partsOf(resource));
  details.changes = [...changes, ...rewritten, ...recorded];
  return {
    details,
    why: [...(hasOther && edited.length > 0 ? [cause("edited", { fields: edited })] : []), ...follows],
  };
}

function replace(
  resource: Resource,
  entry: LockEntry,
  {
    asked: { isReplace, gone },
    replacing,
    details,
    why,
    kind,
  }: Detailed & {
    readonly details: Details;
    readonly why: readonly Cause[];
    readonly kind: Kind;
  },
  planning: Planning,
): Action {
  const found = planning.found.get(resource.address);
  const isForced = isReplace || gone.length > 0;
  const any = kind.replacedBy === "any";
  const causes = [
    ...(isReplace ? [cause("replace-asked", {})] : []),
    ...(found && gone.length > 0 ? [goneCause(found)] : []),
    ...(isForced ? [] : [cause("cannot-update", { kind: kind.name, fields: [...replacing], any })]),
    ...why,
  ];
  // Nobody knows what the old object was sent at its creation alone, and the new one is sent it again.
  const sentAnew = filterMembers(resource.body, (field) => kind.creationOnly.has(field));
  details.changes?.push(...difference({}, sentAnew));
  details.body = resource.body;
  Object.assign(details, because(causes), oldObjects(resource, entry, planning, gone.length));
  if (gone.length > 0) details.gone = [...gone];
  details.ids = [...idsOf(entry)];
  details.requests = [requestText(kind.create)];
  return act("replace", resource, planning, details);
}

// An object whose ID is not known cannot be updated, whatever the deployment can do.
function kindFor({ kind }: Resource, { id, ids }: LockEntry): Kind {
  return id === undefined && ids === undefined ? kinds[kind.name] : kind;
}

// An edit may be in a patch or an included file, and the document the same.
function partsOf({ files }: Resource): Pick<Action, "files"> {
  return files.length > 1 ? { files: files.slice(1) } : {};
}

// What the lock alone is told of a resource that is as it should be.
function recordOf(
  resource: Resource,
  entry: LockEntry,
  planning: Planning,
  rebound?: ComparedResource,
): Action | undefined {
  const changes = [...(rebound?.rewritten ?? []), ...recordedChanges(entry, recordedMarks(resource))];
  const from = planning.moves.get(resource.address);
  const isAdopted = !equal(entry.adopted, planning.adoptedOf(resource));
  const isSettledNow = planning.settled.has(resource.address);
  if (changes.length === 0 && from === undefined && !isAdopted && !isSettledNow) return undefined;
  return act("record", resource, planning, {
    ...because([
      ...(isAdopted ? [cause("adopted-already", {})] : []),
      ...(isSettledNow ? [cause("tool-ids-told", {})] : []),
    ]),
    ...(isSettledNow && { ids: [...idsOf(entry)], ...(entry.tools && { tools: entry.tools }) }),
    ...(rebound && { ...partsOf(resource), body: rebound.body }),
    changes,
  });
}

// Equal digests and unmoved references settle most resources without a comparison.
function isSettled({ digest, references }: Resource, entry: LockEntry, planning: Planning): boolean {
  if (entry.digest !== digest) return false;
  if (references.length === 0) return true;
  const meanings = lookups(entry, planning);
  return !references.some((reference) => hasMoved(reference, meanings));
}

function unsettled(resource: Resource, pointers: readonly string[]): Finding {
  const message = `which IDs its tools have is not known: ${pointersText(pointers)}`;
  return {
    ...warning("tool-ids-unsettled", resource.place(["metadata", "name"]), message),
    address: resource.address,
  };
}
