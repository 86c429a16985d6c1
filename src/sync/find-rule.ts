import type { OwnRule } from "../core/rules/own-rule.js";
import { loadWorkspace } from "../workspace/load-workspace.js";
import type { WorkspaceOptions } from "./request.js";

/** Finds a rule of a workspace by its name; undefined where there is no workspace, or no such rule in it. */
export function findRule(name: string, request: WorkspaceOptions): OwnRule | undefined {
  const first = loadWorkspace(request);
  const [environment = null] = first.environments;
  // Without an environment chosen, those that the manifest declares have the same rules.
  const { fleet } = first.fleet ? first : loadWorkspace({ ...request, environment });
  return fleet?.settings.rules.find((rule) => rule.name === name);
}
