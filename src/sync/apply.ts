import { answerSettings } from "../core/resources/answer-settings.js";
import { refused, type Checked, type Refusal } from "../core/finding/checked.js";
import { hasErrors, type Diagnostic, type Finding } from "../core/finding/diagnostic.js";
import { type Lock, ownerOf } from "../core/state/lock.js";
import type { ServiceObject } from "../core/state/object-users.js";
import type { OutsideUsers } from "../core/plan/object-uses.js";
import type { Plan } from "../core/plan/plan.js";
import { idsIn } from "../core/state/known-ids.js";
import { unknownAddresses } from "../core/plan/plan-check.js";
import { prunedIds, hasChanges, isFound } from "../core/plan/plan-summary.js";
import type { ApplySummary } from "../core/apply/apply-report.js";
import type { ApplyInput } from "../core/apply/apply-input.js";
import { rejectionFindings } from "../core/apply/rejection.js";
import type { Fleet } from "../core/resources/fleet.js";
import { choosePlan } from "./plan-choice.js";
import { agreedPlan, confirmPlan, type AgreedPlan } from "./plan-confirmation.js";
import type { ApplyRequest, ApplyResult, ChosenPlan } from "./request.js";
import { checkAddresses, hostsOf, missingSecrets, type Target } from "../service/target.js";
import { agreeTo, notExpected } from "./agreement.js";
import { checkBeside, checkBranches } from "./around/newest-state.js";
import { emulatorIdentity } from "../core/state/state-choice.js";
import type { SoundWorkspace } from "../workspace/load-workspace.js";
import { keepStateNames } from "../workspace/known-names.js";
import { newName, recoverState, transact, type Agreement, type Scene } from "./transact.js";
import { namedVariables } from "../core/resources/named-variables.js";
import type { KnownState } from "../core/state/stored-state.js";

/** Plans, asks, and runs the plan; the state is correct after every action. */
export async function apply(request: ApplyRequest): Promise<ApplyResult> {
  let summary: ApplySummary | undefined;
  const onSummary = (counts: ApplySummary): void => {
    summary = counts;
  };
  const ended = await transact<Agreed, KnownState, ApplyResult>(request, {
    // A saved plan includes its bodies, and only uses the service of the manifest; a prune looks at all documents.
    needsManifestAlone: request.saved !== undefined && prunedIds(request.saved.plan) === undefined,
    agree: async (scene) => await agree(scene, request),
    recover: recoverState,
    run: async (agreed, held, scene) => await runPlan(agreed, held, scene, { ...request, onSummary }),
  });
  return { ...ended, ...(summary && { summary }) };
}

interface Agreed {
  readonly preview: AgreedPlan;
  readonly target: Target;
  readonly sending: ReturnType<typeof loadSending>;
}

async function agree(
  { loaded, store }: Scene,
  request: ApplyRequest,
): Promise<Agreement<Agreed, ApplyResult>> {
  const chosen = await choosePlan(loaded, request);
  const { plan, state, diagnostics, isMoved } = chosen;
  const end = (status: ApplyResult["status"], found = diagnostics): ApplyResult => {
    return { status, ...(plan && { plan }), ...(state && { state }), diagnostics: found };
  };
  if (isMoved)
    return end("moved", withMoved(chosen, request.expect ?? request.saved?.plan.digest, request, loaded));
  if (!plan || !state || hasErrors(diagnostics)) return end("refused");
  const { overwrite = new Set() } = request;
  const unheard = loaded.locate(unknownAddresses({ overwrite }, loaded.fleet, state.lock));
  if (hasErrors(unheard)) return end("refused", [...diagnostics, ...unheard]);
  const done = { ...plan, actions: plan.actions.filter((each) => !isFound(each)) };
  if (!hasChanges(done) && !state.hasJournal) return end("unchanged");
  const target = await request.target(loaded.fleet.settings);
  const unmet = loaded.locate([
    ...(await checkBranches({
      store,
      lock: state.lock,
      owner: ownerOf(loaded.fleet.settings),
      service: target.identity,
    })),
    ...surroundings(plan, state.lock, loaded.fleet, target),
  ]);
  if (hasErrors(unmet)) return end("refused", [...diagnostics, ...unmet]);
  // The time in which the plan is shown and read is enough for it.
  const sending = loadSending();
  const loading = sending.catch(() => undefined);
  const proposal = { shown: plan, digest: plan.digest, diagnostics, lock: state.lock };
  const disagreement = await agreeTo(proposal, loaded, request);
  if (disagreement) {
    // Nothing goes on after the answer.
    await loading;
    return end(disagreement.status, disagreement.diagnostics);
  }
  return { ok: true, agreed: { preview: agreedPlan(chosen), target, sending } };
}

// Why it is another plan, if nothing else says it.
function withMoved(
  { plan, diagnostics }: ChosenPlan,
  agreed: string | undefined,
  request: Pick<ApplyRequest, "expect" | "folder">,
  { locate }: SoundWorkspace,
): readonly Diagnostic[] {
  if (!plan || agreed === undefined || hasErrors(diagnostics)) return diagnostics;
  return [...diagnostics, ...locate([notExpected(plan.digest, agreed, request)])];
}

async function loadSending() {
  const [{ applyPlan }, { connect }] = await Promise.all([
    import("../core/apply/apply.js"),
    import("../service/connect.js"),
    import("got"),
  ]);
  return { applyPlan, connect };
}

async function runPlan(
  { preview, target, sending }: Agreed,
  held: KnownState,
  { loaded, store }: Scene,
  request: ApplyRequest & Pick<ApplyInput, "onSummary">,
): Promise<ApplyResult | Refusal> {
  const { settings } = loaded.fleet;
  const confirmed = await confirmPlan(preview, held, loaded, request);
  const { plan: current, diagnostics } = confirmed;
  if (confirmed.isMoved) {
    const moved = withMoved(confirmed, preview.digest, request, loaded);
    return { status: "moved", ...(current && { plan: current }), diagnostics: moved };
  }
  if (!current || hasErrors(diagnostics)) return { status: "refused", diagnostics };
  const behind = await behindOthers(current, held.lock, { loaded, store, request }, target);
  if (behind.length > 0) return refused(behind);
  const users = await usersOutside(current, held.lock, loaded.fleet, target, request);
  if (!users.ok) return users;
  const concurrency = request.concurrency ?? 8;
  // What is read may echo a secret that this apply does not send.
  const named = Object.keys(settings.deployment).length > 0 ? namedVariables(loaded.fleet, held.lock) : [];
  const { applyPlan, connect } = await sending;
  const connected = await connect(target, settings, { ...request, concurrency, named });
  if (!connected.ok) return connected;
  const rejected: Finding[] = [];
  try {
    const lock = await applyPlan({
      plan: current,
      lock: held.lock,
      version: held.version,
      write: newName(),
      store,
      service: connected.service,
      concurrency,
      serviceIdentity: target.identity,
      answers: ({ name }) => answerSettings(name, settings),
      deployment: settings.deployment,
      updateChecks: {
        before: request.check ?? true,
        overwrite: request.overwrite ?? new Set(),
        after: request.verify ?? false,
        fieldNames: settings.service.field_names ?? {},
      },
      now: () => new Date().toISOString(),
      used: loaded.fleet.used,
      usedOutside: users.outside,
      drain: request.drain ?? new AbortController().signal,
      ...(request.halt && { halt: request.halt }),
      ...(request.onSummary && { onSummary: request.onSummary }),
      onEvent(event) {
        rejected.push(...rejectionFindings(event, loaded.fleet.resources.get(event.address)));
        request.onEvent?.(event);
      },
    });
    keepStateNames(lock, request);
    rejected.push(...(await madeElsewhere(current, held.lock, lock, loaded.fleet, request)));
    return { status: "applied", plan: current, diagnostics: loaded.locate(rejected) };
  } finally {
    await connected.service.close();
  }
}

function deletedBy({ actions }: Plan): ServiceObject[] {
  return actions.flatMap(({ address, ids = [], deletes = 0 }) =>
    deletes > 0 ? ids.map((id) => ({ id, address })) : [],
  );
}

async function behindOthers(
  built: Plan,
  lock: Lock,
  { loaded: { fleet }, store, request }: Scene,
  { identity: service }: Target,
): Promise<readonly Finding[]> {
  // Another work tree may have applied while the plan was read.
  const beside = await checkBeside({ store, lock, owner: ownerOf(fleet.settings), service });
  if (beside.length > 0) return beside;
  // The others are read only where something is taken over, or sent that another workspace has.
  if (built.actions.some(({ action }) => action === "adopt")) {
    const { adoptedBy, findTakenElsewhere } = await import("./around/managed-elsewhere.js");
    const taken = await findTakenElsewhere(adoptedBy(built, fleet), fleet.settings, request);
    if (taken.length > 0) return taken;
  }
  if (!built.actions.some(({ used }) => used !== undefined)) return [];
  const { checkUsedRefs } = await import("./around/used-newest.js");
  return await checkUsedRefs(built, fleet, request);
}

// Read only where something was made, and not in an emulator, which nobody shares. What was taken over was looked up before, as newly as it can be.
async function madeElsewhere(
  { actions }: Plan,
  before: Lock,
  after: Lock,
  { settings }: Fleet,
  request: ApplyRequest,
) {
  const created = new Set(
    actions.filter(({ action }) => action === "create" || action === "replace").map(({ address }) => address),
  );
  const known = new Set(idsIn(before.resources).map(({ key }) => key));
  const made = idsIn(after.resources).filter(({ address, key }) => created.has(address) && !known.has(key));
  if (made.length === 0 || request.options?.emulator) return [];
  const { findMadeElsewhere } = await import("./around/managed-elsewhere.js");
  return await findMadeElsewhere(made, settings, request);
}

// Read only where something is deleted.
async function usersOutside(built: Plan, lock: Lock, fleet: Fleet, target: Target, request: ApplyRequest) {
  const isUsed: Checked<{ outside: OutsideUsers }> = { ok: true, outside: () => [] };
  if (!built.actions.some(({ deletes = 0 }) => deletes > 0)) return isUsed;
  const { readOutsideUsers } = await import("./around/outside-users.js");
  return await readOutsideUsers(fleet, lock, target.identity, deletedBy(built), request);
}

function surroundings(built: Plan, lock: Lock, fleet: Fleet, target: Target): Finding[] {
  const isEmulated = target.identity.base_url === emulatorIdentity.base_url;
  return [
    ...(isEmulated ? [] : checkAddresses(fleet.settings, hostsOf(built, fleet.settings.deployment))),
    ...missingSecrets(built, lock, fleet, target),
  ];
}
