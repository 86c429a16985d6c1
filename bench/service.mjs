/** The emulator in a process of its own, so that its memory and time do not count as agentform's. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const entry = fileURLToPath(new URL("service-process.mjs", import.meta.url));
const emulator = fileURLToPath(new URL("../src/emulator/emulator.ts", import.meta.url));

/**
 * Starts the service with this delay per request, in milliseconds. `seen()` gives the requests since its last call:
 * `{requests, sending}`: their number, and the seconds from the first to the last answer.
 */
export async function startService(scratch, latency) {
  const outfile = join(scratch, "emulator.mjs");
  await build({ entryPoints: [emulator], outfile, bundle: true, platform: "node", format: "esm" });
  const child = fork(entry, [outfile, String(latency)]);
  const answer = async () => {
    const [message] = await once(child, "message");
    return message;
  };
  const url = await answer();
  const seen = () => {
    child.send("seen");
    return answer();
  };
  return { url, seen, stop: () => child.disconnect() };
}
