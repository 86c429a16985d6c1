import type { BodyRequest } from "../kind/kind.js";
import type { Json } from "../../json/json.js";

/** What became of a request, as far as it can be known. */
export type Outcome =
  /** A 2xx with a JSON answer. */
  | {
      readonly type: "success";
      readonly status: number;
      readonly answer: Json;
      /** Whether the answer has lost what held a secret. */
      readonly withheld?: boolean;
    }
  /** The service refused, and did nothing. */
  | (Failure & { readonly type: "rejected"; readonly status: number })
  /** No byte arrived. */
  | (Failure & { readonly type: "not-sent" })
  /** It may have been done or not. */
  | (Failure & { readonly type: "unknown" });

/** What is known of a request that did not succeed; texts of the service are redacted already. */
export interface Failure {
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string;
  /** The start of the answer, redacted. */
  readonly answer?: string;
  /** What to do about it, as far as that can be told from how the service was reached. */
  readonly hint?: string;
  /** Where any other request would most likely end the same way: why, and after how many in a row to stop. */
  readonly common?: { readonly why: string; readonly after: number };
  /** The items of a 422's `detail` (docs/interface.md, section 4). */
  readonly detail?: readonly { readonly loc: readonly string[]; readonly msg: string }[];
}

/** How slowly requests begin, and what the service said when it last refused one as too much. */
export interface Slowdown {
  /** So many at most. */
  readonly perSecond: number;
  readonly why: string;
}

/** Whether a request creates an object, and so must never be repeated when its outcome is unknown. */
export type Intent = "create" | "update";

/** The service as an apply sees it: it sends what it is given and says what became of it. */
export interface Service {
  /** Sends one request, repeating it as far as that is safe; what its references stand for is known. */
  send(request: BodyRequest, intent: Intent): Promise<Outcome>;
  /** Uses no connection again that it has, for one of them has given an answer that cannot be believed. */
  renew(): void;
  /** Frees connections. */
  close(): Promise<void>;
}
