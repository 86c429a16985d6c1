import { fields } from "../generated/fields.js";
import { validate as validateAgent } from "../generated/validate-agent.js";
import { validate as validateCredential } from "../generated/validate-credential.js";
import { validate as validatePolicy } from "../generated/validate-policy.js";
import { validate as validateToolset } from "../generated/validate-toolset.js";
import { error, hasErrors, warning, type Finding, type Path, type Place } from "./diagnostic.js";
import type { Document } from "./document.js";
import { parseEnvironmentLocator } from "./expression.js";
import { valueAt } from "./inspection.js";
import { isObject, type Hash, type Json, type JsonObject } from "./json.js";
import type { Kind, KindName } from "./kind.js";
import { kindOfDocument, kinds } from "./kinds.js";
import { checkFields } from "./known-field.js";
import { didYouMean } from "./nearest.js";
import { externalReferences } from "./openapi.js";
import { isWholeSet, toReference, type Reference } from "./reference.js";
import { checkSchema, type Validate } from "./schema.js";
import type { Substitution, Use } from "./substitution.js";

/** A reference with where it stands. */
export interface PlacedReference extends Reference {
  readonly place: Place;
}

/** An environment variable that the body needs at apply, with where it stands. */
export interface SecretUse {
  readonly name: string;
  readonly place: Place;
}

/** A document that can be planned. */
export interface Resource {
  readonly address: string;
  readonly kind: Kind;
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The desired body: references and secrets symbolic, large documents as outlines. */
  readonly body: JsonObject;
  /** The whole documents of which the body holds outlines, by field. */
  readonly documents: JsonObject;
  readonly references: readonly PlacedReference[];
  readonly secrets: readonly SecretUse[];
  readonly lifecycle: Lifecycle;
  readonly file: string;
  /** All files that it is made of, its own first. */
  readonly files: readonly string[];
  /** Where a part of the document stands. */
  readonly place: (path: Path) => Place;
}

/** How a document wants its object treated, as in the design's section 3. */
export interface Lifecycle {
  readonly protect?: boolean;
  readonly adopt?: Json;
  readonly moved_from?: string | string[];
}

/** What the resources of one workspace are built with. */
export interface ResourceContext {
  readonly substitution: Substitution;
  readonly extraFields: Readonly<Partial<Record<KindName, readonly string[]>>>;
  readonly hash: Hash;
}

const validators: Readonly<Record<KindName, Validate>> = {
  policy: validatePolicy,
  toolset: validateToolset,
  credential: validateCredential,
  agent: validateAgent,
};

/** Builds the resource of a document; a document with errors gives findings and no resource. */
export function buildResource(
  document: Document,
  context: ResourceContext,
): { readonly resource?: Resource; readonly findings: Finding[] } {
  const place = (path: Path): Place => ({ file: document.file, document: document.index, path });
  const envelope = readEnvelope(document.value, place);
  if (Array.isArray(envelope)) return { findings: envelope };
  const { kind, value } = envelope;

  const spec = context.substitution.substitute(value.spec ?? null, document.file, document.index, ["spec"]);
  const lifecycle = context.substitution.substitute(value.lifecycle ?? null, document.file, document.index, [
    "lifecycle",
  ]);
  const substituted = { ...value, spec: spec.value, ...("lifecycle" in value && { lifecycle: lifecycle.value }) };
  const findings = [...spec.findings, ...lifecycle.findings];
  const { references, secrets, findings: misplaced } = sortUses(spec.uses, substituted);
  findings.push(...misplaced);
  // A value that could not be substituted would only be reported again for its type.
  if (hasErrors([...spec.findings, ...lifecycle.findings])) return { findings };

  findings.push(...checkSchema(substituted, validators[kind.name], place));
  findings.push(
    ...checkFields(substituted, fields[kind.name], {
      place,
      unknownInSpec: kind.unknownField,
      extra: context.extraFields[kind.name] ?? [],
      isIncluded: (path) => spec.included.some((from) => startsWith(path, from)),
    }),
  );
  if (hasErrors(findings) || !isObject(spec.value)) return { findings };
  findings.push(...kind.check(spec.value, (field) => place(["spec", field])));
  const { body, documents } = kind.outline(spec.value, context.hash);
  for (const [field, whole] of Object.entries(documents)) {
    findings.push(...warnOfExternals(whole, place(["spec", field])));
  }
  if (hasErrors(findings)) return { findings };
  const { name: key, labels = {} } = value.metadata as unknown as { name: string; labels?: Record<string, string> };
  const resource: Resource = {
    address: `${kind.name}:${key}`,
    ...{ kind, key, labels, body, documents, references, secrets, place },
    lifecycle: (lifecycle.value ?? {}) as Lifecycle,
    file: document.file,
    files: [document.file, ...spec.files],
  };
  return { resource, findings };
}

function readEnvelope(
  value: Json,
  place: (path: Path) => Place,
): { readonly kind: Kind; readonly value: JsonObject } | Finding[] {
  if (!isObject(value)) {
    const hint = "a document has apiVersion, kind, metadata and spec";
    return [error("document-shape", place([]), "the document is no mapping", hint)];
  }
  const findings: Finding[] = [];
  if (value.apiVersion !== "agentform/v1") {
    const hint = "write `apiVersion: agentform/v1`";
    const message =
      value.apiVersion === undefined
        ? "`apiVersion` is missing"
        : `the apiVersion \`${String(value.apiVersion)}\` is unknown`;
    findings.push(error("document-version", place(["apiVersion"]), message, hint));
  }
  const known = Object.values(kinds).map((kind) => kind.document);
  const kind = typeof value.kind === "string" ? kindOfDocument(value.kind) : undefined;
  if (!kind) {
    const name = String(value.kind ?? "");
    const message = value.kind === undefined ? "`kind` is missing" : `the kind \`${name}\` is unknown`;
    const hint = didYouMean(name, known) ?? `the kinds are ${known.join(", ")}`;
    findings.push(error("document-kind", place(["kind"]), message, hint));
  }
  return kind && findings.length === 0 ? { kind, value } : findings;
}

function sortUses(uses: readonly Use[], document: JsonObject) {
  const references: PlacedReference[] = [];
  const secrets: SecretUse[] = [];
  const findings: Finding[] = [];
  for (const { expression, path, place } of uses) {
    const reference = toReference(expression);
    const environment = reference ? undefined : parseEnvironmentLocator(expression.locator);
    if (environment) secrets.push({ name: environment.name, place });
    if (!reference) continue;
    const isItem = typeof path.at(-1) === "number" && valueAt(document, path) === `\${${reference.text}}`;
    if (isWholeSet(reference) && !isItem) {
      const message = `\`${expression.source}\` stands for all tools of the set and must be an item of a list`;
      const hint = `write \`["\${${reference.text}}"]\`, or name one tool: \`\${${reference.text}/OPERATION}\``;
      findings.push(error("expression-splice", place, message, hint));
    }
    references.push({ ...reference, place });
  }
  return { references, secrets, findings };
}

function warnOfExternals(document: Json, place: Place): Finding[] {
  const count = externalReferences(document).length;
  if (count === 0) return [];
  const message = `the OpenAPI document refers to other files or addresses (${count} times), which is sent as it is`;
  return [warning("openapi-external-ref", place, message, "bundle it, if the service cannot reach them")];
}

function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((segment, index) => segment === path[index]);
}
