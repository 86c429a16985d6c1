import { warning, type Finding, type Place, error } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { quote } from "../finding/quotation.js";
import type { DataOrigin } from "../expression/substituted.js";
import { externalReferences, outlineBudget } from "../openapi/openapi.js";
import { pointerOf } from "../../json/json-pointer.js";
import { type Json, isObject } from "../../json/json.js";
import { beginsWith, type Path } from "../../json/path.js";
import { didYouMean, meaning, nearest } from "../finding/nearest.js";
import { METHODS } from "../openapi/openapi-operation.js";
import { unknownKeys, type UnknownKey } from "../openapi/unknown-keys.js";
import { leadsOut } from "../openapi/outline-document.js";

const shownReferences = 10;

/** An OpenAPI document in a field, and where its parts were included from. */
interface IncludedDocument {
  readonly value: Json;
  readonly path: Path;
  readonly origins: readonly DataOrigin[];
}

/** Gives what is wrong with an OpenAPI document by itself; operations may only be missing where none are needed. */
export function checkOpenApi(
  included: IncludedDocument,
  { hasTools, isPicked }: { readonly hasTools: boolean; readonly isPicked: boolean },
  place: (path: Path) => Place,
): Finding[] {
  const unknown = explainUnknownKeys(included, place);
  const isMissing = !hasTools && unknown.length === 0;
  return [
    ...warnOfExternals(included, place),
    ...unknown,
    ...(isMissing ? explainWithoutOperations(included, isPicked, place) : []),
  ];
}

// Names the places of the first ten `$ref`s that lead out of the document.
function warnOfExternals(
  { value, path, origins }: IncludedDocument,
  place: (path: Path) => Place,
): Finding[] {
  const found = externalReferences(value);
  if (found.length === 0) return [];
  const times =
    found.length === 1 ? "once" : found.length >= 100 ? "100 times or more" : `${found.length} times`;
  const sent = say`the OpenAPI document refers to other files or addresses (${bare({ count: found.length }, times)}); these references are sent unchanged`;
  const isOfPath = found.some(([top, ...rest]) => top === "paths" && rest.length <= 2);
  const message = isOfPath ? say`${sent}, and the operations of a path behind one are in no plan` : sent;
  const hint =
    "bundle the document if the service cannot reach them; `ignore: [openapi-external-ref]` under `spec` of agentform.yaml silences this warning";
  const related = found.slice(0, shownReferences).map((each) => {
    const at = [...path, ...each];
    return { message: quote(`#${pointerOf(each)}`), place: includedPlace(at, origins) ?? place(at) };
  });
  return [{ ...warning("openapi-external-ref", place(path), message, hint), related }];
}

/** Gives the place of a key in the included file that its value comes from; undefined if the document has it. */
function includedPlace(path: Path, origins: readonly DataOrigin[]): Place | undefined {
  let found: DataOrigin | undefined;
  for (const origin of origins) {
    if (beginsWith(path, origin.path) && (found === undefined || origin.path.length > found.path.length))
      found = origin;
  }
  if (!found) return undefined;
  const { file, at = [] } = found;
  return { file, path: [...at, ...path.slice(found.path.length)], key: true };
}

/** Refuses what a client may take for operations of an OpenAPI document, and no plan would show. */
function explainUnknownKeys(
  { value, path, origins }: IncludedDocument,
  place: (path: Path) => Place,
): Finding[] {
  return unknownKeys(value, outlineBudget()).map((unknown) => {
    const at = [...path, ...unknown.path];
    const { message, hint } = wordsOf(unknown);
    const own = includedPlace(at, origins) ?? { ...place(at), key: true };
    return error("openapi-unknown-key", own, message, hint);
  });
}

function wordsOf({ path, sort }: UnknownKey): { readonly message: Sentence; readonly hint: Sentence } {
  const name = path.at(-1) ?? "";
  if (sort === "path") {
    return {
      message: say`the path ${{ name }} of the OpenAPI document does not begin with one slash, so a client may call another host`,
      hint: "write it with one slash at its start, or as an extension: `x-…`",
    };
  }
  if (sort === "twice") {
    return {
      message: say`${{ field: name }} of the OpenAPI document stands beside a \`$ref\` that leads to another one, and a client may take either`,
      hint: "keep one of them",
    };
  }
  if (sort === "scheme") {
    return {
      message: say`the security scheme ${{ name }} of the OpenAPI document is another one under \`components\`, and a client may take either`,
      hint: "keep one of them",
    };
  }
  const message = say`${{ field: name }} of a path of the OpenAPI document is not known here, and the service may take it for an operation`;
  if (sort === "method")
    return { message, hint: say`write it in lower case: ${{ field: name.toLowerCase() }}` };
  const meant = didYouMean(name, METHODS);
  if (meant) return { message, hint: meant };
  return {
    message,
    hint: "remove it; `operations` of the tool set can pick the operations to use, and leaves out all else",
  };
}

const way: Sentence = "write each operation as a method under a path: `paths: {/tickets: {get: {…}}}`";

/** Reports a document without operations, unless they may be in other files and none has to be picked. */
function explainWithoutOperations(
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
