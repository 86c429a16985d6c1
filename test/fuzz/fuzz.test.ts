import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { effort } from "../harness/effort.js";
import { runs, sample } from "../harness/tier.js";
import { Chance, mutate } from "./mutation.js";
import { targets } from "./targets.js";

const seed = Number(process.env["AGENTFORM_SEED"] ?? 20_261_120);
const scale = Number(process.env["AGENTFORM_FUZZ_SCALE"] ?? runs("percent of the inputs", 0.2, 100) / 100);

/** How many inputs each target gets; the parsers of YAML are the slowest and the widest. */
const rounds: Readonly<Record<string, number>> = {
  documents: 2500,
  patches: 750,
  manifests: 1500,
  locks: 600,
  journals: 1500,
  records: 500,
  plans: 500,
  answers: 2000,
  holders: 1500,
  faults: 2000,
  kept: 300,
  rules: 750,
  ids: 1000,
  places: 1000,
  moves: 1000,
  seals: 1000,
  observations: 1000,
  several: 1000,
  states: 1000,
  edits: 1000,
  events: 500,
  jobs: 300,
};

function take(name: string, text: string): void {
  try {
    targets[name]?.run(text);
  } catch (cause) {
    throw new Error(`${name} threw on ${JSON.stringify(text)}`, { cause });
  }
}

/** What all texts take that the inputs are made of: far more than any one input should. */
const yardstick = Object.entries(targets).reduce((sum, [name, { corpus }]) => {
  const some = sample(`measured ${name}`, corpus, 8);
  return sum + (effort(() => some.forEach((text) => take(name, text))) * corpus.length) / some.length;
}, 0);

function run(name: string, text: string): void {
  const spent = effort(() => take(name, text));
  if (spent > 4 * yardstick) {
    throw new Error(`${name} took ${Math.round(spent)} ms of the processor for ${JSON.stringify(text)}`);
  }
}

test.each(Object.keys(targets))("%s: whatever the text, there is no crash and no hang", (name) => {
  const chance = new Chance(seed);
  const corpus = targets[name]?.corpus ?? [];
  const count = Math.max(5, Math.round((rounds[name] ?? 0) * scale));
  for (let round = 0; round < count; round++) run(name, mutate(chance.pick(corpus), chance, corpus));
  expect(count).toBeGreaterThan(4);
});

describe("inputs that once found something", () => {
  const folder = "test/fixtures/fuzz";
  const files = readdirSync(folder).filter((each) => each.endsWith(".txt"));
  test.each(files)("%s", (file) => run(file.split(".")[0] ?? "", readFileSync(`${folder}/${file}`, "utf8")));
});
