import { addTo } from "../../json/groups.js";
import { Said, type Sentence, say, bare, fewOf } from "../finding/said.js";
import type { OperationPick } from "../../generated/toolset.js";
import type { Path } from "../../json/path.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { didYouMeanAmong } from "../finding/nearest.js";
import { quote } from "../finding/quotation.js";
import { routeOf, type OperationSource } from "../openapi/openapi-operation.js";
import { splitRoute, tagsOf } from "../openapi/operation-choice.js";
import type { WrittenPlaces } from "./kind.js";

type Explain = (pick: OperationPick, path: Path, written: WrittenPlaces) => Finding;

/** Makes a function that explains an item of `operations` that chooses none of the operations. */
export function explainUnmatched(sources: readonly OperationSource[]): Explain {
  const names = namesOf(sources);
  return (pick, path, { place, isQuotable }) => {
    const at = place(typeof pick === "string" ? path : [...path, "tag"]);
    if (!isQuotable(path)) {
      const message = say`no operation of the OpenAPI document matches \`${bare({ field: `operations[${path.at(-1)}]` })}\``;
      return error("operation-unknown", at, message, names.known.operations);
    }
    const { message, hint } =
      typeof pick === "string" ? explainText(pick, names) : explainTag(pick.tag, names);
    return error("operation-unknown", at, message, hint);
  };
}

interface ExplainedPick {
  readonly message: Sentence;
  readonly hint: Sentence;
}

interface PickNames {
  readonly tags: ReadonlySet<string>;
  /** The methods by path. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  readonly meantId: (word: string) => Said | undefined;
  readonly meantTag: (word: string) => Said | undefined;
  readonly meantRoute: (word: string) => Said | undefined;
  /** Hints that say what there is. */
  readonly known: Readonly<Record<"operations" | "ids" | "paths" | "tags", Sentence>>;
}

function namesOf(sources: readonly OperationSource[]): PickNames {
  const operations = sources.map(({ operation }) => operation);
  const ids = operations.flatMap(({ operationId }) => operationId ?? []);
  const tags = [...new Set(sources.flatMap(tagsOf))];
  const methods = new Map<string, string[]>();
  for (const { method, path } of operations) addTo(methods, path, method);
  const keys = operations.map((operation) => operation.operationId ?? routeOf(operation));
  return {
    tags: new Set(tags),
    methods,
    meantId: didYouMeanAmong(ids),
    meantTag: didYouMeanAmong(tags),
    meantRoute: didYouMeanAmong(operations.map(routeOf)),
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
