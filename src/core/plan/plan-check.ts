import { addressesIn } from "../state/known-ids.js";
import { choiceOf, stateOptions } from "../state/state-choice.js";
import type { Action } from "../../generated/plan.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { manifestFile } from "../resources/manifest-file.js";
import { inEnvironment, listingHint } from "../resources/absence.js";
import { bare, say } from "../finding/said.js";
import { quoteFew } from "../finding/quotation.js";
import { nearAmong } from "../kind/near-address.js";
import type { PlanOptions } from "./plan-options.js";
import { type Planning } from "./planning.js";
import { checkSelector, selectable } from "../resources/selector.js";
import { usedAddress } from "../resources/used.js";
import type { Fleet } from "../resources/fleet.js";
import type { Lock } from "../state/lock.js";
import { isExchange } from "./action.js";
import { unmappedHint } from "./tool-ids.js";
import { checkReturning } from "./forgotten-address.js";
import { checkMerged, checkShared } from "./two-addresses.js";

/** Finds the reasons not to run a plan. */
export function checkPlan(actions: readonly Action[], planning: Planning): Finding[] {
  return [
    ...checkProtected(actions, planning),
    ...checkReturning(actions, planning),
    ...checkMerged(actions, planning),
    ...checkShared(actions, planning),
    ...checkUnmapped(actions, planning),
    ...checkOrphans(actions, planning),
  ];
}

function checkProtected(actions: readonly Action[], { fleet, entriesBefore }: Planning): Finding[] {
  return actions
    .filter((each) => isExchange(each) || each.action === "forget" || each.action === "delete")
    .flatMap(({ address, action: own, reasons, file }) => {
      const action = own === "adopt" ? "replace" : own;
      const resource = fleet.resources.get(address);
      const isProtected = resource
        ? resource.lifecycle.protect === true
        : entriesBefore(address).some(({ protect }) => protect === true);
      if (!isProtected) return [];
      const place = resource?.place(["lifecycle", "protect"]) ?? (file === undefined ? undefined : { file });
      const message = say`${{ address }} is protected, and the plan would ${action} it: ${bare({ reason: reasons[0] ?? "" })}`;
      const hint = resource
        ? "take `lifecycle.protect` away and apply that first, or undo the change"
        : "bring it back here, take `lifecycle.protect` away and apply that first";
      return [{ ...error("protected", place, message, hint), address }];
    });
}

// A set is one thing to find out about, however many refer to its tools.
function checkUnmapped(actions: readonly Action[], { fleet, idsAfterPlan, options }: Planning): Finding[] {
  const { environment } = fleet.settings;
  const unmapped = new Map<string, { operations: Set<string>; place: Place }>();
  for (const { address: from } of actions.filter(({ action }) => action === "blocked")) {
    for (const { address, operation, place } of fleet.resources.get(from)?.placedReferences ?? []) {
      const idsAfter = idsAfterPlan.get(address);
      if (operation === undefined || idsAfter?.type !== "kept" || idsAfter.entry.tools !== undefined)
        continue;
      const known = unmapped.get(address);
      if (known) known.operations.add(operation);
      else unmapped.set(address, { operations: new Set([operation]), place });
    }
  }
  return [...unmapped].map(([address, { operations: found, place }]) => {
    const operations = [...found];
    const { address: own, use } = usedAddress(address) ?? { address };
    // What leads to the state of a used workspace is for who stands there.
    const choice = use === undefined ? { environment, emulator: options.emulator } : { environment: null };
    const where = use === undefined ? "" : ` in the workspace of ${use}`;
    const [operation = "", ...more] = operations;
    const are =
      more.length === 0
        ? say`which tool of ${{ address }} is ${{ operation }}`
        : say`which tools of ${{ address }} are ${bare({ missing: operations }, quoteFew(operations))}`;
    const message = say`${are} is not known: the service's answer did not tell`;
    const isOrdered = use === undefined && fleet.settings.service.tool_ids !== undefined;
    const hint = unmappedHint(own, operations, choice, isOrdered, where);
    return error("reference-tool-unmapped", place, message, hint);
  });
}

function checkOrphans(actions: readonly Action[], { fleet, options }: Planning): Finding[] {
  const limit = fleet.settings.orphanLimit;
  if (limit === undefined) return [];
  const unnamed = actions.filter(({ address, leaves = 0 }) => leaves > 0 && !options.replace.has(address));
  const left = unnamed.reduce((sum, { leaves = 0 }) => sum + leaves, 0);
  if (left <= limit) return [];
  const names = unnamed.map(({ address }) => `--replace ${address}`);
  const message = say`the plan leaves ${{ count: left }} objects behind in the service, and \`limits.orphans\` is ${{ limit }}`;
  const addresses = unnamed.map(({ address }) => address);
  const shown = names.slice(0, 5).join(" ");
  const hint = say`if that is meant, name them: ${bare({ addresses }, shown)}${names.length > 5 ? " …" : ""}`;
  return [error("orphan-limit", { file: manifestFile, path: ["spec", "limits", "orphans"] }, message, hint)];
}

/** Finds options that name or select what is not there. */
export function checkOptions(options: PlanOptions, fleet: Fleet, lock: Lock): Finding[] {
  const { replace, resend, target, exclude, selector } = options;
  return [
    ...unknownAddresses({ replace, resend, target, exclude }, fleet, lock),
    ...(selector.size > 0 ? checkSelector(selector, selectable(fleet.resources, lock)) : []),
  ];
}

/** Finds options that name addresses which are neither in the workspace nor in the lock. */
export function unknownAddresses(
  named: Readonly<Record<string, ReadonlySet<string>>>,
  { resources, absent, settings }: Fleet,
  lock: Lock,
): Finding[] {
  if (Object.values(named).every(({ size }) => size === 0)) return [];
  const known = new Set([...resources.keys(), ...addressesIn(lock)]);
  const near = nearAmong(known);
  return Object.entries(named).flatMap(([option, addresses]) =>
    [...addresses]
      .filter((address) => !known.has(address) && !(takeAll.has(option) && address === "all"))
      .map((address) => {
        const there = absent.get(address);
        if (there) {
          const { environment } = settings;
          const message = say`\`--${bare({ option })} ${bare({ address })}\` names a resource that does not exist ${inEnvironment(environment)}`;
          return error("option-unknown-address", undefined, message, listingHint(there, environment));
        }
        const hint =
          near(address) ??
          `\`agentform lock list${stateOptions(choiceOf(lock))}\` and the documents have the addresses`;
        const message = say`\`--${bare({ option })} ${bare({ address })}\` names no resource of this workspace`;
        return error("option-unknown-address", undefined, message, hint);
      }),
  );
}

const takeAll: ReadonlySet<string> = new Set(["resend", "overwrite"]);
