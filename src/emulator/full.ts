import { answerList, wrapObject } from "./lists.js";
import { done, type Objects, type Route, title, unknownId } from "./kind.js";

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
        return done(wrapObject(service, render(kept)), `${noun} ${id} read`);
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

/** The operation by which a full service takes a whole new body for an object. */
export function updateRoute(objects: Objects, path: RegExp, accept: boolean): Route {
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
      return done({ message }, `${noun} ${title(body, "name")} updated`);
    },
  };
}
