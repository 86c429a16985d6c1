import type { JsonObject } from "../json/json.js";
import type { Objects } from "./kind.js";
import { renderRecord } from "./record.js";
import { keepSecretsOut } from "./secret.js";
import type { PlainKind } from "./storage.js";

/** What sets the objects of a kind apart that are no more than an ID and a body. */
export interface PlainObjects extends Pick<Objects, "noun" | "checkNew" | "create"> {
  folder: PlainKind;
  /** The fields that the service fills in where they are absent. */
  filledIn: JsonObject;
  /** A second member with the ID, beside `_id`. */
  idMember?: string;
}

/** The objects of a kind that are no more than an ID and a body. */
export function plainObjects({ noun, folder, checkNew, create, filledIn, idMember }: PlainObjects): Objects {
  return {
    noun,
    plural: folder,
    checkNew,
    checkChanged: checkNew,
    create,
    list: (storage) => storage.list(folder),
    find: (storage, id) => storage.find(folder, id),
    replace: ({ storage, now }, id, body) => {
      storage.replace(folder, id, keepSecretsOut(body), now());
    },
    remove: (storage, id) => storage.remove(folder, id),
    render: (kept) => renderRecord(kept, filledIn, idMember === undefined ? {} : { [idMember]: kept.id }),
  };
}
