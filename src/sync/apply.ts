import { randomUUID } from "node:crypto";
import { answerSettings } from "../core/resources/answer-settings.js";
import { hasErrors, type Finding } from "../core/finding/diagnostic.js";
import type { Lock } from "../core/state/lock.js";
import type { ServiceObject } from "../core/state/object-users.js";
import type { LockStore } from "../core/state/lock-store.js";
import type { Plan } from "../core/plan/plan.js";
import { unknownAddresses } from "../core/plan/plan-check.js";
import { prunedIds } from "../core/plan/prune-plan.js";
import { hasChanges } from "../core/plan/plan-summary.js";
import type { ApplySummary } from "../core/apply/apply-event.js";
import type { ApplyInput } from "../core/apply/apply-input.js";
import { rejectionFindings } from "../core/apply/rejection.js";
import type { Fleet } from "../core/resources/fleet.js";
import { agreedPlan, choosePlan, confirmPlan, type AgreedPlan } from "./plan-choice.js";
import type { ApplyRequest, ApplyResult } from "./request.js";
import { checkAddresses, hostsOf, missingSecrets, type Target } from "../service/target.js";
import { newName } from "./new-name.js";
import { emulatorIdentity, holding, isHeld, keepNamesOf, locationOf, ownerOf } from "./state-access.js";
import { namedVariables } from "../core/resources/named-variables.js";
import { openStore } from "../store/open-store.js";
import { recover } from "../store/recovery.js";
import { isSound, loadWorkspace, type SoundWorkspace } from "../workspace/load-workspace.js";

/** Plans, asks, and runs the plan; the state is correct after every action. */
export async function apply(request: ApplyRequest): Promise<ApplyResult> {
  const loaded = loadWorkspace(request);
  // A saved plan includes its bodies, and only uses the service of the manifest; a prune looks at all documents.
  const isWhole = request.saved !== undefined && prunedIds(request.saved.plan) === undefined;
  const isUsable = isWhole ? loaded.fleet !== undefined : isSound(loaded);
  if (!isUsable || !loaded.fleet) return { status: "refused", diagnostics: loaded.diagnostics };
  const sound = { ...loaded, fleet: loaded.fleet };
  const agreed = await agree(sound, request);
  if ("status" in agreed) return agreed;
  const store = await openStore(sound.fleet.settings, locationOf(request));
  let summary: ApplySummary | undefined;
  const onSummary = (counts: ApplySummary): void => {
    summary = counts;
  };
  const ended = await holding(store, loaded, () => runPlan(agreed, sound, store, { ...request, onSummary }));
  return { ...ended, ...(summary && { summary }) };
}

type RunRequest = ApplyRequest & Pick<ApplyInput, "onSummary">;

/** What an apply is to do once it holds the store. */
interface Agreed {
  readonly preview: AgreedPlan;
  readonly target: Target;
  readonly sending: ReturnType<typeof loadSending>;
}

// Plans, shows the plan, and asks.
async function agree(loaded: SoundWorkspace, request: ApplyRequest): Promise<Agreed | ApplyResult> {
  const chosen = await choosePlan(loaded, request);
  const { plan: preview, state, diagnostics, isMoved } = chosen;
  if (isMoved) return { status: "moved", ...(preview && { plan: preview }), diagnostics };
  if (!preview || !state || hasErrors(diagnostics)) return { status: "refused", diagnostics };
  if (!hasChanges(preview) && !state.hasJournal) return { status: "unchanged", plan: preview, diagnostics };
  const target = await request.target(loaded.fleet.settings);
  const unmet = loaded.locate([
    ...unknownAddresses({ overwrite: request.overwrite ?? new Set() }, loaded.fleet, state.lock),
    ...surroundings(preview, state.lock, loaded.fleet, target),
  ]);
  if (hasErrors(unmet)) return { status: "refused", plan: preview, diagnostics: [...diagnostics, ...unmet] };
  // The time in which the plan is shown and read is enough for it.
  const sending = loadSending();
  sending.catch(() => undefined);
  if (!(await request.confirm(preview, diagnostics)))
    return { status: "declined", plan: preview, diagnostics };
  return { preview: agreedPlan(chosen), target, sending };
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
  loaded: SoundWorkspace,
  store: LockStore,
  request: RunRequest,
): Promise<ApplyResult> {
  const { settings } = loaded.fleet;
  const held = await recover(store, ownerOf(settings), randomUUID);
  if (!isHeld(held)) return { status: "refused", diagnostics: loaded.locate(held) };
  const { plan: current, diagnostics, isMoved } = await confirmPlan(preview, held, loaded, request);
  if (isMoved) return { status: "moved", ...(current && { plan: current }), diagnostics };
  if (!current || hasErrors(diagnostics)) return { status: "refused", diagnostics };
  const usedOutside = await usersOutside(current, held.lock, loaded.fleet, target, request);
  if (Array.isArray(usedOutside)) return { status: "refused", diagnostics: loaded.locate(usedOutside) };
  const concurrency = request.concurrency ?? 8;
  // What is read may echo a secret that this apply does not send.
  const named = Object.keys(settings.deployment).length > 0 ? namedVariables(loaded.fleet, held.lock) : [];
  const { applyPlan, connect } = await sending;
  const service = await connect(target, settings, { ...request, concurrency, named });
  if (Array.isArray(service)) return { status: "refused", diagnostics: loaded.locate(service) };
  const rejected: Finding[] = [];
  try {
    const lock = await applyPlan({
      plan: current,
      lock: held.lock,
      version: held.version,
      write: newName(),
      store,
      service,
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
      ...(usedOutside && { usedOutside }),
      drain: request.drain ?? new AbortController().signal,
      ...(request.onSummary && { onSummary: request.onSummary }),
      onEvent(event) {
        rejected.push(...rejectionFindings(event, loaded.fleet.resources.get(event.address)));
        request.onEvent?.(event);
      },
    });
    keepNamesOf(lock, request);
    return { status: "applied", plan: current, diagnostics: loaded.locate(rejected) };
  } finally {
    await service.close();
  }
}

function deletedBy({ actions }: Plan): ServiceObject[] {
  return actions.flatMap(({ address, ids = [], deletes = 0 }) =>
    deletes > 0 ? ids.map((id) => ({ id, address })) : [],
  );
}

// Read only where something is deleted.
async function usersOutside(built: Plan, lock: Lock, fleet: Fleet, target: Target, request: ApplyRequest) {
  if (!built.actions.some(({ deletes = 0 }) => deletes > 0)) return undefined;
  const { readOutsideUsers } = await import("./outside-users.js");
  return await readOutsideUsers(fleet, lock, target.identity, deletedBy(built), request);
}

function surroundings(built: Plan, lock: Lock, fleet: Fleet, target: Target): Finding[] {
  const isEmulated = target.identity.base_url === emulatorIdentity.base_url;
  return [
    ...(isEmulated ? [] : checkAddresses(fleet.settings, hostsOf(built, fleet.settings.deployment))),
    ...missingSecrets(built, lock, fleet, target),
  ];
}
