import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { textOf } from "../core/finding/said.js";
import { realPath } from "../disk/real-path.js";
import { ruleKind } from "../core/rules/parse-rule.js";
import { hasRule, type RuleTexts } from "../core/rules/rule-texts.js";
import { isDocumentName, isLeftOut, isNearlyDocumentName } from "./document-name.js";
import { decode, sizeLimit } from "./regular-file.js";
import { kindIn } from "./unread-documents.js";

/** What keeps a folder of rules from being read whole. */
export class RuleFolderError extends Error {}

/**
 * Reads an organisation's rules: YAML and JSON of a folder, links in it followed. Nothing is passed over in
 * silence, nor a folder without rules, for a missing volume or an unset variable leave one. @throws
 * RuleFolderError, and what reading throws
 */
export function readRuleFolder(folder: string, named: string): RuleTexts {
  const [files, root]: [string[], string] = [[], realPath(folder) + sep];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
    if (file.split("/").some(isLeftOut)) continue;
    const isLink = entry.isSymbolicLink();
    if (isLink && !realPath(join(folder, file)).startsWith(root))
      throw new RuleFolderError(`${file} is a link that leads out of it`);
    const stat = entry.isDirectory() ? undefined : statSync(join(folder, file));
    if (stat?.isDirectory())
      throw new RuleFolderError(`${file} is a link to a folder, which is not followed`);
    if (!stat?.isFile() || !(isDocumentName(entry.name) || isNearlyDocumentName(entry.name))) continue;
    if (stat.size > sizeLimit) throw new RuleFolderError(`${file} is larger than 32 MB`);
    files.push(file);
  }
  const start = named.split(sep).join("/").replace(/\/*$/, "/");
  const texts = files.toSorted().map((file) => {
    const read = decode(start + file, readFileSync(join(folder, file)));
    if (!read.ok) throw new RuleFolderError(textOf(read.message));
    return [start + file, read.text] as const;
  });
  const [misnamed] =
    texts.find(([file, text]) => !isDocumentName(file) && kindIn(file, text) === ruleKind) ?? [];
  if (misnamed !== undefined)
    throw new RuleFolderError(`${misnamed} is a rule, and is only read if its name ends in \`.yaml\``);
  if (!texts.some(([file, text]) => isDocumentName(file) && hasRule(file, text)))
    throw new RuleFolderError("it has no rule");
  return { origin: "organisation", files: new Map(texts) };
}
