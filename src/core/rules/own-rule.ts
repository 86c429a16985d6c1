import type { KindName } from "../../generated/kinds.js";
import type { RuleSpec } from "../../generated/rule.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { say } from "../finding/said.js";
import type { Json, JsonObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";

/** Whose rule it is: the workspace's own, an organisation's from outside of it, or one that a commit before the change has. */
export type RuleOrigin = "workspace" | "organisation" | "base";

/** What a rule judges: documents, or the actions of a plan. */
export type RuleSubject = "document" | "change";

/** A rule of a team's own, read and checked, as plain data. */
export interface OwnRule {
  /** The code of its findings. */
  readonly name: string;
  readonly origin: RuleOrigin;
  readonly file: string;
  /** Which document of the file, from 0. */
  readonly index: number;
  readonly effect: RuleSpec["effect"];
  readonly message: string;
  /** What it judges; the kind by its name in addresses. */
  readonly scope: {
    readonly kind?: KindName;
    readonly selector: Readonly<Record<string, string>>;
    readonly environments: readonly string[];
  };
  readonly subject: RuleSubject;
  readonly schema: Json;
  /** The schemas that its `$ref`s lead to, by target; each refers to others by their targets. */
  readonly targets: Readonly<Record<string, Json>>;
  readonly examples: { readonly good: readonly Json[]; readonly bad: readonly Json[] };
}

/** Gives the place of a part of a rule. */
export function placeInRule({ file, index }: Pick<OwnRule, "file" | "index">, path: Path): Place {
  return { file, document: index, path };
}

/** Reports a rule that does more work than a rule may, or for which others have left none. */
export function tooMuch(rule: OwnRule): Finding {
  const message = say`the rule ${{ name: rule.name }} takes too much work to judge`;
  const hint =
    "make it smaller: fewer schemas, no `$ref`s in a circle, and none that repeat each other; all rules of a workspace have a limit, too";
  return error("rule-too-costly", placeInRule(rule, ["spec", rule.subject]), message, hint);
}

/** Gives all that a rule says, wherever it stands: two rules with the same judge the same. */
export function ruleSetting({ effect, message, scope, subject, schema, targets }: OwnRule): JsonObject {
  const { kind, selector, environments } = scope;
  const among = {
    ...(kind && { kind }),
    ...(Object.keys(selector).length > 0 && { selector: { ...selector } }),
    ...(environments.length > 0 && { environments: [...environments] }),
  };
  return {
    effect,
    message,
    ...(Object.keys(among).length > 0 && { for: among }),
    // In a schema what is empty is not the same as what is missing.
    [subject]: schema,
    ...(Object.keys(targets).length > 0 && { files: targets }),
  };
}

/** Gives what a rule judges, from all that it says. */
export function scopeIn(setting: JsonObject): OwnRule["scope"] {
  const among = setting.for as Partial<OwnRule["scope"]> | undefined;
  return { selector: {}, environments: [], ...among };
}
