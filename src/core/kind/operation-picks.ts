import type { OperationPick } from "../../generated/toolset.js";
import { isObject, type JsonObject } from "../../json/json.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { say, Said, type Sentence, bare, fewOf } from "../finding/said.js";
import { pickBudget } from "../openapi/openapi.js";
import { operationSources, routeOf, type OperationSource } from "../openapi/openapi-operation.js";
import { chooseOperations, splitRoute, tagsOf, pickOperations } from "../openapi/operation-choice.js";
import { Pointers } from "../openapi/openapi-pointer.js";
import type { Selection, WrittenPlaces } from "./kind.js";
import { addTo } from "../../json/groups.js";
import { didYouMeanAmong } from "../finding/nearest.js";
import { quote } from "../finding/quotation.js";

/** How many compared characters take as long as one look whether two names are nearly the same. */
const likenessCost = 200;

/** Reduces an OpenAPI document to the operations picked, all if that is not set; a pick of nothing is an error. */
export function selectOperations({ spec, operations }: JsonObject, written: WrittenPlaces): Selection {
  const body = isObject(spec) ? spec : {};
  const document = body.openapi_schema;
  const unpicked = (...findings: Finding[]): Selection => ({ body, leftOut: [], findings });
  if (operations === undefined) return unpicked();
  // A text that only looks like an expression has passed the schema.
  if (!Array.isArray(operations)) return unpicked(notList(written));
  if (!isObject(document)) return unpicked(notDocument(written));
  const picks = operations as OperationPick[];
  const budget = pickBudget(written.all);
  if (budget.isSpent) return unpicked(...tooMuch(written));
  const pointers = new Pointers(document, budget);
  const sources = operationSources(document, pointers);
  // A document without operations is an error of its own.
  if (sources.length === 0 && !budget.isSpent) return unpicked();
  const { chosen, others, unmatched } = chooseOperations(sources, picks, budget);
  if (budget.isSpent) return unpicked(...tooMuch(written));
  if (unmatched.length > 0) {
    const isAfforded = budget.spend(unmatched.length * sources.length * likenessCost);
    const names = namesOf(sources, isAfforded ? didYouMeanAmong : () => () => undefined);
    return unpicked(...unmatched.map((index) => explainUnmatched(picks[index] ?? "", index, names, written)));
  }
  const picked = pickOperations(document, chosen, pointers, budget);
  if (budget.isSpent) return unpicked(...tooMuch(written));
  const leftOut = others.map(({ operation }) => operation);
  return { body: { ...body, openapi_schema: picked }, leftOut, findings: [] };
}

function notList({ place }: WrittenPlaces): Finding {
  const hint = "write a list: `[…]`, or a line with `- ` for each item";
  return error("document-invalid", place(["operations"]), "`operations` must be a list", hint);
}

function notDocument({ place }: WrittenPlaces): Finding {
  const field = "openapi_schema";
  const message = say`${{ field }} must be a mapping, so that \`operations\` can pick from it`;
  return error("document-invalid", place(["spec", field]), message, `write \`${field}: \${file:PATH}\``);
}

// What is too much for the workspace is said of its manifest.
function tooMuch({ place, all }: WrittenPlaces): Finding[] {
  if (all?.isSpent === true) return [];
  const message = "the OpenAPI document is too large to look for these operations in it";
  const hint = "split it, use fewer `$ref`s of paths, or fewer patterns with `*` and tags";
  return [error("openapi-too-large", place(["operations"]), message, hint)];
}

// Explains an item of `operations` that chooses none of the operations.
function explainUnmatched(
  pick: OperationPick,
  index: number,
  names: PickNames,
  { place, isQuotable }: WrittenPlaces,
): Finding {
  const path = ["operations", index];
  const at = place(typeof pick === "string" ? path : [...path, "tag"]);
  if (!isQuotable(path)) {
    const message = say`no operation of the OpenAPI document matches \`${bare({ field: `operations[${index}]` })}\``;
    return error("operation-unknown", at, message, names.known.operations);
  }
  const { message, hint } = typeof pick === "string" ? explainText(pick, names) : explainTag(pick.tag, names);
  return error("operation-unknown", at, message, hint);
}

interface ExplainedPick {
  readonly message: Sentence;
  readonly hint: Sentence;
}

interface PickNames {
  readonly tags: ReadonlySet<string>;
  readonly methods: ReadonlyMap<string, readonly string[]>;
  readonly meantId: (word: string) => Said | undefined;
  readonly meantTag: (word: string) => Said | undefined;
  readonly meantRoute: (word: string) => Said | undefined;
  /** Hints that say what there is. */
  readonly known: Readonly<Record<"operations" | "ids" | "paths" | "tags", Sentence>>;
}

function namesOf(sources: readonly OperationSource[], among: typeof didYouMeanAmong): PickNames {
  const operations = sources.map(({ operation }) => operation);
  const ids = operations.flatMap(({ operationId }) => operationId ?? []);
  const tags = [...new Set(sources.flatMap(tagsOf))];
  const methods = new Map<string, string[]>();
  for (const { method, path } of operations) addTo(methods, path, method);
  const keys = operations.map((operation) => operation.operationId ?? routeOf(operation));
  return {
    tags: new Set(tags),
    methods,
    meantId: among(ids),
    meantTag: among(tags),
    meantRoute: among(operations.map(routeOf)),
    known: {
      operations: say`it has ${fewOf(keys)}`,
      ids: ids.length > 0 ? say`it has ${fewOf(ids)}` : "its operations have none; write `METHOD /path`",
      paths: say`it has ${fewOf([...methods.keys()])}`,
      tags: tags.length > 0 ? say`they have ${fewOf(tags)}` : "they have no tags",
    },
  };
}

function explainText(text: string, names: PickNames): ExplainedPick {
  const route = splitRoute(text);
  return route ? explainRoute(text, route, names) : explainId(text, names);
}

function explainRoute(
  text: string,
  { method, path }: { method: string; path: string },
  names: PickNames,
): ExplainedPick {
  const methods = names.methods.get(path);
  return {
    message: say`no operation of the OpenAPI document matches ${{ found: text }}`,
    hint: methods
      ? say`${quote(path)} has ${bare({ expected: [...methods] })}`
      : (writtenAs(text, names.meantRoute(`${method} ${path}`)) ?? names.known.paths),
  };
}

// The route is compared as it is known, and changed as it is written.
function writtenAs(from: string, hint: Said | undefined): Said | undefined {
  const fixes = hint?.fixes.map((fix) => ({ ...fix, from }));
  return hint && new Said(hint.text, hint.parts, fixes);
}

function explainId(text: string, { tags, methods, meantId, known }: PickNames): ExplainedPick {
  const method = methods.get(text)?.[0];
  return {
    message: say`no operation of the OpenAPI document has the operationId ${{ found: text }}`,
    hint:
      (tags.has(text) ? say`it is a tag: write \`${bare({ meant: `{tag: ${text}}` })}\`` : undefined) ??
      (method === undefined ? undefined : say`it is a path: write ${{ meant: `${method} ${text}` }}`) ??
      meantId(text) ??
      (text.includes("*") ? "`*` is only for `METHOD /path`, such as `GET /tickets/*`" : known.ids),
  };
}

function explainTag(tag: string, { meantTag, known }: PickNames): ExplainedPick {
  return {
    message: say`no operation of the OpenAPI document has the tag ${{ found: tag }}`,
    hint: meantTag(tag) ?? known.tags,
  };
}
