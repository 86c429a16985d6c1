import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { resolveAlias, keyText } from "../document/yaml-keys.js";
import type { Place } from "../finding/diagnostic.js";
import { oncePer } from "../../json/once.js";
import type { Path } from "../../json/path.js";
import { parseText } from "../expression/expression.js";
import type { Range } from "./range.js";

/** A range of a scalar, from the beginning of the scalar. */
interface Stretch {
  readonly offset: number;
  readonly length: number;
}

/** The expressions of one scalar, the first of each by its source and by its opening, such as `${var:`. */
interface Expressions {
  readonly bySource: ReadonlyMap<string, Stretch>;
  readonly byOpening: ReadonlyMap<string, Stretch>;
}

/** The syntax tree of one document, for locating many findings. */
export class LocatedDocument {
  // A mapping may have as many findings as members, and a scalar as many as expressions.
  readonly #membersOf = oncePer(membersOf);
  readonly #expressionsOf = oncePer(([from, to]: NonNullable<Node["range"]>) =>
    readExpressions(this.text.slice(from, to)),
  );

  constructor(
    private readonly document: Document,
    private readonly text: string,
  ) {}

  /** Gives the range of the text for a place, or the nearest one. */
  rangeOf(place: Place): Range | undefined {
    const { node, key } = this.#descend(place.path ?? []);
    if (place.expression !== undefined) {
      // The expression of an alias is written at its anchor.
      const scalar = isAlias(node) ? resolveAlias(node, this.document) : node;
      const found = scalar?.range && this.#expressionIn(scalar.range, place.expression);
      if (found) return found;
    }
    const target = place.key ? (key ?? node) : node;
    const range = target?.range ?? key?.range ?? this.document.contents?.range;
    if (!range) return undefined;
    const [start, end] = range;
    // The range of a collection is the whole block; its key, or its first line, is more useful to a reader.
    if (isCollection(target)) {
      const anchor = key?.range ?? undefined;
      if (anchor) return { start: anchor[0], end: anchor[1] };
      return { start, end: start };
    }
    return { start, end };
  }

  // Follows a path as far as the document goes: included content is located at the expression that includes it.
  #descend(path: Path): { readonly node?: Node | undefined; readonly key?: Node | undefined } {
    let node: Node | undefined = this.document.contents ?? undefined;
    let key: Node | undefined;
    for (const segment of path) {
      if (isAlias(node)) node = resolveAlias(node, this.document);
      if (isMap(node)) {
        const pair = this.#membersOf(node).get(String(segment));
        if (!pair) break;
        key = isScalar(pair.key) ? pair.key : undefined;
        node = (pair.value as Node | null) ?? undefined;
        if (!node) break;
      } else if (isCollection(node)) {
        const item: unknown = node.items[Number(segment)];
        if (item === undefined) break;
        node = item as Node;
        key = undefined;
      } else break;
    }
    return { node, key };
  }

  // Escapes and folded lines make the source differ from the value: then the scheme is searched for.
  #expressionIn(range: NonNullable<Node["range"]>, expression: string): Range | undefined {
    const { bySource, byOpening } = this.#expressionsOf(range);
    const part = bySource.get(expression) ?? byOpening.get(openingOf(expression));
    if (!part) return undefined;
    const start = range[0] + part.offset;
    return { start, end: start + Math.min(part.length, expression.length) };
  }
}

function membersOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  const members = new Map<string, Pair>();
  for (const item of map.items) {
    const name = isPair(item) ? keyText(item.key) : undefined;
    if (name !== undefined && !members.has(name)) members.set(name, item);
  }
  return members;
}

function readExpressions(text: string): Expressions {
  const bySource = new Map<string, Stretch>();
  const byOpening = new Map<string, Stretch>();
  for (const part of parseText(text)) {
    if (typeof part !== "object") continue;
    const stretch = { offset: part.offset, length: part.source.length };
    if (!bySource.has(part.source)) bySource.set(part.source, stretch);
    const opening = openingOf(part.source);
    if (!byOpening.has(opening)) byOpening.set(opening, stretch);
  }
  return { bySource, byOpening };
}

function openingOf(expression: string): string {
  return expression.slice(0, expression.indexOf(":") + 1);
}
