import fc from "fast-check";
import type { EmulatedFault, FaultEffect } from "../../src/emulator/fault.js";
import { kindNames } from "../../src/core/kind/kinds.js";
import type { Doom } from "./doomed-store.js";
import { paperEdits } from "./papers.js";
import { consoleEdits, type Luck, type Scene } from "./two-hands-scene.js";

/** One thing that one of two hands does. */
export interface Step {
  run(scene: Scene): Promise<void>;
  toString(): string;
}

const effect = fc.constantFrom<FaultEffect[]>(
  { status: 403 },
  { status: 422, body: { detail: [{ loc: ["body", "name"], msg: "not this", type: "value_error" }] } },
  { status: 429, headers: { "retry-after": "1" } },
  { status: 500 },
  { status: 503 },
  { drop: "before" },
  { drop: "after" },
  { half: true },
  { garbage: true },
  { garbage: "{}" },
);

const fault: fc.Arbitrary<EmulatedFault> = fc
  .record({
    effect,
    method: fc.constantFrom("POST", "PUT", "GET", "DELETE"),
    path: fc.constantFrom("*", "*", "/v1/rai/*", "/v3/tools/*", "/v3/agents/*"),
    skip: fc.nat(2),
    count: fc.constantFrom(1, 1, 2, 5),
  })
  .map(({ effect: what, ...match }) => ({ ...match, ...what }));

const doom: fc.Arbitrary<Doom> = fc.record({
  at: fc.integer({ min: 1, max: 20 }),
  when: fc.constantFrom("before", "between", "after"),
  losesUnflushed: fc.boolean(),
});

const luck: fc.Arbitrary<Luck> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ faults: [] }) },
  {
    weight: 3,
    arbitrary: fc.record({ faults: fc.array(fault, { minLength: 1, maxLength: 3, size: "max" }) }),
  },
  { weight: 2, arbitrary: fc.record({ faults: fc.array(fault, { maxLength: 1, size: "max" }), doom }) },
);

function step(told: string, run: (scene: Scene) => Promise<void> | void): Step {
  return { run: async (scene) => await run(scene), toString: () => told };
}

const edits = fc
  .tuple(fc.constantFrom(...paperEdits), fc.constantFrom(...kindNames), fc.nat(63))
  .map(([edit, kind, choice]) =>
    step(`${edit} ${kind} ${choice}`, (scene) => {
      scene.log.push(`edit: ${edit} ${kind} ${choice}`);
      scene.papers.edit(edit, kind, choice);
    }),
  );

const consoleSteps = fc
  .tuple(fc.constantFrom(...consoleEdits), fc.constantFrom(...kindNames), fc.nat(63))
  .map(([edit, kind, choice]) =>
    step(`by hand: ${edit} ${kind} ${choice}`, (scene) => scene.edit(edit, kind, choice)),
  );

const command = fc.constantFrom(
  "apply",
  "apply",
  "apply",
  "apply",
  "apply observed",
  "apply observed",
  "drift",
  "plan",
  "plan observed",
  "import",
  "prune",
  "prune",
  "search",
);

const flags = fc.record({
  overwrite: fc.boolean(),
  check: fc.boolean(),
  verify: fc.boolean(),
  isText: fc.boolean(),
});

const commands = fc.tuple(command, fc.nat(1), luck, flags).map(([name, place, fortune, given]) =>
  step(`${name} ${place} ${JSON.stringify({ ...given, ...fortune })}`, async (scene) => {
    const { environments } = scene.world;
    const environment = environments[place % environments.length] ?? "one";
    const { overwrite, check, verify, isText } = given;
    const options = [
      ...(overwrite ? ["--overwrite", "all"] : []),
      ...(check ? [] : ["--no-check"]),
      ...(verify ? ["--verify"] : []),
    ];
    const format = isText ? [] : ["--format", "json"];
    switch (name) {
      case "apply":
        await scene.apply(environment, options, fortune, isText);
        return;
      case "apply observed":
        await scene.drift(environment, { faults: [] }, isText);
        if (scene.hasObservation)
          await scene.apply(environment, [...options, "--observed", "found.json"], fortune, isText);
        return;
      case "drift":
        await scene.drift(environment, fortune, isText);
        return;
      case "plan":
        await scene.run(environment, ["plan", ...format]);
        return;
      case "plan observed":
        await scene.drift(environment, { faults: [] }, isText);
        if (scene.hasObservation)
          await scene.run(environment, ["plan", "--observed", "found.json", ...format]);
        return;
      case "import":
        await scene.import(environment, fortune);
        return;
      case "prune":
        await scene.run(environment, ["prune", "--yes", ...format], fortune);
        return;
      case "search":
        await scene.resolve(environment, fortune, false);
        return;
    }
  }),
);

/** Histories of about that many steps. */
export function histories(length: number): fc.Arbitrary<Step[]> {
  const one = fc.oneof(edits, consoleSteps, commands, commands);
  return fc.array(one, { minLength: length - 5, maxLength: length + 5, size: "max" });
}
