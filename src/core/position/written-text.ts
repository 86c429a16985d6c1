import { isMap, isScalar, type Document, type Pair, type Scalar, type YAMLMap } from "yaml";
import { composeAll } from "../document/compose.js";
import { yamlHazard } from "../document/yaml-hazard.js";
import { keyText } from "../document/yaml-keys.js";
import { kindOfDocument } from "../kind/kinds.js";
import { LocatedDocument } from "./located-document.js";
import type { Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import type { Range } from "./range.js";

/** What one document of a file says it is, also if it has errors. */
export interface WrittenHead {
  /** The index of the document in the file, from 0. */
  readonly document: number;
  /** Its `kind`, as written. */
  readonly kind?: string;
  readonly name?: string;
  readonly nameRange?: Range;
  /** From its first key to its end. */
  readonly range: Range;
  /** The address of its resource, or with parameters those of its resources; missing if its kind is unknown. */
  readonly address?: string;
}

/** A text and the syntax trees of its documents; none if composing it is not safe. */
export class WrittenText {
  readonly #documents: readonly Document[];

  constructor(readonly text: string) {
    this.#documents = yamlHazard(text) ? [] : [...composeAll(text)];
  }

  /** Gives what its documents say they are; those that are empty are left out. */
  heads(): WrittenHead[] {
    return this.#documents.flatMap((document, index) => {
      const { contents } = document;
      return isMap(contents) && contents.range ? [headOf(contents, index)] : [];
    });
  }

  /** Gives what the document around an offset says it is. */
  headAt(offset: number): WrittenHead | undefined {
    return this.heads().find(({ range }) => covers(range, offset));
  }

  /** Gives the range of a place in it, or the nearest one. */
  rangeOf(place: Omit<Place, "file">): Range | undefined {
    if (place.offset !== undefined) return { start: place.offset, end: place.offset };
    const document = this.#documents[place.document ?? 0];
    return document && new LocatedDocument(document, this.text).rangeOf({ ...place, file: "" });
  }

  /** Gives the keys of the mapping at a path, with their ranges. */
  keysAt(document: number, path: Path): (Range & { readonly name: string })[] {
    const node = this.#documents[document]?.getIn(path, true);
    if (!isMap(node)) return [];
    return node.items.flatMap(({ key }) => {
      const name = keyText(key);
      const range = isScalar(key) ? rangeOfScalar(key) : undefined;
      return name === undefined || !range ? [] : [{ name, ...range }];
    });
  }

  /** Gives the path of the key or value at an offset. */
  spotAt(offset: number): WrittenSpot | undefined {
    for (const [document, { contents, range }] of this.#documents.entries()) {
      if (!range || offset < range[0] || offset > range[2]) continue;
      const spot = spotIn(contents, offset, []);
      if (spot) return { document, ...spot };
    }
    return undefined;
  }
}

/** A key or value of a document. */
export interface WrittenSpot {
  readonly document: number;
  readonly path: Path;
  readonly isKey: boolean;
  readonly range: Range;
}

function spotIn(node: unknown, offset: number, path: Path): Omit<WrittenSpot, "document"> | undefined {
  if (isScalar(node)) {
    const range = rangeOfScalar(node);
    return range && covers(range, offset) ? { path, isKey: false, range } : undefined;
  }
  if (isMap(node)) return firstOf(node.items, (pair) => spotInPair(pair, offset, path));
  const items = (node as { items?: unknown[] } | null)?.items ?? [];
  return firstOf(items.entries(), ([index, item]) => spotIn(item, offset, [...path, index]));
}

function spotInPair({ key, value }: Pair, offset: number, path: Path) {
  const name = keyText(key);
  const range = isScalar(key) ? rangeOfScalar(key) : undefined;
  if (name === undefined) return undefined;
  if (range && covers(range, offset)) return { path: [...path, name], isKey: true, range };
  return spotIn(value, offset, [...path, name]);
}

function firstOf<Each, Result>(items: Iterable<Each>, find: (item: Each) => Result | undefined) {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function covers({ start, end }: Range, offset: number): boolean {
  return start <= offset && offset <= end;
}

function headOf(contents: YAMLMap, document: number): WrittenHead {
  const [start, , end] = contents.range ?? [0, 0, 0];
  const kind = textAt(contents, ["kind"]);
  const name = textAt(contents, ["metadata", "name"]);
  const nameRange = name && rangeOfScalar(name);
  const kindName = typeof kind?.value === "string" ? kindOfDocument(kind.value)?.name : undefined;
  const key = typeof name?.value === "string" ? name.value : undefined;
  return {
    document,
    range: { start, end },
    ...(typeof kind?.value === "string" && { kind: kind.value }),
    ...(key !== undefined && { name: key }),
    ...(nameRange && { nameRange }),
    ...(kindName && key !== undefined && { address: `${kindName}:${key}` }),
  };
}

function textAt(map: YAMLMap, path: readonly string[]): Scalar | undefined {
  const node = map.getIn(path, true);
  return isScalar(node) ? node : undefined;
}

// Without its quotes.
function rangeOfScalar({ range, type }: Scalar): Range | undefined {
  if (!range) return undefined;
  const quotes = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" ? 1 : 0;
  return { start: range[0] + quotes, end: range[1] - quotes };
}
