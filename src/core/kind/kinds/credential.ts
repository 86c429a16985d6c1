import { fields } from "../../../generated/fields.js";
import { validate } from "../../../generated/validate-credential.js";
import { findId } from "../identity.js";
import type { Kind } from "../kind.js";
import { tellsError } from "../tells-error.js";

const idFields = ["credential_id", "_id", "id"];

/** A tool credential (docs/reference/interface.md, 2.4, operation 6); the answer is not documented and may hold no ID. */
export const credential: Kind = {
  name: "credential",
  document: "Credential",
  noun: ["credential", "credentials"],
  folder: "credentials",
  title: "name",
  prose: [],
  words: ["credential", "credentials"],
  validate,
  fields: fields.credential,
  places: { name: null, provider_id: null },
  guards: false,
  holdsSecrets: true,
  create: { host: "base", method: "POST", path: "/v3/tools/credentials" },
  unknownField: "error",
  replacedBy: "any",
  creationOnly: new Set(),
  judged: ["name", "provider_id"],
  outlined: [],
  outline: (body) => ({ body, documents: {} }),
  check: () => [],
  creation: (body) => body,
  idFields,
  update: () => [],
  identify(answer, _body, { idPointer }) {
    const id = findId(answer, idFields, idPointer);
    if (id !== undefined) return { id };
    return tellsError(answer) ? undefined : {};
  },
};
