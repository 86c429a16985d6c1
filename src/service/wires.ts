import type { Socket } from "node:net";
import { KeepAlive } from "./keep-alive.js";
import { Wire } from "./wire.js";

/** All open connections, whether or not they are in an agent. */
export class Wires {
  readonly keepAlive = new KeepAlive();
  readonly #bySocket = new Map<Socket, Wire>();

  /** Gives the wire of a socket, which is watched from now on. */
  of(socket: Socket): Wire {
    const known = this.#bySocket.get(socket);
    if (known) return known;
    const wire = new Wire(socket, this.keepAlive);
    if (socket.destroyed) return wire;
    this.#bySocket.set(socket, wire);
    socket.once("close", () => this.#bySocket.delete(socket));
    return wire;
  }

  /** Accepts no further request on any of them. */
  retire(): void {
    for (const wire of this.#bySocket.values()) wire.retire();
  }

  destroy(): void {
    for (const wire of this.#bySocket.values()) wire.destroy();
  }
}
