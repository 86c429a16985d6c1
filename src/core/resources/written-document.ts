import type { JsonObject } from "../../json/json.js";
import { creationBody } from "../kind/body.js";
import { escapeStrings } from "../expression/substituted.js";
import type { Resource } from "./resource.js";

/** Gives a resource's document, resolved but symbolic, which loads to the same resource again. */
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
