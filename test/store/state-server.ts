import { createHash } from "node:crypto";
import type { ServerOptions } from "node:https";
import { FaultyServer, type Received } from "./faulty-server.js";

/** How a server behaves. */
export interface StateServerOptions {
  /** The protocol as Terraform documents it, or as GitLab serves it; `plain` unless given. */
  readonly form?: "plain" | "gitlab";
  /** What a plain server answers to who asks for a lock that another has; 423 unless given. */
  readonly locked?: 409 | 423;
  /** What it says of the holder then: the body of its LOCK, nothing, or something else. */
  readonly tells?: "holder" | "nothing" | "garbage";
  /** Whether a plain server gives the lock again to the ID that has it. */
  readonly isIdempotent?: boolean;
  /** Whether a plain server writes for any ID. */
  readonly isLenient?: boolean;
  /** What a plain server answers when there is no state; 404 unless given. */
  readonly none?: 200 | 204 | 404;
  /** What a plain server answers to a write; 200 unless given. */
  readonly written?: 200 | 201 | 204;
  /** User name and password that are needed. */
  readonly credentials?: string;
  /** The role of the user in GitLab. */
  readonly role?: "reporter" | "developer" | "maintainer";
  /** The largest state, in bytes. */
  readonly largest?: number;
  readonly tls?: ServerOptions;
}

interface Kept {
  lock: Record<string, unknown> | undefined;
  readonly versions: { readonly serial: number; readonly text: string }[];
}

/** A server of Terraform's HTTP state protocol, written from its documentation and from GitLab's. */
export class StateServer extends FaultyServer {
  options: StateServerOptions;
  readonly #states = new Map<string, Kept>();

  private constructor(options: StateServerOptions) {
    super(options.tls);
    this.options = options;
  }

  static async start(options: StateServerOptions = {}): Promise<StateServer> {
    const made = new StateServer(options);
    await made.listen();
    return made;
  }

  /** The address of GitLab's API. */
  get api(): string {
    return `${this.origin}/api/v4`;
  }

  /** The present text of a state; null for none. */
  text(path: string): string | null {
    return this.#states.get(path)?.versions.at(-1)?.text ?? null;
  }

  /** Loses all states, as a server does that was set up anew. */
  forget(): void {
    this.#states.clear();
  }

  /** Makes a backup of all states, and gives how it is put back. */
  backUp(): () => Promise<void> {
    const kept = [...this.#states].map(([path, { lock, versions }]) => ({
      path,
      lock,
      versions: [...versions],
    }));
    return async () => {
      this.#states.clear();
      for (const { path, lock, versions } of kept) this.#states.set(path, { lock, versions: [...versions] });
    };
  }

  /** The members of the present text of a state. */
  state(path: string): Record<string, unknown> | null {
    const text = this.text(path);
    return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
  }

  /** All texts that a state ever had. */
  versions(path: string): string[] {
    return this.#states.get(path)?.versions.map(({ text }) => text) ?? [];
  }

  /** The ID that has the lock of a state. */
  lockOf(path: string): unknown {
    return this.#states.get(path)?.lock?.["ID"];
  }

  /** Puts a text at a path, as another program would. */
  put(path: string, text: string): void {
    this.#keep(path).versions.push({ serial: Number.NaN, text });
  }

  /** Takes the lock of a state away, as a person does with a button. */
  forceUnlock(path: string): void {
    this.#keep(path).lock = undefined;
  }

  protected act(request: Received): { status: number; text?: string } {
    const { credentials } = this.options;
    if (credentials !== undefined) {
      const sent = String(request.headers.authorization ?? "");
      const expected = `Basic ${Buffer.from(credentials).toString("base64")}`;
      if (sent !== expected) return { status: 401, text: '{"message":"401 Unauthorized"}' };
    }
    const digest = request.headers["content-md5"];
    const isWhole = digest === createHash("md5").update(request.body).digest("base64");
    if (digest !== undefined && !isWhole) return { status: 400, text: "the digest is wrong" };
    return this.options.form === "gitlab" ? this.#actAsGitlab(request) : this.#actPlainly(request);
  }

  #actPlainly({ method, url, body }: Received): { status: number; text?: string } {
    const { locked = 423, isIdempotent, isLenient, none = 404, written = 200 } = this.options;
    const { pathname, searchParams } = new URL(url, this.origin);
    const kept = this.#keep(pathname);
    const holder = kept.lock?.["ID"];
    const id = searchParams.get("ID");
    switch (method) {
      case "GET": {
        const text = this.text(pathname);
        return text === null ? { status: none } : { status: 200, text };
      }
      case "POST":
        if (!isLenient && holder !== undefined && id !== holder)
          return { status: locked, text: this.#tell(kept) };
        if (!isLenient && holder === undefined && id !== null) return { status: 409 };
        if (body.length > (this.options.largest ?? Number.POSITIVE_INFINITY)) return { status: 413 };
        kept.versions.push({ serial: 0, text: body });
        return { status: written };
      case "LOCK": {
        const info = JSON.parse(body) as Record<string, unknown>;
        const isOwn = isIdempotent === true && holder === info["ID"];
        if (holder !== undefined && !isOwn) return { status: locked, text: this.#tell(kept) };
        kept.lock = info;
        return { status: 200 };
      }
      case "UNLOCK": {
        const given = body === "" ? undefined : (JSON.parse(body) as Record<string, unknown>)["ID"];
        if (given !== undefined && holder !== undefined && given !== holder) return { status: locked };
        kept.lock = undefined;
        return { status: 200 };
      }
      default:
        return { status: 405 };
    }
  }

  #tell({ lock }: Kept): string {
    const { tells = "holder" } = this.options;
    if (tells === "garbage") return "<html>\u0007 locked \u001b[31m by somebody";
    return tells === "nothing" ? "" : JSON.stringify(lock ?? {});
  }

  #actAsGitlab({ method, url, headers, body }: Received): { status: number; text?: string } {
    const { role = "maintainer", largest = Number.POSITIVE_INFINITY } = this.options;
    const { pathname, searchParams } = new URL(url, this.origin);
    const [, project, name, lock] =
      /^\/api\/v4\/projects\/([^/]+)\/terraform\/state\/([^/]+)(\/lock)?$/.exec(pathname) ?? [];
    if (project === undefined || name === undefined)
      return { status: 404, text: '{"error":"404 Not Found"}' };
    if (project === "nowhere") return { status: 404, text: '{"message":"404 Project Not Found"}' };
    if (role === "reporter") return { status: 403, text: '{"message":"403 Forbidden"}' };
    if (method !== "GET" && role !== "maintainer")
      return { status: 403, text: '{"message":"403 Forbidden"}' };
    const path = pathname.replace(/\/lock$/, "");
    const isJson = headers["content-type"] === "application/json";
    const members = isJson && body !== "" ? (JSON.parse(body) as Record<string, unknown>) : {};
    const parameters = { ...Object.fromEntries(searchParams), ...members };
    if (lock !== undefined) return this.#lockAsGitlab(method, path, parameters);
    const kept = this.#states.get(path);
    if (method === "GET") {
      if (kept === undefined) return { status: 404, text: '{"message":"404 Not found"}' };
      const text = this.text(path);
      return text === null ? { status: 204 } : { status: 200, text };
    }
    if (method !== "POST") return { status: 405 };
    if (body === "") return { status: 204 };
    if (Buffer.byteLength(body) > largest) return { status: 413, text: '{"message":"413 Too large"}' };
    // The query's own ID: a member `ID` of the state would take its place.
    if ((kept?.lock?.["ID"] ?? null) !== (parameters["ID"] ?? null)) {
      return { status: 500, text: '{"message":"500 Internal Server Error"}' };
    }
    const { serial } = parameters;
    if (typeof serial !== "number") return { status: 500, text: '{"message":"500 Internal Server Error"}' };
    const versions = this.#keep(path).versions;
    if (versions.some((version) => version.serial === serial)) {
      return { status: 422, text: '{"message":"PG::UniqueViolation: ERROR: duplicate key value"}' };
    }
    versions.push({ serial, text: body });
    versions.sort((one, other) => one.serial - other.serial);
    return { status: 200, text: "" };
  }

  #lockAsGitlab(
    method: string,
    path: string,
    parameters: Readonly<Record<string, unknown>>,
  ): { status: number; text?: string } {
    const { ID } = parameters;
    if (typeof ID === "string" && ID.length > 255) return { status: 400 };
    if (method === "DELETE") {
      const kept = this.#states.get(path);
      if (!kept) return { status: 404, text: '{"message":"404 Not found"}' };
      if (ID !== undefined && kept.lock?.["ID"] !== ID) return { status: 409, text: "" };
      kept.lock = undefined;
      return { status: 200, text: "" };
    }
    if (method !== "POST") return { status: 405 };
    const required = ["ID", "Operation", "Info", "Who", "Version", "Created", "Path"];
    const missing = required.filter((field) => typeof parameters[field] !== "string");
    if (missing.length > 0)
      return { status: 400, text: JSON.stringify({ error: `${missing.join()} is missing` }) };
    const kept = this.#keep(path);
    const isFree = kept.lock === undefined;
    if (isFree) kept.lock = { ID, Who: "robot", Created: "2026-01-02T03:04:05.678Z" };
    const { Operation, Info, Version, Path } = parameters;
    // What it says of the operation is of the request, even where the lock is another's.
    const text = JSON.stringify({ Operation, Info, Version, Path, ...kept.lock });
    return { status: isFree ? 200 : 409, text };
  }

  #keep(path: string): Kept {
    const kept = this.#states.get(path) ?? { lock: undefined, versions: [] };
    this.#states.set(path, kept);
    return kept;
  }
}
