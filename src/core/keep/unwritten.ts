import { pathSegment, type Path } from "../../json/path.js";
import { note, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import type { ForeignOrigin } from "./value-home.js";

const reasons = {
  default: [
    "it comes from a default",
    "write it into the document, which then differs from the default; or change the default, for all that have it",
  ],
  "for-each": [
    "its document makes a resource for each key of `for_each`",
    "change the entry of the key, or the document, for all of its keys",
  ],
  variable: [
    "it comes from a variable",
    "change the variable, for all that use it; or write the value itself",
  ],
  template: [
    "it comes from a template with expressions",
    "change the template, for all that use it; or write the value itself",
  ],
  "data-file": ["it comes from a file with data", "change it in the file"],
  made: [
    "the text is made with an expression",
    "change what the expression stands for, or write the text itself",
  ],
  anchor: [
    "an anchor gives it to other places, too",
    "change it at the anchor, or write the value at its place",
  ],
  openapi: [
    "it is a part of an OpenAPI document",
    "change the document; what the service shows of one is not enough to write it",
  ],
  unread: ["the file with it cannot be read again", "look at the file"],
  gone: [
    "the service does not have it any more",
    "remove the document, or make it anew: a plan with `--observed FILE` does",
  ],
  "tools-gone": [
    "the service does not have some of its tools any more",
    "leave them out with `operations`, or make the set anew: a plan with `--observed FILE` does",
  ],
  uncertain: [
    "the outcome of its last update is not known, so the difference may be its own",
    "apply first, and look again",
  ],
  "no-document": ["no document has it now", "a plan says whether it is moved or to be forgotten"],
  edited: [
    "its document was changed in another way since it was last applied",
    "choose: write the value by hand, or apply what the document says",
  ],
  partly: [
    "only some of its tools differ",
    "write the value into the document, or apply with `--resend ADDR`, to make them equal",
  ],
  own: [
    "it is the service's own, and no field of a document",
    "list it under `spec.extra_fields` of agentform.yaml if documents are to have it",
  ],
  inexact: ["no edit of this place says exactly that", "write it by hand"],
  invalid: ["the workspace would not be valid", "look at what was set in the service"],
  shared: ["the same text is of other resources, too", "change it for all of them, or give this one its own"],
  "no-patch": [
    "other environments have it from the same place, and this one has no patch of the resource",
    "write a patch with it, such as SOURCE/NAME.yaml: `apiVersion`, `kind` and `metadata.name` as in the document, and the field alone under `spec`; or change the document, for all environments",
  ],
  "list-made": [
    "other environments have the list from the same place, and a part of it comes from a variable or a file",
    "write the whole list into the patch of this environment, or change the document, for all of them",
  ],
  elsewhere: [
    "another environment has it from the same place",
    "change it for all of them, or give this one its own",
  ],
  withheld: [
    "a text of it has the value of a secret, or is not shown",
    "look at it in the service, and remove the secret there",
  ],
  linked: [
    "its file is a symbolic link, or behind one, which is not followed",
    "edit the file that it leads to",
  ],
  nested: [
    "its file is in the folder of another workspace, which may have it too",
    "change it there, and plan both; or give this one its own",
  ],
  above: [
    "a workspace in a folder above reads its file, too",
    "change it there, and plan both; or give this one its own",
  ],
  unwritable: ["a text of it cannot be in a file", "write it into the document, where it can be escaped"],
} as const satisfies Record<ForeignOrigin, unknown> & Record<string, readonly [why: string, todo: string]>;

/** Why what was found in the service is not written. */
export type Unwritten = keyof typeof reasons;

/** Why a file that a workspace reads is not its own to edit. */
export type ForeignFile = Extract<Unwritten, "linked" | "nested" | "above">;

/** Says what is not written, why, and what to do. */
export function unwritten(
  address: string,
  path: Path | undefined,
  why: Unwritten,
  {
    place,
    name,
    detail,
  }: { readonly place?: Place; readonly name?: string; readonly detail?: Sentence } = {},
): Finding {
  const [reason, todo] = reasons[why];
  const field = path && path.length > 0 ? say` \`${bare({ field: fieldText(path) })}\`` : "";
  const source = name === undefined ? "" : say` (${{ source: name }})`;
  const more = detail === undefined ? "" : say`: ${detail}`;
  const message = say`${bare({ address })}:${field} is not written: ${bare({ reason: why }, reason)}${source}${more}`;
  const named = todo
    .replace("ADDR", () => address)
    .replace("SOURCE", () => name ?? "")
    .replace("NAME", () => address.slice(address.indexOf(":") + 1));
  return { ...note("drift-unwritten", place, message, named), address };
}

function fieldText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return `${text}${text === "" ? "" : "."}${pathSegment(step)}`;
  }, "");
}
