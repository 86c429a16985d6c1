import { buildGraph, inOrder } from "../../src/core/resources/graph.js";
import { othersBy, type Edge } from "../harness/edges.js";
import type { JsonObject } from "../../src/json/json.js";
import type { KindName } from "../../src/generated/kinds.js";
import { kinds } from "../../src/core/kind/kinds.js";
import { bodyDigest, emptyLock, type Lock, type LockEntry } from "../../src/core/state/lock.js";
import { buildPlan, type Planned } from "../../src/core/plan/plan.js";
import { noOptions, type PlanOptions } from "../../src/core/plan/plan-options.js";
import type { ResourceLifecycle, Resource } from "../../src/core/resources/resource.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import { runs } from "../harness/tier.js";
import { workspaceOf as readWorkspace } from "../plan/world.js";

/** How many resources, or references, there are: so many that their square is out of reach. */
export const many = runs("resources of a large fleet", 1500, 100_000);

/** A resource by its address, and what it refers to. */
export type Node = readonly [address: string, references: readonly string[]];

/** Gives addresses of one kind that sort as they count. */
export function addressAt(kind: KindName, index: number): string {
  return `${kind}:n${String(index).padStart(6, "0")}`;
}

function range<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const agentAt = (index: number) => addressAt("agent", index);
const corner = Math.floor(Math.sqrt(2 * many));

/** Each agent refers to the one before it. */
export const chain = range(many, (index): Node => [agentAt(index), index === 0 ? [] : [agentAt(index - 1)]]);

/** All agents refer to one policy. */
export const star: readonly Node[] = [
  ["policy:all", []],
  ...range(many, (index): Node => [agentAt(index), ["policy:all"]]),
];

/** One agent refers to all others. */
export const fan: readonly Node[] = [
  ...range(many, (index): Node => [agentAt(index), []]),
  ["agent:z", range(many, agentAt)],
];

/** Each agent refers to all before it. */
export const clique = range(corner, (index): Node => [agentAt(index), range(index, agentAt)]);

/** All of these in one: half a million references. */
export const tangle: readonly Node[] = [
  ["policy:all", []],
  ...range(many, (index): Node => {
    const others = index < corner ? range(index, agentAt) : [agentAt(index - 1)];
    return [agentAt(index), [...others, "policy:all"]];
  }),
  ["agent:z", range(many, agentAt)],
];

/** Gives the references of some nodes one by one. */
export function edgesOf(nodes: readonly Node[]): Edge[] {
  return nodes.flatMap(([from, references]) => references.map((to) => ({ from, to })));
}

/** What the documents of a workspace say beside their references. */
export interface Said {
  /** A number in the body; another one changes it. */
  readonly revision?: (address: string) => number;
  readonly lifecycle?: (address: string) => ResourceLifecycle;
}

const { settings } = readWorkspace([]);

/** Makes a workspace of nodes without reading any document. */
export function workspaceOf(
  nodes: readonly Node[],
  { revision = () => 0, lifecycle = () => ({}) }: Said = {},
): Fleet {
  const resources = new Map(
    nodes.map((node) => [node[0], resourceOf(node, revision(node[0]), lifecycle(node[0]))]),
  );
  return {
    settings,
    resources,
    absent: new Map(),
    variables: new Map(),
    used: new Map(),
    graph: buildGraph(resources.keys(), othersBy(edgesOf(nodes))),
    findings: [],
  };
}

function resourceOf([address, references]: Node, revision: number, lifecycle: ResourceLifecycle): Resource {
  const body = bodyOf(address, references, revision);
  const file = `${address.replace(":", "/")}.yaml`;
  const placed = references.map((text) => ({ address: text, text, place: { file } }));
  return {
    address,
    kind: kinds[kindOf(address)],
    key: address.slice(address.indexOf(":") + 1),
    labels: {},
    digest: bodyDigest(body),
    body,
    documents: {},
    leftOut: [],
    references: placed,
    targets: inOrder(references),
    placedReferences: placed,
    secrets: [],
    lifecycle,
    file,
    files: [file],
    layerType: () => "document" as const,
    isOver: () => false,
    patch: undefined,
    place: (path) => ({ file, document: 0, path }),
  };
}

function bodyOf(address: string, references: readonly string[], revision: number): JsonObject {
  const name = `${address} ${revision}`;
  return references.length > 0
    ? { name, managed_agents: references.map((reference) => `\${${reference}}`) }
    : { name };
}

function kindOf(address: string): KindName {
  return address.slice(0, address.indexOf(":")) as KindName;
}

/** The lock in which nothing was ever applied. */
export const noLock: Lock = emptyLock({ workspace: settings.name, environment: null }, "lineage");

/** Makes the lock that an apply of a workspace leaves, under other addresses if asked for. */
export function lockOf(
  { resources }: Fleet,
  rename: (address: string) => string = (address) => address,
): Lock {
  const entries = [...resources.values()].map(({ address, file, references }): [string, LockEntry] => {
    const names = references.map((reference) => rename(reference.address));
    const body = bodyOf(address, names, 0);
    const resolved = references.map((reference) => [rename(reference.address), idOf(reference.address)]);
    return [
      rename(address),
      {
        id: idOf(address),
        body,
        digest: bodyDigest(body),
        file,
        ...(resolved.length > 0 && { references: Object.fromEntries(resolved) }),
      },
    ];
  });
  return { ...noLock, serial: 1, resources: Object.fromEntries(entries) };
}

/** Gives the ID that a resource has in such a lock. */
export function idOf(address: string): string {
  return `id of ${address}`;
}

/** Plans a workspace against a lock. */
export function planOf(fleet: Fleet, lock: Lock, options: Partial<PlanOptions> = {}): Planned {
  return buildPlan({
    fleet,
    lock,
    source: "agentform.lock",
    options: { ...noOptions, ...options },
  });
}
