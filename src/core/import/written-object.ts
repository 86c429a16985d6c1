import { refused, type Checked } from "../finding/checked.js";
import type { Finding } from "../finding/diagnostic.js";
import { workspaceExpansion } from "../expression/expansion-limit.js";
import { unread, type Includes } from "../expression/included-data.js";
import { Budget } from "../../json/budget.js";
import { equal, isObject, type JsonObject, mapMembers, filterMembers } from "../../json/json.js";
import { lasting } from "../kind/body.js";
import { Defaults } from "../resources/defaults.js";
import { resourcesOf } from "../resources/file-resource.js";
import type { Settings } from "../resources/manifest.js";
import { parseFile } from "../resources/parse-file.js";
import { isSound } from "../resources/parsed-file.js";
import { Patches } from "../resources/patches.js";
import type { Resource } from "../resources/resource.js";
import type { FoundObject } from "./found-object.js";
import { leftOut } from "./found-object.js";

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
  /** Whether defaults of the manifest make something else of the document. */
  readonly isChanged: boolean;
}

/** The files of the workspace, those that are about to be written among them. */
export interface ImportFolder {
  /** The folder for the documents, relative to the workspace; empty, or with `/` at its end. */
  readonly into: string;
  /** Gives the name for a text: of a file that has it, or else of one that there is not. */
  place(folder: string, stem: string, suffix: string, text: string): { file: string; isNew: boolean };
}

/** What documents are written and read with. */
export interface DocumentWriting {
  readonly settings: Settings;
  readonly importFolder: ImportFolder;
  /** Renders a document as the text of its file. */
  readonly render: (document: JsonObject) => string;
}

/** Writes an object as a document that is read as exactly this body; or says why there is none. */
export function writtenObject(
  object: FoundObject,
  key: string,
  body: JsonObject,
  writing: DocumentWriting,
): Checked<WrittenObject> {
  const fail = (why: string) => refused([leftOut(object, why)]);
  const { kind, picks } = object;
  const { settings, importFolder } = writing;
  const included: NewFile[] = [];
  const texts = new Map<string, string>();
  const homes = new Map<string, string>();
  const include = (field: string, folder: string, suffix: string, text: string): string => {
    const { file, isNew } = importFolder.place(folder, key, suffix, text);
    homes.set(field, file);
    if (isNew) included.push({ file, text });
    const locator = `../${file.slice(importFolder.into.length)}`;
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
  const document: JsonObject = {
    apiVersion: "agentform/v1",
    kind: kind.document,
    metadata: { name: key },
    ...(picks && { operations: [...picks] }),
    spec,
    // What was found in one environment is not to be created in the others.
    ...(settings.environment !== null && { lifecycle: { environments: [settings.environment] } }),
  };
  const file = `${importFolder.into}${kind.folder}/${key}.yaml`;
  const text = writing.render(document);
  if ([text, ...texts.values()].some(isUnwritable)) return fail("a text of it cannot be in a file");
  const includes: Includes = {
    read: (_from, locator) => {
      const found = texts.get(locator);
      if (found !== undefined) return { ok: true, file: locator, text: found };
      return unread("file-missing", `\`${locator}\` is not a file of this import`);
    },
  };
  // What defaults add is not what the object has, and the next plan says so.
  const read = readBack({ file, text }, includes, { ...settings, defaults: [] });
  if (!read.ok) return fail(reasonOf(read.problems));
  const { resource } = read;
  if (!isSame(resource, object, body)) return fail("a document of it would not be read as the same");
  const loaded = settings.defaults.length > 0 ? readBack({ file, text }, includes, settings) : read;
  const isChanged = !loaded.ok || loaded.resource.digest !== resource.digest;
  return { ok: true, resource, document: { file, text }, included, homes, isChanged };
}

function readBack(
  { file, text }: NewFile,
  includes: Includes,
  settings: Settings,
): Checked<{ readonly resource: Resource }> {
  const parsed = parseFile(file, text, {
    variables: settings.variables,
    environment: settings.environment,
    kindFields: settings.kindFields,
    defaults: new Defaults(settings.defaults),
    patches: new Patches(),
    includes,
    data: new Map(),
    budget: new Budget(workspaceExpansion),
  });
  const [resource] = resourcesOf(parsed, settings.deployment);
  if (isSound(parsed.summary) && resource) return { ok: true, resource };
  return refused(parsed.summary.findings ?? []);
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

// What git or an editor may change, or what cannot be seen, is written where it can be escaped.
function belongsInFile(text: string): boolean {
  if (text.split("\n").length <= mostLines) return false;
  return !/[\p{Cs}\uFEFF]|[^\P{Cc}\n\t]/u.test(text) && !/^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/m.test(text);
}

// Names count in characters, and a file may have 32 MB.
const mostCharacters = 10_000_000;

function isUnwritable(text: string): boolean {
  return text.length > mostCharacters || /\p{Cs}/u.test(text);
}
