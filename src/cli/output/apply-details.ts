import type { Settings } from "../../core/resources/manifest.js";
import type { Plan } from "../../core/plan/plan.js";
import type { ApplyResult } from "../../sync/request.js";
import { printDetail, printPlanDetails, startStages } from "./detail.js";
import type { Terminal } from "../terminal/terminal.js";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";

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
export function openApplyDetails(terminal: Terminal): ApplyDetails | undefined {
  if (terminal.isVerbose !== true) return undefined;
  const stages = startStages(terminal);
  let stage = "read, check and plan";
  const next = (name: string) => {
    stages.lap(stage);
    stage = name;
  };
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

/**
 * Prints a detail for each HTTP request of this process when it has ended: method, path, status and
 * milliseconds, but nothing of headers and bodies. Gives a function that ends this.
 */
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
