import { indexOperations } from "../core/openapi/openapi.js";
import { expressionsIn } from "../core/position/written-expression.js";
import type { Range } from "../core/position/range.js";
import { WrittenText } from "../core/position/written-text.js";
import type { Resource } from "../core/resources/resource.js";
import type { EditedWorkspace, WorkspaceTexts } from "./edited-workspace.js";
import {
  fits,
  hasParameters,
  isSame,
  isYaml,
  occurrencesIn,
  type NameMeaning,
  type Occurrence,
} from "./occurrence.js";

/** A range of a file, with the file's text. */
export interface TextPlace {
  readonly file: string;
  readonly text: string;
  readonly range: Range;
}

/** A name, and where it is. */
export interface FoundName extends TextPlace, Occurrence {}

/** Gives the name at an offset of a file. */
export function nameAt(workspace: EditedWorkspace, file: string, offset: number): FoundName | undefined {
  const text = workspace.texts().read(file);
  if (text === undefined) return undefined;
  const found = occurrencesIn(file, text).find(({ whole }) => whole.start <= offset && offset <= whole.end);
  return found && { file, text, ...found };
}

/** Finds a name in all files of a workspace. */
export function namesOf(workspace: EditedWorkspace, meaning: NameMeaning): FoundName[] {
  const texts = workspace.texts();
  const found: FoundName[] = [];
  for (const [file, text] of expandedTexts(workspace, texts)) {
    // Looking for a text is faster than reading what it means.
    if (!mayName(text, meaning)) continue;
    for (const each of occurrencesIn(file, text)) {
      if (isSame(meaning, each.meaning)) found.push({ file, text, ...each });
    }
  }
  return found;
}

function mayName(text: string, { scheme, name }: NameMeaning): boolean {
  if (scheme === "file") return text.includes(name.split("/").at(-1) ?? "");
  return text.includes(name) || text.includes("${each:") || hasParameters(name);
}

/** Gives the texts in which expressions are resolved: documents, and the templates that they include. */
function* expandedTexts(workspace: EditedWorkspace, texts: WorkspaceTexts): Generator<[string, string]> {
  const files = [...workspace.writtenFiles()];
  const seen = new Set(files);
  for (const file of files) {
    const text = texts.read(file);
    if (text === undefined) continue;
    yield [file, text];
    if (!text.includes("${template:")) continue;
    for (const { scheme, locator } of expressionsIn(text, isYaml(file))) {
      const template = scheme === "template" ? texts.resolve(file, locator) : undefined;
      if (template === undefined || seen.has(template)) continue;
      seen.add(template);
      files.push(template);
    }
  }
}

/** Finds where what a name means is defined. */
export function definitionsOf(workspace: EditedWorkspace, meaning: NameMeaning): TextPlace[] {
  if (meaning.scheme === "file") return fileAt(workspace.texts(), meaning.name);
  const resources = resourcesAt(workspace, meaning);
  if (meaning.operation !== undefined) {
    const operations = resources.flatMap((each) => operationPlace(workspace, each, meaning.operation ?? ""));
    if (operations.length > 0) return once(operations);
  }
  const { operation: _operation, ...whole } = meaning;
  const made = resources.flatMap((resource) => headOf(workspace.texts(), resource));
  if (made.length > 0) return once(made);
  return namesOf(workspace, whole).filter(({ role }) => role === "definition");
}

/** Gives the resources that a name means, in each environment that has them. */
export function resourcesAt(workspace: EditedWorkspace, { scheme, name }: NameMeaning): Resource[] {
  return workspace.fleets().flatMap(({ resources }) => {
    if (!hasParameters(name)) return resources.get(`${scheme}:${name}`) ?? [];
    return [...resources.values()].filter(({ kind, key }) => kind.name === scheme && fits(key, name));
  });
}

// Several environments have the same document.
function once(places: readonly TextPlace[]): TextPlace[] {
  return [...new Map(places.map((each) => [`${each.range.start} ${each.file}`, each])).values()];
}

function fileAt(texts: WorkspaceTexts, file: string): TextPlace[] {
  const text = texts.read(file);
  return text === undefined ? [] : [{ file, text, range: { start: 0, end: 0 } }];
}

function headOf(texts: WorkspaceTexts, resource: Resource): TextPlace[] {
  const { file } = resource;
  const text = texts.read(file);
  if (text === undefined) return [];
  // The name of a patched document is that of the document.
  const { document = 0 } = resource.place(["metadata", "name"]);
  const range = new WrittenText(text).rangeOf({ document, path: ["metadata", "name"] });
  return range ? [{ file, text, range }] : [];
}

function operationPlace(workspace: EditedWorkspace, resource: Resource, locator: string): TextPlace[] {
  const texts = workspace.texts();
  const { kind, body } = resource;
  const operations = [...(kind.operations?.(body) ?? []), ...resource.leftOut];
  const operation = operations[indexOperations(operations).find(locator) ?? -1];
  if (!operation) return [];
  const path = ["paths", operation.path, operation.method.toLowerCase()];
  return kind.outlined.flatMap((field) => {
    const place = resource.place(["spec", field]);
    const text = texts.read(place.file);
    const written = text === undefined ? undefined : new WrittenText(text);
    const scalar = written?.rangeOf(place);
    if (!written || !scalar) return [];
    const included = expressionsIn(written.text, true).find(
      ({ start, end }) => start < scalar.end && scalar.start < end,
    );
    const file = included ? texts.resolve(place.file, included.locator) : place.file;
    const document = file === undefined ? undefined : texts.read(file);
    if (file === undefined || document === undefined) return [];
    const at = included ? { path, key: true } : { ...place, path: ["spec", field, ...path], key: true };
    const range = new WrittenText(document).rangeOf(at);
    return range ? [{ file, text: document, range }] : [];
  });
}
