import { isAddress } from "../kind/address.js";
import { isObject, type Json, type JsonObject } from "../../json/json.js";
import { isAppliedSettings, isLockEntry, isLockService, isUnknownCreate } from "./lock-shape.js";

type Form = "text" | "text or null" | "address" | "number" | "flag" | "texts" | Check;
type Check = (value: Json) => boolean;

interface Shape {
  readonly has: Readonly<Record<string, Form>>;
  readonly mayHave?: Readonly<Record<string, Form>>;
}

// The members that a record must have and may have; a checksum proves that a line is complete, not that it makes
// sense. What goes into the lock is checked like the lock itself, so that the lock can be read again.
const trace = { status: "number", request_id: "text", answer: "text", sent: "number" } as const;
const move: Shape = { has: { from: "address", to: "address" }, mayHave: { moved_from: "texts" } };
const isMoves: Check = (moves) => Array.isArray(moves) && moves.every((each) => fits(each, move));
const isTexts: Check = (tools) =>
  isObject(tools) && Object.values(tools).every((id) => typeof id === "string");
const isCreates: Check = (creates) =>
  Array.isArray(creates) && creates.every((each) => isObject(each) && isCreate(each));

// It becomes part of a list that is kept as one text.
const isWriteName: Check = (name) => typeof name === "string" && /^[0-9A-Za-z-]{1,64}$/.test(name);

const shapes: Readonly<Record<string, Shape>> = {
  header: {
    has: {
      format: (format) => format === "agentform/journal/v1",
      workspace: "text",
      environment: "text or null",
      lineage: (lineage) => typeof lineage === "string" && lineage !== "",
      serial: "number",
      service: isLockService,
    },
    mayHave: { after: "text", write: isWriteName, settings: isAppliedSettings },
  },
  begin: {
    has: { n: "number", address: "address", time: "text", method: "text", path: "text" },
    mayHave: { used_by: "texts" },
  },
  done: { has: { n: "number" } },
  rejected: { has: { n: "number", message: "text" }, mayHave: trace },
  "not-sent": { has: { n: "number", message: "text" }, mayHave: trace },
  unknown: {
    has: { n: "number", message: "text", time: "text", method: "text", path: "text" },
    mayHave: { ...trace, ids: "texts", tools: isTexts, doubts: "texts" },
  },
  forget: { has: { address: "address" }, mayHave: { used_by: "texts" } },
  entry: { has: { address: "address" }, mayHave: { replaces: "flag", used_by: "texts" } },
  move: { has: { moves: isMoves } },
  claim: { has: { creates: isCreates } },
  resolved: { has: { address: "address" } },
};

/** Whether a parsed line of a journal has what its type of record requires. */
export function isJournalRecord(record: unknown): boolean {
  if (!isObject(record) || typeof record.type !== "string") return false;
  const { type, n: _n, address, ...rest } = record;
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (!shape || !fits(record, shape)) return false;
  if (type === "begin") return isAction(record);
  if (type === "done") return isLockEntry("toolset:any", { body: {}, digest: "", ...rest });
  return type !== "entry" || isLockEntry(String(address), record.entry);
}

function isAction(begin: JsonObject): boolean {
  const { address, operation, body, digest, references, file, protect, adopted, moved_from } = begin;
  const entry = { body, digest, references, file, protect, adopted, moved_from };
  return isLockEntry(String(address), entry) && (operation === "update" || isCreate(begin));
}

function isCreate(action: JsonObject): boolean {
  const { address, operation, time: since, method, path, body, digest } = action;
  const { references, file, protect, moved_from } = action;
  const create = { operation, since, method, path, body, digest, references, file, protect, moved_from };
  return isUnknownCreate(String(address), create);
}

function fits(value: unknown, { has, mayHave = {} }: Shape): boolean {
  if (!isObject(value)) return false;
  return (
    Object.entries(has).every(([name, form]) => hasForm(value[name], form)) &&
    Object.entries(mayHave).every(([name, form]) => value[name] === undefined || hasForm(value[name], form))
  );
}

function hasForm(value: Json | undefined, form: Form): boolean {
  if (typeof form === "function") return value !== undefined && form(value);
  switch (form) {
    case "text":
      return typeof value === "string";
    case "text or null":
      return value === null || typeof value === "string";
    case "address":
      return typeof value === "string" && isAddress(value);
    case "number":
      return Number.isSafeInteger(value);
    case "flag":
      return typeof value === "boolean";
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
  }
}
