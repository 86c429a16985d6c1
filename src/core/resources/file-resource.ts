import type { Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import type { ParsedFile, ResourceDetails, ResourceSummary } from "./parsed-file.js";
import type { JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { kindOfAddressIn, type Deployment } from "../kind/deployment.js";
import { inOrder } from "./graph.js";
import { layerAt, placeIn, placeOf, type Layer } from "./layer.js";
import { readReference, type Reference } from "../expression/reference.js";
import type { Operation } from "../openapi/openapi.js";
import type { ResourceLifecycle, PlacedReference, Resource, SecretUse } from "./resource.js";

/** Gives the resources of a file; for most of them the summary is enough. */
export function resourcesOf(parsed: ParsedFile, deployment: Deployment): readonly Resource[] {
  const kindOf = (address: string): Kind => kindOfAddressIn(deployment, address);
  if (parsed.resources?.every(({ address, kind }) => kind === kindOf(address))) return parsed.resources;
  return (parsed.resources = parsed.summary.resources.map(
    (summary, index) => new FileResource(summary, parsed, index, kindOf(summary.address)),
  ));
}

const noLabels = {};
const noDocuments: JsonObject = {};
const noReferences: readonly Reference[] = [];
const noTargets: readonly string[] = [];

class FileResource implements Resource {
  readonly address: string;
  readonly digest: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: ResourceLifecycle;
  readonly file: string;
  readonly references: readonly Reference[];
  readonly targets: readonly string[];

  constructor(
    private readonly summary: ResourceSummary,
    private readonly parsed: ParsedFile,
    private readonly position: number,
    readonly kind: Kind,
  ) {
    const { address, digest, labels = noLabels, lifecycle = noLabels } = summary;
    [this.address, this.digest, this.labels, this.lifecycle] = [address, digest, labels, lifecycle];
    this.file = parsed.summary.file;
    this.references = summary.references?.map(readReference) ?? noReferences;
    this.targets = summary.references ? inOrder(this.references.map((each) => each.address)) : noTargets;
  }

  get key(): string {
    return this.address.slice(this.address.indexOf(":") + 1);
  }

  get files(): readonly string[] {
    return [this.file, ...(this.summary.files ?? [])];
  }

  get body(): JsonObject {
    return this.#details.body;
  }

  get documents(): JsonObject {
    // Without an outline the body has everything, and there is nothing to look for.
    return this.kind.outlined.length === 0 ? noDocuments : this.#details.documents;
  }

  get leftOut(): readonly Operation[] {
    return this.#details.leftOut;
  }

  get placedReferences(): readonly PlacedReference[] {
    return this.#details.references;
  }

  get secrets(): readonly SecretUse[] {
    return this.#details.secrets;
  }

  get patch(): Place | undefined {
    const last = this.#details.layers?.findLast(({ type }) => type === "patch");
    return last && placeOf(last)([]);
  }

  place(path: Path): Place {
    const { layers, each } = this.#details;
    if (!layers) return { file: this.file, document: this.summary.index, path, ...(each && { each }) };
    return placeIn(layers, path);
  }

  layerType(path: Path): Layer["type"] | undefined {
    const { layers } = this.#details;
    return layers ? layerAt(layers, path)?.type : "document";
  }

  isOver(path: Path, of?: readonly Pick<Layer, "file" | "at">[]): boolean {
    const { layers = [] } = this.#details;
    const own = layerAt(layers, path);
    const below = own ? layers.slice(0, layers.indexOf(own)) : [];
    const isCounted = ({ file, at }: Layer): boolean =>
      !of || of.some((each) => each.file === file && each.at?.join() === at?.join());
    return layerAt(below.filter(isCounted), path) !== undefined;
  }

  get #details(): ResourceDetails {
    const details = this.parsed.details()[this.position];
    if (!details) throw new Error(`${this.file} does not have ${this.address} any more`);
    return details;
  }
}
