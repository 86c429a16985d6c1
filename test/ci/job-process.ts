import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** How a script of a job ended. */
export interface Ended {
  readonly code: number | null;
  /** What it wrote, results and messages together. */
  readonly output: string;
}

/** A machine of a CI: it has git, the commands `agentform` and `npm`, and nothing of this process's environment. */
export class Machine {
  readonly #bin: string;
  readonly #pids: string;
  #first: ChildProcess | undefined;
  /** Where `npm` was called and with what, a call a line. */
  readonly npmLog: string;

  constructor(
    folder: string,
    private readonly host = "runner-1",
  ) {
    this.#bin = join(folder, "bin");
    this.#pids = join(folder, "pids");
    this.npmLog = join(folder, "npm.log");
    mkdirSync(this.#bin, { recursive: true });
    const modules = join(inject("installed"), "node_modules");
    this.#command("agentform", `echo $$ >>"${this.#pids}"\nexec "${modules}/.bin/agentform" "$@"`);
    // What is installed is the package that was built and packed for these tests.
    this.#command(
      "npm",
      `echo "$(pwd -P): $*" >>"${this.npmLog}"\ncase $1 in ci) mkdir -p node_modules/.bin && ln -s "${modules}/agentform" node_modules/agentform ;; root) echo "${modules}" ;; *) exit 1 ;; esac`,
    );
  }

  /** Runs a script of sh in a folder. */
  async run(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
    const { PATH = "", HOME } = process.env;
    const child = spawn("sh", ["-e", "-c", script], {
      cwd,
      env: {
        PATH: `${this.#bin}:${PATH}`,
        HOME,
        XDG_CACHE_HOME: join(inject("installed"), "cache"),
        GIT_CONFIG_NOSYSTEM: "1",
        ...this.#naming(),
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#first = child;
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    return { code, output };
  }

  /** Ends the agentform that was started last, as a machine that loses its power would. */
  killAgentform(): void {
    const pid = Number(readFileSync(this.#pids, "utf8").trim().split("\n").at(-1));
    process.kill(pid, "SIGKILL");
  }

  /** Cancels the step that runs, as GitHub does: of its processes the first one is asked to end. */
  cancel(): void {
    this.#first?.kill("SIGINT");
  }

  #naming(): NodeJS.ProcessEnv {
    return { TEST_HOST: this.host, NODE_OPTIONS: `--import=${join(import.meta.dirname, "other-host.mjs")}` };
  }

  #command(name: string, script: string): void {
    writeFileSync(join(this.#bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.#bin, name), 0o755);
  }
}
