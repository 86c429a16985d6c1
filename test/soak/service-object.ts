import { idsOf } from "../../src/core/kind/identity.js";
import type { Lock } from "../../src/core/state/lock.js";
import type { StoredObjects } from "../../src/emulator/storage.js";
import { plainObjects } from "../harness/kind-places.js";

/** An object on the service; a tool set is one object, whatever number of tools it has. */
export interface ServiceObject {
  /** The label of the document that it was last told to be. */
  readonly label: string;
  readonly ids: readonly string[];
  /** What a person says to take it over. */
  readonly adoption: string | string[];
  /** The revision that it has. */
  readonly revision: number;
}

/** Looks into the service as a person may who is allowed to. */
export function objectsOf(stored: StoredObjects): ServiceObject[] {
  const plain = plainObjects(stored).map(({ id, body }) => {
    const { name, description, system_prompt, meta_data } = body;
    const said = JSON.stringify([description, system_prompt, meta_data]);
    return { label: String(name), ids: [id], adoption: id, revision: Number(/\d+/.exec(said)?.[0]) };
  });
  const sets = stored.toolSets.map(({ tools: ids, body }) => {
    const tools = stored.tools.filter(({ id }) => ids.includes(id));
    const revisions = tools.map((tool) => {
      const told = tool.body.default_query_params ?? body.default_query_params;
      return Number(/\d+/.exec(JSON.stringify(told))?.[0]);
    });
    return {
      label: String(body.tool_set_name).replace(/^openapi-/, ""),
      ids,
      adoption: tools.map(({ id, operationId }) => `${operationId}=${id}`),
      // A set has a revision when all of its tools have it.
      revision: new Set(revisions).size === 1 ? (revisions[0] ?? Number.NaN) : Number.NaN,
    };
  });
  return [...plain, ...sets];
}

/** All IDs that a lock knows. */
export function knownIds({ resources, retired }: Lock): ReadonlySet<string> {
  return new Set([...Object.values(resources).flatMap(idsOf), ...Object.keys(retired)]);
}

/** How many objects a lock knows of a label whose IDs were never answered. */
export function countWithoutId({ resources, retired }: Lock, label: string): number {
  const entries = Object.values(resources).filter((entry) => idsOf(entry).length === 0 && !entry.tools);
  const left = Object.entries(retired).filter(([id]) => id.includes("#"));
  const bodies = [...entries, ...left.map(([, object]) => object)].map(({ body }) => body);
  return bodies.filter((body) => body?.name === label).length;
}

/** Whether all of an object is known. */
export function isKnown({ ids }: ServiceObject, known: ReadonlySet<string>): boolean {
  return ids.every((id) => known.has(id));
}
