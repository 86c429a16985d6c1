import { expect, test } from "vitest";
import { earlierEnvironments } from "../../../src/workspace/commits/earlier-environments.js";
import { manifestAt } from "../../cli/desk.js";
import { makeWorkspace } from "../../harness/disk-workspace.js";
import { git } from "../../store/git-medium.js";

test("what a manifest had in another folder is found also where a log of one path follows its names", async () => {
  const spec = manifestAt("http://127.0.0.1:9");
  const { directory, write } = makeWorkspace({
    "agentform.yaml": `${spec}  environments: {default: {}, staging: {}}\n`,
  });
  const commit = (): void => {
    git(directory, "add", ".");
    git(directory, "commit", "-qm", "next");
  };
  git(directory, "init", "-q", "-b", "main");
  commit();
  write({ "agentform.yaml": `${spec}  environments: {default: {}}\n`, "team/notes.md": "notes\n" });
  commit();
  git(directory, "mv", "agentform.yaml", "team");
  commit();

  const found = async () => await earlierEnvironments(`${directory}/team`);
  const before = await found();
  expect(before.owners).toContainEqual({ workspace: "desk", environment: "staging" });
  git(directory, "config", "log.follow", "true");
  expect(await found()).toEqual(before);
});
