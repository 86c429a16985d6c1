import { isObject, type Json } from "../../json/json.js";
import { areTexts } from "../../json/texts.js";

/** A parameter, with a digest of all else; a `$ref` that leads nowhere has `in: "$ref"` and the reference as name. */
export type OutlineParameter = {
  in: string;
  name: string;
  required: boolean;
  digest: string;
};

/** The texts by which models choose an operation. */
export const wordKeys = ["summary", "description"] as const;

/** What an operation says of itself. */
export type OperationWords = { [Key in (typeof wordKeys)[number]]?: string };

/** Gives the texts among the members of an operation. */
export function wordsOf(members: Readonly<Record<string, unknown>>): OperationWords {
  return Object.fromEntries(
    wordKeys.flatMap((key) => (typeof members[key] === "string" ? [[key, members[key]]] : [])),
  );
}

/** With what its path item says; bodies are digests, and words of over 2,000 characters are cut and end in one. */
export type OutlineOperation = OperationWords & {
  method: string;
  path: string;
  operationId?: string;
  parameters?: OutlineParameter[];
  request_body?: string;
  responses?: string;
  servers?: Json;
  security?: Json;
  /** By the name of a callback: digests by the address that is called, with the servers that it has of its own. */
  callbacks?: Json;
  /** A reference that leads out of the document, as it is written. */
  $ref?: Json;
  /** The servers of links in the responses, by status and name. */
  link_servers?: Json;
  /** The operations at other addresses that links lead to, in the same way. */
  link_operations?: Json;
};

/** The security of a document: the top-level requirements, and the schemes by name. */
export type OutlineSecurity = {
  requirements?: Json;
  schemes?: Json;
};

/** What the lock keeps of an OpenAPI document: operations, where calls go, and by its own name what else it says. */
export type Outline = {
  servers?: Json;
  security?: OutlineSecurity;
  operations: OutlineOperation[];
  /** Where the document says that it is, from OpenAPI 3.2 on. */
  $self?: Json;
  /** What stands under `paths` and has no operations. */
  paths?: Json;
  /** Pointers to the components that operations reach by a name, such as the subtypes of a discriminator, and not by one. */
  by_name?: string[];
  /** The environment variables in what only has a digest here, as they are written, each once. */
  secrets_in_digests?: string[];
};

/** Whether a value from a lock, a journal or a plan is a complete outline. */
export function isOutline(value: Json | undefined): value is Outline {
  if (!isObject(value) || !Array.isArray(value.operations)) return false;
  const { operations, security, by_name = [], secrets_in_digests = [] } = value;
  return (
    operations.every(isOperation) &&
    (security === undefined || isObject(security)) &&
    areTexts(by_name) &&
    areTexts(secrets_in_digests)
  );
}

function isOperation(value: Json): value is OutlineOperation {
  if (!isObject(value) || !isText(value.method) || !isText(value.path)) return false;
  const { operationId, parameters = [], request_body, responses } = value;
  const words = wordKeys.map((key) => value[key]);
  return (
    [operationId, request_body, responses, ...words].every((value) => value === undefined || isText(value)) &&
    Array.isArray(parameters) &&
    parameters.every(isParameter)
  );
}

function isParameter(value: Json): value is OutlineParameter {
  if (!isObject(value)) return false;
  return [value.in, value.name, value.digest].every(isText) && typeof value.required === "boolean";
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}
