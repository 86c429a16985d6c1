import type { WorkspaceIds } from "../../core/resources/application-ids.js";
import { jsonText } from "../words/json-text.js";
import type { RenderedIds } from "./rendered-ids.js";

/** Renders IDs as indented JSON (`agentform/output/v1`), a line end at the end. */
export function renderIdsJson({ workspace, environments, areAll }: WorkspaceIds): RenderedIds {
  const named = environments.map(({ environment, ids }) => [environment, Object.fromEntries(ids)] as const);
  const content = areAll ? { environments: Object.fromEntries(named) } : { ids: named[0]?.[1] ?? {} };
  return { text: jsonText({ format: "agentform/output/v1", workspace, ...content }) };
}
