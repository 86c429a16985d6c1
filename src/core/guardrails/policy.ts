import { groupBy } from "../../json/groups.js";
import { canonical, equal, isObject, type Json, member, listOf } from "../../json/json.js";
import { itemSegment, pathSegment } from "../../json/path.js";
import { memberTurns, turnOf, type CheckItems, type FieldTurn, type Turn } from "./note-parts.js";
import type { Remark, RemarkOf, Subject } from "./rule.js";

/** The checks of a policy (docs/reference/interface.md, 2.1). */
const checks = [
  "allowed_topics",
  "banned_topics",
  "keywords",
  "toxicity_check",
  "prompt_injection",
  "secrets_detection",
  "pii_detection",
];

/** Finds a new policy of which no check says that it is on. */
export function checksMissing({ after: { body } }: Subject): RemarkOf<"policy-without-checks">[] {
  const [unsaid = [], on = []] = [1, 2].map((wanted) =>
    checksIn(body).filter((check) => certainty(body[check]) === wanted),
  );
  return on.length > 0 ? [] : [{ parts: { unsaid } }];
}

/** Finds checks that are off, or no longer explicitly on. */
export function checksOff({ before, after }: Subject): RemarkOf<"check-off">[] {
  return checksIn(before.body).flatMap((check): RemarkOf<"check-off">[] => {
    const was = before.body[check];
    const is = member(after.body, check);
    if (certainty(is) >= certainty(was)) return [];
    const field = pathSegment(check);
    if (is === undefined) return [{ path: field, parts: { check, now: "gone" } }];
    const says = isObject(is) ? member(is, "enabled") : is;
    const path = isObject(is) ? `${field}.enabled` : field;
    return [{ path, parts: { check, now: says === false ? "off" : "unsaid" } }];
  });
}

/** Makes the finder of items that a list, or names that a mapping, of a check has on one side only: that it lost, or that are new. */
export function itemsOnly(
  side: "before" | "after",
  check: string,
  field: string,
): (subject: Subject) => Remark<CheckItems>[] {
  const other = side === "before" ? "after" : "before";
  return (subject) => {
    const known = new Set(list(subject, other, check, field).map(canonical));
    const items = new Map(list(subject, side, check, field).map((item) => [canonical(item), item]));
    return onItems(
      check,
      field,
      [...items].flatMap(([text, item]) => (known.has(text) ? [] : [item])),
    );
  };
}

/** Finds a list of allowed topics that is empty now. */
export function allowedTopicsEmptied(subject: Subject): Remark<CheckItems>[] {
  const [check, field] = ["allowed_topics", "topics"] as const;
  if (list(subject, "after", check, field).length > 0) return [];
  return onItems(check, field, list(subject, "before", check, field));
}

/** Makes the finder of a changed setting of any check; the meaning of its values is not documented. */
export function settingChanged(field: string): (subject: Subject) => Remark<FieldTurn>[] {
  return (subject) => turnsOfChecks(subject, (each) => each === field);
}

/** The settings of any check that have rules of their own. */
const judged: ReadonlySet<string> = new Set(["threshold", "action"]);

/** Those of one check alone. */
const judgedOfOne: ReadonlySet<string> = new Set([
  "allowed_topics.topics",
  "banned_topics.topics",
  "keywords.keywords",
  "pii_detection.types",
  "pii_detection.custom_pii",
]);

/** Finds changed settings of a policy, or of a check that stays on, that no other rule knows: any may switch it off. */
export function otherSettingsChanged(subject: Subject): Remark<FieldTurn>[] {
  const { before, after, changed } = subject;
  // What one that is not documented does once it is on, nobody knows.
  const ofBefore = checksIn(before.body).filter((check) => isOn(before, check) || !isOn(after, check));
  const known = new Set([...ofBefore, ...checks, "name", "description"]);
  const ofPolicy = [...changed].filter((field) => !known.has(field));
  return [
    ...ofPolicy.map((field) =>
      remarkAt(pathSegment(field), turnOf(member(before.body, field), member(after.body, field))),
    ),
    ...turnsOfChecks(subject, (field, check) => {
      // More or less explicitly on has a rule of its own; another value may be off as well.
      if (field === "enabled")
        return [before, after].every(({ body }) => certainty(member(body, check)) === 1);
      return !judged.has(field) && !judgedOfOne.has(`${check}.${field}`);
    }),
  ];
}

function turnsOfChecks(
  subject: Subject,
  isWanted: (field: string, check: string) => boolean,
): Remark<FieldTurn>[] {
  const checks = checksIn(subject.before.body).filter((check) => isChangedInForce(subject, check));
  return checks.flatMap((check) => {
    const [was, is] = [member(subject.before.body, check), member(subject.after.body, check)];
    return memberTurns(was, is)
      .filter(({ field }) => isWanted(field, check))
      .map(({ field, ...turn }) => remarkAt(`${pathSegment(check)}.${pathSegment(field)}`, turn));
  });
}

function remarkAt(path: string, turn: Turn): Remark<FieldTurn> {
  return { path, parts: { field: path, ...turn } };
}

/** Finds types of personal information with a different value, also in a further spelling. */
export function piiTypesChanged(subject: Subject): RemarkOf<"pii-type-changed">[] {
  const [before, after] = [piiTypes(subject, "before"), piiTypes(subject, "after")];
  const known = spellings(before.keys(), after);
  return [...after].flatMap(([type, is]) => {
    const other = before.has(type) ? type : known.get(fold(type));
    if (other === undefined || equal(before.get(other), is)) return [];
    return [remarkAt(`pii_detection.types.${pathSegment(type)}`, turnOf(before.get(type), is))];
  });
}

// What is only spelt anew is gone under its name.
function spellings(names: Iterable<string>, after: { has(name: string): boolean }): Map<string, string> {
  return new Map([...names].filter((name) => after.has(name)).map((name) => [fold(name), name]));
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}

/** Finds custom personal information that is no longer looked for. */
export function customPiiGone(subject: Subject): Remark<CheckItems>[] {
  const after = new Set(customPii(subject, "after").map(labelOf));
  const gone = customPii(subject, "before").filter((item) => !after.has(labelOf(item)));
  return onItems("pii_detection", "custom_pii", gone.map(labelOf));
}

/** Finds custom personal information that is treated differently, also by a further item with its label in any spelling. */
export function customPiiChanged(subject: Subject): RemarkOf<"custom-pii-changed">[] {
  const [before, after] = [customPii(subject, "before"), customPii(subject, "after")];
  const [old, now] = [before, after].map((items) => new Set(items.map(canonical)));
  const labels = new Set(before.map(labelOf));
  const known = spellings(labels, new Set(after.map(labelOf)));
  const present = groupBy(after, (item) => {
    const label = labelOf(item);
    return labels.has(label) ? label : (known.get(fold(label)) ?? label);
  });
  return [...groupBy(before, labelOf)].flatMap(([label, were]) => {
    const are = present.get(label) ?? [];
    const gone = were.filter((item) => !now?.has(canonical(item)));
    const fresh = are.filter((item) => !old?.has(canonical(item)));
    if (are.length === 0) return [];
    return Array.from({ length: Math.max(gone.length, fresh.length) }, (_, index) => {
      const changes = memberTurns(gone[index] ?? were.at(-1), fresh[index] ?? are.at(-1));
      return { path: `pii_detection.custom_pii${itemSegment(label)}`, parts: { label, changes } };
    });
  });
}

function onItems(check: string, field: string, items: readonly Json[]): Remark<CheckItems>[] {
  return items.length === 0 ? [] : [{ path: `${check}.${field}`, parts: { check, items: [...items] } }];
}

function checksIn(body: Subject["before"]["body"]): string[] {
  // A deployment may have undocumented checks of the same form.
  return Object.keys(body).filter(
    (field) => checks.includes(field) || member(body[field], "enabled") !== undefined,
  );
}

// 2: explicitly on; 1: present, but not known to be on; 0: off or absent.
function certainty(check: Json | undefined): 0 | 1 | 2 {
  if (check === undefined || check === null || check === false) return 0;
  const enabled = member(check, "enabled");
  if (enabled === true) return 2;
  return enabled === false ? 0 : 1;
}

// The content of a check counts only if it is on before and after; switching it off has a note of its own.
function isChangedInForce({ before, after, changed }: Subject, check: string): boolean {
  return changed.has(check) && isOn(before, check) && isOn(after, check);
}

function isOn({ body }: Subject["before"], check: string): boolean {
  return certainty(member(body, check)) > 0;
}

function list(subject: Subject, side: "before" | "after", check: string, field: string): readonly Json[] {
  const value = isChangedInForce(subject, check)
    ? member(member(subject[side].body, check), field)
    : undefined;
  return isObject(value) ? Object.keys(value) : listOf(value);
}

function piiTypes(subject: Subject, side: "before" | "after"): Map<string, Json> {
  const value = member(member(subject[side].body, "pii_detection"), "types");
  return new Map(isObject(value) && isChangedInForce(subject, "pii_detection") ? Object.entries(value) : []);
}

function customPii(subject: Subject, side: "before" | "after"): readonly Json[] {
  return list(subject, side, "pii_detection", "custom_pii");
}

function labelOf(item: Json): string {
  const label = member(item, "label");
  return typeof label === "string" ? label : canonical(item);
}
