import type { GuardrailNote } from "../generated/plan.js";
import type { LockLocation, ServiceSettings } from "../generated/workspace.js";

/** A key of the manifest that changes what is sent, where to, or how an answer is read. */
export interface SettingKey {
  readonly effect: GuardrailNote["effect"];
  /** What a change of it can do, as the second half of a sentence. */
  readonly risk: string;
}

type Keys<Section> = Readonly<Record<keyof Required<Section>, SettingKey>>;

/** The keys of a service's settings: all of them count. */
export const serviceKeys: Keys<ServiceSettings> = {
  base_url: {
    effect: "widens",
    risk: "tool sets, credentials and agents are sent to another address, with the API key",
  },
  rai_base_url: { effect: "widens", risk: "policies are sent to another address, with the API key" },
  api_key: { effect: "widens", risk: "requests carry another API key" },
  field_names: {
    effect: "weakens",
    risk: "what documents say in this field reaches the service under another name",
  },
  tool_ids: { effect: "widens", risk: "it decides which tool an agent gets for an operation" },
  id_pointers: { effect: "weakens", risk: "IDs, and so what is referred to, are read from another place" },
  rejected_statuses: {
    effect: "weakens",
    risk: "creates that are answered so are repeated, and must not have been done",
  },
};

/** The keys that say where lock and journal are kept: all of them count. */
export const lockKeys: Keys<LockLocation> = {
  store: { effect: "weakens", risk: "IDs and what was last applied are read from another place" },
  remote: { effect: "weakens", risk: "IDs and what was last applied are read from another place" },
  ref: { effect: "weakens", risk: "IDs and what was last applied are read from another place" },
};

/** Every other key of the manifest, and why it is no setting in this sense. */
export const otherKeys: Readonly<Record<string, string>> = {
  apiVersion: "a constant",
  kind: "a constant",
  "metadata.name": "it names the lock and the plan; the digest covers it by itself",
  "spec.include[]": "it decides which documents there are, and actions are made of these",
  "spec.variables.*": "its value is in the bodies that use it",
  "spec.variables.*.description": "it is text for people",
  "spec.variables.*.default": "its value is in the bodies that use it",
  "spec.environments.*.variables.*": "its value is in the bodies that use it",
  "spec.extra_fields.policy[]": "it only permits a field, and the field is in the bodies",
  "spec.extra_fields.toolset[]": "it only permits a field, and the field is in the bodies",
  "spec.extra_fields.credential[]": "it only permits a field, and the field is in the bodies",
  "spec.extra_fields.agent[]": "it only permits a field, and the field is in the bodies",
  "spec.limits.orphans": "it only refuses plans; what a plan leaves behind is in its actions",
};
