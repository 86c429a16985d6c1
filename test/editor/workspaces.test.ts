import {
  chownSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Location, WorkspaceEdit } from "vscode-languageserver/node";
import { startEditor, type EditorClient } from "./editor-client.js";
import { copyExample, positionAt } from "./example-editor.js";

const policy = "policies/strict.yaml";
const agent = "agents/support.yaml";
const manifest = "agentform.yaml";

const unknown = (file: string) => expect.objectContaining({ code: "reference-unknown", file });

test("a text that is edited while the manifest is away is the one that a rename changes", async () => {
  const directory = copyExample();
  const read = (file: string) => readFileSync(join(directory, file), "utf8");
  const editor = await startEditor(directory);
  await editor.show(policy, read(policy));
  await editor.show(agent, read(agent).replace("${policy:strict}", "${policy:stict}"));
  await expect.poll(() => editor.diagnostics()).toContainEqual(unknown(agent));
  const kept = read(manifest);
  rmSync(join(directory, manifest));
  await editor.save(manifest);
  // What is no workspace any more has no diagnostics.
  await expect.poll(() => editor.diagnostics()).toEqual([]);
  await editor.show(policy, `# 1\n# 2\n# 3\n${read(policy)}`);
  await editor.show(agent, read(agent));
  writeFileSync(join(directory, manifest), kept);
  await editor.save(manifest);
  const position = positionAt(read(agent), read(agent).indexOf("${policy:strict}") + 10);
  const edit: WorkspaceEdit = await editor.connection.sendRequest("textDocument/rename", {
    textDocument: { uri: editor.uriOf(agent) },
    position,
    newName: "stern",
  });
  const [change] = edit.changes?.[editor.uriOf(policy)] ?? [];
  const line = read(policy)
    .split("\n")
    .findIndex((each) => each.includes("name: strict"));
  expect(change?.range.start.line).toBe(line + 3);
});

test("a text that was opened before there was a manifest is checked once there is one", async () => {
  const directory = copyExample();
  const read = (file: string) => readFileSync(join(directory, file), "utf8");
  const kept = read(manifest);
  rmSync(join(directory, manifest));
  const editor = await startEditor(directory);
  await editor.show(agent, read(agent).replace("${policy:strict}", "${policy:stict}"));
  writeFileSync(join(directory, manifest), kept);
  // Not every editor watches files: a question about one that is not open leads to the workspace, too.
  await editor.connection.sendRequest("textDocument/documentSymbol", {
    textDocument: { uri: editor.uriOf(policy) },
  });
  await expect.poll(() => editor.diagnostics()).toContainEqual(unknown(agent));
});

test("the workspace of the command has no diagnostics while its folder is away", async () => {
  const directory = withMistake();
  const editor = await startEditor(directory, null, undefined, { directory });
  await expect.poll(() => editor.diagnostics()).toContainEqual(unknown(agent));
  renameSync(directory, `${directory}.away`);
  onTestFinished(() => rmSync(`${directory}.away`, { recursive: true, force: true }));
  await editor.save(agent);
  await expect.poll(() => editor.diagnostics()).toEqual([]);
  const textDocument = { uri: editor.uriOf(agent) };
  expect(await editor.connection.sendRequest("textDocument/documentSymbol", { textDocument })).toBeNull();
  renameSync(`${directory}.away`, directory);
  await editor.save(agent);
  await expect.poll(() => editor.diagnostics()).toContainEqual(unknown(agent));
});

test("a manifest that somebody else left above an open file is not used", async (context) => {
  if (process.getuid?.() !== 0) return context.skip("only root can give a file to somebody else");
  const directory = withMistake();
  const editor = await startEditor(join(directory, "agents"));
  const text = readFileSync(join(directory, agent), "utf8");
  const symbols = async () =>
    await editor.connection.sendRequest("textDocument/documentSymbol", {
      textDocument: { uri: editor.uriOf("support.yaml") },
    });
  chownSync(join(directory, manifest), 12345, 12345);
  await editor.show("support.yaml", text);
  expect(await symbols()).toBeNull();
  chownSync(join(directory, manifest), 0, 0);
  expect(await symbols()).not.toBeNull();
});

test("a folder is one workspace under a URI with a slash at its end", async () => {
  const directory = withMistake();
  const editor = await startEditor(directory, null, `${pathToFileURL(directory).href}/`);
  await expectCorrected(editor, directory);
});

test("a folder is one workspace when links lead to it, with the URIs of the editor", async () => {
  const directory = withMistake();
  const link = linkTo(directory);
  // The editor shows the folder, and opens the file through a link.
  await expectCorrected(await startEditor(link, null, pathToFileURL(directory).href), link);
  // The other way around.
  await expectCorrected(await startEditor(directory, null, pathToFileURL(link).href), directory);
});

test("a file that is open under two URIs has its diagnostics under both, and the text of the one left open", async () => {
  const directory = copyExample();
  const link = linkTo(directory);
  const text = readFileSync(join(directory, agent), "utf8");
  const wrong = text.replace("${policy:strict}", "${policy:stict}");
  const shown = new Map<string, number>();
  const editor = await startEditor(directory);
  editor.connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }) => {
    shown.set(uri, diagnostics.length);
  });
  const [one, two] = [editor.uriOf(agent), pathToFileURL(join(link, agent)).href];
  await open(editor, one, wrong);
  await open(editor, two, wrong);
  await expect.poll(() => [shown.get(one), shown.get(two)]).toEqual([1, 1]);
  await change(editor, two, text);
  await expect.poll(() => [shown.get(one), shown.get(two)]).toEqual([0, 0]);
  await editor.connection.sendNotification("textDocument/didClose", { textDocument: { uri: two } });
  await expect.poll(() => shown.get(one)).toBe(1);
});

test("a link that leads to a different workspace takes its texts and diagnostics along", async () => {
  const [first, second] = [withMistake(), copyExample()];
  const link = linkTo(first);
  const editor = await startEditor(link);
  await expect.poll(() => editor.diagnostics()).toContainEqual(unknown(agent));
  rmSync(link);
  symlinkSync(second, link);
  await editor.save(manifest);
  await expect.poll(() => editor.diagnostics()).toEqual([]);
  expect(await symbols(editor, "policy:strict")).toHaveLength(1);
});

test("of a workspace inside a different one, both know what is typed, and a mistake is shown once", async () => {
  const directory = copyExample();
  const inner = join(directory, "policies");
  writeFileSync(join(inner, manifest), readFileSync(join(directory, manifest), "utf8"));
  const editor = await startEditor(directory);
  const text = readFileSync(join(directory, policy), "utf8");
  await editor.show(policy, text.replace("spec:", "spce:"));
  await expect.poll(() => editor.diagnostics().filter(isMistake)).toHaveLength(1);
  rmSync(join(inner, manifest));
  await editor.save("policies/agentform.yaml");
  await expect.poll(() => editor.diagnostics().filter(isMistake)).toHaveLength(1);
  await editor.show(policy, text);
  await expect.poll(() => editor.diagnostics()).toEqual([]);
});

function isMistake(diagnostic: unknown): boolean {
  const { file, code } = diagnostic as { file: string; code: string };
  return file === policy && code === "document-misspelt-field";
}

/** Copies the example with an unknown reference in a file on the disk; gives the real path. */
function withMistake(): string {
  const directory = realpathSync(copyExample());
  const file = join(directory, agent);
  writeFileSync(file, readFileSync(file, "utf8").replace("${policy:strict}", "${policy:stict}"));
  return directory;
}

function linkTo(directory: string): string {
  const folder = mkdtempSync(join(tmpdir(), "agentform-link-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const link = join(folder, "link");
  symlinkSync(directory, link);
  return link;
}

/** Corrects the mistake in the editor only: nothing of the file on the disk stays shown. */
async function expectCorrected(editor: EditorClient, directory: string): Promise<void> {
  const text = readFileSync(join(directory, agent), "utf8");
  await editor.show(agent, text);
  await expect.poll(() => editor.diagnostics()).toEqual([unknown(agent)]);
  await editor.show(agent, text.replace("${policy:stict}", "${policy:strict}"));
  await expect.poll(() => editor.diagnostics()).toEqual([]);
  expect(await symbols(editor, "policy:strict")).toHaveLength(1);
}

async function symbols(editor: EditorClient, query: string): Promise<{ location: Location }[]> {
  return await editor.connection.sendRequest("workspace/symbol", { query });
}

async function open({ connection }: EditorClient, uri: string, text: string): Promise<void> {
  const textDocument = { uri, languageId: "yaml", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
}

async function change({ connection }: EditorClient, uri: string, text: string): Promise<void> {
  const textDocument = { uri, version: 2 };
  await connection.sendNotification("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
}
