import type { Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { creationBody } from "../kind/body.js";
import { escapeStrings } from "../expression/substituted.js";
import type { Layer } from "./layer.js";
import type { Resource } from "./resource.js";

/**
 * Gives the document that a resource comes to: with the body of its create as `spec`, files and variables resolved,
 * references and secrets symbolic. Loaded again, it gives the same resource.
 */
export function writtenDocument({ kind, key, labels, lifecycle, body, documents }: Resource): JsonObject {
  const isLabelled = Object.keys(labels).length > 0;
  return {
    apiVersion: "agentform/v1",
    kind: kind.document,
    metadata: { name: key, ...(isLabelled && { labels: { ...labels } }) },
    spec: creationBody(kind, body, documents),
    // Its values were needed before the apply, and have no expressions.
    ...(Object.keys(lifecycle).length > 0 && { lifecycle: escapeStrings(lifecycle as JsonObject) }),
  };
}

/** The place that a value of a written document came from. */
export interface ValueSource {
  /** The path of a value that one place gives as a whole: a scalar, a list, or a large document. */
  readonly path: Path;
  readonly place: Place;
  readonly layer: Layer["type"];
}

/** Gives the places that the values of a written document came from, but for what identifies it. */
export function sourcesOf(resource: Resource, { metadata, spec, lifecycle }: JsonObject): ValueSource[] {
  const { kind } = resource;
  const isWhole = ([root, field]: Path) => root === "spec" && kind.outlined.includes(String(field));
  const parts: [Path, Json | undefined][] = [
    [["metadata", "labels"], isObject(metadata) ? metadata.labels : undefined],
    [["spec"], spec],
    [["lifecycle"], lifecycle],
  ];
  const paths = parts.flatMap(([path, part]) => (part === undefined ? [] : wholeValues(part, path, isWhole)));
  return paths.map((path) => {
    return { path, place: resource.place(path), layer: resource.layerType(path) ?? "document" };
  });
}

function wholeValues(value: Json, path: Path, isWhole: (path: Path) => boolean): Path[] {
  if (!isObject(value) || Object.keys(value).length === 0 || isWhole(path)) return [path];
  return Object.entries(value).flatMap(([key, member]) => wholeValues(member, [...path, key], isWhole));
}
