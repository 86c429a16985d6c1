import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";
import { printDetail } from "../output/detail.js";
import type { Terminal } from "../terminal/terminal.js";

/**
 * Prints a detail for each HTTP request of this process when it has ended: method, path, status and
 * milliseconds, but nothing of headers and bodies. Gives a function that ends this.
 */
export function printRequests(terminal: Terminal): () => void {
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
