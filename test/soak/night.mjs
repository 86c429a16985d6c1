/**
 * A soak with an oracle that judges the command from outside: its own service, its own state servers, random steps of people, machines
 * and administrators, and after each disorder an honest operator who follows the hints.
 *
 *   node test/soak/night.mjs --minutes 60 [--rounds N] [--stores file,git,http,s3,postgres] [--seed N] [--cli dist/cli.js] [--lanes N] [--keep]
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { dice } from "./night/dice.mjs";
import { settle } from "./night/operator.mjs";
import { disorder, order } from "./night/steps.mjs";
import { Servers, storeNames } from "./night/stores.mjs";
import { World } from "./night/world.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    rounds: { type: "string", default: "1000000" },
    stores: { type: "string", default: storeNames.join() },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    cli: { type: "string", default: "dist/cli.js" },
    lanes: { type: "string", default: "3" },
    keep: { type: "boolean", default: false },
  },
});
const layouts = {
  file: ["plain", "repository"],
  git: ["clones"],
  http: ["clones", "plain"],
  s3: ["clones", "repository"],
  postgres: ["clones", "plain"],
};

/** What a night counts, and the failures that it found. */
class Night {
  counts = {
    rounds: 0,
    settled: 0,
    commands: 0,
    applies: 0,
    kills: 0,
    stops: 0,
    unlocks: 0,
    resolves: 0,
    restores: 0,
    setbacks: 0,
    renames: 0,
    moves: 0,
    requests: 0,
    objects: 0,
  };
  failures = new Map();
  servers = new Servers();

  count(name, by = 1) {
    this.counts[name] += by;
  }

  fail(world, kind, text) {
    const seen = (this.failures.get(kind) ?? 0) + 1;
    this.failures.set(kind, seen);
    world.failed = (world.failed ?? 0) + 1;
    world.say(`FAILURE ${kind}: ${text}`);
    if (seen > 5) return;
    const steps = world.steps.slice(-14, -1).map((step) => `    ${step.slice(0, 200)}`);
    console.log(
      `FAILURE ${kind}, seed ${values.seed}, ${world.name} (${world.store.name}, ${world.layout}${world.isSealed ? ", sealed" : ""}), ${world.folder}\n  ${text}\n  after\n${steps.join("\n")}\n`,
    );
  }
}

const cli = resolve(values.cli);
if (!existsSync(cli)) throw new Error(`there is no ${cli}: build first, or give --cli`);
const wanted = values.stores.split(",");
const night = new Night();
await night.servers.start(wanted);
const stores = wanted.filter((name) => night.servers.has(name));
for (const name of wanted)
  if (!stores.includes(name)) console.log(`left out: ${name}, which has no server on this machine`);
const folder = mkdtempSync(join(tmpdir(), "agentform-night-"));
console.log(`night: seed ${values.seed}, stores ${stores.join(" ")}, ${cli}, folder ${folder}`);
let end = Date.now() + Number(values.minutes) * 60_000;
// Whoever is tired of waiting still gets the figures: once for after these phases.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (end = 0));
let next = 0;
const lane = async () => {
  while (next < Number(values.rounds) && Date.now() < end) await round(next++);
};
await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
await night.servers.stop();
const failures = [...night.failures.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `${Object.entries(night.counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")}, failures ${failures}`,
);
for (const [kind, count] of night.failures) console.log(`  ${kind}: ${count}`);
if (failures === 0 && !values.keep) rmSync(folder, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);

async function round(number) {
  const store = stores[number % stores.length];
  const random = dice(Number(values.seed) * 1000 + number);
  const name = `round-${number}`;
  const layout = random.pick(layouts[store]);
  const world = new World({ dice: random, name, folder: join(folder, name), cli, night, layout });
  world.places = { [store]: night.servers.store(store, world) };
  await world.begin(world.places[store]);
  night.count("rounds");
  try {
    for (let phases = random.between(3, 6); phases > 0 && Date.now() < end; phases--)
      if (!(await phase(world))) break;
  } catch (error) {
    world.fail("harness", error.stack);
  }
  night.count("requests", world.service.requests);
  night.count("objects", world.service.objects.length);
  world.service.stop();
  if (world.failed === undefined && !values.keep) rmSync(world.folder, { recursive: true, force: true });
}

/** Some disorder, a moment of order, and something that an administrator does. */
async function phase(world) {
  const { dice: random } = world;
  for (let steps = random.between(2, 5); steps > 0; steps--) await draw(world, disorder);
  if (!(await settle(world, random.pick(world.machines)))) return false;
  night.count("settled");
  if (random.chance(0.5) || world.kept === undefined)
    world.kept = { when: `step ${world.steps.length}`, what: await world.store.backup() };
  if (random.chance(0.8)) await draw(world, order);
  return true;
}

async function draw(world, table) {
  const possible = Object.entries(table).filter(([, { when }]) => when?.(world) ?? true);
  const name = world.dice.weighted(Object.fromEntries(possible.map(([key, { weight }]) => [key, weight])));
  await table[name].run(world);
}
