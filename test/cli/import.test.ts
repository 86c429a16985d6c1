import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sample } from "../harness/tier.js";
import { makeSixty, openAsked, type Lists } from "./sixty.js";

describe("import of sixty objects made by hand", () => {
  test.each(sample<Lists>("forms of lists", ["pages", "key", "array"], 1))(
    "lists in the form %s: the plan has no changes",
    async (lists) => {
      const filled = await openAsked(lists);
      await makeSixty(filled);
      const { run, workspace } = filled;
      const imported = await run("import", "--all", "--yes");
      expect(imported).toMatchObject({ code: 0, err: "" });
      expect(imported.out).toContain("60 objects to import");
      const plan = await run("plan", "--detailed-exitcode");
      expect(plan).toMatchObject({ code: 0, err: "" });
      expect(await run("drift", "--detailed-exitcode", "--out", "seen.json")).toMatchObject({ code: 0 });
      expect(await run("plan", "--observed", "seen.json", "--detailed-exitcode")).toMatchObject({
        code: 0,
        err: "",
      });
      workspace.remove("seen.json");
      const files = readdirSync(workspace.directory, { recursive: true, withFileTypes: true }).filter(
        (each) => each.isFile(),
      );
      for (const file of files) {
        const text = readFileSync(join(file.parentPath, file.name), "utf8");
        expect(text).not.toMatch(/canary/);
      }
      expect(imported.out).not.toMatch(/canary/);
      const before = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
      expect(await run("import", "--all", "--yes")).toMatchObject({
        code: 0,
        err: "",
        out: "There is nothing to import.\n",
      });
      expect(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))).toEqual(
        before,
      );
    },
  );
});
