import { defaultEnvironment, type WorkspaceIds } from "../../core/resources/application-ids.js";
import { jsonText } from "../words/json-text.js";
import { idsFormat } from "./ids-header.js";
import type { RenderedIds } from "./rendered-ids.js";

/** Renders IDs as indented JSON (`agentform/output/v1`), a line end at the end. */
export function renderIdsJson({ workspace, environments, areAll }: WorkspaceIds): RenderedIds {
  const [{ environment, ids } = { environment: null, ids: new Map() }] = environments;
  const all = environments.map((each) => {
    return [each.environment ?? defaultEnvironment, Object.fromEntries(each.ids)] as const;
  });
  const content = areAll
    ? { environments: Object.fromEntries(all) }
    : { environment, ids: Object.fromEntries(ids) };
  return { text: jsonText({ format: idsFormat, workspace, ...content }) };
}
