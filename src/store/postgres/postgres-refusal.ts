import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError } from "../../core/state/lock-store.js";
import { describeFault } from "../../service/fault.js";
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
  // No connection left, out of memory, going down or coming up, in each other's way, and faults of a pooler.
  if (isSqlState) return code !== diskFull && /^(08|53|57P0|40|55P03|25P03|57014|58)/.test(code);
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

function explainState(code: string, names: DatabaseNames): Explanation {
  const said = `(SQLSTATE ${code})`;
  switch (code) {
    case "28P01":
      return { why: `it does not accept the user name and password ${said}`, hint: setPassword };
    case "28000":
      return {
        why: `it does not let this user in from here ${said}`,
        hint: `${setPassword}; the server's pg_hba.conf says who may come from where, and whether with TLS`,
      };
    case "3D000":
      return {
        why: `there is no such database ${said}`,
        hint: "correct PGDATABASE or the URL, or create it",
      };
    case "42501":
      return {
        why: `the user is not allowed to ${said}`,
        hint: `as the owner of the schema: \`${grantsFor(names)}\` To plan, \`select\` is enough`,
      };
    case "25006":
      return { why: `it can only be read ${said}`, hint: "name the primary server, not a standby" };
    case "42P01":
    case "42703":
    case "3F000":
      return {
        why: `its tables are not those of agentform ${said}`,
        hint: `docs/reference/postgres-store.md has the tables; \`schema\` of \`spec.lock\` chooses a different schema`,
      };
    case diskFull:
      return { why: `its disk is full ${said}`, hint: "make room at the server, and run the command again" };
    case "54000":
    case "22P05":
    case "22021":
      return { why: `it cannot keep this text ${said}`, hint: "the database must have the encoding UTF8" };
  }
  return { why: `the server answered with an error ${said}`, hint: "the log of the server says more" };
}

function explainConnection(fault: PostgresFault): Explanation {
  switch (fault.code) {
    case "NO_TLS":
      return {
        why: "the server has no TLS, so the password was not sent",
        hint: "turn on TLS at the server; only a server on this machine is used without",
      };
    case "NO_POSTGRES":
      return {
        why: "what answers there is not PostgreSQL, or refuses TLS",
        hint: "check the host and the port",
      };
    case "NO_END":
      return {
        why: "the answer is longer than any lock may be",
        hint: "look at what is in the tables, and at what else answers there",
      };
    case "NO_SCRAM":
      return {
        why: "the server asks for a way to sign in that is not supported",
        hint: "use `scram-sha-256` in its pg_hba.conf",
      };
    case "NO_PASSWORD":
      return { why: "it needs a password", hint: setPassword };
    case "NO_PROOF":
      return {
        why: "the server did not prove that it knows the password",
        hint: setPassword,
      };
  }
  if (isOfCertificate(fault.code)) {
    return {
      why: describeFault(fault),
      hint: "name the certificates to trust with PGSSLROOTCERT, --ca-file or NODE_EXTRA_CA_CERTS; the host must be one that the certificate names",
    };
  }
  return {
    why: describeFault(fault),
    hint: "check host and port, and the network between this machine and the server",
  };
}

function isOfCertificate(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|TLS|SSL|EPROTO/.test(code);
}
