import { oncePer } from "../../json/once.js";
import { equal, type JsonObject } from "../../json/json.js";
import { eachOnce, type ServerAddress } from "../openapi/server-address.js";
import { callsOf, named, newOperations, operationPath, turnsOf, type CallsTurn } from "./moved-calls.js";
import type { ServersTurn } from "./note-parts.js";
import type { RemarkOf, Subject } from "./rule.js";
import { secretsSent, type SentSecret } from "./secrets-sent.js";

type Addresses = readonly ServerAddress[];

/** Finds new hosts that calls can go to. */
export function hostsAdded(subject: Subject): RemarkOf<"host-added">[] {
  return serverTurns(subject).flatMap(({ before, after, path, operations }) => {
    const hosts = newHosts(before, after);
    if (hosts.length === 0) return [];
    const written = writtenHosts([...before, ...after]);
    const parts = { hosts, before: hostsOf(before), ...(written && { written }) };
    return [{ path, parts: { ...parts, ...partsOf(subject, { before, after, operations }) } }];
  });
}

/** Finds calls that go to a host in the open that were encrypted before. */
export function encryptionDropped(subject: Subject): RemarkOf<"encryption-dropped">[] {
  return serverTurns(subject).flatMap(({ before, after, path, operations }) =>
    newHosts(before, after).length === 0 && isInTheOpen(before, after)
      ? [{ path, parts: partsOf(subject, { before, after, operations }) }]
      : [],
  );
}

/** Finds calls that go to other addresses of the hosts that they went to, or to another of these hosts first. */
export function serversChanged(subject: Subject): RemarkOf<"server-changed">[] {
  return serverTurns(subject).flatMap(({ before, after, path, operations }) => {
    if (newHosts(before, after).length > 0 || isInTheOpen(before, after)) return [];
    const known = new Set(before.map(({ text }) => text));
    const isOther = before[0]?.text !== after[0]?.text || after.some(({ text }) => !known.has(text));
    return isOther ? [{ path, parts: partsOf(subject, { before, after, operations }) }] : [];
  });
}

/** Finds addresses that operations newly have called back. */
export function callbacksAdded(subject: Subject): RemarkOf<"callback-added">[] {
  if (!subject.changed.has("openapi_schema")) return [];
  const known = callsOf(subject.before).operations;
  const groups = new Map<string, { added: string[]; before: string[]; routes: string[] }>();
  for (const { route, callbacks } of callsOf(subject.after).operations.values()) {
    const before = known.get(route)?.callbacks ?? [];
    const added = callbacks.filter((each) => !before.includes(each));
    if (added.length === 0) continue;
    const key = JSON.stringify([before, added]);
    const group = groups.get(key);
    if (group) group.routes.push(route);
    else groups.set(key, { added, before: [...before], routes: [route] });
  }
  const { operations } = callsOf(subject.after);
  return [...groups.values()].map(({ added, before, routes }) => ({
    path: `openapi_schema.${operationPath(routes[0] ?? "", "callbacks")}`,
    parts: {
      callbacks: added,
      before,
      operations: named(
        subject,
        routes.flatMap((route) => operations.get(route) ?? []),
      ),
    },
  }));
}

// For three rules.
const serverTurns = oncePer((subject: Subject): readonly CallsTurn<Addresses>[] => {
  if (!subject.changed.has("openapi_schema")) return [];
  const turns = turnsOf<Addresses>(subject, {
    ofDocument: ({ addresses }) => addresses,
    of: ({ addresses }) => addresses,
    keyOf: (addresses) => addresses.map(({ text }) => text),
    documentPath: "servers",
    memberOf: ({ operation: was }, { operation: is }) =>
      (["servers", "link_servers", "$ref"] as const).find((member) => !equal(was[member], is[member])),
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
  const groups = new Map<
    string,
    CallsTurn<Addresses> & { operations: { name?: string; route?: string }[] }
  >();
  for (const operation of newOperations(subject)) {
    const after = operation.addresses.filter(({ text }) => !known.has(text));
    if (after.length === 0 || (newHosts(before, after).length === 0 && !isInTheOpen(before, after))) continue;
    const key = JSON.stringify(after.map(({ text }) => text));
    const group = groups.get(key);
    const operations = named(subject, [operation]);
    if (group) group.operations.push(...operations);
    else {
      const path = `openapi_schema.${operationPath(operation.route)}`;
      groups.set(key, { before, after, operations, path });
    }
  }
  return [...groups.values()];
}

function partsOf(
  { after: { body } }: Subject,
  {
    before,
    after,
    operations,
  }: Pick<CallsTurn<Addresses>, "before" | "after"> & {
    readonly operations: CallsTurn<Addresses>["operations"] | undefined;
  },
): ServersTurn {
  const secrets = secretsOf(body);
  return {
    servers: { before: before.map(({ text }) => text), after: after.map(({ text }) => text) },
    ...(operations && { operations }),
    ...(secrets.length > 0 && { secrets }),
  };
}

const secretsOf = oncePer((body: JsonObject): SentSecret[] => secretsSent(body));

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

const openSchemes: ReadonlySet<string> = new Set(["http", "ws"]);

function isInTheOpen(before: Addresses, after: Addresses): boolean {
  const open = new Set(before.filter(({ scheme }) => openSchemes.has(scheme)).map(({ host }) => host));
  return after.some(({ scheme, host }) => openSchemes.has(scheme) && !open.has(host));
}
