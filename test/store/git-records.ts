import type { JournalHeader } from "../../src/generated/journal.js";
import { JournalWriter, type JournalRecord } from "../../src/core/state/journal.js";

import type { Lock } from "../../src/core/state/lock.js";
import type { StoredState, WritableState } from "../../src/core/state/lock-store.js";
import { assembleState } from "../../src/core/state/stored-state.js";

const request = {
  method: "POST",
  path: "/v3/agents/",
  body: {},
  digest: "sha256:0",
  time: "2026-01-01T00:00:00Z",
};

/** Renders the lines of one journal, its header first. */
export class Lines {
  readonly #writer = new JournalWriter();

  constructor(private readonly workspace = "test") {}

  header(serial = 0, more: Partial<JournalHeader> = {}): string {
    const header: JournalHeader = {
      type: "header",
      format: "agentform/journal/v1",
      workspace: this.workspace,
      environment: null,
      lineage: "one",
      serial,
      write: "w1",
      service: { base_url: "http://127.0.0.1:1" },
      ...more,
    };
    return this.#writer.render(header);
  }

  claim(...addresses: string[]): string {
    const creates = addresses.map((address) => ({ ...request, address, operation: "create" as const }));
    return this.#line({ type: "claim", creates });
  }

  begin(n: number, address: string): string {
    return this.#line({ type: "begin", n, address, operation: "create", ...request });
  }

  unsent(): string {
    return this.#line({ type: "unsent" });
  }

  done(n: number, id: string): string {
    return this.#line({ type: "done", n, id });
  }

  move(from: string, to: string): string {
    return this.#line({ type: "move", moves: [{ from, to }] });
  }

  #line(record: JournalRecord): string {
    return this.#writer.render(record);
  }
}

/** The lock of who has accounted for the journal of `Lines`. */
export const accountedLock = `${JSON.stringify({ format: "agentform/lock/v1", lineage: "one", serial: 1, writes: "w1" })}\n`;

/** Writes what an apply that creates one object has in the journal before its lock. */
export async function appendCreated(
  store: Pick<WritableState, "append" | "flush">,
  address: string,
  id: string,
): Promise<void> {
  const lines = new Lines();
  store.append(lines.header() + lines.claim(address) + lines.begin(1, address));
  await store.flush();
  store.append(lines.done(1, id));
  await store.flush();
}

/** The lock that a stored state amounts to for the next apply; throws where it cannot be trusted. */
export function lockOf(stored: StoredState): Lock {
  const names = { lockName: "lock", journalName: "journal" };
  const state = assembleState(stored, { workspace: "test", environment: null }, names);
  if (!state.ok) throw new Error(JSON.stringify(state));
  return state.lock;
}
