import type { Document } from "yaml";
import { composeAll } from "../document/compose.js";
import { yamlHazard } from "../document/yaml-hazard.js";
import { editedYaml, type RenderValue } from "./yaml-edit.js";
import type { ValueEdit } from "./value-edit.js";

/** A file, with the texts of its documents. */
interface EditableFile {
  readonly documents: readonly Document[];
  readonly texts: string[];
}

/** The documents of files, as they are and with edits. */
export class EditableDocuments {
  readonly #files = new Map<string, EditableFile | undefined>();

  constructor(
    private readonly read: (file: string) => string | undefined,
    private readonly render: RenderValue,
  ) {}

  /** Gives the tree of a document as it was read; undefined if it cannot be composed. */
  composed(file: string, document: number): Document | undefined {
    return this.#file(file)?.documents[document];
  }

  /** Makes edits in a document, all or none of them; says whether it did. The last one is made first. */
  edit(file: string, document: number, edits: readonly ValueEdit[]): boolean {
    const texts = this.#file(file)?.texts;
    let text = texts?.[document];
    for (const edit of edits.toReversed()) text = text && editedYaml(text, edit, this.render);
    if (!texts || text === undefined) return false;
    texts[document] = text;
    return true;
  }

  /** Gives the text of a file with its edits. */
  textOf(file: string): string {
    return this.#file(file)?.texts.join("") ?? "";
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
