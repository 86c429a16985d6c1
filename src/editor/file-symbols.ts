import { expressionsIn } from "../core/position/written-expression.js";
import type { Range } from "../core/position/range.js";
import { WrittenText } from "../core/position/written-text.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import { definitionsOf, type TextPlace } from "./find-names.js";
import { isYaml } from "./occurrence.js";
import type { Scheme } from "../core/expression/expression.js";

/** A document of a file. */
export interface DocumentSymbol {
  readonly name: string;
  readonly range: Range;
  readonly nameRange: Range;
}

/** Gives the documents of a file, by address if they have one. */
export function documentSymbols(file: string, text: string): DocumentSymbol[] {
  if (!isYaml(file)) return [];
  return new WrittenText(text).heads().map(({ address, kind, name, range, nameRange }) => ({
    name: address ?? [kind ?? "document", name].filter((each) => each !== undefined).join(" "),
    range,
    nameRange: nameRange ?? { start: range.start, end: range.start },
  }));
}

const mostSymbols = 200;

/** Finds the resources whose addresses contain a text, a limited number of them. */
export function workspaceSymbols(
  workspace: EditedWorkspace,
  query: string,
): { readonly address: string; readonly place: TextPlace }[] {
  const addresses = new Set(workspace.fleets().flatMap(({ resources }) => [...resources.keys()]));
  const wanted = query.toLowerCase();
  const found = [...addresses].filter((address) => address.includes(wanted)).slice(0, mostSymbols);
  return found.flatMap((address) => {
    const colon = address.indexOf(":");
    const meaning = { scheme: address.slice(0, colon) as Scheme, name: address.slice(colon + 1) };
    return definitionsOf(workspace, meaning).map((place) => ({ address, place }));
  });
}

/** A path in an expression that leads to a file. */
export interface FileLink {
  readonly range: Range;
  readonly target: string;
}

/** Gives the files that the expressions of a file include. */
export function fileLinks(workspace: EditedWorkspace, file: string, text: string): FileLink[] {
  const texts = workspace.texts();
  return expressionsIn(text, isYaml(file)).flatMap(({ scheme, locator, source, start }) => {
    if (scheme !== "file" && scheme !== "template") return [];
    const target = texts.resolve(file, locator);
    if (target === undefined) return [];
    const from = start + source.indexOf(locator, scheme.length + 3);
    return [{ target, range: { start: from, end: from + locator.length } }];
  });
}
