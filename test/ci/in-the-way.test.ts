import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runIn } from "../cli/desk.js";
import { makeWorkspace } from "../harness/disk-workspace.js";
import { needProgram } from "../harness/need.js";

const asFile = "there is a file in the place of a folder";

test.each([
  ["github", "file", ".github", asFile],
  ["github", "file", ".github/workflows", asFile],
  ["github", "file", ".github/agentform", asFile],
  ["gitlab", "file", ".gitlab/agentform", asFile],
  ["github", "folder", ".github/workflows/agentform-plan.yml", "is not a file"],
  ["gitlab", "folder", ".gitlab-ci.yml", "is not a file"],
])(
  "init --ci %s with a %s in the place of %s writes nothing, and says what is in the way",
  async (ci, what, path, why) => {
    needProgram("git");
    const { directory, remove } = makeWorkspace(what === "file" ? { [path]: "mine" } : {});
    remove("agentform.yaml");
    if (what === "folder") mkdirSync(join(directory, path), { recursive: true });
    execFileSync("git", ["init", "--quiet", directory]);
    const before = readdirSync(directory, { recursive: true }).toSorted();
    const refused = await runIn(directory, ["init", "--ci", ci]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(why);
    expect(refused.err).toContain("; nothing was written\n");
    expect(readdirSync(directory, { recursive: true }).toSorted()).toEqual(before);
  },
);
