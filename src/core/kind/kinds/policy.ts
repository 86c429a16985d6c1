import { fields } from "../../../generated/fields.js";
import { validate } from "../../../generated/validate-policy.js";
import { findId } from "../identity.js";
import type { Path } from "../../../json/path.js";
import { isObject, type Json, type JsonObject } from "../../../json/json.js";
import { warning, type Finding, type Place } from "../../finding/diagnostic.js";
import { say } from "../../finding/said.js";
import type { Kind } from "../kind.js";

const idFields = ["_id"];

/** A responsible-AI policy (docs/reference/interface.md, 2.1, operation 1): it can be created but not updated. */
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
  guards: true,
  holdsSecrets: false,
  create: { host: "rai", method: "POST", path: "/v1/rai/policies" },
  unknownField: "warning",
  replacedBy: "any",
  creationOnly: new Set(),
  judged: [],
  outlined: [],
  outline: (body) => ({ body, documents: {} }),
  check: (body, place) => [...checksNothing(body, place), ...unsaid(body, place)],
  creation: (body) => body,
  idFields,
  update: () => [],
  identify(answer, _body, { idPointer }) {
    const id = findId(answer, idFields, idPointer);
    return id === undefined ? undefined : { id };
  },
};

// What an empty list of allowed topics means is not shown.
function checksNothing(body: JsonObject, place: (...path: Path) => Place): Finding[] {
  return [
    ["banned_topics", "topics"],
    ["keywords", "keywords"],
  ].flatMap(([check = "", list = ""]) => {
    const value = body[check];
    if (!isObject(value) || value.enabled !== true) return [];
    const items = value[list];
    if (items !== undefined && !(Array.isArray(items) && items.every(isBlank))) return [];
    const message = say`${{ field: `spec.${check}` }} is enabled and has no ${list}, so it checks nothing`;
    const hint = `list \`${list}\`, or write \`enabled: false\``;
    return [warning("document-ineffective", place(check), message, hint)];
  });
}

const isBlank = (item: Json): boolean => typeof item === "string" && item.trim() === "";

const switched = Object.entries(fields.policy.fields.spec.fields).flatMap(([check, known]) =>
  known.fields?.enabled === undefined ? [] : [check],
);

// Whether such a check is on is not shown; taking `enabled` away is a note, so writing none is one, too.
function unsaid(body: JsonObject, place: (...path: Path) => Place): Finding[] {
  return switched.flatMap((check) => {
    const value = body[check];
    if (!isObject(value) || value.enabled !== undefined) return [];
    const message = say`${{ field: `spec.${check}` }} does not say whether it is enabled, so it may check nothing`;
    const hint = "write `enabled: true`, or `enabled: false`";
    return [warning("document-ineffective", place(check), message, hint)];
  });
}
