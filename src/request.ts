import type { ApplyEvent, ApplySummary } from "./core/apply/apply.js";
import type { Diagnostic } from "./core/finding/diagnostic.js";
import type { Json } from "./json/json.js";
import type { BaseState } from "./core/state/lock-store.js";
import type { Settings } from "./core/resources/manifest.js";
import type { Plan } from "./core/plan/plan.js";
import type { PlanOptions } from "./core/plan/plan-options.js";
import type { Slowdown } from "./core/apply/service.js";
import type { Target } from "./service/target.js";

/** Which workspace a command works on. */
export interface WorkspaceOptions {
  /** The folder of `agentform.yaml`. */
  readonly directory: string;
  /** The environment's name; without one the default. */
  readonly environment?: string | null;
  /** Values of variables that win over the manifest's. */
  readonly variables?: ReadonlyMap<string, Json>;
  /** The folder that keeps what earlier runs made of the same files; nothing is kept without one. */
  readonly cacheFolder?: string;
}

/** What shapes a plan. */
export interface PlanRequest extends WorkspaceOptions {
  readonly options?: PlanOptions;
  /** Reads the state that the store's is compared with, so that the plan shows what the change does to it. */
  readonly readBase?: (settings: Settings) => Promise<BaseState>;
}

/** A plan with all that was found; no plan where the workspace or its state has errors. */
export interface PlanResult {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** What an apply needs beyond a plan. */
export interface ApplyRequest extends PlanRequest {
  /** The service, made of the workspace's settings. */
  readonly target: (settings: Settings) => Target;
  /** A saved plan to run in the place of a new one, and what its file is called. */
  readonly saved?: { readonly plan: Plan; readonly file: string };
  /** Refuse any plan but the one with this digest. */
  readonly expect?: string;
  /** How many requests are under way at once; 8 unless given. */
  readonly concurrency?: number;
  /** For how long, in milliseconds, the service may refuse everything as too much; 5 minutes unless given. */
  readonly patience?: number;
  readonly allowInsecureHttp?: boolean;
  /** A file of certificates to trust beside the usual ones. */
  readonly caFile?: string;
  readonly userAgent: string;
  /** Asked once with the plan, before anything is held or sent. */
  readonly confirm: (plan: Plan, diagnostics: readonly Diagnostic[]) => Promise<boolean>;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Hears how slowly requests begin, once the service has refused one as too much. */
  readonly onPace?: (slowdown: Slowdown) => void;
  /** Aborted to start nothing new; what is in flight finishes. */
  readonly drain?: AbortSignal;
}

/** How an apply ended. */
export interface ApplyResult {
  /**
   * `refused`: the workspace, its state or the surroundings are in order for no apply; `moved`: the plan is
   * another than the expected or confirmed one, or the lock is held.
   */
  readonly status: "applied" | "unchanged" | "refused" | "moved" | "declined";
  readonly plan?: Plan;
  readonly summary?: ApplySummary;
  readonly diagnostics: readonly Diagnostic[];
}
