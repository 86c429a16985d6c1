import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test, vi } from "vitest";
import { fc } from "../harness/property.js";
import { runs } from "../harness/tier.js";
import { Scene } from "./two-hands-scene.js";
import { histories, type Step } from "./two-hands-steps.js";
import { worlds, type World } from "./two-hands-world.js";

vi.mock("../../src/store/open-store.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/store/open-store.js")>();
  const { doomed } = await import("./doomed-store.js");
  const openStore: typeof original.openStore = async (settings, location) =>
    doomed(await original.openStore(settings, location), location.directory, settings.environment);
  return { ...original, openStore };
});

vi.mock("../../src/service/service.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/service/service.js")>();
  const createService: typeof original.createService = (options) =>
    original.createService({
      ...options,
      timeouts: { response: 60_000, total: 120_000 },
      retry: { limit: 3, baseDelay: 1, maxDelay: 3 },
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 2))),
    });
  return { ...original, createService };
});

vi.mock("../../src/emulator/fault.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/emulator/fault.js")>();
  const { liveFaultQueue } = await import("./live-faults.js");
  return { FaultQueue: liveFaultQueue(original.FaultQueue) };
});

let lived = 0;
let taken = 0;
afterAll(() => console.log(`two hands: ${lived} histories, ${taken} steps`));

async function live(world: World, steps: readonly Step[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-hands-"));
  const scene = await Scene.open(join(folder, "work"), world);
  try {
    for (const step of steps) {
      await step.run(scene);
      taken++;
    }
    await scene.settle();
    lived++;
  } catch (cause) {
    // All commands and what they said, to find a cause by.
    if (process.env["AGENTFORM_TELL"] !== undefined) console.log(scene.log.join("\n"));
    throw cause;
  } finally {
    await scene.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

// `npm run test:soak` runs for minutes, from another seed every time.
const minutes = Number(process.env["SOAK_MINUTES"] ?? 0);

test("service, locks and documents agree after all that two hands do, or the tool says what to do", async () => {
  const property = fc.asyncProperty(worlds, histories(25), live);
  const numRuns = runs("histories of two hands", 2, 40);
  const soak = { numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 30_000, seed: Date.now() % 2 ** 31 };
  await fc.assert(property, minutes > 0 ? soak : { numRuns });
});
