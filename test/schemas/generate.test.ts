import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { generate } from "../../scripts/generated.mjs";
import { wholeTest } from "../harness/tier.js";

const home = fileURLToPath(new URL("../../", import.meta.url));

function share(...options: string[]): Promise<{ code: number; stderr: string }> {
  const script = join(home, "scripts", "share-schemas.mjs");
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...options], (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });
}

const stamp = "made-by-npm-run-generate.d.ts";
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "agentform-generate-"));
  cpSync(join(home, "schemas"), join(root, "schemas"), { recursive: true });
  for (const folder of ["docs", "src/cli"])
    cpSync(join(home, folder), join(root, folder), { recursive: true });
  cpSync(join(home, "src", "generated"), join(root, "src", "generated"), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function readGenerated(folder: string): Map<string, string> {
  const generated = join(folder, "src", "generated");
  return new Map(readdirSync(generated).map((file) => [file, readFileSync(join(generated, file), "utf8")]));
}

function timesOf(folder: string): number[] {
  const generated = join(folder, "src", "generated");
  return readdirSync(generated).map((file) => statSync(join(generated, file)).mtimeMs);
}

function changeSchema(file: string, from: string, to: string): void {
  const path = join(root, "schemas", file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

wholeTest("the schemas have the shared definitions as they are", async () => {
  expect(await share("--check")).toEqual({ code: 0, stderr: "" });
});

wholeTest("the same schemas give the same bytes elsewhere", async () => {
  rmSync(join(root, "src/generated"), { recursive: true });
  await generate(root);
  expect(readGenerated(root)).toEqual(readGenerated(home));
});

wholeTest("what is fresh is not written again", async () => {
  const before = timesOf(root);
  await generate(root);
  expect(timesOf(root)).toEqual(before);
});

wholeTest("a changed schema changes what is made of it, and nothing else", async () => {
  changeSchema("credential.schema.json", '"meta_data"', '"metadata_of_it"');
  const before = readGenerated(root);
  await generate(root);
  const changed = [...readGenerated(root)].filter(([file, text]) => before.get(file) !== text);
  expect(changed.map(([file]) => file).toSorted()).toEqual(["credential.ts", "fields.ts", stamp]);
});

wholeTest("a file is made again once it is gone or edited", async () => {
  const path = join(root, "src", "generated", "agent.ts");
  writeFileSync(path, "");
  await generate(root);
  expect(readGenerated(root)).toEqual(readGenerated(home));
  rmSync(path);
  await generate(root);
  expect(readGenerated(root)).toEqual(readGenerated(home));
});

wholeTest("a file whose schema is gone goes", async () => {
  rmSync(join(root, "schemas", "diagnostics.schema.json"));
  expect(readGenerated(root).has("diagnostics.ts")).toBe(true);
  await generate(root);
  expect(readGenerated(root).has("diagnostics.ts")).toBe(false);
});

wholeTest(
  "a new schema of a resource gets its types, what declares its validator, and its row in the table",
  async () => {
    const agent = readFileSync(join(root, "schemas", "agent.schema.json"), "utf8");
    writeFileSync(
      join(root, "schemas", "memory.schema.json"),
      agent.replaceAll("AgentDocument", "MemoryDocument").replace("agent.schema.json", "memory.schema.json"),
    );
    await generate(root);
    const files = readGenerated(root);
    expect(files.get("memory.ts")).toContain("export interface MemoryDocument {");
    expect(files.get("validate-memory.d.ts")).toContain("export declare const validate: ");
    expect(files.get("fields.ts")).toContain("readonly memory: DocumentField;");
  },
);

wholeTest(
  "a changed shared definition is stale in every schema that refers to it, and is copied there",
  async () => {
    changeSchema("shared/moved-from.json", "The earlier address", "The former address");
    const { code, stderr } = await share("--check", "--root", root);
    expect(code).toBe(1);
    const kinds = ["agent", "credential", "policy", "toolset"];
    expect(stderr.match(/ schemas\/[^\s;]+/g)).toEqual(kinds.map((kind) => ` schemas/${kind}.schema.json`));
    expect((await share("--root", root)).code).toBe(0);
    expect(readFileSync(join(root, "schemas", "agent.schema.json"), "utf8")).toContain("The former address");
    expect((await share("--check", "--root", root)).code).toBe(0);
  },
);

wholeTest("types are made of a shared definition as it is, copied or not", async () => {
  changeSchema("shared/moved-from.json", "The earlier address", "The former address");
  await generate(root);
  expect(readGenerated(root).get("agent.ts")).toContain("The former address");
});

wholeTest("a copy that was edited is stale, and replaced", async () => {
  changeSchema("agent.schema.json", "The earlier address", "The former address");
  const { stderr } = await share("--check", "--root", root);
  expect(stderr).toContain("stale: schemas/agent.schema.json;");
  expect((await share("--root", root)).code).toBe(0);
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
  expect(spec).toContain("response_format?: JsonObject | ExpressionText;");
});
