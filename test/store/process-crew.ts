import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";

/** A process of a program, which is killed when the test is over. */
export class CrewProcess {
  private constructor(private readonly child: ChildProcess) {}

  static async start(
    program: "applier" | "runner",
    settings: unknown = null,
    env: Readonly<Record<string, string>> = {},
  ): Promise<CrewProcess> {
    const file = join(inject("programs"), `${program}.mjs`);
    const child = spawn(process.execPath, [file, JSON.stringify(settings)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, ...env },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const crew = new CrewProcess(child);
    await crew.told();
    return crew;
  }

  /** Gives an order, and what comes of it. */
  async ask(order: unknown): Promise<unknown> {
    const told = this.told();
    this.child.send(order as object, () => {});
    return await told;
  }

  /** What the process says next; "dead" if it ends. */
  async told(): Promise<unknown> {
    const ended = new AbortController();
    const message = once(this.child, "message", ended).then(([said]: unknown[]) => said);
    const exit = once(this.child, "exit", ended).then(() => "dead");
    try {
      return await Promise.race([message, exit]);
    } finally {
      ended.abort();
      await Promise.allSettled([message, exit]);
    }
  }

  stop(): void {
    this.child.kill("SIGSTOP");
  }

  goOn(): void {
    this.child.kill("SIGCONT");
  }

  async kill(): Promise<void> {
    const exit = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exit;
  }
}
