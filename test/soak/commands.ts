import fc from "fast-check";
import type { EmulatedFault, FaultEffect } from "../../src/emulator/fault.js";
import type { Doom } from "./doomed-store.js";
import { kindNames } from "../../src/core/kind/kinds.js";
import type { KindName } from "../../src/generated/kinds.js";
import type { Fleet } from "./fleet.js";
import type { Luck, Site } from "./site.js";

/** One thing that somebody does to a workspace. */
export type Command = fc.AsyncCommand<Fleet, Site>;

abstract class Deed implements Command {
  check(): boolean {
    return true;
  }

  async run(fleet: Fleet, site: Site): Promise<void> {
    await this.do(fleet, site);
    await site.check();
  }

  abstract do(fleet: Fleet, site: Site): Promise<void>;
  abstract toString(): string;
}

class Edit extends Deed {
  constructor(
    private readonly change: "add" | "add again" | "revise" | "replace" | "rename" | "remove",
    private readonly kind: KindName,
    private readonly choice: number,
  ) {
    super();
  }

  async do(fleet: Fleet, site: Site): Promise<void> {
    const item = fleet.choose(this.choice);
    if (this.change === "add" || this.change === "add again") {
      fleet.add(this.kind, this.change === "add again");
    } else if (this.change === "revise") {
      for (const each of fleet.some(this.choice)) each.revision++;
    } else if (item) {
      if (this.change === "replace") item.edition++;
      if (this.change === "rename") fleet.rename(item);
      if (this.change === "remove") fleet.remove(item);
    }
    site.save(fleet);
  }

  toString(): string {
    return `${this.change} ${this.kind} ${this.choice}`;
  }
}

class Apply extends Deed {
  constructor(private readonly lucks: readonly Luck[]) {
    super();
  }

  async do(fleet: Fleet, site: Site): Promise<void> {
    await site.apply(fleet, this.lucks);
  }

  toString(): string {
    return `apply ${JSON.stringify(this.lucks)}`;
  }
}

/** Edits what is there, meets a fault with every update, and takes the edit back. */
class Regret extends Deed {
  constructor(
    private readonly choice: number,
    private readonly effect: FaultEffect,
  ) {
    super();
  }

  async do(fleet: Fleet, site: Site): Promise<void> {
    await site.apply(fleet, [{}]);
    const items = fleet.some(this.choice);
    for (const item of items) item.revision++;
    site.save(fleet);
    await site.apply(fleet, [{ faults: [{ method: "PUT", count: 100, ...this.effect }] }]);
    for (const item of items) item.revision--;
    site.save(fleet);
  }

  toString(): string {
    return `regret ${this.choice} ${JSON.stringify(this.effect)}`;
  }
}

class Resolve extends Deed {
  constructor(private readonly most: number) {
    super();
  }

  async do(_fleet: Fleet, site: Site): Promise<void> {
    await site.resolve(this.most);
  }

  toString(): string {
    return `resolve ${this.most}`;
  }
}

const detail = [{ loc: ["body", "name"], msg: "not this", type: "value_error" }];

const effect: fc.Arbitrary<FaultEffect> = fc.constantFrom<FaultEffect[]>(
  { status: 500 },
  { status: 502 },
  { status: 503, headers: { "retry-after": "1" } },
  { status: 429, headers: { "retry-after": "1" } },
  { status: 401 },
  { status: 422, body: { detail } },
  { redirect: "http://127.0.0.1:1/" },
  { drop: "before" },
  { drop: "after" },
  { half: true },
  { garbage: true },
  { garbage: "{}" },
  { hang: true },
);

const fault: fc.Arbitrary<EmulatedFault> = fc
  .record({
    effect,
    path: fc.constantFrom("*", "/v1/rai/policies", "/v3/tools/", "/v3/tools/*", "/v3/agents/*"),
    method: fc.constantFrom("POST", "POST", "PUT"),
    skip: fc.nat(2),
    // A request that is repeated meets some more than once.
    count: fc.constantFrom(1, 1, 2, 4),
  })
  .map(({ effect, ...match }) => ({ ...match, ...effect }));

const faults = fc.array(fault, { maxLength: 3, size: "max" });

const doom: fc.Arbitrary<Doom> = fc.record({
  at: fc.integer({ min: 1, max: 16 }),
  when: fc.constantFrom("before", "between", "after"),
  losesUnflushed: fc.boolean(),
});

const luck: fc.Arbitrary<Luck> = fc.record(
  { faults, interruptedAfter: fc.integer({ min: 1, max: 10 }), deafAfter: fc.integer({ min: 1, max: 30 }) },
  { requiredKeys: ["faults"] },
);

const doomedLuck: fc.Arbitrary<Luck> = fc.record({ faults, doom });

const edit = fc
  .tuple(
    fc.constantFrom("add", "add", "add again", "revise", "revise", "replace", "rename", "remove" as const),
    fc.constantFrom(...kindNames),
    fc.nat(255),
  )
  .map(([change, kind, choice]) => new Edit(change, kind, choice));

/** Everything that may happen to a workspace, in any order. */
export function deeds(most: number): fc.Arbitrary<Iterable<Command>> {
  return fc.commands<Fleet, Site, false>(
    [
      edit,
      edit,
      luck.map((one) => new Apply([one])),
      doomedLuck.map((one) => new Apply([one])),
      doomedLuck.map((one) => new Apply([one])),
      fc.tuple(fc.oneof(luck, doomedLuck), luck).map((both) => new Apply(both)),
      fc.tuple(fc.nat(255), effect).map((parts) => new Regret(...parts)),
      fc.nat(3).map((number) => new Resolve(number + 1)),
    ],
    { maxCommands: most, size: "max" },
  );
}
