/** What may happen between two moments of order. Each step says what it does, and judges what only it can know. */
import { setTimeout as sleep } from "node:timers/promises";
import { address } from "./documents.mjs";
import { insist, settle } from "./operator.mjs";
import { git } from "./stores.mjs";

const faults = {
  none: 70,
  late: 8,
  limit: 5,
  "fail-after": 3,
  "fail-before": 3,
  "cut-before": 3,
  "cut-after": 3,
  "late-cut-after": 1,
  "hang-after": 1,
  "page-after": 1,
  refuse: 1,
};

/** While people and machines work: nothing of it has to end well. */
export const disorder = {
  edit: { weight: 6, run: edit },
  plan: { weight: 1, run: plan },
  apply: { weight: 5, run: apply },
  ask: { weight: 1, run: ask },
  status: { weight: 1, run: status },
  two: { weight: 3, run: two },
  kill: { weight: 5, run: kill },
  stop: { weight: 8, run: stop },
};

/** What an administrator does once all is settled; `when` says whether it can be done. */
export const order = {
  "set-back": { weight: 3, when: (world) => world.kept !== undefined, run: setBack },
  fork: { weight: 2, when: (world) => world.layout === "clones", run: fork },
  empty: { weight: 2, run: empty },
  "rename-workspace": { weight: 2, run: renameWorkspace },
  "rename-environment": {
    weight: 2,
    when: (world) => Object.keys(world.environments).length > 1,
    run: renameEnvironment,
  },
  "add-environment": {
    weight: 1,
    when: (world) => Object.keys(world.environments).length < 3,
    run: addEnvironment,
  },
  move: { weight: 3, run: moveState },
  tamper: {
    weight: 2,
    when: (world) => world.can("agent", "read") && world.documents.of("agent").length > 0,
    run: tamper,
  },
  prune: { weight: 2, when: (world) => world.can("agent", "delete"), run: prune },
  clone: { weight: 2, when: (world) => world.layout !== "plain", run: freshClone },
  "bring-back": { weight: 2, when: (world) => world.documents.removed.length > 0, run: bringBack },
};

const anyMachine = (world) => world.dice.pick(world.machines);
const anyMark = (world) => world.dice.pick(Object.keys(world.environments));
const serviceOf = (world) => world.service.objects.length;

function edit(world) {
  const { dice, documents } = world;
  for (let n = dice.between(1, 3); n > 0; n--) {
    const how = dice.weighted({
      change: 5,
      add: documents.list.length < 14 ? 2 : 0,
      remove: documents.list.length > 5 ? 1 : 0,
      move: 1,
    });
    if (how === "add")
      world.say(
        `add ${address(documents.add(dice.pick(["policy", "credential", "toolset", "agent", "agent"])))}`,
      );
    else {
      const document = dice.pick(documents.list);
      if (how === "change") world.say(documents.change(document));
      else {
        world.say(`${how} ${address(document)}`);
        documents[how](document);
      }
    }
  }
  world.write();
}

async function plan(world) {
  const before = world.service.requests;
  const line = ["plan", "-e", world.environmentOf(anyMark(world))];
  await world.run(anyMachine(world), ...line, ...(world.dice.chance(0.5) ? ["--detailed-exitcode"] : []));
  if (world.service.requests !== before)
    world.fail("plan-asks", `agentform ${line.join(" ")} asked the service`);
}

const applying = (world, mark) => [
  "apply",
  "-e",
  world.environmentOf(mark),
  "--yes",
  "--patience",
  "20s",
  "--concurrency",
  String(world.dice.pick([1, 3, 8])),
];

async function apply(world) {
  world.service.faults = faults;
  const machine = anyMachine(world);
  world.say(`apply on ${machine.name}`);
  await world.run(machine, ...applying(world, anyMark(world)));
}

/** Without a terminal an apply shows its plan, does nothing, and names the command that agrees. */
async function ask(world) {
  world.service.faults = faults;
  const [machine, environment] = [anyMachine(world), world.environmentOf(anyMark(world))];
  // What a killed run has sent may still take effect.
  await world.service.quiet();
  const before = serviceOf(world);
  world.say(`ask on ${machine.name}`);
  const asked = await world.run(machine, "apply", "-e", environment);
  if (serviceOf(world) !== before)
    world.fail("asks-and-does", `apply without an agreement made something: ${asked.text}`);
  const digest = asked.text.match(/Digest: (sha256:[0-9a-f]+)/)?.[1];
  if (asked.code === 2 && !/apply .*--expect sha256:/.test(asked.text))
    world.fail("no-command", `apply does not name the command that agrees: ${asked.text}`);
  if (asked.code === 2)
    await world.run(machine, "apply", "-e", environment, "--expect", digest, "--patience", "20s");
}

async function status(world) {
  const machine = anyMachine(world);
  world.say(`status on ${machine.name}`);
  await world.json(machine, "lock", "status", "-e", world.environmentOf(anyMark(world)));
}

async function two(world) {
  world.service.faults = world.dice.chance(0.5) ? faults : undefined;
  edit(world);
  const mark = anyMark(world);
  world.say(`two applies at once of ${mark}`);
  const [a, b] = world.machines;
  const first = world.start(a, applying(world, mark));
  await sleep(world.dice.chance(0.5) ? 0 : world.dice.below(1500));
  const second = world.start(b, applying(world, world.dice.chance(0.8) ? mark : anyMark(world)));
  await Promise.all([first.ended, second.ended]);
}

/** Calls `act` at a moment of the run: when its nth change arrives, or after some time. */
async function atSomeMoment(world, { run, ended }, act) {
  const { dice, service } = world;
  const isAtRequest = dice.chance(0.6);
  const number = dice.between(1, 9);
  const moment = isAtRequest
    ? new Promise((resolve) => {
        let seen = 0;
        service.watch = (by, isChange) => {
          if (by === run && isChange && ++seen === number) resolve(act());
        };
      })
    : sleep(dice.below(2500)).then(act);
  await Promise.race([moment, ended]);
  service.watch = () => {};
  return isAtRequest ? `change ${number}` : "some moment";
}

async function kill(world) {
  world.service.faults = world.dice.chance(0.5) ? faults : undefined;
  if (world.dice.chance(0.6)) edit(world);
  const machine = anyMachine(world);
  const mark = anyMark(world);
  world.say(`kill an apply of ${mark} on ${machine.name}`);
  const started = world.start(machine, applying(world, mark));
  world.say(`at ${await atSomeMoment(world, started, () => started.child.kill("SIGKILL"))}`);
  if ((await started.ended).signal === "SIGKILL") world.night.count("kills");
}

/** A runner stands still; somebody takes it for dead and goes on elsewhere; it wakes up. */
async function stop(world) {
  world.service.faults = world.dice.chance(0.5) ? faults : undefined;
  edit(world);
  const { dice } = world;
  const [sleeper, other] = dice.chance(0.5) ? world.machines : world.machines.toReversed();
  const mark = anyMark(world);
  const environment = world.environmentOf(mark);
  world.say(`stop an apply of ${mark} on ${sleeper.name}`);
  const started = world.start(sleeper, applying(world, mark));
  world.say(`at ${await atSomeMoment(world, started, () => started.child.kill("SIGSTOP"))}`);
  world.night.count("stops");
  await sleep(dice.below(2000));
  let isUnlocked = false;
  if (dice.chance(0.75)) {
    const seen = await world.run(other, "lock", "status", "-e", environment);
    const nonce = seen.text.match(/agentform lock unlock (?:-e \S+ )?([0-9a-z-]+)/)?.[1];
    if (nonce !== undefined) {
      world.night.count("unlocks");
      isUnlocked = (await world.run(other, "lock", "unlock", nonce, "-e", environment)).code === 0;
    }
    await world.run(other, ...applying(world, mark));
  }
  const woken = Date.now();
  started.child.kill("SIGCONT");
  world.say(`woken${isUnlocked ? ", after an unlock" : ""}`);
  const ended = await started.ended;
  if (!isUnlocked) return;
  if (world.service.faults === undefined) await judgeWoken(world, other, environment, ended);
  const late = world.service.changes.filter((each) => each.run === started.run && each.at > woken + 5000);
  if (late.length > 0)
    world.fail(
      "late-sender",
      `${started.run} was unlocked and sent ${late.length} changes more than 5 s after it woke: ${ended.text.slice(-800)}`,
    );
}

/** Whoever lost the state says what it made and the state may lack. */
async function judgeWoken(world, machine, environment, { run, text }) {
  const listed = await world.json(machine, "lock", "list", "-e", environment);
  const made = world.service.objects
    .filter((each) => each.run === run)
    .flatMap((each) => each.tools ?? [each]);
  for (const { id } of made)
    if (!text.includes(id) && !listed.out.includes(id))
      world.fail(
        "unsaid",
        `${run} lost the state, and does not say that it made ${id}: ${text.trim().slice(-700)}`,
      );
}

/** Makes a change in every environment, so that this machine has written all of them last. */
async function touch(world, machine) {
  const document = world.documents.of("agent")[0] ?? world.documents.add("agent");
  document.tune += 1;
  world.say(`touch ${address(document)}`);
  world.write();
  return settle(world, machine);
}

/** A machine that knew the state refuses to begin anew. */
async function mustRefuse(world, machine, kind) {
  // There is something to do, so that an apply has to look at the store.
  world.documents.of("agent")[0].tune += 1;
  world.write();
  // A plan of a ref uses the clone alone, which has the newer one.
  const isAllowed = (code) => code === 1 || code === 4 || (code === 2 && world.store.name === "git");
  for (const environment of Object.values(world.environments)) {
    const before = serviceOf(world);
    const planned = await world.run(machine, "plan", "-e", environment, "--detailed-exitcode");
    const applied = await world.run(machine, "apply", "-e", environment, "--yes");
    if (!isAllowed(planned.code) || ![1, 4].includes(applied.code))
      world.fail(
        kind,
        `the machine that wrote ${environment} does not refuse: plan ended with ${planned.code}, apply with ${applied.code}: ${applied.text.trim().slice(-1500)}`,
      );
    else if (!/`(agentform|git) /.test(applied.text))
      world.fail("no-command", `a refusal without a command: ${applied.text}`);
    if (serviceOf(world) !== before)
      world.fail(`${kind}-creates`, `${serviceOf(world) - before} objects were made again in ${environment}`);
  }
}

async function setBack(world) {
  const machine = anyMachine(world);
  if (!(await touch(world, machine))) return;
  world.say(`the store ${world.store.name} is set back to ${world.kept.when}`);
  world.night.count("setbacks");
  await world.store.restore(world.kept.what);
  await mustRefuse(world, machine, "set-back");
  await settle(world, machine);
}

/** The store is set back, and a machine that cannot know goes on from there; then the one that knows comes back. */
async function fork(world) {
  const [knows, other] = world.dice.chance(0.5) ? world.machines : world.machines.toReversed();
  const kept = await world.store.backup();
  const document = world.documents.add(world.dice.pick(["policy", "credential", "toolset", "agent"]));
  if (!(await touch(world, knows))) return;
  world.say(
    `the store ${world.store.name} is set back, and ${other.name} goes on without ${address(document)}`,
  );
  world.night.count("setbacks");
  await world.store.restore(kept);
  // What it does not know it must not want: nobody could tell it that the object is there.
  world.documents.list = world.documents.list.filter((each) => each !== document);
  world.documents.of("agent")[0].tune += 1;
  world.write();
  // What it finds in the service was done by an apply that its state does not have.
  world.isTampered = true;
  for (const environment of Object.values(world.environments))
    await world.run(other, "apply", "-e", environment, "--yes");
  world.isTampered = false;
  world.documents.list.push(document);
  world.write();
  await settle(world, knows);
}

async function empty(world) {
  const machine = anyMachine(world);
  if (!(await touch(world, machine))) return;
  world.say(`the store ${world.store.name} is emptied`);
  world.night.count("setbacks");
  await world.store.empty();
  await mustRefuse(world, machine, "emptied");
  await settle(world, machine);
}

/** Names are part of the state: a new one in the manifest alone is refused, and one command mends it. */
async function rename(world, machine, change, line) {
  const isKnown = world.dice.chance(0.6);
  if (isKnown && !(await touch(world, machine))) return;
  for (const document of world.documents.list) delete document.adopt;
  change();
  world.write();
  world.night.count("renames");
  if (isKnown && line.includes("--from-workspace")) await mustRefuse(world, machine, "renamed");
  await insist(world, machine, "e0", ...line);
  world.kept = undefined;
  await settle(world, machine);
}

async function renameWorkspace(world) {
  const old = world.workspace;
  const fresh = `desk-${world.number()}`;
  world.say(`rename the workspace ${old} to ${fresh}`);
  await rename(world, anyMachine(world), () => (world.workspace = fresh), [
    "lock",
    "move",
    "--from-workspace",
    old,
  ]);
}

async function renameEnvironment(world) {
  const mark = world.dice.pick(Object.keys(world.environments).filter((each) => each !== "e0"));
  const old = world.environments[mark];
  const fresh = `env-${world.number()}`;
  world.say(`rename the environment ${old} to ${fresh}`);
  await rename(world, anyMachine(world), () => (world.environments[mark] = fresh), [
    "lock",
    "move",
    "--from-environment",
    old,
    "-e",
    fresh,
  ]);
}

async function addEnvironment(world) {
  const mark = `e${world.number()}x`;
  world.environments[mark] = `env-${world.number()}`;
  world.say(`add the environment ${world.environments[mark]}`);
  world.kept = undefined;
  world.write();
}

async function moveState(world) {
  const names = ["git", "http", "s3", "postgres", "file"].filter(
    (name) =>
      world.night.servers.has(name) &&
      name !== world.store.name &&
      !(name === "git" && world.layout === "plain") &&
      !(name === "file" && world.layout === "clones"),
  );
  const name = world.dice.pick(names);
  const target = (world.places[name] ??= world.night.servers.store(name, world));
  const machine = anyMachine(world);
  world.say(`move the state from ${world.store.name} to ${name} on ${machine.name}`);
  world.night.count("moves");
  world.other = target;
  const line = ["lock", "move", "--to", JSON.stringify(target.spec)];
  if (world.dice.chance(0.4)) {
    const started = world.start(machine, line);
    await Promise.race([sleep(world.dice.between(200, 1800)), started.ended]);
    started.child.kill("SIGKILL");
    const { signal } = await started.ended;
    world.say(signal === null ? "it ended" : "killed");
    // One that had ended is not run again: the state is not there any more.
    if (signal !== null) await repeatMove(world, machine, line);
  } else await insist(world, machine, "e0", ...line);
  world.store = target;
  world.kept = undefined;
  world.write();
  await settle(world, machine);
}

/** The same command again ends what was begun; if the first one was killed after its end, it says that the state has moved. */
async function repeatMove(world, machine, line) {
  const again = await world.run(machine, ...line);
  if (again.code === 4 && /has moved/.test(again.text)) return;
  if (again.code !== 0) await insist(world, machine, "e0", ...line);
}

/** Somebody changes an object by hand: that is seen, and neither overwritten nor blamed on others. */
async function tamper(world) {
  const { dice } = world;
  const document = dice.pick(world.documents.of("agent"));
  const mark = anyMark(world);
  const environment = world.environmentOf(mark);
  const machine = anyMachine(world);
  const [object] = world.service.live("agent", `${mark}.${document.mark}`);
  if (object === undefined) return;
  world.say(`somebody changes ${address(document)} of ${environment} in the service`);
  world.isTampered = true;
  const before = object.body;
  object.body = { ...before, temperature: 0.77 };
  const drift = await world.run(machine, "drift", "-e", environment, "--detailed-exitcode");
  if (drift.code !== 2 || !drift.text.includes(address(document)))
    world.fail("drift-missed", `drift ended with ${drift.code}: ${drift.text.trim().slice(-1000)}`);
  if (dice.chance(0.5)) object.body = before;
  else {
    document.tune += 1;
    world.write();
    const refused = await world.run(machine, "apply", "-e", environment, "--yes");
    if (refused.code !== 1 || object.body.temperature !== 0.77)
      world.fail(
        "overwritten",
        `an update of what somebody changed ended with ${refused.code}: ${refused.text.trim().slice(-1000)}`,
      );
    await insist(world, machine, mark, "apply", "-e", environment, "--yes", "--overwrite", address(document));
  }
  world.isTampered = false;
  await settle(world, machine);
}

async function prune(world) {
  const machine = anyMachine(world);
  for (const environment of Object.values(world.environments)) {
    const retired = await world.json(machine, "lock", "retired", "-e", environment);
    const ids = new Set(retired.value?.retired.flatMap((each) => each.ids ?? [each.id]));
    const before = new Set(world.service.objects.filter((each) => each.deleted));
    world.say(`prune ${environment} of ${ids.size}`);
    const pruned = await world.run(machine, "prune", "-e", environment, "--yes");
    if (pruned.code !== 0)
      world.fail(
        "prune",
        `prune of a settled state ended with ${pruned.code}: ${pruned.text.trim().slice(-1000)}`,
      );
    for (const object of world.service.objects)
      if (
        object.deleted &&
        !before.has(object) &&
        ![object.id, ...(object.tools ?? []).map((tool) => tool.id)].some((id) => ids.has(id))
      )
        world.fail("pruned-managed", `${object.name} ${object.id} was deleted, and was not in the ledger`);
  }
}

/** A runner that is new finds the state, and can go on with it. */
async function freshClone(world) {
  world.commit();
  if (world.layout === "repository") git(world.home, "push", "-q", "origin", "HEAD:main");
  const name = `c${world.number()}`;
  const machine = world.addMachine(name, world.clone(name));
  world.say(`a fresh clone ${name}`);
  world.writeInto(machine.folder);
  try {
    for (const environment of Object.values(world.environments)) {
      const planned = await world.run(machine, "plan", "-e", environment, "--detailed-exitcode");
      if (planned.code !== 0)
        world.fail(
          "fresh-clone",
          `a plan in a fresh clone ended with ${planned.code}: ${planned.text.trim().slice(-1200)}`,
        );
    }
    // With the state in files its commits would have to go back and forth.
    if (world.store.name !== "file" && world.dice.chance(0.6)) await touch(world, machine);
  } finally {
    world.machines.pop();
  }
}

async function bringBack(world) {
  const { documents, service } = world;
  const document = world.dice.pick(documents.removed);
  const machine = anyMachine(world);
  const adopt = {};
  for (const [mark, environment] of Object.entries(world.environments)) {
    const retired = await world.json(machine, "lock", "retired", "-e", environment);
    // Left behind under this address: it may have moved and gone without an apply in between.
    const entries = (retired.value?.retired ?? []).filter((each) => each.address === address(document));
    const left = new Set(entries.flatMap((each) => each.ids ?? [each.id]));
    const wanted = JSON.stringify(documents.body(document, mark, String, "the-secret-of-the-night"));
    const object = service
      .live(document.kind, `${mark}.${document.mark}`)
      .findLast((each) => left.has(each.id) || each.tools?.every((tool) => left.has(tool.id)));
    // What is recorded as if equal must be equal.
    if (object === undefined || (document.kind !== "agent" && JSON.stringify(object.body) !== wanted)) return;
    adopt[environment] = object.tools?.map((tool) => `${tool.operation}=${tool.id}`) ?? object.id;
  }
  world.say(`bring back ${address(document)}`);
  documents.bringBack(document);
  world.write();
  const planned = await world.run(machine, "plan", "-e", "default", "--detailed-exitcode");
  if (planned.code !== 1 || !planned.text.includes("adopt"))
    world.fail(
      "retired-returns",
      `what was left behind returns, and the plan ended with ${planned.code}: ${planned.text.trim().slice(-800)}`,
    );
  document.adopt = adopt;
  world.write();
  await settle(world, machine);
}
