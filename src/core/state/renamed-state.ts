import type { Checked } from "../finding/checked.js";
import { lazy } from "../../json/once.js";
import { parseJournal } from "./journal.js";
import { isSameOwner, type LockOwner } from "./lock.js";
import type { StateTexts } from "./lock-store.js";
import { assembleState, fileNames, type KnownState } from "./stored-state.js";

/** What the text of a lock says of whose it is, as far as it can be read. */
export function ownerInText(text: string | null): (LockOwner & { readonly lineage: string }) | undefined {
  try {
    const { workspace, environment, lineage } = JSON.parse(text ?? "") as Record<string, unknown>;
    return typeof workspace === "string" && typeof lineage === "string"
      ? { workspace, environment: typeof environment === "string" ? environment : null, lineage }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Gives the line by which the text of a lock, and every version of it, can be found; none if it cannot be read. */
export function lineageMarks(text: string | null): string[] {
  const lineage = ownerInText(text)?.lineage;
  return lineage === undefined ? [] : [`"lineage": ${JSON.stringify(lineage)}`];
}

/** Whose a state is: of a first apply that has died there is the journal alone. */
export function ownerInTexts({ lock, journal }: StateTexts): ReturnType<typeof ownerInText> {
  const begun = lock === null && journal !== null ? parseJournal(journal, "") : undefined;
  return begun?.ok ? begun.header : ownerInText(lock);
}

/** Makes a state from another version, also under the workspace's earlier name, if its lineage is of this state. */
export function assembleRenamed(
  texts: StateTexts,
  owner: LockOwner,
  lineages: () => Pick<ReadonlySet<string>, "has">,
  names = fileNames("agentform.lock"),
): Checked<KnownState> {
  const own = assembleState(texts, owner, names);
  if (own.ok || own.problems.every(({ code }) => code !== "lock-foreign")) return own;
  const was = ownerInText(texts.lock);
  if (was?.environment !== owner.environment || !lineages().has(was.lineage)) return own;
  const state = assembleState(texts, { ...owner, workspace: was.workspace }, names);
  return state.ok ? { ...state, lock: { ...state.lock, workspace: owner.workspace } } : state;
}

/** Gives the lineages that versions of a state have under its present name, once they are asked for. */
export function lineagesOf(locks: readonly (string | null)[], owner: LockOwner): () => ReadonlySet<string> {
  return lazy(() => {
    const named = locks.flatMap((text) => ownerInText(text) ?? []);
    return new Set(named.filter((each) => isSameOwner(each, owner)).map(({ lineage }) => lineage));
  });
}
