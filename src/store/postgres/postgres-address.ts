import { readFileSync } from "node:fs";
import { checkServerIdentity, createSecureContext, type ConnectionOptions } from "node:tls";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { isLoopback } from "../../service/address.js";
import { Secret, type SecretSource } from "../../service/secret.js";
import { readCertificates, trustWithFile } from "../network/access.js";

/** Where a database is, and how it is reached. */
export interface PostgresAddress {
  /** A name, an IP address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | undefined;
  /** Undefined for a line without TLS, which does not leave this machine. */
  readonly tls: ConnectionOptions | undefined;
  readonly applicationName: string;
  /** What the server is told at the start, as PGOPTIONS has it. */
  readonly options: string | undefined;
  /** In milliseconds. */
  readonly connectTimeout: number;
}

/** Reads a URL and the PG* variables of libpq, which fill in what it leaves out; throws StoreFailedError. */
export function readAddress(
  url: string | undefined,
  secrets: SecretSource,
  caFile: string | undefined,
): PostgresAddress {
  const parts = url === undefined ? undefined : parseUrl(url);
  const given = (key: keyof typeof variables): string | undefined =>
    parts?.get(key) ?? secrets(variables[key])?.unwrap();
  refuseUnsupported(parts, secrets);
  const user = given("user");
  const host = given("host");
  if (host === undefined) throw missing("host", parts !== undefined);
  if (user === undefined) throw missing("user", parts !== undefined);
  if (host.includes(",")) {
    throw wrong("several hosts are given, and agentform connects to one", "name the primary server alone");
  }
  // The manifest chooses the variable with the URL, so it could choose one that leads elsewhere.
  const password = parts?.has("host") ? parts.get("password") : given("password");
  return {
    host,
    port: wholeNumber(given("port") ?? "5432", "port", 1, 65_535),
    database: given("dbname") ?? user,
    user,
    password: password === undefined ? undefined : new Secret(password),
    tls: tlsOf(host, given, caFile),
    applicationName: given("application_name") ?? "agentform",
    options: given("options"),
    connectTimeout:
      1000 * wholeNumber(given("connect_timeout") ?? "10", "connect_timeout", 0, 3600) || 10_000,
  };
}

/** Gives the name of a database for messages, without user and password. */
export function nameOf({ host, port, database }: PostgresAddress, schema: string): string {
  const at = host.startsWith("/") ? "" : host.includes(":") ? `[${host}]` : host;
  const path = encodeURIComponent(database);
  return `postgres://${at}${port === 5432 ? "" : `:${port}`}/${path}?schema=${schema}`;
}

const variables = {
  host: "PGHOST",
  port: "PGPORT",
  dbname: "PGDATABASE",
  user: "PGUSER",
  password: "PGPASSWORD",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  application_name: "PGAPPNAME",
  options: "PGOPTIONS",
  connect_timeout: "PGCONNECT_TIMEOUT",
} as const;

type Given = (key: keyof typeof variables) => string | undefined;

/** What would lead elsewhere if it were ignored, with its variable. */
const unsupported = { service: "PGSERVICE", hostaddr: "PGHOSTADDR" } as const;

function refuseUnsupported(parts: ReadonlyMap<string, string> | undefined, secrets: SecretSource): void {
  for (const [key, variable] of Object.entries(unsupported)) {
    if (!parts?.has(key) && secrets(variable) === undefined) continue;
    throw wrong(`${parts?.has(key) ? `\`${key}\`` : variable} is not supported`, "give the host instead");
  }
}

// Nothing of it is quoted: it contains the password.
function parseUrl(text: string): ReadonlyMap<string, string> {
  const usage = "it must be a URL such as `postgres://user:password@db.example.com/database`";
  const url = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) {
    const hint =
      "encode what is special in a password, such as `@` as `%40`; several hosts are not supported";
    throw wrong(`the address of the database is not usable: ${usage}`, hint);
  }
  try {
    const found: [string, string][] = [
      ["host", decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, "$1"))],
      ["port", url.port],
      ["user", decodeURIComponent(url.username)],
      ["password", decodeURIComponent(url.password)],
      ["dbname", decodeURIComponent(url.pathname.slice(1))],
    ];
    const parts = new Map(url.searchParams);
    for (const [key, value] of found) if (value !== "") parts.set(key, value);
    return parts;
  } catch {
    throw wrong(`the address of the database is not usable: ${usage}`, "encode `%` in a password as `%25`");
  }
}

function missing(key: "host" | "user", isOfUrl: boolean): StoreFailedError {
  const what = key === "host" ? "address" : "user name";
  const message = `the database of the state has no ${what}: ${isOfUrl ? "its URL has none" : `${variables[key]} is not set`}`;
  const hint =
    "set PGHOST, PGDATABASE, PGUSER and PGPASSWORD, or `url: ${env:DATABASE_URL}` in `spec.lock`; a pipeline of a fork has none of them";
  return new StoreFailedError(message, hint);
}

function wholeNumber(text: string, name: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value < least || value > most)
    throw wrong(`the ${name} of the database is not a usable number`, `it must be from ${least} to ${most}`);
  return value;
}

/** The password leaves this machine only after a checked certificate; `require` counts as `verify-full`. */
function tlsOf(host: string, given: Given, caFile: string | undefined): ConnectionOptions | undefined {
  if (host.startsWith("/")) return undefined;
  const isLocal = isLoopback(host) || host === "::1";
  const mode = given("sslmode") ?? (isLocal ? "disable" : "verify-full");
  if (["disable", "allow", "prefer"].includes(mode)) {
    if (isLocal) return undefined;
    throw wrong(
      `the sslmode \`${mode}\` does not protect the password on the way to the database`,
      "use `verify-full`, and name its certificates with PGSSLROOTCERT if they are your own",
    );
  }
  if (!["require", "verify-ca", "verify-full"].includes(mode)) {
    throw wrong("the sslmode is unknown", "use `verify-full`, or `verify-ca` with PGSSLROOTCERT");
  }
  const root = given("sslrootcert");
  const ca = trustOf(caFile, root === "system" ? undefined : root);
  if (mode === "verify-ca" && ca === undefined) {
    throw wrong(
      "the sslmode `verify-ca` accepts any server that a public authority knows",
      "name your own certificates with PGSSLROOTCERT, or use `verify-full`",
    );
  }
  return {
    ...(ca && { ca }),
    ...identityOf(given),
    rejectUnauthorized: true,
    // For an address without a name, Node would check the certificate against `localhost`.
    checkServerIdentity: (_name, certificate) =>
      mode === "verify-ca" ? undefined : checkServerIdentity(host, certificate),
  };
}

function trustOf(caFile: string | undefined, root: string | undefined): string[] | undefined {
  if (caFile !== undefined) return trustWithFile(caFile);
  return root === undefined ? undefined : [readCertificates(root, "the file of PGSSLROOTCERT")];
}

function identityOf(given: Given): { readonly cert: string; readonly key: string } | undefined {
  const [certFile, keyFile] = [given("sslcert"), given("sslkey")];
  if (certFile === undefined && keyFile === undefined) return undefined;
  try {
    const identity = { cert: readFileSync(certFile ?? "", "utf8"), key: readFileSync(keyFile ?? "", "utf8") };
    createSecureContext(identity);
    return identity;
  } catch {
    throw wrong(
      "the client certificate or its key cannot be used",
      "PGSSLCERT and PGSSLKEY are PEM files that belong together",
    );
  }
}

function wrong(message: string, hint: string): StoreFailedError {
  return new StoreFailedError(message, hint);
}
