import type { ApplyEvent } from "./apply-report.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { bare, say } from "../finding/said.js";
import { valueAt } from "../../json/path.js";
import type { Resource } from "../resources/resource.js";

/** Places a service's validation errors (docs/reference/interface.md, section 4) at the fields of the document that their paths name. */
export function rejectionFindings(event: ApplyEvent, resource: Resource | undefined): Finding[] {
  if (event.type !== "failed" || !resource) return [];
  return (event.detail ?? []).slice(0, 20).map(({ loc, msg }) => {
    const path = loc[0] === "body" ? loc.slice(1) : loc;
    const known = longestKnown(resource, path);
    const where = path.length > 0 ? say` of ${{ field: path.join(".") }}` : "";
    const place = { ...resource.place(["spec", ...known]), ...(known.length > 0 && { key: false }) };
    return {
      ...error("service-rejected", place, say`the service rejected this${where}: ${bare({ reason: msg })}`),
      address: event.address,
    };
  });
}

function longestKnown({ body }: Resource, path: readonly string[]): (string | number)[] {
  const known: (string | number)[] = [];
  for (const segment of path) {
    const next = /^\d+$/.test(segment) && Array.isArray(valueAt(body, known)) ? Number(segment) : segment;
    if (valueAt(body, [...known, next]) === undefined) break;
    known.push(next);
  }
  return known;
}
