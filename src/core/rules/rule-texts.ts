import type { WorkspaceManifest } from "../../generated/workspace.js";
import { isObject } from "../../json/json.js";
import { parseDocuments, type Document } from "../document/document.js";
import { unread, type Included, type Includes } from "../expression/included-data.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { didYouMean, nearest } from "../finding/nearest.js";
import { say } from "../finding/said.js";
import { kindOfDocument } from "../kind/kinds.js";
import { placeInRule, type OwnRule, type RuleOrigin } from "./own-rule.js";
import { isRule, parseRule, ruleKind } from "./parse-rule.js";

/** Files with rules that are not the workspace's as it is now, and with what these refer to, by their paths. */
export interface RuleTexts {
  readonly origin: Exclude<RuleOrigin, "workspace">;
  readonly files: ReadonlyMap<string, string>;
  /** The effects that the commit's manifest gives to built-in notes. */
  readonly effects?: WorkspaceManifest["spec"]["notes"];
  /** The environments that the commit's manifest has, null for the default one. */
  readonly environments?: readonly (string | null)[];
  /** The codes of the warnings that the commit's manifest ignores. */
  readonly ignore?: readonly string[];
  /** What could not be read, if anything. */
  readonly findings?: readonly Finding[];
}

/** Reads rules in files; an organisation's mistakes are told, those from before a change are not its own. */
export function readRuleTexts({ origin, files, findings: unread = [] }: RuleTexts): {
  readonly rules: readonly OwnRule[];
  readonly findings: readonly Finding[];
} {
  const rules: OwnRule[] = [];
  const findings = [...unread];
  const includes = includesOf(files);
  for (const [file, text] of files) {
    if (!/\.ya?ml$/i.test(file) || (origin === "base" && !mayHaveRule(text))) continue;
    const parsed = parseDocuments(file, text);
    findings.push(...parsed.findings, ...parsed.value.flatMap(unknownKind));
    for (const document of parsed.value.filter(isRule)) {
      const { rule, findings: ofRule } = parseRule(document, includes, origin);
      findings.push(...ofRule);
      if (rule) rules.push(rule);
    }
  }
  return { rules, findings: origin === "base" ? unread : findings };
}

// A rule with a misspelt kind would judge nothing; a folder may also have documents of other tools.
function unknownKind(document: Document): Finding[] {
  const { value } = document;
  if (!isObject(value) || isRule(document)) return [];
  const { apiVersion, kind } = value;
  const name = typeof kind === "string" ? kind : "";
  const isOurs = typeof apiVersion === "string" && apiVersion.startsWith("agentform/");
  const isOfOthers = typeof apiVersion === "string" && nearest(apiVersion, ["agentform/v1"]) === undefined;
  if (!isOurs && (isOfOthers || nearest(name, [ruleKind]) === undefined)) return [];
  if (name === "Workspace" || kindOfDocument(name)) return [];
  const place = placeInRule(document, kind === undefined ? [] : ["kind"]);
  const message =
    kind === undefined ? say`${{ field: "kind" }} is missing` : say`the kind ${{ kind: name }} is unknown`;
  return [error("document-kind", place, message, didYouMean(name, [ruleKind]))];
}

/** Whether a file has a rule, or what is told because it may be meant as one. */
export function hasRule(file: string, text: string): boolean {
  if (!mayHaveRule(text)) return false;
  const { value, findings } = parseDocuments(file, text);
  return findings.length > 0 || value.some((each) => isRule(each) || unknownKind(each).length > 0);
}

/** Whether a text may have a rule, in whichever way YAML writes the word. */
export function mayHaveRule(text: string): boolean {
  return text.includes(ruleKind) || text.includes("\\");
}

function includesOf(files: ReadonlyMap<string, string>): Includes {
  return {
    read(from, path): Included {
      const file = pathFrom(from, path);
      const text = file === undefined ? undefined : files.get(file);
      if (file === undefined || text === undefined)
        return unread(
          "file-missing",
          say`${{ file: path }} is not among the rules`,
          "add the file to their folder",
        );
      return { ok: true, file, text };
    },
  };
}

/** Gives the path that a path in a file leads to, with `/`; undefined if it leads out of all folders. */
export function pathFrom(file: string, path: string): string | undefined {
  const steps = file.split("/").slice(0, -1);
  for (const step of path.split("/")) {
    if (step === "..") {
      if (steps.length === 0 || steps.at(-1) === "..") return undefined;
      steps.pop();
    } else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}
