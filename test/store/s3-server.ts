import { createHash } from "node:crypto";
import type { ServerOptions } from "node:https";
import { FaultyServer, type Received, type ServerAnswer } from "./faulty-server.js";
import { signatureFault, type AccessKey } from "./s3-signature.js";

/** How a server behaves. */
export interface S3ServerOptions {
  /** The keys that it knows; one of `accessKey` unless given. */
  readonly keys?: readonly AccessKey[];
  readonly region?: string;
  /** Conditions of a write that it does not look at. */
  readonly ignores?: readonly ("if-match" | "if-none-match")[];
  /** Whether it compares an ETag as it is, and knows its own without quotes, as Ceph 16 does. */
  readonly isBare?: boolean;
  /** Whether it tells the ETag of what was written. */
  readonly isSilent?: boolean;
  /** Whether it keeps versions; `none` if it does not know of any. */
  readonly versions?: "kept" | "not-kept" | "none";
  /** Whether it lists all versions, whatever number it is asked for. */
  readonly listsAll?: boolean;
  readonly tls?: ServerOptions;
}

/** The key that a server knows. */
export const accessKey: AccessKey = { id: "AKIACANARY0ACCESSKEY", secret: "s3cr3t/canary+acc3ss" };

interface Version {
  readonly id: string;
  readonly etag: string;
  /** Undefined for a delete marker. */
  readonly text: string | undefined;
  readonly at: Date;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A server of S3's protocol as AWS documents it, with buckets by path; it checks every signature. */
export class S3Server extends FaultyServer {
  options: S3ServerOptions;
  readonly #buckets = new Map<string, Map<string, Version[]>>([["test-bucket", new Map()]]);
  #count = 0;

  private constructor(options: S3ServerOptions) {
    super(options.tls);
    this.options = options;
  }

  static async start(options: S3ServerOptions = {}): Promise<S3Server> {
    const made = new S3Server(options);
    await made.listen();
    return made;
  }

  /** The present text of an object; null for none. */
  text(key: string): string | null {
    return this.#object(key).at(-1)?.text ?? null;
  }

  /** The members of the present text of an object. */
  state(key: string): Record<string, unknown> | null {
    const text = this.text(key);
    return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
  }

  /** All texts that an object ever had. */
  written(key: string): string[] {
    return this.#object(key).flatMap(({ text }) => text ?? []);
  }

  /** Puts a text at a key, as another program would; undefined deletes it. */
  put(key: string, text: string | undefined, metadata: Version["metadata"] = {}): void {
    this.#object(key).push(this.#version(text, metadata));
  }

  /** Copies an object to another key, with its metadata, as `aws s3 cp` does. */
  copy(from: string, to: string, id?: string): void {
    const version = this.#object(from).findLast((each) => id === undefined || each.id === id);
    if (version) this.#object(to).push(this.#version(version.text, version.metadata));
  }

  /** The ID of the present version of an object. */
  versionOf(key: string): string | undefined {
    return this.#object(key).at(-1)?.id;
  }

  /** Makes a backup of all objects with their versions, and gives how it is put back. */
  backUp(): () => Promise<void> {
    const kept = this.#copy();
    return async () => {
      const objects = this.#buckets.get("test-bucket");
      objects?.clear();
      for (const [key, versions] of kept) objects?.set(key, [...versions]);
    };
  }

  /** Gives how the present versions of all objects are put on top of later ones. */
  setBack(): () => Promise<void> {
    const kept = this.#copy();
    return async () => {
      for (const [key, versions] of kept) {
        const present = versions.at(-1);
        if (present) this.#object(key).push(this.#version(present.text, present.metadata));
      }
    };
  }

  #copy(): [string, Version[]][] {
    const objects = this.#buckets.get("test-bucket") ?? new Map<string, Version[]>();
    return [...objects].map(([key, versions]) => [key, [...versions]]);
  }

  /** All keys that have an object. */
  keys(): string[] {
    return [...(this.#buckets.get("test-bucket") ?? new Map<string, Version[]>())].flatMap(
      ([key, versions]) => (versions.length > 0 ? [key] : []),
    );
  }

  protected async act(request: Received): Promise<ServerAnswer> {
    const { keys = [accessKey], region = "us-east-1" } = this.options;
    const fault = await signatureFault(request, keys, region);
    if (fault === "AuthorizationHeaderMalformed") {
      return failure(400, fault, `<Region>${region}</Region>`);
    }
    if (fault !== undefined) return failure(statusOf(fault), fault);
    const { pathname, searchParams } = new URL(request.url, this.origin);
    const [, bucket = "", path = ""] = /^\/([^/]+)\/?(.*)$/.exec(pathname) ?? [];
    const objects = this.#buckets.get(bucket);
    if (!objects) return failure(404, "NoSuchBucket");
    const key = decodeURIComponent(path);
    if (key === "")
      return searchParams.has("versions") ? this.#list(searchParams) : failure(501, "NotImplemented");
    if (request.method === "PUT") return this.#write(request, key);
    if (request.method !== "GET" && request.method !== "HEAD") return failure(405, "MethodNotAllowed");
    const answer = this.#read(key, searchParams.get("versionId"));
    return request.method === "HEAD" ? { ...answer, text: "" } : answer;
  }

  #read(key: string, versionId: string | null): ServerAnswer {
    const versions = this.#object(key);
    const version = versionId === null ? versions.at(-1) : versions.find(({ id }) => id === versionId);
    if (!version) return failure(404, versionId === null ? "NoSuchKey" : "NoSuchVersion");
    if (version.text === undefined) {
      return { ...failure(404, "NoSuchKey"), headers: { "x-amz-delete-marker": "true" } };
    }
    const headers = {
      "content-type": "application/json",
      "last-modified": version.at.toUTCString(),
      etag: version.etag,
      ...(this.options.versions === "kept" && { "x-amz-version-id": version.id }),
      ...version.metadata,
    };
    return { status: 200, text: version.text, headers };
  }

  #write({ headers, body }: Received, key: string): ServerAnswer {
    const { ignores = [], isBare = false, isSilent = false } = this.options;
    const [match, none] = (["if-match", "if-none-match"] as const).map((name) =>
      ignores.includes(name) ? undefined : headers[name],
    );
    const present = this.#object(key).at(-1);
    const exists = present?.text !== undefined;
    if (none !== undefined && none !== "*") return failure(501, "NotImplemented");
    if (none === "*" && exists) return failure(412, "PreconditionFailed");
    if (match !== undefined && !exists) return failure(404, "NoSuchKey");
    const own = present?.etag.replaceAll('"', "");
    const given = isBare ? match : String(match).replaceAll('"', "");
    if (match !== undefined && given !== own) return failure(412, "PreconditionFailed");
    const metadata = Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        name.startsWith("x-amz-meta-") ? [[name, String(value)]] : [],
      ),
    );
    const version = this.#version(body, metadata);
    if (this.options.versions === "kept") this.#object(key).push(version);
    else this.#object(key).splice(0, Number.POSITIVE_INFINITY, { ...version, id: "null" });
    return { status: 200, headers: isSilent ? {} : { etag: version.etag } };
  }

  #list(query: URLSearchParams): ServerAnswer {
    if (this.options.versions === "none") return failure(501, "NotImplemented");
    const limit = this.options.listsAll ? Number.POSITIVE_INFINITY : Number(query.get("max-keys") ?? "1000");
    const prefix = query.get("prefix") ?? "";
    const objects = [...(this.#buckets.get("test-bucket") ?? new Map<string, Version[]>())].toSorted(
      ([one], [other]) => (one < other ? -1 : 1),
    );
    const elements = objects
      .filter(([key]) => key.startsWith(prefix))
      .flatMap(([key, versions]) =>
        versions.toReversed().map(({ id, at, etag, text }, index) => {
          const name = text === undefined ? "DeleteMarker" : "Version";
          return `<${name}><Key>${key}</Key><VersionId>${id}</VersionId><IsLatest>${index === 0}</IsLatest><LastModified>${at.toISOString()}</LastModified><ETag>${etag.replaceAll('"', "&quot;")}</ETag><Size>${text?.length ?? 0}</Size></${name}>`;
        }),
      )
      .slice(0, limit);
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<ListVersionsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>test-bucket</Name>${elements.join("")}</ListVersionsResult>`;
    return { status: 200, text, headers: { "content-type": "application/xml" } };
  }

  #version(text: string | undefined, metadata: Version["metadata"]): Version {
    this.#count++;
    const etag = `"${createHash("md5")
      .update(text ?? "")
      .digest("hex")}"`;
    return { id: `v${this.#count}`, etag, text, at: new Date(), metadata };
  }

  #object(key: string): Version[] {
    const objects = this.#buckets.get("test-bucket") ?? new Map<string, Version[]>();
    const versions = objects.get(key) ?? [];
    objects.set(key, versions);
    return versions;
  }
}

function failure(status: number, code: string, more = ""): ServerAnswer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>as documented</Message>${more}<RequestId>4442587FB7D0A2F9</RequestId></Error>`;
  return { status, text, headers: { "content-type": "application/xml" } };
}

function statusOf(code: string): number {
  return code === "ExpiredToken" || code === "InvalidToken" || code === "XAmzContentSHA256Mismatch"
    ? 400
    : 403;
}
