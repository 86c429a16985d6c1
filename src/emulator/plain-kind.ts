import type { JsonObject } from "../json/json.js";
import type { Check } from "./check.js";
import { type Places, readRoutes, updateRoute } from "./full.js";
import { done, type EmulatedKind, type EmulatedService, type Objects, type Route, title } from "./kind.js";
import { renderRecord } from "./record.js";
import { keepSecretsOut } from "./secret.js";
import type { PlainKind, Storage } from "./storage.js";
import type { Answers } from "./world.js";

/** What sets a kind apart whose objects are no more than an ID and a body. */
export interface PlainParts extends Pick<Objects, "noun"> {
  folder: PlainKind;
  check: Check;
  places: Places;
  /** Whether docs/reference/interface.md requires `accept: application/json`. */
  accept: boolean;
  /** Whether docs/reference/interface.md has the operation that updates one. */
  isUpdatable: boolean;
  /** Gives what is stored for a new body; the body itself unless given. */
  fill?: (body: JsonObject, answers: Answers, now: string) => JsonObject;
  answerNew: (answers: Answers, id: string, stored: JsonObject) => JsonObject;
  /** Says for the log which objects a body names that do not exist. */
  listUnknown?: (storage: Storage, body: JsonObject) => string[];
  /** The fields that the service fills in where they are absent. */
  filledIn: JsonObject;
  /** A second member with the ID, beside `_id`. */
  idMember?: string;
}

/** A kind whose objects are no more than an ID and a body. */
export function plainKind(parts: PlainParts): EmulatedKind {
  const { noun, folder, check, places, accept, isUpdatable, fill, answerNew, listUnknown, filledIn } = parts;
  const store = ({ storage, answers, now }: EmulatedService, given: JsonObject) => {
    const at = now();
    const body = fill?.(given, answers, at) ?? given;
    return { id: storage.create(folder, keepSecretsOut(body), at).id, body };
  };
  const objects: Objects = {
    noun,
    plural: folder,
    checkNew: check,
    checkChanged: check,
    create: (service, body) => [store(service, body).id],
    list: (storage) => storage.list(folder),
    find: (storage, id) => storage.find(folder, id),
    replace: ({ storage, now }, id, body) => {
      storage.replace(folder, id, keepSecretsOut(body), now());
    },
    remove: (storage, id) => storage.remove(folder, id),
    render: (kept) => renderRecord(kept, filledIn, parts.idMember ? { [parts.idMember]: kept.id } : {}),
  };
  const create: Route = {
    method: "POST",
    path: places.all,
    check,
    accept,
    operate: (service, given) => {
      const { id, body } = store(service, given);
      const did = `${noun} ${title(body, "name")} created as ${id}`;
      const unknown = listUnknown?.(service.storage, body) ?? [];
      return done(answerNew(service.answers, id, body), [did, ...unknown].join("; "));
    },
  };
  const update = updateRoute(objects, places.one, accept, listUnknown);
  const read = readRoutes(objects, places);
  return isUpdatable
    ? { objects, documented: [create, update], full: read }
    : { objects, documented: [create], full: [...read, update] };
}
