import { useState } from "preact/hooks";
import { countOf } from "./action-word.js";
import type { Dispatch } from "./page-state.js";
import type { PageAddress, PlanIndex } from "./plan-index.js";
import { Windowed } from "./windowed.js";

interface AddressLinkProps {
  readonly address: PageAddress;
  readonly plan: PlanIndex;
  readonly dispatch: Dispatch;
}

/** An address with a link to its action, if there is one. */
export function AddressLink({ address, plan, dispatch }: AddressLinkProps) {
  const index = typeof address === "number" ? address : plan.indexOf(address);
  const text = plan.addressOf(address);
  if (index === undefined) return <code class="address-chip">{text}</code>;
  return (
    <button type="button" class="address-chip" onClick={() => dispatch({ type: "reveal", index })}>
      {text}
    </button>
  );
}

interface AddressListProps extends Omit<AddressLinkProps, "address"> {
  readonly addresses: readonly PageAddress[];
}

/** A number of resources that unfolds to their addresses. */
export function AddressList({ addresses, plan, dispatch }: AddressListProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="addresses">
      <button type="button" class="unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="chevron" aria-hidden="true" />
        {countOf(addresses.length, "resource")}
      </button>
      {isOpen && (
        <Windowed items={addresses} size={100} height={8}>
          {(address) => (
            <li key={address}>
              <AddressLink address={address} plan={plan} dispatch={dispatch} />
            </li>
          )}
        </Windowed>
      )}
    </div>
  );
}
