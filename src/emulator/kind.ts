import type { KindName } from "../generated/kinds.js";
import type { Json, JsonObject } from "../json/json.js";
import type { Check, BodyProblem } from "./check.js";
import type { EmulatedObject } from "./folder.js";
import type { Storage } from "./storage.js";
import type { Answers, EmulatedOperations, Lists } from "./world.js";

/** The parts that the operations use. */
export interface EmulatedService {
  storage: Storage;
  answers: Answers;
  operations: EmulatedOperations;
  lists: Lists;
  pageSize: number;
  now: () => string;
}

/** An answer, which may have no body; `did` says for the log what was done. */
export interface EmulatedAnswer {
  status: number;
  body?: Json;
  headers?: Readonly<Record<string, string>>;
  did: string;
}

/** An operation with a body, such as those of docs/reference/interface.md, section 3: the ID comes from the path (or is empty). */
export type Operate = (service: EmulatedService, body: JsonObject, id: string) => EmulatedAnswer;

/** An operation without a body: `path` and `query` are those of the request. */
export type LookOperation = (
  service: EmulatedService,
  place: { id: string; path: string; query: URLSearchParams },
) => EmulatedAnswer;

/** Where an operation is found, and what it takes. */
export type Route =
  | { method: "GET" | "DELETE"; path: RegExp; look: LookOperation }
  | {
      method: "POST" | "PUT";
      path: RegExp;
      check: Check;
      operate: Operate;
      /** Whether docs/reference/interface.md requires `accept: application/json`. */
      accept: boolean;
    };

/** What one object is called: of a tool set, the service has the tools. */
export type Noun = Exclude<KindName, "toolset"> | "tool";

/** The objects of a kind, for everything that docs/reference/interface.md does not show. */
export interface Objects {
  noun: Noun;
  /** Names the objects of a list. */
  plural: string;
  checkNew: Check;
  /** Checks a whole body that an update or the console's hand makes of an object. */
  checkChanged: Check;
  /** Stores what a new body makes, and gives the IDs. */
  create: (service: EmulatedService, body: JsonObject) => string[];
  list: (storage: Storage) => EmulatedObject[];
  find: (storage: Storage, id: string) => EmulatedObject | undefined;
  /** Gives an object, which there must be, a new body. */
  replace: (service: EmulatedService, id: string, body: JsonObject) => void;
  /** Deletes an object; false if the ID is unknown. */
  remove: (storage: Storage, id: string) => boolean;
  /** Renders an object as a list or a read answers it. */
  render: (kept: EmulatedObject) => JsonObject;
}

/** One kind as the emulator has it: its objects, its documented operations, and those of a full service beyond them. */
export interface EmulatedKind {
  objects: Objects;
  documented: readonly Route[];
  full: readonly Route[];
}

/** The answer of an operation that was done. */
export function done(body: JsonObject, did: string): EmulatedAnswer {
  return { status: 200, body, did };
}

/** The answer to a request that is refused. */
export function refuse(status: number, message: string): EmulatedAnswer {
  return { status, body: { message }, did: `refused: ${message}` };
}

/** The answer to a request for something that is not there. */
export function unknownId(kind: string, id: string): EmulatedAnswer {
  return { status: 404, body: { message: `There is no ${kind} with this ID` }, did: `no ${kind} ${id}` };
}

/** The answer to a body with problems (docs/reference/interface.md, section 4). */
export function refuseBody(problems: readonly BodyProblem[]): EmulatedAnswer {
  const detail = problems.map(({ loc, msg, type }): JsonObject => ({ loc, msg, type }));
  const said = problems.map(({ loc, msg }) => `${loc.join(".")} ${msg}`);
  return { status: 422, body: { detail }, did: `refused: ${said.join("; ")}` };
}

/** Gives a body's name for the log. */
export function title(body: JsonObject, field: string): string {
  const value = body[field];
  return typeof value === "string" ? value : "";
}
