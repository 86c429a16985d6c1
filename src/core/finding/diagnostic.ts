import type { Diagnostic } from "../../generated/diagnostics.js";
import type { Path } from "../../json/path.js";

export type { Diagnostic };
export type Severity = Diagnostic["severity"];

/** Where something stands in the workspace, before anybody asked for its line and column. */
export interface Place {
  /** The file, relative to the workspace, with `/`. */
  readonly file: string;
  /** Which document of the file, from 0. */
  readonly document?: number;
  /** The value inside the document. */
  readonly path?: Path;
  /** Whether the key is meant, and not its value. */
  readonly key?: boolean;
  /** The source text of an expression inside the scalar. */
  readonly expression?: string;
  /** A place that is known by its offset in the file's text, in UTF-16 code units; wins over `path`. */
  readonly offset?: number;
}

/** A problem as core finds it: a diagnostic whose place has no line and column yet. */
export interface Finding {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly address?: string;
  readonly place?: Place;
  /** Other places that belong to the problem. */
  readonly related?: readonly { readonly message: string; readonly place?: Place }[];
}

/** Every code with what it means; `docs/diagnostics.md` is this table. */
export const codes = {
  "workspace-missing": "There is no manifest.",
  "git-failed": "Git does not say which files of the workspace it ignores.",
  "file-unreadable": "A file of the workspace cannot be read.",
  "file-missing": "A file that is included does not exist.",
  "file-outside-workspace": "A path leads out of the workspace.",
  "file-withheld": "A path leads to what is git's or agentform's own, or to what git ignores.",
  "file-not-regular": "A path leads to something that is no regular file.",
  "file-too-large": "A file is larger than 32 MB.",
  "file-encoding": "A file is not UTF-8 or holds a NUL.",
  "file-syntax": "An included data file cannot be parsed.",
  "yaml-syntax": "A document is not YAML.",
  "yaml-duplicate-key": "A key stands twice in one mapping.",
  "yaml-alias-limit": "Aliases expand to too much.",
  "yaml-too-large": "A YAML file has more values than can be read.",
  "yaml-tag": "A tag that YAML's core schema does not know.",
  "merge-conflict": "The file holds the markers of an unresolved merge.",
  "too-deep": "Collections are nested deeper than 100.",
  "too-many-documents": "A file holds more than 10,000 documents.",
  "integer-too-large": "An integer has more digits than a JSON number keeps.",
  "number-not-finite": "Infinity and NaN cannot be sent as JSON.",
  "forbidden-key": "The key is refused because it can poison objects.",
  "document-shape": "The document is no mapping.",
  "document-too-large": "A document has more fields and list items of its own than can be checked.",
  "document-kind": "The document's kind is unknown.",
  "document-version": "The document's apiVersion is unknown.",
  "document-missing-field": "A required field is missing.",
  "document-invalid": "A value is not of the type or form that the field needs.",
  "document-unknown-field": "A field that nobody knows.",
  "document-misspelt-field": "A field that is nearly the name of a known one.",
  "document-read-only-field": "A field that only the service sets.",
  "document-duplicate": "Two documents have the same address.",
  "patch-without-target": "An environment patches a document that is not there.",
  "secret-literal": "A secret stands in the document.",
  "secret-missing": "An environment variable that the apply needs is not set.",
  "secret-reserved": "An environment variable has a name that the CI sets itself.",
  "expression-syntax": "An expression is not closed or has an empty or malformed locator.",
  "expression-scheme": "An expression has an unknown scheme.",
  "expansion-too-large": "What documents include is too much: more than 64 MB in one, or 128 MB in all.",
  "expression-cycle": "Templates include one another in a circle.",
  "expression-splice": "A whole tool set is referred to where no list can take its IDs.",
  "expression-type": "A value that is no text stands inside a longer text.",
  "variable-unknown": "A variable is used that the manifest does not declare.",
  "variable-missing": "A required variable has no value.",
  "variable-unused": "A variable is declared or given and used nowhere.",
  "reference-unknown": "A reference leads to no document.",
  "reference-literal": "A text stands where a reference was probably meant.",
  "reference-operation": "A reference leads to an operation that the tool set does not have.",
  "reference-tool-unmapped": "A single tool is referred to, and which ID it has is not known.",
  "reference-cycle": "References lead round in a circle.",
  "openapi-external-ref": "An OpenAPI document refers to another file or address, which is sent as it is.",
  "openapi-too-large": "An OpenAPI document expands to too much when its `$ref`s are followed.",
  "api-key-missing": "The manifest names no API key.",
  "api-key-invalid": "The API key cannot be sent in a header.",
  "certificate-invalid": "A file of certificates cannot be read, holds none, or holds a damaged one.",
  "proxy-invalid": "The environment names a proxy that cannot be used.",
  "environment-unknown": "The environment is not in the manifest.",
  "service-url": "An address of the service is missing or no usable URL.",
  "status-of-proxies": "A status that proxies answer themselves is said to mean that nothing was done.",
  "service-rejected": "The service refused a field of a body.",
  "service-moved": "The service has an address that no apply of this environment has used.",
  "tool-ids-unsettled": "It is not known which member of an answer is the ID of a tool.",
  "settings-unrecorded": "The lock does not say with which settings it was applied.",
  "lock-damaged": "The lock cannot be read.",
  "lock-history-cut":
    "Git's history is not all here, so the lock could not be compared with all that was applied.",
  "lock-behind":
    "The lock is not the newest that was applied, as after `git revert` or a merge that kept one side.",
  "lock-conflict": "The lock was edited on both sides of a merge, or holds the markers of one.",
  "lock-format": "The lock has another format than this version reads.",
  "lock-foreign": "The lock belongs to another workspace or environment.",
  "lock-absent": "The lock is kept elsewhere and was not brought here.",
  "lock-old-digests": "The lock has short digests of an older version, which a plan was compared with.",
  "lock-held": "Another apply holds the lock.",
  "lock-changed": "The lock was changed by another since it was read.",
  "lock-medium": "The medium of the lock failed: a full disk, a folder that cannot be written.",
  "state-tracked": "Git tracks state that is local to a machine.",
  "journal-damaged": "The journal is broken before its last line.",
  "journal-foreign": "The journal belongs to another lock.",
  protected: "The plan would replace or forget a protected resource.",
  "retired-address": "An address returns whose object was retired.",
  "orphan-limit": "The plan leaves more objects behind than the workspace allows.",
  "adopt-taken": "An ID to adopt is known under another address.",
  "adopt-invalid": "The IDs to adopt do not fit the resource.",
  "move-invalid": "A move cannot be followed.",
  "move-done": "A `moved_from` that is no longer needed.",
  "plan-invalid": "A saved plan cannot be read, or is not as it was saved.",
  "plan-foreign": "A saved plan was made for something else.",
  "plan-moved": "What a saved plan rests on has changed since.",
  "too-many-findings": "A file has more problems than are listed.",
  "option-unknown-address": "An option names an address that is not there.",
} as const;

export type Code = keyof typeof codes;

/** Makes a finding of severity error. */
export function error(code: Code, place: Place | undefined, message: string, hint?: string): Finding {
  return finding("error", code, place, message, hint);
}

/** Makes a finding of severity warning. */
export function warning(code: Code, place: Place | undefined, message: string, hint?: string): Finding {
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
