import type { Answer, Fault } from "../../service/fault.js";
import type { Secret } from "../../service/secret.js";
import { insist, type Tried } from "../medium/patience.js";
import { nothing, type FoundDocument, type StateDocument, type Writing } from "../network/document-medium.js";
import type { HttpLine } from "../network/http-line.js";
import {
  isFine,
  isPage,
  refuseLarge,
  type Doing,
  type RefusedRequest,
  refuseFault,
  refusing,
} from "../network/refusal.js";
import {
  parseDocument,
  renderDocument,
  type DocumentForm,
  type StateOwners,
} from "../network/state-document.js";
import { lockedBy, type LockedBy, type LockInfo } from "./lock-info.js";

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

const documentKind: DocumentForm = {
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
    /** Whose state it is, and whose it may have been until now. */
    readonly owners: StateOwners,
    /** What the server must not repeat in a message. */
    private readonly password: Secret | undefined,
    readonly name: string,
  ) {}

  get hasCredentials(): boolean {
    return this.password !== undefined;
  }

  /** Reads the state; throws StoreFailedError. */
  async read(): Promise<FoundDocument> {
    return await insist({ attempts: reads }, () => this.readOnce());
  }

  /** Reads the state with one request; throws StoreFailedError for an answer that is not its own state. */
  async readOnce(): Promise<Tried<FoundDocument, RefusedRequest>> {
    const answer = await this.line.send({ method: "GET", url: this.place.address });
    const isAnswered = answer.ok && [200, 204, 404].includes(answer.status);
    if (!isAnswered || isWithoutProject(answer)) return this.#refuse(answer, "read");
    const isThere = answer.status === 200 && answer.text !== "";
    const document = isThere
      ? parseDocument(answer.text ?? "", this.owners, this.name, documentKind)
      : nothing;
    return { ok: true, value: { document, tag: null } };
  }

  /** Writes the state under the ID of a lock; `lost` if that ID does not have it. */
  async write(document: StateDocument, id: string): Promise<Writing> {
    const body = renderDocument(document, this.owners[0], documentKind);
    const large = refuseLarge(body, this.name);
    if (large) return large;
    const answer = await this.line.send({ method: "POST", url: withId(this.place.address, id), body });
    if (isFine(answer)) return { ok: true, value: { tag: null } };
    return isConflict(answer) ? { ok: true, value: "lost" } : this.#refuse(answer, "written");
  }

  /** Asks for the lock, also again with the same ID; gives who has it, and null if it is who asks. */
  async askLock(info: LockInfo): Promise<Tried<LockedBy | null, RefusedRequest>> {
    const { lockAddress: url, lockMethod: method } = this.place;
    const answer = await this.line.send({ method, url, body: JSON.stringify(info) });
    if (!isFine(answer) && !isConflict(answer)) return this.#refuse(answer, "locked");
    const by = lockedBy(answer.ok ? this.#redact(answer.text ?? "") : "");
    // Some servers answer with nothing of use, but none that has given the lock names somebody else.
    const isOwn = by.id === info.ID || (isFine(answer) && by.id === undefined);
    return { ok: true, value: isOwn ? null : by };
  }

  /** Gives an ID's lock back, or any; a conflict that names no holder says only that it may be another. */
  async giveLock(info: LockInfo | undefined): Promise<Tried<null, RefusedRequest>> {
    const { unlockAddress, unlockMethod: method, isGitlab } = this.place;
    const url = isGitlab && info ? withId(unlockAddress, info.ID) : unlockAddress;
    const body = info && JSON.stringify(info);
    const answer = await this.line.send({ method, url, ...(body !== undefined && { body }) });
    const isGone = answer.ok && answer.status === 404;
    if (isFine(answer) || isGone || this.#isOfAnother(answer, info)) return { ok: true, value: null };
    return { ...this.#refuse(answer, "unlocked"), isChanged: isConflict(answer) };
  }

  close(): void {
    this.line.close();
  }

  #isOfAnother(answer: Answer | Fault, info: LockInfo | undefined): boolean {
    const { id } = lockedBy(answer.ok && isConflict(answer) ? (answer.text ?? "") : "");
    return id !== undefined && id !== info?.ID;
  }

  #redact(text: string): string {
    const secret = this.password?.unwrap() ?? "";
    return secret === "" ? text : text.replaceAll(secret, String(this.password));
  }

  #refuse(answer: Answer | Fault, doing: Doing): RefusedRequest {
    return refusalOf(answer, doing, this);
  }
}

function withId(address: URL, id: string): URL {
  const url = new URL(address);
  url.searchParams.set("ID", id);
  return url;
}

function isConflict(answer: Answer | Fault): boolean {
  return answer.ok && [409, 412, 423].includes(answer.status);
}

// GitLab answers 404 for a state that is not there, and for a project that is not there or not for this user.
function isWithoutProject({ text = "" }: Answer): boolean {
  return /"404 Project Not Found"/i.test(text);
}

/** Explains an answer that is none of those that a request expects, or a fault; quotes nothing that the server said. */
function refusalOf(
  answer: Answer | Fault,
  doing: Doing,
  { name, hasCredentials }: HttpServer,
): RefusedRequest {
  if (!answer.ok) return refuseFault(answer, doing, name, trustHint);
  const refuse = refusing(answer, doing, name);
  if (answer.status === 401) {
    const why = hasCredentials
      ? "it does not accept the user name and password (HTTP 401)"
      : "it needs a user name and password (HTTP 401)";
    return refuse(why, credentialsHint);
  }
  if (answer.status === 403) {
    return refuse(
      "the user is not allowed to (HTTP 403)",
      `${credentialsHint}. GitLab: the role Developer may read the state, Maintainer may write it`,
    );
  }
  if (answer.status >= 300 && answer.status < 400) {
    const hint = "set the address in `spec.lock` to the one that the server means";
    return refuse(`it redirects, which agentform does not follow (HTTP ${answer.status})`, hint);
  }
  // Nobody knows what became of the request behind it.
  if (answer.status < 300 && isPage(answer))
    return refuse(`a web page was answered (HTTP ${answer.status})`, pageHint, true);
  const { hint, isPassing = false } = known[answer.status] ?? { isPassing: answer.status >= 500 };
  return refuse(`the server answered HTTP ${answer.status}`, hint, isPassing);
}

const credentialsHint =
  "set TF_HTTP_USERNAME and TF_HTTP_PASSWORD, or `username` and `password` of `spec.lock`; a pipeline of a fork has neither, so plan it where they are set";

const trustHint =
  "name the certificates to trust with `--ca-file`, NODE_EXTRA_CA_CERTS or TF_HTTP_CLIENT_CA_CERTIFICATE_PEM";

const pageHint = "check the address in `spec.lock`, and whether a login or a proxy answers";

const known: Readonly<Record<number, { readonly hint?: string; readonly isPassing?: boolean }>> = {
  404: {
    hint: "check the address in `spec.lock`; GitLab answers so for a project that the user may not see",
  },
  405: { hint: "set `lock_method` and `unlock_method` of `spec.lock` to those of the server" },
  408: { isPassing: true },
  413: { hint: "raise the server's limit for the size of a state, or use the store `git`" },
  422: { hint: "look at the state on the server: it may have been removed", isPassing: true },
  429: { isPassing: true },
  501: { hint: "set `lock_method` and `unlock_method` of `spec.lock` to those of the server" },
};
