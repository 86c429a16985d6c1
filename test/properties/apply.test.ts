import { examples, fc } from "../harness/property.js";
import { expect, test } from "vitest";
import { operationsOf } from "../../src/core/openapi/openapi.js";
import { idsOf } from "../../src/core/kind/identity.js";
import { parseJournal } from "../../src/core/state/journal.js";
import type { Json } from "../../src/json/json.js";
import { entryDigest, parseLock, type Lock } from "../../src/core/state/lock.js";
import { lockText } from "../harness/lock-text.js";
import { nextWrite } from "../../src/core/state/lock-writes.js";
import { replay } from "../../src/core/state/replay.js";
import { State } from "../../src/core/state/state.js";
import { movedEntries } from "../../src/core/review/saved-plan-check.js";
import { applyTo, history, isSound, planOf, play, type Applied } from "../plan/history.js";
import { renderBody } from "../../src/service/body.js";
import { Secret } from "../../src/service/secret.js";
import { pieces, workspaceOf } from "../plan/world.js";

const owner = { workspace: "test", environment: null };

function replayed(lock: Lock, journal: string): State {
  const parsed = parseJournal(journal, "journal");
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  const continued = replay(lock, parsed, "journal");
  if (!continued.ok) throw new Error(continued.problems[0]?.message);
  return continued.state;
}

test("the journal over the old lock gives the lock that the apply wrote", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (steps, needsClaim) => {
      const { applies } = await play(steps, { needsClaim });
      for (const { before, after, journal, plan } of applies) {
        if (journal === "") {
          const unlike = { serial: 0, service: undefined, settings: undefined, writes: undefined };
          expect({ ...after, ...unlike }).toEqual({ ...before, ...unlike });
          continue;
        }
        // Which service and settings an apply used counts once it has ended.
        const { service, settings } = after;
        const written = nextWrite(before, replayed(before, journal).lock, "write");
        const ended = { ...(service && { service }), ...(settings && { settings }) };
        expect(lockText({ ...written, ...ended })).toBe(lockText(after));
        expect(plan.actions.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: examples(100) },
  );
});

test("no ID that the service answered is ever lost", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const counts: Record<string, number> = {};
      const { lock } = await play(steps, { counts });
      const known = idsIn(lock);
      for (const [noun, count] of Object.entries(counts)) {
        for (let number = 1; number <= count; number++) expect(known).toContain(`${noun}-${number}`);
      }
    }),
    { numRuns: examples(100) },
  );
});

function idsIn({ resources, retired }: Lock): Set<string> {
  return new Set([...Object.values(resources).flatMap(idsOf), ...Object.keys(retired)]);
}

test("an apply that dies anywhere leaves every create accounted for, and none is sent twice", async () => {
  await fc.assert(
    fc.asyncProperty(history, pieces, fc.nat(), fc.boolean(), async (steps, made, choice, needsClaim) => {
      const counts: Record<string, number> = {};
      const { lock } = await play(steps, { counts });
      const workspace = workspaceOf(made);
      const { plan, findings } = planOf(workspace, lock);
      if (!isSound(workspace, findings)) return;
      const { journal } = await applyTo(lock, plan, { counts, needsClaim });
      const state = replayed(lock, journal.slice(0, choice % (journal.length + 1)));
      const open = state.underWay;
      state.settle();
      for (const { address, operation } of open) {
        if (operation === "update") expect(state.lock.resources[address]?.uncertain).toBe(true);
        else expect(state.lock.unknown[address]?.operation).toBe(operation);
      }
      const again = planOf(workspace, state.lock).plan;
      const creates = again.actions.filter(({ action }) => action === "create" || action === "replace");
      for (const { address } of creates) expect(open.map((each) => each.address)).not.toContain(address);
      for (const id of idsIn(lock)) expect(idsIn(state.lock)).toContain(id);
    }),
    { numRuns: examples(100) },
  );
});

test("an apply writes no entry that its plan does not name in what it reads", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { applies } = await play(steps);
      for (const { before, after, plan } of applies) {
        const read = new Set(plan.actions.flatMap(({ reads }) => Object.keys(reads)));
        for (const address of addressesIn(before, after)) {
          const isSame = entryDigest(before, address) === entryDigest(after, address);
          if (!isSame) expect(read).toContain(address);
        }
        expect(movedEntries(plan, before)).toEqual([]);
      }
    }),
    { numRuns: examples(100) },
  );
});

function addressesIn(...locks: readonly Lock[]): Set<string> {
  return new Set(
    locks.flatMap(({ resources, unknown }) => [...Object.keys(resources), ...Object.keys(unknown)]),
  );
}

test("a saved plan whose apply did anything does not fit the lock any more", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { applies } = await play(steps);
      for (const { before, after, plan } of applies) {
        const isSame = bare(before) === bare(after);
        const creates = plan.actions.some(({ action }) => action === "create" || action === "replace");
        if (!isSame && creates) expect(movedEntries(plan, after)).not.toEqual([]);
      }
    }),
    { numRuns: examples(100) },
  );
});

function bare({ resources, unknown }: Lock): string {
  return JSON.stringify([resources, unknown]);
}

test("what is sent is what the lock says was sent, with IDs in the place of references", async () => {
  await fc.assert(
    fc.asyncProperty(pieces, async (made) => {
      const workspace = workspaceOf(made);
      const { plan, findings } = planOf(workspace, (await play([])).lock);
      if (!isSound(workspace, findings)) return;
      const applied = await applyTo((await play([])).lock, plan);
      for (const request of applied.service.requests) {
        const { body, references } = request;
        const sent = renderBody(body, { references, secrets: () => new Secret("a secret") });
        expect(sent).not.toMatch(/\$\{(policy|toolset|credential|agent|env):/);
      }
      checkTools(applied);
    }),
    { numRuns: examples(80) },
  );
});

function checkTools({ service, after }: Applied): void {
  const sent = service.requests.filter(({ path }) => path === "/v3/tools/");
  const counted = sent.reduce((sum, { body }) => sum + operationsOf(body.openapi_schema as Json).length, 0);
  const known = Object.values(after.resources)
    .flatMap(({ ids = [] }) => ids)
    .filter((id) => id.startsWith("tool-"));
  expect(known).toHaveLength(counted);
}

test("a lock that applies made is read as it was written", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { lock } = await play(steps);
      // One that nothing was applied to is never written.
      fc.pre(lock.serial > 0);
      expect(parseLock(lockText(lock), "agentform.lock", owner)).toEqual({ ok: true, lock });
    }),
    { numRuns: examples(100) },
  );
});
