import type { KindName } from "../../generated/kinds.js";
import type { RuleSpec } from "../../generated/rule.js";
import type { Place } from "../finding/diagnostic.js";
import type { Json } from "../../json/json.js";
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
