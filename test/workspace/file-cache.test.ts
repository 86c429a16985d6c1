import { readExtraFields } from "../../src/core/kind/extra-fields.js";
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stride } from "../harness/tier.js";
import { plan } from "../../src/sync/plan.js";
import { WorkspaceFolder } from "../../src/workspace/workspace-folder.js";
import { contentDigest } from "../../src/digest.js";
import { openCache } from "../../src/workspace/cache/cache.js";
import { FileCache } from "../../src/workspace/file-cache.js";
import { KeptDigests } from "../../src/workspace/kept-digests.js";
import type { Default } from "../../src/core/resources/defaults.js";
import { ReparsedFile } from "../../src/workspace/reparsed-file.js";
import { FileParser, type ParserSettings } from "../../src/workspace/file-parser.js";
import { makeCacheFolder } from "../harness/cache-folder.js";
import { documentText, makeWorkspace, manifest } from "../harness/disk-workspace.js";
import { examples, fc } from "../harness/property.js";
import { pieces, type Piece } from "../plan/world.js";

const agent = documentText("Agent", "support", {
  name: "Support",
  model: "${var:model}",
  system_prompt: "${file:../prompts/support.md}",
});
const patch = (name: string) =>
  `{apiVersion: agentform/v1, kind: Agent, metadata: {name: support}, spec: {name: ${name}}}`;

/** A file of a workspace, parsed and kept; gives whether it is still known once something was changed. */
function isKnownAfter(
  change: (scene: Scene) => void,
  files: Readonly<Record<string, string>> = {},
  settings: Partial<ParserSettings> = {},
): boolean {
  const { directory, write } = makeWorkspace({
    "agents/a.yaml": agent,
    "prompts/support.md": "Help.",
    ...files,
  });
  const scene: Scene = {
    directory,
    write,
    file: "agents/a.yaml",
    settings: {
      variables: new Map([["model", "small"]]),
      environment: null,
      kindFields: readExtraFields(),
      defaults: [],
      patches: [],
      ...settings,
    },
  };
  const folder = makeCacheFolder();
  const open = () => {
    const workspace = new WorkspaceFolder(directory);
    const parser = new FileParser(workspace, scene.settings);
    return {
      workspace,
      parser,
      cache: new FileCache(openCache("files", { cacheFolder: folder, directory }), parser),
    };
  };
  const { workspace, parser, cache } = open();
  const content = workspace.readBytes(scene.file);
  if (!content.ok) throw new Error(String(content.message));
  const read = parser.parse(scene.file, content.bytes, contentDigest(content.bytes));
  if (!read.ok) throw new Error(String(read.message));
  const { parsed } = read;
  cache.keep(new ReparsedFile(parsed.summary, content.bytes, parser));
  cache.save();
  change(scene);
  const later = open();
  const now = later.workspace.readBytes(scene.file);
  const known = now.ok ? later.cache.get(scene.file, contentDigest(now.bytes)) : undefined;
  if (known) expect([known.summary, known.details()]).toEqual([parsed.summary, parsed.details()]);
  return known !== undefined;
}

interface Scene {
  readonly directory: string;
  readonly write: (files: Readonly<Record<string, string>>) => void;
  file: string;
  settings: ParserSettings;
}

describe("a parsed file is known again", () => {
  test("while nothing has changed, though the files were written anew", () => {
    expect(
      isKnownAfter(({ write }) => write({ "agents/a.yaml": agent, "prompts/support.md": "Help." })),
    ).toBe(true);
  });

  test("when a variable changed that it does not use", () => {
    const change = (scene: Scene) => {
      scene.settings = {
        ...scene.settings,
        variables: new Map([
          ["model", "small"],
          ["other", "x"],
        ]),
      };
    };
    expect(isKnownAfter(change)).toBe(true);
  });

  test("when another document is patched", () => {
    const text = patch("Other").replace("support", "other");
    const change = (scene: Scene) => {
      scene.settings = { ...scene.settings, patches: [{ file: "environments/x/a.yaml", text }] };
    };
    expect(isKnownAfter(change)).toBe(true);
  });
});

describe("a large included file", () => {
  const large = (end: string) => `${"Help. ".repeat(50_000)}${end}`;
  const change = (end: string) =>
    isKnownAfter(({ write }) => write({ "prompts/support.md": large(end) }), {
      "prompts/support.md": large("a"),
    });

  test("is known by all of its content", () => {
    expect(change("a")).toBe(true);
    expect(change("b")).toBe(false);
    expect(change("ab")).toBe(false);
    expect(change("")).toBe(false);
  });

  test("has nothing of its content in the cache", async () => {
    const { directory } = makeWorkspace({
      "agents/a.yaml": agent.replace("${var:model}", "small"),
      "prompts/support.md": large(""),
    });
    const cacheFolder = makeCacheFolder();
    await plan({ directory, cacheFolder });
    const kept = readdirSync(cacheFolder, { recursive: true, encoding: "utf8" });
    expect(Math.max(...kept.map((name) => statSync(join(cacheFolder, name)).size))).toBeLessThan(5000);
  });
});

/** A default of the manifest, the first of its list. */
function defaultOf(kind: Default["kind"], selector: Default["selector"], model: string): Default {
  const layer = {
    type: "default",
    file: "agentform.yaml",
    index: 0,
    at: ["spec", "defaults", 0],
    value: { spec: { model } },
  } as const;
  return { kind, selector, layer };
}

function changeDefaults(scene: Scene, ...defaults: Default[]): void {
  scene.settings = { ...scene.settings, defaults };
}

describe("a default of the manifest", () => {
  const ofCare = { team: "care" };
  const labelled = {
    "agents/a.yaml": agent.replace('"name":"support"', '"name":"support","labels":{"team":"care"}'),
  };

  test.each<[string, Default]>([
    ["another kind", defaultOf("policy", {}, "x")],
    ["other labels", defaultOf("agent", { team: "sales" }, "x")],
  ])("for %s leaves a parsed file known", (_, other) => {
    expect(isKnownAfter((scene) => changeDefaults(scene, other), labelled)).toBe(true);
  });

  test.each<[string, Default]>([
    ["its kind", defaultOf("agent", {}, "x")],
    ["its labels", defaultOf("agent", ofCare, "x")],
  ])("for %s makes it anew", (_, own) => {
    expect(isKnownAfter((scene) => changeDefaults(scene, own), labelled)).toBe(false);
  });

  test("selects by the labels of the document, and not by those of a patch", () => {
    const text = `{apiVersion: agentform/v1, kind: Agent, metadata: {name: support, labels: {team: sales}}}`;
    const patches = [{ file: "environments/x/a.yaml", text }];
    const known = (own: Default) =>
      isKnownAfter((scene) => changeDefaults(scene, own), labelled, { patches });
    expect(known(defaultOf("agent", { team: "sales" }, "x"))).toBe(true);
    expect(known(defaultOf("agent", ofCare, "x"))).toBe(false);
  });

  test("that is the same leaves it known, and one that changed or went does not", () => {
    const before = { defaults: [defaultOf("agent", ofCare, "x")] };
    const known = (...after: Default[]) =>
      isKnownAfter((scene) => changeDefaults(scene, ...after), labelled, before);
    expect(known(...before.defaults)).toBe(true);
    expect(known(...before.defaults, defaultOf("policy", {}, "x"))).toBe(true);
    expect(known(defaultOf("agent", ofCare, "y"))).toBe(false);
    expect(known()).toBe(false);
  });
});

describe("a record is made anew", () => {
  test.each<[string, (scene: Scene) => void]>([
    [
      "its own text changed",
      ({ write }) => write({ "agents/a.yaml": agent.replace("Support", "Support desk") }),
    ],
    ["what it includes changed", ({ write }) => write({ "prompts/support.md": "Help at once." })],
    [
      "a variable that it uses changed",
      (scene) => {
        scene.settings = { ...scene.settings, variables: new Map([["model", "large"]]) };
      },
    ],
    [
      "the type of a variable changed",
      (scene) => {
        scene.settings = { ...scene.settings, variables: new Map([["model", 1]]) };
      },
    ],
    [
      "it is patched now",
      (scene) => {
        scene.settings = {
          ...scene.settings,
          patches: [{ file: "environments/x/a.yaml", text: patch("X") }],
        };
      },
    ],
    [
      "it has another name, which places in it name",
      (scene) => {
        renameSync(join(scene.directory, "agents/a.yaml"), join(scene.directory, "agents/b.yaml"));
        scene.file = "agents/b.yaml";
      },
    ],
  ])("when %s", (_, change) => {
    expect(isKnownAfter(change)).toBe(false);
  });

  test.each([
    ["has an error", { "agents/a.yaml": agent.replace("Agent", "Agnet") }],
    ["includes a file that is not there", { "agents/a.yaml": agent.replace("support.md", "other.md") }],
    ["needs a variable without a value", { "agents/a.yaml": agent.replace("model}", "missing}") }],
  ])("where it %s", (_, files) => {
    expect(isKnownAfter(() => undefined, files)).toBe(false);
  });
});

describe("a file with for_each", () => {
  const each = JSON.stringify({
    apiVersion: "agentform/v1",
    kind: "Agent",
    metadata: { name: "support-${each:key}" },
    for_each: "${file:../languages.yaml}",
    spec: {
      name: "Support",
      system_prompt: "${template:../prompts/${each:prompt}.md}",
      model: "${var:${each:model}}",
    },
  });
  const languages = "de: {prompt: support, model: model}\nfr: {prompt: french, model: model}\n";
  const files = { "agents/a.yaml": each, "languages.yaml": languages, "prompts/french.md": "Aide." };

  test("is known again while nothing has changed", () => {
    expect(isKnownAfter(({ write }) => write(files), files)).toBe(true);
  });

  test.each<[string, (scene: Scene) => void]>([
    [
      "a key was added",
      ({ write }) => write({ "languages.yaml": `${languages}it: {prompt: support, model: model}` }),
    ],
    ["a file of one key changed", ({ write }) => write({ "prompts/french.md": "Aidez." })],
    [
      "a variable that a parameter names changed",
      (scene) => {
        scene.settings = { ...scene.settings, variables: new Map([["model", "large"]]) };
      },
    ],
    [
      "one of its resources is patched",
      (scene) => {
        const text = patch("X").replace("name: support", "name: support-fr");
        scene.settings = { ...scene.settings, patches: [{ file: "environments/x/a.yaml", text }] };
      },
    ],
  ])("is made anew when %s", (_, change) => {
    expect(isKnownAfter(change, files)).toBe(false);
  });
});

function textOf(workspace: readonly Piece[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { file, document } of workspace) {
    files[file] = `${files[file] ?? ""}---\n${JSON.stringify(document)}\n`;
  }
  return files;
}

test("whatever is edited, plan and diagnostics are the same with the cache and without", async () => {
  const tails = fc.constantFrom("", "\n", "a: [", "\u0000", "x: ${var:none}\n");
  const laid = fc.subarray([
    { kind: "Agent", spec: { description: "An agent", system_prompt: "Help." } },
    { kind: "Agent", spec: { description: "${policy:p0}" } },
    { kind: "Policy", spec: { description: "Strict", topics: null } },
  ]);
  const step = fc.tuple(pieces, tails, fc.nat(3), laid);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
      const { directory, write } = makeWorkspace({});
      const cacheFolder = makeCacheFolder();
      for (const [workspace, tail, at, defaults] of steps) {
        write({
          "agentform.yaml": `${manifest}  include: [agents]\n  defaults: ${JSON.stringify(defaults)}\n`,
        });
        const files = textOf(workspace);
        const touched = `agents/file-${at}.yaml`;
        write({ "agents/file-0.yaml": "", ...files, [touched]: `${files[touched] ?? ""}${tail}` });
        const plain = await plan({ directory });
        expect(await plan({ directory, cacheFolder })).toEqual(plain);
        expect(await plan({ directory, cacheFolder })).toEqual(plain);
      }
    }),
    { numRuns: examples(40) },
  );
});

test("a cache that was damaged in any place changes nothing", async () => {
  const { directory } = makeWorkspace({
    "agents/a.yaml": agent.replace("${var:model}", "small"),
    "prompts/support.md": "Help.",
  });
  const cacheFolder = makeCacheFolder();
  const plain = await plan({ directory });
  await plan({ directory, cacheFolder });
  const file = readdirSync(cacheFolder, { recursive: true, encoding: "utf8" })
    .map((name) => join(cacheFolder, name))
    .find((path) => statSync(path).isFile());
  if (file === undefined) throw new Error("nothing was kept");
  const bytes = readFileSync(file);
  const apart = stride("damaged bytes", 15);
  for (let at = 0; at < bytes.length; at += 3 * apart) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x21;
    writeFileSync(file, damaged);
    expect(await plan({ directory, cacheFolder })).toEqual(plain);
  }
});

test("a digest is kept of what had settled when it was read, and holds until anything of its stamp is another", () => {
  const kept = new KeptDigests();
  const stamp = { dev: 1, ino: 2, size: 3, mtimeMs: 4000.5, ctimeMs: 4000.5 };
  const [first, next] = [kept.begin(), kept.begin()];
  kept.keep("a", stamp, "digest", first, 5999);
  expect(kept.get("a", stamp, next)).toBeUndefined();
  kept.keep("a", stamp, "digest", first, 6001);
  expect(kept.get("a", { ...stamp }, next)).toBe("digest");
  for (const [name, value] of Object.entries(stamp))
    expect(kept.get("a", { ...stamp, [name]: value + 0.25 }, next)).toBeUndefined();
  kept.keep("a", stamp, "newer", next, 5999);
  expect(kept.get("a", stamp, kept.begin())).toBeUndefined();
});

test("a look sees a file as it first found it, settled or not; the next look asks again", () => {
  const kept = new KeptDigests();
  const stamp = { dev: 1, ino: 2, size: 3, mtimeMs: 4000.5, ctimeMs: 4000.5 };
  for (const now of [5999, 6001]) {
    const look = kept.begin();
    expect(kept.found("a", look)).toBeUndefined();
    kept.keep("a", stamp, "digest", look, now);
    expect(kept.found("a", look)).toBe("digest");
  }
  const look = kept.begin();
  expect(kept.found("a", look)).toBeUndefined();
  expect(kept.get("a", stamp, look)).toBe("digest");
  expect(kept.found("a", look)).toBe("digest");
});
