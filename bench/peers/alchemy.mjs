/**
 * Creates the objects of a JSON file as resources of alchemy, with its own file store in DIR; each is created as soon
 * as its references exist. Prints the maximum number of requests in flight. `node alchemy.mjs OBJECTS URL DIR`
 */
import { readFileSync } from "node:fs";
import alchemy, { Resource } from "alchemy";
import { mostUnderWay, post } from "./post.mjs";
import { fillIn, referencesOf } from "./references.mjs";

const [file, url, rootDir] = process.argv.slice(2);

const ServiceObject = Resource("bench::ServiceObject", async function create(id, { kind, spec }) {
  if (this.phase !== "create") throw new Error(`${id}: ${this.phase} is not measured`);
  return { ids: await post(url, kind, spec) };
});

const app = await alchemy("bench", { stage: "bench", quiet: true, noTrack: true, rootDir });
const made = new Map();
async function make({ kind, name, spec }) {
  const names = referencesOf(spec);
  const objects = await Promise.all(names.map((each) => made.get(each)));
  const ids = new Map(names.map((each, index) => [each, objects[index].ids]));
  return ServiceObject(name, { kind, spec: fillIn(spec, (each) => ids.get(each)) });
}
const objects = JSON.parse(readFileSync(file, "utf8"));
// Objects that others refer to come first, so that their promises exist when they are needed.
const first = objects.filter(({ kind }) => kind !== "Agent");
const then = objects.filter(({ kind }) => kind === "Agent");
for (const object of [...first, ...then]) made.set(object.name, make(object));
await Promise.all(made.values());
await app.finalize();
console.log(mostUnderWay());
