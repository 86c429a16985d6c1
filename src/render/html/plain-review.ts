import type { Action, Change, Plan } from "../../generated/plan.js";
import { isConsequence } from "../../core/plan/consequence.js";
import type { EditGroup } from "../../core/plan/edit-groups.js";
import type { Review, ReviewNote } from "../../core/plan/review.js";
import { actionChanges } from "../change/action-changes.js";
import { otherReasons } from "../change/action-sentences.js";
import { renderAction, type ActionStyle } from "../change/action-text.js";
import { renderChange } from "../change/change-text.js";
import { shownChange } from "../change/shown-change.js";
import { countText } from "../words/count-text.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";
import type { OwnEdits } from "../change/own-edits.js";
import { escapeHtml } from "./html-text.js";
import { groupTitle } from "../plan/group-title.js";
import { notJudgedHere, ownEditsByWeight, shownWithNote } from "../plan/plan-review.js";
import { asSentence, reviewMeanings, reviewTitles } from "../words/review-words.js";

// Characters of differences and details for a viewer that runs no scripts; what is beyond is named without them.
const mostDetails = 600_000;
// Addresses that are shown unfolded.
const mostBeside = 3;

/** Renders the parts of a review, in their order, as HTML that needs no script. */
export function plainReview(plan: Plan, review: Review): string[] {
  const page = new PlainReview(plan.environment);
  return [
    ...page.notes(review.notes),
    ...page.held(review.held),
    ...page.onlyHere(ownEditsByWeight(review)),
    ...page.groups(review.groups),
    ...page.consequences(review.consequences),
    ...notJudged(review),
  ];
}

class PlainReview {
  readonly #style: ActionStyle & { readonly compact: boolean };
  readonly #told = new Set<Action>();
  #room = mostDetails;

  constructor(environment: string | null) {
    this.#style = { palette: paletteOf(false), width: 100, environment, compact: false };
  }

  notes(notes: readonly ReviewNote[]): string[] {
    return list(
      reviewTitles.notes,
      undefined,
      notes.map((note) => {
        const { effect, addresses, message, code } = note;
        const text = escapeHtml(safeLine(`${message} [${code}]`));
        return `<strong>${effect}</strong> ${named(addresses)}: ${text}${this.#noted(shownWithNote(note))}`;
      }),
    );
  }

  held(actions: readonly Action[]): string[] {
    return list(
      reviewTitles.held,
      asSentence(reviewMeanings.held),
      actions.map((action) => `${headOf(action)}${this.#details(action)}`),
    );
  }

  onlyHere(all: readonly OwnEdits[]): string[] {
    return list(
      reviewTitles.onlyHere,
      asSentence(reviewMeanings.onlyHere),
      all.map((own) => {
        const { action, changes } = own;
        const judged = notJudgedHere(own).map((text) => ` ${escapeHtml(safeLine(text))}`);
        return `${headOf(action)}${judged.join("")}${this.#changed(action, changes)}${this.#around(action)}`;
      }),
    );
  }

  groups(groups: readonly EditGroup[]): string[] {
    return list(
      reviewTitles.groups,
      asSentence(reviewMeanings.groups),
      groups.map((group) => {
        const { change, actions } = group;
        const items = actions.map((action) => `<li>${headOf(action)}${this.#around(action)}</li>`);
        const head = `<summary>${countText(actions.length, "resource")}</summary>`;
        const title = `<p>${escapeHtml(safeLine(groupTitle(group)))}</p>`;
        return `${title}${actions[0] ? this.#changed(actions[0], [change]) : ""}<details>${head}<ul>${items.join("")}</ul></details>`;
      }),
    );
  }

  consequences(actions: readonly Action[]): string[] {
    if (actions.length === 0) return [];
    const items = actions.map((action) => `<li>${headOf(action)}${this.#details(action)}</li>`);
    return [
      `<h2>${reviewTitles.consequences}</h2>`,
      `<p>${asSentence(reviewMeanings.consequences)}</p>`,
      `<details><summary>${countText(actions.length, "resource")}</summary>`,
      "<ul>",
      ...items,
      "</ul>",
      "</details>",
    ];
  }

  #changed(action: Action, changes: readonly Change[]): string {
    return this.#block(() => {
      const shown = actionChanges({ ...action, changes: [...changes] }, this.#style);
      const more = shown.left > 0 ? [`… ${countText(shown.left, "more change")}`] : [];
      return [...shown.changes.flatMap((change) => renderChange(change, this.#style)), ...more];
    });
  }

  #noted(change: Change | undefined): string {
    if (change === undefined) return "";
    return this.#block(() => renderChange(shownChange(change, this.#style), this.#style));
  }

  #details(action: Action): string {
    return this.#block(() => {
      return renderAction(action, this.#style)
        .slice(1)
        .map((line) => line.replace(/^ {4}/, ""));
    });
  }

  // Why, and what follows, once for all edits of a resource.
  #around(action: Action): string {
    if (this.#told.has(action)) return "";
    this.#told.add(action);
    return this.#details({
      ...action,
      reasons: otherReasons(action),
      changes: action.changes.filter(isConsequence),
    });
  }

  #block(lines: () => readonly string[]): string {
    const text = this.#room > 0 ? lines().join("\n") : "";
    this.#room -= text.length;
    return text === "" ? "" : `<pre>${escapeHtml(text)}</pre>`;
  }
}

function notJudged({ notJudged: fields, newNotJudged }: Review): string[] {
  return list(reviewTitles.notJudged, asSentence(reviewMeanings.notJudged), [
    ...fields.map(({ field, resources }) => `${codeOf(field)} in ${countText(resources, "resource")}`),
    ...(newNotJudged > 0 ? [countText(newNotJudged, "new resource")] : []),
  ]);
}

function list(title: string, meaning: string | undefined, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [
    `<h2>${title}</h2>`,
    ...(meaning === undefined ? [] : [`<p>${meaning}</p>`]),
    "<ul>",
    ...items.map((item) => `<li>${item}</li>`),
    "</ul>",
  ];
}

function headOf({ address, action, file }: Action): string {
  const place = file === undefined ? "" : ` <small>${escapeHtml(safeLine(file))}</small>`;
  return `<strong>${action}</strong> ${codeOf(address)}${place}`;
}

function named(addresses: readonly string[]): string {
  const beside = addresses.slice(0, mostBeside).map(codeOf).join(", ");
  const more = addresses.slice(mostBeside);
  if (more.length === 0) return beside;
  return `${beside} <details><summary>and ${more.length} more</summary>${more.map(codeOf).join(" ")}</details>`;
}

function codeOf(text: string): string {
  return `<code>${escapeHtml(safeLine(text))}</code>`;
}
