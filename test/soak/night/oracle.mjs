/** What must hold whenever nothing is under way any more: section 7 of the design, seen from outside. */
import { address } from "./documents.mjs";

/** No creation that somebody wanted was carried out twice. */
export function judgeCreations(world) {
  const seen = new Map();
  for (const object of world.service.objects) {
    const key = creation(world, object);
    const first = seen.get(key);
    seen.set(key, first ?? object);
    if (first === undefined || object.isReported) continue;
    object.isReported = true;
    world.fail("duplicate", `${key}: ${first.id} by ${first.run}, and again ${object.id} by ${object.run}`);
  }
}

/** What a create was for: a document in an environment, and where every change makes a new object, its version. */
function creation(world, { kind, name, first }) {
  if (kind === "agent" || world.can(kind, "update")) return name;
  const version =
    kind === "policy"
      ? first.description
      : kind === "credential"
        ? first.meta_data.version
        : first.openapi_schema.paths["/tickets"].get.summary;
  return `${name} ${version}`;
}

/** The state and the service agree with each other and with the documents, in one environment. */
export async function judgeSettled(world, machine, mark) {
  const name = world.environmentOf(mark);
  const listed = await world.json(machine, "lock", "list", "-e", name);
  const retired = await world.json(machine, "lock", "retired", "-e", name);
  if (listed.code !== 0 || retired.code !== 0)
    return world.fail("list", `lock list or retired of a settled ${name} failed`);
  const entries = new Map(listed.value.resources.map((each) => [each.address, each]));
  const left = new Set(retired.value.retired.flatMap((each) => each.ids ?? [each.id]));
  const known = new Set();
  const idsOf = (document) => {
    const entry = entries.get(address(document));
    return entry === undefined ? [] : (entry.ids ?? [entry.id]);
  };
  const refer = (document) => (document.kind === "toolset" ? idsOf(document) : idsOf(document)[0]);
  for (const document of world.documents.list) {
    const at = `${address(document)} in ${name}`;
    const ids = idsOf(document);
    const object = world.service.byId(ids[0]);
    entries.get(address(document)).isDocument = true;
    if (object === undefined || object.deleted)
      world.fail("no-object", `${at}: the state has ${ids}, and the service does not`);
    else if (object.name !== `${mark}.${document.mark}`)
      world.fail("wrong-object", `${at}: the state has ${ids}, which is ${object.name}`);
    else {
      for (const id of ids) known.add(id);
      judgeBody(world, at, object, world.documents.body(document, mark, refer, "the-secret-of-the-night"));
    }
  }
  for (const entry of entries.values())
    if (!entry.isDocument)
      world.fail(
        "entry-left",
        `${entry.address} is in the state of ${name} (${entry.state}), and no document has it`,
      );
  for (const object of world.service.objects) {
    if (object.deleted || !object.name.startsWith(`${mark}.`)) continue;
    for (const part of object.tools ?? [object]) {
      if (part.deleted || known.has(part.id) || left.has(part.id)) continue;
      world.fail(
        "lost",
        `${object.name}: ${part.id}, made by ${object.run}, is in no lock and in no ledger of ${name}`,
      );
    }
  }
  return new Map([...entries].map(([key, entry]) => [key, entry]));
}

function judgeBody(world, at, object, wanted) {
  const bodies =
    object.tools === undefined
      ? [object.body]
      : object.tools.map((tool) => ({ ...object.body, ...tool.changed }));
  for (const body of bodies) {
    const [found, expected] = [canonical(body), canonical(wanted)];
    if (found !== expected)
      world.fail("body", `${at} (${object.id}):\n  the service has ${found}\n  the documents ${expected}`);
  }
}

function canonical(value) {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
