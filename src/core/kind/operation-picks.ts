import type { OperationPick } from "../../generated/toolset.js";
import type { JsonObject } from "../../json/json.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { outlineBudget } from "../openapi/openapi.js";
import { operationSources } from "../openapi/openapi-operation.js";
import { pickOperations } from "../openapi/openapi-pick.js";
import { Pointers } from "../openapi/openapi-pointer.js";
import { chooseOperations } from "../openapi/operation-choice.js";
import type { Selection, WrittenPlaces } from "./kind.js";
import { explainUnmatched } from "./unmatched-pick.js";

/** Reduces the OpenAPI document in a field of a body to the operations that are picked; a pick of nothing is an error. */
export function selectOperations(
  body: JsonObject,
  field: string,
  picks: readonly OperationPick[],
  written: WrittenPlaces,
): Selection {
  const document = body[field] as JsonObject;
  const budget = outlineBudget();
  const pointers = new Pointers(document, budget);
  const sources = operationSources(document, pointers);
  const { chosen, others, unmatched } = chooseOperations(sources, picks, budget);
  const leftOut = others.map(({ operation }) => operation);
  if (budget.isSpent) return { body, leftOut, findings: [tooMuch(written)] };
  if (unmatched.length > 0) {
    const explain = explainUnmatched(sources);
    const findings = unmatched.map((index) => explain(picks[index] ?? "", ["operations", index], written));
    return { body, leftOut, findings };
  }
  return { body: { ...body, [field]: pickOperations(document, chosen, pointers) }, leftOut, findings: [] };
}

function tooMuch({ place }: WrittenPlaces): Finding {
  const message = "the OpenAPI document is too large to look for these operations in it";
  const hint = "split it, use fewer `$ref`s of paths, or fewer patterns with `*`";
  return error("openapi-too-large", place(["operations"]), message, hint);
}
