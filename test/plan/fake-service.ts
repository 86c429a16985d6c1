import { isObject, type Json } from "../../src/json/json.js";
import type { BodyRequest } from "../../src/core/kind/kind.js";
import { kinds } from "../../src/core/kind/kinds.js";
import { operationsOf } from "../../src/core/openapi/openapi.js";
import type { Outcome, Service } from "../../src/core/observation/service.js";

/** What becomes of one request. */
export type Fate = "success" | "without-id" | "rejected" | "not-sent" | "unknown";

/** Decides what becomes of a request. */
export type FateOf = (request: BodyRequest) => Fate;

/** A service that answers at once and gives IDs in the order of the requests, such as `agent-1`. */
export interface FakeService extends Service {
  readonly requests: readonly BodyRequest[];
}

// A tool set is answered with its tools.
const nouns = new Map(
  Object.values(kinds).map(({ name, create, operations }) => [create.path, operations ? "tool" : name]),
);

/** Makes a service; the numbers of its IDs go on from `counts`. */
export function createFakeService(fateOf: FateOf, counts: Record<string, number> = {}): FakeService {
  const requests: BodyRequest[] = [];
  const nextId = (noun: string) => `${noun}-${(counts[noun] = (counts[noun] ?? 0) + 1)}`;
  return {
    requests,
    async send(request, intent, ready) {
      await ready?.(false);
      requests.push(request);
      const fate = fateOf(request);
      if (fate !== "success" && fate !== "without-id") return failure(fate);
      if (intent === "update") return success({ message: "updated" });
      if (fate === "without-id") return success({ message: "created" });
      return success(answer(request, nextId));
    },
    ask: async () => ({ type: "not-sent", message: "not asked" }),
    address: () => undefined,
    renew: () => undefined,
    close: async () => undefined,
  };
}

function answer({ path, body }: BodyRequest, nextId: (noun: string) => string): Json {
  const noun = nouns.get(path) ?? "object";
  if (noun === "tool") return { tool_ids: operationsOf(body.openapi_schema ?? null).map(() => nextId(noun)) };
  return { ...(isObject(body) && body), _id: nextId(noun) };
}

function success(value: Json): Outcome {
  return { type: "success", status: 200, answer: value };
}

function failure(fate: "rejected" | "not-sent" | "unknown"): Outcome {
  switch (fate) {
    case "rejected":
      return { type: "rejected", status: 422, message: "the service answered 422" };
    case "not-sent":
      return { type: "not-sent", message: "the connection was refused" };
    case "unknown":
      return { type: "unknown", status: 502, message: "the service answered 502" };
  }
}
