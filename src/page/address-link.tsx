import { useState } from "preact/hooks";
import { countOf } from "./action-word.js";
import { usePage } from "./page-context.js";
import { Unfold } from "./panel.js";
import type { PageAddress } from "./plan-index.js";
import { Windowed } from "./windowed.js";

/** An address with a link to its action, if there is one. */
export function AddressLink({ address }: { readonly address: PageAddress }) {
  const { plan, dispatch } = usePage();
  const index = typeof address === "number" ? address : plan.indexOf(address);
  const text = plan.addressOf(address);
  if (index === undefined) return <code class="address-chip">{text}</code>;
  return (
    <button type="button" class="address-chip" onClick={() => dispatch({ type: "reveal", index })}>
      {text}
    </button>
  );
}

/** A number of resources that unfolds to their addresses. */
export function AddressList({
  addresses,
  summary = countOf(addresses.length, "resource"),
}: {
  readonly addresses: readonly PageAddress[];
  readonly summary?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="addresses">
      <Unfold isOpen={isOpen} toggle={() => setOpen(!isOpen)}>
        {summary}
      </Unfold>
      {isOpen && (
        <Windowed items={addresses} size={100} height={8}>
          {(address) => (
            <li key={address}>
              <AddressLink address={address} />
            </li>
          )}
        </Windowed>
      )}
    </div>
  );
}
