import type { Action, GuardrailNote, NamedOperation, NoteParts, Plan } from "../../generated/plan.js";
import { compareText } from "../../json/compare-text.js";
import { oncePer } from "../../json/once.js";
import type { Json, JsonObject } from "../../json/json.js";
import { renameAddresses } from "../guardrails/mention.js";
import { isAddress } from "../kind/address.js";
import type { Change } from "./difference.js";
import { isSameOrigin, type KeyOf } from "./edit-groups.js";

/** Equal guardrail notes of one or more resources. */
export interface ReviewNote extends Omit<GuardrailNote, "address"> {
  readonly addresses: readonly string[];
  /** The change that the note is about, if the plan has one at its path. */
  readonly change?: Change;
}

/** Gathers the notes of a plan: equal ones of several resources are one, and of one rule, those of the fewest come first. */
export function gatherNotes({ notes, actions }: Plan, keyOf: KeyOf): ReviewNote[] {
  const changeOf = changesAt(actions, notes);
  const gathered = new Map<string, Gathered>();
  const alike = new Map<string, Set<string>>();
  for (const note of notes) {
    const { code, effect, address, path, parts } = note;
    const change = changeOf.get(placeKey(address, path));
    const edit = change && keyOf(change);
    const isText = typeof change?.before === "string" && typeof change.after === "string";
    const sort = JSON.stringify([code, effect, path, withoutNames(parts, isAddress), isText && edit]);
    const resources = alike.get(sort) ?? new Set();
    alike.set(sort, resources.add(address));
    const key = JSON.stringify([code, effect, path, withoutNames(parts, (name) => name === address), edit]);
    const known = gathered.get(key);
    if (known) {
      known.addresses.add(address);
      if (known.change && change && !isSameOrigin(known.change, change)) {
        const { origin: _origin, ...rest } = known.change;
        known.change = rest;
      }
    } else
      gathered.set(key, { note, ...(change && { change }), addresses: new Set([address]), alike: resources });
  }
  const sortOf = ({ effect, code }: GuardrailNote): string => `${effect} ${code}`;
  const places = new Map([...new Set(notes.map(sortOf))].map((sort, place) => [sort, place]));
  const placeOf = ({ note }: Gathered): number => places.get(sortOf(note)) ?? 0;
  return [...gathered.values()]
    .toSorted(
      (one, other) =>
        placeOf(one) - placeOf(other) ||
        one.alike.size - other.alike.size ||
        one.addresses.size - other.addresses.size,
    )
    .map(({ note: { address: _address, ...note }, addresses, change }) => ({
      ...note,
      addresses: [...addresses].toSorted(compareText),
      ...(change && { change }),
    }));
}

interface Gathered {
  readonly note: GuardrailNote;
  change?: Change;
  readonly addresses: Set<string>;
  /** The resources with a note that is the same but for the names of resources, such as of tool sets of their own. */
  readonly alike: ReadonlySet<string>;
}

// Parts as they are compared: the names of some resources count as equal. Lists of operations name none.
function withoutNames({ operations, ...parts }: NoteParts, isLeftOut: (address: string) => boolean): Json {
  const hidden = renameAddresses(parts as JsonObject, {
    get: (address) => (isLeftOut(address) ? "\0" : undefined),
  });
  return [hidden, operations ? textOf(operations) : null];
}

// Agents with the same tool set share a list, which may be long.
const textOf = oncePer((operations: readonly NamedOperation[]) => JSON.stringify(operations));

// By place. A new object may have many changes, each as long as a prompt, and notes are about few of them.
function changesAt(actions: readonly Action[], notes: readonly GuardrailNote[]): Map<string, Change> {
  const addresses = new Set(notes.map(({ address }) => address));
  const places = new Set(notes.map(({ address, path }) => placeKey(address, path)));
  const found = new Map<string, Change>();
  for (const { address, changes } of actions) {
    if (!addresses.has(address)) continue;
    for (const change of changes) {
      const at = placeKey(address, change.path);
      if (places.has(at) && !found.has(at)) found.set(at, change);
    }
  }
  return found;
}

/** Gives a text for a place in a resource, such as that of a change. */
export function placeKey(address: string, path = ""): string {
  return `${address} ${path}`;
}
