import type { Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import {
  textsOfResource,
  type ParsedFile,
  type ResourceDetails,
  type ResourceSummary,
} from "./parsed-file.js";
import type { JsonObject } from "../../json/json.js";
import type { KindName } from "../../generated/kinds.js";
import type { Kind } from "../kind/kind.js";
import { kindIn, type Deployment } from "../kind/deployment.js";
import { layerAt, placeIn, type Layer } from "./layer.js";
import { readReference, type Reference } from "../expression/reference.js";
import type { Operation } from "../openapi/openapi.js";
import type { ResourceLifecycle, PlacedReference, Resource, SecretUse } from "./resource.js";

/** Gives the resources of a file; for most of them the summary is enough. */
export function resourcesOf(parsed: ParsedFile, deployment: Deployment): Resource[] {
  return parsed.summary.resources.map(
    (summary, index) => new LazyResource(summary, parsed, index, deployment),
  );
}

/** Has resources forget what was read of their texts, which is read again when it is needed. */
export function forgetRead(resources: Iterable<Resource>): void {
  for (const resource of resources) if (resource instanceof LazyResource) resource.forgetRead();
}

const noLabels = {};
const noReferences: readonly Reference[] = [];

class LazyResource implements Resource {
  readonly kind: Kind;
  readonly references: readonly Reference[];
  #body: JsonObject | undefined;
  #details: ResourceDetails | undefined;

  constructor(
    private readonly summary: ResourceSummary,
    private readonly parsed: ParsedFile,
    private readonly position: number,
    deployment: Deployment,
  ) {
    this.kind = kindIn(deployment, summary.address.slice(0, summary.address.indexOf(":")) as KindName);
    this.references = summary.references?.map(readReference) ?? noReferences;
  }

  get address(): string {
    return this.summary.address;
  }

  get key(): string {
    return this.summary.address.slice(this.summary.address.indexOf(":") + 1);
  }

  get digest(): string {
    return this.summary.digest;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.summary.labels ?? noLabels;
  }

  get lifecycle(): ResourceLifecycle {
    return this.summary.lifecycle ?? noLabels;
  }

  get file(): string {
    return this.parsed.summary.file;
  }

  get files(): readonly string[] {
    return [this.file, ...(this.summary.files ?? [])];
  }

  get body(): JsonObject {
    this.#body ??= JSON.parse(this.#text(0)) as JsonObject;
    return this.#body;
  }

  get documents(): JsonObject {
    // Without an outline the body has everything, and there is nothing to look for.
    if (this.kind.outlined.length === 0) return {};
    const text = this.#text(2);
    return text === "" ? {} : (JSON.parse(text) as JsonObject);
  }

  get leftOut(): readonly Operation[] {
    return this.#detailed().leftOut ?? [];
  }

  get placedReferences(): readonly PlacedReference[] {
    return this.#detailed().references;
  }

  get secrets(): readonly SecretUse[] {
    return this.#detailed().secrets;
  }

  place(path: Path): Place {
    const { layers, each } = this.#detailed();
    if (!layers) return { file: this.file, document: this.summary.index, path, ...(each && { each }) };
    return placeIn(layers, path);
  }

  layerType(path: Path): Layer["type"] | undefined {
    const { layers } = this.#detailed();
    return layers ? layerAt(layers, path)?.type : "document";
  }

  forgetRead(): void {
    this.#body = undefined;
    this.#details = undefined;
  }

  #detailed(): ResourceDetails {
    this.#details ??= JSON.parse(this.#text(1)) as ResourceDetails;
    return this.#details;
  }

  #text(which: number): string {
    return this.parsed.texts.at(this.position * textsOfResource + which) ?? "";
  }
}
