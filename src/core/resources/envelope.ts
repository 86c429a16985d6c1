import { refused, type Checked } from "../finding/checked.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import type { Path } from "../../json/path.js";
import type { Json, JsonObject } from "../../json/json.js";
import type { Kind } from "../kind/kind.js";
import { kindOfDocument, kinds } from "../kind/kinds.js";
import { didYouMean, meaning, nearest } from "../finding/nearest.js";
import { ruleKind } from "../rules/parse-rule.js";

const ownFields = ["apiVersion", "metadata", "spec"];

const version = "agentform/v1";

/** Gives the kind of a document by its apiVersion and kind. */
export function readEnvelope(
  value: JsonObject,
  place: (path: Path) => Place,
): Checked<{ readonly kind: Kind }> {
  if (isOpenApi(value)) return refused([explainOpenApi(place([]))]);
  const findings: Finding[] = [];
  if (value.apiVersion !== version) {
    const found = scalarText(value.apiVersion);
    const hint = say`write \`apiVersion: ${bare({ expected: version })}\``.proposing({
      type: "change",
      from: found,
      to: version,
    });
    const message = say`the apiVersion ${{ found }} is unknown`;
    findings.push(
      absent(value, "apiVersion", place, hint.text) ??
        error("document-version", place(["apiVersion"]), message, hint),
    );
  }
  const kind = typeof value.kind === "string" ? kindOfDocument(value.kind) : undefined;
  if (!kind) {
    const known = [...Object.values(kinds).map((each) => each.document), ruleKind];
    const name = scalarText(value.kind);
    const all = say`the kinds are ${bare({ expected: [...known] })}`;
    const meant = known.find((each) => each.toLowerCase() === name.toLowerCase());
    // Rules are read before; what comes here is a patch.
    const isRule = name === ruleKind;
    const hint = isRule
      ? "a rule says itself in which environments it judges: `for: {environments: [NAME]}`"
      : name === "Workspace"
        ? "only agentform.yaml is a workspace"
        : meant === undefined
          ? (didYouMean(name, known) ?? all)
          : meaning(name, meant);
    const message = isRule ? "a rule cannot be patched" : say`the kind ${{ kind: name }} is unknown`;
    const data = say`${all}; a file that holds no document stands in a different folder, from which \`\${file:PATH}\` includes it`;
    const isData = !Object.keys(value).some((key) => ownFields.includes(nearest(key, ownFields) ?? key));
    findings.push(
      absent(value, "kind", place, isData ? data : all) ??
        error("document-kind", place(["kind"]), message, hint),
    );
  }
  return kind && findings.length === 0 ? { ok: true, kind } : refused(findings);
}

function isOpenApi({ apiVersion, kind, openapi, swagger }: JsonObject): boolean {
  return apiVersion === undefined && kind === undefined && (openapi ?? swagger) !== undefined;
}

function explainOpenApi(place: Place): Finding {
  const message = "`kind` is missing: this is an OpenAPI document";
  const hint =
    "move it into a different folder, such as `openapi/`, and include it in a ToolSet with `openapi_schema: ${file:PATH}`";
  return error("document-kind", place, message, hint);
}

function absent(
  value: JsonObject,
  field: "apiVersion" | "kind",
  place: (path: Path) => Place,
  hint: Sentence,
): Finding | undefined {
  if (value[field] !== undefined && value[field] !== null) return undefined;
  const misspelt = Object.keys(value).find((key) => nearest(key, [field]) !== undefined);
  if (misspelt !== undefined) {
    const message = say`unknown field ${{ field: misspelt }}`;
    return error(
      "document-misspelt-field",
      { ...place([misspelt]), key: true },
      message,
      meaning(misspelt, field),
    );
  }
  const code = field === "kind" ? "document-kind" : "document-version";
  const isCommented = Object.keys(value).some((key) => /^\s*\/[/*]/.test(key));
  if (isCommented) hint = "a comment begins with `#` in YAML, also in a document that is written like JSON";
  return error(code, place(value[field] === null ? [field] : []), say`${{ field }} is missing`, hint);
}

function scalarText(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
