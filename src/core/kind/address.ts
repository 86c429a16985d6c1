import { kindOfText } from "./kinds.js";

const keyForm = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;

/** Whether a text can be the key of a resource. */
export function isKey(text: string): boolean {
  return keyForm.test(text);
}

/** Whether a text is the address of a resource, such as `agent:support`. */
export function isAddress(text: string): boolean {
  return kindOfText(text) !== undefined && isKey(text.slice(text.indexOf(":") + 1));
}
