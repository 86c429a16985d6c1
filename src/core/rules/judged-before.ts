import { parseDocuments } from "../document/document.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { kindOfDocument } from "../kind/kinds.js";
import type { OwnRule } from "./own-rule.js";

/** A document as a commit has it: its labels, and its address, with `*` for what `for_each` fills in. */
interface DocumentBefore {
  readonly address: string;
  readonly labels: JsonObject;
}

/** Reads the documents in some files. */
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
  if (!kind || typeof name !== "string") return undefined;
  const address = `${kind.name}:${name.replaceAll(/\$\{[^}]*\}/g, "*")}`;
  return { address, labels: isObject(labels) ? labels : {} };
}

/** Gives the addresses of the documents that a rule judges by their labels, and of those that it may not judge. */
export function judgedBefore(
  { scope: { kind, selector } }: OwnRule,
  documents: readonly DocumentBefore[],
): Pick<OwnRule, "judgedBefore" | "unjudgedBefore"> {
  const wanted = Object.entries(selector);
  if (wanted.length === 0) return {};
  const chosenBy =
    (fits: (label: Json | undefined, value: string) => boolean) =>
    ({ address, labels }: DocumentBefore): boolean =>
      (kind === undefined || address.startsWith(`${kind}:`)) &&
      wanted.every(([name, value]) => Object.hasOwn(labels, name) && fits(labels[name], value));
  const [isChosen, isCertain] = [chosenBy(mayBe), chosenBy((label, value) => label === value)];
  const addresses = (chosen: readonly DocumentBefore[]) => chosen.map(({ address }) => address);
  return {
    judgedBefore: addresses(documents.filter(isChosen)),
    unjudgedBefore: addresses(documents.filter((each) => !isCertain(each))),
  };
}

// What `for_each` fills in may be any text.
function mayBe(label: Json | undefined, value: string): boolean {
  return label === value || (typeof label === "string" && label.includes("${"));
}

/** Whether a rule judged one of these addresses before the change. */
export function judgedAny({ judgedBefore: before = [] }: OwnRule, addresses: readonly string[]): boolean {
  return isAmong(before, addresses);
}

/** Whether a rule certainly judged one of these addresses before the change. */
export function judgedForCertain(rule: OwnRule, addresses: readonly string[]): boolean {
  return judgedAny(rule, addresses) && !isAmong(rule.unjudgedBefore ?? [], addresses);
}

function isAmong(patterns: readonly string[], addresses: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const [head = "", ...rest] = pattern.split("*");
    const tail = rest.at(-1);
    if (tail === undefined) return addresses.includes(pattern);
    return addresses.some(
      (each) => each.length > head.length + tail.length && each.startsWith(head) && each.endsWith(tail),
    );
  });
}
