import { expect, test } from "vitest";
import { makePostgresMedium, usePostgres } from "../store/postgres-medium.js";
import { documents, manifestAt, openDesk, runIn } from "./desk.js";

usePostgres();

test("a state moves from files to PostgreSQL and back, with its versions", async () => {
  const { env, lock } = await makePostgresMedium();
  const { workspace, emulator } = await openDesk(documents);
  const run = (...args: string[]) => runIn(workspace.directory, args, env);
  const place = (at: object) =>
    workspace.write({ "agentform.yaml": manifestAt(emulator.url, `  lock: ${JSON.stringify(at)}\n`) });
  place({ store: "file" });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(await run("lock", "move", "--to", JSON.stringify(lock))).toMatchObject({ code: 0, err: "" });
  expect(await run("plan")).toMatchObject({ code: 4 });

  place(lock);
  expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
  expect((await run("lock", "status")).out).toContain("serial 2: 4 resources\nnot held\n");
  const { versions } = JSON.parse((await run("lock", "history", "--format", "json")).out);
  expect(versions.map(({ serial }: { serial: number }) => serial)).toEqual([2]);
  expect((await run("lock", "show", "--at", "2")).out).toContain("serial 2: 4 resources");

  expect(await run("lock", "move", "--to", "file")).toMatchObject({ code: 0 });
  const moved = await run("plan");
  expect(moved.code).toBe(4);
  expect(moved.err).toContain("to `{store: file}`");
  place({ store: "file" });
  expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
});
