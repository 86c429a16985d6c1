import type { LockStore } from "../../src/core/state/lock-store.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import type { RunnerSettings } from "./runner.js";

/** How long a store waits, in milliseconds. */
export interface Waits {
  readonly pushInterval?: number;
  readonly patience?: number;
}

/** Where on its way a request of a store is cut off. */
export type CutStage =
  /** Before the medium has seen it. */
  | "before"
  /** The medium has done it, and a part of the answer has arrived. */
  | "in"
  /** The medium has done it, and nothing of the answer has arrived. */
  | "after";

/** The network between a store and its medium. */
export interface Network {
  /** How many requests were counted since the last `mend`. */
  readonly requests: number;
  /**
   * Cuts a request, counted from the last `mend`; with `isLasting` all that follow too. For one cut `after` a request,
   * those that only read are not counted where they can be told: cut off there, they are as if cut off before.
   */
  cut(request: number, stage: CutStage, isLasting: boolean): void;
  /** Cuts nothing further, and counts from 1 again. */
  mend(): void;
}

/** One empty medium of a kind of store, and machines that use it. */
export interface ConformanceMedium {
  /** The settings of the lock in a manifest. */
  readonly lock: Settings["lock"];
  /** The environment variables that a process needs for it. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a machine, and gives the folder for its workspace. Machines of a store in files share one folder. */
  machine(name: string): string;
  /** Opens the store on a machine; it waits for nothing unless told otherwise. */
  open(directory: string, waits?: Waits): LockStore;
  /** How a process of its own opens the same store. */
  runner(directory: string, waits: Waits): RunnerSettings;
  /** The network, where there is one. */
  readonly network?: Network;
}
