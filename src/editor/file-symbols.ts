import {
  SymbolKind,
  type DocumentLink,
  type DocumentSymbol,
  type SymbolInformation,
} from "vscode-languageserver/node";
import type { Scheme } from "../core/expression/expression.js";
import { expressionsIn } from "../core/position/written-expression.js";
import { WrittenText } from "../core/position/written-text.js";
import type { ShownWorkspace } from "./editor-workspaces.js";
import { definitionsOf } from "./find-names.js";
import { isYaml } from "./occurrence.js";
import { locations, rangeIn, type AskedFile } from "./spot.js";

/** Gives the documents of a file, by address if they have one. */
export function documentSymbols({ file, text }: AskedFile): DocumentSymbol[] {
  if (!isYaml(file)) return [];
  return new WrittenText(text).heads().map(({ address, kind, name, range, nameRange }) => ({
    name: address ?? [kind ?? "document", name].filter((each) => each !== undefined).join(" "),
    kind: SymbolKind.Object,
    range: rangeIn(text, range),
    selectionRange: rangeIn(text, nameRange ?? { start: range.start, end: range.start }),
  }));
}

const mostSymbols = 200;

/** Finds the resources whose addresses contain a text, a limited number of them. */
export function workspaceSymbols(shown: ShownWorkspace, query: string): SymbolInformation[] {
  const { workspace } = shown;
  const addresses = new Set(workspace.fleets().flatMap(({ resources }) => [...resources.keys()]));
  const wanted = query.toLowerCase();
  const found = [...addresses].filter((address) => address.includes(wanted)).slice(0, mostSymbols);
  return found.flatMap((address) => {
    const colon = address.indexOf(":");
    const meaning = { scheme: address.slice(0, colon) as Scheme, name: address.slice(colon + 1) };
    return locations(shown, definitionsOf(workspace, meaning)).map((location) => ({
      name: address,
      kind: SymbolKind.Object,
      location,
    }));
  });
}

/** Gives the files that the expressions of a file include. */
export function fileLinks({ shown, workspace, file, text }: AskedFile): DocumentLink[] {
  const texts = workspace.texts();
  return expressionsIn(text, isYaml(file)).flatMap(({ scheme, locator, source, start }) => {
    if (scheme !== "file" && scheme !== "template") return [];
    const target = texts.resolve(file, locator);
    if (target === undefined) return [];
    const from = start + source.indexOf(locator, scheme.length + 3);
    return [
      { target: shown.uriOf(target), range: rangeIn(text, { start: from, end: from + locator.length }) },
    ];
  });
}
