import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ImportList } from "../../src/generated/import-list.js";
import { validate } from "../../src/generated/validate-import-list.js";
import { documentText } from "../harness/disk-workspace.js";
import { openAsked, type Filled } from "./sixty.js";

async function listed({ run }: Filled): Promise<ImportList> {
  const { out } = await run("import", "--list", "--format", "json");
  const list = JSON.parse(out) as ImportList;
  expect(validate(list), JSON.stringify(validate.errors)).toBe(true);
  return list;
}

/** Some objects, and documents that describe some of them. */
async function openSome(): Promise<Filled> {
  const filled = await openAsked();
  const { post, workspace } = filled;
  const long = "You answer whoever asks.\nBe kind.\nBe brief.\nNever guess.\n";
  await post("/v3/agents/", { name: "Support", model: "m", system_prompt: long });
  await post("/v3/agents/", { name: "Sales", model: "m", temperature: 0.5 });
  await post("/v3/agents/", { name: "Billing", model: "m" });
  await post("/v3/agents/", { name: "Front desk", model: "of its own", description: "Greets" });
  await post("/v3/agents/", { name: "Night shift", model: "small", description: "Sleeps never" });
  workspace.write({
    "agents/written.yaml": [
      documentText("Agent", "sells", { name: "Sales", model: "m", temperature: 0.5 }),
      documentText("Agent", "bills", { name: "Billing", model: "another" }),
      documentText("Agent", "front-desk", { name: "Reception", model: "m" }),
      documentText("Agent", "late", { name: "Late shift", model: "small", description: "Sleeps never" }),
    ].join("\n---\n"),
  });
  return filled;
}

describe("import --list", () => {
  test("shows what nobody manages, with what an import would make of it, and writes nothing", async () => {
    const filled = await openSome();
    const { objects, ...rest } = await listed(filled);
    expect(rest).toEqual({
      format: "agentform/import-list/v1",
      workspace: expect.any(String),
      environment: null,
      managed: 0,
      retired: 0,
      notes: [],
    });
    const of = (name: string) => objects.find((each) => each.name === name);
    const [id = ""] = of("Billing")?.ids ?? [];
    expect(of("Support")).toMatchObject({ kind: "agent", fate: "new", addresses: ["agent:support"] });
    expect(of("Sales")).toMatchObject({
      fate: "described",
      addresses: ["agent:sells"],
      file: "agents/written.yaml",
    });
    expect(of("Billing")).toMatchObject({
      fate: "offered",
      by: "name",
      addresses: ["agent:bills"],
      fields: ["model"],
      command: ["agentform", "lock", "resolve", "agent:bills", "--adopt", id],
    });
    expect(of("Front desk")).toMatchObject({ fate: "offered", by: "key", addresses: ["agent:front-desk"] });
    expect(of("Night shift")).toMatchObject({
      fate: "offered",
      by: "body",
      addresses: ["agent:late"],
      fields: ["name"],
    });
    const table = await filled.run("import", "--list");
    expect(table.code).toBe(0);
    expect(table.out).toContain(
      `agent  ${id}  Billing      nothing: it may be agent:bills, which differs in model`,
    );
    expect(table.out).toContain("5 objects that nobody manages.");
    expect(existsSync(join(filled.workspace.directory, "agentform.lock"))).toBe(false);
  });

  test("has less after an import, which makes no copy of what is offered", async () => {
    const filled = await openSome();
    const imported = await filled.run("import", "--all", "--yes");
    expect(imported.code).toBe(1);
    expect(imported.out).toContain("+ agent:support from");
    expect(imported.out).toContain("= agent:sells in agents/written.yaml describes");
    const offered = await listed(filled);
    expect(offered.managed).toBe(2);
    expect(offered.objects.map(({ name, fate }) => `${name} ${fate}`)).toEqual([
      "Billing offered",
      "Front desk offered",
      "Night shift offered",
    ]);
    for (const { command = [] } of offered.objects) {
      expect((await filled.run(...command.slice(1))).code).toBe(0);
    }
    expect((await listed(filled)).objects).toEqual([]);
  });

  test("what has another name is imported by its ID", async () => {
    const filled = await openSome();
    const { objects } = await listed(filled);
    const [id = ""] = objects.find(({ name }) => name === "Front desk")?.ids ?? [];
    expect((await filled.run("import", `agent:${id}`, "--yes")).code).toBe(0);
    expect(filled.workspace.read("agents/front-desk-2.yaml")).toContain("name: Front desk");
  });

  test.each([
    [["--list", "--all"], "--list shows everything"],
    [["--list", "agent:1"], "--list shows everything"],
    [["--list", "--into", "agents"], "--list shows everything"],
    [["--list", "--expect", "sha256:0"], "--list shows everything"],
  ])("%j is no command line", async (args, message) => {
    const { run } = await openAsked();
    const ran = await run("import", ...args);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain(message);
  });
});

describe("import --into a file", () => {
  test("writes all documents into it, texts beside it, and another file the next time", async () => {
    const filled = await openAsked();
    const { post, run, workspace } = filled;
    await post("/v1/rai/policies", { name: "Strict", banned_topics: { enabled: true, topics: ["war"] } });
    await post("/v3/agents/", { name: "One", system_prompt: "a\nb\nc\nd\n" });
    await post("/v3/agents/", { name: "Two", model: "m" });
    const imported = await run("import", "--all", "--yes", "--into", "agents/all.yaml");
    expect(imported).toMatchObject({ code: 0, err: "" });
    expect(imported.out).toContain("3 objects to import, in 2 new files");
    const text = workspace.read("agents/all.yaml");
    expect(text.match(/^---$/gm)).toHaveLength(2);
    expect(text).toContain("system_prompt: ${file:prompts/one.md}");
    expect(workspace.read("agents/prompts/one.md")).toBe("a\nb\nc\nd\n");
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    await post("/v3/agents/", { name: "Three" });
    expect((await run("import", "--all", "--yes", "--into", "agents/all.yaml")).code).toBe(0);
    expect(workspace.read("agents/all.yaml")).toBe(text);
    expect(workspace.read("agents/all-2.yaml")).toContain("name: Three");
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("refuses one that is not read", async () => {
    const { post, run } = await openAsked();
    await post("/v3/agents/", { name: "One" });
    const elsewhere = await run("import", "--all", "--yes", "--into", "elsewhere/all.yaml");
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.err).toContain("import-unwritten");
  });
});
