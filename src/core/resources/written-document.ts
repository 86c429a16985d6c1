import type { JsonObject } from "../../json/json.js";
import { creationBody } from "../kind/body.js";
import { escapeStrings } from "../expression/substituted.js";
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
