import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { documents, manifestAt, openEmulator, runIn } from "../cli/desk.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { StateServer } from "./state-server.js";

const [key, before] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];
const foreign = "66f1c0c0ffee66f1c0c0ffee";

/** A workspace whose state is on a server, which is about to get a seal, or another one. */
async function openDesk(seal?: string) {
  const [server, service] = [await StateServer.start(), await openEmulator()];
  onTestFinished(() => server.close());
  const manifest = (own?: string) => {
    const lock = { store: "http", address: `${server.origin}/desk`, ...(own !== undefined && { seal: own }) };
    return manifestAt(service.url, `  lock: ${JSON.stringify(lock)}\n`);
  };
  const workspace = makeWorkspace({ "agentform.yaml": manifest(seal), ...documents });
  const run = (...args: readonly string[]) =>
    runIn(workspace.directory, args, { STATE_SEAL: key, SEAL_BEFORE: before });
  expect((await run("apply", "--yes")).code).toBe(0);
  workspace.write({ "agentform.yaml": manifest("${env:STATE_SEAL}") });
  const [id = ""] = /(?<=id\\": \\")\w+/.exec(server.text("/desk") ?? "") ?? [];
  return { server, run, id, directory: workspace.directory };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

/**
 * Puts a state with somebody else's object in the place of the own one from a read on, and answers some reads after it
 * as if that was not so. Gives how many reads there were.
 */
function swap({ server, id }: Desk, from: number, isHonest: (read: number) => boolean): () => number {
  let read = 0;
  server.fault = ({ method }) => {
    if (method !== "GET") return undefined;
    read += 1;
    if (read === from) server.put("/desk", server.text("/desk")?.replaceAll(id, foreign) ?? "");
    if (read < from || !isHonest(read)) return undefined;
    return { status: 200, body: server.text("/desk")?.replaceAll(foreign, id) ?? "" };
  };
  return () => read;
}

const mostReads = 12;

/** Whether a state is sealed that was never shown, whichever reads the server answers with the one that was. */
async function sealsAnother(desk: Desk, honestReads: number, ...args: readonly string[]): Promise<boolean> {
  const restore = desk.server.backUp();
  for (let from = 1; from < 5; from++) {
    for (let first = from; first < mostReads; first++) {
      const readsOf = swap(desk, from, (read) => read >= first && read < first + honestReads);
      // As on a machine that has never seen the state, such as that of a job.
      rmSync(join(desk.directory, ".agentform"), { recursive: true, force: true });
      const { code } = await desk.run("lock", "seal", ...args);
      if (code === 0 && desk.server.text("/desk")?.includes(foreign) === true) return true;
      await restore();
      if (readsOf() < first) break;
    }
  }
  // Nothing but the swaps was in the way.
  swap(desk, mostReads, () => false);
  expect((await desk.run("lock", "seal", ...args)).code).toBe(0);
  return false;
}

test("what is sealed is what was shown, whatever a server answers to another read", async () => {
  const desk = await openDesk();
  const shown = await desk.run("lock", "seal");
  // The digits alone are the same digest.
  const [, digest = ""] = /--expect sha256:(\S+)/.exec(shown.out) ?? [];
  expect(await sealsAnother(desk, 1, "--expect", digest)).toBe(false);
});

test("what is sealed with another key is what the key before has sealed", async () => {
  const desk = await openDesk("${env:SEAL_BEFORE}");
  expect(await sealsAnother(desk, 2, "--previous", "${env:SEAL_BEFORE}")).toBe(false);
});
