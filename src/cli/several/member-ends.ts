import type { EndedWorkspace } from "../../generated/apply.js";
import { countText } from "../../render/words/count-text.js";
import type { MemberEnd } from "../../sync/several.js";
import { exitCode, type ExitCode } from "../exit-code.js";

/** Tells programs how one of several workspaces ended. */
export function endedWorkspace(end: MemberEnd): EndedWorkspace {
  const because = whyNotBegun(end);
  return { folder: end.folder, status: end.status, ...(because !== undefined && { because }) };
}

/** Says why a workspace was not begun; undefined if it was. */
export function whyNotBegun({ because }: MemberEnd): string | undefined {
  if (because === undefined) return undefined;
  return because === "interrupted" ? "of an interruption" : `${because.folder} was not applied whole`;
}

/** Says how many of several workspaces were applied. */
export function countsText(ends: readonly MemberEnd[]): string {
  const begun = ends.filter(({ status }) => status === "applied" || status === "unchanged").length;
  const all = countText(ends.length, "workspace");
  return begun === ends.length ? `In ${all}.` : `${begun} of ${all} applied.`;
}

const byGravity: readonly ExitCode[] = [exitCode.unknown, exitCode.moved, exitCode.invalid, exitCode.pending];

/** Gives how a command ends that ended for several in these ways. */
export function gravest(codes: readonly ExitCode[]): ExitCode {
  return byGravity.find((code) => codes.includes(code)) ?? exitCode.fine;
}
