import type { ApplyEvent, ApplySummary } from "./apply-report.js";
import type { UpdateChecks } from "./running.js";
import type { AnswerSettings, Kind } from "../kind/kind.js";
import type { Deployment } from "../kind/deployment.js";
import type { Lock, LockService } from "../state/lock.js";
import type { WritableState } from "../state/lock-store.js";
import type { UsedWorkspaces } from "../resources/used.js";
import type { Plan } from "../../generated/plan.js";
import type { Service } from "../observation/service.js";
import type { OutsideUsers } from "../plan/object-uses.js";

/** The parts of an apply, which sends requests, journals them and writes the lock; the caller holds the store. */
export interface ApplyInput {
  readonly lock: Lock;
  /** The version of the lock that the run began with. */
  readonly version: string | null;
  /** The unique name of the write that this run gives the lock. */
  readonly write: string;
  readonly store: WritableState;
  readonly service: Service;
  readonly serviceIdentity: LockService;
  readonly deployment: Deployment;
  /** The maximum number of requests in flight. */
  readonly concurrency: number;
  readonly now: () => string;
  /** Aborted when nothing new may start; what is in flight finishes. */
  readonly drain: AbortSignal;
  /** Aborted right before the process ends: what was made and is not saved yet is told at once. */
  readonly halt?: AbortSignal;
  readonly plan: Plan;
  readonly answers: (kind: Kind) => AnswerSettings;
  readonly updateChecks: UpdateChecks;
  readonly onEvent: (event: ApplyEvent) => void;
  /** Told how the actions ended, also if the apply ends with a fault. */
  readonly onSummary?: (summary: ApplySummary) => void;
  /** The other workspaces as they are now, for the IDs that the plan does not have yet. */
  readonly used?: UsedWorkspaces;
  /** Gives what outside of this lock may use an object that is to be deleted; nothing unless given. */
  readonly usedOutside?: OutsideUsers;
}
