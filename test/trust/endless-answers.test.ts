import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { sample } from "../harness/tier.js";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { runCli } from "../package/run-cli.js";
import { manifestAt } from "../secrets/scene.js";
import { answer, rawServer, type Reaction } from "../service/raw-server.js";

/** Writes a text, and a piece again and again for as long as the connection is open. */
function forever(start: string, piece: string): Reaction {
  return (socket: Socket) => {
    // Of two writes the first may be read alone, and an answer that is whole then counts.
    const write = (text: string): void => {
      if (socket.destroyed) return;
      socket.write(text);
      setTimeout(write, 20, piece);
    };
    write(start + piece);
  };
}

const fine = answer(200, '{"agent_id":"66f1"}');
const upgrade = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";

const keeping: [what: string, reaction: Reaction, code: number][] = [
  ["changes the protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", 3],
  ["changes to another protocol", upgrade, 3],
  ["changes to another protocol and goes on", forever(upgrade, "x"), 3],
  ["is an answer and a change of the protocol", fine + upgrade, 3],
  ["is followed by bytes without end", forever(fine, "x"), 3],
  ["is followed by answers without end", forever(fine, fine), 3],
  ["keeps the connection", answer(200, '{"agent_id":"66f1"}', { "keep-alive": "timeout=600" }), 0],
  ["refuses and keeps the connection", answer(422, "{}", { connection: "keep-alive" }), 1],
  [
    "refuses without end",
    forever("HTTP/1.1 422 No\r\ntransfer-encoding: chunked\r\n\r\n", chunkOf(4_000_000)),
    1,
  ],
  ["succeeds without end", forever("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(4_000_000)), 3],
];

function chunkOf(size: number): string {
  return `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;
}

describe("an apply whose last answer", () => {
  it.each(sample("last answers", keeping, 2))(
    "%s ends, and its process with it",
    async (_what, reaction, code) => {
      const { url } = await rawServer([reaction]);
      const workspace = makeWorkspace({
        "agentform.yaml": manifestAt(url),
        "agents/support.yaml": documentText("Agent", "support", { name: "Support" }),
      });
      const env = { AGENT_API_KEY: "key-for-examples" };
      const ended = await runCli(["apply", "--yes"], { cwd: workspace.directory, env, timeout: 1_200_000 });
      expect(ended.code, ended.stdout + ended.stderr).toBe(code);
    },
  );
});

describe("a command that is done", () => {
  it("ends, whatever is still open", async () => {
    const { directory } = makeWorkspace({});
    const open = 'import { createServer } from "node:net"; createServer().listen(0, "127.0.0.1");';
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(open)}` };
    const ended = await runCli(["validate"], { cwd: directory, env, timeout: 1_200_000 });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  });
});
