import { isAddress } from "./address.js";
import { isObject } from "./json.js";

type Form =
  | "text"
  | "address"
  | "number"
  | "flag"
  | "mapping"
  | "texts"
  | "mappings"
  | "text or null"
  | "text or texts";

// What a record must have and may have; a checksum tells that a line is whole, and not that it makes sense.
const action = {
  address: "address",
  operation: "text",
  time: "text",
  method: "text",
  path: "text",
  body: "mapping",
  digest: "text",
} as const;
const actionMore = { references: "mapping", file: "text", protect: "flag", moved_from: "texts" } as const;
const trace = { status: "number", request_id: "text", answer: "text", sent: "number" } as const;

interface Shape {
  readonly has: Readonly<Record<string, Form>>;
  readonly mayHave?: Readonly<Record<string, Form>>;
}

const shapes: Readonly<Record<string, Shape>> = {
  header: {
    has: {
      format: "text",
      workspace: "text",
      environment: "text or null",
      lineage: "text",
      serial: "number",
      service: "mapping",
    },
    mayHave: { settings: "mapping" },
  },
  begin: {
    has: { n: "number", ...action },
    mayHave: { ...actionMore, adopted: "text or texts", used_by: "texts" },
  },
  done: { has: { n: "number" }, mayHave: { id: "text", ids: "texts", tools: "mapping" } },
  rejected: { has: { n: "number", message: "text" }, mayHave: trace },
  "not-sent": { has: { n: "number", message: "text" }, mayHave: trace },
  unknown: {
    has: { n: "number", message: "text", time: "text", method: "text", path: "text" },
    mayHave: { ...trace, ids: "texts", tools: "mapping", doubts: "texts" },
  },
  forget: { has: { address: "address" }, mayHave: { used_by: "texts" } },
  entry: { has: { address: "address", entry: "mapping" }, mayHave: { replaces: "flag", used_by: "texts" } },
  move: { has: { moves: "mappings" } },
  claim: { has: { creates: "mappings" } },
  resolved: { has: { address: "address" } },
};

const moveShape: Shape = { has: { from: "address", to: "address" }, mayHave: { moved_from: "texts" } };
const entryShape: Shape = {
  has: { body: "mapping", digest: "text" },
  mayHave: {
    id: "text",
    ids: "texts",
    tools: "mapping",
    references: "mapping",
    file: "text",
    protect: "flag",
    adopted: "text or texts",
    assumed: "flag",
    moved_from: "texts",
    uncertain: "flag",
    attempted: "mapping",
  },
};

/** Whether a parsed line of a journal has what its type of record needs. */
export function isJournalRecord(record: unknown): boolean {
  if (!isObject(record) || typeof record.type !== "string") return false;
  const { type, entry, moves, creates } = record;
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (!shape || !fits(record, shape)) return false;
  if (type === "entry") return fits(entry, entryShape);
  if (type === "move") return (moves as unknown[]).every((move) => fits(move, moveShape));
  if (type !== "claim") return true;
  return (creates as unknown[]).every((create) => fits(create, { has: action, mayHave: actionMore }));
}

function fits(value: unknown, { has, mayHave = {} }: Shape): boolean {
  if (!isObject(value)) return false;
  return (
    Object.entries(has).every(([name, form]) => hasForm(value[name], form)) &&
    Object.entries(mayHave).every(([name, form]) => value[name] === undefined || hasForm(value[name], form))
  );
}

function hasForm(value: unknown, form: Form): boolean {
  switch (form) {
    case "text":
      return typeof value === "string";
    case "address":
      return typeof value === "string" && isAddress(value);
    case "number":
      return Number.isSafeInteger(value);
    case "flag":
      return typeof value === "boolean";
    case "mapping":
      return isObject(value);
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "mappings":
      return Array.isArray(value) && value.every(isObject);
    case "text or null":
      return value === null || typeof value === "string";
    case "text or texts":
      return hasForm(value, "text") || hasForm(value, "texts");
  }
}
