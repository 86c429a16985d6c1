import type { ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { FaultyServer } from "../store/faulty-server.js";

/** What a command changes: a folder, and the data of a service. */
export interface Changed {
  readonly directory: string;
  readonly data: string;
}

/** A server that keeps a state, and gives how what it has is put back. */
export type KeepingServer = FaultyServer & { backUp(): () => Promise<void> };

/** What a death at one moment of a command leaves: copies, and how what a server keeps is put back. */
export interface Moment extends Changed {
  readonly putBack: (() => Promise<void>) | undefined;
}

/** What a process has sent may still be on its way when it dies or stands still; waits until it has arrived. */
export async function arrival(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await sleep(5);
}

/** The moments of one run of a command, which lives: a run that dies for each of them would take most of the time. */
export class Moments {
  readonly #folder = mkdtempSync(join(tmpdir(), "agentform-moments-"));
  readonly #kept: Moment[] = [];
  #last = Promise.resolve();

  constructor(
    private readonly changed: Omit<Changed, "data"> & Partial<Changed>,
    private readonly backUp: () => Moment["putBack"] = () => undefined,
  ) {
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  get kept(): readonly Moment[] {
    return this.#kept;
  }

  /** Copies what a death would leave now that the process stands still; gives the copy of its folder. */
  async keep(): Promise<string> {
    await arrival();
    const at = join(this.#folder, String(this.#kept.length + 1));
    const moment = { directory: join(at, "desk"), data: join(at, "service"), putBack: this.backUp() };
    cpSync(this.changed.directory, moment.directory, { recursive: true });
    if (this.changed.data !== undefined) cpSync(this.changed.data, moment.data, { recursive: true });
    this.#kept.push(moment);
    return moment.directory;
  }

  /** Stops a process as suddenly as a kill does, keeps what there is, and lets it go on. */
  async keepStopped(child: ChildProcess): Promise<void> {
    child.kill("SIGSTOP");
    this.#last = this.#keepAfter(this.#last, child);
    await this.#last;
  }

  async #keepAfter(last: Promise<void>, child: ChildProcess): Promise<void> {
    await last;
    child.kill("SIGSTOP");
    try {
      await this.keep();
    } finally {
      child.kill("SIGCONT");
    }
  }
}
