import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { realPath } from "../disk/real-path.js";
import { CompletionItemKind, type CompletionItem } from "vscode-languageserver/node";
import { kindOfAddress, kinds } from "../core/kind/kinds.js";
import { usedEntry } from "../core/resources/used.js";
import { schemes } from "../core/expression/expression.js";
import { indexOperations } from "../core/openapi/openapi.js";
import type { Json } from "../json/json.js";
import { openExpressionAt, type OpenExpression } from "../core/position/written-expression.js";
import { WrittenText } from "../core/position/written-text.js";
import { nameIn } from "../workspace/workspace-folder.js";
import type { EditedWorkspace } from "./edited-workspace.js";
import { rangeIn, type Spot } from "./spot.js";

/** One text that can stand at a place in an expression. */
interface CompletedText {
  readonly text: string;
  readonly detail?: string;
  /** Whether the expression goes on after it. */
  readonly isPart?: boolean;
}

/** Gives what can stand at an offset of a text, which is nothing outside of `${…}`. */
export function completionsAt(spot: Spot): CompletionItem[] | null {
  const at = openExpressionAt(spot.text, spot.offset);
  if (!at) return null;
  const range = rangeIn(spot.text, at);
  return itemsOf(spot, at).map(({ text, detail, isPart }) => ({
    label: text,
    kind: isPart ? CompletionItemKind.Keyword : CompletionItemKind.Reference,
    filterText: text,
    textEdit: { range, newText: isPart || at.isClosed ? text : `${text}}` },
    ...(detail !== undefined && { detail }),
  }));
}

function itemsOf(
  { workspace, file, text, offset }: Spot,
  { scheme, typed }: OpenExpression,
): CompletedText[] {
  switch (scheme) {
    case undefined:
      return schemes.map((each) => ({ text: `${each}:`, isPart: true }));
    case "var":
      return variables(workspace);
    case "file":
    case "template":
      return files(workspace, file, typed);
    case "each":
      return parameters(text, offset);
    default:
      return Object.hasOwn(kinds, scheme) ? targets(workspace, scheme, typed) : [];
  }
}

function variables(workspace: EditedWorkspace): CompletedText[] {
  const values = new Map<string, Json | undefined>();
  for (const { settings } of workspace.fleets()) {
    for (const [name, value] of settings.variables)
      if (values.get(name) === undefined) values.set(name, value);
  }
  return Array.from(values, ([name, value]) => ({
    text: name,
    ...(value !== undefined && { detail: JSON.stringify(value) }),
  }));
}

function targets(workspace: EditedWorkspace, scheme: string, typed: string): CompletedText[] {
  const found = new Map<string, CompletedText>();
  const [key, operation] = typed.split("/", 2);
  for (const { resources, used } of workspace.fleets()) {
    const address = `${scheme}:${key}`;
    if (operation !== undefined) {
      const set = resources.get(address) ?? usedEntry(used, address);
      const operations = indexOperations(kindOfAddress(address).operations?.(set?.body ?? {}) ?? []).keys;
      const tools = usedEntry(used, address)?.tools ?? {};
      for (const each of operations.length > 0 ? operations : Object.keys(tools)) {
        found.set(each, { text: `${key}/${each}`, detail: address });
      }
      continue;
    }
    for (const { name, source, entries, documents } of used.values()) {
      for (const each of [...Object.keys(entries), ...(documents() ?? [])]) {
        if (!each.startsWith(`${scheme}:`)) continue;
        const text = `${each.slice(scheme.length + 1)}@${name}`;
        found.set(text, { text, detail: source });
      }
    }
    for (const [address, { file }] of resources) {
      if (!address.startsWith(`${scheme}:`)) continue;
      const text = address.slice(scheme.length + 1);
      found.set(text, { text, detail: file });
    }
  }
  return [...found.values()];
}

function files(workspace: EditedWorkspace, from: string, typed: string): CompletedText[] {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  const within = workspace.texts().resolve(from, `${folder}.`);
  if (within === undefined) return [];
  try {
    const listed = realPath(join(workspace.directory, within));
    // A link that leads out of the workspace is not followed.
    if (nameIn(realPath(workspace.directory), listed) === undefined) return [];
    const entries = readdirSync(listed, { withFileTypes: true });
    return entries
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .filter(({ name }) => posix.join(within, name) !== posix.normalize(from))
      .map((entry) =>
        entry.isDirectory()
          ? { text: `${folder}${entry.name}/`, isPart: true }
          : { text: `${folder}${entry.name}` },
      );
  } catch {
    return [];
  }
}

function parameters(text: string, offset: number): CompletedText[] {
  const written = new WrittenText(text);
  const document = written.headAt(offset)?.document;
  if (document === undefined) return [{ text: "key" }];
  const keys = written.keysAt(document, ["for_each"]);
  const names = keys.flatMap(({ name }) => written.keysAt(document, ["for_each", name]));
  return [...new Set(["key", ...names.map(({ name }) => name)])].map((name) => ({ text: name }));
}
