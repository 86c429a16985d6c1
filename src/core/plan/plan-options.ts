/** What shapes a plan beside workspace and lock. */
export interface PlanOptions {
  /** Addresses to replace although an update would do, or although their objects were retired. */
  readonly replace: ReadonlySet<string>;
  /** Addresses to send again, or `all` for every resource with a secret. */
  readonly resend: ReadonlySet<string>;
  /** Addresses to narrow the plan to. */
  readonly target: ReadonlySet<string>;
  /** Labels, as `key=value`, for the plan to take a resource in: any value of one key, and of several keys each. */
  readonly selector: ReadonlySet<string>;
  /** Addresses to leave out. */
  readonly exclude: ReadonlySet<string>;
  readonly changedSince: ChangedSince | null;
  /** Whether the service is the same, although its address is not the one in the lock. */
  readonly serviceMoved: boolean;
  /** Whether the plan is for the emulator, which holds none of the objects that documents adopt. */
  readonly emulator: boolean;
}

/** What changed in git since a commit. */
export interface ChangedSince {
  readonly ref: string;
  /** The files of the workspace that differ from it, and links and submodules that lead to one. */
  readonly files: ReadonlySet<string>;
  /** The addresses that those of them which are documents or patches had in that commit. */
  readonly named: ReadonlySet<string>;
  /** The addresses with `${each:…}` that all documents had in that commit. */
  readonly made: readonly string[];
  /** The names of variables whose values are in no commit. */
  readonly variables: ReadonlySet<string>;
  /** The names of used workspaces whose documents or states may differ from it. */
  readonly uses: ReadonlySet<string>;
}

/** The options of a plan that asks for nothing special. */
export const noOptions: PlanOptions = {
  replace: new Set(),
  resend: new Set(),
  target: new Set(),
  selector: new Set(),
  exclude: new Set(),
  changedSince: null,
  serviceMoved: false,
  emulator: false,
};

/** Whether the options leave a part of the workspace out. */
export function isNarrowed({ target, selector, exclude, changedSince }: PlanOptions): boolean {
  return target.size + selector.size + exclude.size > 0 || changedSince !== null;
}
