/** An honest operator: does what the command's hints say, tells only what is true, and counts how long it takes. */
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { judgeCreations, judgeSettled } from "./oracle.mjs";

const limit = 12;

/** Brings every environment to where an apply ends with 0 and a plan has no changes, and then lets the oracle look. */
export async function settle(world, machine) {
  world.say(`settle on ${machine.name}`);
  world.service.faults = undefined;
  await world.service.quiet();
  for (const mark of Object.keys(world.environments)) {
    const isSettled = await settleOne(world, machine, mark);
    judgeCreations(world);
    if (!isSettled) return false;
    await judgeSettled(world, machine, mark);
    await judgeReads(world, machine, world.environmentOf(mark));
  }
  world.commit();
  return true;
}

async function settleOne(world, machine, mark) {
  const environment = world.environmentOf(mark);
  let last;
  for (let action = 0; action <= limit; action++) {
    last = await world.run(machine, "apply", "-e", environment, "--yes", "--patience", "20s");
    if (last.code === 0) {
      const plan = await world.run(machine, "plan", "-e", environment, "--detailed-exitcode");
      if (plan.code === 0) return true;
      last = plan;
    }
    await follow(world, machine, mark, last);
  }
  world.fail(
    "unmendable",
    `${limit} actions did not lead to an apply of ${environment} that ends with 0; at last: ${last.text.trim().slice(-1500)}`,
  );
  return false;
}

/** Runs a command until it ends with 0, doing what it says in between. */
export async function insist(world, machine, mark, ...line) {
  let result;
  for (let action = 0; action <= limit; action++) {
    result = await world.run(machine, ...line);
    if (result.code === 0) return result;
    await follow(world, machine, mark, result);
  }
  world.fail(
    "unmendable",
    `${limit} actions did not lead to \`agentform ${line.join(" ")}\` ending with 0: ${result.text.trim().slice(-1500)}`,
  );
  return result;
}

/** Does what a refusal says; whoever does it knows that nothing else runs. */
async function follow(world, machine, mark, { code, text }) {
  const environment = world.environmentOf(mark);
  const at = ["-e", environment];
  const flat = text.replaceAll(/\s+/g, " ");
  const hint = (pattern) => flat.match(pattern);
  const nonce = hint(/agentform lock unlock(?: -e \S+)? ([0-9a-z-]+)/);
  if (nonce !== null) {
    world.night.count("unlocks");
    await mend(world, machine, "lock", "unlock", nonce[1], ...at);
    return;
  }
  const blamed = [...flat.matchAll(/`--overwrite ([^`]+)`/g)].map((each) => each[1]);
  if (blamed.length > 0 && !world.isTampered) {
    // Nobody did, and the oracle has said so; it goes on as the hint says.
    await world.run(
      machine,
      "apply",
      ...at,
      "--yes",
      ...blamed.flatMap((address) => ["--overwrite", address]),
    );
    return;
  }
  const pushes = /`git (?:push|fetch) [^`]+`.*/.exec(flat)?.[0];
  if (pushes !== undefined) {
    // What comes after it is for the case that it is refused.
    for (const [, command] of pushes.matchAll(/`((?:git|agentform) [^`]+)`/g)) {
      world.say(`${machine.name}: ${command}`);
      const isGit = command.startsWith("git ");
      if (
        isGit
          ? runGit(machine, command)
          : (await world.run(machine, ...command.split(" ").slice(1), ...at)).code === 0
      ) {
        if (/ (push|fetch) /.test(command)) return;
      } else if (!/ (push|fetch) /.test(command)) world.fail("hint-fails", command);
    }
    return;
  }
  const move = hint(/agentform lock move ([^`]+)`/);
  if (move !== null && /--from-(workspace|environment)/.test(move[1])) {
    await world.run(machine, "lock", "move", ...move[1].trim().split(" "));
    return;
  }
  if (hint(/agentform lock restore/) !== null) {
    world.night.count("restores");
    await mend(world, machine, "lock", "restore", ...at);
    return;
  }
  // What was planned with a state that has changed since may not be unknown any more.
  if (code === 4) return;
  const unknown = new Set(
    [...flat.matchAll(/agentform lock resolve (?:-e \S+ )?([a-z]+:[^ `]+) --(?:adopt|not-created)/g)].map(
      (each) => each[1],
    ),
  );
  if (unknown.size > 0) {
    await world.service.quiet();
    await sleep(100);
    for (const address of unknown) await resolve(world, machine, mark, address);
  }
}

/** A command that mends may die like any other; the next one goes on. */
async function mend(world, machine, ...line) {
  if (!world.dice.chance(0.15)) return world.run(machine, ...line);
  const { child, ended } = world.start(machine, line);
  await Promise.race([sleep(world.dice.between(200, 2000)), ended]);
  child.kill("SIGKILL");
  const result = await ended;
  if (result.signal !== null) world.night.count("kills");
  return result;
}

function runGit(machine, command) {
  try {
    execFileSync("/bin/sh", ["-c", command], {
      cwd: machine.folder,
      env: { PATH: process.env.PATH, HOME: machine.home },
      stdio: "pipe",
    });
    return true;
  } catch {
    return false;
  }
}

/** Says of a create of unknown outcome what the service really has. */
async function resolve(world, machine, mark, address) {
  const environment = world.environmentOf(mark);
  const document = world.documents.everAt.get(address);
  if (document === undefined) return world.fail("unknown-address", `${address} is no address that ever was`);
  world.night.count("resolves");
  if (world.can(document.kind, "list") && world.dice.chance(0.4)) {
    const found = await world.run(
      machine,
      "lock",
      "resolve",
      address,
      "--search",
      "--yes",
      "-e",
      environment,
    );
    if (found.code === 0) return undefined;
  }
  const candidates = await unaccounted(world, machine, mark, document);
  if (candidates.length > 1)
    world.fail("two-unaccounted", `${address} in ${environment}: ${candidates.map((each) => each.id)}`);
  const [object] = candidates;
  const ids = object?.tools?.map((tool) => `${tool.operation}=${tool.id}`).join(",") ?? object?.id;
  const truth = object === undefined ? ["--not-created"] : ["--adopt", ids];
  const told = await mend(world, machine, "lock", "resolve", address, ...truth, "-e", environment);
  if (told.code !== null && told.code !== 0 && told.code !== 4)
    world.fail("resolve-refused", `${address} ${truth.join(" ")}: ${told.text.trim().slice(-600)}`);
  return undefined;
}

/** The objects of a document that the service has and the state does not. */
async function unaccounted(world, machine, mark, document) {
  const at = ["-e", world.environmentOf(mark)];
  const listed = await world.json(machine, "lock", "list", ...at);
  const retired = await world.json(machine, "lock", "retired", ...at);
  const entries = [...(listed.value?.resources ?? []), ...(retired.value?.retired ?? [])];
  const known = new Set(entries.flatMap((each) => each.ids ?? [each.id]));
  const objects = world.service.live(document.kind, `${mark}.${document.mark}`);
  return objects.filter((each) => !known.has(each.id) && !each.tools?.some((tool) => known.has(tool.id)));
}

/** The commands that only read agree that all is well. */
async function judgeReads(world, machine, environment) {
  if (world.can("agent", "read") && world.dice.chance(0.5)) {
    const drift = await world.run(machine, "drift", "-e", environment, "--detailed-exitcode");
    if (drift.code !== 0)
      world.fail(
        "false-blame",
        `drift of what nobody touched ends with ${drift.code}: ${drift.text.trim().slice(-1200)}`,
      );
  }
  if (world.dice.chance(0.3)) {
    const status = await world.json(machine, "lock", "status", "-e", environment);
    if (status.code !== 0)
      world.fail(
        "status",
        `lock status of a settled ${environment} ends with ${status.code}: ${status.text.trim()}`,
      );
  }
  if (world.dice.chance(0.3)) {
    const output = await world.json(machine, "output", "-e", environment);
    const ids = Object.values(output.value?.ids ?? {});
    if (output.code !== 0 || ids.some((id) => world.service.byId(id) === undefined))
      world.fail("output", `output of ${environment}: ${output.text.trim()}`);
  }
}
