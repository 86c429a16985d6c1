import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { wholeTest } from "../harness/tier.js";

const home = fileURLToPath(new URL("../../", import.meta.url));

function generate(...options: string[]): Promise<{ code: number; stderr: string }> {
  const script = join(home, "scripts", "generate.mjs");
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...options], (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });
}

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "agentform-generate-"));
  cpSync(join(home, "schemas"), join(root, "schemas"), { recursive: true });
  cpSync(join(home, "src", "generated"), join(root, "src", "generated"), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function readGenerated(folder: string): Map<string, string> {
  const generated = join(folder, "src", "generated");
  return new Map(readdirSync(generated).map((file) => [file, readFileSync(join(generated, file), "utf8")]));
}

function changeSchema(file: string, from: string, to: string): void {
  const path = join(root, "schemas", file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

wholeTest("the generated files are fresh", async () => {
  expect(await generate("--check")).toEqual({ code: 0, stderr: "" });
});

wholeTest("the same schemas give the same bytes elsewhere", async () => {
  rmSync(join(root, "src"), { recursive: true });
  expect((await generate("--root", root)).code).toBe(0);
  expect(readGenerated(root)).toEqual(readGenerated(home));
});

wholeTest("a changed schema is stale, by file, and nothing is written", async () => {
  changeSchema("credential.schema.json", '"meta_data"', '"metadata_of_it"');
  const before = readGenerated(root);
  const { code, stderr } = await generate("--check", "--root", root);
  expect(code).toBe(1);
  expect(stderr.match(/src\/generated\/\S+/g)).toEqual([
    "src/generated/credential.ts",
    "src/generated/fields.ts",
  ]);
  expect(readGenerated(root)).toEqual(before);
});

wholeTest("a file whose schema is gone is stale, and goes", async () => {
  rmSync(join(root, "schemas", "diagnostics.schema.json"));
  const { code, stderr } = await generate("--check", "--root", root);
  expect(code).toBe(1);
  expect(stderr).toContain("stale: src/generated/diagnostics.ts\n");
  expect((await generate("--root", root)).code).toBe(0);
  expect(readGenerated(root).has("diagnostics.ts")).toBe(false);
  expect((await generate("--check", "--root", root)).code).toBe(0);
});

wholeTest(
  "a new schema of a resource gets its types, what declares its validator, and its row in the table",
  async () => {
    const agent = readFileSync(join(root, "schemas", "agent.schema.json"), "utf8");
    writeFileSync(
      join(root, "schemas", "memory.schema.json"),
      agent.replaceAll("AgentDocument", "MemoryDocument").replace("agent.schema.json", "memory.schema.json"),
    );
    expect((await generate("--root", root)).code).toBe(0);
    const files = readGenerated(root);
    expect(files.get("memory.ts")).toContain("export interface MemoryDocument {");
    expect(files.get("validate-memory.d.ts")).toContain("export declare const validate: ");
    expect(files.get("fields.ts")).toContain("readonly memory: Field;");
  },
);

wholeTest(
  "a changed shared definition is stale in every schema that refers to it, and is copied there",
  async () => {
    changeSchema("shared/moved-from.json", "The earlier address", "The former address");
    const { code, stderr } = await generate("--check", "--root", root);
    expect(code).toBe(1);
    const kinds = ["agent", "credential", "policy", "toolset"];
    expect(stderr.match(/ schemas\/\S+/g)).toEqual(kinds.map((kind) => ` schemas/${kind}.schema.json`));
    expect((await generate("--root", root)).code).toBe(0);
    expect(readFileSync(join(root, "schemas", "agent.schema.json"), "utf8")).toContain("The former address");
    expect((await generate("--check", "--root", root)).code).toBe(0);
  },
);

wholeTest("a copy that was edited is stale, and replaced", async () => {
  changeSchema("agent.schema.json", "The earlier address", "The former address");
  const { stderr } = await generate("--check", "--root", root);
  expect(stderr).toContain("stale: schemas/agent.schema.json\n");
  expect((await generate("--root", root)).code).toBe(0);
  expect(readFileSync(join(root, "schemas", "agent.schema.json"), "utf8")).toContain("The earlier address");
});

it("types are closed but where the schema is open", () => {
  const text = readGenerated(home).get("agent.ts") ?? "";
  expect(text).toContain("// Generated from schemas/agent.schema.json; do not edit.");
  expect(text).toContain("examples?: Json;");
  const spec = text.slice(
    text.indexOf("export interface AgentSpec"),
    text.indexOf("export interface AgentFeature"),
  );
  // The mapping of a feature is open, its config inside it too; the spec itself is closed.
  expect(spec).not.toContain("[k: string]");
  expect(spec).toContain("response_format?: JsonObject | Expression;");
});
