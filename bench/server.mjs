/** Servers of the bench's own, in processes of their own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cleanEnvironment } from "./environment.mjs";

/** Starts the server of a script; `seen()` gives what it says of the requests since the last call. */
export async function startServer(entry, ...args) {
  const child = fork(fileURLToPath(entry), args.map(String), { env: cleanEnvironment() });
  const [url] = await once(child, "message");
  const seen = async () => {
    child.send("seen");
    const [found] = await once(child, "message");
    return found;
  };
  return { url, seen, stop: () => child.disconnect() };
}
