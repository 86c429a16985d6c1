import { pathSegment } from "../../json/path.js";
import type { Remark, Subject } from "./rule.js";
import { quoteUpTo, turn } from "./wording.js";

const schema = "openapi_schema";

/** Enough of a description to judge it. */
const shownLength = 300;

/** Finds descriptions of a tool set or of its operations that changed: models read them to choose a tool. */
export function descriptionsChanged(subject: Subject): Remark[] {
  return [...ownTexts(subject), ...operationTexts(subject)];
}

function ownTexts({ before, after, changed }: Subject): Remark[] {
  const fields = ["description", "enhance_descriptions"].filter((field) => changed.has(field));
  return fields.map((field) => {
    const says = turn(before.body[field], after.body[field], shownLength);
    return { path: field, message: `\`${field}\` ${says}` };
  });
}

function operationTexts({ address, before, after, changed, wordsOf }: Subject): Remark[] {
  if (!changed.has(schema)) return [];
  const known = before.operations(address).all;
  return [...after.operations(address).all].flatMap(([route, { name, description }]) => {
    const old = known.get(route);
    if (!old || old.description === description) return [];
    const path = `${schema}.operations[${route}].${pathSegment("description")}`;
    return [
      { path, message: `the description of ${name} ${change(old.description, wordsOf(address).get(route))}` },
    ];
  });
}

// The lock keeps a digest of the old words, so what they were cannot be shown.
function change(before: string | undefined, words: string | undefined): string {
  if (words === undefined) return `is gone, and models read it ${notKept}`;
  const now = `now: ${quoteUpTo(shownLength, words)}`;
  return before === undefined
    ? `is new, and models read it; ${now}`
    : `changes, and models read it; ${now} ${notKept}`;
}

const notKept = "(the lock does not keep the old text)";
