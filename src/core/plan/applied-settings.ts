import type { Action, Change, GuardrailNote, Plan } from "../../generated/plan.js";
import { turnOf } from "../guardrails/note-parts.js";
import { noteOf } from "../guardrails/note-words.js";
import { equal, isObject, type Json, type JsonObject, member } from "../../json/json.js";
import { pathSegment, valueAt } from "../../json/path.js";
import type { AppliedSettings, Lock } from "../state/lock.js";
import { isSchemaPath, isWholePath, leftPath, settingKey, settingRank } from "../resources/manifest-keys.js";
import { ruleSetting, scopeIn } from "../rules/own-rule.js";
import { manifestFile } from "../resources/manifest-file.js";
import { existsIn } from "../resources/absence.js";
import { judgesAt } from "../resources/fleet-rules.js";
import type { Settings } from "../resources/manifest.js";
import { trimAddress } from "../state/service-identity.js";

/** The settings of a manifest that a plan or a prune is made with. */
export type SettingsInUse = Pick<Settings, "service" | "lock"> &
  Partial<Pick<Settings, "orphanLimit" | "rules" | "effects" | "exceptions" | "uses" | "folder">>;

/** Gives the settings that an apply uses, without defaults; the emulator has its own address and store. */
export function appliedSettings(
  { service, lock, folder, orphanLimit, rules = [], effects = {}, exceptions = {}, uses = {} }: SettingsInUse,
  isEmulated: boolean,
): AppliedSettings {
  const { base_url, rai_base_url, api_key, rejected_statuses, ...answers } = service;
  const reached = isEmulated ? { base_url: "emulator" } : { base_url, rai_base_url, api_key };
  const addresses = [reached.base_url, reached.rai_base_url].map((url) => url && trimAddress(url));
  const own = rules.flatMap((rule) =>
    rule.origin === "base" ? [] : [[rule.name, ruleSetting(rule)] as const],
  );
  const all = {
    service: {
      ...answers,
      ...reached,
      base_url: addresses[0],
      rai_base_url: addresses[1],
      rejected_statuses: rejected_statuses?.toSorted((a, b) => a - b),
    },
    limits: { orphans: orphanLimit },
    notes: effects,
    exceptions,
    uses,
    // Where files are is not said, but with which key. A lock can be copied, and any other state is found by the name.
    ...(!isEmulated && { lock: lock.store === "file" ? { seal: lock.seal } : lock, folder }),
  };
  const settings = (pruned(all as unknown as JsonObject) ?? {}) as AppliedSettings;
  return own.length === 0 ? settings : { ...settings, rules: Object.fromEntries(own) };
}

// Empty means the same as missing.
function pruned(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.length > 0 ? value : undefined;
  if (!isObject(value)) return value;
  const members = Object.keys(value)
    .toSorted()
    .flatMap((key) => {
      const left = pruned(value[key]);
      return left === undefined ? [] : [[key, left] as const];
    });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** Gives changed settings, the gravest first; before the first apply, all that is set is new. */
export function settingChanges(lock: Lock, now: AppliedSettings): Change[] {
  // A lock without settings still has the service.
  const then: Partial<AppliedSettings> = lock.settings ?? (lock.service ? { service: lock.service } : {});
  const [before, after] = [leaves(then, now), leaves(now, then)];
  // Outside of a repository nobody can tell the folder, and a lock in files becomes known without a word.
  const isTold = then.folder !== undefined || now.lock?.store !== undefined;
  if (now.folder === undefined || !isTold) for (const side of [before, after]) side.delete("folder");
  const rank = ({ path, ...turn }: Change): number => settingRank(path, turn);
  return [...new Set([...after.keys(), ...before.keys()])]
    .toSorted()
    .flatMap((path): Change[] => {
      const [was, is] = [before.get(path), after.get(path)];
      return equal(was, is) ? [] : [{ path, ...turnOf(was, is) }];
    })
    .toSorted((one, other) => rank(one) - rank(other));
}

// An operation that the other side does not have is one value: what it does is one thing to judge.
function leaves(settings: AppliedSettings, others: AppliedSettings): Map<string, Json> {
  const found = new Map<string, Json>();
  const visit = (value: Json, other: Json | undefined, path: string) => {
    if (isSchemaPath(path)) return void found.set(path, value);
    const isOperation = isWholePath(path);
    if (isOperation && typeof value === "string" && isObject(other))
      return visit({ request: value }, other, path);
    if (!isObject(value) || (isOperation && other === undefined)) return void found.set(path, value);
    for (const [key, each] of Object.entries(value)) {
      visit(each, member(other, key), path === "" ? pathSegment(key) : `${path}.${pathSegment(key)}`);
    }
  };
  visit(settings as unknown as Json, others as unknown as Json, "");
  return found;
}

/** Gives a plan's changed settings, behind what it takes out of rules or moves to an excused address. */
export function planSettingChanges(
  plan: Pick<Plan, "environment" | "actions">,
  lock: Lock,
  now: AppliedSettings,
): Change[] {
  return [...leftRules(plan, lock, now), ...takenExcuses(plan, lock, now), ...settingChanges(lock, now)];
}

// An address keeps its excuses when what they were given to moves away, and they are new for what moves there.
function takenExcuses(
  { actions }: Pick<Plan, "actions">,
  { settings }: Lock,
  { exceptions = {} }: AppliedSettings,
): Change[] {
  const then = (address: string, rule: string) => valueAt(settings?.exceptions, [address, rule]);
  return actions.flatMap(({ address, from }): Change[] => {
    if (from === undefined) return [];
    return Object.entries(member(exceptions, address) ?? {}).flatMap(([rule, reason]): Change[] => {
      const was = then(from, rule);
      if (then(address, rule) !== reason || was === reason) return [];
      return [{ path: `exceptions.${pathSegment(address)}.${pathSegment(rule)}`, ...turnOf(was, reason) }];
    });
  });
}

// What leaves a rule by its labels is no setting, but weighs as much as one of a rule. A new rule had nothing to leave.
function leftRules(
  { environment, actions }: Pick<Plan, "environment" | "actions">,
  { resources, settings }: Lock,
  { rules = {} }: AppliedSettings,
): Change[] {
  return Object.entries(rules).flatMap(([name, setting]): Change[] => {
    const rule = { scope: scopeIn(setting) };
    if (!Object.hasOwn(settings?.rules ?? {}, name) || !existsIn(rule.scope.environments, environment))
      return [];
    const left = actions.filter(
      ({ address, from = address, action, labels }) =>
        isKept.has(action) &&
        judgesAt(rule, address, resources[from]?.labels) &&
        !judgesAt(rule, address, labels),
    );
    const addresses = left.map(({ address }) => address).toSorted();
    return addresses.length === 0 ? [] : [{ path: leftPath(name), before: addresses }];
  });
}

const isKept: ReadonlySet<string> = new Set<Action["action"]>(["update", "replace", "adopt", "record"]);

/** Says of each setting that changed since the last apply what that can do; a first apply has no before. */
export function settingNotes(lock: Lock, changes: readonly Change[]): GuardrailNote[] {
  const { settings, service, resources } = lock;
  if (settings === undefined && service === undefined && Object.keys(resources).length === 0) return [];
  return changes.map(({ path, before, after }) => {
    const parts = { field: path, ...turnOf(before, after) };
    const { effect } = settingKey(path, parts);
    return noteOf("setting-changed", parts, { effect, address: manifestFile, path });
  });
}

/** Says of a first plan, before all else, that nothing is known: of a state that is somewhere else all is created again. */
export function firstNotes(actions: readonly Action[]): GuardrailNote[] {
  const creates = actions.filter(({ action }) => action === "create").length;
  if (creates === 0) return [];
  return [noteOf("first-apply", { creates }, { effect: "review", address: manifestFile })];
}
