import { anyObject, record, text } from "../check.js";
import type { EmulatedKind } from "../kind.js";
import { plainKind } from "../plain-kind.js";

const message = "Credential created successfully";

/** A credential (docs/reference/interface.md, 2.4): its objects and operations, of which 6 makes one. */
export const credential: EmulatedKind = plainKind({
  noun: "credential",
  folder: "credentials",
  check: record({ name: text, provider_id: text, credentials: anyObject, meta_data: anyObject }, ["name"]),
  places: { all: /^\/v3\/tools\/credentials$/, one: /^\/v3\/tools\/credentials\/([^/]+)$/ },
  accept: true,
  isUpdatable: false,
  // A message and, unless minimal, the ID.
  answerNew: (answers, id) => (answers === "minimal" ? { message } : { message, credential_id: id }),
  filledIn: {},
});
