import { expect, test } from "vitest";
import type { Action, Change, GuardrailNote } from "../../src/generated/plan.js";
import { reviewOf } from "../../src/core/review/review.js";
import { effort } from "../harness/effort.js";
import { addressAt, many, noLock, planOf, workspaceOf } from "./scene.js";
import { sample } from "../harness/tier.js";

const { plan: empty } = planOf(workspaceOf([]), noLock);

/** Counts how often a change is looked at: each reading of its path is one. */
class CountedChange implements Change {
  static looks = 0;
  readonly #path: string;

  constructor(
    path: string,
    readonly before: string,
    readonly after: string,
  ) {
    this.#path = path;
    Object.defineProperty(this, "path", { enumerable: true, get: () => this.#look() });
  }

  declare readonly path: string;

  #look(): string {
    CountedChange.looks++;
    return this.#path;
  }
}

function looksOf(actions: Action[], notes: GuardrailNote[] = []) {
  CountedChange.looks = 0;
  const review = reviewOf({ ...empty, actions, notes });
  return { review, looks: CountedChange.looks };
}

function updateOf(address: string, changes: Change[]): Action {
  return { address, action: "update", reasons: [], changes, affects: [], waits_for: [], reads: {} };
}

function noteOn(address: string, path: string): GuardrailNote {
  return { code: "model-changed", effect: "widens", address, path, parts: {}, message: "it changes" };
}

const range = Array.from({ length: many }, (_, index) => index);
const mostLooks = 10 * many;

test("many resources with the same words in lines that differ are one group, and many sentences are few looks", () => {
  const lines = (index: number, sentence: string): Change =>
    new CountedChange(
      "system_prompt",
      `Shop ${index} ${sentence} from 9.`,
      `Shop ${index} ${sentence} from 8.`,
    );
  const one = looksOf(range.map((index) => updateOf(addressAt("agent", index), [lines(index, "is open")])));
  expect(one.review.groups.map(({ actions }) => actions.length)).toEqual([many]);
  const all = looksOf(
    range.map((index) =>
      updateOf(addressAt("agent", index), [
        lines(index, `${index}a ${index}b ${index}c ${index}d ${index}e`),
      ]),
    ),
  );
  expect(all.review.groups).toEqual([]);
  expect(Math.max(one.looks, all.looks)).toBeLessThan(mostLooks);
});

test("many resources with the same few edits are few groups", () => {
  const actions = range.map((index) =>
    updateOf(addressAt("agent", index), [new CountedChange("model", "small", `large ${index % 5}`)]),
  );
  const { review, looks } = looksOf(
    actions,
    actions.map(({ address }) => noteOn(address, "model")),
  );
  expect(review.groups.map((group) => group.actions.length)).toEqual(
    Array.from({ length: 5 }, () => many / 5),
  );
  expect(review.notes).toHaveLength(5);
  expect(looks).toBeLessThan(mostLooks);
});

test("many edits of which none is shared are each on their own", () => {
  const actions = range.map((index) =>
    updateOf(addressAt("agent", index), [new CountedChange("name", "old", `new ${index}`)]),
  );
  const { review, looks } = looksOf(actions);
  expect(review.onlyHere).toHaveLength(many);
  expect(review.groups).toEqual([]);
  expect(looks).toBeLessThan(mostLooks);
});

test("many changes of one resource, each with its note, are looked at a few times each", () => {
  const changes = range.map((index) => new CountedChange(`meta_data.key${index}`, "old", "new"));
  const notes = range.map((index) => noteOn("agent:a", `meta_data.key${index}`));
  const { review, looks } = looksOf([updateOf("agent:a", changes)], notes);
  expect(review.notes).toHaveLength(many);
  expect(review.notJudged).toEqual([]);
  expect(looks).toBeLessThan(mostLooks);
});

test("many parts of one body, each with a note around it, are few looks", () => {
  const at = (index: number) => `openapi_schema.operations[GET /a${index}].servers`;
  const address = addressAt("toolset", 1);
  const changes = range.map((index) => new CountedChange(`${at(index)}[0].url`, "old", `new ${index}`));
  const notes = range.map((index) => noteOn(address, at(index)));
  const { review, looks } = looksOf([updateOf(address, changes)], notes);
  expect(review.unjudged).toBe(0);
  expect(looks).toBeLessThan(2 * mostLooks);
});

const quotes = [
  ["quotes it", (index: number) => `old ${index}`],
  ["quotes a part of it", (index: number) => `text ${index}.`],
] as const;
test.each(sample("notes at one path", quotes, 1))(
  "many changes at one path, each with a note that %s, take no long",
  (_what, quoteOf) => {
    const effortOf = (count: number) => {
      const indexes = Array.from({ length: count }, (_, index) => index);
      const changes = indexes.map(
        (index) => new CountedChange(`features[null].a${index}`, `old ${index}`, `new text ${index}.`),
      );
      // So that the first change has to be looked for with all notes.
      const notes = indexes.toReversed().map((index) => ({
        ...noteOn("agent:a", "features[null]"),
        parts: { before: quoteOf(index) },
      }));
      return effort(() => {
        const { review } = looksOf([updateOf("agent:a", changes)], notes);
        if (count === 1000) expect(review.notJudged).toEqual([]);
      });
    };
    effortOf(1000);
    // What grows with the square takes 64 times as long.
    expect(effortOf(8000)).toBeLessThan(40 * effortOf(1000) + 50);
  },
);
