import { error, type Finding } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import { parseJournal } from "../core/state/journal.js";
import { progressOf, progressText } from "../core/state/journal-progress.js";
import { type StateChoice, unlockCommand } from "../core/state/state-choice.js";
import {
  StoreHeldError,
  type StoreChangedError,
  type StoreFailedError,
  type StoredState,
} from "../core/state/lock-store.js";

/** What more is known of a store that is held. */
interface HeldStore {
  readonly stored?: StoredState | undefined;
  /** What agentform.yaml must have to lead to the store, in words; undefined where it has that. */
  readonly leadsThere?: string | undefined;
}

/** Explains to the user why a store refused or failed; if it is held, also what is stored in it, as far as it is known. */
export function storeProblem(
  cause: StoreHeldError | StoreChangedError | StoreFailedError,
  lockName: string,
  choice: StateChoice,
  { stored, leadsThere }: HeldStore = {},
): Finding {
  if (cause instanceof StoreHeldError) {
    const { nonce } = cause.holder;
    const command = bare({ command: unlockCommand(nonce, choice) });
    const where = leadsThere === undefined ? "" : `, with ${leadsThere} in agentform.yaml meanwhile`;
    const hint = say`wait for it; if it is certainly dead: \`${command}\`${where}`;
    const isSame = stored?.holder?.nonce === nonce;
    const more = isSame ? holdText(stored) : "";
    return error("lock-held", undefined, say`${bare({ lock: lockName })} is ${cause.message}${more}`, hint);
  }
  return error(cause.code, undefined, cause.said, cause.hint ?? "plan again");
}

function holdText({ holder, journal: text }: StoredState): string {
  const journal = text === null ? undefined : parseJournal(text, "");
  const progress = journal?.ok ? progressText(progressOf(journal)) : undefined;
  const seen = holder?.seen === undefined ? undefined : `last sign of life ${holder.seen}`;
  return [seen, progress].map((part) => (part === undefined ? "" : `; ${part}`)).join("");
}
