import type { ApplyEvent, ApplySummary } from "../core/apply/apply-report.js";
import type { Diagnostic } from "../core/finding/diagnostic.js";
import type { readBaseFrom, readCommittedState } from "../workspace/commits/base-states.js";
import type { LockService } from "../core/state/lock.js";
import { defined } from "../core/state/defined.js";
import { emulatorIdentity, type StateChoice } from "../core/state/state-choice.js";
import type { KnownState } from "../core/state/stored-state.js";
import type { Settings } from "../core/resources/manifest.js";
import type { Plan } from "../core/plan/plan.js";
import { noOptions, type PlanOptions } from "../core/plan/plan-options.js";
import type { Slowdown } from "../core/observation/service.js";
import type { StoreLocation } from "../store/open-store.js";
import { identityOf, type Target } from "../service/target.js";
import type { Agreeing } from "./agreement.js";
import type { LoadOptions } from "../workspace/load-workspace.js";

/** The workspace of a command. */
export type WorkspaceOptions = Omit<LoadOptions, "options">;

/** The options that shape a plan. */
export interface PlanRequest
  extends WorkspaceOptions, Pick<StoreLocation, "secrets" | "caFile" | "renamedTo" | "sealCheck"> {
  readonly options?: PlanOptions;
  /** A file with what was found in the service, and its name. */
  readonly observed?: { readonly file: string; readonly text: string };
  /** One object for all workspaces of a command: what is read around one of them is kept for the others. */
  readonly round?: object;
  /** The workspaces that the same command applies whole, by `workspaceKey`. */
  readonly together?: ReadonlySet<string>;
  /** The real folders of the workspaces that the same command names, also those that it leaves out. */
  readonly named?: readonly string[];
  /** The most characters of a lock, a journal or a saved plan; 400 million unless given. */
  readonly mostCharacters?: number;
  /** Reads the base state to compare the store's state with, so that the plan shows the edits of the change. */
  readonly readBase?: (settings: Settings) => ReturnType<typeof readBaseFrom>;
  /** Reads the state of the commit whose rules judge, whose labels and protection then hold as well. */
  readonly readMarks?: (settings: Settings) => ReturnType<typeof readCommittedState>;
}

/** Selects the store of a request. */
export function locationOf({ options = noOptions, ...request }: PlanRequest): StoreLocation {
  const { directory, secrets, caFile, sealCheck, renamedTo } = request;
  const { emulator } = options;
  return { directory, emulator, ...defined({ secrets, caFile, sealCheck, renamedTo }) };
}

/** The request of a command that only shows the state: it verifies the seal of one if it has the key. */
export function toShow<Request extends PlanRequest>(request: Request): Request {
  return { ...request, sealCheck: "if-possible" };
}

/** What chooses the state of a request, for the commands that a person is given. */
export function choiceIn(
  { environment }: Pick<Settings, "environment">,
  { options }: Pick<PlanRequest, "options">,
): StateChoice {
  return { environment, emulator: options?.emulator };
}

/** The service of a request, as a lock names it. */
export function serviceIn({ service }: Settings, { options }: Pick<PlanRequest, "options">): LockService {
  return options?.emulator ? emulatorIdentity : identityOf(service);
}

/** A plan with its diagnostics; no plan if the workspace or its state has errors. */
export interface PlanResult {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** A plan with the state that it was made from. */
export interface ChosenPlan extends PlanResult {
  readonly state?: KnownState;
  /** The differences between the store's state and the one that the plan was made from. */
  readonly missing?: readonly string[];
  /** Whether the plan differs from the requested one. */
  readonly isMoved?: boolean;
}

/** How the service is reached. */
export interface ServiceAccess {
  /** Makes the service from the workspace's settings. */
  readonly target: (settings: Settings) => Target | Promise<Target>;
  readonly userAgent: string;
  readonly allowInsecureHttp?: boolean;
  /** A file of certificates to trust in addition to the default ones. */
  readonly caFile?: string;
  /** How long, in milliseconds, the service may refuse everything for its rate limit; default 5 minutes. */
  readonly patience?: number;
}

/** The further options of an apply. */
export interface ApplyRequest extends PlanRequest, ServiceAccess, Agreeing<Plan> {
  /** A saved plan to run instead of a new one, with the name of its file. */
  readonly saved?: { readonly plan: Plan; readonly file: string };
  /** The IDs to delete of what is left behind, none for all of it; a plan of the workspace is made unless given. */
  readonly prune?: readonly string[];
  /** The maximum number of requests in flight; default 8. */
  readonly concurrency?: number;
  /** Whether objects that can be read are read before an update; true unless given. */
  readonly check?: boolean;
  /** The addresses that are updated whatever somebody changed in the service; `all` for all. */
  readonly overwrite?: ReadonlySet<string>;
  /** Whether objects that can be read are read again after they were sent. */
  readonly verify?: boolean;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Called with the rate of requests, once the service has refused one for its rate limit. */
  readonly onPace?: (slowdown: Slowdown) => void;
  /** Aborted to start nothing new; what is in flight finishes. */
  readonly drain?: AbortSignal;
  /** Aborted right before the process ends: what was made and is not saved yet is told at once. */
  readonly halt?: AbortSignal;
}

/** How an apply ended. */
export interface ApplyResult {
  /** `refused` by workspace, state or environment; `moved`: another plan or a held lock; `pending`: shown, unagreed. */
  readonly status: "applied" | "unchanged" | "refused" | "moved" | "declined" | "pending";
  readonly plan?: Plan;
  /** The state that the plan was made from, where nothing was run. */
  readonly state?: KnownState;
  /** If anything was run, even if the state could not be saved then. */
  readonly summary?: ApplySummary;
  readonly diagnostics: readonly Diagnostic[];
}

/** Something about the state, or why it cannot be read. */
export interface SeenState<Value> {
  readonly state?: Value;
  readonly diagnostics: readonly Diagnostic[];
}
