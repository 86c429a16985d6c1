import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { main } from "../../src/cli/main.js";
import { kindNames } from "../../src/core/kind/kinds.js";
import { idsOf } from "../../src/core/kind/identity.js";
import type { Lock } from "../../src/core/state/lock.js";
import { startEmulator, type Emulator } from "../../src/emulator/emulator.js";
import type { EmulatedFault } from "../../src/emulator/fault.js";
import type { KindName } from "../../src/generated/kinds.js";
import type { Action, Plan } from "../../src/generated/plan.js";
import { isObject, type Json, type JsonObject } from "../../src/json/json.js";
import { readLock } from "../../src/sync/lock/edits.js";
import { canary } from "./canary.js";
import { dooming, type Doom } from "./doomed-store.js";
import { compare, differencesOf, storedById, type Stored } from "./found-differences.js";
import { Papers } from "./papers.js";
import { knownIds } from "./service-object.js";
import { operationsOf, type World } from "./two-hands-world.js";

/** What befalls a command. */
export interface Luck {
  readonly faults: readonly EmulatedFault[];
  readonly doom?: Doom;
}

/** What somebody does in the console of the service. */
export type ConsoleEdit = (typeof consoleEdits)[number];

/** Each edit, the frequent ones more than once. */
export const consoleEdits = [
  "change",
  "change",
  "change",
  "remove a field",
  "add a field",
  "reorder",
  "refer",
  "delete",
  "create",
  "create",
  "tell a secret",
] as const;

/** How a command ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly died: boolean;
}

const fine: Luck = { faults: [] };

/** A workspace on the disk, the service, and what two hands do with both. */
export class Scene {
  readonly papers: Papers;
  readonly #faults: EmulatedFault[] = [];
  /** The objects that the other hand made. */
  readonly #foreign = new Set<string>();
  /** The fields that the other hand has changed, by ID. */
  readonly #touched = new Map<string, Set<string>>();
  #emulator: Emulator | undefined;
  #last: readonly Lock[] | undefined;
  #count = 0;
  /** What was done, to be read when something is wrong. */
  readonly log: string[] = [];

  private constructor(
    readonly directory: string,
    readonly world: World,
  ) {
    this.papers = new Papers(directory);
  }

  static async open(directory: string, world: World): Promise<Scene> {
    const scene = new Scene(directory, world);
    const { lists } = world;
    scene.#emulator = await startEmulator({ operations: "full", lists, pageSize: 2, faults: scene.#faults });
    scene.#writeManifest();
    scene.papers.anchor();
    for (const kind of kindNames) scene.papers.add(kind, 1);
    return scene;
  }

  async close(): Promise<void> {
    await this.#emulator?.close();
  }

  get emulator(): Emulator {
    if (!this.#emulator) throw new Error("the scene is not open");
    return this.#emulator;
  }

  stored(): ReadonlyMap<string, Stored> {
    return storedById(this.emulator.objects());
  }

  async lock(environment: string): Promise<Lock> {
    const { state, diagnostics } = await readLock({ directory: this.directory, environment });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    if (!state) throw new Error("there is no state");
    return state.lock;
  }

  /** Does something in the console. */
  edit(edit: ConsoleEdit, kind: KindName, choice: number): void {
    const number = ++this.#count;
    const all = [...this.stored().values()];
    const chosen = all[choice % Math.max(1, all.length)];
    const label = `foreign-${number}`;
    if (edit === "create" || !chosen) {
      const ids = this.emulator.edit({ kind: nounOf(kind), create: foreignBody(kind, label) });
      for (const id of ids) this.#foreign.add(id);
      this.log.push(`hand: create ${kind} ${label} ${ids.join()}`);
      return;
    }
    const { id, body } = chosen;
    if (edit === "delete") {
      this.log.push(`hand: delete ${chosen.kind} ${id} (${chosen.label})`);
      this.emulator.edit({ kind: nounOf(chosen.kind), id, delete: true });
      return;
    }
    const changes = consoleChanges(edit, chosen, number, all);
    if (changes.tool_set_name !== undefined || Object.keys(changes).length === 0) return;
    this.log.push(`hand: ${edit} of ${chosen.kind} ${id} (${chosen.label}): ${JSON.stringify(changes)}`);
    this.emulator.edit({ kind: nounOf(chosen.kind), id, changes });
    const fields = Object.keys(changes).filter(
      (field) => JSON.stringify(body[field]) !== JSON.stringify(changes[field]),
    );
    this.#touched.set(id, new Set([...(this.#touched.get(id) ?? []), ...fields]));
  }

  /** Runs a command in an environment, and sees that it kept all promises. */
  async run(environment: string, args: readonly string[], { faults, doom }: Luck = fine): Promise<Ran> {
    const before = this.stored();
    // Nothing but a command writes them.
    const locks = this.#last ?? (await this.#locks());
    const asked = this.emulator.requests.length;
    this.#faults.splice(0, this.#faults.length, ...faults);
    let [out, err] = ["", ""];
    const text = this.#texts().join("\n");
    const names = [...text.matchAll(/env:([A-Z0-9_]+)/g)].map(([, name = ""]) => name);
    const env = Object.fromEntries(names.map((name) => [name, secretOf(name)]));
    const code = await dooming(doom, () =>
      main([...args, "-e", environment], {
        env,
        cwd: this.directory,
        isTerminal: false,
        canAsk: false,
        showsProgress: false,
        out: (piece) => (out += piece),
        err: (piece) => (err += piece),
      }),
    );
    this.#faults.length = 0;
    const died = code === "died";
    const told = `${args.join(" ")} -e ${environment}`;
    this.log.push(`$ ${told}  (${String(code)}) ${JSON.stringify({ faults, doom })}\n${out}${err}`);
    if (died) this.#bury(environment);
    else expect(code, told).not.toBe(70);
    const ran = { code: died ? -1 : code, out, err, died };
    expect(out + err).not.toContain(canary);
    for (const each of this.#texts()) expect(each).not.toContain(canary);
    const requests = this.emulator.requests.slice(asked);
    await this.#check(environment, args, ran, { before, locks, requests });
    return ran;
  }

  /** Looks for drift; without faults it says exactly what differs. */
  async drift(environment: string, luck: Luck, isText: boolean): Promise<Ran> {
    const format = isText ? "text" : "json";
    const args = ["drift", "--out", "found.json", "--detailed-exitcode", "--format", format];
    rmSync(join(this.directory, "found.json"), { force: true });
    const ran = await this.run(environment, args, luck);
    if (!ran.died && luck.faults.length === 0 && !isText && this.#canLook())
      await this.#checkDrift(environment, ran);
    return ran;
  }

  /** Applies once; an answer to `--replace` is given where the tool asks for it. */
  async apply(environment: string, options: readonly string[], luck: Luck, isText = false): Promise<Ran> {
    const args = ["apply", "--yes", ...(isText ? [] : ["--format", "json"]), ...options];
    const ran = await this.run(environment, args, luck);
    const returned = diagnosticsOf(ran)
      .filter(({ code }) => code === "retired-address")
      .flatMap(({ address }) => ["--replace", String(address)]);
    return returned.length > 0 ? await this.run(environment, [...args, ...returned], luck) : ran;
  }

  /** Whether the last look has left an observation. */
  get hasObservation(): boolean {
    return existsSync(join(this.directory, "found.json"));
  }

  /** Looks for what a create of unknown outcome made, and tells as a person does if that is not certain. */
  async resolve(environment: string, luck: Luck, isPerson: boolean): Promise<void> {
    const { unknown } = await this.lock(environment);
    for (const [address, { body }] of Object.entries(unknown)) {
      const ran = await this.run(environment, ["lock", "resolve", address, "--search", "--yes"], luck);
      if (ran.code === 0 || !isPerson) continue;
      const known = new Set((this.#last ?? []).flatMap((lock) => [...knownIds(lock)]));
      const label = String(body.name ?? body.tool_set_name);
      const first = [...this.stored().values()].find(
        (object) => object.label === label && !known.has(object.id) && !this.#foreign.has(object.id),
      );
      const tools = this.emulator.objects().tools.filter(({ toolSet }) => toolSet === first?.whole);
      const isPartly = first?.kind === "toolset" && tools.length < 2;
      const id =
        first?.kind === "toolset"
          ? tools.map((tool) => `${tool.operationId}=${tool.id}`).join(",")
          : first?.id;
      const said = id === undefined ? ["--not-created"] : ["--adopt", id];
      const told = await this.run(environment, ["lock", "resolve", address, ...said]);
      expect(told.code, told.err).toBe(0);
      if (isPartly) await this.run(environment, ["lock", "resolve", address, "--not-created"]);
    }
  }

  /** Brings everything to rest: obeys what the tool says until service, lock and documents agree. */
  async settle(): Promise<void> {
    const { environments } = this.world;
    for (let round = 0; ; round++) {
      let isQuiet = true;
      for (const environment of environments) {
        if (!(await this.#settleOne(environment))) isQuiet = false;
      }
      if (isQuiet) break;
      expect(round, "rounds without rest").toBeLessThan(14);
    }
    for (const environment of environments) await this.#checkRest(environment);
    for (const environment of environments) await this.#checkNothingLeft(environment);
  }

  // One round; gives whether there was nothing to do.
  async #settleOne(environment: string): Promise<boolean> {
    await this.resolve(environment, fine, true);
    const planned = await this.run(environment, ["plan", "--detailed-exitcode", "--format", "json"]);
    const replaced: string[] = [];
    for (const { code, address, severity, message, hint } of planOf(planned)?.diagnostics ??
      errorsOf(planned)) {
      if (code === "protected") this.papers.unprotect(String(address));
      else if (code === "retired-address") replaced.push("--replace", String(address));
      else if (severity === "error") expect.fail(`${code}: ${message} (${hint})`);
    }
    const looked = this.#canLook() ? await this.drift(environment, fine, false) : undefined;
    const isDrifted = looked?.code === 2 && planOf(looked) !== undefined;
    for (const { address, parts } of causedIn(looked, "only-in-service"))
      replaced.push(parts.anew === true ? "--replace" : "--resend", address);
    if (planned.code === 0 && !isDrifted) return true;
    const observed = isDrifted ? ["--observed", "found.json"] : [];
    if (isDrifted) {
      const again = await this.run(environment, ["plan", "--format", "json", ...observed, ...replaced]);
      for (const { code, address } of planOf(again)?.diagnostics ?? errorsOf(again)) {
        if (code === "protected") this.papers.unprotect(String(address));
      }
      for (const { address } of causedIn(again, "no-update-undoes")) replaced.push("--replace", address);
    }
    const args = ["apply", "--yes", "--format", "json", "--overwrite", "all", ...observed, ...replaced];
    const applied = await this.run(environment, args);
    for (const { code, address } of diagnosticsOf(applied)) {
      if (code === "protected") this.papers.unprotect(String(address));
    }
    await this.#tellIds(environment);
    // What a kind without read or list lost is only known when its update fails.
    for (const event of eventsOf(applied)) {
      const isGone = event.type === "failed" && /\b404\b|no longer exists/.test(JSON.stringify(event));
      if (isGone) await this.run(environment, ["apply", "--yes", "--replace", String(event.address)]);
    }
    return false;
  }

  // Where an answer had no ID, a person looks it up.
  async #tellIds(environment: string): Promise<void> {
    const { resources } = await this.lock(environment);
    const known = new Set((this.#last ?? []).flatMap((lock) => [...knownIds(lock)]));
    for (const [address, entry] of Object.entries(resources)) {
      if (idsOf(entry).length > 0 || entry.candidates) continue;
      if (!this.papers.in(environment).some((paper) => paper.address === address)) continue;
      const found = [...this.stored().values()].find(
        ({ id, label }) => label === entry.body.name && !known.has(id),
      );
      if (found) await this.run(environment, ["lock", "resolve", address, "--adopt", found.id]);
    }
  }

  async #checkRest(environment: string): Promise<void> {
    const lock = await this.lock(environment);
    expect(lock.unknown).toEqual({});
    const papers = this.papers.in(environment);
    expect(Object.keys(lock.resources).toSorted()).toEqual(papers.map(({ address }) => address).toSorted());
    const stored = this.stored();
    for (const { address, kind, spec } of papers) {
      const entry = lock.resources[address];
      if (!entry || !this.#can(kind, "read", "list")) continue;
      for (const id of idsOf(entry)) {
        for (const [field, value] of Object.entries(spec)) {
          if (/\$\{|\$\$/.test(JSON.stringify(value)) || field === "openapi_schema") continue;
          // What the service does not show, a drift has said.
          const found = compare(value, stored.get(id)?.body[field]);
          expect(
            [...found].filter((each) => each === "changed"),
            `${address} ${field}`,
          ).toEqual([]);
        }
      }
    }
  }

  async #checkNothingLeft(environment: string): Promise<void> {
    await this.run(environment, ["prune", "--yes", "--format", "json"]);
    const again = await this.run(environment, ["prune", "--yes", "--format", "json"]);
    expect(eventsOf(again).filter(({ type }) => type === "start")).toEqual([]);
    await this.import(environment, fine);
    const files = this.#texts();
    const second = await this.run(environment, ["import", "--all", "--yes"]);
    // What no document can describe is named every time.
    if (second.code === 0) expect(second.out).toContain("There is nothing to import.");
    else expect(second.err).toMatch(/^error\[/m);
    expect(this.#texts()).toEqual(files);
  }

  /** Imports everything; what is imported has nothing to do. */
  async import(environment: string, luck: Luck): Promise<void> {
    const before = await this.lock(environment);
    const ran = await this.run(environment, ["import", "--all", "--yes"], luck);
    if (ran.died || ran.code !== 0) return;
    const { resources } = await this.lock(environment);
    const imported = Object.keys(resources).filter((address) => !before.resources[address]);
    if (imported.length === 0) return;
    const planned = planOf(await this.run(environment, ["plan", "--format", "json"]));
    const acted = planned?.actions.filter(({ address }) => imported.includes(address)) ?? [];
    expect(acted.map(({ address, action }) => `${action} ${address}`)).toEqual([]);
    if (!this.#canLook()) return;
    const drifted = planOf(await this.drift(environment, fine, false));
    expect(drifted?.actions.filter(({ address }) => imported.includes(address))).toEqual([]);
  }

  #can(kind: KindName, ...abilities: readonly World["abilities"][KindName][number][]): boolean {
    return abilities.some((ability) => this.world.abilities[kind].includes(ability));
  }

  #canLook(): boolean {
    return Object.values(this.world.abilities).some((some) => some.includes("read") || some.includes("list"));
  }

  async #checkDrift(environment: string, ran: Ran): Promise<void> {
    const plan = planOf(ran);
    const lock = await this.lock(environment);
    expect(plan, ran.err).toBeDefined();
    if (!plan) return;
    const actions = new Map(plan.actions.map((action) => [action.address, action]));
    for (const found of differencesOf(lock, this.stored())) {
      const { address, entry, gone, changed, missing, more } = found;
      const [kind = "agent"] = address.split(":") as [KindName];
      const action = actions.get(address);
      if (!this.#can(kind, "read", "list")) expect(action).toBeUndefined();
      if (!this.#can(kind, "read", "list") || entry.uncertain || entry.assumed) continue;
      const where = `drift of ${address}`;
      if (gone.length === 0) expect(action?.action, where).not.toBe("gone");
      else if (gone.length === idsOf(entry).length) expect(action?.action, where).toBe("gone");
      else expect(action?.action, where).toBe("changed");
      if (action?.action === "gone") continue;
      const told = fieldsOf(action);
      for (const field of changed) expect([...told], `${where}: changed`).toContain(field);
      const isTold = plan.diagnostics.some(({ message }) => message.includes("does not show"));
      for (const field of missing) {
        const isHidden = entry.baseline?.hidden?.some((pointer) => pointer.startsWith(`/${field}`));
        if (!isTold && isHidden !== true) expect([...told], `${where}: missing`).toContain(field);
      }
      const allowed = [...changed, ...missing, ...more, ...(gone.length > 0 ? ["tools"] : [])];
      // Of what the service has of its own, less is a change, too.
      if (!entry.baseline) for (const field of told) expect(allowed, `${where}: told`).toContain(field);
    }
  }

  async #check(
    environment: string,
    args: readonly string[],
    ran: Ran,
    {
      before,
      locks,
      requests,
    }: {
      before: ReadonlyMap<string, Stored>;
      locks: readonly Lock[];
      requests: Emulator["requests"];
    },
  ): Promise<void> {
    const [command = ""] = args;
    const after = this.stored();
    const now = await this.#locks();
    this.#last = now;
    const here = this.world.environments.indexOf(environment);
    const knownBefore = new Set(locks.flatMap((lock) => [...knownIds(lock)]));
    const knownNow = new Set(now.flatMap((lock) => [...knownIds(lock)]));
    // What was known stays known, and what is new is known or waits for an answer.
    const lost = [...after.values()].filter(({ id }) => !knownNow.has(id) && !this.#foreign.has(id));
    for (const { id } of after.values())
      if (knownBefore.has(id)) expect(knownNow.has(id), `${id} lost`).toBe(true);
    const waiting = now.flatMap(({ unknown, resources, retired }) => [
      ...Object.values(unknown).map(({ body }) => labelOf(body)),
      ...Object.values(resources).flatMap((entry) =>
        idsOf(entry).length === 0 ? [labelOf(entry.body)] : [],
      ),
      ...Object.entries(retired).flatMap(([id, { body }]) =>
        id.includes("#") && body ? [labelOf(body)] : [],
      ),
    ]);
    for (const label of new Set(lost.map((object) => object.label))) {
      const objects = new Set(lost.filter((object) => object.label === label).map(({ whole }) => whole));
      const count = waiting.filter((other) => other === label).length;
      expect(objects.size, `lost of ${label}`).toBeLessThanOrEqual(count);
    }
    const created = [...after.values()].filter(({ id }) => !before.has(id));
    const deleted = [...before.values()].filter(({ id }) => !after.has(id));
    if (command !== "apply") {
      expect(created.map(({ id }) => id)).toEqual([]);
      expect(requests.filter(({ method }) => method === "PUT" || method === "POST")).toEqual([]);
    }
    if (command !== "apply" && command !== "prune") {
      expect(deleted.map(({ id }) => id)).toEqual([]);
      expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    }
    this.#checkCreated(created, args, ran, locks[here]);
    for (const { id, kind } of deleted) {
      const owners = locks.flatMap(({ resources }, index) =>
        Object.entries(resources).flatMap(([address, entry]) =>
          idsOf(entry).includes(id) ? [{ address, isHere: index === here }] : [],
        ),
      );
      const ledger = locks[here]?.retired[id];
      const where = `deleted ${kind} ${id}`;
      expect(
        owners.every(({ isHere }) => isHere),
        `${where} of others`,
      ).toBe(true);
      if (command === "prune") expect(owners, `${where} while managed`).toEqual([]);
      expect(ledger !== undefined || owners.length > 0, `${where}, which is not ours`).toBe(true);
      const names = [id, ...owners.map(({ address }) => address), ...(ledger ? [ledger.address] : [])];
      expect(
        names.some((name) => (ran.out + ran.err).includes(name)),
        `${where} was not shown`,
      ).toBe(true);
      const users = [...after.values()].filter(
        (object) => this.#can(object.kind, "list") && JSON.stringify(object.body).includes(id),
      );
      expect(
        users.map((user) => user.id),
        `${where}, which is used`,
      ).toEqual([]);
    }
    if (ran.died) return;
    for (const { resources } of now) {
      const managed = Object.values(resources).flatMap((entry) => idsOf(entry));
      expect(
        deleted.filter(({ id }) => managed.includes(id)),
        "deleted and managed",
      ).toEqual([]);
    }
    this.#checkSent(now[here], after);
  }

  #checkCreated(created: readonly Stored[], args: readonly string[], ran: Ran, lock: Lock | undefined): void {
    const started = args.includes("json")
      ? eventsOf(ran).filter(
          ({ type, action }) => type === "start" && (action === "create" || action === "replace"),
        )
      : undefined;
    const labels = new Map(this.papers.all().map(({ address, spec }) => [address, labelOf(spec)]));
    for (const label of new Set(created.map((object) => object.label))) {
      const count = new Set(created.filter((object) => object.label === label).map(({ whole }) => whole))
        .size;
      const addresses = started ? started.map(({ address }) => String(address)) : [...labels.keys()];
      const wanted = addresses.filter((address) => labels.get(address) === label).length;
      expect(count, `created for ${label}`).toBeLessThanOrEqual(wanted);
    }
    for (const { address, action } of started ?? []) {
      expect(lock?.unknown[String(address)], `${address} created with an unknown outcome`).toBeUndefined();
      if (action === "create")
        expect(lock?.resources[String(address)], `${address} created while managed`).toBeUndefined();
    }
  }

  // What the lock says was sent is there, but for what the other hand did.
  #checkSent(lock: Lock | undefined, stored: ReadonlyMap<string, Stored>): void {
    if (!lock) return;
    for (const { address, entry, changed, missing } of differencesOf(lock, stored)) {
      if (entry.uncertain === true || entry.assumed === true) continue;
      const touched = new Set(idsOf(entry).flatMap((id) => [...(this.#touched.get(id) ?? [])]));
      for (const field of [...changed, ...missing])
        expect([...touched], `${address}: ${field} is not what was sent`).toContain(field);
    }
  }

  async #locks(): Promise<Lock[]> {
    return await Promise.all(this.world.environments.map((environment) => this.lock(environment)));
  }

  // A runner that died leaves its hold, and while it may be alive it counts.
  #bury(environment: string): void {
    const holder = join(this.directory, `.agentform/${environment}.holder`);
    if (!existsSync(holder)) return;
    const record = JSON.parse(readFileSync(holder, "utf8")) as object;
    writeFileSync(holder, JSON.stringify({ ...record, started: "1" }));
  }

  #texts(): string[] {
    const files = readdirSync(this.directory, { recursive: true, withFileTypes: true });
    return files
      .filter((file) => file.isFile() && !file.parentPath.includes(".agentform/cache"))
      .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"))
      .toSorted();
  }

  #writeManifest(): void {
    const { url } = this.emulator;
    const operations = operationsOf(this.world);
    const service = {
      base_url: url,
      rai_base_url: url,
      api_key: "${env:AGENT_API_KEY}",
      tool_ids: "document_order",
      ...(Object.keys(operations).length > 0 && { operations }),
    };
    const environments = Object.fromEntries(this.world.environments.map((name) => [name, {}]));
    const manifest = {
      apiVersion: "agentform/v1",
      kind: "Workspace",
      metadata: { name: "desk" },
      spec: { service, limits: { orphans: 1000 }, environments },
    };
    mkdirSync(this.directory, { recursive: true });
    writeFileSync(join(this.directory, "agentform.yaml"), JSON.stringify(manifest));
  }
}

function secretOf(name: string): string {
  return `${canary}-${name}`;
}

function labelOf(body: JsonObject): string {
  return String(body.name ?? body.tool_set_name);
}

function nounOf(kind: KindName) {
  return kind === "toolset" ? "tool" : kind;
}

function planOf({ out }: Ran): Plan | undefined {
  try {
    const value = JSON.parse(out) as Json;
    return isObject(value) && value.format === "agentform/plan/v1" ? (value as unknown as Plan) : undefined;
  } catch {
    return undefined;
  }
}

/** The resources of which a plan gives this cause, with its parts: what a drift says to run is of them. */
function causedIn(ran: Ran | undefined, code: string) {
  const actions = (ran && planOf(ran)?.actions) ?? [];
  return actions.flatMap(({ address, causes = [] }) =>
    causes.flatMap((each) => (each.code === code ? [{ address, parts: each.parts }] : [])),
  );
}

function eventsOf({ out }: Ran): JsonObject[] {
  return out
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as JsonObject);
}

function diagnosticsOf(ran: Ran): JsonObject[] {
  return eventsOf(ran).flatMap(({ type, diagnostics }) =>
    type === "diagnostics" ? (diagnostics as JsonObject[]) : [],
  );
}

// A plan that cannot be made prints its diagnostics alone.
function errorsOf({ out }: Ran): Plan["diagnostics"] {
  const value = JSON.parse(out) as { diagnostics: Plan["diagnostics"] };
  return value.diagnostics;
}

function fieldsOf(action: Action | undefined): Set<string> {
  return new Set((action?.changes ?? []).map(({ path }) => /^[^.[{]+/.exec(path)?.[0] ?? path));
}

function foreignBody(kind: KindName, label: string): JsonObject {
  switch (kind) {
    case "policy":
      return { name: label, banned_topics: { enabled: true, topics: ["war"] } };
    case "credential":
      return { name: label, credentials: { token: "kept elsewhere" }, meta_data: { owner: "care" } };
    case "toolset": {
      const get = { operationId: "foreign", responses: {} };
      const openapi_schema = {
        openapi: "3.1.0",
        info: { title: "Foreign", version: "1" },
        paths: { [`/${label}`]: { get } },
      };
      return { tool_set_name: label, openapi_schema, default_query_params: { lang: "de" } };
    }
    case "agent":
      return {
        name: label,
        description: "by hand",
        system_prompt: "One.\nTwo.\nThree.\nFour.\n",
        temperature: 0.5,
      };
  }
}

function consoleChanges(
  edit: ConsoleEdit,
  { kind, body }: Stored,
  number: number,
  all: readonly Stored[],
): JsonObject {
  const text = `by hand ${number}`;
  switch (edit) {
    case "change":
      if (kind === "policy") return { banned_topics: { topics: ["weapons", text] } };
      if (kind === "credential") return { meta_data: { revision: text } };
      if (kind === "toolset") return { default_query_params: { lang: text } };
      return number % 2 === 0 ? { description: text } : { temperature: number / 4 };
    case "remove a field":
      if (kind === "policy") return { description: null };
      if (kind === "credential") return { meta_data: null };
      if (kind === "toolset") return { default_query_params: null };
      return { description: null };
    case "add a field":
      if (kind === "policy") return { toxicity_check: { enabled: true } };
      if (kind === "credential") return { meta_data: { added: text } };
      if (kind === "toolset") return { default_headers: { "X-Added": text } };
      return { model: text };
    case "reorder": {
      const topics = isObject(body.banned_topics) ? body.banned_topics.topics : undefined;
      if (Array.isArray(topics)) return { banned_topics: { topics: topics.toReversed() } };
      if (Array.isArray(body.tools)) return { tools: body.tools.toReversed() };
      return typeof body.description === "string" ? { description: `${body.description} ` } : {};
    }
    case "refer": {
      if (kind !== "agent") return {};
      const some = (name: KindName) => all.filter((each) => each.kind === name).map(({ id }) => id);
      const credentials = some("credential");
      const [one] = credentials.slice(number % Math.max(1, credentials.length));
      return number % 2 === 0 && one !== undefined
        ? { llm_credential_id: one }
        : { tools: some("toolset").slice(0, number % 4) };
    }
    case "tell a secret":
      if (kind === "credential") return { meta_data: { note: secretOf("PROVIDER_KEY") } };
      if (kind === "toolset") return { default_query_params: { note: secretOf("DESK_TOKEN") } };
      return { description: `use ${secretOf("PROVIDER_KEY")}` };
    default:
      return {};
  }
}
