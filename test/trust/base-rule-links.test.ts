import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agentText, documents, manifestAt, runIn } from "../cli/desk.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";
import { ofSpec, ruleText } from "../rules/rule-text.js";

const knownModels = ruleText("known-models", {
  for: { kind: "Agent" },
  effect: "error",
  message: "Agents use a model that we have tried.",
  document: ofSpec({ properties: { model: { $ref: "../models.json#/tried" } } }),
});

test.each<readonly [what: string, kept: string, links: Readonly<Record<string, string>>]>([
  ["a path through another link", "v2/rules", { current: "v2", rules: "current/rules" }],
  ["a path that leaves the workspace and comes back", "kept", { rules: "../fleet/kept" }],
  ["a folder of links", "kept", { "shared/models.yaml": "../kept/models.yaml", rules: "shared" }],
  [
    "a path up from where a link leads",
    "v2/kept",
    { "v2/inner/again": "../kept", current: "v2/inner", rules: "current/../kept" },
  ],
  ["a folder that leads to itself", "kept", { "kept/again": "../rules", rules: "kept" }],
])("a rule of the commit before holds where it was behind %s", async (_, kept, links) => {
  needProgram("git");
  const files = {
    ...documents,
    "agentform.yaml": manifestAt("https://agents.example.com"),
    "agents/support.yaml": agentText({ model: "huge-9" }),
    [`${kept}/models.yaml`]: knownModels,
    "models.json": '{"tried": {"enum": ["small-1"]}}',
  };
  const repository = makeWorkspace(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`fleet/${file}`, text])),
  );
  repository.remove("agentform.yaml");
  const folder = join(repository.directory, "fleet");
  for (const [link, to] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    symlinkSync(to, join(folder, link));
  }
  const validate = async (...more: string[]) => await runIn(folder, ["validate", ...more]);
  expect((await validate()).out).toContain("error[known-models]");
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    ["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qm", "before"],
  ])
    execFileSync("git", args, { cwd: repository.directory, stdio: "pipe" });
  rmSync(join(folder, "rules"));
  expect((await validate()).code).toBe(0);
  expect((await validate("--rules-from", "HEAD")).out).toContain("as it was before the change");
});

test.each([
  ["absolute", "rules", (folder: string) => join(folder, "kept")],
  ["absolute, in a folder with rules", "rules/more", (folder: string) => join(folder, "kept")],
  ["through a link beside the workspace", "rules", () => "../alias/kept"],
])("a link to rules that is %s is refused in the change that brings it", async (_, link, target) => {
  needProgram("git");
  const files = { ...documents, "agentform.yaml": manifestAt("https://agents.example.com") };
  const repository = makeWorkspace(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`fleet/${file}`, text])),
  );
  repository.remove("agentform.yaml");
  const folder = join(repository.directory, "fleet");
  const commit = () => {
    for (const args of [
      ["add", "."],
      ["commit", "-qm", "a change"],
    ])
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
        cwd: repository.directory,
        stdio: "pipe",
      });
  };
  execFileSync("git", ["init", "-q"], { cwd: repository.directory });
  // Links that lead to no document are nobody's business.
  symlinkSync("/nowhere", join(folder, "agents/README.md"));
  symlinkSync("..", join(folder, "prompts"));
  commit();
  const validate = async (ref: string) => await runIn(folder, ["validate", "--rules-from", ref]);
  repository.write({ "fleet/kept/models.yaml": ruleText("known-models", { document: {} }) });
  commit();
  expect(await validate("HEAD^")).toMatchObject({ code: 0 });

  mkdirSync(dirname(join(folder, link)), { recursive: true });
  symlinkSync("fleet", join(repository.directory, "alias"));
  symlinkSync(target(folder), join(folder, link));
  commit();
  expect((await runIn(folder, ["validate"])).code).toBe(0);
  expect(await validate("HEAD^")).toMatchObject({
    code: 1,
    out: expect.stringContaining(`\`${link}\` of \`HEAD\` is a link that git alone cannot follow`) as string,
  });
});

test("a file of which git has another text than the checkout is refused before a commit with it is the one before", async () => {
  needProgram("git");
  const repository = makeWorkspace({
    ...documents,
    "agentform.yaml": manifestAt("https://agents.example.com"),
    "rules/models.yaml": ruleText("known-models", { for: { kind: "Agent" }, document: {} }),
    "rules/models.json": "{}",
    "old/agentform.lock": "{}",
    "kept/linked.txt": ruleText("linked", { for: { kind: "Agent" }, document: {} }),
    "scripts/setup.ps1": "exit",
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
      cwd: repository.directory,
      stdio: "pipe",
    });
  symlinkSync("../kept/linked.txt", join(repository.directory, "rules/linked.yaml"));
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "before");
  const validate = async () => await runIn(repository.directory, ["validate", "--rules-from", "HEAD"]);
  repository.write({
    ".gitattributes": "*.ps1 working-tree-encoding=UTF-16LE\n*.yaml working-tree-encoding=UTF-8\n",
  });
  expect(await validate()).toMatchObject({ code: 0 });
  for (const file of ["rules/models.yaml", "rules/models.json", "old/agentform.lock", "kept/linked.txt"]) {
    // With `ident`, a checkout has `$Id: … $` where git has `$Id$`, which YAML reads otherwise.
    for (const attribute of ["working-tree-encoding=IBM037", "ident", "text=auto ident"]) {
      repository.write({ ".gitattributes": `${file} ${attribute}\n` });
      expect(await validate()).toMatchObject({
        code: 1,
        out: expect.stringContaining(
          `error[file-unreadable]: git has another text of \`${file}\` than the checkout`,
        ) as string,
      });
    }
  }
  repository.write({ ".gitattributes": "old/agentform.lock filter=lfs\n" });
  expect((await validate()).out).toContain("take `filter` away from it in `.gitattributes`\n");
});

test("a document that a change gives to Git LFS, or to a submodule, is refused before its commit is the one before, and no other file", async () => {
  needProgram("git");
  const rule = ruleText("known-models", { for: { kind: "Agent" }, document: {} });
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`;
  const repository = makeWorkspace({
    ...documents,
    "agentform.yaml": manifestAt("https://agents.example.com"),
    "rules/models.yaml": rule,
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
      cwd: repository.directory,
      stdio: "pipe",
    });
  // Attributes come last, so that git runs no filter.
  const commit = (files: Readonly<Record<string, string>>, attributes: string) => {
    repository.write(files);
    git("add", ".");
    repository.write({ ".gitattributes": attributes });
    git("add", ".gitattributes");
    git("commit", "-qm", "a change");
  };
  git("init", "-q");
  commit({ "openapi/large.json": pointer }, "*.json filter=lfs\n");
  git("tag", "before");
  const validate = async () => await runIn(repository.directory, ["validate", "--rules-from", "before"]);
  expect(await validate()).toMatchObject({ code: 0 });
  commit({ "rules/models.yaml": pointer }, "*.json filter=lfs\n*.yaml filter=lfs\n");
  // As Git LFS makes the checkout.
  repository.write({ "rules/models.yaml": rule });
  expect(await validate()).toMatchObject({
    code: 1,
    out: expect.stringContaining("`rules/models.yaml` of `HEAD` is a pointer of Git LFS") as string,
  });
  git("rm", "-rq", "--cached", "rules");
  git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},rules`);
  git("commit", "-qm", "to a submodule");
  rmSync(join(repository.directory, ".gitattributes"));
  expect((await validate()).out).toContain("`rules` of `HEAD` is a submodule");
});
