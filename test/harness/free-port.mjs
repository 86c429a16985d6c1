import { once } from "node:events";
import { connect, createServer } from "node:net";

/** Gives a port on loopback at which nothing listens, for a program that must be told its port. */
export async function freePort() {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  // For a minute after a connection has ended at its port, the system gives that to nobody who asks for any.
  await once(connect(port, "127.0.0.1").resume(), "close");
  server.close();
  await once(server, "close");
  return port;
}
