import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Where on its way a request is when the gate calls out. */
export type Stage =
  /** Before the service has seen it. */
  | "before the service"
  /** The service has done it, and its answer has not been passed on. */
  | "before the answer"
  /** The answer has been passed on. */
  | "after the answer";

/** A gate on the way to a service, through which requests go one at a time. */
export interface Gate {
  readonly url: string;
  /** How many requests came. */
  readonly requests: number;
  close(): Promise<void>;
}

/**
 * Opens a gate that calls `reach` at each stage of each request, counted from 1. Where `reach` gives true,
 * what is under way is dropped. No answer is passed on before `released` resolves.
 */
export async function openGate(
  target: string,
  reach: (request: number, stage: Stage) => boolean,
  released: Promise<void> = Promise.resolve(),
): Promise<Gate> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((client) => {
    sockets.add(client);
    const upstream = connect(Number(port), "127.0.0.1");
    sockets.add(upstream);
    let current = 0;
    const drop = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (bytes) => {
      if (/^(POST|PUT) /.test(bytes.toString("latin1", 0, 5))) {
        current = ++requests;
        if (reach(current, "before the service")) return drop();
      }
      upstream.write(bytes);
    });
    const answer = (bytes: Buffer) => {
      if (reach(current, "before the answer")) return drop();
      client.write(bytes, () => reach(current, "after the answer") && drop());
    };
    upstream.on("data", (bytes) => void released.then(() => answer(bytes)));
    for (const socket of [client, upstream]) socket.on("error", drop).on("close", drop);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
