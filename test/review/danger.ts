import type { Draft } from "./draft.js";

/** One dangerous edit, hidden among harmless ones. */
export interface Danger {
  readonly name: string;
  /** Makes the edit and says by what a reader knows it. */
  readonly plant: (draft: Draft, targets: Targets) => Sight;
}

/** The resources that a danger may be planted in. */
export interface Targets {
  readonly agent: string;
  readonly policy: string;
  readonly toolset: string;
}

/** What a reader must see of a danger. */
export interface Sight {
  /** The resources of which one must be named with it. */
  readonly addresses: readonly string[];
  /** What was and what is, as words that are all shown with the address. */
  readonly shows: readonly (string | RegExp)[];
}
