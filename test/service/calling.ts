import { setImmediate, setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { BodyRequest } from "../../src/core/kind/kind.js";
import type { Service } from "../../src/core/observation/service.js";
import { Secret } from "../../src/service/secret.js";
import { createService, type ServiceOptions } from "../../src/service/service.js";

export const KEY = "key-for-examples";

export const createAgent: BodyRequest = {
  host: "base",
  method: "POST",
  path: "/v3/agents/",
  body: { name: "Support desk" },
};

export const updateAgent: BodyRequest = {
  host: "base",
  method: "PUT",
  path: "/v3/agents/66f1",
  body: { name: "Support desk" },
};

export interface Calling {
  readonly service: Service;
  /** Every wait that was slept, in milliseconds. */
  readonly slept: number[];
}

/** Makes a service whose waits take no time; closed after the test. */
export async function calling(baseUrl: string, options: Partial<ServiceOptions> = {}): Promise<Calling> {
  const slept: number[] = [];
  let late = 0;
  const service = await createService({
    baseUrl,
    apiKey: new Secret(KEY),
    secrets: () => undefined,
    userAgent: "agentform/0.0.0",
    concurrency: 4,
    retry: { limit: 3 },
    random: () => 0.5,
    sleep: async (ms) => {
      slept.push(ms);
      late += ms;
    },
    now: () => Date.now() + late,
    ...options,
  });
  onTestFinished(() => service.close());
  return { service, slept };
}

/** Waits until connections have rested after their last answers. */
export async function rested(): Promise<void> {
  await setTimeout(30);
  for (let turn = 0; turn < 4; turn++) await setImmediate();
}
