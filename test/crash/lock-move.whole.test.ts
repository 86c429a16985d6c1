import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { runIn } from "../cli/desk.js";
import { documentText } from "../harness/disk-workspace.js";
import { isInHalf } from "../harness/tier.js";
import { makeGitMedium } from "../store/git-medium.js";
import { StateServer } from "../store/state-server.js";
import { startApply, type Start } from "./apply-process.js";
import { Moments, type Moment } from "./moments.js";

let points = 0;
afterAll(() => console.log(`crash sweep of lock move: ${points} points`));

const stores = {
  file: { store: "file" },
  git: { store: "git" },
  http: { store: "http", gitlab: { project: "group/desk" } },
} as const;
type StoreName = keyof typeof stores;

/**
 * What the process is killed after: a change of a file, a request to the server, or a run of git. One that only reads
 * is none: it leaves what was there before it, and whoever recovers sees nothing else. For the same reason none is killed
 * before one of them: what is there then is what the one before it, of whatever kind, has left.
 */
const kinds = ["change", "request", "run"] as const;
type Kind = (typeof kinds)[number];

/** A clone with a workspace, and the media of all stores. */
class Site {
  readonly directory: string;
  readonly #folder: string;

  private constructor(
    readonly server: StateServer,
    private readonly service: Emulator,
  ) {
    const medium = makeGitMedium();
    this.#folder = medium.folder;
    this.directory = medium.clone("desk");
  }

  static async open(): Promise<Site> {
    return new Site(await StateServer.start({ form: "gitlab" }), await startEmulator());
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.service.close();
  }

  /** Puts all back as it was at a moment, the service apart, which no move asks anything. */
  async putBack({ directory, putBack }: Moment): Promise<void> {
    for (const name of readdirSync(this.#folder))
      rmSync(join(this.#folder, name), { recursive: true, force: true });
    cpSync(directory, this.#folder, { recursive: true });
    await putBack?.();
  }

  /** Puts the state at a place into the manifest. */
  place(store: StoreName): void {
    const { url } = this.service;
    const at = { base_url: url, rai_base_url: url, api_key: "${env:AGENT_API_KEY}" };
    const spec = { service: at, lock: stores[store], include: ["agents.yaml"] };
    const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
    writeFileSync(join(this.directory, "agentform.yaml"), JSON.stringify(manifest));
    writeFileSync(join(this.directory, "agents.yaml"), documentText("Agent", "support", { name: "Support" }));
    writeFileSync(join(this.directory, ".gitignore"), ".agentform/\n");
  }

  async run(...args: string[]) {
    return await runIn(this.directory, args, { CI_API_V4_URL: this.server.api });
  }

  /** Moves in a process to its end; gives what a kill after each point of a kind would have left. */
  async moments(to: StoreName, kind: Exclude<Kind, "run">): Promise<readonly Moment[]> {
    const moments = this.#moments();
    const { child, ended } = this.#startMove(to, kind === "change" ? { keep: () => moments.keep() } : {});
    this.server.fault = ({ method }) =>
      kind === "request" && method !== "GET" ? { wait: moments.keepStopped(child) } : undefined;
    const { code, stderr } = await ended;
    this.server.fault = () => undefined;
    expect(code, stderr).toBe(0);
    return moments.kept;
  }

  /** Gives what there is now. */
  async now(): Promise<Moment | undefined> {
    const moments = this.#moments();
    await moments.keep();
    return moments.kept[0];
  }

  #moments(): Moments {
    return new Moments({ directory: this.#folder }, () => this.server.backUp());
  }

  /** Moves in a process that is killed after a run of git, counted from 1; gives whether it was reached. */
  async moveAndDie(to: StoreName, number: number): Promise<boolean> {
    const { code } = await this.#startMove(to, { env: { PATH: this.#killingGit(number) } }).ended;
    return code === null;
  }

  #startMove(to: StoreName, { env = {}, ...start }: Start) {
    return startApply(this.directory, {
      command: ["lock", "move"],
      args: ["--to", JSON.stringify(stores[to])],
      preload: "kill-at.mjs",
      env: { CI_API_V4_URL: this.server.api, KILL_BELOW: this.directory, ...env },
      ...start,
    });
  }

  /** A git first on the PATH that kills the process that runs it. An object that no ref leads to is as good as none. */
  #killingGit(number: number): string {
    const bin = join(this.#folder, "bin");
    const count = join(this.#folder, "runs");
    const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    mkdirSync(bin, { recursive: true });
    writeFileSync(count, "0\n");
    const script = `#!/bin/sh
for word; do
  case $word in push | fetch | update-ref) changes=1; break ;; esac
done
[ -n "\${changes:-}" ] || exec '${real}' "$@"
read -r n <'${count}'
echo $((n + 1)) >'${count}'
[ "$n" -eq ${number - 1} ] || exec '${real}' "$@"
'${real}' "$@"
kill -9 $PPID
`;
    writeFileSync(join(bin, "git"), script);
    chmodSync(join(bin, "git"), 0o755);
    return `${bin}:${process.env.PATH ?? ""}`;
  }

  /** Whether a plan with the state at a place is made, and finds everything applied. */
  async isLive(store: StoreName): Promise<boolean> {
    this.place(store);
    const { code, err } = await this.run("plan", "--detailed-exitcode");
    // Nothing is known there yet, the state is in a file instead, it has left, or it has not arrived.
    if (code === 1) expect(err).toContain("lock-left-behind");
    else expect([0, 2, 4], err).toContain(code);
    return code === 0;
  }
}

async function listed(site: Site): Promise<unknown> {
  return JSON.parse((await site.run("lock", "list", "--format", "json")).out).resources;
}

/** Moves again after a death at a point. */
async function goOn(
  site: Site,
  [from, to]: readonly [StoreName, StoreName],
  at: string,
  resources: unknown,
): Promise<void> {
  points++;
  expect((await site.isLive(from)) && (await site.isLive(to)), at).toBe(false);

  site.place(from);
  let moved = await site.run("lock", "move", "--to", JSON.stringify(stores[to]));
  for (let times = 0; moved.code === 4 && times < 2; times++) {
    // The server's own record of a lock does not tell that its process is dead.
    const [, nonce = ""] = /agentform lock unlock (\w+)/.exec(moved.err) ?? [];
    for (const store of [from, to]) {
      site.place(store);
      await site.run("lock", "unlock", nonce);
    }
    site.place(from);
    moved = await site.run("lock", "move", "--to", JSON.stringify(stores[to]));
  }
  expect(moved, at).toMatchObject({ code: 0, err: "" });
  expect(await site.isLive(from), at).toBe(false);
  site.place(to);
  expect(await site.run("apply", "--yes"), at).toMatchObject({
    code: 0,
    out: expect.stringContaining("No changes."),
  });
  expect(await listed(site), at).toEqual(resources);
}

const ways: readonly (readonly [StoreName, StoreName])[] = [
  ["file", "http"],
  ["file", "git"],
  ["git", "file"],
  ["git", "http"],
  ["http", "file"],
  ["http", "git"],
] as const;
const sweeps = ways.flatMap((way) =>
  kinds.flatMap((kind) => {
    const isThere = { change: true, request: way.includes("http"), run: way.includes("git") }[kind];
    return isThere ? [[...way, kind] as const] : [];
  }),
);

// The first part of a move has changes of the store that it leaves alone, the second of the one that it goes to: of each
// way every second pair is tried, and those between in the next one from there.
test.each(sweeps)("from %s to %s, killed after every %s", async (from, to, kind) => {
  const site = await Site.open();
  onTestFinished(() => site.close());
  site.place(from);
  expect(await site.run("apply", "--yes")).toMatchObject({ code: 0 });
  const resources = await listed(site);
  let tried = 0;
  if (kind === "run") {
    const start = await site.now();
    while (await site.moveAndDie(to, tried + 1)) {
      await goOn(site, [from, to], `run ${++tried}`, resources);
      if (start) await site.putBack(start);
    }
  } else {
    const index = ways.findIndex((way) => way[0] === from && way[1] === to);
    const half = index % 2 === 0 ? "first" : "second";
    for (const [place, moment] of (await site.moments(to, kind)).entries()) {
      if (kind === "change" && !isInHalf(half, place + 1)) continue;
      await site.putBack(moment);
      await goOn(site, [from, to], `${kind} ${place + 1}`, resources);
      tried++;
    }
  }
  expect(tried).toBeGreaterThan(0);
});
