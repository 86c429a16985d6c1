import { lazy, oncePer } from "../../json/once.js";
import { descriptionsOf } from "../openapi/openapi.js";
import { equal } from "../../json/json.js";
import { wordKeys } from "../openapi/outline-shape.js";
import { eachOnce, openHosts, type ServerAddress } from "../openapi/server-address.js";
import { byTurn, callsOf, newOperations, turnsOf, type CallsTurn, operationPath } from "./moved-calls.js";
import { type ServersTurn, turnOf, type PartsOfNotes } from "./note-parts.js";
import type { Remark, RemarkOf, Subject } from "./rule.js";
import { secretsSent } from "./default-value.js";
import { pathSegment } from "../../json/path.js";

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

/** Makes the finder of calls that now go unencrypted, or that moved among hosts they went to before. */
export function serversTurned(sort: "open" | "moved"): (subject: Subject) => Remark<ServersTurn>[] {
  return (subject) =>
    serverTurns(subject)
      .filter((turn) => sortOf(turn) === sort)
      .map((turn) => ({ path: turn.path, parts: partsOf(subject, turn) }));
}

/** Gives the worst that other addresses are; undefined if calls go to none that they did not go to. */
function sortOf({ before, after }: Pick<CallsTurn<Addresses>, "before" | "after">) {
  if (newHosts(before, after).length > 0) return "new";
  if (isInTheOpen(before, after)) return "open";
  const { texts } = known(before);
  const isOther = before[0]?.text !== after[0]?.text || after.some(({ text }) => !texts.has(text));
  return isOther ? "moved" : undefined;
}

/** Finds addresses that operations newly ask for callbacks to. */
export function callbacksAdded(subject: Subject): RemarkOf<"callback-added">[] {
  const was = callsOf(subject.before).operations;
  const found = [...callsOf(subject.after).operations.values()].flatMap((operation) => {
    const before = [...(was.get(operation.route)?.callbacks ?? [])];
    const had = new Set(before);
    const callbacks = operation.callbacks.filter((each) => !had.has(each));
    return callbacks.length > 0 ? [{ operation, turn: { callbacks, before } }] : [];
  });
  return byTurn(subject, found, "callbacks").map(({ path, first: { turn }, operations }) => {
    return { path, parts: { ...turn, operations } };
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

// Each note has all addresses that there were: of more turns, those of one sort are one.
const mostTurns = 50;

// Where new operations go is compared with all addresses that there were.
function ofNewOperations(subject: Subject, turns: readonly CallsTurn<Addresses>[]): CallsTurn<Addresses>[] {
  const was = callsOf(subject.before);
  if (was.operations.size === 0) return [];
  const all = [was.addresses, ...[...was.operations.values()].map(({ addresses }) => addresses)].flat();
  const before = eachOnce(all);
  const told = new Set([...all, ...turns.flatMap(({ after }) => after)].map(({ text }) => text));
  const fresh = newOperations(subject).flatMap((operation) => {
    const after = operation.addresses.filter(({ text }) => !told.has(text));
    const sort = sortOf({ before, after });
    return sort === "new" || sort === "open"
      ? [{ operation, turn: after.map(({ text }) => text), after, sort }]
      : [];
  });
  const each = byTurn(subject, fresh);
  const found =
    each.length > mostTurns
      ? byTurn(
          subject,
          fresh.map((one) => ({ ...one, turn: one.sort })),
        )
      : each;
  return found.map(({ all: same, operations, path }) => {
    return { before, after: eachOnce(same.flatMap(({ after }) => after)), operations, path };
  });
}

// They are those of the tool set: of more, the note on the first turn alone has them.
const mostSecrets = 50;

function partsOf(subject: Subject, turn: CallsTurn<Addresses>): ServersTurn {
  const { before, after, operations } = turn;
  const all = secretsOf(subject.after.body);
  const secrets = all.length <= mostSecrets || serverTurns(subject)[0] === turn ? all : [];
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

// Thousands of operations may be compared with the same addresses.
const known = oncePer((addresses: Addresses) => ({
  texts: new Set(addresses.map(({ text }) => text)),
  hosts: new Set(hostsOf(addresses)),
  open: openHosts(addresses),
}));

function newHosts(before: Addresses, after: Addresses): string[] {
  const { hosts } = known(before);
  return hostsOf(after).filter((host) => !hosts.has(host));
}

function writtenHosts(addresses: Addresses): Record<string, string> | undefined {
  const written = addresses.flatMap((each) =>
    each.written === undefined ? [] : [[each.host, each.written] as const],
  );
  return written.length > 0 ? Object.fromEntries(written) : undefined;
}

function isInTheOpen(before: Addresses, after: Addresses): boolean {
  const { open } = known(before);
  return [...openHosts(after)].some((host) => !open.has(host));
}

const schema = "openapi_schema";

const texts = ["operationId", ...wordKeys] as const;

/** Makes the finder of descriptions that changed in words, by which models choose a tool, or in punctuation alone. */
export function descriptionsChanged(inWords: boolean) {
  return (subject: Subject): RemarkOf<"description-changed">[] =>
    allChanged(subject).filter(({ parts }) => isPunctuation(parts) !== inWords);
}

// For two rules.
const allChanged = oncePer((subject: Subject): readonly RemarkOf<"description-changed">[] => [
  ...ownTexts(subject),
  ...operationTexts(subject),
]);

function ownTexts({ before, after, changed }: Subject): RemarkOf<"description-changed">[] {
  const fields = ["description", "enhance_descriptions"].filter((field) => changed.has(field));
  return fields.map((field) => ({
    path: field,
    parts: { field, ...turnOf(before.body[field], after.body[field]) },
  }));
}

function operationTexts({ address, before, after, changed, documents }: Subject) {
  if (!changed.has(schema)) return [];
  const was = before.operations(address).all;
  const wordsOf = lazy(() => descriptionsOf(documents[schema]));
  return [...after.operations(address).all].flatMap(([route, operation]) => {
    const old = was.get(route);
    if (!old) return [];
    return texts.flatMap((field): RemarkOf<"description-changed">[] => {
      const [then, is] = [old[field], operation[field]];
      if (then === is) return [];
      const isWhole = is === undefined || field === "operationId";
      const whole = isWhole ? undefined : wordsOf().get(route)?.[field];
      const path = `${schema}.${operationPath(route, pathSegment(field))}`;
      const words = whole === undefined || whole === is ? {} : { words: whole };
      return [{ path, parts: { operations: [operation.named], field, ...turnOf(then, is), ...words } }];
    });
  });
}

function isPunctuation({ before, after }: PartsOfNotes["description-changed"]): boolean {
  return typeof before === "string" && typeof after === "string" && wordsIn(before) === wordsIn(after);
}

// A sign beside a digit may be a part of a number.
function wordsIn(text: string): string {
  return text.replaceAll(/(?<!\d)[\p{P}\s]{1,1000}(?!\d)/gu, " ").trim();
}
