import type { JsonObject } from "../json/json.js";
import type { EmulatedObject } from "./folder.js";
import {
  done,
  type EmulatedAnswer,
  type EmulatedService,
  type Objects,
  refuseBody,
  type Route,
  title,
  unknownId,
} from "./kind.js";
import type { Storage } from "./storage.js";

/** Where a full service has the objects of a kind: all of them, and the one whose ID is captured. */
export interface Places {
  all: RegExp;
  one: RegExp;
}

/** The operations by which a full service lists, reads and deletes the objects of a kind. */
export function readRoutes(objects: Objects, { all, one }: Places): Route[] {
  const { noun, find, remove, render } = objects;
  return [
    {
      method: "GET",
      path: all,
      look: (service, { path, query }) => answerList(service, objects, path, query),
    },
    {
      method: "GET",
      path: one,
      look: (service, { id }) => {
        const kept = find(service.storage, id);
        if (kept === undefined) return unknownId(noun, id);
        const shown = render(kept);
        return done(service.lists === "pages" ? { data: shown } : shown, `${noun} ${id} read`);
      },
    },
    {
      method: "DELETE",
      path: one,
      look: ({ storage }, { id }) =>
        remove(storage, id) ? { status: 204, did: `${noun} ${id} deleted` } : unknownId(noun, id),
    },
  ];
}

/** The operation that takes a whole new body for an object; the log has what the body names and is not there. */
export function updateRoute(
  objects: Objects,
  path: RegExp,
  accept: boolean,
  listUnknown: (storage: Storage, body: JsonObject) => string[] = () => [],
): Route {
  const { noun, checkChanged, find, replace } = objects;
  return {
    method: "PUT",
    path,
    check: checkChanged,
    accept,
    operate: (service, body, id) => {
      if (find(service.storage, id) === undefined) return unknownId(noun, id);
      replace(service, id, body);
      const message = `${noun.replace(/^./, (letter) => letter.toUpperCase())} updated successfully`;
      const did = `${noun} ${title(body, "name")} updated`;
      return done({ message }, [did, ...listUnknown(service.storage, body)].join("; "));
    },
  };
}

/** Answers a list of objects in the form of the service; `path` and `query` are those of the request. */
function answerList(
  { storage, lists, pageSize }: EmulatedService,
  { noun, plural, list, render }: Objects,
  path: string,
  query: URLSearchParams,
): EmulatedAnswer {
  const all = list(storage);
  const say = (some: readonly EmulatedObject[]): string => `${some.length} of ${all.length} ${plural} listed`;
  if (lists === "array") return { status: 200, body: all.map(render), did: say(all) };
  if (lists === "key") return { status: 200, body: { [plural]: all.map(render) }, did: say(all) };
  // The number of the last object before the page, so that a deletion between two pages shifts nothing.
  const cursor = query.get("cursor") ?? "0";
  if (!/^\d{1,15}$/.test(cursor)) {
    return refuseBody([{ loc: ["query", "cursor"], msg: `not a cursor of a ${noun}`, type: "value_error" }]);
  }
  const rest = all.filter(({ number }) => number > Number(cursor));
  const page = rest.slice(0, pageSize);
  const next = rest.length > page.length ? `${path}?cursor=${page.at(-1)?.number ?? 0}` : null;
  const body = { data: { items: page.map(render) }, paging: { next, total: all.length } };
  return { status: 200, body, did: say(page) };
}
