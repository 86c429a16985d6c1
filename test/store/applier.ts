// A process of its own that applies a workspace each time it is told to.
import { Secret } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync/apply.js";

async function applyIn(directory: string): Promise<{ status: string; messages: string[] }> {
  try {
    const { status, diagnostics } = await apply({
      directory,
      userAgent: "agentform/test",
      confirm: async () => true,
      target: (settings) => targetOf(settings, (name) => new Secret(`value of ${name}`)),
    });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    return { status, messages: errors.map(({ code, message }) => `${code}: ${message}`) };
  } catch (thrown) {
    return { status: "threw", messages: [String(thrown)] };
  }
}

process.on("message", async (directory: string) => process.send?.(await applyIn(directory)));
process.on("disconnect", () => process.exit());
process.send?.("ready");
