import type { NoteParts } from "../../generated/plan.js";
import { equal, type Json, type JsonObject } from "../../json/json.js";
import { isAddress } from "../kind/address.js";
import { addressPatterns } from "../kind/address-pattern.js";
import { renameAddresses } from "../guardrails/mention.js";

/**
 * Makes a function that writes the names of resources as they follow from the name of one: for `agent:desk-de`,
 * `policy:customer-de` is `policy:customer-*`, and so it is `policy:customer-fr` for `agent:desk-fr`. Undefined for a
 * name that has no word of its name.
 */
export function namedAlike(address: string): (name: string) => string | undefined {
  const own = new Set(wordsOf(address));
  return (name) => {
    if (name === address) return "\0";
    if (!isAddress(name) || !wordsOf(name).some((word) => own.has(word))) return undefined;
    const start = name.indexOf(":") + 1;
    const key = name.slice(start).replaceAll(/[^-._]+/g, (word) => (own.has(word) ? "*" : word));
    // Any two names may have many words in common, or few.
    return name.slice(0, start) + key.replaceAll(/\*(?:[-._]\*)+/g, "*");
  };
}

function wordsOf(address: string): string[] {
  return address.slice(address.indexOf(":") + 1).split(/[-._]/);
}

/** Gives the parts of one or more notes that differ in names of resources alone, with patterns for these. */
export function commonParts(all: readonly NoteParts[]): NoteParts {
  const [first = {}, ...others] = all;
  const different = others.filter((parts) => parts !== first && !equal(parts as Json, first as Json));
  if (different.length === 0) return first;
  const names = [first, ...different].map(namesIn);
  let at = 0;
  return renamed(first, () => {
    const same = names.flatMap((each) => each[at] ?? []);
    at++;
    return addressPatterns(same)
      .map(({ pattern }) => pattern)
      .join(", ");
  });
}

// In the order of their places.
function namesIn(parts: NoteParts): string[] {
  const names: string[] = [];
  renamed(parts, (name) => {
    names.push(name);
    return undefined;
  });
  return names;
}

function renamed(parts: NoteParts, get: (name: string) => string | undefined): NoteParts {
  return renameAddresses(parts as JsonObject, {
    get: (name) => (isAddress(name) ? get(name) : undefined),
  }) as NoteParts;
}
