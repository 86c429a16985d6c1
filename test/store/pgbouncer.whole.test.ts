import { expect, test } from "vitest";
import { describeApplies } from "./apply-conformance.js";
import { describeLockStore } from "./conformance.js";
import { postgresMedium } from "./conformance-media.js";
import { startPgbouncer } from "./pgbouncer.js";
import { makePostgresMedium, postgresServer, usePostgres } from "./postgres-medium.js";

usePostgres();

const name = "the PostgreSQL store behind PgBouncer";

test(`${name}: many clients share two sessions`, async () => {
  const medium = await makePostgresMedium(await startPgbouncer(postgresServer()));
  const stores = Array.from({ length: 12 }, (_, number) =>
    medium.open({ patience: 60_000 }, medium.lock, `w${number}`),
  );
  const lines = Array.from({ length: 20 }, (_, number) => `line ${number}\n`);
  await Promise.all(
    stores.map(async (store) => {
      await store.acquire();
      for (const line of lines) {
        store.append(line);
        await store.flush();
      }
    }),
  );
  for (const store of stores) {
    expect((await store.read()).journal).toBe(lines.join(""));
    await store.release();
  }
});

describeLockStore(name, async () => {
  const medium = await makePostgresMedium(await startPgbouncer(postgresServer()));
  return { store: medium.open(), second: medium.open() };
});
// A pooler changes which session a statement has. What the network does is between it and the client, as without one.
const behindPooler = async () => await postgresMedium(await startPgbouncer(postgresServer()));
describeApplies(name, behindPooler, { rounds: 30, cuts: "none" });
