import { isAlias, isMap, isScalar, isSeq, type Alias, type Document, type Node } from "yaml";
import { setMember } from "../../json/json.js";
import { resolveAlias, keyText } from "./yaml-keys.js";

/** The reason why there is no value: an alias, with its problem, or a key that is not a text. */
export interface NoValue {
  readonly problem: "unresolved-alias" | "too-many-aliases" | "collection-key";
  /** Where it begins in the text, in UTF-16 code units. */
  readonly offset: number;
}

const mostRepeated = 1_000_000;

/** Gives the value of a document without errors; it may contain itself, and aliases repeat at most 1,000,000. */
export function valueOf(
  document: Document,
): { readonly ok: true; readonly value: unknown } | ({ readonly ok: false } & NoValue) {
  const conversion = new Conversion(document);
  const value = conversion.convert(document.contents);
  return conversion.found ? { ok: false, ...conversion.found } : { ok: true, value };
}

class Conversion {
  found: NoValue | undefined;
  readonly #made = new Map<Node, { readonly value: unknown; size: number }>();
  #values = 0;
  #repeated = 0;

  constructor(private readonly document: Document) {}

  convert(node: Node | null | undefined): unknown {
    this.#values += 1;
    if (isScalar(node)) return node.value;
    if (isAlias(node)) return this.#repeat(node);
    const before = this.#values;
    const value: unknown = isSeq(node) ? [] : {};
    const made = { value, size: 0 };
    if (node?.anchor !== undefined) this.#made.set(node, made);
    if (isSeq(node))
      for (const item of node.items) (value as unknown[]).push(this.convert(item as Node | null));
    else if (isMap(node)) {
      for (const { key, value: member } of node.items) {
        this.#set(value as Record<string, unknown>, key as Node | null, member as Node | null);
      }
    } else return null;
    made.size = this.#values - before;
    return value;
  }

  #set(target: Record<string, unknown>, key: Node | null, member: Node | null): void {
    const named = isAlias(key) ? resolveAlias(key, this.document) : key;
    const name = keyText(named);
    if (name === undefined) this.found ??= { problem: "collection-key", offset: key?.range?.[0] ?? 0 };
    // One that is refused is kept, so that it is found.
    else setMember(target, name, this.convert(member));
  }

  #repeat(alias: Alias): unknown {
    const target = resolveAlias(alias, this.document);
    const offset = alias.range?.[0] ?? 0;
    if (target === undefined) this.found ??= { problem: "unresolved-alias", offset };
    if (target === undefined || isScalar(target)) return target?.value;
    const made = this.#made.get(target);
    this.#values += made?.size ?? 0;
    this.#repeated += made?.size ?? 0;
    if (this.#repeated > mostRepeated) this.found ??= { problem: "too-many-aliases", offset };
    return made?.value;
  }
}
