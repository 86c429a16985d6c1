import { hash } from "../../digest.js";
import { canonical, isObject, type Json, type JsonObject, member, filterMembers } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { compareText } from "../../json/compare-text.js";
import type { Finding } from "../finding/diagnostic.js";
import { secretNamer } from "../import/secret-namer.js";
import type { FoundSecret } from "../import/symbolic-body.js";
import { lasting } from "../kind/body.js";
import { idsOf } from "../kind/identity.js";
import { findResources, type FoundResource } from "../observation/found-objects.js";
import { changesOf } from "../plan/undoing.js";
import { namedVariables } from "../resources/named-variables.js";
import type { Resource } from "../resources/resource.js";
import { sentContent } from "../state/entry-ids.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { chooseEdits } from "./chosen-edits.js";
import { EditableDocuments } from "./editable-documents.js";
import { EditTrial, type KeepingDrift } from "./edit-trial.js";
import { driftedResource, keptResource, type DriftedResource, type KeptResource } from "./kept-resource.js";
import { unwritten } from "./unwritten.js";
import { baselineOf, ownChanges } from "../observation/baseline.js";
import { sightingsOf } from "../observation/entry-sighting.js";

/** A file with its text before and after its edits, without a mark of the byte order. */
export interface EditedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A resource that documents and lock say as it was found. */
export interface KeptAddress {
  readonly address: string;
  /** The paths in its body. */
  readonly paths: readonly Path[];
  readonly entry: LockEntry;
  readonly secrets: readonly FoundSecret[];
}

/** What would be written so that documents say what was found. */
export interface KeptDrift {
  /** Of the files and of the lock entries, before and after. */
  readonly digest: string;
  readonly files: readonly EditedFile[];
  readonly kept: readonly KeptAddress[];
  /** What is not written, with where it comes from. */
  readonly left: readonly Finding[];
}

/** Finds the edits that make documents say what was found; an edit stays only if the loaded workspace then does. */
export function keepDrift(keeping: KeepingDrift): KeptDrift {
  const { resources, left, documents } = driftedIn(keeping);
  const all = resources.flatMap(({ edits }) => edits);
  const trial = new EditTrial(keeping, documents, resources);
  const { made, refused } = chooseEdits(
    all,
    (edits) => trial.attempt(edits),
    (one, other) => one.address === other.address || one.written.file === other.written.file,
  );
  const isMade = new Set(made);
  const objects = Object.values(keeping.observation.objects).flat();
  const bodies = new Map(objects.map(({ id, body }) => [id, body]));
  const kept = resources
    .map((each) =>
      keptResource(
        each,
        each.edits.filter((edit) => isMade.has(edit)),
      ),
    )
    .filter(({ paths }) => paths.length > 0)
    .map((each) => keptAddress(each, bodies));
  const files = [...trial.textsOf(made)]
    .map(([file, after]) => ({ file, before: keeping.read(file) ?? "", after }))
    .filter(({ before, after }) => before !== after)
    .toSorted((one, other) => compareText(one.file, other.file));
  return { digest: digestOf(files, kept, keeping.lock), files, kept, left: [...left, ...refused.values()] };
}

function driftedIn(keeping: KeepingDrift): {
  readonly resources: readonly DriftedResource[];
  readonly left: readonly Finding[];
  readonly documents: EditableDocuments;
} {
  const { fleet, lock, observation, isChosen, read, schema } = keeping;
  const documents = new EditableDocuments(read, schema);
  const nameSecret = secretNamer(namedVariables(fleet, lock));
  const resources: DriftedResource[] = [];
  const left: Finding[] = [];
  for (const found of findResources(lock, observation).byAddress.values()) {
    const { address } = found;
    // What could not be read is told already; a tool of a set that was not may differ from the others.
    if (!isChosen(address) || found.unread.length > 0 || !isDrifted(found)) continue;
    const resource = fleet.resources.get(address);
    const why = cannotKeep(found, resource);
    if (why) left.push(why);
    if (why || !resource) continue;
    const drifted = driftedResource(found, resource, { ...keeping, documents, nameSecret });
    left.push(...partlyGone(found), ...drifted.left);
    resources.push(drifted);
  }
  return { resources, left, documents };
}

function keptAddress(
  { found, paths, sent, secrets, open }: KeptResource,
  bodies: ReadonlyMap<string, Json | undefined>,
): KeptAddress {
  const { address, entry, kind } = found;
  const compared = lasting(entry.body, kind);
  // What is not compared stays as it was sent.
  const rest = filterMembers(
    entry.body,
    (field) => kind.outlined.includes(field) || found.partly.has(field) || !Object.hasOwn(compared, field),
  );
  const observed = idsOf(entry).flatMap((id) => {
    const seen = bodies.get(id);
    return isObject(seen) ? [seen] : [];
  });
  return { address, paths, entry: keptEntry(found, { ...sent, ...rest }, observed, open), secrets };
}

function isDrifted(found: FoundResource): boolean {
  return found.gone.length > 0 || changesOf(found).length > 0 || ownChanges(found).length > 0;
}

function cannotKeep(found: FoundResource, resource: Resource | undefined): Finding | undefined {
  const { address, entry, gone } = found;
  if (!resource) return unwritten(address, undefined, "no-document");
  const place = resource.place(["metadata", "name"]);
  if (gone.length === idsOf(entry).length) return unwritten(address, undefined, "gone", { place });
  return entry.uncertain === true ? unwritten(address, undefined, "uncertain", { place }) : undefined;
}

function partlyGone({ address, gone }: FoundResource): Finding[] {
  return gone.length > 0 ? [unwritten(address, undefined, "tools-gone")] : [];
}

function digestOf(files: readonly EditedFile[], kept: readonly KeptAddress[], { resources }: Lock): string {
  const edited = files.map(({ file, before, after }): Json => [file, hash(before), hash(after)]);
  const entries = kept.map(({ address, entry }): Json => {
    const before = resources[address];
    return [address, ...[before, entry].map((each) => hash(canonical((each ?? null) as unknown as Json)))];
  });
  return hash(canonical({ files: edited, entries }));
}

/** Gives the lock entry of a resource that was found with another body, which its document now says. */
function keptEntry(
  found: FoundResource,
  body: JsonObject,
  observed: readonly JsonObject[],
  left: readonly string[],
): LockEntry {
  const { entry, kind, lookup } = found;
  const { references: _references, baseline, ...rest } = entry;
  const kept = { ...rest, ...sentContent(body, kind, lookup) };
  if (!baseline) return kept;
  const hidden = new Set(baseline.hidden);
  const { own } = baselineOf(sightingsOf({ ...kept, baseline }, kind, observed, { hidden }));
  // What is not in a document is still to be seen as somebody's change.
  for (const pointer of left) {
    const was = member(baseline.own, pointer);
    if (was === undefined) delete own[pointer];
    else own[pointer] = was;
  }
  return { ...kept, baseline: { ...baseline, own } };
}
