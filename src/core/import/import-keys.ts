import { compareText } from "../../json/compare-text.js";
import { idsOf } from "../kind/identity.js";
import { nameOf, type FoundObject } from "./found-object.js";

const longestKey = 60;

// The kind's name where nothing of it can be part of a key.
function keyFor(object: Pick<FoundObject, "kind" | "body">): string {
  const words = nameOf(object)
    .slice(0, 1000)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const key = (words ?? []).join("-").slice(0, longestKey).replace(/-$/, "");
  return key === "" ? object.kind.name : key;
}

/**
 * Gives each object a key that is free, the same each time: of those with the same name the one with the first ID
 * takes the name itself, and the next ones a number.
 */
export function chooseKeys(
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

interface Named {
  readonly object: FoundObject;
  readonly key: string;
}

function byKeyAndId(left: Named, right: Named): number {
  const [one = "", other = ""] = [idsOf(left.object.identity)[0], idsOf(right.object.identity)[0]];
  return compareText(left.key, right.key) || compareText(one, other);
}
