import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { ApplyEvent } from "../../src/core/apply/apply-report.js";
import type { ApplyRequest } from "../../src/sync/request.js";
import { environmentSecrets } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync/apply.js";
import { canaries, findCanaries } from "./canaries.js";
import { behaviours, echoScene } from "./echo-scene.js";
import { echoes, rejects } from "./echoing-service.js";
import { leaksOf, type Scene } from "./scene.js";

describe("what apply() gives its caller", () => {
  const printed = (value: unknown): string => {
    const stack = value instanceof Error ? `${value.message} ${String(value.stack)} ${String(value)}` : "";
    return (
      stack +
      inspect(value, { depth: 30, showHidden: true, maxStringLength: null }) +
      (JSON.stringify(value) ?? "")
    );
  };
  const requestFor = (scene: Scene, more: Partial<ApplyRequest>): ApplyRequest => ({
    directory: scene.workspace.directory,
    userAgent: "agentform/0.0.0",
    confirm: async () => true,
    target: (settings) => targetOf(settings, environmentSecrets(canaries)),
    ...more,
  });

  it.each(behaviours)("has no secret when the service %s", async (_what, manner) => {
    const scene = await echoScene(manner);
    const events: ApplyEvent[] = [];
    const result = await apply(requestFor(scene, { onEvent: (event) => events.push(event) }));
    expect(events.length).toBeGreaterThan(0);
    expect(findCanaries(printed(result) + printed(events))).toEqual([]);
  });

  it("has none when it is rejected in the middle", async () => {
    const scene = await echoScene(rejects);
    const failing = apply(
      requestFor(scene, {
        onEvent: (event) => {
          throw new Error(`a caller's own failure at ${event.type}`);
        },
      }),
    );
    const error: unknown = await failing.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(Error);
    expect(findCanaries(printed(error))).toEqual([]);
    expect(leaksOf(scene)).toEqual([]);
  });

  it.each(["line\nend", "wide é"])("has none when the API key cannot be sent: %j", async (flaw) => {
    const scene = await echoScene(echoes);
    const env = { ...canaries, AGENT_API_KEY: `${canaries.AGENT_API_KEY}${flaw}` };
    const result = await apply(
      requestFor(scene, { target: (settings) => targetOf(settings, environmentSecrets(env)) }),
    );
    expect(result.diagnostics).toMatchObject([{ code: "api-key-invalid" }]);
    expect(findCanaries(printed(result))).toEqual([]);
  });
});
