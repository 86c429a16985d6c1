import type { Json } from "../json/json.js";
import { parseJson } from "../json/parse-json.js";
import { valueAt } from "../json/path.js";
import { ForgeError } from "./discussion.js";
import { patientFetch, type Clock } from "./patient-fetch.js";

/** How messages name the forge. */
export const forge = "GitLab";

/** An answer that is not a success. */
export class StatusError extends Error {
  constructor(
    readonly status: number,
    readonly isTooLong: boolean,
  ) {
    super(`status ${status}`);
  }
}

interface GitlabAnswer {
  readonly body: Json;
  /** The query of the next page of a list. */
  readonly next: string | undefined;
}

const pageSize = "100";

/** GitLab's REST API under one address and with one token; what fails throws StatusError or ForgeError. */
export class GitlabApi {
  readonly #root: string;
  readonly #token: string;
  readonly #fetch: ReturnType<typeof patientFetch>;

  /** Takes the address of the API, such as `https://gitlab.example.com/api/v4`; throws SurroundingsError. */
  constructor(address: string, token: string, clock: Clock) {
    this.#root = address.replace(/\/$/, "");
    this.#token = token;
    this.#fetch = patientFetch(forge, address, clock);
  }

  async read(path: string): Promise<Json> {
    return (await this.#send("GET", path)).body;
  }

  /** Reads a list, a page whenever the one before is used up. */
  async *list(path: string, query: Readonly<Record<string, string>> = {}): AsyncGenerator<Json, void> {
    let next: string | undefined = new URLSearchParams({ per_page: pageSize, ...query }).toString();
    while (next !== undefined) {
      const page: GitlabAnswer = await this.#send("GET", `${path}?${next}`);
      if (!Array.isArray(page.body)) throw unreadable();
      yield* page.body;
      next = page.next;
    }
  }

  /** Creates or changes an object, which has an ID. */
  async write(method: "POST" | "PUT", path: string, body: object): Promise<void> {
    const answer = await this.#send(method, path, body);
    if (typeof valueAt(answer.body, ["id"]) !== "number") throw unreadable();
  }

  async #send(method: string, path: string, body?: object): Promise<GitlabAnswer> {
    const response = await this.#fetch(`${this.#root}/${path}`, {
      method,
      headers: {
        "private-token": this.#token,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new StatusError(response.status, /too long/i.test(text));
    const { value: read } = parseJson(text);
    if (read === undefined) throw unreadable();
    return { body: read, next: nextQuery(response.headers.get("link")) };
  }
}

/** The failure for an answer that is not as GitLab's documentation has it. */
export function unreadable(): ForgeError {
  return new ForgeError(`${forge} gave an answer that cannot be read: is CI_API_V4_URL right?`);
}

// The query alone: the token goes nowhere else, and GitLab behind a proxy may give an address that is not its own.
function nextQuery(link: string | null): string | undefined {
  return /<[^<>?]*\?([^<>]*)>;[^<]*\brel="next"/.exec(link ?? "")?.[1];
}
