import { error, type Finding, type Path, type Place } from "./diagnostic.js";
import type { Document } from "./document.js";
import { readEnvelope } from "./envelope.js";
import { isObject } from "./json.js";
import { kindOfDocument } from "./kinds.js";
import type { LostDocuments } from "./lost-documents.js";
import { didYouMean } from "./nearest.js";

/** The documents of an environment that are laid over those of the workspace. */
export class Patches {
  readonly #byAddress = new Map<string, Document[]>();
  readonly #taken = new Set<string>();

  /** Adds a patch, or says what is wrong with it. */
  add(document: Document): readonly Finding[] {
    const place = placeOf(document);
    if (!isObject(document.value)) {
      const hint = "a patch has apiVersion, kind, metadata.name, and what is other than in the document";
      return [error("document-shape", place([]), "the patch is no mapping", hint)];
    }
    const kind = readEnvelope(document.value, place);
    if (Array.isArray(kind)) return kind;
    const address = addressOf(document);
    if (address === undefined) {
      const hint = "name the document that it patches";
      return [error("document-missing-field", place(["metadata"]), "`metadata.name` is missing", hint)];
    }
    this.#byAddress.set(address, [...(this.#byAddress.get(address) ?? []), document]);
    return [];
  }

  /** Gives the patches of a document, in the order of their files. */
  take(document: Document): readonly Document[] {
    const address = addressOf(document);
    if (address === undefined) return [];
    this.#taken.add(address);
    return this.#byAddress.get(address) ?? [];
  }

  /** Finds patches of documents that are not there. */
  explainRest(known: readonly string[], lost: LostDocuments): Finding[] {
    const rest = [...this.#byAddress].filter(
      ([address]) => !this.#taken.has(address) && !lost.mayHold(address),
    );
    return rest.flatMap(([address, documents]) =>
      documents.map((document) => {
        const hint =
          didYouMean(address, known) ?? "a patch changes a document of the workspace, and makes none";
        const place = placeOf(document)(["metadata", "name"]);
        return error(
          "patch-without-target",
          place,
          `\`${address}\`, which this patches, is not in the workspace`,
          hint,
        );
      }),
    );
  }
}

/** Gives the address that a document says it has, as far as it says so. */
export function addressOf({ value }: Document): string | undefined {
  if (!isObject(value) || !isObject(value.metadata) || typeof value.kind !== "string") return undefined;
  const kind = kindOfDocument(value.kind);
  const { name } = value.metadata;
  return kind && typeof name === "string" ? `${kind.name}:${name}` : undefined;
}

/** Gives where a part of a document stands. */
export function placeOf({ file, index }: Document): (path: Path) => Place {
  return (path) => ({ file, document: index, path });
}
