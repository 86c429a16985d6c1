import type { Settings } from "../../core/resources/manifest.js";
import type { Plan } from "../../core/plan/plan.js";
import type { ApplyResult } from "../../sync/request.js";
import { printDetail, printPlanDetails, startStages } from "./detail.js";
import type { Terminal } from "../terminal/terminal.js";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";

/** Opens the details that `--verbose` prints about an apply; undefined without it. */
export function openApplyDetails(terminal: Terminal) {
  if (terminal.isVerbose !== true) return undefined;
  const stages = startStages(terminal);
  let stage = "read, check and plan";
  const next = (name: string) => {
    stages.lap(stage);
    stage = name;
  };
  const close = printRequests(terminal);
  return {
    /** The plan is made, with the settings of its environment. */
    planned({ lock }: Settings): void {
      next("show and ask");
      printDetail(`lock store ${lock.store}`, terminal);
    },
    /** The plan was shown and the question answered. */
    confirmed(plan: Plan): void {
      next("apply");
      printPlanDetails(plan, terminal);
    },
    ended: ({ status }: ApplyResult): void => next(status),
    close,
  };
}

/** Prints method, path, status and milliseconds of each request of this process; gives a function that ends this. */
function printRequests(terminal: Terminal): () => void {
  const statuses = new WeakMap<ClientRequest, number>();
  const onStart = (message: unknown) => {
    const { request } = message as { readonly request: ClientRequest };
    const began = performance.now();
    request.once("close", () => {
      const status = statuses.get(request);
      const answered = status === undefined ? "was not answered" : `answered ${status}`;
      const time = Math.round(performance.now() - began);
      printDetail(`${request.method} ${request.path} ${answered} after ${time} ms`, terminal);
    });
  };
  const onAnswer = (message: unknown) => {
    const { request, response } = message as {
      readonly request: ClientRequest;
      readonly response: IncomingMessage;
    };
    if (response.statusCode !== undefined) statuses.set(request, response.statusCode);
  };
  subscribe("http.client.request.start", onStart);
  subscribe("http.client.response.finish", onAnswer);
  return () => {
    unsubscribe("http.client.request.start", onStart);
    unsubscribe("http.client.response.finish", onAnswer);
  };
}
