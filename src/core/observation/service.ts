import type { BodyRequest, ServiceRequest } from "../kind/kind.js";
import type { Json } from "../../json/json.js";

/** The outcome of a request, as far as it can be known. */
export type Outcome =
  /** A 2xx with a JSON answer. */
  | {
      readonly type: "success";
      readonly status: number;
      readonly answer: Json;
      /** Whether parts that contained a secret were removed from the answer. */
      readonly withheld?: boolean;
      /** By what the answer to a read says that there is more than it has: a `Link` header, or status 206. */
      readonly part?: "linked" | "status";
      /** How many objects there are, as a header of the answer to a read says. */
      readonly total?: number;
    }
  /** The service refused, and did nothing. */
  | (Failure & { readonly type: "rejected"; readonly status: number })
  /** No byte arrived. */
  | (Failure & { readonly type: "not-sent" })
  /** It may or may not have been done. */
  | (Failure & { readonly type: "unknown" });

/** The details of a request that did not succeed; texts of the service are already redacted. */
export interface Failure {
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string;
  /** The beginning of the answer, redacted. */
  readonly answer?: string;
  /** How to correct it, if the connection tells that. */
  readonly hint?: string;
  /** If other requests would most likely fail in the same way: why, and after how many in a row to stop. */
  readonly common?: { readonly why: string; readonly after: number };
  /** The items of a 422's `detail` (docs/reference/interface.md, section 4). */
  readonly detail?: readonly { readonly loc: readonly string[]; readonly msg: string }[];
}

/** How many requests start in a second, and how the service last refused one for its rate. */
export interface Slowdown {
  readonly perSecond: number;
  readonly why: string;
}

/** What a request is for: only a create must never be repeated when its outcome is unknown. */
export type Intent = "create" | "update" | "read" | "delete";

/** Called when the first byte would be next: nothing is sent if it rejects. Told whether the request has waited. */
export type Ready = (hasWaited: boolean) => Promise<void>;

/** What a request may overwrite was looked at just before; whoever sends it later than that looks again. */
export interface Look {
  /** Says why the request must not be sent any more, if so. */
  again(): Promise<Failure | undefined>;
}

/** The service as an apply uses it: it sends requests and reports their outcomes. */
export interface Service {
  /** Sends one request, repeated as far as that is safe; rejects as `ready` does. An old look is taken again. */
  send(request: BodyRequest, intent: "create" | "update", ready?: Ready, look?: Look): Promise<Outcome>;
  /** Sends one request without a body, repeating it as far as that helps. Rejects as `ready` does; looks as `send` does. */
  ask(
    request: ServiceRequest<"GET" | "DELETE">,
    intent: "read" | "delete",
    ready?: Ready,
    look?: Look,
  ): Promise<Outcome>;
  /** Gives the request for an address that the answer to another one named; undefined if it leads elsewhere. */
  address(named: string, from: ServiceRequest<"GET">): ServiceRequest<"GET"> | undefined;
  /** Uses none of the present connections again, because one gave an answer that cannot be trusted. */
  renew(): void;
  close(): Promise<void>;
}
