import { bare, say } from "../../core/finding/said.js";
import { contentDigest } from "../../digest.js";
import { hostname } from "node:os";
import { AwsV4Signer } from "aws4fetch";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { serialIn } from "../../core/state/lock-move.js";
import type { Answer, Fault } from "../../service/fault.js";
import type { HttpLine } from "../network/http-line.js";
import { insist, type Tried } from "../medium/patience.js";
import {
  nothing,
  type DocumentMedium,
  type FoundDocument,
  type StateDocument,
  type Writing,
} from "../network/document-medium.js";
import {
  parseDocument,
  renderDocument,
  type DocumentForm,
  type StateOwners,
} from "../network/state-document.js";
import { isFine, refuseLarge, type Doing, type RefusedRequest } from "../network/refusal.js";
import type { CredentialSource } from "./credentials.js";
import type { S3Place } from "./s3-place.js";
import { errorCode, refusalOf } from "./s3-refusal.js";

interface BucketRequest {
  readonly method: "GET" | "HEAD" | "PUT";
  /** The key of the object, or the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const documentKind: DocumentForm = {
  store: "s3",
  check: "check `bucket`, `key` and `endpoint` in `spec.lock`",
  ownPlace: "a key of its own",
};

/** How often a read, and a request of a probe, is tried. */
const attempts = 3;

/** No object has it: the ETag of a probe that must be refused. */
const wrongTag = "00000000000000000000000000000000";

/** The header in which an object has the serial of its lock, so that the versions can be listed without reading them. */
export const serialHeader = "x-amz-meta-agentform-serial";
/** The header in which an object has the host that wrote it. */
export const hostHeader = "x-amz-meta-agentform-host";

/** The object with the state: a write names the version that it replaces, or is refused if there is any. */
export class S3Bucket implements DocumentMedium {
  readonly isConditional = true;
  readonly keepingHint = "check `endpoint`, `bucket` and `key` in `spec.lock`";
  readonly name: string;
  readonly lossText: string;
  readonly #host = hostname();
  /** Whether the server compares an ETag with its quotes, as HTTP has it, or without; undefined until one has matched. */
  #isQuoted: boolean | undefined;

  /** Whether the last object that was read may be one of several versions, as one that is not there may have been. */
  isVersioned = false;

  constructor(
    private readonly line: HttpLine,
    private readonly place: S3Place,
    /** Whose state it is, and whose it may have been until now. */
    private readonly owners: StateOwners,
    private readonly credentials: CredentialSource,
  ) {
    this.name = place.name;
    this.lossText = `${place.name} was unlocked, or changed elsewhere`;
  }

  async read(): Promise<FoundDocument> {
    return await insist({ attempts }, () => this.look());
  }

  /** Reads the state with one request; throws StoreFailedError for an object that is not its own state. */
  async look(): Promise<Tried<FoundDocument, RefusedRequest>> {
    const answer = await this.ask({ method: "GET", key: this.place.key });
    if (answer.ok && answer.status === 404 && errorCode(answer) === "NoSuchKey") {
      if (answer.headers["x-amz-delete-marker"] === "true") throw this.#deleted();
      // Not every server tells an object that was deleted from one that never was.
      this.isVersioned = true;
      return { ok: true, value: { document: nothing, tag: null } };
    }
    if (!answer.ok || answer.status !== 200) return this.#refuse(answer, "read");
    const document = parseDocument(answer.text ?? "", this.owners, this.name, documentKind);
    const { etag, "x-amz-version-id": id = "null" } = answer.headers;
    this.isVersioned = id !== "null";
    if (etag === undefined) {
      const message = `${this.name} has no ETag, so it cannot be replaced safely`;
      throw new StoreFailedError(message, documentKind.check);
    }
    return { ok: true, value: { document, tag: etag } };
  }

  /** Writes the state if the object has the ETag that was found, or if there is none. */
  async write(document: StateDocument, { tag }: FoundDocument): Promise<Writing> {
    const body = renderDocument(document, this.owners[0], documentKind);
    const large = refuseLarge(body, this.name);
    if (large) return large;
    const serial = serialIn(document.lock ?? "");
    const headers = {
      ...(serial !== undefined && { [serialHeader]: String(serial) }),
      ...(/^[\w.-]{1,100}$/.test(this.#host) && { [hostHeader]: this.#host }),
    };
    if (tag === null) return await this.#put(body, { ...headers, "if-none-match": "*" });
    const bare = tag.replace(/^(W\/)?"(.*)"$/, "$2");
    const isQuoted = this.#isQuoted ?? true;
    const writing = await this.#put(body, { ...headers, "if-match": isQuoted ? `"${bare}"` : bare });
    if (writing.ok) this.#isQuoted = isQuoted;
    if (writing.ok || writing.isChanged !== true || this.#isQuoted !== undefined) return writing;
    // Some servers compare the ETag with its quotes, and know it without.
    await this.#mustRefuse({ "if-match": wrongTag }, "If-Match");
    const again = await this.#put(body, { ...headers, "if-match": bare });
    if (again.ok) this.#isQuoted = false;
    return again;
  }

  /** Finds out, with an object that stays, whether the server keeps a write's conditions; throws StoreFailedError. */
  async probe(): Promise<void> {
    if (await this.#writesScratch({ "if-none-match": "*" }))
      await this.#mustRefuse({ "if-none-match": "*" }, "If-None-Match: *");
    await this.#mustRefuse({ "if-match": `"${wrongTag}"` }, "If-Match");
  }

  /** Sends a signed request; throws StoreFailedError if there are no credentials. */
  async ask({ method, key = "", query = {}, headers = {}, body }: BucketRequest): Promise<Answer | Fault> {
    const url = new URL(this.place.bucket);
    url.pathname += key;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, sessionToken } = await this.credentials();
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: {
        ...headers,
        "x-amz-content-sha256": contentDigest(body ?? ""),
      },
      accessKeyId,
      secretAccessKey: secretAccessKey.unwrap(),
      ...(sessionToken && { sessionToken: sessionToken.unwrap() }),
      service: "s3",
      region: this.place.region,
    }).sign();
    return await this.line.send({
      method,
      url,
      // Ceph answers in JSON whoever asks for that.
      headers: { accept: "*/*", ...Object.fromEntries(signed.headers) },
      ...(body !== undefined && { body }),
    });
  }

  get key(): string {
    return this.place.key;
  }

  close(): void {
    this.line.close();
  }

  async #put(body: string, headers: Readonly<Record<string, string>>): Promise<Writing> {
    const answer = await this.ask({ method: "PUT", key: this.place.key, headers, body });
    const { etag: tag } = answer.ok ? answer.headers : {};
    if (isFine(answer)) return { ok: true, value: tag === undefined ? "untold" : { tag } };
    return { ...this.#refuse(answer, "written"), isChanged: isRefused(answer) };
  }

  /** Whether the scratch object is written under a condition, and not refused for it; throws StoreFailedError for any other answer. */
  async #writesScratch(headers: Readonly<Record<string, string>>): Promise<boolean> {
    const question: BucketRequest = { method: "PUT", key: `${this.place.key}.probe`, headers, body: scratch };
    return await insist({ attempts }, async (): Promise<Tried<boolean, RefusedRequest>> => {
      const answer = await this.ask(question);
      const isDone = isFine(answer);
      return isDone || isRefused(answer) ? { ok: true, value: isDone } : this.#refuse(answer, "probed");
    });
  }

  async #mustRefuse(headers: Readonly<Record<string, string>>, condition: string): Promise<void> {
    if (!(await this.#writesScratch(headers))) return;
    throw new StoreFailedError(
      say`${bare({ lock: this.name })} cannot be used: the server ignores \`${bare({ field: condition })}\`, so two applies could run at the same time`,
      "use a server with conditional writes, a bucket without versions if this one ignores them only there, or another store",
    );
  }

  #deleted(): StoreFailedError {
    return new StoreFailedError(
      say`${bare({ lock: this.name })} was deleted`,
      "remove its delete marker in the bucket, which brings the state back; to begin anew, remove all its versions",
    );
  }

  #refuse(answer: Answer | Fault, doing: Doing): RefusedRequest {
    return refusalOf(answer, doing, this.name);
  }
}

const scratch = '{"format":"agentform/s3-probe/v1"}\n';

// Some servers answer 304 to a write that must not replace, and 404 to one that must replace what is not there.
function isRefused(answer: Answer | Fault): boolean {
  if (!answer.ok) return false;
  const { status } = answer;
  return status === 412 || status === 304 || (status === 404 && errorCode(answer) === "NoSuchKey");
}
