/**
 * What npm runs after it has installed the packages of a checkout, and before it packs a dependency that is a git
 * address: so that either has the command. For `npm pack` and `npm publish`, `prepack` has built it already.
 */
import { createRequire } from "node:module";

const { npm_command } = process.env;
if (npm_command !== "pack" && npm_command !== "publish") await prepare();

async function prepare() {
  try {
    createRequire(import.meta.url).resolve("esbuild");
  } catch {
    // Whoever installs no development packages wants none of what they make.
    console.error("agentform is not built: that needs the development packages (npm ci --include=dev)");
    return;
  }
  await import("./build.mjs");
}
