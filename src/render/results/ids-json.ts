import { jsonText } from "../words/json-text.js";
import { idsFormat, type WorkspaceIds } from "../../core/resources/application-ids.js";

/** Renders IDs as indented JSON (`agentform/output/v1`), a line end at the end. */
export function renderIdsJson({ workspace, environment, ids }: WorkspaceIds): string {
  return jsonText({ format: idsFormat, workspace, environment, ids: Object.fromEntries(ids) });
}
