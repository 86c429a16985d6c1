import { oncePer } from "../../json/once.js";
import { groupBy } from "../../json/groups.js";
import { equal } from "../../json/json.js";
import { eachOnce, type ServerAddress } from "../openapi/server-address.js";
import { callsOf, named, newOperations, operationPath, turnsOf, type CallsTurn } from "./moved-calls.js";
import type { ServersTurn } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";
import { secretsSent } from "./default-value.js";

type Addresses = readonly ServerAddress[];

/** Finds new hosts that calls can go to. */
export function hostsAdded(subject: Subject): RemarkOf<"host-added">[] {
  return serverTurns(subject).flatMap((turn) => {
    const { before, after } = turn;
    const hosts = newHosts(before, after);
    if (hosts.length === 0) return [];
    const written = writtenHosts([...before, ...after]);
    const parts = { hosts, before: hostsOf(before), ...(written && { written }) };
    return [{ path: turn.path, parts: { ...parts, ...partsOf(subject, turn) } }];
  });
}

/** Finds calls that go to a host in the open that were encrypted before. */
export function encryptionDropped(subject: Subject): RemarkOf<"encryption-dropped">[] {
  return serverTurns(subject).flatMap((turn) =>
    newHosts(turn.before, turn.after).length === 0 && isInTheOpen(turn.before, turn.after)
      ? [{ path: turn.path, parts: partsOf(subject, turn) }]
      : [],
  );
}

/** Finds calls that go to other addresses of the hosts that they went to, or to another of these hosts first. */
export function serversChanged(subject: Subject): RemarkOf<"server-changed">[] {
  return serverTurns(subject).flatMap((turn) => {
    const { before, after } = turn;
    if (newHosts(before, after).length > 0 || isInTheOpen(before, after)) return [];
    const known = new Set(before.map(({ text }) => text));
    const isOther = before[0]?.text !== after[0]?.text || after.some(({ text }) => !known.has(text));
    return isOther ? [{ path: turn.path, parts: partsOf(subject, turn) }] : [];
  });
}

/** Finds addresses that operations newly have called back. */
export function callbacksAdded(subject: Subject): RemarkOf<"callback-added">[] {
  const known = callsOf(subject.before).operations;
  const found = [...callsOf(subject.after).operations.values()].flatMap((operation) => {
    const before = [...(known.get(operation.route)?.callbacks ?? [])];
    const callbacks = operation.callbacks.filter((each) => !before.includes(each));
    return callbacks.length > 0 ? [{ operation, turn: { callbacks, before } }] : [];
  });
  return [...groupBy(found, ({ turn }) => JSON.stringify(turn)).values()].map((all) => {
    const [{ operation, turn }] = all;
    const operations = all.map((each) => each.operation);
    return {
      path: `openapi_schema.${operationPath(operation.route, "callbacks")}`,
      parts: { ...turn, operations: named(subject, operations) },
    };
  });
}

// For three rules.
const serverTurns = oncePer((subject: Subject): readonly CallsTurn<Addresses>[] => {
  const turns = turnsOf<Addresses>(subject, {
    ofDocument: ({ addresses }) => addresses,
    of: ({ addresses }) => addresses,
    keyOf: (addresses) => addresses.map(({ text }) => text),
    documentPath: "servers",
    memberOf: ({ operation: was }, { operation: is }) =>
      (["servers", "link_servers", "link_operations", "$ref"] as const).find(
        (member) => !equal(was[member], is[member]),
      ),
  });
  return [...turns, ...ofNewOperations(subject, turns)];
});

// Where new operations go is compared with all addresses that there were.
function ofNewOperations(subject: Subject, turns: readonly CallsTurn<Addresses>[]): CallsTurn<Addresses>[] {
  const was = callsOf(subject.before);
  if (was.operations.size === 0) return [];
  const all = [was.addresses, ...[...was.operations.values()].map(({ addresses }) => addresses)].flat();
  const before = eachOnce(all);
  const known = new Set([...all, ...turns.flatMap(({ after }) => after)].map(({ text }) => text));
  const fresh = newOperations(subject).flatMap((operation) => {
    const after = operation.addresses.filter(({ text }) => !known.has(text));
    return newHosts(before, after).length > 0 || isInTheOpen(before, after) ? [{ operation, after }] : [];
  });
  const groups = groupBy(fresh, ({ after }) => JSON.stringify(after.map(({ text }) => text)));
  return [...groups.values()].map((all) => {
    const [{ operation, after }] = all;
    const operations = all.map((each) => each.operation);
    const path = `openapi_schema.${operationPath(operation.route)}`;
    return { before, after, operations: named(subject, operations), path };
  });
}

function partsOf(
  { after: { body } }: Subject,
  { before, after, operations }: CallsTurn<Addresses>,
): ServersTurn {
  const secrets = secretsOf(body);
  return {
    servers: { before: before.map(({ text }) => text), after: after.map(({ text }) => text) },
    ...(operations && { operations }),
    ...(secrets.length > 0 && { secrets }),
  };
}

const secretsOf = oncePer(secretsSent);

function hostsOf(addresses: Addresses): string[] {
  return [...new Set(addresses.map(({ host }) => host))];
}

function newHosts(before: Addresses, after: Addresses): string[] {
  const known = new Set(hostsOf(before));
  return hostsOf(after).filter((host) => !known.has(host));
}

function writtenHosts(addresses: Addresses): Record<string, string> | undefined {
  const written = addresses.flatMap((each) =>
    each.written === undefined ? [] : [[each.host, each.written] as const],
  );
  return written.length > 0 ? Object.fromEntries(written) : undefined;
}

// A variable may stand for either of them.
function isOpenScheme(scheme: string): boolean {
  return scheme === "http" || scheme === "ws" || scheme.startsWith("{");
}

function isInTheOpen(before: Addresses, after: Addresses): boolean {
  const open = new Set(before.filter(({ scheme }) => isOpenScheme(scheme)).map(({ host }) => host));
  return after.some(({ scheme, host }) => isOpenScheme(scheme) && !open.has(host));
}
