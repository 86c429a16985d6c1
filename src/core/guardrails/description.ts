import { pathSegment } from "../../json/path.js";
import { wordKeys } from "../openapi/outline-shape.js";
import { operationPath } from "./moved-calls.js";
import { turnOf, type PartsOfNotes } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";

const schema = "openapi_schema";

const texts = ["operationId", ...wordKeys] as const;

/** Finds descriptions of a tool set, or names and descriptions of its operations, that changed: models read them to choose a tool. */
export function descriptionsChanged(subject: Subject): RemarkOf<"description-changed">[] {
  return allChanged(subject).filter(({ parts }) => !isPunctuation(parts));
}

/** Finds descriptions of which only punctuation or white space changed. */
export function descriptionsRepunctuated(subject: Subject): RemarkOf<"description-repunctuated">[] {
  return allChanged(subject).filter(({ parts }) => isPunctuation(parts));
}

function allChanged(subject: Subject): RemarkOf<"description-changed">[] {
  return [...ownTexts(subject), ...operationTexts(subject)];
}

function ownTexts({ before, after, changed }: Subject): RemarkOf<"description-changed">[] {
  const fields = ["description", "enhance_descriptions"].filter((field) => changed.has(field));
  return fields.map((field) => ({
    path: field,
    parts: { field, ...turnOf(before.body[field], after.body[field]) },
  }));
}

function operationTexts({ address, before, after, changed, wordsOf }: Subject) {
  if (!changed.has(schema)) return [];
  const known = before.operations(address).all;
  return [...after.operations(address).all].flatMap(([route, operation]) => {
    const old = known.get(route);
    if (!old) return [];
    return texts.flatMap((field): RemarkOf<"description-changed">[] => {
      const [was, is] = [old[field], operation[field]];
      if (was === is) return [];
      const isWhole = is === undefined || field === "operationId";
      const whole = isWhole ? undefined : wordsOf(address).get(route)?.[field];
      const path = `${schema}.${operationPath(route, pathSegment(field))}`;
      const words = whole === undefined || whole === is ? {} : { words: whole };
      return [{ path, parts: { operations: [operation.named], field, ...turnOf(was, is), ...words } }];
    });
  });
}

function isPunctuation({ before, after }: PartsOfNotes["description-changed"]): boolean {
  return typeof before === "string" && typeof after === "string" && wordsIn(before) === wordsIn(after);
}

// A sign beside a digit may be a part of a number.
function wordsIn(text: string): string {
  return text.replaceAll(/(?<!\d)[\p{P}\s]{1,1000}(?!\d)/gu, " ").trim();
}
