import type { Kind } from "../kind/kind.js";
import { recordedKeys } from "../plan/recorded-marks.js";
import { otherKeys, settingKey, settingKeys } from "../resources/manifest-keys.js";

/** Says in Markdown what a change of a field of a document does at the next apply, by the keys that lead to it. */
export function changeEffect(kind: Kind, path: readonly string[]): string | undefined {
  const [top, field] = path;
  if (top === undefined) return kindText(kind);
  if (top === "spec" && field !== undefined) return specEffect(kind, field);
  if (top === "operations") return specEffect(kind, kind.outlined[0] ?? "");
  if (top === "for_each") {
    return "Each key is a resource of its own: a new key creates one, and a removed key forgets one.";
  }
  if (top === "metadata" && field === "name") {
    return "A new name is a new address: the plan forgets the old object and creates a new one, unless `lifecycle.moved_from` names the old address.";
  }
  if (
    field !== undefined &&
    [...recordedKeys.map((key) => `lifecycle.${key}`), "metadata.labels"].includes(`${top}.${field}`)
  )
    return "A change is only recorded in the lock; nothing is sent.";
  if (top === "metadata" && field !== undefined)
    return "A change does nothing: it is neither sent nor in the lock.";
  if (top === "lifecycle" && field !== undefined) return "For a change alone nothing is sent.";
  return undefined;
}

function kindText({ create: { method, path }, replacedBy }: Kind): string {
  const creation = `A new document creates an object (\`${method} ${path}\`), and a removed one leaves it in the service, unmanaged, unless \`lifecycle.on_removal\` says otherwise.`;
  if (replacedBy === "any") return `${creation} An edit replaces it by a new one.`;
  if (replacedBy.length === 0) return `${creation} An edit updates it.`;
  return `${creation} An edit updates it; one of ${replacedBy.map((field) => `\`${field}\``).join(", ")} replaces it by a new one.`;
}

function specEffect(
  { creationOnly, replacedBy, updatesWhole, noun, name, update }: Kind,
  field: string,
): string {
  if (creationOnly.has(field)) {
    return "A change does nothing: it is used when the object is created, and never after that.";
  }
  if (replacedBy === "any") {
    return `A change is a replacement, because the service cannot update a ${noun[0]}: a new object is created, the old one stays behind, and what refers to it gets the new ID. Where the deployment can, \`service.operations.${name}.update\` of the manifest makes it an update.`;
  }
  if (replacedBy.includes(field)) {
    return `A change is a replacement, because the service cannot change \`${field}\` of a ${noun[0]}: a new object is created, the old one stays behind, and what refers to it gets the new ID.`;
  }
  const requests = update({ id: "{id}", ids: ["{id}"] }, [field], {}).map(
    ({ method, path }) => `${method} ${decodeURIComponent(path)}`,
  );
  const what = updatesWhole === true ? "all fields of the document are sent" : "the field is sent";
  return `A change is an update: ${what} (\`${requests.join(", ")}\`), and the ID stays the same.`;
}

/** Says in Markdown what a change of a key of the manifest does; undefined if that depends on the keys in it. */
export function settingEffect(path: readonly string[]): string | undefined {
  const at = path.findLastIndex((name) => Object.hasOwn(settingKeys, name));
  const key = path[at + 1];
  if (at >= 1 && key !== undefined) {
    if (!Object.hasOwn(settingKeys[path[at] ?? ""] ?? {}, key)) return undefined;
    const setting = settingKey(path.slice(at).join("."), {});
    return `For a change alone nothing is sent. The next plan shows it with the note \`setting-changed\` (${setting.effect}): ${setting.risk}.`;
  }
  const reasons = Object.entries(otherKeys).filter(([pattern]) => leadsTo(pattern, path));
  const [reason, ...others] = new Set(reasons.map(([, text]) => text));
  return reason === undefined || others.length > 0
    ? undefined
    : `A change does nothing by itself: ${reason}.`;
}

function leadsTo(pattern: string, path: readonly string[]): boolean {
  const keys = pattern.replaceAll("[]", "").split(".");
  return (
    path.length > 0 &&
    path.length <= keys.length &&
    path.every((key, index) => keys[index] === "*" || keys[index] === key)
  );
}
