import type { ComponentChildren } from "preact";
import { DifferenceView } from "./difference-view.js";
import type { PageChange } from "./page-change.js";

const verbs = { "+": "new", "-": "gone", "~": "changed" } as const;
const roles = { "+": "added", "-": "removed", "~": "changed" } as const;

/** A list of changes. */
export function ChangeList({ changes, isSplit }: { changes: readonly PageChange[]; isSplit: boolean }) {
  return (
    <ul class="changes">
      {changes.map((change) => (
        <ChangeView change={change} isSplit={isSplit} />
      ))}
    </ul>
  );
}

interface ChangeViewProps {
  readonly change: PageChange;
  readonly isSplit: boolean;
  /** What is said below its field. */
  readonly children?: ComponentChildren;
}

/** One change: its field, and what was and what will be. */
export function ChangeView({ change, isSplit, children }: ChangeViewProps) {
  const { path, sign, under, origin, hand, before, after, lines } = change;
  const said = [change.said, change.note].filter(Boolean).join(" ");
  return (
    <li class="change">
      <div class="field">
        <span class={`mark ${roles[sign]}`} aria-hidden="true">
          {sign === "-" ? "−" : sign}
        </span>
        <code class="path">{path}</code>
        <span class="unseen"> {verbs[sign]} </span>
        {under !== undefined && <span class="said">under {JSON.stringify(under)}</span>}
        {origin !== undefined && <span class="said">in {origin}</span>}
        {hand !== undefined && <span class="said">{hand}</span>}
        {before !== undefined && <del class="value">{before}</del>}
        {before !== undefined && after !== undefined && (
          <span class="arrow" aria-hidden="true">
            →
          </span>
        )}
        {after !== undefined && <ins class="value">{after}</ins>}
        {said !== "" && <span class="said">{said}</span>}
      </div>
      {children}
      {lines.length > 0 && <DifferenceView lines={lines} isSplit={isSplit} />}
    </li>
  );
}
