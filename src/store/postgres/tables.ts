/** The format of the tables; a change that an older version would misread gets a new one. */
export const tablesFormat = "agentform/postgres-state/v1";

/** The names of the tables. */
export const tableNames = ["format", "states", "locks", "journal"] as const;

/** Gives a name as SQL, whatever words SQL has of its own. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Gives a user's name as SQL in a message, whatever is in it. */
export function shownRole(user: string): string {
  return quoted(user.replaceAll(/[^\w.@ -]/g, "?"));
}

/** Gives the SQL that makes a schema. */
export function schemaSql(schema: string): string {
  return `create schema ${quoted(schema)};\n`;
}

/** Gives the SQL that makes the tables in a schema. */
export function tablesSql(schema: string): string {
  return `create table ${quoted(schema)}.format (format pg_catalog.text primary key);
create table ${quoted(schema)}.states (
  workspace pg_catalog.text not null,
  environment pg_catalog.text not null,
  nonce pg_catalog.text,
  holder pg_catalog.text,
  seen pg_catalog.timestamptz,
  number bigint not null default 0,
  digest pg_catalog.text,
  records bigint not null default 0,
  primary key (workspace, environment)
);
create table ${quoted(schema)}.locks (
  workspace pg_catalog.text not null,
  environment pg_catalog.text not null,
  number bigint not null,
  serial bigint,
  at pg_catalog.timestamptz not null,
  who pg_catalog.text not null,
  lock pg_catalog.text not null,
  primary key (workspace, environment, number)
);
create table ${quoted(schema)}.journal (
  workspace pg_catalog.text not null,
  environment pg_catalog.text not null,
  number bigint not null,
  record pg_catalog.text not null,
  primary key (workspace, environment, number)
);
insert into ${quoted(schema)}.format values ('${tablesFormat}');
`;
}
