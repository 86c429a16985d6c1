import { isObject, type JsonObject } from "../../json/json.js";
import { parseJson } from "../../json/parse-json.js";
import type { LockOwner } from "../../core/state/lock.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import type { Contents } from "../network/contents.js";

const format = "agentform/http-state/v1";
const family = "agentform/http-state/";

/**
 * What an HTTP server keeps for one environment. It has no member `version`, so that Terraform refuses it, and a
 * `serial` of its own, because GitLab refuses a write without a new one.
 */
export interface StateDocument extends Contents {
  /** Grows with every write. */
  readonly serial: number;
}

/** Renders a document for the server. */
export function renderDocument(document: StateDocument, { workspace, environment }: LockOwner): string {
  const { serial, holder, lock, journal } = document;
  return `${JSON.stringify({ format, serial, workspace, environment, holder, lock, journal }, null, 1)}\n`;
}

/** Parses what a server answered; throws StoreFailedError, which quotes nothing of it but names of agentform's own. */
export function parseDocument(text: string, owner: LockOwner, name: string): StateDocument {
  const { value } = parseJson(text);
  if (value === undefined && /^\s*</.test(text)) {
    throw new StoreFailedError(`${name} answered with a web page instead of a state`, checkAddress);
  }
  if (!isObject(value)) throw new StoreFailedError(`what is at ${name} is not a state`, checkAddress);
  if (typeof value.format !== "string" || !value.format.startsWith(family)) throw foreign(value, name);
  if (value.format !== format) {
    const [, other = "unknown"] = /^agentform\/http-state\/(v\d{1,6})$/.exec(value.format) ?? [];
    const message = `${name} has a state of the version ${other}, but this version reads \`${format}\``;
    throw new StoreFailedError(message, "use a newer agentform");
  }
  if (value.workspace !== owner.workspace || value.environment !== owner.environment) {
    throw new StoreFailedError(
      `${name} has the state of a different workspace or environment`,
      "give each workspace and each environment an address of its own in `spec.lock`",
    );
  }
  const { serial } = value;
  const [holder, lock, journal] = [value.holder, value.lock, value.journal].map(textOrNull);
  const isWhole = holder !== undefined && lock !== undefined && journal !== undefined;
  if (typeof serial !== "number" || !Number.isSafeInteger(serial) || serial < 0 || !isWhole) {
    const hint = "restore an earlier version of it on the server; agentform has not changed it";
    throw new StoreFailedError(`the state at ${name} is damaged`, hint);
  }
  return { serial, holder, lock, journal };
}

const checkAddress = "check the address in `spec.lock`, and whether it needs a login or a proxy";

function foreign(value: JsonObject, name: string): StoreFailedError {
  if ("terraform_version" in value || ("version" in value && "lineage" in value)) {
    return new StoreFailedError(
      `${name} has a state of Terraform, which agentform does not touch`,
      "give agentform an address of its own in `spec.lock`",
    );
  }
  return new StoreFailedError(`what is at ${name} is not a state of agentform`, checkAddress);
}

function textOrNull(value: unknown): string | null | undefined {
  return value === null || typeof value === "string" ? value : undefined;
}

/** Whether two documents are the same write. */
export function isSameDocument(one: StateDocument | null, other: StateDocument | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.serial === other.serial &&
    one.holder === other.holder &&
    one.lock === other.lock &&
    one.journal === other.journal
  );
}
