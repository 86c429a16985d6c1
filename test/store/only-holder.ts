import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { ApplyEvent } from "../../src/core/apply/apply-report.js";
import { StoreChangedError, type LockStore } from "../../src/core/state/lock-store.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import type { ConnectOptions } from "../../src/service/connect.js";
import type { Target } from "../../src/service/target.js";
import { renderRepair } from "../../src/render/lock/repair-text.js";
import { runs, sample, stride } from "../harness/tier.js";
import { calling, createAgent } from "../service/calling.js";
import { rawServer } from "../service/raw-server.js";
import type { Lock } from "../../src/core/state/lock.js";
import { Lines } from "./git-records.js";
import { nonceIn, Site } from "./apply-site.js";
import type { ConformanceMedium } from "./conformance-medium.js";

/** Called in the place of each wait before a request. */
let onWait: (() => Promise<void>) | undefined;

/** Only who holds a store sends: whatever an apply waits for, and wherever it stands still while another takes its place. */
export function describeOnlyHolder(name: string, make: () => Promise<ConformanceMedium>): void {
  beforeAll(mockWaits);
  afterEach(() => {
    onWait = undefined;
    vi.restoreAllMocks();
  });
  describe("an apply whose place another has taken", () => {
    describeWaits(make);
    describeStops(name, make);
    describeLines(make);
  });
}

/** Whatever journal is found, a command mends it, and no ID in it is lost. */
export function describeMending(make: () => Promise<ConformanceMedium>): void {
  const made = (lines: Lines): string =>
    lines.header(7) +
    lines.begin(1, "agent:x") +
    lines.done(1, "x-1") +
    lines.begin(2, "agent:a1") +
    lines.done(2, "a1-2") +
    lines.begin(3, "agent:y");
  const journals: readonly (readonly [string, string])[] = [
    ["of another lock", made(new Lines())],
    ["that is damaged after its first lines", `${made(new Lines())}0123456789abcdef {"type":"done"}\nmore\n`],
    ["of another workspace", made(new Lines("other"))],
    ["that is damaged from its first line", "0123456789abcdef {}\nmore\n"],
  ];

  test.each(journals)("a journal %s is mended by `lock restore`", async (what, journal) => {
    const site = await Site.open(make);
    const here = site.machine("here");
    site.write(1);
    expect((await site.apply(here)).status).toBe("applied");
    const store = site.medium.open(here);
    await store.acquire();
    store.append(journal);
    await store.flush();
    await store.release();
    expect((await site.apply(here)).status).toBe("refused");
    const { status, changes, diagnostics } = await site.restore(here);
    expect(status, JSON.stringify(diagnostics)).toBe("done");
    const { lock, journal: left } = await store.read();
    expect(left).toBeNull();
    const isRead = !what.includes("another workspace") && !what.includes("from its first line");
    const { resources, retired, unknown } = JSON.parse(lock ?? "") as Lock;
    expect(Object.keys(resources)).toEqual(
      isRead ? ["agent:a1", "agent:x", "policy:p1"] : ["agent:a1", "policy:p1"],
    );
    expect(Object.keys(retired)).toEqual(isRead ? ["a1-2"] : []);
    expect(Object.keys(unknown)).toEqual(isRead ? ["agent:y"] : []);
    const [, kept = ""] = /kept as (\S+)/.exec(renderRepair(changes ?? [])) ?? [];
    expect(readFileSync(join(here, kept), "utf8")).toBe(journal);
    expect((await site.restore(here)).changes).toMatchObject([{ type: "nothing-to-restore" }]);
  });
}

/** What a person does who believes that an apply is dead: unlock, look into the service, say what is there, apply again. */
async function takeOver(site: Site, directory: string): Promise<void> {
  await site.unlock(directory);
  await site.resolve(directory);
  const { status, diagnostics } = await site.apply(directory, { patience: 10_000 });
  expect(["applied", "unchanged"], JSON.stringify(diagnostics)).toContain(status);
}

/** What must hold once both have ended: each object once, each ID in the state, nothing held, nothing left behind. */
async function checkEnd(site: Site, there: string, at: string): Promise<void> {
  const counts = site.counts();
  expect(Object.values(counts), `${at}: ${JSON.stringify(counts)}`).toEqual(Object.keys(counts).map(() => 1));
  expect(await site.unknownIds(there), at).toEqual([]);
  expect(await site.medium.open(there).read(), at).toMatchObject({ journal: null, holder: null });
  const { status, diagnostics } = await site.apply(there, { patience: 10_000 });
  expect(status, `${at}: ${JSON.stringify(diagnostics)}`).toBe("unchanged");
}

function describeWaits(make: () => Promise<ConformanceMedium>): void {
  const refused = { method: "POST", path: "*", count: 3, status: 429 } as const;
  const kinds: readonly (readonly [string, EmulatedFault])[] = [
    ["a 429", refused],
    ["a 429 with Retry-After", { ...refused, headers: { "retry-after": "1" } }],
  ];
  const cases = kinds.flatMap((kind) => [1, 2, 4].map((wait) => [...kind, wait] as const));

  test.each(sample("waits of an apply", cases, 0))(
    "after %s sends nothing more, if that was in its wait",
    async (_what, fault, wait) => {
      const site = await Site.open(make, [fault]);
      const [here, there] = [site.machine("here"), site.machine("there")];
      site.write(2);
      let waits = 0;
      onWait = async () => {
        if (++waits !== wait) return;
        onWait = undefined;
        await takeOver(site, there);
      };
      const { status } = await site.apply(here, { patience: 10_000 }, { concurrency: 1 });
      expect({ waits, status }).toEqual({ waits: wait, status: "moved" });
      await checkEnd(site, there, `wait ${wait}`);
    },
  );

  test("sends nothing more, if that was while it waited for its slot", async () => {
    const medium = await make();
    const [store, other] = [medium.open(medium.machine("here")), medium.open(medium.machine("there"))];
    await store.acquire();
    const answer: { now?: () => void } = {};
    const fine = `HTTP/1.1 200 OK\r\ncontent-length: 19\r\n\r\n{"agent_id":"66f1"}`;
    const server = await rawServer([(socket) => void (answer.now = () => socket.write(fine))]);
    const { service } = await calling(server.url, { concurrency: 1 });
    const ready = async (hasWaited: boolean): Promise<void> => await store.confirm(hasWaited);
    const first = service.send(createAgent, "create", ready);
    const second = service.send(createAgent, "create", ready).catch((thrown: unknown) => thrown);
    await vi.waitFor(() => expect(answer.now).toBeDefined());
    const refusal = await other.acquire().catch((thrown: unknown) => thrown);
    expect(await other.unlock(nonceIn(refusal) ?? "")).toBe(true);
    answer.now?.();
    expect(await first).toMatchObject({ type: "success" });
    expect(await second).toBeInstanceOf(StoreChangedError);
    expect(server.received).toHaveLength(1);
    await store.release();
  });
}

// The service of the tests of its own, whose waits are this test's.
function mockWaits(): void {
  vi.doMock("../../src/service/connect.js", () => ({
    async connect({ baseUrl = "", raiBaseUrl = "" }: Target, _settings: unknown, more: ConnectOptions) {
      const { concurrency } = more;
      let late = 0;
      const sleep = async (ms: number): Promise<void> => {
        late += ms;
        await onWait?.();
      };
      const now = () => performance.now() + late;
      const { service } = await calling(baseUrl, { raiBaseUrl, concurrency, sleep, now });
      return { ok: true, service };
    },
  }));
}

function describeStops(name: string, make: () => Promise<ConformanceMedium>): void {
  const apart = stride(`moments of a stop on ${name}`, 6);
  const most = runs(`moments of a stop that are tried on ${name}`, 20, 100);

  test("sends nothing more, wherever it stood still between two questions to its store", async () => {
    for (let step = 1; step <= most; step += apart) {
      const site = await Site.open(make);
      const [here, there] = [site.machine("here"), site.machine("there")];
      site.write(1);
      const events: ApplyEvent[] = [];
      let steps = 0;
      const isReached = () => steps >= step;
      const standStill = async (): Promise<void> => {
        const ids = new Set(Object.values(site.ids()));
        await takeOver(site, there);
        // The system was asleep meanwhile, or the process was stopped: clocks went on.
        const now = Date.now.bind(Date);
        vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
        expect([...ids].every((id) => Object.values(site.ids()).includes(id))).toBe(true);
      };
      // All of a process stands still: one that lives may go on sending for some seconds after an unlock.
      let standstill = Promise.resolve();
      const before = (): Promise<void> => {
        if (++steps === step) standstill = standStill();
        return standstill;
      };
      const through = (store: LockStore): LockStore => stopping(store, before);
      const { status, diagnostics } = await site.apply(
        here,
        { patience: 10_000 },
        {
          through,
          concurrency: 1,
          onEvent: (event) => events.push(event),
        },
      );
      vi.restoreAllMocks();
      const at = `step ${step}, ended as ${status}: ${JSON.stringify(diagnostics)}`;
      if (!isReached()) break;
      expect(["moved", "applied", "unchanged"], at).toContain(status);
      await checkEnd(site, there, at);
      const journals = [here, join(here, ".git", "agentform")].flatMap((folder) =>
        existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".journal")) : [],
      );
      // A machine's own journal of a state over the network is put aside by its next apply.
      if (!site.medium.open(here).needsClaim) expect(journals, at).toEqual([]);
    }
  });
}

/** A store that stands still before each use. */
function stopping(store: LockStore, before: () => Promise<void>): LockStore {
  const { lockName, journalName, needsClaim, memory, history } = store;
  const slow =
    <Values extends readonly unknown[], Result>(run: (...values: Values) => Promise<Result>) =>
    async (...values: Values): Promise<Result> => {
      await before();
      return await run(...values);
    };
  return {
    lockName,
    journalName,
    needsClaim,
    ...(memory && { memory }),
    ...(history && { history }),
    read: () => store.read(),
    acquire: slow(() => store.acquire()),
    confirm: slow((hasWaited) => store.confirm(hasWaited)),
    append: (line) => store.append(line),
    flush: slow(() => store.flush()),
    replace: slow((lock, version) => store.replace(lock, version)),
    release: slow(() => store.release()),
    unlock: (nonce) => store.unlock(nonce),
  };
}

function describeLines(make: () => Promise<ConformanceMedium>): void {
  test.each(["after it took the store", "after its first record"])(
    "leaves no journal in the place of another's, if that was %s",
    async (moment) => {
      const medium = await make();
      const [here, there] = [medium.machine("here"), medium.machine("there")];
      const [store, other] = [medium.open(here), medium.open(there)];
      await store.acquire();
      if (moment === "after its first record") {
        store.append("mine\n");
        await store.flush();
      }
      const refusal = await other.acquire().catch((thrown: unknown) => thrown);
      expect(await other.unlock(nonceIn(refusal) ?? "")).toBe(true);
      await other.acquire();
      await other.replace("theirs\n", (await other.read()).version);
      await other.release();
      store.append("mine, too late\n");
      // Once a claim is on the medium, lines are durable on the machine first.
      if (!store.needsClaim) await expect(store.flush()).rejects.toThrow(StoreChangedError);
      await expect(store.confirm(true)).rejects.toThrow(StoreChangedError);
      await expect(store.flush()).rejects.toThrow(StoreChangedError);
      await store.release();
      const state = { lock: "theirs\n", journal: null, holder: null };
      expect(await medium.open(there).read()).toMatchObject(state);
      const after = medium.open(here);
      await after.refresh?.();
      expect(await after.read()).toMatchObject(state);
    },
  );
}
