import { movedFrom } from "../plan/move.js";
import { idsOf } from "../kind/identity.js";
import { buildGraph, type Edge } from "../resources/graph.js";
import type { FoundObject } from "./found-object.js";
import { chooseKeys } from "./import-keys.js";
import type { Importing } from "./importing.js";
import { symbolicBody } from "./symbolic-body.js";

/** An object that gets a document, with the key of that. */
export interface Draft {
  readonly object: FoundObject;
  readonly key: string;
  readonly isWithheld: boolean;
}

/** Chooses keys, and puts what others refer to before them. */
export function draftObjects(objects: readonly FoundObject[], importing: Importing): readonly Draft[] {
  const withheld = new Set(
    importing.listings.filter(({ isWithheld }) => isWithheld).map(({ kind }) => kind.name),
  );
  const keys = chooseKeys(objects, freeKeys(importing));
  const owners = new Map(
    [...keys].flatMap(([{ kind, identity }, key]) =>
      idsOf(identity).map((id) => [`${kind.name}:${id}`, `${kind.name}:${key}`] as const),
    ),
  );
  const drafts = new Map<string, Draft>();
  const edges: Edge[] = [];
  for (const [object, key] of keys) {
    const from = `${object.kind.name}:${key}`;
    const isWithheld = withheld.has(object.kind.name);
    symbolicBody(object, {
      referenceTo(kind, id) {
        const to = owners.get(`${kind}:${id}`);
        if (to !== undefined) edges.push({ from, to });
        return undefined;
      },
      referencesTo(kind, ids) {
        for (const id of ids) {
          const to = owners.get(`${kind}:${id}`);
          if (to !== undefined) edges.push({ from, to });
        }
        return ids.map((text) => ({ text, isReference: false }));
      },
      nameSecret: () => "NAME",
      extra: importing.extraFields[object.kind.name] ?? [],
      isWithheld,
    });
    drafts.set(from, { object, key, isWithheld });
  }
  const { order } = buildGraph(drafts.keys(), edges);
  return order.flatMap((address) => drafts.get(address) ?? []);
}

function freeKeys({
  fleet,
  lock,
  importFolder,
  isFile,
}: Importing): (object: FoundObject, key: string) => boolean {
  const { resources, absent } = fleet;
  const taken = new Set([
    ...Object.keys(lock.resources),
    ...Object.keys(lock.unknown),
    ...Object.values(lock.retired).map(({ address }) => address),
    ...[...resources.values()].flatMap((resource) => movedFrom(resource)),
  ]);
  return ({ kind }, key) => {
    const address = `${kind.name}:${key}`;
    if (taken.has(address) || resources.has(address) || absent.has(address)) return false;
    return !isFile(`${importFolder.into}${kind.folder}/${key}.yaml`);
  };
}
