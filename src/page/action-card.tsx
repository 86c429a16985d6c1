import { choiceOfPlan } from "../core/state/state-choice.js";
import { Component } from "preact";
import { Badge, countOf } from "./action-word.js";
import { AddressLink } from "./address-link.js";
import { ActionChanges } from "./action-changes.js";
import type { Action } from "../generated/plan.js";
import { resolution } from "../render/view/action-sentences.js";
import { PageContext, usePage, type PageTools } from "./page-context.js";
import { Prose } from "./prose.js";

interface CardProps {
  readonly index: number;
  readonly action: Action;
  readonly isOpen: boolean;
  readonly isSplit: boolean;
}

/** The `id` of the button that unfolds an action. */
export function buttonId(index: number): string {
  return `action-${index}`;
}

/** One action: a line that unfolds to why, what changes, and what follows. */
export class ActionCard extends Component<CardProps> {
  static override readonly contextType = PageContext;

  // A list may have thousands of these, and an event concerns only one.
  override shouldComponentUpdate(next: CardProps): boolean {
    const { isOpen, isSplit } = this.props;
    return next.isOpen !== isOpen || (isOpen && next.isSplit !== isSplit) || next.index !== this.props.index;
  }

  override render() {
    const { index, action, isOpen } = this.props;
    const tools: PageTools = this.context;
    const [kind, name] = halves(action.address);
    return (
      <li class={`card ${action.action}${isOpen ? " open" : ""}`} data-index={index}>
        <h4>
          <button
            type="button"
            id={buttonId(index)}
            aria-expanded={isOpen}
            aria-controls={isOpen ? `details-${index}` : undefined}
            onClick={() => tools.dispatch({ type: "toggle", index })}
          >
            <Badge action={action.action} />
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

function Pills({ index, action }: CardProps) {
  const { plan } = usePage();
  const effects = [...new Set(plan.notesOf(index).map(({ effect }) => effect))];
  const { leaves = 0, affects, changes } = action;
  return (
    <>
      {effects.map((effect) => (
        <span class={`pill ${effect}`}>{effect}</span>
      ))}
      {plan.sortOf(index) === "consequence" && <span class="pill">consequence</span>}
      {leaves > 0 && <span class="pill">leaves {leaves}</span>}
      {action.deletes !== undefined && <span class="pill">deletes {action.deletes}</span>}
      {affects.length > 0 && (
        <span class="pill">
          affects {affects.length}
          {action.affects_more && "+"}
        </span>
      )}
      {changes.length > 0 && <span class="pill">{countOf(changes.length, "change")}</span>}
    </>
  );
}

function Details(props: CardProps) {
  const { index, action } = props;
  const { plan, dispatch } = usePage();
  const { reasons, leaves, follows } = plan.aboutOf(action);
  const ways = resolution(action, choiceOfPlan(plan.plan)).map(({ where, text }) => `${where}: ${text}`);
  return (
    <div class="details" id={`details-${index}`}>
      {plan.notesOf(index).map(({ effect, message }) => (
        <p class={`callout ${effect}`}>
          <strong>{effect}</strong> <Prose text={message} />
        </p>
      ))}
      {reasons.map((reason) => (
        <p class="reason">
          <span>because</span> <Prose text={reason} />
        </p>
      ))}
      {ways.length > 0 && <pre class="commands">{ways.join("\n")}</pre>}
      <ActionChanges {...props} />
      {[...leaves, ...follows].map((text) => (
        <p class="consequence">{text}</p>
      ))}
      <Affected action={action} />
      <button type="button" class="quiet" onClick={() => dispatch({ around: index, isGraphShown: true })}>
        Show in graph
      </button>
    </div>
  );
}

const mostAffected = 40;

function Affected({ action: { affects, affects_more: isMore } }: { readonly action: Action }) {
  if (affects.length === 0) return null;
  const left = affects.length - mostAffected;
  return (
    <p class="affected">
      <span>affects</span>
      {affects.slice(0, mostAffected).map((address) => (
        <AddressLink address={address} />
      ))}
      {left > 0 && (
        <span>
          and {isMore && "more than "}
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
