import { movedFrom } from "../resources/former-address.js";
import { manifestFile } from "../resources/manifest-file.js";
import type { KindName } from "../../generated/kinds.js";
import { idsOf } from "../kind/identity.js";
import { addTo } from "../../json/groups.js";
import { buildGraph } from "../resources/graph.js";
import { type FoundObject, nameOf } from "./found-object.js";
import type { Importing } from "./importing.js";
import { symbolicBody } from "./symbolic-body.js";
import { compareText } from "../../json/compare-text.js";

/** An object that gets a document, with the key and the address of that. */
export interface Draft extends KeyedObject {
  readonly address: string;
}

interface KeyedObject {
  readonly object: FoundObject;
  readonly key: string;
}

/** Chooses keys, and puts what others refer to before them. */
export function draftObjects(objects: readonly FoundObject[], importing: Importing): readonly Draft[] {
  const keys = chooseKeys(objects, freeKeys(importing));
  const owners = new Map(
    [...keys].flatMap(([{ kind, identity }, key]) =>
      idsOf(identity).map((id) => [`${kind.name}:${id}`, `${kind.name}:${key}`] as const),
    ),
  );
  const drafts = new Map<string, Draft>();
  const links = new Map<string, string[]>();
  for (const [object, key] of keys) {
    const from = `${object.kind.name}:${key}`;
    const referenceTo = (kind: KindName, id: string) => {
      const to = owners.get(`${kind}:${id}`);
      if (to !== undefined) addTo(links, from, to);
      return undefined;
    };
    const referencesTo = (kind: KindName, ids: readonly string[]) =>
      ids.map((text) => ({ text: referenceTo(kind, text) ?? text, isReference: false, ids: [text] }));
    symbolicBody(object, { referenceTo, referencesTo }, () => "NAME", importing);
    drafts.set(from, { object, key, address: from });
  }
  const { order } = buildGraph(drafts.keys(), (address) => links.get(address) ?? []);
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
    const file = `${key}.yaml`;
    // In a folder of its own it would be read as the manifest of another workspace.
    return (
      importFolder.file !== undefined ||
      (file !== manifestFile && !isFile(`${importFolder.into}${kind.folder}/${file}`))
    );
  };
}

const longestKey = 60;

/** Gives the key that an object's name makes; the kind's name where nothing of it can be part of a key. */
export function keyFor(object: Pick<FoundObject, "kind" | "body">): string {
  const words = nameOf(object)
    .slice(0, 1000)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const key = (words ?? []).join("-").slice(0, longestKey).replace(/-$/, "");
  return key === "" ? object.kind.name : key;
}

/** Gives each object a free key, the same each time: of one name, the first ID takes it, the next get numbers. */
function chooseKeys(
  objects: readonly FoundObject[],
  isFree: (object: FoundObject, key: string) => boolean,
): Map<FoundObject, string> {
  const chosen = new Map<FoundObject, string>();
  const taken = new Set<string>();
  const next = new Map<string, number>();
  const sorted = objects.map((object) => ({ object, key: keyFor(object) })).toSorted(byKeyAndId);
  for (const { object, key } of sorted) {
    const base = `${object.kind.name}:${key}`;
    for (let number = next.get(base) ?? 1; ; number++) {
      const candidate = number === 1 ? key : `${key}-${number}`;
      const address = `${object.kind.name}:${candidate}`;
      if (taken.has(address) || !isFree(object, candidate)) continue;
      taken.add(address);
      next.set(base, number + 1);
      chosen.set(object, candidate);
      break;
    }
  }
  return chosen;
}

function byKeyAndId(left: KeyedObject, right: KeyedObject): number {
  const [one = "", other = ""] = [idsOf(left.object.identity)[0], idsOf(right.object.identity)[0]];
  return compareText(left.key, right.key) || compareText(one, other);
}
