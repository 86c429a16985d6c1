/**
 * Shows what agentform does with a service that can be asked: create, a change by another hand, drift and its undoing,
 * import into an empty folder, and prune. The service is an emulator with all operations, in a process of its own.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(home, "dist/cli.js");

const operations = `    operations:
      policy:
        read: GET /v1/rai/policies/{id}
        list: {request: GET /v1/rai/policies, id: /_id}
        delete: DELETE /v1/rai/policies/{id}
      toolset:
        read: GET /v3/tools/{id}
        list: {request: GET /v3/tools/, id: /_id}
        delete: DELETE /v3/tools/{id}
      credential:
        read: GET /v3/tools/credentials/{id}
        list: {request: GET /v3/tools/credentials, id: /_id}
        update: PUT /v3/tools/credentials/{id}
        delete: DELETE /v3/tools/credentials/{id}
      agent:
        read: GET /v3/agents/{id}
        list: {request: GET /v3/agents/, id: /_id}
        delete: DELETE /v3/agents/{id}
`;

/** Runs the demo; gives whether all of it went as it should. */
export async function demoFull() {
  const folder = mkdtempSync(join(tmpdir(), "agentform-demo-"));
  const emulator = spawn(process.execPath, [cli, "emulator", "--operations", "full"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const at = await placeOf(emulator);
    const desk = makeDesk(join(folder, "desk"), at.address);
    return (await story(desk, join(folder, "found"), at)) ?? true;
  } catch (problem) {
    console.error(`\nThe demo failed: ${problem.message}`);
    return false;
  } finally {
    emulator.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function story(desk, empty, at) {
  say("A workspace of eight resources is applied to a service that can be asked.");
  run(desk, 0, "apply", "--yes");

  say("Somebody changes an agent and a policy in the console of the service.");
  const { resources } = JSON.parse(readFileSync(join(desk, "agentform.lock"), "utf8"));
  await edit(at, "agent", resources["agent:triage"].id, { temperature: 0.9 });
  await edit(at, "policy", resources["policy:internal"].id, { description: "Changed by hand" });
  run(desk, 2, "drift", "--detailed-exitcode", "--out", "found.json");

  say("The plan is offline as ever; with what drift found, it undoes the change.");
  run(desk, 0, "plan", "--observed", "found.json");
  run(desk, 0, "apply", "--observed", "found.json", "--yes");

  say("Elsewhere, an empty folder becomes a workspace of the same objects, with nothing to change.");
  mkdirSync(empty);
  run(empty, 0, "init", "--empty", ".");
  writeManifest(empty, at.address);
  run(empty, 0, "import", "--all", "--yes");
  run(empty, 0, "plan", "--detailed-exitcode");

  say("A policy gets a new name. This deployment cannot update policies, so the old object is left behind.");
  change(join(desk, "policies/internal.yaml"), "name: Staff only", "name: Staff and partners");
  run(desk, 0, "apply", "--yes");
  run(desk, 0, "lock", "retired");
  run(desk, 0, "prune", "--yes");
  run(desk, 0, "plan", "--detailed-exitcode");
}

function makeDesk(folder, address) {
  cpSync(join(home, "examples/support-desk"), folder, {
    recursive: true,
    filter: (file) => !file.includes(".agentform"),
  });
  writeManifest(folder, address);
  return folder;
}

function writeManifest(folder, address) {
  const file = join(folder, "agentform.yaml");
  const text = readFileSync(file, "utf8")
    .replace(/^ {4}base_url: .*$/m, `    base_url: ${address}`)
    .replace(/^ {4}rai_base_url: .*$/m, `    rai_base_url: ${address}`)
    .replace(/^ {4}api_key: .*\n/m, (line) => line + operations);
  writeFileSync(file, text);
}

function change(file, before, after) {
  const text = readFileSync(file, "utf8");
  if (!text.includes(before)) throw new Error(`${file} is not as the demo expects it`);
  writeFileSync(file, text.replace(before, after));
}

function say(what) {
  console.log(`\n# ${what}`);
}

function run(cwd, expected, ...args) {
  console.log(`\n$ agentform ${args.join(" ")}\n`);
  const secrets = ["AGENT_API_KEY", "OPENAI_API_KEY", "HELPDESK_TOKEN", "BILLING_API_KEY"];
  const env = { ...process.env, ...Object.fromEntries(secrets.map((name) => [name, `demo-${name}`])) };
  const { status } = spawnSync(process.execPath, [cli, ...args], { cwd, env, stdio: "inherit" });
  if (status !== expected) throw new Error(`agentform ${args[0]} ended with ${status ?? "a signal"}`);
}

async function edit({ address, consoleKey }, kind, id, changes) {
  const body = JSON.stringify({ kind, id, changes });
  const headers = { "x-api-key": consoleKey, "content-type": "application/json" };
  const { ok, status } = await fetch(`${address}/__emulator/edit`, { method: "POST", headers, body });
  if (!ok) throw new Error(`the edit was answered ${status}`);
}

async function placeOf(emulator) {
  let said = "";
  for await (const text of emulator.stdout.setEncoding("utf8")) {
    said += text;
    const [, address, consoleKey] = /(http:\S+)\n.*: (\w+)\n/.exec(said) ?? [];
    if (address !== undefined) return { address, consoleKey };
  }
  await once(emulator, "close");
  throw new Error("the emulator did not start");
}
