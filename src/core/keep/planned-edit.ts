import type { Place } from "../finding/diagnostic.js";
import type { FoundSecret } from "../import/symbolic-body.js";
import type { DocumentEdit } from "./editable-documents.js";
import type { ValueEdit } from "./value-edit.js";

/** An edit with the place where it is written; one that is not made takes no other with it. */
export interface PlannedEdit {
  readonly address: string;
  /** The edit of the resource's body. */
  readonly edit: ValueEdit;
  /** What messages point to. */
  readonly place: Place;
  /** The edit of a document or a patch, or the new text of a file that is the whole value. */
  readonly written: DocumentEdit | { readonly file: string; readonly text: string };
  readonly secrets: readonly FoundSecret[];
}
