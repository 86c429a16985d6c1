import { expect, test } from "vitest";
import { buildGraph, affectedBy, withoutGone } from "../../src/core/resources/graph.js";
import { checkTaken } from "../../src/core/plan/adoption-check.js";
import { ownersIn } from "../../src/core/state/known-ids.js";
import { moveEntries } from "../../src/core/plan/move.js";
import { buildPrunePlan, checkPruned } from "../../src/core/plan/prune-plan.js";
import { scopeOf } from "../../src/core/plan/narrowing.js";
import type { Action } from "../../src/generated/plan.js";
import { noOptions, type PlanOptions } from "../../src/core/plan/plan-options.js";
import type { ResourceLifecycle } from "../../src/core/resources/resource.js";
import { othersBy } from "../harness/edges.js";
import {
  addressAt,
  chain,
  edgesOf,
  idOf,
  lockOf,
  many,
  noLock,
  star,
  tangle,
  workspaceOf,
  type Node,
} from "./scene.js";

const agentAt = (index: number) => addressAt("agent", index);
const loose = chain.map(([address]): Node => [address, []]);
const chained = workspaceOf(chain);
const looseLock = lockOf(workspaceOf(loose));

test("what a target needs is taken in, and what its replacements are used by", () => {
  const replaced = (): Action => {
    return {
      address: "",
      action: "replace",
      reasons: [],
      changes: [],
      affects: [],
      waits_for: [],
      reads: {},
    };
  };
  const scope = (options: Partial<PlanOptions>, isReplaced: boolean) => {
    const whole = new Map(isReplaced ? chain.map(([address]) => [address, replaced()]) : []);
    return scopeOf(chained, noLock, { ...noOptions, ...options }, whole);
  };
  expect(scope({ target: new Set([agentAt(many - 1)]) }, false)).toHaveProperty("size", many);
  expect(scope({ target: new Set([agentAt(0)]) }, false)).toHaveProperty("size", 1);
  expect(scope({ target: new Set([agentAt(0)]) }, true)).toHaveProperty("size", many);
  const exclude = new Set([agentAt(9)]);
  expect(scope({ target: new Set([agentAt(0)]), exclude }, true)).toHaveProperty("size", 9);
});

test("of all that an address leads to, the hundred nearest are listed", () => {
  const graph = buildGraph(
    tangle.map(([address]) => address),
    othersBy(edgesOf(tangle)),
  );
  const next = (address: string) => graph.dependents.get(address) ?? [];
  const lists = graph.order.map((address) => affectedBy(address, next));
  expect(
    lists.filter(({ affects, affects_more: more }) => affects.length > 100 || (more && affects.length < 100)),
  ).toEqual([]);
  const nearest = Array.from({ length: 99 }, (_, index) => agentAt(many / 2 + 1 + index));
  expect(affectedBy(agentAt(many / 2), next)).toEqual({
    affects: [...nearest, "agent:z"],
    affects_more: true,
  });
  expect(affectedBy(agentAt(many - 1), next)).toEqual({ affects: ["agent:z"] });
});

test("what is left of what is gone is affected by all of it, through others too", () => {
  const { graph } = chained;
  const kept = agentAt(many - 1);
  const next = withoutGone(graph.order.slice(0, -1).toReversed(), graph.dependents);
  expect(
    loose.filter(([address]) => address !== kept && affectedBy(address, next).affects[0] !== kept),
  ).toEqual([]);
  const wide = buildGraph(
    star.map(([address]) => address),
    othersBy(edgesOf(star)),
  );
  const users = affectedBy("policy:all", withoutGone(["policy:all"], wide.dependents));
  expect(users).toMatchObject({ affects_more: true });
  expect(users.affects).toHaveLength(100);
});

test("all that is renamed takes its entry along", () => {
  const before = (address: string) => address.replace(":", ":old-");
  const lifecycle = (address: string): ResourceLifecycle => ({ moved_from: before(address) });
  const { resources } = workspaceOf(chain, { lifecycle });
  const moved = moveEntries(lockOf(chained, before), resources);
  expect(moved.findings).toEqual([]);
  expect(moved.moves.size).toBe(many);
  expect(Object.keys(moved.lock.resources)).toEqual([...resources.keys()]);
});

test("of a chain of moves of which the last cannot be, none can", () => {
  const next = new Map(loose.map(([address], index) => [address, loose[index + 1]?.[0]]));
  const lifecycle = (address: string): ResourceLifecycle => {
    const from = next.get(address);
    return from === undefined ? {} : { moved_from: from };
  };
  const moved = moveEntries(looseLock, workspaceOf(loose, { lifecycle }).resources);
  expect(moved.moves.size).toBe(0);
  expect(moved.findings).toHaveLength(many - 1);
});

test("adoptions of what others have are refused, each for its own", () => {
  const { resources } = chained;
  const ownersOf = ownersIn(looseLock);
  const wrong = [...resources.values()].filter((resource, index) => {
    const other = agentAt((index + 1) % many);
    const [finding, more] = checkTaken(resource, { id: idOf(other) }, ownersOf, chained);
    return more !== undefined || !finding?.message.includes(other);
  });
  expect(wrong).toEqual([]);
});

test("objects of the ledger that are named are found without going through it for each", () => {
  let looks = 0;
  const counted = <Value extends object>(table: Value): Value =>
    new Proxy(table, { get: (all, key) => (looks++, Reflect.get(all, key)) });
  const known = Array.from({ length: many }, (_, index) => `old-${index}`);
  const retired = known.map((id) => [id, { address: "policy:old", reason: "forgotten" as const }] as const);
  const { resources } = lockOf(workspaceOf(star));
  const lock = { ...noLock, resources: counted(resources), retired: counted(Object.fromEntries(retired)) };
  const absent = known.map((id) => `${id}-absent`);
  expect(checkPruned([...known, ...absent], lock)).toHaveLength(many);
  const reached = { service: { base_url: "http://127.0.0.1" }, lock: { store: "file" as const } };
  const settings = { name: "test", environment: null, deployment: {}, ...reached };
  const surroundings = { lock, source: null, outside: () => [], isEmulated: false };
  const named = known.map((id) => `policy:${id}`);
  const { findings } = buildPrunePlan({ ...surroundings, settings, ids: named });
  expect(findings).toHaveLength(many);
  expect(looks).toBeLessThan(20 * many);
});
