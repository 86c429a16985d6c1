import type { JsonObject } from "../../json/json.js";
import type { Answers } from "../answers.js";
import { anyObject, type Check, record, text } from "../check.js";
import { done, type EmulatedKind, type Operate, title } from "../kind.js";
import { keepSecretsOut } from "../secret.js";

/** The body of a credential (docs/interface.md, 2.4). */
const checkCredential: Check = record(
  { name: text, provider_id: text, credentials: anyObject, meta_data: anyObject },
  ["name"],
);

/** Operation 6: a new credential. */
const createCredential: Operate = ({ storage, answers }, body) => {
  const { id } = storage.create("credentials", keepSecretsOut(body));
  return done(answerCredential(answers, id), `credential ${title(body, "name")} created as ${id}`);
};

/** A credential: its operations. */
export const credential: EmulatedKind = [
  {
    method: "POST",
    path: /^\/v3\/tools\/credentials$/,
    check: checkCredential,
    operate: createCredential,
    accept: true,
  },
];

/** The answer to a new credential (operation 6): a message and, unless minimal, the ID. */
function answerCredential(answers: Answers, id: string): JsonObject {
  const message = "Credential created successfully";
  return answers === "minimal" ? { message } : { message, credential_id: id };
}
