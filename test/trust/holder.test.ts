import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { documents, openDesk } from "../cli/desk.js";

const record = { nonce: "0123456789abcdef", pid: 7, host: "elsewhere", since: "2026-01-02T03:04:05.000Z" };
const hostile = `\u001B[2J\n::error::\u202E${"x".repeat(200_000)}`;

test.each([
  ["a host", { host: hostile }],
  ["a time", { since: hostile }],
  ["a sign of life", { seen: hostile }],
  ["a nonce", { nonce: hostile }],
])("of a holder that somebody else wrote, %s of a hostile form is not shown", async (_what, fields) => {
  const desk = await openDesk(documents);
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const file = join(desk.workspace.directory, ".agentform/default.holder");
  writeFileSync(file, JSON.stringify({ ...record, ...fields }));
  for (const command of [
    ["lock", "status"],
    ["lock", "status", "--format", "json"],
    ["plan"],
    ["apply", "--yes", "--resend", "all"],
    ["lock", "unlock", "not-that"],
  ]) {
    const { out, err } = await desk.run(...command);
    expect(out + err, command.join(" ")).not.toMatch(/x{9}|::error|\u001B\[2J|\u202E/);
  }
  expect((await desk.run("apply", "--yes", "--resend", "all")).code).toBe(4);
});

test("a holder with a nonce like an option is unlocked by the command that a message proposes", async () => {
  const desk = await openDesk(documents);
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const file = join(desk.workspace.directory, ".agentform/default.holder");
  writeFileSync(file, JSON.stringify({ ...record, nonce: "--help" }));
  const held = await desk.run("apply", "--yes", "--resend", "all");
  const [, nonce = ""] = /lock unlock ([\w-]+)/.exec(held.err) ?? [];
  expect([held.code, (await desk.run("lock", "unlock", nonce)).code]).toEqual([4, 0]);
  expect((await desk.run("apply", "--yes", "--resend", "all")).code).toBe(0);
});

test("a holder of many megabytes is not read", async () => {
  const desk = await openDesk(documents);
  expect((await desk.run("apply", "--yes")).code).toBe(0);
  const file = join(desk.workspace.directory, ".agentform/default.holder");
  writeFileSync(file, " ".repeat(2_000_000) + JSON.stringify(record));
  const { code, err } = await desk.run("apply", "--yes", "--resend", "all");
  expect(code).toBe(1);
  expect(err).toContain("default.holder has 3 MB, and no more than 1 MB can be read");
});
