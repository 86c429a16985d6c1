import { expect, test } from "vitest";
import type { StoreFailedError } from "../../src/core/state/lock-store.js";
import { failureOf } from "../../src/store/local/failure.js";
import { failureOf as failureOfPostgres } from "../../src/store/postgres/postgres-refusal.js";
import { storeProblem } from "../../src/store/problem.js";
import { refusing } from "../../src/store/network/refusal.js";

const ofSystem = (code: string): StoreFailedError =>
  failureOf(Object.assign(new Error("/home/somebody"), { errno: -1, code }), "agentform.lock");

const names = { name: "the database", schema: "agentform", user: "ci" };

test.each<[string, StoreFailedError, object, string]>([
  ["a full disk", ofSystem("ENOSPC"), { code: "ENOSPC" }, "make room, and run the command again"],
  ["a folder of somebody else", ofSystem("EACCES"), { code: "EACCES" }, "look at who owns the file"],
  ["a file system without writes", ofSystem("EROFS"), { code: "EROFS" }, "mount it for writing"],
  ["what no table knows", ofSystem("EBUSY"), { code: "EBUSY" }, "look at the file, its folder and the disk"],
  [
    "a server that answers with an error",
    refusing({ ok: true, status: 500, headers: {}, text: "" }, "read", "the state")("HTTP 500").failure,
    { status: 500 },
    "the log of the server says more",
  ],
  [
    "a database with a full disk",
    failureOfPostgres(
      { ok: false, isSqlState: true, code: "53100", mayHaveArrived: false },
      "written",
      names,
    ),
    { code: "53100" },
    "make room at the server",
  ],
])("%s is named as data and in words, with what to look at", (_what, failure, parts, hint) => {
  const finding = storeProblem(failure, "agentform.lock", { environment: null });
  expect(finding).toMatchObject({ code: "lock-medium", parts, hint: expect.stringContaining(hint) });
  expect(JSON.stringify(finding)).not.toContain("/home/somebody");
});
