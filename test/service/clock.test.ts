import { expect, onTestFinished, test, vi } from "vitest";
import { Secret } from "../../src/service/secret.js";
import { createService } from "../../src/service/service.js";
import { createAgent, KEY } from "./calling.js";
import { answer, rawServer } from "./raw-server.js";

test("a clock that is set back does not make a run wait", async () => {
  const hour = 3_600_000;
  let isBack = false;
  const clock = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => clock() - (isBack ? hour : 0));
  onTestFinished(() => void vi.restoreAllMocks());
  const refusal = answer(429, "{}", { "retry-after": "1" });
  const server = await rawServer([refusal, answer(200, '{"agent_id":"66f1"}')]);
  const slept: number[] = [];
  const service = await createService({
    baseUrl: server.url,
    apiKey: new Secret(KEY),
    secrets: () => undefined,
    userAgent: "agentform/0.0.0",
    concurrency: 4,
    sleep: async (ms) => {
      slept.push(ms);
      isBack = true;
    },
  });
  onTestFinished(() => service.close());
  expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
  expect(await service.send(createAgent, "create")).toMatchObject({ type: "success" });
  expect(Math.max(...slept)).toBeLessThan(hour / 2);
});
