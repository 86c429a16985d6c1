import { splitPath, type DeclaredList } from "../kind/deployment.js";
import { findId } from "../kind/identity.js";
import type { ServiceRequest } from "../kind/kind.js";
import { depthLimit, equal, isObject, isShallow, type Json, type JsonObject } from "../../json/json.js";
import { measure } from "../../json/extent.js";
import { asId, foldedId } from "../kind/id.js";
import { atPointer, pointerOf } from "../../json/json-pointer.js";
import { hasHalfCharacter } from "../../json/texts.js";
import { findFurtherPages, type FurtherPages } from "./further-pages.js";
import { objectAt } from "./read-object.js";
import type { Failure, Service } from "./service.js";

/** One object of a list. */
export interface Listed {
  readonly id: string;
  readonly body: JsonObject;
}

/** All objects of a list, or why it could not be read to its end; then nothing in it says what is not there. */
export type Listing =
  | {
      readonly ok: true;
      readonly objects: readonly Listed[];
      readonly pages: number;
      /** Whether parts of the answers were removed because they have the value of a secret. */
      readonly isWithheld: boolean;
    }
  | ({ readonly ok: false } & Pick<Failure, "message" | "hint">);

const mostPages = 10_000;

/** The most characters of all pages together, with a constant for each value. */
export const mostCharacters = 256_000_000;

/** Lists all objects of a kind, page by page. */
export async function listObjects(service: Service, list: DeclaredList): Promise<Listing> {
  const objects = new Map<string, Listed>();
  const visited = new Set<string>();
  let isWithheld = false;
  let characters = 0;
  let request: ServiceRequest<"GET"> | undefined = firstPage(list);
  while (request) {
    const page = `${request.path}?${request.query ?? ""}`;
    if (visited.has(page)) return broken(list, "leads back to a page that was read before");
    if (visited.size === mostPages)
      return broken(list, `has more than ${mostPages.toLocaleString("en")} pages`);
    visited.add(page);
    const outcome = await service.ask(request, "read");
    if (outcome.type !== "success")
      return {
        ok: false,
        message: `${list.method} ${list.path}: ${outcome.message}`,
        ...(outcome.hint !== undefined && { hint: outcome.hint }),
      };
    isWithheld ||= outcome.withheld === true;
    characters += measure(outcome.answer).size;
    if (characters > mostCharacters)
      return broken(list, `is longer than ${mostCharacters / 1_000_000} million characters in all`);
    const items = atPointer(outcome.answer, list.items);
    if (!Array.isArray(items)) return noList(list, outcome.answer);
    for (const item of items) {
      const listed = listedIn(item, list);
      if (!listed) return withoutId(list, objects.size, item);
      // An ID in capitals is that of the same object, which must not get a second address.
      const known = objects.get(foldedId(listed.id));
      // No more than the depth of one of them is compared.
      if (known && !(isShallow(known.body, depthLimit) && equal(known.body, listed.body))) {
        return broken(list, `has two different objects with the ID ${listed.id}`);
      }
      objects.set(foldedId(listed.id), listed);
    }
    const next = nextOf(outcome.answer, list);
    // Pages may all have status 206; only the last one has no link to a next one.
    if (next === undefined && (outcome.part === "linked" || (outcome.part && !list.next)))
      return cutShort(list, outcome.part);
    if (next === undefined) {
      // A total may count what the key cannot see, so that one says nothing where `next` is followed to the end.
      const most = list.next ? Infinity : items.length;
      const further = findFurtherPages(outcome.answer, list.items, most);
      if (further) return notFollowed(list, further);
      if (outcome.total !== undefined && outcome.total > most) return counted(list, outcome.total);
      break;
    }
    if (typeof next !== "string" || hasHalfCharacter(next)) return wrongNext(list, next);
    request = followed(next, request, list, service);
    if (!request) return broken(list, "names a next page at another address");
  }
  return { ok: true, objects: [...objects.values()], pages: visited.size, isWithheld };
}

/** Lists all objects; several pages twice, for a delete meanwhile moves others to pages that were read already. */
export async function listTwice(service: Service, list: DeclaredList): Promise<Listing> {
  const first = await listObjects(service, list);
  if (!first.ok || first.pages === 1) return first;
  const again = await listObjects(service, list);
  if (!again.ok) return again;
  const objects = new Map([...first.objects, ...again.objects].map((each) => [foldedId(each.id), each]));
  return { ...again, objects: [...objects.values()], isWithheld: first.isWithheld || again.isWithheld };
}

function firstPage({ host, method, path }: DeclaredList): ServiceRequest<"GET"> {
  return { host, method, ...splitPath(path) };
}

function listedIn(item: Json, { object, id: pointer, idFields }: DeclaredList): Listed | undefined {
  const body = objectAt(item, object);
  if (!body) return undefined;
  const id = pointer === undefined ? findId(body, idFields) : asId(atPointer(item, pointer));
  return id === undefined ? undefined : { id, body };
}

// Services end a list with nothing, null, an empty text or false.
function nextOf(answer: Json, { next }: DeclaredList): Json | undefined {
  const value = next && atPointer(answer, next.pointer);
  if (typeof value === "number") return String(value);
  return value === null || value === "" || value === false ? undefined : value;
}

function cutShort(list: DeclaredList, part: "linked" | "status"): Listing {
  const how = part === "linked" ? "a `Link` header" : "HTTP 206";
  const hint = "say with `next` where in the answer its address is, or ask for more in a page";
  return broken(list, `has further pages according to ${how}, and \`next\` leads to none`, hint);
}

function counted(list: DeclaredList, total: number): Listing {
  const hint =
    "ask for more in a page, or say with `next` where in the answer the address of the next page is";
  return broken(list, `is not whole: a header says that there are ${total}`, hint);
}

function notFollowed(list: DeclaredList, { path, isNext }: FurtherPages): Listing {
  const place = pointerOf(path);
  const hint = isNext
    ? `set \`next\` to \`${place}\`, and \`parameter\` if that is no address; or ask for more in a page`
    : "say with `next` where in the answer the address of the next page is, or ask for more in a page";
  return broken(list, `is not whole: \`${place}\` in its answer says that there is more`, hint);
}

function wrongNext(list: DeclaredList, value: Json): Listing {
  const pointer = list.next?.pointer ?? "";
  const [inside] = membersWith(value, (member) => typeof member === "string");
  const hint =
    inside === undefined
      ? "`next` must lead to an address or a text"
      : `set \`next\` to \`${pointer}/${inside}\``;
  return broken(list, `has no address of a next page at \`${pointer}\``, hint);
}

function withoutId(list: DeclaredList, before: number, item: Json): Listing {
  const { id: pointer } = list;
  const given = pointer === undefined ? undefined : atPointer(item, pointer);
  const which = `its item ${before + 1}`;
  if (given !== undefined && given !== null) {
    return broken(
      list,
      `has an ID in ${which} that cannot be used`,
      "name the objects to import one by one, without this one",
    );
  }
  return broken(list, `has no ID in ${which}`, "say where it is with `id`, a JSON pointer");
}

function followed(
  next: string,
  request: ServiceRequest<"GET">,
  list: DeclaredList,
  service: Service,
): ServiceRequest<"GET"> | undefined {
  const parameter = list.next?.parameter;
  if (parameter === undefined) return service.address(next, request);
  const first = firstPage(list);
  const queries = [first.query, `${encodeURIComponent(parameter)}=${encodeURIComponent(next)}`];
  return { ...first, query: queries.filter((query) => query !== undefined).join("&") };
}

function broken({ method, path }: DeclaredList, what: string, hint?: string): Listing {
  return { ok: false, message: `the list of ${method} ${path} ${what}`, ...(hint !== undefined && { hint }) };
}

function noList({ method, path, items }: DeclaredList, answer: Json): Listing {
  const where = items === "" ? "is not a list" : `has no list at \`${items}\``;
  const lists = membersWith(answer, Array.isArray);
  const hint =
    lists.length > 0 ? `set \`items\` to ${lists.map((name) => `\`/${name}\``).join(" or ")}` : undefined;
  return {
    ok: false,
    message: `the answer to ${method} ${path} ${where}`,
    hint: hint ?? "say where the list is with `items`, a JSON pointer",
  };
}

// The names of members that a pointer can have as they are.
function membersWith(answer: Json, isFit: (member: Json) => boolean): string[] {
  const members = isObject(answer) ? Object.entries(answer) : [];
  return members.flatMap(([name, member]) => (/^[\w.-]{1,40}$/.test(name) && isFit(member) ? [name] : []));
}
