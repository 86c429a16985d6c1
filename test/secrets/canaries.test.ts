import { describe, expect, it } from "vitest";
import { git, makeGitMedium } from "../store/git-medium.js";
import { canaries, findCanaries, formsOf, type Variable } from "./canaries.js";
import { echoScene, heardCanaries } from "./echo-scene.js";
import { echoes } from "./echoing-service.js";
import { leaksOf, openScene, sceneIn } from "./scene.js";

describe("the search for secrets", () => {
  it("finds every one of them in what the service was sent", async () => {
    const scene = await echoScene(echoes);
    expect(await scene.run("apply", "--yes")).toBe(0);
    expect([...heardCanaries(scene)].toSorted()).toEqual(Object.keys(canaries).toSorted());
    expect(scene.service.heard.find(({ path }) => path === "/v3/tools/")?.body).toContain(
      JSON.stringify(`Bearer ${canaries.HEADER_TOKEN}`),
    );
  });

  it.each(Object.keys(canaries) as Variable[])(
    "finds %s in every form, and inside longer texts",
    (variable) => {
      for (const [name, form] of formsOf(canaries[variable])) {
        expect(findCanaries(`before ${form} after`), name).toContain(`${variable} ${name}`);
      }
      for (const before of ["", "a", "ab", "abc"]) {
        const text = Buffer.from(`${before}${canaries[variable]}more`).toString("base64");
        expect(findCanaries(text).join()).toContain(`${variable} base64 core`);
      }
    },
  );

  it("finds what is in a file, and what only git still has", () => {
    const medium = makeGitMedium();
    const folder = medium.clone("runner");
    const scene = sceneIn({ ...openScene({}).workspace, directory: folder });
    expect(leaksOf(scene)).toEqual([]);
    git(folder, "tag", "-m", canaries.SIGNING_KEY, "leak");
    git(folder, "gc", "-q");
    expect(leaksOf(scene)).toContain("files: SIGNING_KEY raw");
  });
});
