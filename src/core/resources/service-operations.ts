import type { ServiceSettings, WorkspaceManifest } from "../../generated/workspace.js";
import { error, type Finding, type Place, warning } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import { isObject } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import type { KindOperations, Deployment } from "../kind/deployment.js";
import { requestText, type WrittenOperation } from "../kind/written-operations.js";
import type { Resource } from "./resource.js";
import { KeyedFindings } from "../finding/merged-findings.js";
import { didYouMeanAmong } from "../finding/nearest.js";
import { readExtraFields } from "../kind/extra-fields.js";
import { kinds } from "../kind/kinds.js";

type Name = keyof KindOperations;

const methods = { read: "GET", list: "GET", update: "PUT", delete: "DELETE" } as const satisfies Record<
  Name,
  string
>;

/** Gives the settings of the service in a manifest and in its environments, and where they are. */
export function servicesIn({
  service,
  environments = {},
}: WorkspaceManifest["spec"]): { readonly service: ServiceSettings | undefined; readonly at: Path }[] {
  return [
    { service, at: ["spec", "service"] },
    ...Object.entries(environments).map(([environment, own]) => {
      return { service: own.service, at: ["spec", "environments", environment, "service"] };
    }),
  ];
}

/** Checks the forms of the operations that a manifest names, in all its environments. */
export function checkOperations({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  return servicesIn(spec).flatMap(({ service, at }) =>
    Object.entries(service?.operations ?? {}).flatMap(([kind, operations]) =>
      Object.entries(operations as Readonly<Record<Name, WrittenOperation>>).flatMap(([name, written]) => {
        const operation = [...at, "operations", kind, name];
        const path = isObject(written) ? [...operation, "request"] : operation;
        return [
          ...checkRequest(requestText(written), name as Name, place(path)),
          ...checkParameter(written, place([...operation, "parameter"])),
        ];
      }),
    ),
  );
}

function checkRequest(text: string, name: Name, place: Place): Finding[] {
  const method = methods[name];
  const [given = "", path = "", ...more] = text.split(/\s+/);
  const form = { expected: `${method} /path${name === "list" ? "" : "/{id}"}` };
  const wrong = (message: Sentence) => [error("operation-invalid", place, message, say`write it as ${form}`)];
  if (path === "" || more.length > 0 || !path.startsWith("/")) {
    return wrong(say`${{ found: text }} is not a method and a path`);
  }
  if (given !== method)
    return wrong(
      say`the method of ${{ operation: name }} must be ${bare({ expected: method })}, not ${{ found: given }}`,
    );
  const ids = path.split("{id}").length - 1;
  if (name === "list" && ids > 0) return wrong("a list is of all objects, so its path has no `{id}`");
  if (name !== "list" && ids !== 1) return wrong("the path must contain `{id}` once");
  if (!isSendable(path.replace("{id}", "id"))) {
    return wrong(say`the path ${{ found: path }} cannot be sent as written`);
  }
  return [];
}

function checkParameter(written: WrittenOperation, place: Place): Finding[] {
  if (!isObject(written) || !("parameter" in written) || "next" in written) return [];
  const hint = "add `next`, a JSON pointer to the value that leads to the next page";
  return [error("operation-invalid", place, "`parameter` needs `next`", hint)];
}

// The rest is changed by URL parsers, so that the request would go elsewhere.
function isSendable(path: string): boolean {
  const [place = ""] = path.split("?", 1);
  return (
    !/[^\w/.~!$&'()*+,;=:@?%-]|%(?![0-9a-f]{2})/i.test(path) &&
    !place.startsWith("//") &&
    !place.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
  );
}

const meanings = {
  on_removal: "so the object will only be forgotten",
  on_replaced: "so old objects stay in the service",
} as const;

/** Warns of documents that ask for deletes of a kind which the deployment cannot delete. */
export function undeclaredDeletes(resources: Iterable<Resource>, deployment: Deployment): Finding[] {
  const findings: Finding[] = [];
  for (const resource of resources) {
    const { address, kind, lifecycle } = resource;
    if (deployment[kind.name]?.delete) continue;
    for (const key of ["on_removal", "on_replaced"] as const) {
      if (lifecycle[key] !== "delete") continue;
      const place = resource.place(["lifecycle", key]);
      const message = say`\`${bare({ field: key })}: delete\` has no effect, ${meanings[key]}: ${kind.noun[1]} cannot be deleted here`;
      const hint = `set \`service.operations.${kind.name}.delete\` in agentform.yaml, if the deployment can do it`;
      findings.push({ ...warning("delete-undeclared", place, message, hint), address });
    }
  }
  return findings;
}

// A gateway sends these itself if the service is slow or unreachable, whatever the service did.
const ofProxies: Readonly<Record<number, string>> = { 502: "Bad Gateway", 504: "Gateway Timeout" };

/** Warns of statuses in `rejected_statuses` that proxies also send. */
export function checkRejectedStatuses({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  return servicesIn(spec).flatMap(({ service, at }) =>
    (service?.rejected_statuses ?? []).flatMap((status, index) => {
      const name = ofProxies[status];
      if (name === undefined) return [];
      const message = say`${{ status }} (${bare({ name })}) is also sent by proxies in front of the service, even after the service has done the request`;
      const hint = "remove it if there can be a proxy: a create that was done would be sent again";
      return [warning("status-of-proxies", place([...at, "rejected_statuses", index]), message, hint)];
    }),
  );
}

/** Finds names in `field_names` of fields that no document has: the field that was meant would keep its own. */
export function unknownWireNames({ spec }: WorkspaceManifest, place: (path: Path) => Place): Finding[] {
  const extra = readExtraFields(spec.extra_fields);
  const known = new Set(
    Object.values(kinds).flatMap(({ name, fields }) => [
      ...Object.keys(fields.fields.spec.fields),
      ...extra[name].extra,
    ]),
  );
  const meant = didYouMeanAmong([...known]);
  return servicesIn(spec).flatMap(({ service, at }) =>
    Object.keys(service?.field_names ?? {}).flatMap((field) => {
      if (known.has(field)) return [];
      const where = { ...place([...at, "field_names", field]), key: true as const };
      const hint = meant(field) ?? "list it under `spec.extra_fields` if the deployment has it";
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
