import { setTimeout as sleep } from "node:timers/promises";
import type { LockOwner } from "../../core/state/lock.js";
import type { Answer, Fault } from "../../service/fault.js";
import type { Secret } from "../../service/secret.js";
import type { HttpLine } from "../network/http-line.js";
import { refuseLarge, type Refusal } from "../network/refusal.js";
import { refusalOf, type Doing } from "./http-refusal.js";
import { lockedBy, type LockedBy, type LockInfo } from "./lock-info.js";
import {
  parseDocument,
  renderDocument,
  type DocumentKind,
  type StateDocument,
} from "../network/state-document.js";

/** Where a server keeps the state of one environment, and how it is locked. */
export interface HttpPlace {
  readonly address: URL;
  readonly lockAddress: URL;
  readonly unlockAddress: URL;
  readonly lockMethod: string;
  readonly unlockMethod: string;
  /** Whether an UNLOCK has the ID in its query as well, as GitLab reads it: a proxy may drop the body of a DELETE. */
  readonly isGitlab: boolean;
}

/** What became of a read; without a document nothing was ever written. */
export type Reading =
  | { readonly type: "read"; readonly document: StateDocument | null }
  | ({ readonly type: "failed" } & Refusal);

/** What became of a LOCK. */
export type Locking =
  | { readonly type: "held" }
  | { readonly type: "refused"; readonly by: LockedBy }
  | ({ readonly type: "failed" } & Refusal);

/** What became of a write. */
export type Writing =
  | { readonly type: "written" }
  /** The ID of the write does not have the lock. */
  | { readonly type: "locked" }
  | ({ readonly type: "failed" } & Refusal);

const documentKind: DocumentKind = {
  store: "http",
  check: "check the address in `spec.lock`, and whether it needs a login or a proxy",
  ownPlace: "an address of its own",
};

/** How often a read is tried. */
const reads = 3;

/** A server of Terraform's HTTP state protocol; each call is one request, but for reads, which are repeated. */
export class HttpServer {
  constructor(
    private readonly line: HttpLine,
    private readonly place: HttpPlace,
    private readonly owner: LockOwner,
    /** What the server must not repeat in a message. */
    private readonly password: Secret | undefined,
    readonly name: string,
  ) {}

  get hasCredentials(): boolean {
    return this.password !== undefined;
  }

  /** Reads the state; null if there is none. Throws StoreFailedError. */
  async read(): Promise<StateDocument | null> {
    for (let attempt = 1; ; attempt++) {
      const reading = await this.readOnce();
      if (reading.type === "read") return reading.document;
      if (!reading.isPassing || attempt >= reads) throw reading.failure;
      await sleep(Math.max(reading.wait, 300 * 2 ** attempt * (0.5 + Math.random() / 2)));
    }
  }

  /** Reads the state with one request; throws StoreFailedError for an answer that is not its own state. */
  async readOnce(): Promise<Reading> {
    const answer = await this.line.send({ method: "GET", url: this.place.address });
    const isAnswered = !("code" in answer) && [200, 204, 404].includes(answer.status);
    if (!isAnswered || isWithoutProject(answer)) return { type: "failed", ...this.#refuse(answer, "read") };
    if (answer.status !== 200 || answer.text === "") return { type: "read", document: null };
    return { type: "read", document: parseDocument(answer.text ?? "", this.owner, this.name, documentKind) };
  }

  /** Writes the state under the ID of a lock. */
  async write(document: StateDocument, id: string): Promise<Writing> {
    const body = renderDocument(document, this.owner, documentKind);
    const large = refuseLarge(body, this.name);
    if (large) return { type: "failed", ...large };
    const answer = await this.line.send({ method: "POST", url: withId(this.place.address, id), body });
    if (isFine(answer)) return { type: "written" };
    if (isConflict(answer)) return { type: "locked" };
    return { type: "failed", ...this.#refuse(answer, "written") };
  }

  /** Asks for the lock, also again with the same ID: who has it already is told that it has it. */
  async lock(info: LockInfo): Promise<Locking> {
    const { lockAddress: url, lockMethod: method } = this.place;
    const answer = await this.line.send({ method, url, body: JSON.stringify(info) });
    if (!isFine(answer) && !isConflict(answer)) {
      return { type: "failed", ...this.#refuse(answer, "locked") };
    }
    const by = lockedBy("code" in answer ? "" : this.#redact(answer.text ?? ""));
    if (by.id === info.ID) return { type: "held" };
    // Some servers answer with nothing of use, but none that has given the lock names somebody else.
    return isFine(answer) && by.id === undefined ? { type: "held" } : { type: "refused", by };
  }

  /** Gives the lock of an ID back, or without one whatever lock there is; undefined once that ID does not have it. */
  async unlock(info: LockInfo | undefined): Promise<Refusal | undefined> {
    const { unlockAddress, unlockMethod: method, isGitlab } = this.place;
    const url = isGitlab && info ? withId(unlockAddress, info.ID) : unlockAddress;
    const body = info && JSON.stringify(info);
    const answer = await this.line.send({ method, url, ...(body !== undefined && { body }) });
    const isGone = !("code" in answer) && answer.status === 404;
    return isFine(answer) || isConflict(answer) || isGone ? undefined : this.#refuse(answer, "unlocked");
  }

  close(): void {
    this.line.close();
  }

  #redact(text: string): string {
    const secret = this.password?.unwrap() ?? "";
    return secret === "" ? text : text.replaceAll(secret, String(this.password));
  }

  #refuse(answer: Answer | Fault, doing: Doing): Refusal {
    return refusalOf(answer, doing, this);
  }
}

function withId(address: URL, id: string): URL {
  const url = new URL(address);
  url.searchParams.set("ID", id);
  return url;
}

function isFine(answer: Answer | Fault): boolean {
  return !("code" in answer) && [200, 201, 204].includes(answer.status);
}

function isConflict(answer: Answer | Fault): boolean {
  return !("code" in answer) && [409, 412, 423].includes(answer.status);
}

// GitLab answers 404 for a state that is not there, and for a project that is not there or not for this user.
function isWithoutProject({ text = "" }: Answer): boolean {
  return /"404 Project Not Found"/i.test(text);
}
