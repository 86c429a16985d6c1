import { readExtraFields } from "../kind/extra-fields.js";
import type { WorkspaceManifest } from "../../generated/workspace.js";
import type { Finding, Place } from "../finding/diagnostic.js";
import type { Path } from "../../json/path.js";
import { kindOfDocument } from "../kind/kinds.js";
import { explainUnresolved } from "../schema/literal.js";
import { allWritten, checkFields } from "../schema/known-field.js";
import type { Default } from "./defaults.js";

/** Reads the `defaults` of a manifest, and checks the names of their fields; documents check the values. */
export function readDefaults(
  { spec }: WorkspaceManifest,
  place: (path: Path) => Place,
): { readonly defaults: readonly Default[]; readonly findings: readonly Finding[] } {
  const defaults: Default[] = [];
  const findings: Finding[] = [];
  const kindFields = readExtraFields(spec.extra_fields);
  for (const [position, each] of (spec.defaults ?? []).entries()) {
    const kind = kindOfDocument(each.kind);
    if (!kind) continue;
    const at = ["spec", "defaults", position];
    const value = { spec: each.spec };
    const { file, document: index = 0 } = place(at);
    const { name, unknownField: unknownInSpec } = kind;
    defaults.push({
      kind: name,
      selector: each.selector ?? {},
      layer: { type: "default", file, index, at, value },
    });
    const rules = {
      place: (path: Path) => place([...at, ...path]),
      unknownInSpec,
      ...kindFields[name],
      ...allWritten,
    };
    // Whether a null of a default is sent depends on the document.
    const checked = checkFields(value, kind.fields, rules, () => false);
    for (const finding of checked.findings) findings.push(finding);
    const inSelector = (path: Path) => place([...at, "selector", ...path]);
    findings.push(
      ...explainUnresolved(each.selector ?? {}, "`selector`", "write the value itself", inSelector),
    );
  }
  return { defaults, findings };
}

/** Explains a field beside the `spec` of a default that belongs into a document. */
export function explainOutsideSpec(finding: Finding): Finding {
  const { place: { path = [] } = {} } = finding;
  const [, section, , field, ...deeper] = path;
  if (section !== "defaults" || deeper.length > 0) return finding;
  if (!partsOfDocuments.includes(String(field))) return finding;
  return { ...finding, hint: `a default has fields of \`spec\` alone: write \`${field}\` in the documents` };
}

const partsOfDocuments: readonly string[] = ["apiVersion", "metadata", "lifecycle", "operations", "for_each"];
