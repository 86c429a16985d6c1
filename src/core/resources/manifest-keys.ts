import type { GuardrailNote } from "../../generated/plan.js";
import type { AppliedSettingsLimits, AppliedSettingsService } from "../../generated/lock.js";
import type { LockLocation, ServiceSettings } from "../../generated/workspace.js";
import { kindNames } from "../kind/kinds.js";

/** A key of the manifest that affects requests, their target, or the reading of answers. */
export interface SettingKey {
  readonly effect: GuardrailNote["effect"];
  /** The effect of a change, as the second half of a sentence. */
  readonly risk: string;
}

type Keys<Section> = Readonly<Record<keyof Required<Section>, SettingKey>>;

/** A section of which the lock keeps every key (`schemas/shared/settings.json`). */
type KeptBy<Whole, Section extends Record<Exclude<keyof Section, keyof Whole>, never>> = Section;

const widens = (risk: string): SettingKey => ({ effect: "widens", risk });
const weakens = (risk: string): SettingKey => ({ effect: "weakens", risk });

/** The keys of the service's settings, the gravest first. */
const serviceKeys: Keys<KeptBy<AppliedSettingsService, ServiceSettings>> = {
  base_url: widens("it is where tool sets, credentials and agents are sent, with the API key"),
  rai_base_url: widens("it is where policies are sent, with the API key"),
  api_key: widens("it is the key that requests carry"),
  operations: widens("it says what the service is asked to change and delete"),
  id_pointers: weakens("it says where in an answer an ID is read"),
  tool_ids: widens("it decides which tool an agent gets for an operation"),
  field_names: weakens("it is the name under which the service gets this field"),
  rejected_statuses: weakens("a create that is answered with one of these is sent again"),
  confirm: weakens("`--yes` is enough again, whatever there is to do"),
};

const readThere = "it says where IDs and what was last applied are read";

const sealKey = weakens("without this key, whoever may write the state can make an apply do what they like");

/** The keys for the place of lock and journal. */
const lockKeys: Keys<LockLocation> = {
  seal: sealKey,
  store: weakens(readThere),
  remote: weakens(readThere),
  ref: weakens(readThere),
  gitlab: weakens(readThere),
  address: weakens(`${readThere}, and where the user name and password for it are sent`),
  lock_address: weakens("it says what keeps two applies apart"),
  unlock_address: weakens("it says what keeps two applies apart"),
  lock_method: weakens("it says what keeps two applies apart"),
  unlock_method: weakens("it says what keeps two applies apart"),
  username: weakens("it is the user who reads and writes the state"),
  password: weakens("it is the secret that is sent with the user name of the state"),
  url: weakens(readThere),
  schema: weakens(readThere),
  bucket: weakens(readThere),
  key: weakens(readThere),
  region: weakens(readThere),
  access_key_id: weakens("it is the key that signs the requests for the state"),
  secret_access_key: weakens("it is the secret that signs the requests for the state"),
  session_token: weakens("it is sent with the requests for the state"),
  endpoint: weakens(`${readThere}, and where requests signed for the state are sent`),
};

const limitKeys: Keys<AppliedSettingsLimits> = {
  orphans: weakens("more objects may be left behind before a plan is refused"),
};

const tighter: SettingKey = { effect: "review", risk: "it refuses more plans, and permits none" };
const surer: SettingKey = { effect: "review", risk: "it refuses `--yes`, and permits nothing" };

const ruleKeys = {
  added: { effect: "review", risk: "it is a rule, which permits nothing" },
  left: weakens("their labels have changed, so the rule judges them only in this change"),
  changed: weakens("it is a part of a rule, which may refuse less than before"),
  removed: weakens("it was a rule, and nothing is refused or noted because of it any more"),
  note: weakens("it decides how this note counts in a plan"),
  excused: weakens("this document is excused from it, which later plans do not show"),
  noLonger: { effect: "review", risk: "this document is no longer excused" },
} as const satisfies Record<string, SettingKey>;

// What is added whole is new; what is added to a rule changes it.
function ruleKey(path: string, { before, after }: SettingTurn): SettingKey {
  if (path.startsWith("notes.")) return after === "error" ? tighter : ruleKeys.note;
  if (path.startsWith("exceptions.")) return after === undefined ? ruleKeys.noLonger : ruleKeys.excused;
  if (/^rules\.[a-z0-9-]+\.judges$/.test(path)) return ruleKeys.left;
  if (path.split(".").length > 2) return ruleKeys.changed;
  if (before === undefined) return ruleKeys.added;
  return after === undefined ? ruleKeys.removed : ruleKeys.changed;
}

const use = weakens("it says whose IDs are sent for references to it");

const folder = {
  known: { effect: "review", risk: "the state is found by the name, and belongs to this folder from now on" },
  other: weakens(
    "the state was that of a different folder, which has moved or was copied, or whose name was taken",
  ),
} as const satisfies Record<string, SettingKey>;

const sealed: SettingKey = { effect: "review", risk: "the state is changed and used with this key alone" };

/** The keys of each section of the settings. */
export const settingKeys: Readonly<Record<string, Readonly<Record<string, SettingKey>>>> = {
  service: serviceKeys,
  lock: lockKeys,
  limits: limitKeys,
};

const look = {
  lost: weakens("what somebody changed may stay unseen, for drift and before an update or a delete"),
  other: { effect: "review", risk: "it says how objects are looked at, and changes none" },
} as const satisfies Record<string, SettingKey>;

const notAsked: SettingKey = { effect: "review", risk: "the service is not asked for this any more" };

// Of an operation that there was and still is, each part is a setting; any other is one as a whole.
function operationKey(operation: string, part: string | undefined, isLost: boolean): SettingKey {
  const isLook = operation === "read" || operation === "list";
  if (isLook && part === "id") return serviceKeys.id_pointers;
  if (part === undefined && isLost) return isLook ? look.lost : notAsked;
  return isLook ? look.other : serviceKeys.operations;
}

interface SettingTurn {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Gives what a change of a setting can do, by its path in the manifest and its values. */
export function settingKey(path: string, { before, after }: SettingTurn): SettingKey {
  const [section = "", key = "", , operation, part] = path.split(".");
  if (section === "rules" || section === "notes" || section === "exceptions")
    return ruleKey(path, { before, after });
  if (section === "uses") return use;
  if (section === "folder") return before === undefined ? folder.known : folder.other;
  if (key === "operations" && operation !== undefined)
    return operationKey(operation, part, after === undefined);
  if (path === "lock.seal" && before === undefined) return sealed;
  if (section === "limits" && limitOf(after) < limitOf(before)) return tighter;
  if (section === "service" && key === "confirm" && after !== undefined) return surer;
  return settingKeys[section]?.[key] ?? weakens("what it does is unknown");
}

// What is not set has no limit.
function limitOf(value: unknown): number {
  return typeof value === "number" ? value : Infinity;
}

// Rules come before everything else. Without the seal, the rest of what a plan compares with may be anybody's.
const ranked: readonly SettingKey[] = [
  ...Object.values(ruleKeys),
  sealKey,
  folder.other,
  use,
  ...Object.values(serviceKeys),
  ...Object.values(lockKeys),
  ...Object.values(limitKeys),
  look.lost,
];

/** Gives the place of a change of a setting among others, the gravest first; what harms nothing by itself is last. */
export function settingRank(path: string, turn: SettingTurn): number {
  const at = ranked.indexOf(settingKey(path, turn));
  return at === -1 ? ranked.length : at;
}

/** Gives the path at which a plan has what leaves a rule. */
export function leftPath(rule: string): string {
  return `rules.${rule}.judges`;
}

/** Whether what is at a path is one value where the other side does not have it: an operation of a kind, or a rule. */
export function isWholePath(path: string): boolean {
  return /^service\.operations\.\w+\.\w+$|^rules\.[a-z0-9-]+$/.test(path);
}

/** Whether what is at a path is the schema of a rule, which is one value: what it refuses is one thing to judge. */
export function isSchemaPath(path: string): boolean {
  return /^rules\.[a-z0-9-]+\.(?:document|change|files)$/.test(path);
}

/** Every other key of the manifest, with the reason why it is not such a setting. */
export const otherKeys: Readonly<Record<string, string>> = {
  apiVersion: "a constant",
  kind: "a constant",
  "metadata.name": "it names the lock and the plan; the digest covers it by itself",
  "spec.include[]": "it decides which documents there are, and actions are made of these",
  "spec.variables.*": "its value is in the bodies that use it",
  "spec.variables.*.description": "it is text for people",
  "spec.variables.*.default": "its value is in the bodies that use it",
  "spec.environments.*.variables.*": "its value is in the bodies that use it",
  "spec.defaults[].kind": "it decides which documents get the fields, and the fields are in their bodies",
  "spec.defaults[].selector.*":
    "it decides which documents get the fields, and the fields are in their bodies",
  "spec.defaults[].spec": "its fields are in the bodies that get them",
  "spec.uses.*.workspace": "the settings of a plan have it as `uses`",
  "spec.uses.*.file": "the settings of a plan have it as `uses`",
  "spec.uses.*.environments.*": "the settings of a plan have it as `uses`",
  "spec.notes.*": "the settings of a plan have it as `notes`",
  "spec.ignore[]": "it only hides warnings; requests, their targets and the reading of answers are the same",
  ...Object.fromEntries(
    kindNames.map((kind) => [
      `spec.extra_fields.${kind}[]`,
      "it only permits a field, and the field is in the bodies",
    ]),
  ),
};
