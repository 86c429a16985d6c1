import { expect, test } from "vitest";
import { calling, createAgent, rested } from "./calling.js";
import { answer, rawServer } from "./raw-server.js";

// It may have been for another request, and the answer to this one follows it.
test("a connection is not used again after a refusal that is repeated", async () => {
  const server = await rawServer([answer(429, "{}"), answer(200, '{"agent_id":"66f1"}')]);
  // Until the connection has rested.
  const { service } = await calling(server.url, { sleep: () => rested() });
  expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
  expect(server.received.map(({ connection }) => connection)).toEqual([0, 1]);
});
