/** The format of the tables; a change that an older version would misread gets a new one. */
export const tablesFormat = "agentform/postgres-state/v1";

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
  return `create table ${quoted(schema)}.format (format text primary key);
create table ${quoted(schema)}.states (
  workspace text not null,
  environment text not null,
  nonce text,
  holder text,
  seen timestamptz,
  number bigint not null default 0,
  digest text,
  records bigint not null default 0,
  primary key (workspace, environment)
);
create table ${quoted(schema)}.locks (
  workspace text not null,
  environment text not null,
  number bigint not null,
  serial bigint,
  at timestamptz not null,
  who text not null,
  lock text not null,
  primary key (workspace, environment, number)
);
create table ${quoted(schema)}.journal (
  workspace text not null,
  environment text not null,
  number bigint not null,
  record text not null,
  primary key (workspace, environment, number)
);
insert into ${quoted(schema)}.format values ('${tablesFormat}');
`;
}
