import type { NamedOperation } from "../../generated/plan.js";
import { pathSegment } from "../../json/path.js";
import { turnOf, type PartsOfNotes } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";

const schema = "openapi_schema";

/** Finds descriptions of a tool set or of its operations that changed: models read them to choose a tool. */
export function descriptionsChanged(subject: Subject): RemarkOf<"description-changed">[] {
  return [...ownTexts(subject), ...operationTexts(subject)];
}

function ownTexts({ before, after, changed }: Subject): RemarkOf<"description-changed">[] {
  const fields = ["description", "enhance_descriptions"].filter((field) => changed.has(field));
  return fields.map((field) => ({
    path: field,
    parts: { field, ...turnOf(before.body[field], after.body[field]) },
  }));
}

function operationTexts(subject: Subject): RemarkOf<"description-changed">[] {
  const { address, before, after, changed, wordsOf } = subject;
  if (!changed.has(schema)) return [];
  const known = before.operations(address).all;
  return [...after.operations(address).all].flatMap(([route, { named, description }]) => {
    const old = known.get(route);
    if (!old || old.description === description) return [];
    const path = `${schema}.operations[${route}].${pathSegment("description")}`;
    return [{ path, parts: partsOf(named, old.description, wordsOf(address).get(route)) }];
  });
}

// The lock keeps a digest of the old words, so what they were cannot be shown.
function partsOf(
  operation: NamedOperation,
  before: string | undefined,
  words: string | undefined,
): PartsOfNotes["description-changed"] {
  const operations = [operation];
  if (words === undefined) return { operations, now: "gone" };
  return { operations, now: before === undefined ? "new" : "changed", words };
}
