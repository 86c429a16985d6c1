import { note, type Finding } from "../finding/diagnostic.js";
import { quoteFew } from "../finding/quotation.js";
import { bare, say } from "../finding/said.js";
import type { JsonObject, Json } from "../../json/json.js";
import { firstKey, pointerOf } from "../../json/json-pointer.js";
import { namedVariables } from "../resources/named-variables.js";
import type { LockEntry } from "../state/lock.js";
import { documentsWithObjects, type AdoptedDocument } from "./adopted-documents.js";
import { draftObjects } from "./draft-objects.js";
import { nameOf, leftOut, type FoundObject } from "./found-object.js";
import { importedEntry } from "./import-entry.js";
import type { Importing } from "./importing.js";
import { KnownObjects } from "../observation/known-objects.js";
import { newObjects, type SortedObjects } from "./new-objects.js";
import { secretNamer } from "./secret-namer.js";
import { symbolicBody, type FoundSecret, type SymbolicBody } from "./symbolic-body.js";
import { writtenObject, type NewFile, type WrittenObject } from "./written-object.js";
import type { Path } from "../../json/path.js";
import { visitTexts } from "../../json/texts.js";
import { keyWithin, tellsSecret } from "../schema/secret.js";

/** An object that gets a document. */
export interface ImportedObject {
  readonly address: string;
  readonly name: string;
  readonly entry: LockEntry;
  /** Its document, after the files that it includes. */
  readonly files: readonly NewFile[];
  readonly secrets: readonly FoundSecret[];
}

/** All that an import would do. */
export interface Import extends Pick<SortedObjects, "managed" | "retired"> {
  /** Each after those that it refers to. */
  readonly imported: readonly ImportedObject[];
  readonly adopted: readonly AdoptedDocument[];
  /** What is left out are errors, what a document lacks are warnings. */
  readonly findings: readonly Finding[];
}

/** Gives the files that an import writes, documents after what they include; those of one file are joined. */
export function filesOf({ imported }: Pick<Import, "imported">): NewFile[] {
  const texts = new Map<string, string>();
  for (const { file, text } of imported.flatMap(({ files }) => files)) {
    const before = texts.get(file);
    // At its end, so that what it includes comes before it.
    texts.delete(file);
    texts.set(file, before === undefined ? text : `${before}---\n${text}`);
  }
  return [...texts].map(([file, text]) => ({ file, text }));
}

/** Says what an import does with the objects of a service: a function of the workspace, its lock and the lists. */
export function buildImport(importing: Importing): Import {
  const { lock } = importing;
  const sorted = newObjects(importing);
  const matched = documentsWithObjects(sorted.objects, importing);
  const entries = { ...lock.resources, ...matched.entries };
  const drafted = draftObjects(matched.rest, importing);
  const findings = [...sorted.findings, ...matched.offered.map(({ finding }) => finding)];
  const known = new KnownObjects(entries);
  const nameSecret = secretNamer(namedVariables(importing.fleet, lock));
  const imported: ImportedObject[] = [];
  const changed: string[] = [];
  const addresses = [...importing.fleet.resources.keys(), ...drafted.map(({ address }) => address)];
  for (const { object, key, address } of drafted) {
    const server = serverWithSecret(object);
    if (server !== undefined) {
      const why = say`${bare({ field: fieldText(server) })} has a password or a key`;
      findings.push(leftOut(object, why, "remove it there, and replace the secret"));
      continue;
    }
    // What comes later in a circle of references is not known yet, and keeps its ID.
    const described = symbolicBody(object, known, (path) => nameSecret(address, path), importing);
    const written = writtenObject(object, key, described.body, importing, addresses);
    if (!written.ok) {
      findings.push(...written.problems);
      continue;
    }
    const { resource, document, included, isChanged } = written;
    const entry = importedEntry(resource, object, { entries, reading: importing });
    entries[address] = entry;
    known.add(address, entry);
    findings.push(...lacks(address, described), ...likeKeys(address, described.body, written));
    if (isChanged) changed.push(address);
    imported.push({
      address,
      name: nameOf(object),
      entry,
      files: [...included, document],
      secrets: described.secrets,
    });
  }
  if (changed.length > 0) findings.push(changedByDefaults(changed));
  return { imported, adopted: matched.adopted, findings, managed: sorted.managed, retired: sorted.retired };
}

function lacks(address: string, { unknown, strangers }: SymbolicBody): Finding[] {
  const left = unknown.map((pointer) => fieldText(pointer));
  const findings: Finding[] = [];
  if (left.length > 0) {
    const hint =
      "if your deployment has these fields, list them under `spec.extra_fields` of agentform.yaml before the import";
    const message = say`${bare({ address })}: unknown fields are left out: ${left.join(", ")}`;
    findings.push(note("import-incomplete", undefined, message, hint));
  }
  for (const [pointer, id] of strangers) {
    const message = say`${bare({ address })}: ${bare({ field: fieldText(pointer) })} keeps the ID ${bare({ id })}, because no document describes that object`;
    findings.push(note("import-incomplete", undefined, message));
  }
  return findings;
}

function likeKeys(
  address: string,
  body: JsonObject,
  { homes, document }: Pick<WrittenObject, "homes" | "document">,
): Finding[] {
  return textsLikeKeys(body).map((pointer) => {
    const file = homes.get(firstKey(pointer)) ?? document.file;
    const message = say`${bare({ address })}: ${bare({ field: fieldText(pointer) })} in ${bare({ file })} looks as if it has a key or a password`;
    const hint = "look at it before you commit the file; if it has one, remove it and replace the secret";
    return note("import-incomplete", undefined, message, hint);
  });
}

function changedByDefaults(addresses: string[]): Finding {
  const which = bare({ addresses }, quoteFew(addresses));
  const message = say`\`spec.defaults\` of agentform.yaml change what ${bare({ count: addresses.length })} of the documents to import say, and no null in these can prevent it: ${which}`;
  const hint = "the next plan shows what that changes in the service";
  return note("import-incomplete", undefined, message, hint);
}

function fieldText(pointer: string): string {
  return `\`${pointer.slice(1).replaceAll("/", ".")}\``;
}

// Gives the JSON pointers of texts that look as if they have a key or a password.
function textsLikeKeys(body: JsonObject): string[] {
  return textsIn(body, []).flatMap(([path, text]) =>
    keyWithin(text) === undefined ? [] : [pointerOf(path)],
  );
}

// Gives the JSON pointer of the first address of a server, in an OpenAPI document, that has a secret.
function serverWithSecret({ kind, body }: FoundObject): string | undefined {
  const texts = kind.outlined.flatMap((field) => textsIn(body[field] ?? null, [field]));
  const found = texts.find(([path, text]) => {
    const [list, , name] = path.slice(-3);
    return list === "servers" && name === "url" && hasSecret(text);
  });
  return found && pointerOf(found[0]);
}

function hasSecret(url: string): boolean {
  if (/\/\/[^/?#]*:[^/?#{]+@/.test(url)) return true;
  const parameters = url.matchAll(/[?&;]([^=&;]+)=([^&;#{]+)/g);
  return [...parameters].some(([, name = ""]) => name.toLowerCase() === "key" || tellsSecret(name));
}

function textsIn(value: Json, at: Path): (readonly [Path, string])[] {
  const texts: (readonly [Path, string])[] = [];
  visitTexts(value, at, (text, path) => texts.push([[...path], text]));
  return texts;
}
