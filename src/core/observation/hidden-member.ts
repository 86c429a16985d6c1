import type { Field } from "../../generated/fields.js";
import { isObject, type Json } from "../../json/json.js";
import { secretNames } from "../position/secret-name.js";
import { isAboutData, isSecretMember, isSecretText, tellsSecret } from "../schema/secret.js";
import { isWithheld } from "./sameness.js";

/** Whether a member is a secret: what a service shows may be a mask, so a telling name is enough. */
export function isHiddenMember(
  key: string,
  member: Json,
  { known, top }: { readonly known?: Field | undefined; readonly top: string },
): boolean {
  if (known) return known.writeOnly === true;
  if (Array.isArray(member)) return member.some((item) => isHiddenMember(key, item, { top }));
  if (isObject(member))
    return !isAboutData(top) && (secretNames.has(key) || tellsSecret(key)) && holdsSecretText(member);
  if (typeof member !== "string") return false;
  if (secretNames.has(key)) return true;
  return member !== "" && !isAboutData(top) && (tellsSecret(key) || isSecretMember(key, member));
}

// In a mapping, such as `client_secret: {current: …}`, there are words as well that say what is done with it.
function holdsSecretText(value: Json): boolean {
  if (typeof value === "string") return isWithheld(value) || isSecretText(value, "perhaps");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecretText);
}
