import { hash } from "../../digest.js";
import { canonical, equal, filterMembers, isObject, type Json, type JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { compareText } from "../../json/compare-text.js";
import { addTo } from "../../json/groups.js";
import type { Includes } from "../expression/included-data.js";
import type { Diagnostic, Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { secretNamer } from "../import/secret-namer.js";
import type { FoundSecret } from "../import/symbolic-body.js";
import { lasting } from "../kind/body.js";
import { idsOf } from "../kind/identity.js";
import { findResources, type FoundResource } from "../observation/found-objects.js";
import type { Observation } from "../observation/observation.js";
import { ownChanges } from "../observation/own-changes.js";
import { changesOf } from "../plan/undoing.js";
import type { Fleet } from "../resources/fleet.js";
import { namedVariables } from "../resources/named-variables.js";
import type { Resource } from "../resources/resource.js";
import type { Lock, LockEntry } from "../state/lock.js";
import { keptEntry } from "./kept-entry.js";
import { keptResource, type KeptResource } from "./kept-resource.js";
import { unwritten } from "./unwritten.js";
import { EditableDocuments } from "./editable-documents.js";
import type { RenderValue } from "./yaml-edit.js";

/** A file with edits. */
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

/** A workspace with some of its files edited. */
export interface ReloadedWorkspace {
  readonly resources: ReadonlyMap<string, Resource>;
  /** Its errors. */
  readonly problems: readonly Diagnostic[];
}

/** What is kept, and what with. */
export interface KeepingDrift {
  readonly fleet: Fleet;
  readonly lock: Lock;
  readonly observation: Observation;
  readonly isChosen: (address: string) => boolean;
  readonly includes: Includes;
  /** Reads a file of the workspace. */
  readonly read: (file: string) => string | undefined;
  readonly render: RenderValue;
  /** Loads the workspace with other texts for some files. */
  readonly reload: (texts: ReadonlyMap<string, string>) => ReloadedWorkspace;
}

/**
 * Finds the edits of documents, patches and prompt files that make them say what was found in the service. Nothing is
 * taken for granted: the workspace is loaded with the edits, and what does not come to exactly what was found, or makes
 * other resources something else, is left out.
 */
export function keepDrift(keeping: KeepingDrift): KeptDrift {
  const refused = new Map<string, Finding>();
  for (;;) {
    const draft = new KeepingDraft(keeping, refused);
    const problems = draft.problems();
    if (problems.size === 0) return draft.result();
    for (const [address, finding] of problems) refused.set(address, finding);
  }
}

class KeepingDraft {
  readonly #keeping: KeepingDrift;
  readonly #documents: EditableDocuments;
  readonly #kept: KeptResource[] = [];
  readonly #left: Finding[] = [];
  readonly #texts = new Map<string, string>();
  /** The addresses that edit a file. */
  readonly #editors = new Map<string, string[]>();
  /** Those whose edits could not be made. */
  readonly #failed = new Map<string, Finding>();

  constructor(keeping: KeepingDrift, refused: ReadonlyMap<string, Finding>) {
    const { fleet, lock, observation, includes, isChosen, read, render } = keeping;
    this.#keeping = keeping;
    this.#documents = new EditableDocuments(read, render);
    const namer = secretNamer(namedVariables(fleet, lock));
    const reading = { documents: this.#documents, includes, nameSecret: namer };
    for (const found of findResources(lock, observation).byAddress.values()) {
      const { address } = found;
      if (!isChosen(address) || !isDrifted(found)) continue;
      const resource = fleet.resources.get(address);
      const why = refused.get(address) ?? cannotKeep(found, resource);
      if (why) this.#left.push(why);
      if (why || !resource) continue;
      const kept = keptResource(found, resource, reading);
      this.#left.push(...partlyGone(found), ...kept.left);
      if (kept.paths.length > 0) this.#take(kept);
    }
  }

  #take(kept: KeptResource): void {
    const { address, documents, texts } = kept;
    this.#kept.push(kept);
    const byDocument = new Map<string, (typeof documents)[number][]>();
    for (const each of documents) addTo(byDocument, `${each.document} ${each.file}`, each);
    for (const edits of byDocument.values()) {
      const [{ file, document } = { file: "", document: 0 }] = edits;
      addTo(this.#editors, file, address);
      const isMade = this.#documents.edit(
        file,
        document,
        edits.map(({ edit }) => edit),
      );
      if (isMade) this.#texts.set(file, this.#documents.textOf(file));
      else this.#failed.set(address, unwritten(address, undefined, "inexact", { place: { file, document } }));
    }
    for (const [file, text] of texts) {
      addTo(this.#editors, file, address);
      const other = this.#texts.get(file);
      if (other !== undefined && other !== text) {
        this.#failed.set(address, unwritten(address, undefined, "shared", { place: { file } }));
      }
      this.#texts.set(file, other ?? text);
    }
  }

  /** Gives the addresses that cannot be written, with the reasons. */
  problems(): ReadonlyMap<string, Finding> {
    if (this.#failed.size > 0 || this.#texts.size === 0) return this.#failed;
    const { fleet, reload } = this.#keeping;
    const { resources, problems } = reload(this.#texts);
    const found = new Map<string, Finding>();
    const refuse = (file: string, reason: (address: string) => Finding): void => {
      for (const address of this.#editors.get(file) ?? []) found.set(address, reason(address));
    };
    for (const { file, message } of problems) {
      const detail = bare({ found: message });
      if (file !== undefined)
        refuse(file, (address) => unwritten(address, undefined, "invalid", { place: { file }, detail }));
    }
    if (problems.length > 0 && found.size === 0) {
      const detail = bare({ found: problems[0]?.message ?? "" });
      for (const file of this.#editors.keys())
        refuse(file, (address) => unwritten(address, undefined, "invalid", { detail }));
    }
    if (found.size > 0) return found;
    const own = new Map(this.#kept.map((kept) => [kept.address, kept]));
    for (const [address, before] of fleet.resources) {
      const after = resources.get(address);
      const wanted = own.get(address);
      if (wanted ? isWanted(after, before, wanted) : after?.digest === before.digest) continue;
      const { file } = before;
      if (wanted) found.set(address, unwritten(address, undefined, "inexact", { place: { file } }));
      else {
        const detail = say`${{ address }} would change`;
        for (const each of before.files)
          refuse(each, (editor) => unwritten(editor, undefined, "shared", { place: { file: each }, detail }));
      }
    }
    return found;
  }

  result(): KeptDrift {
    const { lock, observation, read } = this.#keeping;
    const bodies = new Map(
      Object.values(observation.objects)
        .flat()
        .map((object) => [object.id, object.body]),
    );
    const kept = this.#kept.map(({ address, found, paths, sent, secrets, open }): KeptAddress => {
      const { entry } = found;
      const body = withUncompared(entry.body, lasting(entry.body, found.kind), sent, found);
      const observed = idsOf(entry).flatMap((id) => {
        const seen = bodies.get(id);
        return isObject(seen) ? [seen as JsonObject] : [];
      });
      return { address, paths, entry: keptEntry(found, body, observed, open), secrets };
    });
    const files = [...this.#texts].map(([file, after]) => ({ file, before: read(file) ?? "", after }));
    const changed = files
      .filter(({ before, after }) => before !== after)
      .toSorted((one, other) => compareText(one.file, other.file));
    return { digest: digestOf(changed, kept, lock), files: changed, kept, left: this.#left };
  }
}

function isDrifted(found: FoundResource): boolean {
  return found.gone.length > 0 || changesOf(found).length > 0 || ownChanges(found).length > 0;
}

function cannotKeep(found: FoundResource, resource: Resource | undefined): Finding | undefined {
  const { address, entry, gone } = found;
  if (!resource) return unwritten(address, undefined, "no-document");
  const place = resource.place(["metadata", "name"]);
  if (gone.length === idsOf(entry).length) return unwritten(address, undefined, "gone", { place });
  if (found.unread.length > 0) return undefined;
  return entry.uncertain === true ? unwritten(address, undefined, "uncertain", { place }) : undefined;
}

function partlyGone({ address, gone }: FoundResource): Finding[] {
  return gone.length > 0 ? [unwritten(address, undefined, "tools-gone")] : [];
}

function isWanted(after: Resource | undefined, before: Resource, { desired, found }: KeptResource): boolean {
  if (!after) return false;
  const isUncompared = (field: string) => before.kind.outlined.includes(field) || found.partly.has(field);
  const wanted = { ...filterMembers(lasting(before.body, before.kind), isUncompared), ...desired };
  return equal(lasting(after.body, after.kind), wanted);
}

// What is not compared stays as it was sent.
function withUncompared(
  body: JsonObject,
  compared: JsonObject,
  kept: JsonObject,
  found: FoundResource,
): JsonObject {
  const { kind, partly } = found;
  const rest = Object.entries(body).filter(
    ([field]) => kind.outlined.includes(field) || partly.has(field) || !Object.hasOwn(compared, field),
  );
  return { ...kept, ...Object.fromEntries(rest) };
}

function digestOf(files: readonly EditedFile[], kept: readonly KeptAddress[], { resources }: Lock): string {
  const edited = files.map(({ file, before, after }): Json => [file, hash(before), hash(after)]);
  const entries = kept.map(({ address, entry }): Json => {
    const before = resources[address];
    return [address, ...[before, entry].map((each) => hash(canonical((each ?? null) as unknown as Json)))];
  });
  return hash(canonical({ files: edited, entries }));
}
