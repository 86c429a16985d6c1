import type { OperationPick } from "../../generated/toolset.js";
import { isObject, type JsonObject } from "../../json/json.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import { outlineBudget } from "../openapi/openapi.js";
import { operationSources } from "../openapi/openapi-operation.js";
import { pickOperations } from "../openapi/openapi-pick.js";
import { Pointers } from "../openapi/openapi-pointer.js";
import { chooseOperations } from "../openapi/operation-choice.js";
import type { Selection, WrittenPlaces } from "./kind.js";
import { explainUnmatched } from "./unmatched-pick.js";

/**
 * Reduces the OpenAPI document in a field of a body to the operations that `operations` picks, to all of them where
 * it is not set; a pick of nothing is an error.
 */
export function selectOperations(
  { spec, operations }: JsonObject,
  field: string,
  written: WrittenPlaces,
): Selection {
  const body = isObject(spec) ? spec : {};
  const document = body[field];
  const unpicked = (...findings: Finding[]): Selection => ({ body, leftOut: [], findings });
  if (operations === undefined) return unpicked();
  // A text that only looks like an expression has passed the schema.
  if (!Array.isArray(operations)) return unpicked(notList(written));
  if (!isObject(document)) return unpicked(notDocument(field, written));
  const picks = operations as OperationPick[];
  const budget = outlineBudget();
  const pointers = new Pointers(document, budget);
  const sources = operationSources(document, pointers);
  // A document without operations is an error of its own.
  if (sources.length === 0 && !budget.isSpent) return unpicked();
  const { chosen, others, unmatched } = chooseOperations(sources, picks, budget);
  if (budget.isSpent) return unpicked(tooMuch(written));
  if (unmatched.length > 0) {
    const explain = explainUnmatched(sources);
    const findings = unmatched.map((index) => explain(picks[index] ?? "", ["operations", index], written));
    return { body, leftOut: [], findings };
  }
  const picked = pickOperations(document, chosen, pointers, budget);
  if (budget.isSpent) return unpicked(tooMuch(written));
  return {
    body: { ...body, [field]: picked },
    leftOut: others.map(({ operation }) => operation),
    findings: [],
  };
}

function notList({ place }: WrittenPlaces): Finding {
  const hint = "write a list: `[…]`, or a line with `- ` for each item";
  return error("document-invalid", place(["operations"]), "`operations` must be a list", hint);
}

function notDocument(field: string, { place }: WrittenPlaces): Finding {
  const message = say`${{ field }} must be a mapping, so that \`operations\` can pick from it`;
  return error("document-invalid", place(["spec", field]), message, `write \`${field}: \${file:PATH}\``);
}

function tooMuch({ place }: WrittenPlaces): Finding {
  const message = "the OpenAPI document is too large to look for these operations in it";
  const hint = "split it, use fewer `$ref`s of paths, or fewer patterns with `*`";
  return error("openapi-too-large", place(["operations"]), message, hint);
}
