import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { schemaSql, tablesSql } from "../../src/store/postgres/tables.js";
import { markedPart } from "./marked-part.js";
import { makePostgresMedium, usePostgres } from "../store/postgres-medium.js";

usePostgres();

const page = readFileSync("docs/reference/postgres-store.md", "utf8");
const sql = [...page.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, text = ""]) => text);

test("docs/reference/postgres-store.md has the SQL of the tables", () => {
  const begin = "<!-- begin: the tables, written by UPDATE_GOLDEN=1 npx vitest run test/docs -->";
  const current = `\`\`\`sql\n${schemaSql("agentform")}${tablesSql("agentform")}\`\`\``;
  expect(markedPart("docs/reference/postgres-store.md", begin, current)).toBe(current);
});

test("its other SQL runs", async () => {
  const medium = await makePostgresMedium();
  await medium.run('create role "deploy"; create role "planner"');
  await medium.run("create database SCHEMA");
  for (const text of sql.filter((one) => !one.startsWith("create schema"))) {
    const tables = sql.find((one) => one.startsWith('create schema "agentform";')) ?? "";
    await medium.server.run(`drop schema if exists agentform cascade; ${tables} ${text}`, medium.schema);
  }
});
