import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { describeFault, renewHint } from "../../service/fault.js";
import type { Doing } from "../network/refusal.js";
import type { PostgresFault } from "./postgres-line.js";
import { quoted, shownRole } from "./tables.js";

/** How messages name a database and its user. */
export interface DatabaseNames {
  readonly name: string;
  readonly schema: string;
  readonly user: string;
}

/** Explains a fault; quotes nothing that the server said. */
export function failureOf(fault: PostgresFault, doing: Doing, names: DatabaseNames): StoreFailedError {
  const { why, hint } = fault.isSqlState ? explainState(fault.code, names) : explainConnection(fault);
  const reason = bare({ reason: why, code: fault.code }, why);
  return new StoreFailedError(say`${bare({ lock: names.name })} could not be ${doing}: ${reason}`, hint);
}

/** Whether the same statement may be done later. */
export function isPassing({ code, isSqlState }: PostgresFault): boolean {
  // No connection or memory, down or coming up, in each other's way, a pooler's fault, another server taking over.
  if (isSqlState) return code !== diskFull && /^(08|53|57P0|40|55P03|25006|25P03|57014|58)/.test(code);
  return !code.startsWith("NO_") && !isOfCertificate(code);
}

const diskFull = "53100";

/** Gives the SQL that lets a user use the tables, for messages. */
function grantsFor({ schema, user }: DatabaseNames): string {
  const [at, role] = [quoted(schema), shownRole(user)];
  return `grant usage on schema ${at} to ${role}; grant select, insert, update, delete on all tables in schema ${at} to ${role};`;
}

interface Explanation {
  readonly why: string;
  readonly hint: string;
}

const setPassword =
  "set PGUSER and PGPASSWORD, or the variable of `spec.lock.url`; a pipeline of a fork has neither, so plan it where they are set";

const foreignTables: Explanation = {
  why: "its tables are not those of agentform",
  hint: "docs/reference/postgres-store.md has the tables; `schema` of `spec.lock` chooses a different schema",
};
const unkeepable: Explanation = {
  why: "it cannot keep this text",
  hint: "the database must have the encoding UTF8",
};

/** What an SQLSTATE says, but for a right that is missing. */
const states: ReadonlyMap<string, Explanation> = new Map(
  Object.entries({
    "28P01": { why: "it does not accept the user name and password", hint: setPassword },
    "28000": {
      why: "it does not let this user in from here",
      hint: `${setPassword}; the server's pg_hba.conf says who may come from where, and whether with TLS`,
    },
    "3D000": { why: "there is no such database", hint: "correct PGDATABASE or the URL, or create it" },
    "25006": {
      why: "it can only be read",
      hint: "name the primary server, not a standby; `default_transaction_read_only` of the server, the database or the user must be off",
    },
    "42P01": foreignTables,
    "42703": foreignTables,
    // No primary key.
    "42P10": foreignTables,
    "3F000": foreignTables,
    [diskFull]: { why: "its disk is full", hint: "make room at the server, and run the command again" },
    "54000": unkeepable,
    "22P05": unkeepable,
    "22021": unkeepable,
  }),
);

function explainState(code: string, names: DatabaseNames): Explanation {
  const notAllowed = {
    why: "the user is not allowed to",
    hint: `as the owner of the schema: \`${grantsFor(names)}\` To plan, \`select\` is enough`,
  };
  const other = { why: "the server answered with an error", hint: "the log of the server says more" };
  const { why, hint } = code === "42501" ? notAllowed : (states.get(code) ?? other);
  return { why: `${why} (SQLSTATE ${code})`, hint };
}

/** What the driver says where there is no SQLSTATE. */
const connections: ReadonlyMap<string, Explanation> = new Map(
  Object.entries({
    NO_TLS: {
      why: "the server has no TLS, so the password was not sent",
      hint: "turn on TLS at the server; only a server on this machine is used without",
    },
    NO_POSTGRES: {
      why: "what answers there is not PostgreSQL, or refuses TLS",
      hint: "check the host and the port",
    },
    NO_END: {
      why: "the answer is longer than any lock may be",
      hint: "look at what is in the tables, and at what else answers there",
    },
    NO_SCRAM: {
      why: "the server asks for a way to sign in that is not supported",
      hint: "use `scram-sha-256` in its pg_hba.conf",
    },
    NO_PASSWORD: { why: "it needs a password", hint: setPassword },
    NO_PROOF: { why: "the server did not prove that it knows the password", hint: setPassword },
  }),
);

function explainConnection(fault: PostgresFault): Explanation {
  const hint = isOfCertificate(fault.code)
    ? "name the certificates to trust with PGSSLROOTCERT, --ca-file or NODE_EXTRA_CA_CERTS; the host must be one that the certificate names"
    : "check host and port, and the network between this machine and the server";
  return connections.get(fault.code) ?? { why: describeFault(fault), hint: renewHint(fault.code) ?? hint };
}

function isOfCertificate(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|TLS|SSL|EPROTO/.test(code);
}
