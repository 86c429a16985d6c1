import type { Agent } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readArrived } from "./wire.js";
import type { Wires } from "./wires.js";

/**
 * How long, in milliseconds, a connection carries no request after an answer: a second answer, or the end of the
 * connection, may follow at once, and would be taken for something about the next request.
 */
const REST = 10;

/** Makes an agent give its connections a rest after each answer. */
export function restAfterUse(agent: Agent, wires: Wires): void {
  const listeners = agent.listeners("free");
  agent.removeAllListeners("free");
  const release = (freed: readonly unknown[]): void => {
    for (const listener of listeners) Reflect.apply(listener, agent, freed);
  };
  const releaseLater = async (socket: Socket, freed: readonly unknown[]): Promise<void> => {
    await sleep(REST);
    await readArrived();
    if (wires.keepAlive.longestIdle < REST) socket.destroy();
    release(freed);
  };
  agent.on("free", (...freed) => {
    const [socket] = freed;
    // A new one for a request that waited is free as well.
    if (wires.of(socket).isUsed) void releaseLater(socket, freed);
    else release(freed);
  });
}
