import { quoteFew } from "../../core/finding/quotation.js";
import { warning, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say } from "../../core/finding/said.js";
import { environmentOf } from "../../core/resources/environment-name.js";
import { repositoryRoot } from "../../git/repository.js";
import type { WorkspaceOptions } from "../../sync/request.js";
import type { CommonOptions } from "../command.js";

/** The options that name the commit that a change is compared with. */
export interface BaseFlags extends CommonOptions {
  readonly lockFrom?: string;
  readonly rulesFrom?: string;
}

// The state may be compared with an older commit than the one before the change.
const baseOf = ({ rulesFrom, lockFrom }: BaseFlags) => rulesFrom ?? lockFrom;

/** Names the workspaces at or below some folders that a change takes away; nobody else says what becomes of them. */
export async function removedOnes(flags: BaseFlags, tops: readonly string[]): Promise<string[]> {
  const ref = baseOf(flags);
  if (ref === undefined) return [];
  const { removedWorkspaces } = await import("../../workspace/commits/removed-workspaces.js");
  return await removedWorkspaces(tops, ref, environmentOf(flags.environment ?? "default"));
}

/** What is to be done about workspaces that a change takes away. */
export const removedHint =
  "bring manifest and lock back, take the documents out, and apply that, whose plan says what becomes of each object; remove the manifest after it";

/** Warns of workspaces that a change takes away, if there are any. */
export function warnOfRemoved(removed: readonly string[], flags: BaseFlags): Finding[] {
  const source = baseOf(flags);
  if (source === undefined || removed.length === 0) return [];
  const names = bare({ files: [...removed] }, quoteFew(removed));
  const message = say`workspaces were removed since ${{ source }}, so that nothing manages their objects, which stay in the service: ${names}`;
  return [warning("workspace-removed", undefined, message, removedHint)];
}

/** Adds to the request of one workspace what is said of those of its repository that the same change takes away. */
export async function withRemoved<Request extends WorkspaceOptions>(
  request: Request,
  flags: BaseFlags,
): Promise<Request> {
  const root = baseOf(flags) === undefined ? undefined : repositoryRoot(request.directory);
  if (root === undefined) return request;
  return { ...request, beside: warnOfRemoved(await removedOnes(flags, [root]), flags) };
}
