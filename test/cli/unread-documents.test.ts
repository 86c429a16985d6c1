import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { git } from "../store/git-medium.js";
import { runIn } from "./desk.js";

const agent = (name: string) => documentText("Agent", name, { name });

async function unreadIn(directory: string): Promise<string[]> {
  const { code, out } = await runIn(directory, ["validate", "--format", "json"]);
  expect(code).toBe(0);
  const { diagnostics } = JSON.parse(out) as { diagnostics: { code: string; file: string }[] };
  expect(diagnostics.filter(({ code: of }) => of !== "document-unread")).toEqual([]);
  return diagnostics.map(({ file }) => file);
}

test("what git ignores, packages, other repositories and workspaces, and links are nobody's mistake", async () => {
  const { directory, write } = makeWorkspace({
    ".gitignore": "out/\nown.yaml\n",
    "agents/support.yaml": agent("support"),
    "out/a.yaml": agent("a"),
    "own.yaml": agent("a"),
    "kit/node_modules/kit/a.yaml": agent("a"),
    "node_modules/kit/a.yaml": agent("a"),
    ".cache/a.yaml": agent("a"),
    "shared/support.yaml": agent("shared"),
    "lib/a.yaml": agent("a"),
  });
  git(directory, "init", "-q");
  write({ "nested/agentform.yaml": "kind: Workspace", "nested/agents/a.yaml": agent("a") });
  write({ "module/.git": "gitdir: nowhere", "module/a.yaml": agent("a") });
  symlinkSync("../shared/support.yaml", join(directory, "agents", "shared.yaml"));
  symlinkSync("lib", join(directory, "link"));
  expect(await unreadIn(directory)).toEqual(["lib/a.yaml"]);
});

test("the warning can be ignored, and goes when the folder is named", async () => {
  const { directory, read, write } = makeWorkspace({ "agent/support.yaml": agent("support") });
  const manifest = read("agentform.yaml");
  expect(await unreadIn(directory)).toEqual(["agent/support.yaml"]);
  const planned = await runIn(directory, ["plan"]);
  expect(planned.err).toContain(
    "warning[document-unread]: `agent/support.yaml` is a document that is not read",
  );
  for (const line of [
    "ignore: [document-unread]",
    "include: [agent]",
    "include: [.]",
    "include: [agent/support.yaml]",
  ]) {
    write({ "agentform.yaml": `${manifest}  ${line}\n` });
    expect(await unreadIn(directory), line).toEqual([]);
  }
});

test("a file that is only data to a document is no document, whatever it says", async () => {
  const { directory } = makeWorkspace({
    "agents/support.yaml": documentText("Agent", "support", {
      name: "s",
      description: "${file:../data/a.json} ",
    }),
    "data/a.json": agent("a"),
    "data/values.yaml": "replicas: 1\nnote: |\n  apiVersion: agentform/v1\n",
    "data/service.yaml": "apiVersion: v1\nkind: Service\n",
    "data/list.json": JSON.stringify([{ apiVersion: "agentform/v1" }]),
    "agents/notes.json": JSON.stringify({ apiVersion: 1 }),
  });
  expect(await unreadIn(directory)).toEqual([]);
});

test("a huge tree beside the documents is not walked, and what is near is found first", async () => {
  const { directory, write } = makeWorkspace({
    "agents/support.yaml": agent("support"),
    "agent/near.yaml": agent("near"),
    "zoo/deep/far.yaml": agent("far"),
  });
  for (let index = 0; index < 2001; index++) {
    mkdirSync(join(directory, "data", String(index)), { recursive: true });
  }
  write({ "data/far.yaml": agent("far") });
  expect(await unreadIn(directory)).toEqual(["agent/near.yaml", "zoo/deep/far.yaml"]);
  for (let index = 0; index < 10_000; index++) {
    const path = ["more", String(index % 1000), String(index)];
    mkdirSync(join(directory, ...path), { recursive: true });
  }
  expect(await unreadIn(directory)).toEqual(["agent/near.yaml"]);
});

// Other systems keep no such names.
test.runIf(process.platform === "linux").each(["agents/\xff.yaml", "agents/\xff/support.yaml"])(
  "a document whose name is not UTF-8 is refused for that: %j",
  async (file) => {
    const { directory } = makeWorkspace({});
    const path = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(file, "latin1")]);
    mkdirSync(path.subarray(0, path.lastIndexOf("/")), { recursive: true });
    writeFileSync(path, agent("support"));
    const { code, out } = await runIn(directory, ["validate"]);
    expect(code).toBe(1);
    expect(out).toContain("\ufffd");
    expect(out).toContain("is not UTF-8");
    expect(out).toContain("rename it");
    expect(out).not.toContain("does not exist");
  },
);
