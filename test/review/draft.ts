import { kindOfAddress } from "../../src/core/kind/kinds.js";
import { buildFleet } from "../harness/build-fleet.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import { parseFile } from "../../src/core/resources/parse-file.js";
import type { ParsedFile } from "../../src/core/resources/parsed-file.js";
import { buildSettings, parseManifest } from "../../src/core/resources/manifest.js";
import type { Lock } from "../../src/core/state/lock.js";
import { once } from "../../src/json/once.js";
import { isObject, type Json, type JsonObject } from "../../src/json/json.js";

/** A workspace that can still be edited. */
export interface Draft {
  readonly service: JsonObject;
  readonly documents: Map<string, DraftDocument>;
  /** The edit of the lock that the same change makes by hand. */
  editLock?: (lock: Lock) => Lock;
}

/** One document of a draft. */
export interface DraftDocument {
  readonly spec: JsonObject;
  readonly lifecycle: JsonObject;
}

/** Copies a draft, so that the copy can be edited alone. */
export function copyOf(draft: Draft): Draft {
  return structuredClone({ service: draft.service, documents: draft.documents });
}

/** Gives the spec of a document that the draft must have. */
export function specOf({ documents }: Draft, address: string): JsonObject {
  const document = documents.get(address);
  if (!document) throw new Error(`the draft has no ${address}`);
  return document.spec;
}

/** Gives the object at some keys of another, one below the other, which must be there. */
export function within(value: JsonObject, ...keys: readonly string[]): JsonObject {
  let current: Json | undefined = value;
  for (const key of keys) current = isObject(current) ? current[key] : undefined;
  if (!isObject(current)) throw new Error(`there is no object at ${keys.join(".")}`);
  return current;
}

/** Replaces a text within a member that is a text, and must hold it. */
export function reword(value: JsonObject, key: string, before: string, after: string): void {
  const text = value[key];
  if (typeof text !== "string" || !text.includes(before)) throw new Error(`${key} has no ${before}`);
  value[key] = text.replace(before, () => after);
}

/** Reads a draft as the workspace of a folder is read. */
export function fleetOf({ service, documents }: Draft): Fleet {
  const parsed = parseManifest(
    JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Workspace",
      metadata: { name: "support-desk" },
      spec: { service, limits: { orphans: 100_000 }, extra_fields: { agent: ["managed_agents"] } },
    }),
  );
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join("\n"));
  const built = buildSettings(parsed, null, new Map());
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join("\n"));
  const { settings } = built;
  const sources = [...documents].map(([address, document]) => {
    const [kind, name] = [kindOfAddress(address), address.slice(address.indexOf(":") + 1)];
    const { spec, lifecycle } = document;
    return {
      file: `${kind?.folder}/${name}.yaml`,
      text: JSON.stringify({
        apiVersion: "agentform/v1",
        kind: kind?.document,
        metadata: { name },
        spec,
        ...(Object.keys(lifecycle).length > 0 && { lifecycle }),
      }),
    };
  });
  const includes = {
    read: () => ({ ok: false, code: "file-missing", message: "there are no files" }) as const,
  };
  const known = knownFiles(JSON.stringify(service));
  return buildFleet(settings, sources, includes, (file, text, context) => {
    const parsed = known.get(text) ?? parseFile(file, text, context);
    known.set(text, parsed);
    return parsed;
  });
}

/** Gives what files gave with a service, by their text, which has their name: drafts differ in few of thousands. */
const knownFiles = once((_service: string) => new Map<string, ParsedFile>());
