import type { Action, Plan } from "../../generated/plan.js";
import { affectedBy } from "../resources/graph.js";
import { lasting } from "../kind/body.js";
import { actionOf } from "./action.js";
import { cause, because } from "./cause.js";
import { difference } from "./difference.js";
import { recordedChanges, recordedMarks } from "./recorded-marks.js";
import { planOf } from "./plan-digest.js";
import { summarizeActions, unchangedOf } from "./plan-summary.js";
import { byName } from "../expression/resolution.js";
import type { Resource } from "../resources/resource.js";
import type { Fleet } from "../resources/fleet.js";

/** Compares what two environments say, without state: a plan to read, and none to apply. */
export function buildComparison(fleet: Fleet, other: Fleet): Plan {
  const actions = [
    ...fleet.graph.order.flatMap((address) => {
      const resource = fleet.resources.get(address);
      return resource ? (compareOne(resource, other.resources.get(address), fleet) ?? []) : [];
    }),
    ...[...other.resources.values()].filter(({ address }) => !fleet.resources.has(address)).map(missing),
  ];
  const resources = [...fleet.resources.values()];
  return planOf(
    fleet.settings,
    { source: null },
    {
      options: { against: other.settings.environment },
      partial: false,
      notes: [],
      actions,
      summary: summarizeActions(actions, resources),
      ...unchangedOf(actions, resources),
    },
  );
}

function compareOne(resource: Resource, other: Resource | undefined, fleet: Fleet): Action | undefined {
  const { kind, body } = resource;
  const before = other ? lasting(other.body, kind) : {};
  const sent = difference(before, lasting(body, kind), { before: byName, after: byName }, kind.outlined);
  if (!other) return actionOf(resource, "create", { changes: sent, body });
  const changes = [...sent, ...recordedChanges(recordedMarks(other), recordedMarks(resource))];
  if (changes.length === 0) return undefined;
  const affected = affectedBy(resource.address, (address) => fleet.graph.dependents.get(address) ?? []);
  return actionOf(resource, sent.length > 0 ? "update" : "record", { changes, body, ...affected });
}

function missing(resource: Resource): Action {
  return actionOf(resource, "forget", because([cause("other-environment-alone", {})]));
}
