import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { validate } from "../harness/validate.js";
import { fc } from "../harness/property.js";
import { runs, wholeTest } from "../harness/tier.js";
import { shown, startEditor, type EditorClient } from "./editor-client.js";
import { ruleText } from "../rules/rule-text.js";
import { copyExample } from "./example-editor.js";
import { edits, exampleFiles, replaced, type Edit } from "./random-edits.js";

test("diagnostics follow what is typed, in all files and environments, and go when it is corrected", async () => {
  const directory = copyExample();
  const editor = await startEditor(directory);
  const file = "agents/support.yaml";
  const text = readFileSync(join(directory, file), "utf8");
  await editor.show(file, text.replace("${policy:strict}", "${policy:stict}").replace("top_p", "topp"));
  const hint = "did you mean `policy:strict`?";
  const places = { file, start: [21, 53], end: [21, 68] };
  await expectShown(editor, { code: "reference-unknown", hint, severity: "error", ...places });
  await expectShown(editor, { file, code: "document-misspelt-field" });
  await editor.show(file, text);
  await expect.poll(() => editor.diagnostics()).toEqual([]);
  // A broken file takes nothing from the others.
  await editor.show("agents/triage.yaml", "kind: [Agent\n");
  await editor.show(
    "policies/strict.yaml",
    readFileSync(join(directory, "policies/strict.yaml"), "utf8").replace("name:", "nome:"),
  );
  await expectShown(editor, { file: "agents/triage.yaml", code: "yaml-syntax" });
  await expectShown(editor, { file: "policies/strict.yaml" });
});

test("what a rule finds is shown while the rule is written, and goes with it", async () => {
  const directory = copyExample();
  const editor = await startEditor(directory);
  const rule = ruleText("no-agent", { effect: "error", for: { kind: "Agent" }, document: false });
  await editor.show("rules/none.yaml", rule);
  await expectShown(editor, { file: "agents/support.yaml", code: "no-agent", severity: "error" });
  await editor.show("rules/none.yaml", rule.replace('"document":false', '"document":{"tpye":"object"}'));
  await expectShown(editor, { file: "rules/none.yaml", code: "rule-invalid", hint: "did you mean `type`?" });
});

async function expectShown(editor: EditorClient, some: object): Promise<void> {
  await expect
    .poll(() => editor.diagnostics())
    .toEqual(expect.arrayContaining([expect.objectContaining(some)]));
}

wholeTest("after any edits, the editor shows what validate finds in the same texts", async () => {
  const count = runs("random editing sessions", 1, 60);
  for (const steps of fc.sample(fc.array(edits(), { minLength: 4, maxLength: 8 }), count)) {
    const directory = copyExample();
    const same = mkdtempSync(join(tmpdir(), "agentform-same-"));
    onTestFinished(() => rmSync(same, { recursive: true, force: true }));
    const editor = await startEditor(directory);
    const session = { directory, disk: exampleFiles(), buffers: new Map<string, string>() };
    for (const step of steps) {
      await run(step, session, editor);
      rmSync(same, { recursive: true, force: true });
      writeAll(same, new Map([...session.disk, ...session.buffers]));
      const expected = shown(validate({ directory: same }));
      await expect.poll(() => editor.diagnostics(), { interval: 20 }).toEqual(expected);
    }
  }
});

interface Session {
  readonly directory: string;
  readonly disk: Map<string, string>;
  readonly buffers: Map<string, string>;
}

async function run(edit: Edit, { directory, disk, buffers }: Session, editor: EditorClient) {
  const { file } = edit;
  const text = buffers.get(file) ?? disk.get(file) ?? "";
  if (edit.type === "replace" || edit.type === "new") {
    const next = edit.type === "new" ? edit.text : replaced(text, edit);
    buffers.set(file, next);
    await editor.show(file, next);
  } else if (edit.type === "close") {
    if (buffers.delete(file)) await editor.close(file);
  } else {
    const written = edit.type === "write" ? edit.text : text;
    disk.set(file, written);
    writeAll(directory, new Map([[file, written]]));
    await editor.save(file);
  }
}

function writeAll(directory: string, files: ReadonlyMap<string, string>): void {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
}
