import type { Diagnostic } from "../core/finding/diagnostic.js";
import type { ApplyEvent, ApplySummary } from "../core/apply/apply-report.js";
import { entriesAfterPlan, entriesOfDocuments } from "../core/plan/entries-after-plan.js";
import type { Plan } from "../core/plan/plan.js";
import type { Action } from "../generated/plan.js";
import type { LeftOutWorkspace } from "../core/review/plans.js";
import { inFolder } from "../core/resources/files-from-top.js";
import { loadWorkspace } from "../workspace/load-workspace.js";
import { forgetState } from "../workspace/others/neighbours.js";
import { workspaceKey, type ApplyBefore } from "../workspace/others/state-elsewhere.js";
import type { ApplyRequest, ApplyResult, ChosenPlan, PlanRequest, WorkspaceOptions } from "./request.js";
import { together, validateEach } from "./validate.js";

/** One of several workspaces, of which each comes after those that it uses. */
export interface Member<Request extends WorkspaceOptions> {
  /** How it is named: its folder from the top of the repository. */
  readonly folder: string;
  /** The names of those that it uses, directly or through others. */
  readonly uses: ReadonlySet<string>;
  /** Its directory is real. */
  readonly request: Request;
}

/** What was made of one of several workspaces. */
export interface PlannedMember<Request extends WorkspaceOptions, Result> {
  readonly member: Member<Request>;
  readonly result: Result;
}

/** Plans several workspaces, each with what the plans before it give those that it uses. */
export async function planInOrder<
  Request extends PlanRequest,
  Result extends Pick<ChosenPlan, "plan" | "state">,
>(
  members: readonly Member<Request>[],
  plan: (request: Request, folder: string) => Promise<Result>,
): Promise<PlannedMember<Request, Result>[]> {
  const before = new Map<string, ApplyBefore>();
  const [together, round] = [appliedWhole(members), {}];
  const planned: PlannedMember<Request, Result>[] = [];
  for (const member of members) {
    const result = await plan({ ...member.request, before, together, round }, member.folder);
    const { plan: built, state } = result;
    if (built && state) before.set(keyOf(member.request), entriesAfterPlan(built, state.lock));
    planned.push({ member, result });
  }
  return planned;
}

/** Leaves out those in which nothing has the labels of a selector, unless that are all. */
export function withoutUnselected<
  Request extends WorkspaceOptions,
  Result extends Pick<ChosenPlan, "diagnostics">,
>(
  planned: readonly PlannedMember<Request, Result>[],
  leftOut: readonly LeftOutWorkspace[],
): {
  readonly made: readonly PlannedMember<Request, Result>[];
  readonly leftOut: readonly LeftOutWorkspace[];
} {
  const isUnselected = ({ result: { diagnostics } }: PlannedMember<Request, Result>) => {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    return errors.length > 0 && errors.every(({ code }) => code === "selector-empty");
  };
  const made = planned.filter((each) => !isUnselected(each));
  if (made.length === 0) return { made: planned, leftOut };
  const others = planned.filter(isUnselected);
  const more = others.map(({ member: { folder } }): LeftOutWorkspace => ({ folder, why: "selector" }));
  return { made, leftOut: [...leftOut, ...more] };
}

/** Finds what is wrong with several workspaces without a state, each with the documents of those that it uses. */
export async function validateInOrder(members: readonly Member<WorkspaceOptions>[]): Promise<Diagnostic[]> {
  const before = new Map<string, ApplyBefore>();
  const all: Diagnostic[] = [];
  for (const { folder, request } of members) {
    const found: (readonly Diagnostic[])[] = [];
    for await (const { environment, loaded, diagnostics } of validateEach({ ...request, before })) {
      found.push(diagnostics);
      if (loaded.fleet)
        before.set(workspaceKey(request.directory, environment), entriesOfDocuments(loaded.fleet));
    }
    all.push(...inFolder(together(found, request), folder));
  }
  return all;
}

/** How the apply of one of several workspaces ended. */
export interface MemberEnd {
  readonly folder: string;
  /** `not-begun`: nothing was looked at; `incomplete`: something of it failed, is unknown, or was skipped, or its state could not be stored. */
  readonly status: ApplyResult["status"] | "incomplete" | "not-begun";
  /** Why it was not begun: one that it uses was not applied whole, or there was an interruption. */
  readonly because?: { readonly folder: string } | "interrupted";
  readonly result?: ApplyResult;
}

type AppliedRequest = PlanRequest & Pick<ApplyRequest, "expect" | "onEvent">;

/** A workspace with the plan that was agreed to. */
export type AgreedMember<Request extends AppliedRequest> = PlannedMember<
  Request,
  ApplyResult & { readonly plan: Plan }
>;

/** Applies several workspaces as they were agreed to. Those that use what was not applied whole are not begun. */
export async function* applyInOrder<Request extends AppliedRequest>(
  agreed: readonly AgreedMember<Request>[],
  apply: (request: Request, folder: string) => Promise<ApplyResult>,
  drain: AbortSignal,
): AsyncGenerator<MemberEnd> {
  const before = new Map<string, ApplyBefore>();
  const [together, round] = [appliedWhole(agreed.map(({ member }) => member)), {}];
  const broken = new Set<string>();
  for (const { member, result: preview } of agreed) {
    const { folder, uses, request } = member;
    const cause = [...broken].find((each) => uses.has(each));
    const because = drain.aborted ? "interrupted" : cause === undefined ? undefined : { folder: cause };
    if (because !== undefined) {
      broken.add(folder);
      yield { folder, status: "not-begun", because };
      continue;
    }
    const after = preview.state && entriesAfterPlan(preview.plan, preview.state.lock);
    if (preview.status === "unchanged") {
      if (after) before.set(keyOf(request), after);
      yield { folder, status: "unchanged", result: preview };
      continue;
    }
    if (after) before.set(keyOf(request), { pending: after.pending });
    const held = { deletes: preview.plan.actions.filter(isBlockedDelete).length };
    const counted = (event: ApplyEvent) => {
      if (isKeptDelete(event)) held.deletes++;
    };
    const own = {
      ...request,
      before,
      together,
      round,
      folder,
      expect: preview.plan.digest,
      onEvent: counted,
    };
    const result = await apply(own, folder);
    forgetState(round, keyOf(request));
    const isDone = isWhole(result, held.deletes);
    if (!isDone) broken.add(folder);
    // What ran, and whose state could not be stored, was not refused.
    const hasRun = result.status === "applied" || (result.summary?.done ?? 0) > 0;
    const status = hasRun && !isDone ? "incomplete" : result.status;
    yield { folder, status, result };
  }
}

// Who uses a workspace needs nothing that it deletes, and may have to let go of it first.
function isKeptDelete(event: ApplyEvent): boolean {
  if (event.type === "old-left") return event.cause === undefined;
  return event.action === "delete" && ["failed", "skipped", "unknown"].includes(event.type);
}

function isBlockedDelete({ action, causes = [] }: Action): boolean {
  return action === "blocked" && causes.some(({ code }) => code === "still-used");
}

function isWhole({ status, summary }: ApplyResult, keptBack: number): boolean {
  if (status !== "applied") return status === "unchanged";
  if (!summary) return true;
  const { failed, unknown, skipped, blocked } = summary;
  return failed + unknown + blocked + skipped === keptBack;
}

/** Adds up how the actions of several applies ended. */
export function sumOfEnds(ends: readonly MemberEnd[]): ApplySummary {
  const sum = { done: 0, failed: 0, unknown: 0, skipped: 0, blocked: 0 };
  for (const { result } of ends) {
    for (const name of Object.keys(sum) as (keyof ApplySummary)[]) sum[name] += result?.summary?.[name] ?? 0;
  }
  return sum;
}

/** Finds the cycles of uses, each once, at the manifest of its first workspace. */
export function cycleDiagnostics(
  cycles: readonly (readonly string[])[],
  request: WorkspaceOptions,
  nameOf: (folder: string) => string,
): Diagnostic[] {
  const told = cycles.flatMap(([first = ""]) => {
    const { diagnostics } = loadWorkspace({ ...request, directory: first });
    return inFolder(
      diagnostics.filter(({ code }) => code === "uses-cycle"),
      nameOf(first),
    );
  });
  return [...new Map(told.map((each) => [each.message, each])).values()];
}

// What a selector leaves out keeps what it had.
function appliedWhole(members: readonly Member<PlanRequest>[]): ReadonlySet<string> {
  const isNarrowed = members.some(({ request }) => (request.options?.selector.size ?? 0) > 0);
  return new Set(isNarrowed ? [] : members.map(({ request }) => keyOf(request)));
}

function keyOf({ directory, environment = null }: WorkspaceOptions): string {
  return workspaceKey(directory, environment);
}
