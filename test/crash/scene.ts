import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.js";
import { repairLock, readLock } from "../../src/sync/lock/edits.js";
import { idsOf } from "../../src/core/kind/identity.js";
import type { Lock } from "../../src/core/state/lock.js";
import { noOptions } from "../../src/core/plan/plan-options.js";
import { Secret } from "../../src/service/secret.js";
import { targetOf } from "../../src/service/target.js";
import { apply } from "../../src/sync/apply.js";
import { plan } from "../../src/sync/plan.js";
import { documentText } from "../harness/disk-workspace.js";
import { plainObjects } from "../harness/kind-places.js";
import { startApply } from "./apply-process.js";
import { arrival, Moments, type Changed, type KeepingServer, type Moment } from "./moments.js";

const openapi = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  paths: {
    "/tickets": {
      get: { operationId: "listTickets", responses: {} },
      post: { operationId: "createTicket", responses: {} },
    },
  },
};

/** Documents of all four kinds, in two editions: the second updates, replaces and creates. */
export const editions: readonly Readonly<Record<string, string>>[] = [edition(1), edition(2)];

function edition(number: 1 | 2): Record<string, string> {
  const desk = {
    tool_set_name: "desk",
    openapi_schema: openapi,
    default_query_params: { edition: String(number) },
  };
  const support = {
    name: "support",
    system_prompt: `Edition ${number}`,
    tools: ["${toolset:desk}"],
    llm_credential_id: "${credential:provider}",
    features: [{ type: "RAI", priority: 0, config: { policy_id: "${policy:strict}" } }],
  };
  return {
    "policies/strict.yaml": documentText("Policy", "strict", {
      name: "strict",
      description: `Edition ${number}`,
    }),
    "toolsets/desk.yaml": documentText("ToolSet", "desk", desk),
    "credentials/provider.yaml": documentText("Credential", "provider", {
      name: "provider",
      credentials: { key: "${env:PROVIDER_KEY}" },
    }),
    "agents/support.yaml": documentText("Agent", "support", support),
    "agents/lead.yaml": documentText("Agent", "lead", { name: "lead", managed_agents: ["${agent:support}"] }),
    ...(number === 2 && { "agents/new.yaml": documentText("Agent", "new", { name: "new" }) }),
  };
}

/** A workspace on the disk, a service, and what people do with both. */
export class Scene {
  private constructor(
    readonly emulator: Emulator,
    private readonly lock: object | undefined,
    private readonly changed: Changed,
  ) {}

  /** Opens a scene; the state is in files unless the settings of another lock are given. */
  static async open(options: EmulatorOptions = {}, lock?: object): Promise<Scene> {
    const directory = mkdtempSync(join(tmpdir(), "agentform-crash-"));
    const data = `${directory}.service`;
    return new Scene(await startEmulator({ ...options, data }), lock, { directory, data });
  }

  /** Opens the scene that a death at a moment leaves, whose service has another address. */
  async at({ directory, data, putBack }: Moment): Promise<Scene> {
    await putBack?.();
    return new Scene(await startEmulator({ data }), this.lock, { directory, data });
  }

  get directory(): string {
    return this.changed.directory;
  }

  async close(): Promise<void> {
    await this.emulator.close();
    for (const folder of Object.values(this.changed)) rmSync(folder, { recursive: true, force: true });
  }

  /** Writes an edition; the service is reached at an address that the lock knows by another name. */
  write(files: Readonly<Record<string, string>>, url = this.emulator.url): void {
    const manifest = {
      apiVersion: "agentform/v1",
      kind: "Workspace",
      metadata: { name: "crash" },
      spec: {
        service: {
          base_url: url,
          rai_base_url: url,
          api_key: "${env:AGENT_API_KEY}",
          tool_ids: "document_order",
        },
        extra_fields: { agent: ["managed_agents"] },
        ...(this.lock && { lock: this.lock }),
      },
    };
    for (const [file, text] of Object.entries({ "agentform.yaml": JSON.stringify(manifest), ...files })) {
      mkdirSync(dirname(join(this.directory, file)), { recursive: true });
      writeFileSync(join(this.directory, file), text);
    }
  }

  /** Runs `apply` in a process of its own; gives its exit code, or null if it was killed. */
  async applyInProcess(env: NodeJS.ProcessEnv, onSpawn: (kill: () => void) => void = () => undefined) {
    const { child, ended } = startApply(this.directory, {
      preload: "kill-at.mjs",
      env: { KILL_BELOW: this.directory, ...env },
    });
    onSpawn(() => child.kill("SIGKILL"));
    const { code, stderr } = await ended;
    await arrival();
    return { code, stderr };
  }

  /**
   * Runs `apply` in a process of its own to its end, and gives what a kill would have left: at its moments by
   * `kill-at.mjs`, or after each request to a server that keeps the state.
   */
  async moments(
    env: Readonly<Record<string, string>>,
    server?: KeepingServer,
    isByRequest = false,
  ): Promise<readonly Moment[]> {
    const moments = new Moments(this.changed, () => server?.backUp());
    const { child, ended } = startApply(this.directory, {
      preload: "kill-at.mjs",
      env: { KILL_BELOW: this.directory, ...env },
      ...(!isByRequest && { keep: () => moments.keep() }),
    });
    if (server && isByRequest) server.fault = () => ({ wait: moments.keepStopped(child) });
    const { code, stderr } = await ended;
    if (server) server.fault = () => undefined;
    expect(code, stderr).toBe(0);
    return moments.kept;
  }

  async applyHere() {
    return await apply({
      ...this.#request,
      userAgent: "agentform/test",
      confirm: async () => true,
      target: (settings) => targetOf(settings, (name) => new Secret(name)),
    });
  }

  /** Goes on as a person would, until an apply finds nothing left to do, which no further plan needs to say. */
  async goOn(at?: string): Promise<void> {
    let actions: readonly unknown[] | undefined;
    for (let round = 0; round < 5; round++) {
      await this.resolveUnknown();
      const { status, plan: applied, diagnostics } = await this.applyHere();
      expect(
        diagnostics.filter(({ severity }) => severity === "error"),
        at,
      ).toEqual([]);
      await this.check();
      actions = applied?.actions;
      if (status === "unchanged") break;
    }
    expect(actions, at).toEqual([]);
  }

  async planHere() {
    return await plan(this.#request);
  }

  get #request() {
    return { directory: this.directory, options: { ...noOptions, serviceMoved: true } };
  }

  /** The IDs on the service that the state does not know. */
  async unaccounted(): Promise<string[]> {
    const { state } = await readLock(this.#request);
    const known = knownIds(state?.lock);
    return [...this.objects().values()].flat().filter((id) => !known.has(id));
  }

  /** What every state must hold: nothing of the service is unaccounted for, nothing was created twice. */
  async check(): Promise<void> {
    const { state, diagnostics } = await readLock(this.#request);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const lock = state?.lock;
    const known = knownIds(lock);
    for (const [address, ids] of this.objects()) {
      const unaccounted = ids.filter((id) => !known.has(id));
      // One create of unknown outcome accounts for one object.
      const allowed = lock?.unknown[address] ? (address.startsWith("toolset:") ? 2 : 1) : 0;
      expect(unaccounted.length, `${address}: ${unaccounted.join(", ")}`).toBeLessThanOrEqual(allowed);
    }
  }

  /** The creates of unknown outcome of which the service has nothing. */
  async neverMade(): Promise<string[]> {
    return (await this.#unknown()).flatMap(({ address, found }) => (found.length === 0 ? address : []));
  }

  /** The creates of unknown outcome, with the IDs on the service that the state does not know. */
  async #unknown() {
    const { state } = await readLock(this.#request);
    const lock = state?.lock;
    const known = new Set(JSON.stringify(lock).match(/[0-9a-f]{24}/g));
    return Object.keys(lock?.unknown ?? {}).map((address) => {
      return { address, found: (this.objects().get(address) ?? []).filter((id) => !known.has(id)) };
    });
  }

  /** Resolves what is unknown as a person would who can look into the service. */
  async resolveUnknown(): Promise<number> {
    const edits = (await this.#unknown()).map(({ address, found }) => {
      if (found.length === 0) return { type: "not-created", address } as const;
      const tools = ["listTickets", "createTicket"].map((operation, index) => `${operation}=${found[index]}`);
      const adoption = address.startsWith("toolset:") ? tools : (found[0] ?? "");
      return { type: "resolve", address, adoption } as const;
    });
    if (edits.length === 0) return 0;
    const { status, diagnostics } = await repairLock(this.#request, edits);
    expect(diagnostics).toEqual([]);
    expect(status).toBe("done");
    return edits.length;
  }

  /** The IDs on the service, by the address that their name gives. */
  objects(): Map<string, string[]> {
    const stored = this.emulator.objects();
    const objects = new Map<string, string[]>();
    const add = (address: string, id: string) => objects.set(address, [...(objects.get(address) ?? []), id]);
    for (const { kind, id, body } of plainObjects(stored)) add(`${kind}:${String(body.name)}`, id);
    for (const { id } of stored.tools) add("toolset:desk", id);
    return objects;
  }
}

function knownIds(lock: Lock | undefined): ReadonlySet<string> {
  const entries = Object.values(lock?.resources ?? {});
  return new Set([...Object.keys(lock?.retired ?? {}), ...entries.flatMap(idsOf)]);
}
