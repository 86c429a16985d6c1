import type { JsonObject } from "../../json/json.js";
import type { Answers } from "../answers.js";
import { anyObject, type Check, record, text } from "../check.js";
import { readRoutes, updateRoute } from "../full.js";
import { done, type EmulatedKind, type Operate, type EmulatedService, title } from "../kind.js";
import { plainObjects } from "../plain-objects.js";
import { keepSecretsOut } from "../secret.js";

/** The body of a credential (docs/interface.md, 2.4). */
const checkCredential: Check = record(
  { name: text, provider_id: text, credentials: anyObject, meta_data: anyObject },
  ["name"],
);

/** Operation 6: a new credential. */
const createCredential: Operate = (service, body) => {
  const id = storeCredential(service, body);
  return done(answerCredential(service.answers, id), `credential ${title(body, "name")} created as ${id}`);
};

const credentials = plainObjects({
  noun: "credential",
  folder: "credentials",
  checkNew: checkCredential,
  create: (service, body) => [storeCredential(service, body)],
  filledIn: {},
});

const all = /^\/v3\/tools\/credentials$/;
const one = /^\/v3\/tools\/credentials\/([^/]+)$/;

/** A credential: its objects and operations. */
export const credential: EmulatedKind = {
  objects: credentials,
  documented: [
    { method: "POST", path: all, check: checkCredential, operate: createCredential, accept: true },
  ],
  full: [...readRoutes(credentials, { all, one }), updateRoute(credentials, one, true)],
};

function storeCredential({ storage, now }: EmulatedService, body: JsonObject): string {
  return storage.create("credentials", keepSecretsOut(body), now()).id;
}

/** The answer to a new credential (operation 6): a message and, unless minimal, the ID. */
function answerCredential(answers: Answers, id: string): JsonObject {
  const message = "Credential created successfully";
  return answers === "minimal" ? { message } : { message, credential_id: id };
}
