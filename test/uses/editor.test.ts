import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CompletionItem, Hover, Location } from "vscode-languageserver/node";
import { openExample } from "../editor/example-editor.js";
import { openPlatform, twoTeams } from "./platform.js";

test("an editor completes, explains and finds what another workspace has", async () => {
  const platform = await openPlatform(twoTeams);
  await platform.apply("guard");
  const editor = await openExample(join(platform.workspace.directory, "care"));
  const file = "agents/support.yaml";
  const hover: Hover | null = await editor.connection.sendRequest(
    "textDocument/hover",
    editor.at(file, "${policy:strict@guard}", 10),
  );
  expect(JSON.stringify(hover?.contents)).toMatch(
    /`policy:strict`\*\* of `guard`.*ID `.*guard: agentform.lock/,
  );
  const found: Location[] = await editor.connection.sendRequest(
    "textDocument/definition",
    editor.at(file, "${policy:strict@guard}", 10),
  );
  expect(found.map(({ uri }) => uri)).toEqual([expect.stringMatching(/guard\/policies\/strict\.yaml$/)]);
  const completed: CompletionItem[] = await editor.connection.sendRequest(
    "textDocument/completion",
    editor.at(file, "${policy:strict@guard}", 9),
  );
  expect(completed.map(({ label }) => label)).toContain("strict@guard");
});

test("an editor notices what a workspace that this one uses has applied since", async () => {
  const platform = await openPlatform(twoTeams);
  const editor = await openExample(join(platform.workspace.directory, "care"));
  const file = "agents/support.yaml";
  const asked = async () => {
    const place = editor.at(file, "${policy:strict@guard}", 10);
    const hover: Hover | null = await editor.connection.sendRequest("textDocument/hover", place);
    return JSON.stringify(hover?.contents);
  };
  expect(await asked()).not.toMatch(/ID `/);
  await platform.apply("guard");
  await editor.save("../guard/agentform.lock");
  await expect.poll(asked).toMatch(/ID `.*guard: agentform.lock/);
});

test("a name that the other workspace has not stays within its backticks", async () => {
  const { workspace } = await openPlatform(twoTeams);
  const file = "agents/support.yaml";
  const name = "policy:![x](https://evil.example)`b";
  workspace.write({
    [`care/${file}`]: workspace.read(`care/${file}`).replace("${policy:strict@guard}", `\${${name}@guard}`),
  });
  const editor = await openExample(join(workspace.directory, "care"));
  const place = editor.at(file, name, 3);
  const hover: Hover | null = await editor.connection.sendRequest("textDocument/hover", place);
  expect((hover?.contents as { value: string } | undefined)?.value).toMatch(
    /^\*\*`` policy:!\[x\]\(https:\/\/evil\.example\)`b ``\*\* of `guard`:\n/,
  );
});

test("an editor notices that a workspace that this one uses is gone, and that it is back", async () => {
  const { workspace } = await openPlatform(twoTeams);
  const editor = await openExample(join(workspace.directory, "care"));
  const guard = join(workspace.directory, "guard");
  const unreadable = expect.objectContaining({ code: "uses-unreadable", file: "agentform.yaml" });
  renameSync(guard, `${guard}.away`);
  await editor.save("../guard/agentform.yaml");
  await expect.poll(() => editor.diagnostics()).toContainEqual(unreadable);
  renameSync(`${guard}.away`, guard);
  await editor.save("../guard/agentform.yaml");
  await expect.poll(() => editor.diagnostics()).not.toContainEqual(unreadable);
});
