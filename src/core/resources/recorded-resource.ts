import type { Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import { textsOfResource, type FileRecord, type ResourceDetails, type ResourceHead } from "./file-record.js";
import type { JsonObject } from "../../json/json.js";
import type { KindName } from "../../generated/kinds.js";
import type { Kind } from "../kind/kind.js";
import { kinds } from "../kind/kinds.js";
import { placeIn } from "./patch.js";
import { placeOf } from "./patches.js";
import { readReference, type Reference } from "../expression/reference.js";
import type { Lifecycle, PlacedReference, Resource, SecretUse } from "./resource.js";

/** Gives the resources of a record; most are never asked for more than the head has. */
export function resourcesOf(record: FileRecord): Resource[] {
  return record.head.resources.map((head, index) => new RecordedResource(head, record, index));
}

const noLabels = {};
const noReferences: readonly Reference[] = [];

class RecordedResource implements Resource {
  readonly kind: Kind;
  readonly references: readonly Reference[];
  #body: JsonObject | undefined;
  #details: ResourceDetails | undefined;

  constructor(
    private readonly head: ResourceHead,
    private readonly record: FileRecord,
    private readonly position: number,
  ) {
    this.kind = kinds[head.address.slice(0, head.address.indexOf(":")) as KindName];
    this.references = head.references?.map(readReference) ?? noReferences;
  }

  get address(): string {
    return this.head.address;
  }

  get key(): string {
    return this.head.address.slice(this.head.address.indexOf(":") + 1);
  }

  get digest(): string {
    return this.head.digest;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.head.labels ?? noLabels;
  }

  get lifecycle(): Lifecycle {
    return this.head.lifecycle ?? noLabels;
  }

  get file(): string {
    return this.record.head.file;
  }

  get files(): readonly string[] {
    return [this.file, ...(this.head.files ?? [])];
  }

  get body(): JsonObject {
    this.#body ??= JSON.parse(this.#text(0)) as JsonObject;
    return this.#body;
  }

  get documents(): JsonObject {
    const text = this.#text(2);
    return text === "" ? {} : (JSON.parse(text) as JsonObject);
  }

  get placedReferences(): readonly PlacedReference[] {
    return this.#detailed().references;
  }

  get secrets(): readonly SecretUse[] {
    return this.#detailed().secrets;
  }

  place(path: Path): Place {
    const { layers } = this.#detailed();
    if (!layers) return { file: this.file, document: this.head.index, path };
    return placeIn(
      layers.map((layer) => ({ value: layer.value, place: placeOf(layer) })),
      path,
    );
  }

  #detailed(): ResourceDetails {
    this.#details ??= JSON.parse(this.#text(1)) as ResourceDetails;
    return this.#details;
  }

  #text(which: number): string {
    return this.record.text(this.position * textsOfResource + which);
  }
}
