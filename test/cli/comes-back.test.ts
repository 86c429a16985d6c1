import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { documents, manifestAt, openDesk, type Desk } from "./desk.js";

const triage = documentText("Agent", "triage", { name: "Triage" });
const set = documents["toolsets/desk.yaml"] ?? "";

/** What a plan says of a document that comes back after its removal was applied. */
async function hintFor(file: string, text: string, ...options: readonly string[]): Promise<string> {
  const { workspace, run } = await openDesk({ [file]: text });
  expect(await run("apply", "--yes", ...options)).toMatchObject({ code: 0 });
  workspace.remove(file);
  expect(await run("apply", "--yes", ...options)).toMatchObject({ code: 0 });
  workspace.write({ [file]: text });
  const { code, err } = await run("plan", ...options);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining("error[retired-address]") as string,
  });
  return /= hint: (.*)/.exec(err)?.[1] ?? "";
}

test("a hint proposes to adopt with the IDs where it is known what they are of", async () => {
  expect(await hintFor("agents/triage.yaml", triage)).toMatch(
    /^take over what exists with `lifecycle: \{adopt: [0-9a-f]{24}\}`, or create a new one with/,
  );
});

test("what was renamed and forgotten is not created again once both are taken back", async () => {
  const { workspace, run, lock, emulator } = await openDesk({ "agents/triage.yaml": triage });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const lifecycle = { moved_from: "agent:triage" };
  const renamed = documentText("Agent", "sort", { name: "Triage" }, lifecycle);
  workspace.write({ "agents/triage.yaml": renamed });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.remove("agents/triage.yaml");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const [id = ""] = Object.keys(lock().retired);
  workspace.write({ "agents/triage.yaml": triage });
  const { code, err } = await run("apply", "--yes");
  expect(code).toBe(1);
  expect(err).toContain(`\`agent:sort\` was forgotten, and its object still exists: ${id}`);
  expect(err).toContain("or create a new one with `--replace agent:triage`");
  workspace.write({ "agents/triage.yaml": documentText("Agent", "triage", { name: "Another" }) });
  expect(await run("plan")).toMatchObject({ code: 0 });
  workspace.write({
    "agents/triage.yaml": documentText("Agent", "triage", { name: "Triage" }, { adopt: id }),
  });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(emulator.objects().agents).toHaveLength(1);
});

test("of a tool set that was renamed and forgotten, its operations say that it comes back", async () => {
  await comesBack("opaque");
  const { workspace, run } = await comesBack("names");
  workspace.write({ "toolsets/desk.yaml": set.replaceAll("Ticket", "Letter") });
  expect(await run("plan")).toMatchObject({ code: 0 });
});

async function comesBack(answers: "names" | "opaque") {
  const desk = await openDesk({ "toolsets/desk.yaml": set }, { answers });
  const { workspace, run, emulator } = desk;
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const tools = emulator.objects().tools.length;
  const document = JSON.parse(set) as { metadata: object };
  const renamed = { ...document, metadata: { name: "other" }, lifecycle: { moved_from: "toolset:desk" } };
  workspace.write({ "toolsets/desk.yaml": JSON.stringify(renamed) });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.remove("toolsets/desk.yaml");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "toolsets/desk.yaml": set });
  expect(await run("apply", "--yes")).toMatchObject({
    code: 1,
    err: expect.stringContaining("`toolset:other` was forgotten, and its") as string,
  });
  expect(emulator.objects().tools).toHaveLength(tools);
  return desk;
}

test("what was forgotten before it could move is not created again under its new name", async () => {
  const { workspace, run, lock, emulator } = await openDesk({ "agents/triage.yaml": triage });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.remove("agents/triage.yaml");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const [id = ""] = Object.keys(lock().retired);
  const renamed = (more: object) =>
    workspace.write({
      "agents/sort.yaml": documentText(
        "Agent",
        "sort",
        { name: "Triage" },
        { moved_from: "agent:triage", ...more },
      ),
    });
  renamed({});
  const { code, err } = await run("apply", "--yes");
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      `\`agent:triage\` was forgotten, and its object still exists: ${id}`,
    ) as string,
  });
  expect(err).toContain(
    `take over what exists with \`lifecycle: {adopt: ${id}}\`, or create a new one with \`--replace agent:sort\``,
  );
  expect(err).not.toContain("`moved_from` can be removed");
  renamed({ adopt: id });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(emulator.objects().agents).toHaveLength(1);
});

test("of tools that may be any operation of a set, it leaves to say which is which", async () => {
  expect(await hintFor("toolsets/desk.yaml", set)).toBe(
    "take over what exists with `lifecycle: {adopt: [OPERATION=ID, …]}`, or create a new one with `--replace toolset:desk`",
  );
});

test("with the emulator, which does not adopt, it does not propose that", async () => {
  expect(await hintFor("agents/triage.yaml", triage, "--emulator")).toBe(
    "create a new one with `--replace agent:triage`",
  );
});

test.each([
  ["7", '"7"'],
  ["1234e5", '"1234e5"'],
  ["true", '"true"'],
  ["a b", '"a b"'],
  ["66f1c0de", "66f1c0de"],
])("the ID %s is written as a text: %s", async (id, written) => {
  const { workspace, run } = await openDesk(
    { "agents/triage.yaml": triage },
    { faults: [{ path: "/v3/agents/", status: 200, body: { id } }] },
  );
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.remove("agents/triage.yaml");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "agents/triage.yaml": triage });
  const [mark = ""] = quotedIn(await run("plan"));
  expect(mark).toBe(`lifecycle: {adopt: ${written}}`);
  workspace.write({ "agents/triage.yaml": `${agent("triage")}${mark}\n` });
  expect((await run("plan")).out).toContain("1 to adopt");
});

const environments = "  environments: {staging: {}, live: {}}\n";

test("of several environments it proposes to adopt in this one alone, so that the others go on", async () => {
  const { workspace, emulator, run } = await openDesk({});
  const text = agent("triage");
  workspace.write({ "agentform.yaml": manifestAt(emulator.url, environments), "agents/triage.yaml": text });
  await applyIn(run, "staging", "live");
  workspace.write({ "agents/triage.yaml": `${text}lifecycle: {environments: [staging]}\n` });
  await applyIn(run, "live");
  workspace.write({ "agents/triage.yaml": text });
  const [mark = ""] = quotedIn(await run("plan", "-e", "live"));
  expect(mark).toMatch(/^lifecycle: \{adopt: \{live: [0-9a-f]{24}\}\}$/);
  workspace.write({ "agents/triage.yaml": `${text}${mark}\n` });
  await applyIn(run, "live", "staging");

  workspace.write({ "agents/triage.yaml": `${text}${mark.replace(/\{live: (.*)\}\}$/, "$1}")}\n` });
  const { code, err } = await run("plan", "-e", "staging");
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      "= hint: remove `adopt`, or name the environment that has the object: `adopt: {NAME: ID}`",
    ) as string,
  });
});

test.each([
  { more: "", options: [] },
  { more: environments, options: ["-e", "live"] },
])("for a key of `for_each` it proposes what the other keys can do with: $options", async (given) => {
  const { workspace, emulator, run } = await openDesk({});
  const write = (keys: string, end = "") =>
    workspace.write({ "agents/help.yaml": `${agent("help-${each:key}")}for_each: {${keys}}\n${end}` });
  const apply = async () => {
    const ran = await run("apply", "--yes", ...given.options);
    expect(ran).toMatchObject({ code: 0 });
    return ran.err;
  };
  workspace.write({ "agentform.yaml": manifestAt(emulator.url, given.more) });
  write("de: {}, fr: {}");
  await apply();
  write("fr: {}");
  await apply();
  write("de: {}, fr: {}");
  const [mark, here = "", key = "", others = ""] = quotedIn(await run("plan", ...given.options));
  write(`${key}: {${here}}, fr: {${others}}`, `${mark}\n`);
  expect(await apply()).toContain("agent:help-de: adopted");
});

describe("a policy that comes back and is another one than its object was sent", () => {
  const file = "policies/strict.yaml";
  const policy = (topics: readonly string[], adopt?: string) => {
    const spec = { name: "Strict", banned_topics: { enabled: true, topics } };
    return { [file]: documentText("Policy", "strict", spec, adopt === undefined ? undefined : { adopt }) };
  };
  const [before, now] = [["weapons"], ["weapons", "drugs"]];

  async function returned() {
    const desk = await openDesk(policy(before));
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    desk.workspace.remove(file);
    expect(await desk.run("apply", "--yes")).toMatchObject({ code: 0 });
    desk.workspace.write(policy(now));
    const [id = ""] = Object.keys(desk.lock().retired);
    return { ...desk, id };
  }

  test("is not taken for equal to it", async () => {
    const { workspace, run, id } = await returned();
    expect(quotedIn(await run("plan"))).toEqual(["--replace policy:strict", `lifecycle: {adopt: ${id}}`]);
    // Many services take a hexadecimal ID in capitals for the same.
    for (const each of [id, id.toUpperCase()]) {
      workspace.write(policy(now, each));
      const { code, err } = await run("plan");
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining(`the object ${each} was last sent another \`banned_topics\``) as string,
      });
    }
  });

  test("is taken over with what it was sent, and changed after that", async () => {
    const { workspace, run, id } = await returned();
    workspace.write(policy(before, id));
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    workspace.write(policy(now, id));
    expect((await run("plan")).out).toContain("Plan: 1 to replace.");
  });

  test("is taken over as it is by a person who knows better", async () => {
    const { workspace, run, id } = await returned();
    workspace.write(policy(now, id));
    const command = `lock resolve policy:strict --adopt ${id}`;
    expect(quotedIn(await run("plan"))).toContain(`agentform ${command}`);
    expect(await run(...command.split(" "))).toMatchObject({ code: 0 });
    expect((await run("plan")).out).toContain("Plan: 1 to record.");
  });

  test("is offered the one of several objects that was sent the same", async () => {
    const { workspace, run, lock, id } = await returned();
    expect(await run("apply", "--yes", "--replace", "policy:strict")).toMatchObject({ code: 0 });
    workspace.remove(file);
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    workspace.write(policy(now));
    const same = Object.keys(lock().retired).find((other) => other !== id);
    expect(quotedIn(await run("plan"))).toContain(`lifecycle: {adopt: ${same}}`);
  });
});

describe("a tool that was left behind", () => {
  const setOf = (paths: object, adopt?: readonly string[]) =>
    documentText(
      "ToolSet",
      "desk",
      { tool_set_name: "desk", openapi_schema: { openapi: "3.1.0", paths } },
      adopt && { adopt },
    );

  async function left() {
    const desk = await openDesk();
    const { workspace, run, emulator } = desk;
    workspace.write({
      "agentform.yaml": manifestAt(emulator.url).replace("{base_url", "{tool_ids: document_order, base_url"),
      "toolsets/desk.yaml": setOf({ "/tickets": { get: { operationId: "list" }, delete: {} } }),
    });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    workspace.remove("toolsets/desk.yaml");
    workspace.remove("agents/support.yaml");
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    const idOf = (name: string): string =>
      Object.entries(desk.lock().retired).find(([, { operation }]) => operation === name)?.[0] ?? "";
    return { ...desk, idOf };
  }

  test("is not taken over as that of another operation, but by a person who knows better", async () => {
    const { workspace, run, idOf } = await left();
    const id = idOf("DELETE /tickets");
    const adopting = (each: string) => ({
      "toolsets/desk.yaml": setOf({ "/tickets": { get: { operationId: "show" } } }, [`show=${each}`]),
    });
    workspace.write(adopting(id.toUpperCase()));
    expect((await run("plan")).err).toContain("is the tool of `DELETE /tickets`, and not of `show`");
    workspace.write(adopting(id));
    const { code, err } = await run("plan");
    expect(code).toBe(1);
    expect(err).toContain(`the object ${id} is the tool of \`DELETE /tickets\`, and not of \`show\``);
    const command = `lock resolve toolset:desk --adopt show=${id}`;
    expect(err).toContain(`\`agentform ${command}\``);
    expect(await run(...command.split(" "))).toMatchObject({ code: 0 });
  });

  test("is taken over as what it is, by any of its names", async () => {
    const { workspace, run, idOf } = await left();
    const paths = { "/tickets": { get: { operationId: "list" }, delete: { operationId: "remove" } } };
    const adopt = [`GET /tickets=${idOf("list")}`, `remove=${idOf("DELETE /tickets")}`];
    workspace.write({ "toolsets/desk.yaml": setOf(paths, adopt) });
    expect((await run("plan")).out).toContain("Plan: 1 to adopt");
  });
});

test.each([
  ["of letters and digits", undefined],
  ["that is a number, which another kind may have as well", "42"],
])("an agent taken over again is compared with what it was last sent: an ID %s", async (_, number) => {
  const { workspace, run, lock } = await openDesk();
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.remove("agents/support.yaml");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const { retired } = lock();
  const given = Object.keys(retired).find((each) => retired[each]?.["address"] === "agent:support") ?? "";
  const key = number === undefined ? given : `agent#${number}`;
  workspace.write({ "agentform.lock": workspace.read("agentform.lock").replaceAll(given, key) });
  // What this machine remembers of the lock.
  rmSync(join(workspace.directory, ".agentform"), { recursive: true });
  const id = number ?? given;
  const takeOver = (spec: object) =>
    workspace.write({ "agents/help.yaml": documentText("Agent", "help", spec, { adopt: id }) });
  takeOver({ name: "Help", features: [] });
  const { code, err, out } = await run("plan", "--fail-on", "weakens", "--fail-on", "widens");
  expect({ code, err }).toMatchObject({ code: 1 });
  expect(out).toContain("policy:strict is detached");
  takeOver({
    name: "Help",
    features: [{ type: "RAI", config: { policy_id: "${policy:strict}" }, priority: 0 }],
  });
  expect((await run("plan", "--fail-on", "weakens")).code).toBe(0);
});

test("a mark to adopt that has acted and now is of several keys says so", async () => {
  const { workspace, run, lock } = await openDesk({ "agents/help.yaml": agent("help") });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.remove("agents/help.yaml");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  const [id = ""] = Object.keys(lock().retired);
  const split = `${agent("help-${each:key}")}for_each: {de: {from: agent:help}, fr: {from: []}}\n`;
  const marks = (end: string) => `lifecycle: {moved_from: "\${each:from}"${end}}\n`;
  workspace.write({ "agents/help.yaml": `${agent("help")}lifecycle: {adopt: ${id}}\n` });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  workspace.write({ "agents/help.yaml": `${split}${marks(`, adopt: ${id}`)}` });
  expect(quotedIn(await run("plan"))).toEqual(["for_each", "adopt", 'adopt: "${each:adopt}"', "adopt: {}"]);
  workspace.write({ "agents/help.yaml": `${split}${marks("")}` });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
});

function agent(name: string): string {
  return `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: "${name}"}\nspec: {name: Help}\n`;
}

/** What the hint of an error has in quotes. */
function quotedIn({ err }: { readonly err: string }): string[] {
  return [...(/= hint: (.*)/.exec(err)?.[1] ?? "").matchAll(/`([^`]*)`/g)].map(([, quoted = ""]) => quoted);
}

async function applyIn(run: Desk["run"], ...names: readonly string[]): Promise<void> {
  for (const name of names) expect(await run("apply", "--yes", "-e", name)).toMatchObject({ code: 0 });
}
