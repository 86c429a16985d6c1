import { error, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import { bare, say } from "../core/finding/said.js";
import type { PlanOptions } from "../core/plan/plan-options.js";
import type { Settings } from "../core/resources/manifest.js";
import type { Lock } from "../core/state/lock.js";
import type { SoundWorkspace } from "../workspace/load-workspace.js";

/** What would be done, as it is shown to whoever agrees to it. */
export interface Proposal<View> {
  readonly shown: View;
  /** The digest of all that would be done. */
  readonly digest: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it was agreed to beforehand; if not, somebody has to be asked. */
  readonly isAgreed: boolean;
}

/** How a command that changes something is agreed to. */
export interface Agreeing<View> {
  /** The digest that was agreed to beforehand, which refuses everything else. */
  readonly expect?: string;
  /** The folder of one of several workspaces, which were agreed to together. */
  readonly folder?: string;
  /** Whether everything was agreed to beforehand, whatever it is. */
  readonly yes?: boolean;
  /** Shows the proposal, and asks unless it is agreed; `pending` if there is nobody to ask. */
  readonly confirm: (proposal: Proposal<View>) => Promise<boolean | "pending">;
}

/** Why nothing is done: somebody said no, nobody could be asked, or it is not what was agreed to. */
export interface Disagreement {
  readonly status: "declined" | "pending" | "moved";
  readonly diagnostics: readonly Diagnostic[];
}

type AgreementRequest<View> = Agreeing<View> & { readonly options?: PlanOptions };

/** Shows what would be done and finds out whether it is agreed to; undefined if it is. */
export async function agreeTo<View>(
  { shown, digest, diagnostics, lock }: Omit<Proposal<View>, "isAgreed"> & { readonly lock: Lock },
  { locate, fleet: { settings } }: SoundWorkspace,
  request: AgreementRequest<View>,
): Promise<Disagreement | undefined> {
  const { expect, yes = false } = request;
  if (expect !== undefined && expect !== digest) {
    return { status: "moved", diagnostics: locate([notExpected(digest, expect, request)]) };
  }
  const isBlind = yes && expect === undefined && request.options?.emulator !== true;
  const refused = isBlind ? notBlind(settings, lock) : [];
  const isAgreed = refused.length === 0 && (yes || expect !== undefined);
  const answer = await request.confirm({
    shown,
    digest,
    diagnostics: [...diagnostics, ...locate(refused)],
    isAgreed,
  });
  if (answer === true) return undefined;
  return { status: answer === "pending" ? "pending" : "declined", diagnostics: [] };
}

/** Says that what would be done is not what was agreed to, with `--expect` or otherwise. */
export function notExpected(
  digest: string,
  agreed: string,
  { expect, folder }: { readonly expect?: string | undefined; readonly folder?: string },
): Finding {
  const where = folder === undefined ? "" : say` in ${{ source: folder }}`;
  const message = say`what would be done${where} is not what was agreed to: its digest is ${bare({ found: digest })}, not ${bare({ expected: agreed })}`;
  const hint =
    expect === undefined || folder !== undefined
      ? "plan again and review the new plan"
      : "run the same without `--expect` to look at it as it is now";
  return error("plan-moved", undefined, message, hint);
}

// What asked for it last still does: an edit must not agree to its own consequences. The emulator needs no care.
function notBlind({ service, servicePlace }: Settings, { settings }: Lock): Finding[] {
  const isAsked = service.confirm === "digest";
  if (!isAsked && settings?.service?.confirm !== "digest") return [];
  const place = { ...servicePlace, path: [...(servicePlace.path ?? []), "confirm"] };
  const message = isAsked
    ? "`--yes` is not enough here: `service.confirm` of the manifest asks for the digest of what was shown"
    : "`--yes` is not enough yet: until the manifest without `service.confirm` is applied, the earlier one asks for the digest of what was shown";
  const hint = "look at what would be done, then pass its digest with `--expect`";
  return [error("digest-needed", isAsked ? place : servicePlace, message, hint)];
}
