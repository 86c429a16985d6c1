/** What one round has: a service, documents, a store, and machines that share them. */
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dice as createDice } from "./dice.mjs";
import { Documents } from "./documents.mjs";
import { Service } from "./service.mjs";
import { git } from "./stores.mjs";

const secret = "the-secret-of-the-night";
const seal = "the-seal-of-the-night-".repeat(3);
const words = {
  policy: "/v1/rai/policies",
  toolset: "/v3/tools/",
  credential: "/v3/tools/credentials",
  agent: "/v3/agents/",
};

export class World {
  steps = [];
  machines = [];
  workspace = "desk";
  /** Environments by the mark that they keep when they get another name. */
  environments = { e0: "default" };
  counter = 0;

  constructor({ dice, name, folder, cli, night, layout }) {
    Object.assign(this, { dice, name, folder, cli, night, layout });
    this.service = new Service(createDice(dice.below(2 ** 31)));
    this.documents = new Documents(dice);
    this.home = join(folder, "shared");
    this.remote = join(folder, "remote.git");
    if (dice.chance(0.6)) this.environments.e1 = "live";
    this.isSealed = dice.chance(0.3);
    this.abilities = {};
    if (dice.chance(0.5)) {
      const [hasList, hasDelete, hasUpdate] = [dice.chance(0.5), dice.chance(0.5), dice.chance(0.4)];
      for (const kind of Object.keys(words))
        this.abilities[kind] = [
          "read",
          ...(hasList ? ["list"] : []),
          ...(hasDelete ? ["delete"] : []),
          ...(hasUpdate && ["policy", "credential"].includes(kind) ? ["update"] : []),
        ];
    }
    this.service.abilities = this.abilities;
  }

  can(kind, ability) {
    return this.abilities[kind]?.includes(ability) ?? false;
  }

  number() {
    return (this.counter += 1);
  }

  say(text) {
    this.steps.push(text);
    appendFileSync(join(this.folder, "log.txt"), `\n## ${new Date().toISOString()} ${text}\n`);
  }

  fail(kind, text) {
    this.night.fail(this, kind, text);
  }

  async begin(store) {
    mkdirSync(this.folder, { recursive: true });
    await this.service.start();
    this.store = store;
    if (this.layout !== "plain") git(this.folder, "init", "-q", "--bare", "-b", "main", this.remote);
    if (this.layout === "clones") for (const name of ["a", "b"]) this.addMachine(name, this.clone(name));
    else {
      mkdirSync(this.home);
      if (this.layout === "repository") {
        git(this.home, "init", "-q", "-b", "main");
        git(this.home, "remote", "add", "origin", this.remote);
      }
      for (const name of ["a", "b"]) this.addMachine(name, this.home);
    }
    for (const kind of ["policy", "policy", "credential", "toolset", "agent", "agent", "agent"])
      this.documents.add(kind);
    this.write();
  }

  addMachine(name, folder) {
    const home = join(this.folder, `home-${name}`);
    mkdirSync(join(home, "cache"), { recursive: true });
    writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Night\n\temail = night@example.com\n");
    const machine = { name, folder, home };
    this.machines.push(machine);
    return machine;
  }

  clone(name) {
    const folder = join(this.folder, `clone-${name}`);
    git(this.folder, "clone", "-q", this.remote, folder);
    git(folder, "checkout", "-q", "-B", "main");
    return folder;
  }

  /** Writes manifest and documents into every checkout. */
  write() {
    for (const folder of new Set(this.machines.map((machine) => machine.folder))) this.writeInto(folder);
  }

  writeInto(folder) {
    const operations = {};
    for (const [kind, abilities] of Object.entries(this.abilities)) {
      const path = words[kind];
      const one = `${path.replace(/\/?$/, "/")}{id}`;
      const forms = {
        read: `GET ${one}`,
        list: `GET ${path}`,
        delete: `DELETE ${one}`,
        update: `PUT ${one}`,
      };
      operations[kind] = Object.fromEntries(abilities.map((ability) => [ability, forms[ability]]));
    }
    const environments = Object.fromEntries(
      Object.entries(this.environments).map(([mark, name]) => [name, { variables: { mark } }]),
    );
    const spec = {
      service: {
        base_url: this.service.address,
        rai_base_url: this.service.address,
        api_key: "${env:NIGHT_KEY}",
        ...(Object.keys(operations).length === 0 ? {} : { operations }),
      },
      variables: { mark: {} },
      environments,
      ignore: ["environment-same-service"],
      lock: { ...this.store.spec, ...(this.isSealed && { seal: "${env:NIGHT_SEAL}" }) },
    };
    const manifest = {
      apiVersion: "agentform/v1",
      kind: "Workspace",
      metadata: { name: this.workspace },
      spec,
    };
    writeFileSync(join(folder, "agentform.yaml"), `${JSON.stringify(manifest, null, 1)}\n`);
    this.documents.write(folder);
  }

  commit() {
    if (this.layout !== "repository") return;
    git(this.home, "add", "-A");
    git(
      this.home,
      "-c",
      "user.name=Night",
      "-c",
      "user.email=night@example.com",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "state",
    );
  }

  environmentOf(mark) {
    return this.environments[mark];
  }

  /** Starts the command on a machine; `ended` gives its exit code and all that it said. */
  start(machine, line) {
    const run = `run-${this.number()}`;
    const env = {
      PATH: process.env.PATH,
      HOME: machine.home,
      XDG_CACHE_HOME: join(machine.home, "cache"),
      NIGHT_KEY: run,
      NIGHT_SECRET: secret,
      NIGHT_SEAL: seal,
      STATE_PASSWORD: "night",
      AWS_ACCESS_KEY_ID: "night",
      AWS_SECRET_ACCESS_KEY: "night",
      NO_COLOR: "1",
      ...this.store.env,
      ...this.other?.env,
    };
    const child = spawn(process.execPath, [this.cli, ...line], {
      cwd: machine.folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { out: "", err: "" };
    child.stdout.on("data", (bytes) => (said.out += bytes));
    child.stderr.on("data", (bytes) => (said.err += bytes));
    const watchdog = setTimeout(() => {
      this.fail("stuck", `${machine.name}: ${line.join(" ")} did not end in ten minutes`);
      child.kill("SIGKILL");
    }, 600_000);
    const started = Date.now();
    const ended = new Promise((resolve) => {
      child.on("close", (code, signal) => {
        clearTimeout(watchdog);
        this.night.count("commands");
        if (line[0] === "apply") this.night.count("applies");
        const text = `${said.out}\n${said.err}`;
        const shown = `$ [${machine.name} ${run}] agentform ${line.join(" ")}\n${text.trim()}\n=> ${code ?? signal} after ${Date.now() - started} ms\n`;
        appendFileSync(join(this.folder, "log.txt"), shown);
        const result = { code, signal, run, line, machine, text, ...said };
        this.judge(result);
        resolve(result);
      });
    });
    return { child, run, ended };
  }

  run(machine, ...line) {
    return this.start(machine, line).ended;
  }

  /** What holds of every command, whatever it was asked. */
  judge({ code, signal, line, text, out }) {
    const about = `agentform ${line.join(" ")}`;
    if (code === null) {
      if (signal !== "SIGKILL") this.fail("signal", `${about} ended with ${signal}`);
      return;
    }
    const isAgreement = line[0] === "apply" && !line.includes("--yes") && !line.includes("--expect");
    const allowed = [0, 1, 3, 4, ...(line.includes("--detailed-exitcode") || isAgreement ? [2] : [])];
    if (!allowed.includes(code))
      this.fail(`exit-${code}`, `${about} ended with ${code}: ${text.trim().slice(-600)}`);
    if (/^\s+at .+:\d+:\d+\)?$/m.test(text) || text.includes("node:internal"))
      this.fail("stack-trace", `${about}: ${text.slice(-1500)}`);
    if (text.includes(secret) || text.includes(seal)) this.fail("secret", `${about} shows a secret`);
    if (code !== 0 && code !== 2 && text.trim() === "")
      this.fail("silent", `${about} ended with ${code} and said nothing`);
    if (code === 4 && line[0] === "apply" && !/hint:|agentform lock/.test(text))
      this.fail("no-hint", `${about} ended with 4 and names nothing to do: ${text.trim().slice(-400)}`);
    if (line.includes("--format") && line.includes("json") && !line.includes("--yes")) {
      try {
        JSON.parse(out);
      } catch {
        this.fail("no-json", `${about} ended with ${code}: ${out.slice(0, 300)}`);
      }
    }
    for (const [, blamed] of text.matchAll(/^(\S+): failed: somebody changed/gm)) {
      // It is said again until it is overwritten.
      if (
        this.isTampered ||
        this.lastBlamed === `${blamed} ${this.steps.findLast((step) => step.startsWith("settle"))}`
      )
        continue;
      this.lastBlamed = `${blamed} ${this.steps.findLast((step) => step.startsWith("settle"))}`;
      this.fail("false-blame", `${about}: ${text.trim().slice(-700)}`);
    }
    const environment = line[line.indexOf("-e") + 1];
    if (line.includes("-e") && environment !== "default")
      for (const [hint] of text
        .replaceAll(/\s+/g, " ")
        .matchAll(/agentform lock (?:resolve|unlock|restore) [^`;]*/g))
        if (!hint.includes(`-e ${environment}`) && !hint.includes(`--environment ${environment}`))
          this.fail("hint-environment", `${about} says: ${hint.slice(0, 120)}`);
  }

  async json(machine, ...line) {
    const result = await this.run(machine, ...line, "--format", "json");
    try {
      return { ...result, value: JSON.parse(result.out) };
    } catch {
      return { ...result, value: undefined };
    }
  }
}
