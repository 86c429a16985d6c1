import type { Dispatch } from "./page-state.js";

interface AddressLinkProps {
  readonly address: string;
  /** The index of its action, if the plan has one. */
  readonly index: number | undefined;
  readonly dispatch: Dispatch;
}

/** An address with a link to its action, if there is one. */
export function AddressLink({ address, index, dispatch }: AddressLinkProps) {
  if (index === undefined) return <code class="address-chip">{address}</code>;
  return (
    <button type="button" class="address-chip" onClick={() => dispatch({ type: "reveal", index })}>
      {address}
    </button>
  );
}
