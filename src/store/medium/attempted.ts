import { StoreFailedError } from "../../core/state/lock-store.js";

/** Makes something that a store needs, and keeps a StoreFailedError for when it is used. */
export function attempted<Value>(
  make: () => Value,
): { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: StoreFailedError } {
  try {
    return { ok: true, value: make() };
  } catch (failure) {
    if (failure instanceof StoreFailedError) return { ok: false, failure };
    throw failure;
  }
}
