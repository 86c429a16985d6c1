import { isObject, type JsonObject } from "../../json/json.js";
import type { LockLocation } from "../../generated/workspace.js";
import { parseData } from "../document/document.js";

/** Parses the name of a store, or a mapping like `spec.lock`; undefined for anything else, `name` is its source. */
export function parsePlace(name: string, text: string): JsonObject | undefined {
  const { value, findings } = parseData(name, text);
  if (findings.length > 0) return undefined;
  if (typeof value === "string" && value !== "") return { store: value };
  return isObject(value) ? value : undefined;
}

/** Gives the place of the state in a manifest as JSON, with its seal. */
export function placeJson(lock: LockLocation): JsonObject {
  return { ...lock } as unknown as JsonObject;
}

/** Gives the names of the stores in places, one a line. */
export function storesIn(places: string): string[] {
  return places.split("\n").flatMap((place) => {
    const store = parsePlace("the place", place)?.store;
    return typeof store === "string" ? [store] : [];
  });
}
