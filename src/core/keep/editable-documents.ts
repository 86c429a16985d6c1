import type { Document, Schema } from "yaml";
import { composeAll } from "../document/compose.js";
import { yamlHazard } from "../document/yaml-hazard.js";
import { addTo } from "../../json/groups.js";
import { editedYaml, yamlSplice } from "./yaml-edit.js";
import type { ValueEdit } from "./value-edit.js";
import type { Splice } from "./yaml-spot.js";
import type { Place } from "../finding/diagnostic.js";
import type { FoundSecret } from "../import/symbolic-body.js";

/** An edit of a document or a patch, by its place there. */
interface DocumentEdit {
  readonly file: string;
  readonly document: number;
  readonly edit: ValueEdit;
}

interface EditableFile {
  readonly documents: readonly Document[];
  readonly texts: readonly string[];
}

/** The documents of files, as they are and with edits. */
export class EditableDocuments {
  readonly #files = new Map<string, EditableFile | undefined>();

  constructor(
    private readonly read: (file: string) => string | undefined,
    private readonly schema: Schema,
  ) {}

  /** Gives the tree of a document as it was read; undefined if it cannot be composed. */
  composed(file: string, document: number): Document | undefined {
    return this.#file(file)?.documents[document];
  }

  /** Gives the texts of files with edits, and the edits that no text says exactly; the last one is made first. */
  edited<Each extends DocumentEdit>(
    edits: readonly Each[],
  ): { readonly texts: ReadonlyMap<string, string>; readonly failed: readonly Each[] } {
    const failed: Each[] = [];
    const byFile = new Map<string, Each[]>();
    for (const each of edits.toReversed()) addTo(byFile, each.file, each);
    const texts = [...byFile].map(([file, own]): [string, string] => {
      const written = [...(this.#file(file)?.texts ?? [])];
      for (const each of own) {
        const text = editedYaml(written[each.document] ?? "", each.edit, this.schema);
        if (text === undefined) failed.push(each);
        else written[each.document] = text;
      }
      return [file, written.join("")];
    });
    return { texts: new Map(texts), failed };
  }

  /** Gives the part of a file's text that one edit replaces; undefined if no text says exactly what is wanted. */
  splice({ file, document, edit }: DocumentEdit): Splice | undefined {
    const texts = this.#file(file)?.texts ?? [];
    const start = texts.slice(0, document).join("").length;
    const splice = yamlSplice(texts[document] ?? "", edit, this.schema);
    return splice && [start + splice[0], start + splice[1], splice[2]];
  }

  #file(file: string): EditableFile | undefined {
    if (!this.#files.has(file)) this.#files.set(file, this.#compose(file));
    return this.#files.get(file);
  }

  #compose(file: string): EditableFile | undefined {
    const text = this.read(file);
    if (text === undefined || yamlHazard(text)) return undefined;
    const documents = [...composeAll(text)];
    const ends = documents.map(({ range }) => range?.[2] ?? 0);
    const texts = ends.map((end, index) =>
      text.slice(ends[index - 1] ?? 0, index === ends.length - 1 ? undefined : end),
    );
    return { documents, texts };
  }
}

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
