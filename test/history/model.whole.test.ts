import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, inject, test } from "vitest";
import { idsOf } from "../../src/core/kind/identity.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import { runs } from "../harness/tier.js";
import { Clone, type ReadLock } from "./clone.js";

// `HISTORIES=2000` plays that many, from another seed every time.
const isLong = process.env.HISTORIES !== undefined;
const histories = Number(process.env.HISTORIES ?? runs("histories", 1, 12));
const counts = { histories: 0, applies: 0, pruned: 0, repaired: 0, merges: 0 };
afterAll(() => console.log(JSON.stringify(counts)));

type Step =
  | { readonly do: "edit"; readonly agent: number; readonly prompt: number }
  | { readonly do: "policy"; readonly topic: number }
  | { readonly do: "drop"; readonly agent: number }
  | { readonly do: "apply" | "prune"; readonly commits: boolean }
  | { readonly do: "switch" | "revert" | "reset" | "old-lock" | "cherry-pick" | "rebase" | "other-machine" }
  | { readonly do: "merge"; readonly how: "driver" | "command" | "ours" | "theirs" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("edit" as const), agent: fc.nat(2), prompt: fc.nat(3) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("policy" as const), topic: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("drop" as const), agent: fc.nat(2) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("apply" as const), commits: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("prune" as const), commits: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("switch", "revert", "reset", "old-lock", "cherry-pick", "rebase", "other-machine"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("merge" as const),
      how: fc.constantFrom("driver", "command", "ours", "theirs"),
    }),
  },
);

/** Histories that once went wrong. */
const known: readonly Step[][] = [
  // The merge driver took the lock before a revert for one from which an object had been removed.
  [
    { do: "policy", topic: 0 },
    { do: "apply", commits: false },
    { do: "edit", agent: 0, prompt: 1 },
    { do: "apply", commits: false },
    { do: "revert" },
    { do: "other-machine" },
  ],
  // What was deleted on one branch is managed on the other, and comes back with neither.
  [
    { do: "policy", topic: 0 },
    { do: "apply", commits: true },
    { do: "switch" },
    { do: "merge", how: "driver" },
    { do: "edit", agent: 1, prompt: 1 },
    { do: "switch" },
    { do: "policy", topic: 1 },
    { do: "apply", commits: true },
    { do: "prune", commits: true },
    { do: "merge", how: "driver" },
    { do: "revert" },
    { do: "prune", commits: true },
  ],
];

/** One repository, the service behind it, and what must be known of both. */
class History {
  readonly clone: Clone;
  /** Who told an object something last: the write, by ID. */
  readonly #told = new Map<string, string>();
  /** The locks that this machine has written. */
  #own: ReadLock[] = [];
  #branch: "main" | "side" = "main";

  constructor(
    folder: string,
    private readonly service: Emulator,
  ) {
    this.clone = new Clone(join(folder, "work"), service);
    const cli = join(inject("installed"), "node_modules/agentform/dist/cli.js");
    this.clone.git("config", "merge.agentform.driver", `"${process.execPath}" "${cli}" lock merge %O %A %B`);
    this.clone.setAgent("a0", "prompt 0");
    this.clone.commit("begin");
    this.clone.git("branch", "side");
  }

  async take(step: Step): Promise<void> {
    const { clone } = this;
    switch (step.do) {
      case "edit":
        clone.setAgent(`a${step.agent}`, `prompt ${step.prompt}`);
        return clone.commit("edit");
      case "policy":
        clone.setPolicy(`topic ${step.topic}`);
        return clone.commit("policy");
      case "drop":
        clone.remove(`agents/a${step.agent}.yaml`);
        return clone.commit("drop");
      case "apply":
        await this.#apply();
        if (step.commits) clone.commit("state");
        return;
      case "prune":
        await this.#prune();
        if (step.commits) clone.commit("state");
        return;
      case "switch":
        clone.commit("before");
        this.#branch = this.#branch === "main" ? "side" : "main";
        clone.git("checkout", "-q", this.#branch);
        return;
      case "merge":
        return await this.#merge(step.how);
      case "other-machine":
        clone.commit("before");
        this.#own = [];
        clone.remove(".agentform");
        clone.remove(".git/agentform");
        return;
      default:
        return this.#goBack(step.do);
    }
  }

  #goBack(how: "revert" | "reset" | "old-lock" | "cherry-pick" | "rebase"): void {
    const { clone } = this;
    const other = this.#branch === "main" ? "side" : "main";
    if (how !== "old-lock") clone.commit("before");
    // Without the first commit there is no workspace.
    const isFirst = clone.git("rev-parse", "--verify", "-q", "HEAD~2") === undefined;
    if (how === "revert" && !isFirst && clone.git("revert", "--no-edit", "HEAD~1") === undefined)
      clone.git("revert", "--abort");
    if (how === "reset") clone.git("reset", "-q", "--hard", "HEAD~1");
    if (how === "old-lock") clone.git("checkout", "-q", "HEAD~2", "--", "agentform.lock");
    if (how === "cherry-pick" && clone.git("cherry-pick", "--allow-empty", other) === undefined) {
      // As people do who do not look.
      clone.git("checkout", "-q", "--theirs", "--", ".");
      clone.commit("picked");
    }
    if (how === "rebase" && clone.git("rebase", "-q", other) === undefined) clone.git("rebase", "--abort");
  }

  async #merge(how: "driver" | "command" | "ours" | "theirs"): Promise<void> {
    const { clone } = this;
    counts.merges++;
    clone.commit("before");
    clone.write({ ".git/info/attributes": how === "driver" ? "" : "agentform.lock !merge\n" });
    const other = this.#branch === "main" ? "side" : "main";
    if (clone.git("merge", "-q", "--no-edit", other) !== undefined) return;
    if (how === "command" || how === "driver") {
      const isInLock = clone.git("ls-files", "--unmerged", "agentform.lock") !== "";
      if (isInLock) expect(await clone.mergeLock()).toMatchObject({ status: "done", diagnostics: [] });
      for (const folder of ["agents", "policies"]) clone.git("checkout", "-q", "--ours", "--", folder);
    } else clone.git("checkout", "-q", `--${how}`, "--", ".");
    clone.commit("merged");
  }

  async #prune(): Promise<void> {
    await this.repair();
    const before = this.clone.lock();
    const there = this.#objects();
    const needed = [before, this.clone.lockOf(this.#branch === "main" ? "side" : "main", before)].flatMap(
      (lock) => (lock ? Object.values(lock.resources).flatMap((entry) => idsOf(entry)) : []),
    );
    const { status, diagnostics } = await this.clone.prune();
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(["applied", "unchanged"]).toContain(status);
    const left = this.#objects();
    for (const id of needed) {
      if (there.has(id)) expect(left, `${id} is managed and was deleted`).toContain(id);
    }
    const lock = this.clone.lock();
    if (status !== "applied" || !lock) return;
    counts.pruned += there.size - left.size;
    this.#own.push(lock);
  }

  #objects(): Set<string> {
    const { agents, policies } = this.service.objects();
    return new Set([...agents, ...policies].map(({ id }) => id));
  }

  /** The addresses whose objects were deleted from a branch that did not know of them; a person has them made anew. */
  #gone(): string[] {
    const there = this.#objects();
    const { resources = {} } = this.clone.lock() ?? {};
    return Object.entries(resources).flatMap(([address, { id = "" }]) =>
      there.has(id) || !this.clone.hasDocument(address) ? [] : [address],
    );
  }

  async #apply(): Promise<void> {
    const replace = [...(await this.repair()), ...this.#gone()];
    const before = this.clone.lock();
    const { status, plan, diagnostics } = await this.clone.apply(replace);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(["applied", "unchanged"]).toContain(status);
    for (const { address, action } of plan?.actions ?? []) {
      if (action !== "create") continue;
      const objects = Object.values(before?.retired ?? {}).filter((object) => object.address === address);
      const isMeant = objects.length === 0 || objects.some(({ reason }) => reason === "forgotten");
      expect(isMeant, `${address} is created beside one that exists`).toBe(true);
    }
    const lock = this.clone.lock();
    if (status !== "applied" || !lock) return;
    counts.applies++;
    this.#own.push(lock);
    const write = lock.writes?.split(" ")[0] ?? "";
    for (const entry of Object.values(lock.resources)) {
      if (entry.write === write) for (const id of idsOf(entry)) this.#told.set(id, write);
    }
  }

  /** Plans; what stands against it must name the command that puts it right, and after that it is right. */
  async repair(): Promise<string[]> {
    for (let attempt = 0; ; attempt++) {
      const { diagnostics } = await this.clone.plan();
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      const returned = errors.flatMap(({ code, address }) =>
        code === "retired-address" && address !== undefined ? [address] : [],
      );
      const wrong = errors.filter(({ code }) => code !== "retired-address");
      if (wrong.length === 0) {
        this.#check();
        return returned;
      }
      expect(attempt, JSON.stringify(wrong)).toBeLessThan(2);
      counts.repaired++;
      const [{ code, hint }] = wrong as [(typeof wrong)[0]];
      expect(code).toMatch(/^(lock-behind|lock-conflict|journal-foreign)$/);
      const command = code === "lock-conflict" ? "merge" : "restore";
      expect(hint).toContain(`agentform lock ${command}`);
      const repaired = command === "merge" ? await this.clone.mergeLock() : await this.clone.restore();
      expect(repaired).toMatchObject({ status: "done", diagnostics: [] });
    }
  }

  #check(): void {
    const lock = this.clone.lock();
    const seen = [...this.clone.committedLocks(), ...this.#own];
    const known = new Set(lock ? allIds(lock) : []);
    for (const key of Object.keys(lock?.deleted ?? {})) known.add(key.replace(/^\w+ /, ""));
    for (const id of seen.flatMap(allIds)) expect(known, `the ID ${id} is lost`).toContain(id);
    if (!lock) return;
    const managed = Object.values(lock.resources).flatMap((entry) => idsOf(entry));
    expect(new Set(managed).size, "an ID has two addresses").toBe(managed.length);
    const writes = new Set(seen.flatMap((each) => each.writes?.split(" ") ?? []));
    const told = new Map(this.service.objects().agents.map(({ id, body }) => [id, body["system_prompt"]]));
    for (const [address, { id = "", body, uncertain }] of Object.entries(lock.resources)) {
      const isKnown = writes.has(this.#told.get(id) ?? "");
      if (!address.startsWith("agent:") || uncertain === true || !isKnown || !told.has(id)) continue;
      expect(told.get(id), `${address} was told something else`).toBe(body["system_prompt"]);
    }
  }

  /** Brings everything to rest, and sees that the service has what the documents say. */
  async settle(): Promise<void> {
    await this.#apply();
    await this.#apply();
    const told = new Map(this.service.objects().agents.map(({ id, body }) => [id, body["system_prompt"]]));
    const { resources = {} } = this.clone.lock() ?? {};
    for (const name of ["a0", "a1", "a2"]) {
      const prompt = this.clone.promptOf(name);
      const { id = "" } = resources[`agent:${name}`] ?? {};
      const writer = this.#told.get(id) ?? "";
      const isOurs = this.clone.lock()?.writes?.split(" ").includes(writer) === true;
      if (isOurs) expect(told.get(id), `agent:${name}`).toBe(prompt);
    }
  }
}

function allIds({ resources, retired }: ReadLock): string[] {
  return [...Object.values(resources).flatMap((entry) => idsOf(entry)), ...Object.keys(retired)];
}

test(
  "whatever git does to the lock, a plan is right or names the command that makes it so",
  isLong ? { timeout: 0 } : {},
  async () => {
    const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const folder = mkdtempSync(join(memory, "agentform-history-"));
      const service = await startEmulator({ operations: "full" });
      try {
        const history = new History(folder, service);
        await history.take({ do: "apply", commits: true });
        for (const each of steps) {
          await history.take(each);
          await history.repair();
        }
        await history.settle();
        counts.histories++;
      } finally {
        await service.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
    const seed = isLong ? Date.now() % 2 ** 31 : 20_261_121;
    if (isLong) console.log(`seed ${seed}`);
    await fc.assert(property, { seed, numRuns: histories, examples: known.map((steps) => [steps]) });
  },
);
