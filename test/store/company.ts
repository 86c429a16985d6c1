import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Medium } from "./medium.js";

/** What an actor is started with. */
export interface ActorSettings {
  readonly medium: Medium;
  /** The name of a socket that only one process at a time can listen on. */
  readonly witness: string;
}

/** What an actor can be told to do. */
export type Order =
  | { readonly do: "acquire" | "release" | "dawdle" }
  | { readonly do: "contend"; readonly milliseconds: number }
  | { readonly do: "save"; readonly lock: string }
  | { readonly do: "append"; readonly line: string }
  | { readonly do: "die at step"; readonly step: number };

let folder = "";

/** Builds the actors' program before the tests of a file. */
export function useActors(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "agentform-actor-"));
    await build({
      entryPoints: [join(import.meta.dirname, "actor.ts")],
      outfile: join(folder, "actor.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** Actors on one medium; all are killed when the test is over. */
export class Company {
  readonly #settings: ActorSettings;

  constructor(medium: Medium) {
    this.#settings = { medium, witness: `\0agentform-${randomUUID()}` };
  }

  /** Starts an actor; with a limit, no file that it writes may become larger than so many blocks of 512 bytes. */
  async start(limit?: number): Promise<Actor> {
    const program = [process.execPath, join(folder, "actor.mjs"), JSON.stringify(this.#settings)];
    const limited = ["-c", `ulimit -f ${limit ?? "unlimited"}; exec "$@"`, "sh", ...program];
    const child = spawn("sh", limited, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const actor = new Actor(child);
    await actor.outcome();
    return actor;
  }
}

/** A process that works on a store. */
export class Actor {
  /** How often it said that it was in while it contended. */
  timesIn = 0;
  readonly #exit: Promise<string>;

  constructor(private readonly child: ChildProcess) {
    this.#exit = once(child, "exit").then(() => "dead");
    child.on("message", (message) => {
      if (message === "was in") this.timesIn++;
    });
  }

  /** Gives an order and waits for what comes of it: "dead" if the process died of it. */
  ask(order: Order): Promise<string> {
    const outcome = this.outcome();
    this.child.send(order, () => {});
    return outcome;
  }

  /** Kills the process and waits until it is gone. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#exit;
  }

  /** Waits for the next outcome. */
  outcome(): Promise<string> {
    const told = new Promise<string>((resolve) => {
      const listen = (message: unknown): void => {
        if (message === "was in") return;
        this.child.off("message", listen);
        resolve(String(message));
      };
      this.child.on("message", listen);
    });
    return Promise.race([told, this.#exit]);
  }
}
