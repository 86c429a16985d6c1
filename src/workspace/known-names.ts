import { addressesIn, retiredNames } from "../core/state/known-ids.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import { openCache, type Cached, type CacheOwner } from "./cache/cache.js";

/** What names are of: the workspace in all environments or in one, its state, or the state that the emulator keeps. */
export type NamesOf = "environments" | "workspace" | "state" | "emulated-state";

/** Names by what they name, such as addresses; what is not there is not known. */
export interface KnownNames {
  readonly environments?: readonly string[];
  readonly addresses?: readonly string[];
  /** Labels as `KEY=VALUE`. */
  readonly labels?: readonly string[];
  readonly variables?: readonly string[];
  /** The IDs of what is left behind. */
  readonly retired?: readonly string[];
}

// A workspace may be a stranger's: what nobody would type is not worth a large file.
const mostNames = 50_000;
const longestName = 500;

/** Keeps the names of the environments for completing a half-typed line. */
export function keepEnvironments(environments: readonly string[], owner: CacheOwner): void {
  keepNames("environments", { environments }, owner);
}

/** Keeps the names of a workspace in one environment for completing a half-typed line. */
export function keepWorkspaceNames({ resources, settings }: Fleet, owner: CacheOwner): void {
  if (owner.cacheFolder === undefined) return;
  const labels = new Set<string>();
  for (const resource of resources.values()) {
    for (const [key, value] of Object.entries(resource.labels)) labels.add(`${key}=${value}`);
  }
  const variables = [...settings.variables.keys()];
  keepNames("workspace", { addresses: [...resources.keys()], labels: [...labels], variables }, owner);
}

/** Keeps the names of a state for completing a half-typed line. */
export function keepStateNames(
  lock: Pick<Lock, "resources" | "unknown" | "retired">,
  owner: CacheOwner & { readonly options?: { readonly emulator: boolean } },
): void {
  if (owner.cacheFolder === undefined) return;
  const names = { addresses: addressesIn(lock), retired: retiredNames(lock) };
  keepNames(owner.options?.emulator === true ? "emulated-state" : "state", names, owner);
}

/** Reads the names that the last command on a workspace kept; none where there is no cache, or it is damaged. */
export function readNames(of: NamesOf, owner: CacheOwner): KnownNames {
  return openNames(of, owner).value ?? {};
}

function keepNames(of: NamesOf, names: KnownNames, owner: CacheOwner): void {
  if (owner.cacheFolder === undefined) return;
  const cached = openNames(of, owner);
  const lists = Object.entries(names as Readonly<Record<string, readonly string[]>>);
  const now = Object.fromEntries(
    lists.map(([name, list]) => [
      name,
      list
        .filter(({ length }) => length > 0 && length <= longestName)
        .slice(0, mostNames)
        .toSorted(),
    ]),
  );
  if (JSON.stringify(cached.value) !== JSON.stringify(now)) cached.save(now);
}

function openNames(of: NamesOf, owner: CacheOwner): Cached {
  return openCache(["names", of], of === "environments" ? { ...owner, environment: null } : owner);
}
