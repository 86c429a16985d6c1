import type { ServiceSettings, WorkspaceManifest } from "../../generated/workspace.js";
import type { Path } from "../../json/path.js";
import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { KeyedFindings } from "../finding/keyed-findings.js";
import { didYouMean } from "../finding/nearest.js";
import { say } from "../finding/said.js";
import { readExtraFields } from "../kind/extra-fields.js";
import { kinds } from "../kind/kinds.js";
import type { Resource } from "./resource.js";
import { servicesIn } from "./service-operations.js";

/** Finds names in `field_names` of fields that no document has: the field that was meant would keep its own. */
export function unknownWireNames({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const extra = readExtraFields(spec.extra_fields);
  const known = Object.values(kinds).flatMap(({ name, fields }) => [
    ...Object.keys(fields.fields?.spec?.fields ?? {}),
    ...extra[name].extra,
  ]);
  return servicesIn(spec).flatMap(({ service, at }) =>
    Object.keys(service?.field_names ?? {}).flatMap((field) => {
      if (known.includes(field)) return [];
      const where = { ...place([...at, "field_names", field]), key: true as const };
      const hint = didYouMean(field, known) ?? "list it under `spec.extra_fields` if the deployment has it";
      return [error("document-unknown-field", where, say`unknown field ${{ field }}`, hint)];
    }),
  );
}

/** Finds fields of one document that would be sent under one name, so that the service would get only one of them. */
export function sharedWireNames(
  resources: Iterable<Resource>,
  { field_names: written = {} }: ServiceSettings,
): Iterable<Finding> {
  const names = new Map(Object.entries(written));
  const findings = new KeyedFindings();
  for (const resource of names.size > 0 ? resources : []) {
    const fields = new Map<string, string>();
    for (const field of Object.keys(resource.body)) {
      const wire = names.get(field) ?? field;
      const other = fields.get(wire);
      fields.set(wire, field);
      if (other === undefined) continue;
      const place = { ...resource.place(["spec", field]), key: true as const };
      const message = say`${{ field }} and ${{ other }} would both be sent as ${{ name: wire }}, so one of them would be lost`;
      const hint = "remove one of the two, or change `service.field_names` of agentform.yaml";
      findings.add(error("document-invalid", place, message, hint));
    }
  }
  return findings.list();
}
