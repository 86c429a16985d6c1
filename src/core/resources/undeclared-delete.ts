import { warning, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import type { Deployment } from "../kind/deployment.js";
import type { Resource } from "./resource.js";

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
