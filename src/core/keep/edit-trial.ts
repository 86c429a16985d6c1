import type { Schema } from "yaml";
import { groupBy } from "../../json/groups.js";
import { equal, filterMembers } from "../../json/json.js";
import type { Finding, Diagnostic } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { lasting } from "../kind/body.js";
import type { Resource } from "../resources/resource.js";
import type { EditProblem } from "./chosen-edits.js";
import type { EditableDocuments, PlannedEdit } from "./editable-documents.js";
import { keptResource, type DriftedResource, type KeptResource } from "./kept-resource.js";
import { unwritten, type Unwritten } from "./unwritten.js";
import type { Observation } from "../observation/observation.js";
import type { Fleet } from "../resources/fleet.js";
import type { Lock } from "../state/lock.js";
import type { EditPlanning } from "./planned-edits.js";

/** A workspace with some of its files edited. */
export interface ReloadedWorkspace {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly problems: readonly Diagnostic[];
  /** What the edits would make something else in other environments. */
  readonly elsewhere: readonly ChangedElsewhere[];
}

/** A resource that edits would change in another environment. */
export interface ChangedElsewhere {
  readonly environment: string;
  readonly address: string;
  readonly files: readonly string[];
}

/** What is kept, and what with. */
export interface KeepingDrift extends Omit<EditPlanning, "documents" | "nameSecret"> {
  readonly fleet: Fleet;
  readonly lock: Lock;
  readonly observation: Observation;
  readonly isChosen: (address: string) => boolean;
  readonly read: (file: string) => string | undefined;
  /** How new texts are written. */
  readonly schema: Schema;
  /** Loads the workspace with other texts for some files. */
  readonly reload: (texts: ReadonlyMap<string, string>) => ReloadedWorkspace;
}

type Problem = EditProblem<PlannedEdit>;

/** Makes edits, and tells what is wrong with them; nothing is written. */
export class EditTrial {
  constructor(
    private readonly keeping: KeepingDrift,
    private readonly documents: EditableDocuments,
    private readonly drifted: readonly DriftedResource[],
  ) {}

  textsOf(edits: readonly PlannedEdit[]): ReadonlyMap<string, string> {
    return this.#written(edits).texts;
  }

  attempt(edits: readonly PlannedEdit[]): readonly Problem[] {
    const { texts, problems } = this.#written(edits);
    if (problems.length > 0) return problems;
    const reloaded = this.keeping.reload(texts);
    const invalid = reloaded.problems.map(({ file, message }): Problem => ({
      isSuspect: ({ written }) => written.file === file,
      explain: (edit) => explain(edit, "invalid", bare({ found: message })),
    }));
    if (invalid.length > 0) return invalid;
    const elsewhere = reloaded.elsewhere.map(({ environment, address, files }): Problem => {
      const detail = say`${bare({ address })} of ${bare({ environment })} would change`;
      return {
        isSuspect: ({ written }) => files.includes(written.file),
        explain: (edit) => explain(edit, "elsewhere", detail),
      };
    });
    return elsewhere.length > 0 ? elsewhere : this.#changed(edits, reloaded.resources);
  }

  #written(edits: readonly PlannedEdit[]): {
    readonly texts: ReadonlyMap<string, string>;
    readonly problems: readonly Problem[];
  } {
    const ofDocuments = edits.flatMap(({ written }) => ("edit" in written ? [written] : []));
    const { texts, failed } = this.documents.edited(ofDocuments);
    const all = new Map(texts);
    const problems = failed.map((each): Problem => ({
      isSuspect: ({ written }) => written === each,
      explain: (edit) => explain(edit, "inexact"),
    }));
    for (const { written } of edits) {
      if (!("text" in written)) continue;
      const { file, text } = written;
      if ((all.get(file) ?? text) !== text) {
        problems.push({
          isSuspect: (edit) => edit.written.file === file,
          explain: (edit) => explain(edit, "shared"),
        });
      }
      all.set(file, text);
    }
    return { texts: all, problems };
  }

  // What is edited must be as it was found, and all else as it was.
  #changed(edits: readonly PlannedEdit[], resources: ReadonlyMap<string, Resource>): Problem[] {
    const own = groupBy(edits, ({ address }) => address);
    const wanted = new Map(
      this.drifted.map((each) => {
        const { address } = each.found;
        return [address, keptResource(each, own.get(address) ?? [])];
      }),
    );
    return [...this.keeping.fleet.resources].flatMap(([address, before]): Problem[] => {
      const after = resources.get(address);
      const kept = wanted.get(address);
      if (kept ? isWanted(after, before, kept) : after?.digest === before.digest) return [];
      const files = new Set(before.files);
      return [
        {
          isSuspect: (edit) => edit.address === address || files.has(edit.written.file),
          explain: (edit) =>
            edit.address === address
              ? explain(edit, "inexact")
              : explain(edit, "shared", say`${{ address }} would change`),
        },
      ];
    });
  }
}

function explain({ address, edit, place }: PlannedEdit, why: Unwritten, detail?: Sentence): Finding {
  return unwritten(address, edit.path, why, { place, ...(detail !== undefined && { detail }) });
}

function isWanted(after: Resource | undefined, before: Resource, { desired, found }: KeptResource): boolean {
  if (!after) return false;
  const isUncompared = (field: string) => before.kind.outlined.includes(field) || found.partly.has(field);
  const wanted = { ...filterMembers(lasting(before.body, before.kind), isUncompared), ...desired };
  return equal(lasting(after.body, after.kind), wanted);
}
