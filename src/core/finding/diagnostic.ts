import type { Diagnostic } from "../../generated/diagnostics.js";
import type { Path } from "../../json/path.js";

export type { Diagnostic };
export type Severity = Diagnostic["severity"];

/** A place in the workspace, before its line and column are looked up. */
export interface Place {
  /** The file, relative to the workspace, with `/`. */
  readonly file: string;
  /** The index of the document in the file, from 0. */
  readonly document?: number;
  /** The path of the value inside the document. */
  readonly path?: Path;
  /** Whether the key is meant instead of its value. */
  readonly key?: boolean;
  /** The source text of an expression inside the scalar. */
  readonly expression?: string;
  /** A place given by its offset in the file's text, in UTF-16 code units; takes precedence over `path`. */
  readonly offset?: number;
  /** The key of `for_each` for which the value was made. */
  readonly each?: KeyPlace;
}

/** A key of a `for_each`, and where it is written. */
export interface KeyPlace {
  readonly key: string;
  /** How many keys there are. */
  readonly of: number;
  readonly place: Place;
}

/** A problem found in core: a diagnostic whose place has no line and column yet. */
export interface Finding {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly address?: string;
  readonly place?: Place;
  /** The document that has the problem, if it shares the value at the place with others. */
  readonly document?: Place;
  /** Further places that belong to the problem. */
  readonly related?: readonly { readonly message: string; readonly place?: Place }[];
}

/** Every code with its meaning; `docs/diagnostics.md` is this table. */
export const codes = {
  "workspace-missing": "There is no manifest.",
  "git-failed": "Git cannot list the files of the workspace that it ignores.",
  "file-unreadable": "A file of the workspace cannot be read.",
  "file-missing": "An included file does not exist.",
  "file-outside-workspace": "A path leads out of the workspace.",
  "file-withheld": "A path leads to a file that belongs to git or agentform, or that git ignores.",
  "file-not-regular": "A path leads to something other than a regular file.",
  "file-too-large": "A file is larger than 32 MB.",
  "file-encoding": "A file is not UTF-8 or contains a NUL character.",
  "file-syntax": "An included data file cannot be parsed.",
  "yaml-syntax": "A document is not valid YAML.",
  "yaml-duplicate-key": "A mapping has a duplicate key.",
  "yaml-alias-limit": "Aliases expand to too many values.",
  "yaml-too-large": "A YAML file has more values than can be read.",
  "yaml-tag": "A tag is not part of YAML's core schema.",
  "merge-conflict": "The file contains markers of an unresolved merge.",
  "too-deep": "Collections are nested deeper than 100.",
  "too-many-documents": "A file contains more than 10,000 documents.",
  "integer-too-large": "An integer has more digits than a JSON number can represent.",
  "number-not-finite": "Infinity and NaN cannot be sent as JSON.",
  "forbidden-key": "A key is not allowed because it is unsafe in JavaScript objects.",
  "document-shape": "The document must be a mapping.",
  "document-too-large": "A document has too many fields and list items to be checked.",
  "document-kind": "The document's kind is unknown.",
  "document-version": "The document's apiVersion is unknown.",
  "document-missing-field": "A required field is missing.",
  "document-invalid": "A value does not have the type or form that the field requires.",
  "document-unknown-field": "A field is unknown.",
  "document-misspelt-field": "A field is unknown, and its name is close to that of a known field.",
  "document-read-only-field": "A field is set by the service and must not be in a document.",
  "document-duplicate": "Two documents have the same address.",
  "for-each-invalid": "A `for_each` is not a mapping, or a key of it has no mapping of parameters.",
  "for-each-name": "A key of `for_each` makes an invalid name, or the same name as a different key.",
  "for-each-too-large": "A `for_each` has more than 10,000 keys.",
  "default-unused": "No document uses one of the manifest's defaults.",
  "patch-misplaced": "A file is under `environments/`, but not in the folder of an environment.",
  "patch-without-target": "An environment patches a document that does not exist.",
  "secret-literal": "A document contains a secret.",
  "secret-missing": "An environment variable that the apply needs is not set.",
  "secret-reserved": "An environment variable has a name that the CI sets itself.",
  "expression-syntax": "An expression is not closed or has an empty or malformed locator.",
  "expression-scheme": "An expression has an unknown scheme.",
  "expansion-too-large": "Documents include too much: more than 64 MB in one, or 128 MB in all.",
  "expression-cycle": "Templates include each other in a circle.",
  "expression-splice": "A whole tool set is referenced outside a list.",
  "expression-type": "A value that is not a text is used inside a longer text.",
  "variable-unknown": "A variable is used but not declared in the manifest.",
  "variable-missing": "A required variable has no value.",
  "variable-unused": "A variable is declared or given but never used.",
  "parameter-unknown":
    "A parameter of `for_each` is used that the key does not have, or without a `for_each`.",
  "reference-unknown": "A reference leads to a document that does not exist.",
  "reference-absent": "A reference leads to a document that does not exist in this environment.",
  "reference-literal": "A text is used where a reference was probably meant.",
  "reference-operation": "A reference names an operation that the tool set does not have.",
  "operation-unknown": "An item of `operations` matches no operation of the OpenAPI document.",
  "reference-tool-unmapped": "A single tool is referenced whose ID is not known.",
  "reference-cycle": "References form a circle.",
  "openapi-external-ref":
    "An OpenAPI document refers to a different file or address; the reference is sent unchanged.",
  "openapi-version-missing": "A tool set's `openapi_schema` is not an OpenAPI document.",
  "openapi-too-large": "An OpenAPI document becomes too large when its `$ref`s are followed.",
  "api-key-missing": "The manifest sets no API key.",
  "api-key-invalid": "The API key cannot be sent in a header.",
  "certificate-invalid": "A file of certificates cannot be read, contains none, or contains a damaged one.",
  "proxy-invalid": "The environment variables set a proxy that cannot be used.",
  "environment-unknown": "The environment is not in the manifest.",
  "environment-required": "The manifest has no default environment, and the command names none.",
  "service-url": "An address of the service is missing or is not a usable URL.",
  "observation-invalid": "An observation is damaged, or of another workspace, service or time.",
  "object-unreadable": "An object could not be read from the service.",
  "object-not-compared": "An object, or a field of it, could not be compared with what is in the service.",
  "drift-kept": "Something was changed in the service, and no update can undo it.",
  "operation-invalid": "An operation of the service is not written as a method and a path.",
  "status-of-proxies":
    "`rejected_statuses` contains a status that proxies also answer, so it does not prove that nothing was done.",
  "service-rejected": "The service refused a field of a body.",
  "service-moved": "The service's address was never used by an apply of this environment.",
  "tool-ids-unsettled": "It is not clear which member of an answer is the ID of a tool.",
  "lock-location":
    "The place of the lock in the manifest is not complete, or an address of it cannot be used.",
  "lock-damaged": "The lock cannot be read.",
  "lock-history-cut":
    "Git's history is incomplete here, so the lock could not be compared with everything that was applied.",
  "lock-behind":
    "The lock is older than the last apply, for example after `git revert` or a merge that kept one side.",
  "lock-conflict": "The lock was changed on both sides of a merge, or contains merge-conflict markers.",
  "lock-format": "The lock has a format that this version cannot read.",
  "lock-too-large": "A plan would make a lock, or a journal, of more than 400 MB.",
  "lock-foreign": "The lock belongs to a different workspace or environment.",
  "lock-absent": "The lock is stored elsewhere and was not fetched.",
  "lock-held": "The lock is held by a different apply.",
  "lock-moved": "The state was moved to a different store, and this one is not used any more.",
  "lock-moving": "A move of the state to this store is not finished.",
  "lock-occupied": "The store that a state is to be moved to has a state already.",
  "lock-left-behind":
    "The lock file beside the manifest has the state, and the store of the manifest has none.",
  "lock-history-none": "The store keeps no earlier versions of the lock, or not the one that was asked for.",
  "lock-changed": "The lock was changed elsewhere since it was read.",
  "lock-medium":
    "The lock could not be read or written, for example because the disk is full, or a server does not answer or accept the credentials.",
  "state-tracked": "Git tracks state that is local to a machine.",
  "journal-damaged": "The journal is damaged before its last line.",
  "journal-foreign": "The journal belongs to a different lock.",
  protected: "The plan would replace, forget or delete a protected resource.",
  "retired-address": "A document has the address of a retired object.",
  "delete-undeclared": "A document asks for a delete that `service.operations` does not have.",
  "prune-unknown-id": "An ID to prune is not in the ledger.",
  "orphan-limit": "The plan leaves more objects behind than `limits.orphans` allows.",
  "adopt-taken": "An ID to adopt already belongs to a different address.",
  "adopt-invalid": "The IDs to adopt do not fit the resource.",
  "move-invalid": "A `moved_from` cannot be applied.",
  "move-done": "A `moved_from` that is no longer needed.",
  "move-unmarked":
    "A resource is new and one with an equal body is gone, which may be a rename without `moved_from`.",
  "plan-invalid": "A saved plan cannot be read, or is not as it was saved.",
  "plan-foreign": "A saved plan was made for a different workspace, environment or lock.",
  "plan-moved": "The lock or the workspace has changed since the saved plan was made.",
  "too-many-findings": "A file has more problems than are listed.",
  "operation-missing": "A command needs an operation of the service that the manifest does not name.",
  "service-unread": "The service could not be read or listed, so nothing is known of what it has.",
  "import-left-out": "An object of the service is not imported.",
  "import-incomplete": "An imported document lacks something that its object has.",
  "import-unwritten": "A file of an import cannot be written.",
  "option-unknown-address": "An option names an address that does not exist.",
  "selector-empty": "A selector selects no resource.",
  "output-incomplete":
    "Something has no ID, or an ID that is in doubt, so `agentform output` leaves it out or says so.",
  "output-name-taken": "Two names in the result of `agentform output` are the same.",
  "output-unfit": "An ID cannot be written in the chosen form.",
  "output-unwritten": "A file of IDs cannot be read or written.",
  "output-stale": "A file of IDs is missing or is not as `agentform output` would write it.",
} as const;

export type Code = keyof typeof codes;

/** The codes that warnings have; an error may have one of them, too. */
export const warningCodes = [
  "document-unknown-field",
  "reference-literal",
  "variable-unused",
  "openapi-external-ref",
  "status-of-proxies",
  "tool-ids-unsettled",
  "move-unmarked",
  "default-unused",
  "output-incomplete",
  "delete-undeclared",
  "drift-kept",
] as const satisfies readonly Code[];

/** Makes a finding of severity error. */
export function error(code: Code, place: Place | undefined, message: string, hint?: string): Finding {
  return finding("error", code, place, message, hint);
}

/** Makes a finding of severity warning. */
export function warning(
  code: (typeof warningCodes)[number],
  place: Place | undefined,
  message: string,
  hint?: string,
): Finding {
  return finding("warning", code, place, message, hint);
}

/** Makes a finding of severity note. */
export function note(code: Code, place: Place | undefined, message: string, hint?: string): Finding {
  return finding("note", code, place, message, hint);
}

function finding(
  severity: Severity,
  code: Code,
  place: Place | undefined,
  message: string,
  hint: string | undefined,
): Finding {
  return { severity, code, message, ...(place && { place }), ...(hint !== undefined && { hint }) };
}

/** Whether any of the findings or diagnostics is an error. */
export function hasErrors(found: readonly { readonly severity: Severity }[]): boolean {
  return found.some(({ severity }) => severity === "error");
}
