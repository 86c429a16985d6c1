import { isAlias, isMap, isScalar, isSeq, visit, type Document } from "yaml";
import { isExpression, parseText, type ParsedPart } from "../expression/expression.js";
import type { Includes } from "../expression/included-data.js";
import type { Place } from "../finding/diagnostic.js";
import { oncePer } from "../../json/once.js";
import type { Path } from "../../json/path.js";
import { keyText } from "../document/yaml-keys.js";
import type { Resource } from "../resources/resource.js";
import type { EditableDocuments } from "./editable-documents.js";

/** Why a value is not written: it is not of its document, prompt file or patch alone. */
export type ForeignOrigin =
  | "default"
  | "for-each"
  | "variable"
  | "template"
  | "data-file"
  | "made"
  | "anchor"
  | "openapi"
  | "unread";

/** Where a value is written. */
export type Home =
  /** In a document or a patch. */
  | { readonly type: "yaml"; readonly file: string; readonly document: number; readonly path: Path }
  /** It is the text of a whole file, in which expressions mean something, or not. */
  | { readonly type: "text"; readonly file: string; readonly isTemplate: boolean }
  | {
      readonly type: "elsewhere";
      readonly why: ForeignOrigin;
      readonly place: Place;
      readonly name?: string;
    };

/** What homes are found in. */
export interface HomeReading {
  readonly documents: EditableDocuments;
  readonly includes: Includes;
}

/** What of a value is edited: it itself, what is in it, or whether it is there. */
export type EditReach = "value" | "inside" | "presence";

/** Finds where the value at a path of a resource's body is written. */
export function homeOf(resource: Resource, field: Path, reach: EditReach, reading: HomeReading): Home {
  const path = ["spec", ...field];
  const place = resource.place(path);
  const elsewhere = (why: ForeignOrigin, name?: string): Home => {
    return { type: "elsewhere", why, place, ...(name !== undefined && { name }) };
  };
  if (resource.kind.outlined.includes(String(field[0]))) return elsewhere("openapi");
  if (resource.layerType(path) === "default") return elsewhere("default");
  if (place.each) return elsewhere("for-each", place.each.key);
  const { file, document = 0, path: at = [] } = place;
  const tree = reading.documents.composed(file, document);
  if (!tree) return elsewhere("unread");
  const found = follow(tree, reach === "presence" ? at.slice(0, -1) : at);
  if (found.anchor !== undefined) return elsewhere("anchor", found.anchor);
  const home: Home = { type: "yaml", file, document, path: at };
  const { text, isWhole } = found;
  if (text === undefined) return found.isAlias && reach !== "value" ? elsewhere("anchor") : home;
  const isItself = isWhole && reach === "value";
  return homeOfText(parseText(text), isItself, { home, place, includes: reading.includes });
}

function homeOfText(
  parts: readonly ParsedPart[],
  isWhole: boolean,
  { home, place, includes }: { readonly home: Home; readonly place: Place; readonly includes: Includes },
): Home {
  const made = parts.filter(isExpression).find(({ scheme }) => resolved.has(scheme));
  // A reference, and a text that is itself.
  if (!made) return home;
  const { scheme, locator } = made;
  const why = resolved.get(scheme) ?? "made";
  const elsewhere: Home = {
    type: "elsewhere",
    why: parts.length > 1 ? "made" : why,
    place,
    name: made.source,
  };
  if (parts.length > 1 || (scheme !== "file" && scheme !== "template")) return elsewhere;
  if (!isWhole || /\.(json|ya?ml)$/i.test(locator)) return { ...elsewhere, why: "data-file" };
  const included = includes.read(place.file, locator);
  if (!included.ok) return elsewhere;
  const isTemplate = scheme === "template";
  if (isTemplate && parseText(included.text).some((part) => typeof part !== "string")) return elsewhere;
  return { type: "text", file: included.file, isTemplate };
}

const resolved: ReadonlyMap<string, ForeignOrigin> = new Map([
  ["var", "variable"],
  ["each", "for-each"],
  ["file", "data-file"],
  ["template", "template"],
] as const);

interface Followed {
  /** The text at the path, or at the end of the way to it. */
  readonly text?: string;
  /** Whether the way leads to its end. */
  readonly isWhole: boolean;
  readonly isAlias: boolean;
  /** An anchor on the way that something else refers to, or an alias before its end. */
  readonly anchor?: string;
}

function follow(document: Document, path: Path): Followed {
  const used = aliasesIn(document);
  let node: unknown = document.contents;
  let depth = 0;
  for (;;) {
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined && used.has(anchor)) return { isWhole: false, isAlias: false, anchor };
    const step = path[depth];
    if (step === undefined || (!isMap(node) && !isSeq(node))) break;
    node = isMap(node)
      ? node.items.find(({ key }) => keyText(key) === String(step))?.value
      : node.items[Number(step)];
    depth++;
  }
  const isWhole = depth === path.length;
  if (isAlias(node)) return { isWhole, isAlias: true, ...(!isWhole && { anchor: node.source }) };
  return {
    ...(isScalar(node) && typeof node.value === "string" && { text: node.value }),
    isWhole,
    isAlias: false,
  };
}

const aliasesIn = oncePer((document: Document): ReadonlySet<string> => {
  const names = new Set<string>();
  visit(document, { Alias: (_, { source }) => void names.add(source) });
  return names;
});
