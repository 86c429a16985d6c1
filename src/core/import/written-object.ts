import { refused, type Checked } from "../finding/checked.js";
import { hasErrors, type Finding } from "../finding/diagnostic.js";
import { workspaceExpansion } from "../expression/expansion-limit.js";
import type { Includes } from "../expression/included-data.js";
import { Budget } from "../../json/budget.js";
import { equal, isObject, type Json, type JsonObject, mapMembers, filterMembers } from "../../json/json.js";
import { lasting } from "../kind/body.js";
import { Defaults } from "../resources/defaults.js";
import { resourcesOf } from "../resources/file-resource.js";
import type { Settings } from "../resources/manifest.js";
import { defaultSpec, parseFile, type ParseContext } from "../resources/parse-file.js";
import { isSound } from "../resources/parsed-file.js";
import { Patches } from "../resources/patches.js";
import type { Resource } from "../resources/resource.js";
import { explainMisplaced } from "../schema/typed-place.js";
import { leftOut, type FoundObject } from "./found-object.js";

/** A file to write; its name is relative to the workspace, with `/`. */
export interface NewFile {
  readonly file: string;
  readonly text: string;
}

/** An object as a document, with the files that it includes. */
export interface WrittenObject {
  readonly resource: Resource;
  readonly document: NewFile;
  /** The files that it includes, without those that are there with the same text. */
  readonly included: readonly NewFile[];
  /** The files that have a field's text, by field. */
  readonly homes: ReadonlyMap<string, string>;
  /** Whether defaults of the manifest make something else of the document, which no null in it can prevent. */
  readonly isChanged: boolean;
}

/** The files of the workspace, those that are about to be written among them. */
export interface ImportFolder {
  /** The folder for the documents, relative to the workspace; empty, or with `/` at its end. */
  readonly into: string;
  /** The file for all documents; one for each unless given. */
  readonly file?: string;
  /** Gives the name for a text: of a file that has it, or else of one that there is not. */
  place(folder: string, stem: string, suffix: string, text: string): { file: string; isNew: boolean };
}

/** What documents are written and read with. */
export interface DocumentWriting {
  readonly settings: Settings;
  readonly importFolder: ImportFolder;
  /** Reads the files that are there already, which defaults may include. */
  readonly includes: Includes;
  readonly render: (document: JsonObject) => string;
}

/** Writes an object as a document that is read as exactly this body; or says why there is none. */
export function writtenObject(
  object: FoundObject,
  key: string,
  body: JsonObject,
  writing: DocumentWriting,
  addresses: readonly string[],
): Checked<WrittenObject> {
  const fail = (why: string) => refused([leftOut(object, why)]);
  const { kind, picks } = object;
  const { settings, importFolder } = writing;
  const { spec, included, texts, homes } = writtenSpec(object, key, body, importFolder);
  const file = importFolder.file ?? `${importFolder.into}${kind.folder}/${key}.yaml`;
  const documentOf = (fields: Json): NewFile => {
    const document: JsonObject = {
      apiVersion: "agentform/v1",
      kind: kind.document,
      metadata: { name: key },
      ...(picks && { operations: [...picks] }),
      spec: fields,
      // What was found in one environment is not to be created in the others.
      ...(settings.environment !== null && { lifecycle: { environments: [settings.environment] } }),
    };
    return { file, text: writing.render(document) };
  };
  const reading: ParseContext = {
    ...settings,
    defaults: new Defaults(settings.defaults),
    patches: new Patches(),
    includes: {
      read(from, locator) {
        const text = from === file ? texts.get(locator) : undefined;
        return text === undefined ? writing.includes.read(from, locator) : { ok: true, file: locator, text };
      },
    },
    data: new Map(),
    budget: new Budget(workspaceExpansion),
  };
  const below = defaultSpec(kind.name, reading);
  const document = documentOf(answering(spec, below));
  if ([document.text, ...texts.values()].some(isUnwritable)) return fail("a text of it cannot be in a file");
  const readBack = (each: NewFile, defaults: Defaults) =>
    readWith(each, { ...reading, defaults }, settings, addresses);
  // The lock has what the object has: what defaults add nevertheless is in the next plan.
  const read = readBack(documentOf(spec), new Defaults([]));
  if (!read.ok) return fail(reasonOf(read.problems));
  const { resource } = read;
  if (!isSame(resource, object, body)) return fail("a document of it would not be read as the same");
  const loaded = below === undefined ? read : readBack(document, reading.defaults);
  if (!loaded.ok) return fail(reasonOf(loaded.problems));
  const isChanged = loaded.resource.digest !== resource.digest;
  return { ok: true, resource, document, included, homes, isChanged };
}

/** The fields of a document, and the files that they include. */
interface WrittenSpec extends Pick<WrittenObject, "included" | "homes"> {
  readonly spec: JsonObject;
  /** The text of each file that is included, as the document names it. */
  readonly texts: ReadonlyMap<string, string>;
}

function writtenSpec(
  object: FoundObject,
  key: string,
  body: JsonObject,
  importFolder: ImportFolder,
): WrittenSpec {
  const { kind } = object;
  const included: NewFile[] = [];
  const texts = new Map<string, string>();
  const homes = new Map<string, string>();
  const include = (field: string, folder: string, suffix: string, text: string): string => {
    const { file, isNew } = importFolder.place(folder, key, suffix, text);
    homes.set(field, file);
    if (isNew) included.push({ file, text });
    // Documents are in folders of their kinds, and the file for all of them beside these.
    const below = file.slice(importFolder.into.length);
    const locator = importFolder.file === undefined ? `../${below}` : below;
    texts.set(locator, text);
    return `\${file:${locator}}`;
  };
  const spec = mapMembers(body, (value, field) => {
    const own = object.body[field];
    if (kind.outlined.includes(field) && isObject(own)) {
      return include(field, "openapi", ".json", `${JSON.stringify(own, null, 2)}\n`);
    }
    const isProse = kind.prose.includes(field) && typeof own === "string" && belongsInFile(own);
    return isProse ? include(field, "prompts", ".md", own) : value;
  });
  return { spec, included, texts, homes };
}

// A null in the document takes away what a default would add.
function answering(own: Json, below: Json | undefined): Json {
  if (!isObject(own) || !isObject(below)) return own;
  const nulls = Object.keys(below).flatMap((field) => (Object.hasOwn(own, field) ? [] : [[field, null]]));
  return {
    ...mapMembers(own, (value, field) => answering(value, below[field])),
    ...Object.fromEntries(nulls),
  };
}

function readWith(
  { file, text }: NewFile,
  context: ParseContext,
  { deployment }: Settings,
  addresses: readonly string[],
): Checked<{ readonly resource: Resource }> {
  const parsed = parseFile(file, text, context);
  const { findings = [], misplaced = [] } = parsed.summary;
  const problems = [...findings, ...explainMisplaced(misplaced, addresses)];
  const [resource] = resourcesOf(parsed, deployment);
  return isSound(parsed.summary) && resource && !hasErrors(problems)
    ? { ok: true, resource }
    : refused(problems);
}

function reasonOf(findings: readonly Finding[]): string {
  const first = findings.find(({ severity }) => severity === "error");
  return first ? `a document of it is not valid: ${first.message}` : "a document of it cannot be read";
}

// What was picked of a document is compared by its operations, and the rest of the body as it is.
function isSame(resource: Resource, object: FoundObject, body: JsonObject): boolean {
  const { kind, picks, identity } = object;
  const wanted = lasting(kind.outline(body).body, kind);
  const read = lasting(resource.body, kind);
  const count = kind.operations?.(read).length ?? 0;
  if (kind.operations && count !== (identity.ids?.length ?? 0)) return false;
  if (!picks) return equal(read, wanted);
  const rest = (whole: JsonObject) => filterMembers(whole, (field) => !kind.outlined.includes(field));
  return equal(rest(read), rest(wanted));
}

const mostLines = 3;

// What is not in a file of its own is written where it can be escaped.
function belongsInFile(text: string): boolean {
  return text.split("\n").length > mostLines && !text.includes("\r") && !isChangeable(text);
}

/** Whether a text has what git or an editor may change, or what cannot be seen. */
export function isChangeable(text: string): boolean {
  return /[\p{Cs}\uFEFF]|[^\P{Cc}\n\r\t]/u.test(text) || /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/m.test(text);
}

// Names count in characters, and a file may have 32 MB.
const mostCharacters = 10_000_000;

function isUnwritable(text: string): boolean {
  return text.length > mostCharacters || /\p{Cs}/u.test(text);
}
