import { bare, say } from "../../core/finding/said.js";
import { isObject, type JsonObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import type { Settings } from "../../core/resources/manifest.js";
import { ownerOf, type LockOwner } from "../../core/state/lock.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import type { StateDocument } from "./document-medium.js";

/** A kind of store that keeps everything in one document, and how messages name its places. */
export interface DocumentForm {
  /** The name of the store, which is in the format of its documents. */
  readonly store: "http" | "s3";
  /** What to check if there is a document of another program. */
  readonly check: string;
  /** What each environment needs, such as `an address of its own`. */
  readonly ownPlace: string;
}

/** Whose state a document is when it is written, and all whose it may be when it is read. */
export type StateOwners = readonly [LockOwner, ...LockOwner[]];

/** Gives the owners of the state of a workspace in an environment. */
export function ownersOf(settings: Settings, renamedTo?: LockOwner): StateOwners {
  const owner = ownerOf(settings);
  return renamedTo ? [renamedTo, owner] : [owner];
}

/** Without a `version`, so that Terraform refuses it; GitLab refuses a write without a new `serial`. */
export function renderDocument(
  document: StateDocument,
  { workspace, environment }: LockOwner,
  kind: DocumentForm,
): string {
  const { serial, holder, lock, journal } = document;
  const format = `${familyOf(kind)}v1`;
  return `${JSON.stringify({ format, serial, workspace, environment, holder, lock, journal }, null, 1)}\n`;
}

/** Parses what a server answered; throws StoreFailedError, which quotes nothing of it but names of agentform's own. */
export function parseDocument(
  text: string,
  owners: StateOwners,
  name: string,
  kind: DocumentForm,
): StateDocument {
  const { value } = parseJson(text);
  const family = familyOf(kind);
  const format = `${family}v1`;
  if (value === undefined && /^\s*</.test(text)) {
    throw new StoreFailedError(
      say`${bare({ lock: name })} answered with a web page instead of a state`,
      kind.check,
    );
  }
  if (!isObject(value))
    throw new StoreFailedError(say`what is at ${bare({ lock: name })} is not a state`, kind.check);
  if (typeof value.format !== "string" || !value.format.startsWith(family)) throw foreign(value, name, kind);
  if (value.format !== format) {
    const [, other = "unknown"] = /^(v\d{1,6})$/.exec(value.format.slice(family.length)) ?? [];
    const message = `${name} has a state of the version ${other}, but this version reads \`${format}\``;
    throw new StoreFailedError(message, "use a newer agentform");
  }
  const { workspace, environment } = value;
  if (!owners.some((owner) => owner.workspace === workspace && owner.environment === environment)) {
    throw new StoreFailedError(
      say`${bare({ lock: name })} has the state of a different workspace or environment`,
      `give each workspace and each environment ${kind.ownPlace} in \`spec.lock\`; if this one was renamed, run \`agentform lock move --from-workspace NAME\``,
    );
  }
  const { serial } = value;
  const [holder, lock, journal] = [value.holder, value.lock, value.journal].map(textOrNull);
  const isWhole = holder !== undefined && lock !== undefined && journal !== undefined;
  if (typeof serial !== "number" || !Number.isSafeInteger(serial) || serial < 0 || !isWhole) {
    const hint = "restore an earlier version of it on the server; agentform has not changed it";
    throw new StoreFailedError(say`the state at ${bare({ lock: name })} is damaged`, hint);
  }
  return { serial, holder, lock, journal };
}

function familyOf({ store }: DocumentForm): string {
  return `agentform/${store}-state/`;
}

function foreign(value: JsonObject, name: string, { check, ownPlace }: DocumentForm): StoreFailedError {
  if ("terraform_version" in value || ("version" in value && "lineage" in value)) {
    return new StoreFailedError(
      say`${bare({ lock: name })} has a state of Terraform, which agentform does not touch`,
      `give agentform ${ownPlace} in \`spec.lock\``,
    );
  }
  return new StoreFailedError(say`what is at ${bare({ lock: name })} is not a state of agentform`, check);
}

function textOrNull(value: unknown): string | null | undefined {
  return value === null || typeof value === "string" ? value : undefined;
}

/** Whether two documents are the same write. */
export function isSameDocument(one: StateDocument, other: StateDocument): boolean {
  return (
    one.serial === other.serial &&
    one.holder === other.holder &&
    one.lock === other.lock &&
    one.journal === other.journal
  );
}
