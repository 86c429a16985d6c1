import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { quote } from "../finding/quotation.js";
import { idsOf } from "../kind/identity.js";
import { nameOf, type FoundObject } from "./found-object.js";

/** Names an object in a message. */
export function objectText(object: FoundObject): string {
  if (object.alias !== undefined) return object.alias;
  const ids = idsOf(object.identity);
  const more = ids.length > 1 ? ` and ${ids.length - 1} more` : "";
  const which = `${ids[0] ?? "no ID"}${more}`;
  const name = nameOf(object);
  return name === "" ? which : `${quote(name)} (${which})`;
}

/** Says that an object is not imported. */
export function leftOut(object: FoundObject, why: Sentence, hint?: string): Finding {
  return error(
    "import-left-out",
    undefined,
    say`${object.kind.noun[0]} ${bare({ ids: [...idsOf(object.identity)] }, objectText(object))}: ${why}`,
    hint,
  );
}
