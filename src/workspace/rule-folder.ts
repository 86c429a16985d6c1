import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { RuleTexts } from "../core/rules/rule-texts.js";
import { isDocumentName, isJsonName, isLeftOut } from "./find-documents.js";
import { sizeLimit } from "./regular-file.js";

/** Reads the rules of an organisation: the YAML and JSON files of a folder, and no links. Throws what reading throws. */
export function readRuleFolder(folder: string, named: string): RuleTexts {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && (isDocumentName(entry.name) || isJsonName(entry.name)))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"))
    .filter((file) => !file.split("/").some(isLeftOut))
    .filter((file) => statSync(join(folder, file)).size <= sizeLimit)
    .toSorted();
  const start = named.split(sep).join("/").replace(/\/*$/, "/");
  const texts = files.map((file) => [start + file, readFileSync(join(folder, file), "utf8")] as const);
  return { origin: "organisation", files: new Map(texts) };
}
