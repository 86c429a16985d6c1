import type { Fault } from "../../service/fault.js";
import Client from "pg/lib/client.js";
import type { Secret } from "../../service/secret.js";
import type { PostgresAddress } from "./postgres-address.js";

/** One statement, or several without values, which are one transaction. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly (string | number | null | readonly string[])[];
  /** Whether its answer has whole locks and journals; any other answer is short. */
  readonly isLarge?: boolean;
}

/** One row of an answer; values are texts as the server writes them. */
export type Row = Readonly<Record<string, string | null>>;

/** The rows of an answer. */
export type Rows = readonly Row[];

/** Why there is no answer, by a code alone: what a server says may repeat a secret. */
export interface PostgresFault extends Omit<Fault, "head"> {
  /** Whether the code is an SQLSTATE; else it is one of the system or of TLS, or one of `driverCodes`. */
  readonly isSqlState: boolean;
}

/** What was answered, or why there is no answer. */
export type Answered<Value> = { readonly ok: true; readonly value: Value } | PostgresFault;

/** How long an answer may be in bytes: of a lock and a journal, which may have 500 MB each, and of anything else. */
const most = { large: 1_050_000_000, short: 16_000_000 };

/** How many messages an answer may have, and how many columns: of each row an object with all of them is kept. */
const mostMessages = 250_000;
const mostColumns = 32;

/** How often a password may be hashed to prove it; PostgreSQL has 4096 unless it is told otherwise. */
const mostRounds = 1_000_000;

/** What the driver says where there is no code. */
const driverCodes: readonly (readonly [RegExp, string])[] = [
  [/^The server does not support SSL/, "NO_TLS"],
  [/^There was an error establishing an SSL/, "NO_POSTGRES"],
  [/^SASL: Only mechanism/, "NO_SCRAM"],
  [/^SASL: SCRAM-SERVER-FIRST-MESSAGE: client password/, "NO_PASSWORD"],
  [/^SASL/, "NO_PROOF"],
  [/^too much$/, "NO_END"],
  [/^Connection terminated/, "ECONNRESET"],
  [/^(Unknown authentication|received invalid response|Received unexpected)/, "NO_POSTGRES"],
];

/** A connection, opened when needed; without named statements and settings, for a pooler may use any session. */
export class PostgresLine {
  #client: Client | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly address: PostgresAddress,
    /** After so many milliseconds without any sign of the server a statement is given up. */
    private readonly timeout: number,
    /** After so many milliseconds it is given up whatever the server sends. */
    private readonly longest: number,
  ) {}

  /** Runs one statement after the other. Never throws for what a server or the network does: that is a fault. */
  async query(statement: Statement): Promise<Answered<Rows>> {
    const answer = this.#turn.then(() => this.#ask(statement));
    this.#turn = answer.catch(() => undefined);
    return await answer;
  }

  async #ask(statement: Statement): Promise<Answered<Rows>> {
    if (!this.#client) {
      const opened = await this.#open();
      if (!opened.ok) return opened;
      this.#client = opened.value;
    }
    const client = this.#client;
    const { stream } = client.connection;
    const progress = (): string => `${stream.bytesRead} ${stream.writableLength}`;
    const { isLarge = false, ...query } = statement;
    const bounds = { timeout: this.timeout, longest: this.longest, most: isLarge ? most.large : most.short };
    const asked = await watched(client, bounds, progress, () => client.query(query));
    if (asked.ok) return { ok: true, value: (asked.value.rows ?? []) as Rows };
    // After an error in a statement the session goes on; after any other there is none.
    if (!asked.isSqlState || isOfSession(asked.code)) this.close();
    return asked;
  }

  close(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.connection.end();
    // A server that is gone never closes its side.
    client?.connection.stream.unref();
  }

  async #open(): Promise<Answered<Client>> {
    const { host, port, database, user, password, tls, applicationName, options } = this.address;
    const client = new Client({
      host,
      port,
      database,
      user,
      password: passwordOf(password),
      ssl: tls ?? false,
      sslnegotiation: "postgres",
      application_name: applicationName,
      ...(options !== undefined && { options }),
      client_encoding: "UTF8",
      keepAlive: true,
      types: { getTypeParser: () => (text) => text },
    });
    const forget = (): void => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on("error", forget).once("end", forget);
    guard(client);
    const { connectTimeout } = this.address;
    const opened = await watched(
      client,
      { timeout: connectTimeout, longest: connectTimeout, most: most.short },
      () => "",
      () => client.connect(),
    );
    if (opened.ok) return { ok: true, value: client };
    client.connection.stream.destroy();
    return { ...opened, mayHaveArrived: false };
  }
}

// The driver throws in mid-read what it cannot parse, keeps any length of answer and any row, and hashes as often as asked.
function guard({ connection }: Client): void {
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    attach(stream);
    for (const parse of stream.listeners("data")) {
      stream.off("data", parse as () => void).on("data", (bytes: Buffer) => {
        try {
          if (stream.bytesRead > (limits.get(connection)?.end ?? Infinity)) throw new Error(tooMuch);
          parse(bytes);
        } catch (thrown) {
          const isLong = thrown instanceof Error && thrown.message === tooMuch;
          stream.destroy(isLong ? thrown : Object.assign(new Error("not parsed"), { code: "NO_POSTGRES" }));
        }
      });
    }
  };
  connection.on("message", ({ fields = [] }: { readonly fields?: readonly unknown[] }) => {
    const limit = limits.get(connection);
    // Thrown, it also ends the reading of the bytes that are there.
    if (fields.length > mostColumns || (limit && --limit.messages < 0)) throw new Error(tooMuch);
  });
  connection.prependListener("authenticationSASLContinue", ({ data = "" }) => {
    const [, rounds = "0"] = /(?:^|,)i=(\d+)/.exec(data) ?? [];
    if (Number(rounds) <= mostRounds) return;
    connection.stream.destroy(Object.assign(new Error("too many rounds"), { code: "NO_POSTGRES" }));
    connection.removeAllListeners("authenticationSASLContinue");
  });
}

const tooMuch = "too much";

/** Up to which byte a connection is read, and how many messages may still come. */
const limits = new WeakMap<Client["connection"], { readonly end: number; messages: number }>();

// The driver reads a file of passwords if it is given none.
function passwordOf(password: Secret | undefined): () => string {
  return () => {
    if (password === undefined) throw Object.assign(new Error("no password"), { code: "NO_PASSWORD" });
    return password.unwrap();
  };
}

/** How long is waited, in milliseconds, without a sign of the server and in all, and how many bytes are read. */
interface Bounds {
  readonly timeout: number;
  readonly longest: number;
  readonly most: number;
}

/** Waits for an answer, and longer as long as there is progress, up to a bound. */
async function watched<Value>(
  client: Client,
  { timeout, longest, most }: Bounds,
  progress: () => string,
  run: () => Promise<Value>,
): Promise<Answered<Value>> {
  const { connection } = client;
  let waited: number | undefined;
  const giveUp = (after: number): void => {
    waited = after;
    connection.stream.destroy(new Error("late"));
  };
  let before = progress();
  const timer = setInterval(() => {
    const now = progress();
    if (now === before) giveUp(timeout);
    before = now;
  }, timeout);
  const end = setTimeout(() => giveUp(longest), longest);
  limits.set(connection, { end: connection.stream.bytesRead + most, messages: mostMessages });
  try {
    return { ok: true, value: await run() };
  } catch (thrown) {
    const fault = { ok: false, ...faultOf(thrown), mayHaveArrived: true } as const;
    return waited === undefined ? fault : { ...fault, code: "ETIMEDOUT", isSqlState: false, waited };
  } finally {
    clearInterval(timer);
    clearTimeout(end);
  }
}

// The error itself may know the statement, and its text what is in it.
function faultOf(thrown: unknown): Pick<PostgresFault, "code" | "isSqlState"> {
  if (!(thrown instanceof Error)) throw thrown;
  const known = driverCodes.find(([pattern]) => pattern.test(thrown.message))?.[1];
  if (known !== undefined) return { code: known, isSqlState: false };
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  return { code, isSqlState: "severity" in thrown && /^[0-9A-Z]{5}$/.test(code) };
}

// A new session may be one of the server that has taken the place of one that can only be read.
function isOfSession(sqlState: string): boolean {
  return /^(08|28|57P|53300|3D000|25006|25P03)/.test(sqlState);
}
