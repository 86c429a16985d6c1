import type { ApplyJournalInput } from "./apply-journal.js";
import type { ApplyEvent, ApplySummary } from "./apply-report.js";
import type { Running } from "./running.js";
import type { UsedWorkspaces } from "../resources/used.js";
import type { Plan } from "../../generated/plan.js";
import type { OutsideUsers } from "../plan/object-uses.js";

/** The parts of an apply, which sends requests, journals them and writes the lock; the caller holds the store. */
export interface ApplyInput
  extends
    Pick<Running, "service" | "answers" | "deployment" | "updateChecks" | "now">,
    Pick<ApplyJournalInput, "store" | "lock" | "write" | "serviceIdentity" | "halt"> {
  /** The version of the lock that the run began with. */
  readonly version: string | null;
  /** The maximum number of requests in flight. */
  readonly concurrency: number;
  /** Aborted when nothing new may start; what is in flight finishes. */
  readonly drain: AbortSignal;
  readonly plan: Plan;
  readonly onEvent: (event: ApplyEvent) => void;
  /** Told how the actions ended, also if the apply ends with a fault. */
  readonly onSummary?: (summary: ApplySummary) => void;
  /** The other workspaces as they are now, for the IDs that the plan does not have yet. */
  readonly used?: UsedWorkspaces;
  /** Gives what outside of this lock may use an object that is to be deleted; nothing unless given. */
  readonly usedOutside?: OutsideUsers;
}
