import { error, type Finding } from "../core/finding/diagnostic.js";
import {
  StateTrackedError,
  StoreChangedError,
  StoreHeldError,
  type StoreFailedError,
} from "../core/state/lock-store.js";

/** Explains to the user why a store refused or failed. */
export function storeProblem(
  cause: StoreHeldError | StoreChangedError | StoreFailedError,
  lockName: string,
): Finding {
  if (cause instanceof StoreHeldError) {
    const { nonce } = cause.holder;
    const hint = `wait for it; if it is certainly dead: \`agentform lock unlock ${nonce}\``;
    return error("lock-held", undefined, `${lockName} is ${cause.message}`, hint);
  }
  if (cause instanceof StoreChangedError)
    return error("lock-changed", undefined, cause.message, "plan again");
  const code = cause instanceof StateTrackedError ? "state-tracked" : "lock-medium";
  return error(
    code,
    undefined,
    cause.message,
    cause.hint ?? "lock and journal are intact; correct the cause and plan again",
  );
}
