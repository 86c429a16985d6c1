import type { JsonObject } from "../../json/json.js";
import { jsonText } from "../words/json-text.js";

/** The documents of a workspace in one environment. */
export interface WrittenDocuments {
  readonly workspace: string;
  /** Null is the default environment. */
  readonly environment: string | null;
  readonly documents: readonly JsonObject[];
}

/** Renders documents as indented JSON (`agentform/documents/v1`), a line end at the end. */
export function renderDocumentsJson({ workspace, environment, documents }: WrittenDocuments): string {
  return jsonText({ format: "agentform/documents/v1", workspace, environment, documents });
}
