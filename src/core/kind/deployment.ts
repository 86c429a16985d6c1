import type { KindName } from "../../generated/kinds.js";
import { once, oncePer } from "../../json/once.js";
import type { Kind, ServiceRequest } from "./kind.js";
import { kindOfAddress, kinds } from "./kinds.js";

/** An operation of a deployment; in the path of one of a single object, `{id}` is where the ID goes. */
export type ObjectOperation<Method extends string> = Omit<ServiceRequest<Method>, "query">;

/** Where an answer has an object, and its ID. */
interface AnsweredObject {
  /** A JSON pointer to the object, in the answer or in an item of a list. */
  readonly object: string;
  /** A JSON pointer to the ID, if it is not in a usual field of the object. */
  readonly id?: string;
  /** The fields of an object that may be its ID, the likeliest first. */
  readonly idFields: readonly string[];
}

/** How one object is read. */
export interface DeclaredRead extends ObjectOperation<"GET">, AnsweredObject {
  /** The statuses which say that there is no such object. */
  readonly gone: readonly number[];
}

/** How all objects of a kind are listed. */
export interface DeclaredList extends ObjectOperation<"GET">, AnsweredObject {
  /** A JSON pointer to the list in the answer. */
  readonly items: string;
  /** How the next page is found; a list without it has one page. */
  readonly next?: { readonly pointer: string; readonly parameter?: string };
}

/** How an object is deleted. */
export interface DeclaredDelete extends ObjectOperation<"DELETE"> {
  /** The statuses which say that there is no such object. */
  readonly gone: readonly number[];
}

/** What a deployment can do with the objects of one kind, beyond docs/reference/interface.md. */
export interface KindOperations {
  readonly read?: DeclaredRead;
  readonly list?: DeclaredList;
  readonly update?: ObjectOperation<"PUT">;
  readonly delete?: DeclaredDelete;
}

/** What a deployment can do beyond docs/reference/interface.md, by kind; nothing where it says nothing. */
export type Deployment = Readonly<Partial<Record<KindName, KindOperations>>>;

/** Gives the request of an operation for one object. */
export function requestFor<Method extends string>(
  { host, method, path }: ObjectOperation<Method>,
  id: string,
): ServiceRequest<Method> {
  return { host, method, ...splitPath(path.replaceAll("{id}", () => encodeURIComponent(id))) };
}

/** Takes path and query of an operation apart. */
export function splitPath(whole: string): Pick<ServiceRequest, "path" | "query"> {
  const at = whole.indexOf("?");
  return at === -1 ? { path: whole } : { path: whole.slice(0, at), query: whole.slice(at + 1) };
}

/** Gives a kind as a deployment has it: with an update, nothing of it needs a new object. */
export function kindIn(deployment: Deployment, name: KindName): Kind {
  return kindsIn(deployment)(name);
}

// Every resource has its kind, so that one is made for all.
const kindsIn = oncePer((deployment: Deployment) =>
  once((name: KindName): Kind => {
    const kind = kinds[name];
    const update = deployment[name]?.update;
    if (!update || kind.replacedBy !== "any") return kind;
    return {
      ...kind,
      replacedBy: [],
      updatesWhole: true,
      update: ({ id }, _fields, body) => (id === undefined ? [] : [{ ...requestFor(update, id), body }]),
    };
  }),
);

/** Gives the kind of an address as a deployment has it. */
export function kindOfAddressIn(deployment: Deployment, address: string): Kind {
  return kindIn(deployment, kindOfAddress(address).name);
}

/** Gives what the emulator can do for a deployment: the same operations, at its own paths and in its own form. */
export function emulatedDeployment(deployment: Deployment): Deployment {
  return Object.fromEntries(
    Object.entries(deployment).map(([name, operations]) => [name, emulated(name as KindName, operations)]),
  );
}

function emulated(name: KindName, { read, list, update, delete: deletion }: KindOperations): KindOperations {
  const {
    create: { host, path: all },
    idFields,
  } = kinds[name];
  const one = `${all.replace(/\/$/, "")}/{id}`;
  const gone = [404];
  return {
    ...(read && { read: { host, method: "GET", path: one, object: "", idFields, gone } }),
    ...(list && { list: { host, method: "GET", path: all, items: "", object: "", id: "/_id", idFields } }),
    ...(update && { update: { host, method: "PUT", path: one } }),
    ...(deletion && { delete: { host, method: "DELETE", path: one, gone } }),
  };
}
