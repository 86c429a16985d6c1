import type { Settings } from "../../core/resources/manifest.js";
import type { Plan } from "../../core/plan/plan.js";
import type { ApplyResult } from "../../sync/request.js";
import { printDetail, printPlanDetails, startStages } from "./detail.js";
import type { Terminal } from "../terminal/terminal.js";

/** The details that `--verbose` prints about an apply. */
export interface ApplyDetails {
  /** The plan is made, with the settings of its environment. */
  planned(settings: Settings): void;
  /** The plan was shown and the question answered. */
  confirmed(plan: Plan): void;
  ended(result: ApplyResult): void;
  close(): void;
}

/** Opens the details of an apply; undefined without `--verbose`. */
export async function openApplyDetails(terminal: Terminal): Promise<ApplyDetails | undefined> {
  if (terminal.isVerbose !== true) return undefined;
  const stages = startStages(terminal);
  let stage = "read, check and plan";
  const next = (name: string) => {
    stages.lap(stage);
    stage = name;
  };
  const { printRequests } = await import("../progress/sent-requests.js");
  const close = printRequests(terminal);
  return {
    planned({ lock }) {
      next("show and ask");
      printDetail(`lock store ${lock.store}`, terminal);
    },
    confirmed(plan) {
      next("apply");
      printPlanDetails(plan, terminal);
    },
    ended: ({ status }) => next(status),
    close,
  };
}
