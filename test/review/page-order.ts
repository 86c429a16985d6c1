import { isObject, type Json, type JsonObject } from "../../src/json/json.js";
import type { Thing } from "./review-order.js";

/** Gives what the page of a plan shows unfolded after its counts, in its order; undefined if the page has no such order. */
export function thingsOfPage(html: string): Thing[] | undefined {
  const text = /<script type="application\/json" id="plan">(.*?)<\/script>/s.exec(html)?.[1] ?? "null";
  const page = JSON.parse(text) as Json;
  if (!isObject(page) || !isObject(page.review)) return undefined;
  const actions = listOf(page.actions);
  const changes = listOf(page.changes).map(withPlainLines);
  const at = (list: readonly Json[], index: Json | undefined): Json => list[Number(index ?? -1)] ?? null;
  const addressOf = (index: Json): string => {
    if (typeof index === "string") return index;
    const action = at(actions, index);
    return isObject(action) && typeof action.address === "string" ? action.address : "";
  };
  const { notes, review, state, settings } = page;
  return [
    ...listOf(state).map((edit) => ({
      sort: "state",
      of: [addressOf(edit.name ?? "")],
      text: JSON.stringify(edit),
    })),
    ...listOf(settings).map((change) => ({
      sort: "setting",
      of: [addressOf(change.path ?? "")],
      text: JSON.stringify(change),
    })),
    ...listOf(notes).map((note) => ({
      sort: `note ${note.code as string}`,
      of: (Array.isArray(note.addresses) ? note.addresses : []).map(addressOf),
      text: JSON.stringify([note, at(changes, note.change)]),
    })),
    ...listOf(review.onlyHere).map((edit) => ({
      sort: "only here",
      of: [addressOf(edit.action ?? -1)],
      text: JSON.stringify([
        (Array.isArray(edit.changes) ? edit.changes : []).map((change) => at(changes, change)),
        at(actions, edit.action),
      ]),
    })),
  ];
}

// A line is its kind and its parts, of which those that changed are lists.
function withPlainLines(change: JsonObject): JsonObject {
  const { lines } = change;
  if (!Array.isArray(lines)) return change;
  return { ...change, lines: lines.map((line) => (Array.isArray(line) ? line.flat().join("") : line)) };
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
