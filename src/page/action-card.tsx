import { Component } from "preact";
import { countOf, signOf } from "./action-word.js";
import { AddressLink } from "./address-link.js";
import { ActionChanges } from "./action-changes.js";
import type { PageAction } from "../render/html/page-data.js";
import type { Dispatch } from "./page-state.js";
import type { PlanIndex } from "./plan-index.js";
import { Prose } from "./prose.js";

interface CardProps {
  readonly index: number;
  readonly action: PageAction;
  readonly plan: PlanIndex;
  readonly isOpen: boolean;
  readonly isSplit: boolean;
  readonly dispatch: Dispatch;
}

/** The `id` of the button that unfolds an action. */
export function buttonId(index: number): string {
  return `action-${index}`;
}

/** One action: a line that unfolds to why, what changes, and what follows. */
export class ActionCard extends Component<CardProps> {
  // A list may have thousands of these, and an event concerns only one.
  override shouldComponentUpdate(next: CardProps): boolean {
    const { isOpen, isSplit } = this.props;
    return next.isOpen !== isOpen || (isOpen && next.isSplit !== isSplit) || next.index !== this.props.index;
  }

  override render() {
    const { index, action, isOpen, dispatch } = this.props;
    const [kind, name] = halves(action.address);
    return (
      <li class={`card ${action.action}${isOpen ? " open" : ""}`} data-index={index}>
        <h4>
          <button
            type="button"
            id={buttonId(index)}
            aria-expanded={isOpen}
            aria-controls={isOpen ? `details-${index}` : undefined}
            onClick={() => dispatch({ type: "toggle", index })}
          >
            <span class="badge" aria-hidden="true">
              {signOf(action.action)}
            </span>
            <span class="address">
              <span class="unseen">{action.action} </span>
              <span class="kind">{kind}</span>
              <wbr />
              {name}
            </span>
            <span class="pills">
              <Pills {...this.props} />
            </span>
            {action.file !== undefined && <span class="file">{action.file}</span>}
            <span class="chevron" aria-hidden="true" />
          </button>
        </h4>
        {isOpen && <Details {...this.props} />}
      </li>
    );
  }
}

function Pills({ index, action, plan }: CardProps) {
  const effects = [...new Set(plan.notesOf(index).map(({ effect }) => effect))];
  const changes = action.changes.length + action.left;
  return (
    <>
      {effects.map((effect) => (
        <span class={`pill ${effect}`}>{effect}</span>
      ))}
      {plan.sortOf(index) === "consequence" && <span class="pill">consequence</span>}
      {action.leaves > 0 && <span class="pill">leaves {action.leaves}</span>}
      {action.deletes !== undefined && <span class="pill">deletes {action.deletes}</span>}
      {action.affectsCount > 0 && (
        <span class="pill">
          affects {action.affectsCount}
          {action.affectsMore && "+"}
        </span>
      )}
      {changes > 0 && <span class="pill">{countOf(changes, "change")}</span>}
    </>
  );
}

function Details(props: CardProps) {
  const { index, action, plan, dispatch } = props;
  return (
    <div class="details" id={`details-${index}`}>
      {plan.notesOf(index).map(({ effect, message }) => (
        <p class={`callout ${effect}`}>
          <strong>{effect}</strong> <Prose text={message} />
        </p>
      ))}
      {plan.reasonsOf(index).map((reason) => (
        <p class="reason">
          <span>because</span> <Prose text={reason} />
        </p>
      ))}
      {action.commands.length > 0 && <pre class="commands">{action.commands.join("\n")}</pre>}
      <ActionChanges {...props} />
      {action.left > 0 && (
        <p class="reason">… {countOf(action.left, "more change")}, not included in this page</p>
      )}
      {action.consequences.map((text) => (
        <p class="consequence">{text}</p>
      ))}
      <Affected {...props} />
      <button type="button" class="quiet" onClick={() => dispatch({ type: "around", index })}>
        Show in graph
      </button>
    </div>
  );
}

function Affected({ action, plan, dispatch }: CardProps) {
  const { affects, affectsCount, affectsMore } = action;
  if (affectsCount === 0) return null;
  const left = affectsCount - affects.length;
  return (
    <p class="affected">
      <span>affects</span>
      {affects.map((address) => (
        <AddressLink address={address} plan={plan} dispatch={dispatch} />
      ))}
      {left > 0 && (
        <span>
          and {affectsMore && "more than "}
          {left.toLocaleString("en")} more
        </span>
      )}
    </p>
  );
}

function halves(address: string): [string, string] {
  const colon = address.indexOf(":") + 1;
  return [address.slice(0, colon), address.slice(colon)];
}
