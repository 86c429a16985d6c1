/** The emulator in a process of its own, so that its memory and time do not count as agentform's. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { cleanEnvironment } from "./environment.mjs";

const entry = fileURLToPath(new URL("service-process.mjs", import.meta.url));
const emulator = fileURLToPath(new URL("../src/emulator/emulator.ts", import.meta.url));

/**
 * Starts the service with this delay per request, in milliseconds; a `full` one can read and list. `seen()` gives the requests since its last call:
 * `{requests, sending}`: their number, and the seconds from the first to the last answer. `count()` gives the number
 * of all requests, and `objects()` a pair `[name, ID]` for each object, with the names of a tool set and its tool.
 */
export async function startService(scratch, latency, operations = "documented") {
  const outfile = join(scratch, "emulator.mjs");
  await build({ entryPoints: [emulator], outfile, bundle: true, platform: "node", format: "esm" });
  const child = fork(entry, [outfile, String(latency), operations], { env: cleanEnvironment() });
  const answer = async () => {
    const [message] = await once(child, "message");
    return message;
  };
  const url = await answer();
  const ask = (question) => {
    child.send(question);
    return answer();
  };
  const [seen, count, objects] = ["seen", "count", "objects"].map((question) => () => ask(question));
  return { url, seen, count, objects, stop: () => child.disconnect() };
}
