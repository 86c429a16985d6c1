import type { JsonObject } from "../json/json.js";
import type { EmulatedObject } from "./folder.js";
import { type EmulatedAnswer, type Objects, refuseBody, type EmulatedService } from "./kind.js";

/** Answers a list of objects in the form of the service; `path` and `query` are those of the request. */
export function answerList(
  { storage, lists, pageSize }: EmulatedService,
  objects: Objects,
  path: string,
  query: URLSearchParams,
): EmulatedAnswer {
  const all = objects.list(storage);
  const { noun, plural, render } = objects;
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

/** Gives the body of an answer with one object, in the form of the service. */
export function wrapObject({ lists }: EmulatedService, record: JsonObject): JsonObject {
  return lists === "pages" ? { data: record } : record;
}
