import { canonical, equal, isObject, type Json, type JsonObject } from "../../json/json.js";
import { pathSegment } from "../../json/path.js";
import { listOf, member, type Remark, type Subject } from "./rule.js";
import { few, quote, turn } from "./wording.js";

/** The checks of a policy (docs/interface.md, 2.1). */
const checks = [
  "allowed_topics",
  "banned_topics",
  "keywords",
  "toxicity_check",
  "prompt_injection",
  "secrets_detection",
  "pii_detection",
];

/** Counts the checks of a policy that are on, or that do not say whether they are. */
export function enabledChecks(body: JsonObject): number {
  return checksIn(body).filter((check) => certainty(body[check]) > 0).length;
}

/** Finds checks that are off, or no longer explicitly on. */
export function checksOff({ before, after }: Subject): Remark[] {
  return checksIn(before.body).flatMap((check): Remark[] => {
    const was = before.body[check];
    const is = member(after.body, check);
    if (certainty(is) >= certainty(was)) return [];
    const field = pathSegment(check);
    if (is === undefined) return [{ path: field, message: `the check \`${check}\` is gone` }];
    const says = isObject(is) ? member(is, "enabled") : is;
    const path = isObject(is) ? `${field}.enabled` : field;
    if (says === false) return [{ path, message: `the check \`${check}\` is switched off` }];
    return [{ path, message: `the check \`${check}\` is no longer explicitly on` }];
  });
}

/** Makes the finder of items that a list of a check lost. */
export function itemsGone(check: string, field: string, verb: string): (subject: Subject) => Remark[] {
  return (subject) => {
    if (!isChangedInForce(subject, check)) return [];
    const gone = missing(list(subject, "before", check, field), list(subject, "after", check, field));
    if (gone.length === 0) return [];
    return [{ path: `${check}.${field}`, message: `\`${check}\` no longer ${verb} ${few(gone.map(quote))}` }];
  };
}

/** Finds topics that are allowed now and were not before. */
export function allowedTopicsAdded(subject: Subject): Remark[] {
  const [check, field] = ["allowed_topics", "topics"] as const;
  if (!isChangedInForce(subject, check)) return [];
  const added = missing(list(subject, "after", check, field), list(subject, "before", check, field));
  if (added.length === 0) return [];
  return [{ path: `${check}.${field}`, message: `\`${check}\` newly allows ${few(added.map(quote))}` }];
}

/** Finds a list of allowed topics that is empty now. */
export function allowedTopicsEmptied(subject: Subject): Remark[] {
  const [check, field] = ["allowed_topics", "topics"] as const;
  if (!isChangedInForce(subject, check)) return [];
  const before = list(subject, "before", check, field);
  if (before.length === 0 || list(subject, "after", check, field).length > 0) return [];
  const message = `\`${check}\` no longer has any topics, which may allow all; it had ${few(before.map(quote))}`;
  return [{ path: `${check}.${field}`, message }];
}

/** Makes the finder of a changed setting of any check; the meaning of its values is not documented. */
export function settingChanged(field: string): (subject: Subject) => Remark[] {
  return (subject) =>
    checksIn(subject.before.body).flatMap((check) => {
      if (!isChangedInForce(subject, check)) return [];
      const was = member(subject.before.body[check], field);
      const is = member(member(subject.after.body, check), field);
      if (equal(was, is)) return [];
      const path = `${pathSegment(check)}.${field}`;
      return [{ path, message: `\`${path}\` ${turn(was, is)}, which may weaken the check` }];
    });
}

/** Finds types of personal information that are no longer looked for. */
export function piiTypesGone(subject: Subject): Remark[] {
  const { before, after } = piiTypes(subject);
  const gone = [...before.keys()].filter((type) => !after.has(type));
  if (gone.length === 0) return [];
  return [
    { path: "pii_detection.types", message: `\`pii_detection\` no longer looks for ${few(gone.map(quote))}` },
  ];
}

/** Finds types of personal information with a different value. */
export function piiTypesChanged(subject: Subject): Remark[] {
  const { before, after } = piiTypes(subject);
  return [...before].flatMap(([type, was]) => {
    const is = after.get(type);
    if (is === undefined || equal(was, is)) return [];
    const path = `pii_detection.types.${pathSegment(type)}`;
    return [{ path, message: `${quote(path)} ${turn(was, is)}, which may weaken the check` }];
  });
}

/** Finds custom personal information that is no longer looked for. */
export function customPiiGone(subject: Subject): Remark[] {
  const after = new Set(customPii(subject, "after").map(labelOf));
  const gone = customPii(subject, "before").filter((item) => !after.has(labelOf(item)));
  if (gone.length === 0) return [];
  const message = `\`pii_detection\` no longer looks for the custom PII ${few(gone.map((item) => quote(labelOf(item))))}`;
  return [{ path: "pii_detection.custom_pii", message }];
}

/** Finds custom personal information that is treated differently. */
export function customPiiChanged(subject: Subject): Remark[] {
  const after = new Map(customPii(subject, "after").map((item) => [labelOf(item), item]));
  const same = new Set(customPii(subject, "after").map(canonical));
  return customPii(subject, "before").flatMap((was) => {
    const is = after.get(labelOf(was));
    if (is === undefined || same.has(canonical(was))) return [];
    const fields = [...new Set([...keysOf(was), ...keysOf(is)])].filter(
      (field) => !equal(member(was, field), member(is, field)),
    );
    const changes = fields.map((field) => `\`${field}\` ${turn(member(was, field), member(is, field))}`);
    const message = `the custom PII ${quote(labelOf(was))} is treated differently: ${few(changes)}`;
    return [{ path: `pii_detection.custom_pii[${labelOf(was)}]`, message }];
  });
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
  if (!changed.has(check)) return false;
  return certainty(member(before.body, check)) > 0 && certainty(member(after.body, check)) > 0;
}

function list(subject: Subject, side: "before" | "after", check: string, field: string): readonly Json[] {
  return listOf(member(member(subject[side].body, check), field));
}

function missing(from: readonly Json[], others: readonly Json[]): Json[] {
  const known = new Set(others.map(canonical));
  return [...new Map(from.map((item) => [canonical(item), item]))]
    .filter(([text]) => !known.has(text))
    .map(([, item]) => item);
}

function piiTypes(subject: Subject): { before: Map<string, Json>; after: Map<string, Json> } {
  const types = (side: "before" | "after"): Map<string, Json> => {
    const value = member(member(subject[side].body, "pii_detection"), "types");
    return new Map(
      isObject(value) && isChangedInForce(subject, "pii_detection") ? Object.entries(value) : [],
    );
  };
  return { before: types("before"), after: types("after") };
}

function customPii(subject: Subject, side: "before" | "after"): readonly Json[] {
  return isChangedInForce(subject, "pii_detection") ? list(subject, side, "pii_detection", "custom_pii") : [];
}

function labelOf(item: Json): string {
  const label = member(item, "label");
  return typeof label === "string" ? label : canonical(item);
}

function keysOf(value: Json): string[] {
  return isObject(value) ? Object.keys(value) : [];
}
