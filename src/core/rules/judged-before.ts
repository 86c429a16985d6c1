import { parseDocuments } from "../document/document.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { kindOfDocument } from "../kind/kinds.js";
import type { OwnRule } from "./own-rule.js";

/** A document as a commit has it: its labels, and its address, with `*` for what `for_each` fills in. */
interface DocumentBefore {
  readonly address: string;
  readonly labels: JsonObject;
}

/** Reads the documents with labels in some files. */
export function documentsBefore(files: ReadonlyMap<string, string>): readonly DocumentBefore[] {
  return [...files].flatMap(([file, text]) =>
    /\.ya?ml$/i.test(file)
      ? parseDocuments(file, text).value.flatMap(({ value }) => documentBefore(value) ?? [])
      : [],
  );
}

function documentBefore(value: Json): DocumentBefore | undefined {
  if (!isObject(value) || !isObject(value.metadata) || typeof value.kind !== "string") return undefined;
  const { name, labels } = value.metadata;
  const kind = kindOfDocument(value.kind);
  if (!kind || typeof name !== "string" || !isObject(labels)) return undefined;
  return { address: `${kind.name}:${name.replaceAll(/\$\{[^}]*\}/g, "*")}`, labels };
}

/** Gives the addresses of the documents that a rule judges by their labels. */
export function judgedBefore(
  { scope: { kind, selector } }: OwnRule,
  documents: readonly DocumentBefore[],
): string[] {
  const wanted = Object.entries(selector);
  const isChosen = ({ address, labels }: DocumentBefore): boolean =>
    (kind === undefined || address.startsWith(`${kind}:`)) &&
    wanted.every(([name, value]) => Object.hasOwn(labels, name) && mayBe(labels[name], value));
  return wanted.length === 0 ? [] : documents.filter(isChosen).map(({ address }) => address);
}

// What `for_each` fills in may be any text.
function mayBe(label: Json | undefined, value: string): boolean {
  return label === value || (typeof label === "string" && label.includes("${"));
}

/** Whether a rule judged one of these addresses before the change. */
export function judgedAny({ judgedBefore: before = [] }: OwnRule, addresses: readonly string[]): boolean {
  return before.some((pattern) => {
    const [head = "", ...rest] = pattern.split("*");
    const tail = rest.at(-1);
    if (tail === undefined) return addresses.includes(pattern);
    return addresses.some(
      (each) => each.length > head.length + tail.length && each.startsWith(head) && each.endsWith(tail),
    );
  });
}
