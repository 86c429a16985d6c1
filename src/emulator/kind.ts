import type { Json, JsonObject } from "../json/json.js";
import type { Answers } from "./answers.js";
import type { Check } from "./check.js";
import type { Storage } from "./storage.js";

/** The parts that the operations use. */
export interface Service {
  storage: Storage;
  answers: Answers;
  /** The only accepted key; without it, any non-empty key is accepted. */
  apiKey: string | undefined;
  now: () => string;
}

/** An answer; `did` says for the log what was done. */
export interface Answer {
  status: number;
  body: Json;
  headers?: Readonly<Record<string, string>>;
  did: string;
}

/** An operation of docs/interface.md, section 3: the body is checked, the ID comes from the path (or is empty). */
export type Operate = (service: Service, body: JsonObject, id: string) => Answer;

/** Where an operation is found, and what it takes. */
export interface Route {
  method: "POST" | "PUT";
  path: RegExp;
  check: Check;
  operate: Operate;
  /** Whether docs/interface.md requires `accept: application/json`. */
  accept: boolean;
}

/** One kind as the emulator has it: its operations. */
export type EmulatedKind = readonly Route[];

/** The answer of an operation that was done. */
export function done(body: JsonObject, did: string): Answer {
  return { status: 200, body, did };
}

/** The answer to an update of something that is not there. */
export function unknownId(kind: string, id: string): Answer {
  return { status: 404, body: { message: `There is no ${kind} with this ID` }, did: `no ${kind} ${id}` };
}

/** Gives a body's name for the log. */
export function title(body: JsonObject, field: string): string {
  const value = body[field];
  return typeof value === "string" ? value : "";
}
