import { meaning, nearest } from "../finding/nearest.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { say, type Sentence } from "../finding/said.js";
import { isObject, type Json } from "../../json/json.js";
import { leadsOut } from "../openapi/outline-document.js";
import type { Path } from "../../json/path.js";
import { includedPlace, type IncludedDocument } from "./external-reference.js";

const way: Sentence = "write each operation as a method under a path: `paths: {/tickets: {get: {…}}}`";

/**
 * Reports an OpenAPI document without operations, where they should be; nothing if they may be in other files, as long
 * as none has to be picked.
 */
export function explainWithoutOperations(
  { value, path, origins }: IncludedDocument,
  isPicked: boolean,
  place: (path: Path) => Place,
): Finding[] {
  if (!isObject(value)) return [];
  const isOutside = isElsewhere(value.paths);
  if (isOutside && !isPicked) return [];
  const wrong = (at: Path, message: Sentence, hint: Sentence): Finding[] => {
    const within = [...path, ...at];
    const own = at.length === 0 ? undefined : includedPlace(within, origins);
    const inDocument = { ...place(within), ...(at.length > 0 && { key: true as const }) };
    return [error("openapi-without-operations", own ?? inDocument, message, hint)];
  };
  if (value.paths !== undefined) {
    const message = "`paths` of the OpenAPI document has no operations, so there would be no tool";
    return wrong(["paths"], message, isOutside ? "bundle the document, so that it has them itself" : way);
  }
  const misspelt = Object.keys(value).find((key) => nearest(key.toLowerCase(), ["paths"]) ?? isPaths(key));
  if (misspelt !== undefined) {
    const message = say`unknown field ${{ field: misspelt }}: the OpenAPI document has no \`paths\`, so there would be no tool`;
    return wrong([misspelt], message, meaning(misspelt, "paths"));
  }
  const outer = Object.keys(value).find((key) => isObject(value[key]) && value[key].paths !== undefined);
  if (outer !== undefined) {
    const message = "`paths` is too deep in the OpenAPI document, so there would be no tool";
    return wrong([outer, "paths"], message, "move it to the top level, beside `info`");
  }
  const message =
    value.webhooks === undefined
      ? "the OpenAPI document has no `paths`, so there would be no tool"
      : "the OpenAPI document has no `paths`, and webhooks give no tools";
  return wrong([], message, way);
}

function isPaths(key: string): boolean {
  return key.toLowerCase() === "paths";
}

// What is behind a reference to another file or address is not known here, but a service may follow it.
function isElsewhere(paths: Json | undefined): boolean {
  if (!isObject(paths)) return false;
  return [paths, ...Object.values(paths)].some(leadsOut);
}
