import { posix } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { runs, sample, wholeTest } from "../harness/tier.js";
import { effort } from "../harness/effort.js";
import { countHashed } from "../harness/hashed.js";
import { Budget } from "../../src/json/budget.js";
import { gatherTools } from "../../src/core/kind/openapi-tool-sets.js";
import { parseDocuments } from "../../src/core/document/document.js";
import { difference, topField } from "../../src/core/plan/difference.js";
import { applicationIds } from "../../src/core/resources/application-ids.js";
import { sentEntry } from "../../src/core/resources/used.js";
import type { Action } from "../../src/generated/plan.js";
import { notesOnUsed } from "../../src/core/plan/users-elsewhere.js";
import { comparing } from "../../src/core/expression/resolution.js";
import { sightingOf } from "../../src/core/observation/sighting.js";
import { deletedMembers } from "../../src/core/state/deleted.js";
import { emptyLock, type Lock } from "../../src/core/state/lock.js";
import { Redaction } from "../../src/service/redaction.js";
import { Secret } from "../../src/service/secret.js";
import { splitRows } from "../../src/page/split-rows.js";
import { pairLines } from "../../src/render/difference/line-pairs.js";
import { findFurtherPages } from "../../src/core/observation/further-pages.js";
import { kindredIn } from "../../src/core/review/lacking.js";
import { reviewOf } from "../../src/core/review/review.js";
import { ownItems } from "../../src/render/view/edit-item.js";
import { parseEditFile } from "../../src/core/lock-edit/lock-edit-file.js";
import { scanJson } from "../../src/json/json-scan.js";
import { repeatsKey } from "../../src/json/json-text.js";
import { mergeFindings } from "../../src/core/finding/merged-findings.js";
import type { Finding } from "../../src/core/finding/diagnostic.js";
import { isObject, type Json } from "../../src/json/json.js";
import { manifestFile } from "../../src/core/resources/manifest-file.js";
import { buildSettings, parseManifest } from "../../src/core/resources/manifest.js";
import { parseIds } from "../../src/core/resources/parse-ids.js";
import { outline } from "../../src/core/openapi/openapi.js";
import { locate } from "../../src/core/position/position.js";
import type { Includes } from "../../src/core/expression/included-data.js";
import { buildFleet } from "../harness/build-fleet.js";
import { manifest } from "../harness/disk-workspace.js";
import { noLock, planOf, workspaceOf } from "../scale/scene.js";
import { expressionCases } from "./worst-case/expressions.js";
import { forEachCases } from "./worst-case/for-each.js";
import { jsonCases } from "./worst-case/json.js";
import { openapiCases } from "./worst-case/openapi.js";
import { templateCases } from "./worst-case/templates.js";
import { agent, fill, type WorstCase } from "./worst-case/worst-case.js";
import { yamlCases } from "./worst-case/yaml.js";

const megabyte = 1024 * 1024;

/** What a workspace made the code do, in calls and characters: no clock is asked. */
interface Work {
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly inclusions: number;
  readonly included: number;
  readonly hashed: number;
  readonly reported: number;
}

function work(files: Readonly<Record<string, string>>): Work {
  const all: Readonly<Record<string, string>> = { [manifestFile]: manifest, ...files };
  let [inclusions, included] = [0, 0];
  const hashed = countHashed();
  const includes: Includes = {
    read(from, path) {
      const file = posix.join(posix.dirname(from), path);
      const text = all[file];
      inclusions += 1;
      included += text?.length ?? 0;
      return text === undefined
        ? { ok: false, code: "file-missing", message: "it is missing" }
        : { ok: true, file, text };
    },
  };
  const parsed = parseManifest(all[manifestFile] ?? "");
  const built = parsed.ok ? buildSettings(parsed, null, new Map()) : parsed;
  if (!built.ok) throw new Error("the manifest of a worst case is sound");
  const { settings } = built;
  const sources = Object.entries(files)
    .filter(([file]) => /^(?:agents|toolsets)\/.*\.yaml$/.test(file))
    .map(([file, text]) => ({ file, text }));
  const { findings } = buildFleet(settings, sources, includes);
  const limited = mergeFindings(findings);
  const text = (file: string) => ({ text: all[file] ?? "", quotable: true });
  const reported = JSON.stringify(locate(limited, text)).length;
  return {
    findings: limited,
    files: sources.length,
    inclusions,
    included,
    hashed: hashed.characters,
    reported,
  };
}

function codesOf({ findings }: Work): Set<string> {
  return new Set(findings.map(({ code }) => code));
}

const all: readonly WorstCase[] = [
  ...yamlCases,
  ...jsonCases,
  ...openapiCases,
  ...templateCases,
  ...expressionCases,
  ...forEachCases,
];

describe("a workspace of a hundred kilobytes", () => {
  test.each(sample("worst cases", all, 1).map((each) => [each.name, each] as const))(
    "takes bounded work: %s",
    (_, { files }) => {
      const done = work(files(100_000));
      expect(done.included).toBeLessThan(130 * megabyte);
      expect(done.inclusions).toBeLessThanOrEqual(200_001);
      // A body is hashed for its digest, and what an outline is made of before.
      expect(done.hashed).toBeLessThan(270 * megabyte);
      expect(done.findings.length).toBeLessThanOrEqual(1001 * (done.files + 2));
      expect(done.reported).toBeLessThan(2 * megabyte * (done.files + 2));
    },
  );
});

describe("an OpenAPI document", () => {
  // Each look at a member of the document counts.
  function looksAt(document: object): number {
    let looks = 0;
    const watched = new Map<object, object>();
    const watch = (value: unknown): unknown => {
      if (typeof value !== "object" || value === null) return value;
      const known = watched.get(value);
      if (known) return known;
      const proxy = new Proxy(value, {
        get(target, key, receiver) {
          looks += 1;
          return watch(Reflect.get(target, key, receiver));
        },
        getOwnPropertyDescriptor(target, key) {
          looks += 1;
          const found = Reflect.getOwnPropertyDescriptor(target, key);
          return found && { ...found, value: watch(found.value) };
        },
      });
      watched.set(value, proxy);
      return proxy;
    };
    outline(watch(document) as Json, new Budget(Number.MAX_SAFE_INTEGER));
    return looks;
  }

  function walked(name: string, bytes: number): number {
    const made = openapiCases.find((each) => each.name === name)?.files(bytes) ?? {};
    return looksAt(JSON.parse(made["toolsets/a.json"] ?? "{}") as object);
  }

  test.each([
    "openapi: a chain of references",
    "openapi: a circle of references",
    "openapi: a chain of properties",
    "openapi: all lead to all",
    "openapi: pointers through references that grow",
    "openapi: a pointer that leads through itself",
    "openapi: long pointers",
    "openapi: many pointers into one deep place",
    "openapi: operations of one name",
  ])("is looked at in proportion to its size: %s", (name) => {
    const [small, large] = [walked(name, 4000), walked(name, 16_000)];
    expect(small).toBeLessThan(18 * 4000);
    expect(large).toBeLessThan(6 * small + 1000);
  });

  test("of 7 KB whose pointers lead through themselves is looked at a few thousand times", () => {
    expect(walked("openapi: a pointer that leads through itself", 7000)).toBeLessThan(7000);
  });

  test.each(
    sample(
      "repetitions",
      [
        "openapi: paths that all refer to one item",
        "openapi: siblings of references",
        "openapi: operations that all have the same callbacks",
        "openapi: operations that all have the same links",
        "openapi: variables of a server that name each other",
        "openapi: many values of many variables of a server",
        "openapi: many demands of many operations",
        "openapi: many servers of an item that many paths refer to",
        "openapi: many values of a variable of many operations",
      ],
      0,
    ),
  )("that repeats itself too often is refused: %s", (name) => {
    const made = openapiCases.find((each) => each.name === name)?.files(600_000) ?? {};
    expect(codesOf(work(made))).toContain("openapi-too-large");
  });
});

describe("the look for operations", () => {
  const documentOf = (paths: readonly string[]) => {
    const operation = { get: { tags: ["all"] } };
    const byPath = Object.fromEntries(paths.map((path) => [path, operation]));
    return JSON.stringify({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths: byPath });
  };
  const picking = (operations: readonly unknown[], keys: number) =>
    JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "ToolSet",
      metadata: { name: "a-${each:key}" },
      for_each: Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, {}])),
      operations,
      spec: { tool_set_name: "A ${each:key}", openapi_schema: "${file:../a.json}" },
    });
  const wordsIn = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

  const looks: readonly [string, number, (index: string) => unknown][] = [
    ["patterns", 1000, (index) => `GET /${index}${"*".repeat(400)}`],
    ["tags", 30_000, () => ({ tag: "all" })],
  ];

  test.each(sample("looks for operations", looks, 1))(
    "ends where it is too much for one tool set: %s",
    (_what, count, pick) => {
      const paths = wordsIn(5000).map((index) => `/${index}${"b".repeat(600)}`);
      const picks = wordsIn(count).map(pick);
      const spent = vi.spyOn(Budget.prototype, "spend");
      try {
        const files = { "a.json": documentOf(paths), "toolsets/a.yaml": picking(picks, 1) };
        expect(codesOf(work(files))).toEqual(new Set(["openapi-too-large"]));
        expect(spent.mock.calls.length).toBeLessThan(1_000_000);
      } finally {
        spent.mockRestore();
      }
    },
  );

  wholeTest("counts for the whole workspace, with all keys of a `for_each`", () => {
    const files = (keys: number) => ({
      "a.json": documentOf([`/${"b".repeat(500_000)}`]),
      "toolsets/a.yaml": picking(
        wordsIn(240).map(() => "GET /*"),
        keys,
      ),
    });
    expect(work(files(2)).findings).toEqual([]);
    expect(work(files(40)).findings).toContainEqual(
      expect.objectContaining({
        code: "expansion-too-large",
        hint: expect.stringContaining("fewer patterns with `*`"),
      }),
    );
  });
});

test.each(
  sample(
    "hints",
    [
      ["variables of an environment", "", 500],
      ["fields that have another name at the service", "", 500],
      ["uses of variables", "var:", 500],
      ["operations of a tool set", "toolset:tools/", 1000],
    ] as const,
    1,
  ),
)("many misspelt names are not each compared with all that there are: %s", (what, scheme, most) => {
  const words = (letter: string) => Array.from({ length: 3000 }, (_, index) => `word-${letter}${index}`);
  const asVariables = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "v"]));
  const document = (kind: string, name: string, spec: object) =>
    JSON.stringify({ apiVersion: "agentform/v1", kind, metadata: { name }, spec });
  const paths = Object.fromEntries(words("a").map((name) => [`/${name}`, { get: { operationId: name } }]));
  const ofFields = {
    service: { field_names: asVariables(words("xy")) },
    extra_fields: { agent: words("a") },
  };
  const environments = scheme === "" ? { live: { variables: asVariables(words("xy")) } } : {};
  const uses = words("xy").map((name) => `\${${scheme}${name}}`);
  const looks = vi.spyOn(Math, "abs");
  try {
    const ofVariables = { variables: asVariables(words("a")), environments };
    const desk = document("Workspace", "desk", what.startsWith("fields") ? ofFields : ofVariables);
    const files = {
      [manifestFile]: desk,
      "toolsets/tools.yaml": document("ToolSet", "tools", {
        tool_set_name: "tools",
        openapi_schema: { openapi: "3.1.0", info: { title: "A", version: "1" }, paths },
      }),
      "agents/a.yaml": document("Agent", "a", { name: "A", tools: uses }),
    };
    if (scheme === "") parseManifest(desk);
    else work(files);
    expect(looks.mock.calls.length).toBeLessThan(most * 1100);
  } finally {
    looks.mockRestore();
  }
});

describe("what is included", () => {
  test("may have as many expressions as the message says", () => {
    const codes = (count: number) => {
      const spec = { name: "A", description: "${var:v}".repeat(count) };
      const agent = { apiVersion: "agentform/v1", kind: "Agent", metadata: { name: "a" }, spec };
      const workspace = { ...agent, kind: "Workspace", spec: { variables: { v: "" } } };
      return codesOf(
        work({ [manifestFile]: JSON.stringify(workspace), "agents/a.yaml": JSON.stringify(agent) }),
      );
    };
    expect([...codes(100_000)]).toEqual([]);
    expect([...codes(100_100)]).toEqual(["expansion-too-large"]);
  });

  test.each(
    sample(
      "inclusions",
      [
        "templates: each includes the next twice",
        "templates: each includes the next 100 times",
        "templates: data that includes the next twice",
        "templates: one file in a long list",
        "templates: one data file in a long list",
        "templates: one large variable in a long list",
        "templates: one large data file in many documents",
        "templates: one large text in many files",
      ],
      0,
    ),
  )("ends at the limit, and that is told: %s", (name) => {
    const made = templateCases.find((each) => each.name === name)?.files(1_000_000) ?? {};
    const done = work(made);
    expect(codesOf(done)).toContain("expansion-too-large");
    expect(done.included).toBeLessThan(140 * megabyte);
  });

  test.each(["templates: a chain", "templates: a chain of data"])(
    "is no deeper than its limit: %s",
    (name) => {
      const made = templateCases.find((each) => each.name === name)?.files(100_000) ?? {};
      expect(codesOf(work(made))).toContain("too-deep");
    },
  );

  wholeTest("is read whole below the limit", () => {
    const files = {
      "agents/a.yaml": agent(["system_prompt: ${template:p.md}"]),
      "agents/p.md": "a".repeat(30_000_000),
    };
    expect(work(files).findings).toEqual([]);
  });
});

describe("YAML", () => {
  test.each(
    sample(
      "YAML of many values",
      [
        "short items in one flow list",
        "short items in a block list",
        "compact block lists",
        "anchors",
        "tags",
      ],
      0,
    ).map((name) => `yaml: ${name}`),
  )("of more values than fit is refused before it is composed: %s", (name) => {
    const made = yamlCases.find((each) => each.name === name)?.files(4_500_000) ?? {};
    const { findings, value } = parseDocuments("agents/a.yaml", made["agents/a.yaml"] ?? "");
    expect(findings.map(({ code }) => code)).toEqual(["yaml-too-large"]);
    expect(value).toEqual([]);
  });

  test("of many keys tells the one that comes twice", () => {
    const keys = fill(runs("keys", 20_000, 500_000), (index) => ` k${index}: 1\n`);
    const { findings } = parseDocuments("a.yaml", `a:\n${keys} k7: 2\n`);
    expect(findings.map(({ code, place }) => [code, place?.offset])).toEqual([
      ["yaml-duplicate-key", `a:\n${keys} `.length],
    ]);
  });

  test("has two keys of one name though one is no text", () => {
    const { findings } = parseDocuments("a.yaml", 'a: {1: x, "1": y}\nb: {"": x, : y}\n');
    expect(findings.map(({ code }) => code)).toEqual(["yaml-duplicate-key", "yaml-duplicate-key"]);
  });

  wholeTest("of many aliases gives each the one value of its anchor", () => {
    const text = `x: [&a [1, 2], ${"*a , ".repeat(20_000)}3]`;
    const { value, findings } = parseDocuments("a.yaml", text);
    expect(findings).toEqual([]);
    const document = value[0]?.value;
    const list = isObject(document) && Array.isArray(document.x) ? document.x : [];
    expect(list).toHaveLength(20_002);
    expect(list[1]).toBe(list[0]);
  });

  test("whose aliases repeat more than a million values is refused", () => {
    const text = `x: [&a [${"1,".repeat(2000)}1], ${"*a , ".repeat(1000)}3]`;
    expect(parseDocuments("a.yaml", text).findings.map(({ code }) => code)).toEqual(["yaml-alias-limit"]);
  });
});

describe("texts of many characters", () => {
  const long = "\\n".repeat(4_000_000);

  test("are read as JSON without running out of stack", () => {
    expect(scanJson(`["${long}"]`)).toBeUndefined();
    expect(scanJson(`["${long}\\x"]`)).toEqual({ code: "file-syntax", offset: 1 });
    expect(scanJson(`["${long}`)).toEqual({ code: "file-syntax", offset: 1 });
    expect(repeatsKey(`{"a": "${long}"}`, 1)).toBe(false);
    expect(repeatsKey(`{"a": "${long}", "a" : 1}`, 1)).toBe(true);
  });

  wholeTest("are compared as JSON in JSON without running out of stack", () => {
    const lookups = { before: () => undefined, after: () => undefined };
    const texts = ["1", "2"].map((end) => ({
      a: JSON.stringify({ text: `${"b".repeat(9_000_000)}${end}` }),
    }));
    const [before = {}, after = {}] = texts;
    expect(difference(before, after, lookups).map(({ path }) => path)).toEqual(["a{json}.text"]);
    const key = '"'.repeat(4_000_000);
    expect(difference({}, { [key]: 1 }, lookups).map(topField)).toEqual([key]);
  });
});

test("a file that is too large to be composed is not composed to show where, nor shown", () => {
  const text = `api_key: s3cr3t\nx: [${"a,".repeat(300_000)}a]`;
  const { findings } = parseDocuments("a.yaml", text);
  const [diagnostic] = locate(findings, () => ({ text, quotable: true }));
  expect(diagnostic).toMatchObject({ code: "yaml-too-large", line: 2 });
  expect(JSON.stringify(diagnostic)).not.toContain("s3cr3t");
});

test("a manifest of thousands of environments is refused with their number", () => {
  const environments = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`e${index}`, {}]));
  const spec = { environments };
  const text = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  const parsed = parseManifest(JSON.stringify(text));
  expect(parsed).toMatchObject({
    ok: false,
    problems: [
      { code: "document-too-large", message: expect.stringContaining("5,000 environments, but at most 200") },
    ],
  });
});

test("a manifest of many environments that is long for all of them is refused", () => {
  const environments = Object.fromEntries(Array.from({ length: 190 }, (_, index) => [`e${index}`, {}]));
  const variables = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`v${index}`, "text"]));
  const spec = { environments, variables };
  const text = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name: "desk" }, spec };
  expect(parseManifest(JSON.stringify(text))).toMatchObject({
    ok: false,
    problems: [{ code: "document-too-large", message: expect.stringContaining("190 environments and") }],
  });
});

test("the addresses of many environments are compared without comparing each with each", () => {
  const count = 200;
  const environments = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `e${at}`,
      { service: { base_url: `https://e${at}.example.com` } },
    ]),
  );
  const text = {
    apiVersion: "agentform/v1",
    kind: "Workspace",
    metadata: { name: "desk" },
    spec: { environments },
  };
  const asked = vi.spyOn(URL, "canParse");
  try {
    expect(parseManifest(JSON.stringify(text)).ok).toBe(true);
    expect(asked.mock.calls.length).toBeLessThan(10 * count);
  } finally {
    asked.mockRestore();
  }
});

test("thousands of tools of one operation, as a service lists them, are gathered without looking at each earlier one", () => {
  const openapi_schema = { openapi: "3.1.0", paths: { "/a": { get: {} } } };
  const at = (count: number) => {
    const tools = Array.from({ length: count }, (_, index) => ({
      id: `t${index}`,
      body: { openapi_schema, method: "GET", path: "/a" },
    }));
    return effort(() => expect(gatherTools(tools, isDocument)).toHaveLength(count));
  };
  const isDocument = (name: string) => name === "openapi_schema";
  at(1000);
  expect(at(40_000)).toBeLessThan(8 * at(10_000) + 300);
});

wholeTest("thousands of defaults for thousands of keys are refused before they are compared", () => {
  const defaults = Array.from({ length: 1000 }, (_, index) => ({
    kind: "Agent",
    selector: { team: `t${index}` },
    spec: { description: "d" },
  }));
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, {}]));
  const many = {
    apiVersion: "agentform/v1",
    kind: "Agent",
    metadata: { name: "a-${each:key}" },
    for_each: keys,
    spec: { name: "A" },
  };
  const workspace = JSON.stringify({
    apiVersion: "agentform/v1",
    kind: "Workspace",
    metadata: { name: "desk" },
    spec: { defaults },
  });
  const { findings } = work({ [manifestFile]: workspace, "agents/a.yaml": JSON.stringify(many) });
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: "expansion-too-large",
      message: expect.stringContaining("10,000 keys with 1,000 defaults"),
    }),
  );
});

test("a file of IDs with a line for each tool is read without going through the earlier lines again", () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `toolset:desk/op${index},id-${index}`);
  const { prototype } = Array;
  const walk = prototype[Symbol.iterator];
  let walked = 0;
  prototype[Symbol.iterator] = function (this: unknown[]) {
    walked += this.length;
    return walk.call(this);
  };
  const read = [];
  try {
    read.push(parseEditFile(["address,id", ...lines].join("\n"), "ids.csv"));
  } finally {
    prototype[Symbol.iterator] = walk;
  }
  const entries = read[0]?.entries ?? [];
  expect(entries).toHaveLength(1);
  expect(entries[0]?.value).toHaveLength(2000);
  expect(walked).toBeLessThan(100 * lines.length);
});

wholeTest("so is one that another workspace has written with `output`", () => {
  const read = (address: (index: number) => string) => {
    const ids = Object.fromEntries(Array.from({ length: 8000 }, (_, at) => [address(at), `id-${at}`]));
    const text = JSON.stringify({ format: "agentform/output/v1", workspace: "w", environment: null, ids });
    return effort(() => expect(parseIds(text)).toHaveProperty("entries"));
  };
  const apart = read((index) => `policy:p${index}`);
  expect(read((index) => `toolset:desk/op${index}`)).toBeLessThan(20 * apart + 100);
});

// A call takes about a hundred thousand arguments.
describe("a list that is longer than a call has arguments is handled item by item:", () => {
  const long = 150_000;
  const names = Array.from({ length: long }, (_, index) => `n${index}`);
  const table = <Value>(value: (name: string) => Value) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  const state = (resources: Lock["resources"]): Lock => ({
    ...emptyLock({ workspace: "w", environment: null }, "l"),
    resources,
  });
  const set = { ids: names, tools: table((name) => name), body: {}, digest: "d" };
  const strict = { id: "new", body: {}, digest: "d" };
  const use = { name: "guard", source: "guard", environment: null, documents: () => undefined };
  const used = new Map([["guard", { ...use, entries: { "toolset:desk": set } }]]);
  const meaning = comparing(() => undefined);

  const action: Action = {
    address: "agent:a",
    action: "update",
    reasons: [],
    changes: [],
    affects: [],
    waits_for: [],
    reads: {},
  };
  const plan = (changed: Action) => ({ ...planOf(workspaceOf([]), noLock).plan, actions: [changed] });

  const lists: [string, () => unknown, unknown][] = [
    [
      "labels that a lock has and a document has not",
      () => {
        const changes = names.map((name) => ({ path: `labels.${name}`, before: "x" }));
        return ownItems(reviewOf(plan({ ...action, changes })), new Set()).length;
      },
      1,
    ],
    [
      "resources without a change, as a saved plan names them",
      () => {
        const unchanged = { agent: { count: long, addresses: names.map((name) => `agent:${name}`) } };
        return kindredIn({ ...plan(action), unchanged })([action]).addresses;
      },
      expect.objectContaining({ length: 20 }),
    ],
    [
      "what an answer has beside a list",
      () => findFurtherPages({ items: [], page: table(() => 1) }, "/items", 0),
      undefined,
    ],
    [
      "the tools of a set, for applications",
      () => applicationIds(state({ "toolset:desk": set }), new Map(), () => true, []).ids.size,
      long,
    ],
    [
      "IDs that a lock says were sent for a tool of another workspace",
      () =>
        sentEntry(used, "toolset:desk@guard", [
          { ...strict, references: { "toolset:desk@guard/n1": names } },
        ]),
      set,
    ],
    [
      "references of all resources of a lock",
      () => {
        const resources = table((name) => ({ ...strict, references: { [`policy:${name}`]: "old" } }));
        return notesOnUsed(
          [{ ...action, used: { "policy:n7": "new" } }],
          { resources },
          { used, settings: { deployment: {} } },
        ).length;
      },
      1,
    ],
    [
      "objects that were deleted on purpose",
      () =>
        deletedMembers(
          table(() => 2),
          1,
        ).deleted_before,
      2,
    ],
    [
      "items that a service has and was not sent",
      () => {
        const seen = { topics: ["a", ...names, 1, ...names] };
        return sightingOf({ topics: ["a", "b"] }, seen, { meaning, fields: {}, hidden: "all" }).body[
          "topics"
        ];
      },
      expect.objectContaining({ length: 2 * long + 2 }),
    ],
    [
      "a short secret all over an answer",
      () => {
        const redaction = new Redaction();
        redaction.add([new Secret("a")]);
        return redaction.redact("a".repeat(200_000)).includes("a");
      },
      false,
    ],
    [
      "lines of a difference, side by side",
      () => splitRows(names.map((text) => ({ kind: "removed", segments: [{ text }] }) as never)).length,
      long,
    ],
  ];

  test.each(sample("lists that are longer than a call has arguments", lists, 0))(
    "%s",
    (_name, run, expected) => {
      expect(run()).toEqual(expected);
    },
  );
});

test("only removed lines are paired with none in proportion to their number", () => {
  const at = (count: number) => {
    const lines = Array.from({ length: count }, (_, index) => `n${index}`);
    return effort(() => pairLines(lines, []));
  };
  at(1000);
  expect(at(160_000)).toBeLessThan(12 * at(40_000) + 200);
});

test("the items of two long lists of texts are matched without comparing each with each", () => {
  const [sent, seen] = ["s", "t"].map((letter) => Array.from({ length: 3000 }, (_, at) => `${letter}${at}`));
  const { prototype } = String;
  const { normalize } = prototype;
  let normalized = 0;
  prototype.normalize = function (this: string, ...form: []) {
    normalized++;
    return normalize.apply(this, form);
  };
  try {
    const sight = { meaning: comparing(() => undefined), fields: {}, hidden: "all" } as const;
    expect(sightingOf({ topics: sent ?? [] }, { topics: seen ?? [] }, sight).body).toEqual({ topics: seen });
  } finally {
    prototype.normalize = normalize;
  }
  expect(normalized).toBeLessThan(10 * 6000);
});

wholeTest("objects without a name in two long lists are not all compared with each other", () => {
  const [sent, seen] = ["s", "t"].map((key) => Array.from({ length: 4000 }, (_, at) => ({ [key]: at })));
  const { hasOwn } = Object;
  let looks = 0;
  Object.hasOwn = (object, key) => {
    looks++;
    return hasOwn(object, key);
  };
  try {
    const sight = { meaning: comparing(() => undefined), fields: {}, hidden: new Set<string>() };
    const { body } = sightingOf({ items: sent ?? [] }, { items: seen ?? [] }, sight);
    expect(body["items"]).toHaveLength(4000);
  } finally {
    Object.hasOwn = hasOwn;
  }
  expect(looks).toBeLessThan(12_000_000);
});
