import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kinds } from "../../src/emulator/kinds.js";
import { type PlainKind, Storage } from "../../src/emulator/storage.js";
import { examples, fc } from "../harness/property.js";

const FOLDERS = Object.values(kinds).map(({ objects }) => objects.plural);
const KINDS = FOLDERS.filter((folder): folder is PlainKind => folder !== "tools");
const OPERATIONS = [
  { method: "GET", path: "/a" },
  { method: "PUT", path: "/a", operationId: "a" },
];

const step = fc.oneof(
  fc.record({ does: fc.constant("create" as const), kind: fc.constantFrom(...KINDS) }),
  fc.record({ does: fc.constant("create set" as const), count: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ does: fc.constantFrom("change" as const, "delete" as const), which: fc.nat() }),
  fc.record({ does: fc.constant("restart" as const) }),
);

/** Does a random history in a folder, and gives every ID that was ever given. */
function live(
  path: string,
  operations: "documented" | "full",
  history: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
): string[] {
  const open = (): Storage => new Storage({ path, below: [] }, "seed", operations);
  let storage = open();
  let living: { kind: (typeof KINDS)[number] | "tools"; id: string }[] = [];
  const given: string[] = [];
  history.forEach((done, index) => {
    const at = new Date(index).toISOString();
    if (done.does === "create") {
      const { id } = storage.create(done.kind, { name: `${index}` }, at);
      living.push({ kind: done.kind, id });
      given.push(id);
    } else if (done.does === "create set") {
      const some = OPERATIONS.slice(0, done.count);
      const tools = storage.createToolSet({ tool_set_name: `${index}` }, some, (id) => id, at);
      living.push(...tools.map(({ id }) => ({ kind: "tools" as const, id })));
      given.push(...tools.map(({ id }) => id));
    } else if (done.does === "restart") {
      storage = open();
    } else if (living.length > 0) {
      const chosen = living[done.which % living.length] ?? { kind: "tools", id: "" };
      if (done.does === "delete") {
        expect(storage.remove(chosen.kind, chosen.id)).toBe(true);
        expect(storage.remove(chosen.kind, chosen.id)).toBe(false);
        living = living.filter(({ id }) => id !== chosen.id);
      } else if (chosen.kind === "tools") storage.changeTool(chosen.id, { default_headers: { at } }, at);
      else storage.replace(chosen.kind, chosen.id, { name: `${index}` }, at);
    }
    // Whatever was done is on the disk when it is answered.
    expect(open().objects()).toEqual(storage.objects());
    const { toolSets, ...lists } = storage.objects();
    const stored = Object.values(lists).flatMap((list) => list.map(({ id }) => id));
    expect(stored.toSorted()).toEqual(living.map(({ id }) => id).toSorted());
    expect(toolSets.flatMap(({ tools }) => tools)).toEqual(lists.tools.map(({ id }) => id));
  });
  return given;
}

it.each(["documented", "full"] as const)(
  "whatever is created, changed and deleted, the folder has it and no ID comes twice (%s)",
  (operations) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (history) => {
        const path = mkdtempSync(join(tmpdir(), "agentform-emulator-"));
        try {
          const given = live(path, operations, history);
          expect(new Set(given).size).toBe(given.length);
        } finally {
          rmSync(path, { recursive: true });
        }
      }),
      { numRuns: examples(100) },
    );
  },
);
