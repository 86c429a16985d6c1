import { fields } from "../../../generated/fields.js";
import { validate } from "../../../generated/validate-policy.js";
import { findId } from "../identity.js";
import type { Kind } from "../kind.js";

const idFields = ["_id"];

/** A responsible-AI policy (docs/interface.md, 2.1, operation 1): it can be created but not updated. */
export const policy: Kind = {
  name: "policy",
  document: "Policy",
  noun: ["policy", "policies"],
  folder: "policies",
  title: "name",
  prose: [],
  words: ["policy", "policies"],
  validate,
  fields: fields.policy,
  places: { name: null, user_id: null },
  create: { host: "rai", method: "POST", path: "/v1/rai/policies" },
  unknownField: "warning",
  replacedBy: "any",
  creationOnly: [],
  outlined: [],
  outline: (body) => ({ body, documents: {} }),
  check: () => [],
  creation: (body) => body,
  idFields,
  update: () => [],
  identify(answer, _body, { idPointer }) {
    const id = findId(answer, idFields, idPointer);
    return id === undefined ? undefined : { id };
  },
};
