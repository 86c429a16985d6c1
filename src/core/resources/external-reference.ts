import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { quote } from "../finding/quotation.js";
import type { DataOrigin } from "../expression/substituted.js";
import { externalReferences } from "../openapi/openapi.js";
import { pointerOf } from "../../json/json-pointer.js";
import type { Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";

const shownReferences = 10;

/** An OpenAPI document in a field, and where its parts were included from. */
export interface IncludedDocument {
  readonly value: Json;
  /** The path of the field. */
  readonly path: Path;
  readonly origins: readonly DataOrigin[];
}

/** Warns about the `$ref`s of an OpenAPI document that lead out of it, and names the places of the first ten. */
export function warnOfExternals(
  { value, path, origins }: IncludedDocument,
  place: (path: Path) => Place,
): Finding[] {
  const found = externalReferences(value);
  if (found.length === 0) return [];
  const times =
    found.length === 1 ? "once" : found.length >= 100 ? "100 times or more" : `${found.length} times`;
  const sent = say`the OpenAPI document refers to other files or addresses (${bare({ count: found.length }, times)}); these references are sent unchanged`;
  const isOfPath = found.some(({ path: [top, ...rest] }) => top === "paths" && rest.length <= 2);
  const message = isOfPath ? say`${sent}, and the operations of a path behind one are in no plan` : sent;
  const hint =
    "bundle the document if the service cannot reach them; `ignore: [openapi-external-ref]` under `spec` of agentform.yaml silences this warning";
  const related = found.slice(0, shownReferences).map((each) => {
    const at = [...path, ...each.path];
    return { message: quote(`#${pointerOf(each.path)}`), place: includedPlace(at, origins) ?? place(at) };
  });
  return [{ ...warning("openapi-external-ref", place(path), message, hint), related }];
}

/** Gives the place of a key in the included file that its value comes from; undefined if the document has it. */
export function includedPlace(path: Path, origins: readonly DataOrigin[]): Place | undefined {
  let found: DataOrigin | undefined;
  for (const origin of origins) {
    const isAround = origin.path.every((segment, index) => path[index] === segment);
    if (isAround && (found === undefined || origin.path.length > found.path.length)) found = origin;
  }
  if (!found) return undefined;
  const { file, at = [] } = found;
  return { file, path: [...at, ...path.slice(found.path.length)], key: true };
}
