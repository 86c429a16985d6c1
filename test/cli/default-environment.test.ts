import { expect, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { manifestAt, openDesk, runIn } from "./desk.js";

const agent = (name: string, lifecycle?: object) => documentText("Agent", name, { name }, lifecycle);

test.each([
  ["in the environments alone", "", ' {service: {base_url: "http://127.0.0.1:1"}}'],
  ["outside of them", '  service: {base_url: "http://127.0.0.1:1"}\n', " {variables: {}}"],
  ["nowhere", "", " {}"],
])("with environments, a command needs the name of one: the address is %s", async (_, service, each) => {
  const { directory } = makeWorkspace({
    "agentform.yaml": `apiVersion: agentform/v1\nkind: Workspace\nmetadata: {name: desk}\nspec:\n${service}  environments:\n    production:${each}\n    staging: {}\n`,
  });
  const commands = [
    ["plan"],
    ["apply", "--yes"],
    ["apply", "--yes", "--emulator"],
    ["drift"],
    ["import", "--all", "--yes"],
    ["prune", "--yes"],
    ["lock", "list"],
    ["lock", "status"],
    ["lock", "history"],
    ["lock", "retired"],
    ["lock", "show", "agent:a"],
    ["lock", "resolve", "agent:a", "--not-created"],
    ["lock", "unlock", "0123456789abcdef"],
    ["output", "--format", "dotenv"],
    ["render"],
    ["graph"],
  ];
  for (const args of commands) {
    const { code, out, err } = await runIn(directory, args, { AGENT_API_KEY: "k" });
    expect([args, code, out]).toEqual([args, 1, ""]);
    expect(err).toContain("error[environment-required]: the manifest has environments");
    expect(err).toContain("hint: choose one with `-e`: production, staging; or declare `default: {}`");
  }
  for (const args of [
    ["-e", "default"],
    ["-e", "staging", "--against", "default"],
  ]) {
    const { code, err } = await runIn(directory, ["plan", ...args]);
    expect([code, err]).toEqual([1, expect.stringContaining("`default` is not in the manifest")]);
  }
  expect(await runIn(directory, ["validate"])).toMatchObject({ code: 0 });
  expect(await runIn(directory, ["plan", "-e", "staging"])).toMatchObject({ code: 0 });
});

test("a command without a name takes `default`, whose settings, patches and lists are like any other's", async () => {
  const { workspace, emulator, run } = await openDesk();
  const environments = `  variables: {model: small}
  environments:
    default: {variables: {model: middle}}
    staging: {}
`;
  workspace.write({
    "agentform.yaml": manifestAt(emulator.url, environments),
    "agents/support.yaml": documentText("Agent", "support", { name: "Support", model: "${var:model}" }),
    "agents/mine.yaml": agent("mine", { environments: ["default"], adopt: { default: "a1" } }),
    "agents/theirs.yaml": agent("theirs", { environments: ["staging"] }),
    "environments/default/support.yaml": documentText("Agent", "support", { description: "Patched" }),
  });
  for (const named of [[], ["-e", "default"]]) {
    const { out } = await run("render", "--format", "json", "agent:support", ...named);
    expect(JSON.parse(out)).toMatchObject({
      environment: null,
      documents: [{ spec: { model: "middle", description: "Patched" } }],
    });
    const planned = JSON.parse((await run("plan", "--format", "json", ...named)).out) as {
      actions: { address: string; action: string }[];
    };
    const actions = planned.actions.filter(({ address }) => address.startsWith("agent:"));
    expect(actions).toEqual([
      expect.objectContaining({ address: "agent:mine", action: "adopt" }),
      expect.objectContaining({ address: "agent:support", action: "create" }),
    ]);
  }
  const applied = await run("apply", "--yes", "--target", "agent:support", "-e", "default");
  expect(applied).toMatchObject({ code: 0 });
  expect(Object.keys(JSON.parse(workspace.read("agentform.lock")).resources)).toContain("agent:support");
  expect((await run("lock", "list")).out).toBe((await run("lock", "list", "-e", "default")).out);
});

test("a state from before the manifest had environments is that of `default`", async () => {
  const { workspace, emulator, run } = await openDesk();
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "agentform.yaml": manifestAt(emulator.url, "  environments: {staging: {}}\n") });
  expect(await run("plan")).toMatchObject({ code: 1 });
  workspace.write({
    "agentform.yaml": manifestAt(emulator.url, "  environments: {staging: {}, default: {}}\n"),
  });
  expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
});

test("a note says that two environments have the same address, until it is ignored", async () => {
  const manifest = (more = "") => `apiVersion: agentform/v1
kind: Workspace
metadata: {name: desk}
spec:
  service: {base_url: "https://agents.example.com"}
${more}  environments:
    production: {}
    staging: {service: {base_url: "https://staging.example.com"}}
    trial: {service: {base_url: "https://AGENTS.example.com:443/"}}
`;
  const { directory, write } = makeWorkspace({ "agentform.yaml": manifest() });
  const same = "note[environment-same-service]: environment `trial` has the same `base_url` as `production`";
  const { code, out } = await runIn(directory, ["validate"]);
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => line.startsWith("note"))).toEqual([same]);
  expect((await runIn(directory, ["plan", "-e", "trial"])).err).toContain(same);
  write({ "agentform.yaml": manifest("  ignore: [environment-same-service]\n") });
  expect((await runIn(directory, ["validate"])).out).toBe("The workspace is valid.\n");
});

test("a plan warns of an environment that was taken out of the manifest after an apply", async () => {
  const { run, emulator, workspace } = await openDesk({ "agents/a.yaml": agent("a") });
  const declare = (environments: string) => {
    const base = manifestAt(emulator.url);
    workspace.write({ "agentform.yaml": base.replace("spec:", `spec:\n  environments: {${environments}}`) });
  };
  declare("staging: {}, production: {}");
  for (const name of ["staging", "production"]) {
    expect((await run("apply", "-e", name, "--yes")).code).toBe(0);
  }
  const warned = async () => {
    const { code, err } = await run("plan", "-e", "staging");
    expect(code).toBe(0);
    return err.match(/warning\[environment-gone\]: \S+/g) ?? [];
  };
  workspace.write({ "agentform.backup.lock": workspace.read("agentform.production.lock") });
  expect(await warned()).toEqual([]);
  declare("staging: {}");
  expect(await warned()).toEqual(["warning[environment-gone]: agentform.production.lock"]);
  workspace.remove("agentform.production.lock");
  expect(await warned()).toEqual([]);
});
