import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { say, type Sentence } from "../finding/said.js";
import type { Path } from "../../json/path.js";
import { didYouMean } from "../finding/nearest.js";
import { METHODS } from "../openapi/openapi-operation.js";
import { outlineBudget } from "../openapi/openapi.js";
import { unknownKeys, type UnknownKey } from "../openapi/unknown-keys.js";
import { includedPlace, type IncludedDocument } from "./external-reference.js";

/** Refuses what a client may take for operations of an OpenAPI document, and no plan would show. */
export function explainUnknownKeys(
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
