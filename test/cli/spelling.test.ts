import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { manifestAt, openDesk } from "./desk.js";

const url = "http://127.0.0.1:9";

const agent = (spec: string, name = "support", more = "") =>
  `apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: "${name}"${more}\nspec: ${spec}\n`;

interface Found {
  readonly code: string;
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
}

async function findings(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const desk = await openDesk({ "agentform.yaml": manifestAt(url), ...files });
  const { out } = await desk.run("validate", "--format", "json", ...args);
  return (JSON.parse(out) as { diagnostics: Found[] }).diagnostics.filter(
    ({ code }) => code === "expression-type",
  );
}

test.each(["4.10", "1.0", "1e3", "0x10", "0o17", "+5", ".5", "-.5", "-0", "True"])(
  "%s is no value of a variable, for a text would get something else",
  async (source) => {
    const variables = (text: string) => ({
      "agentform.yaml": manifestAt(url, `  variables:\n    v: ${text}\n    d: {default: ${text}}\n`),
      "agents/support.yaml": agent('{name: A, model: "m-${var:v}-${var:d}"}', "support", "}"),
    });
    const found = await findings(variables(source));
    expect(found.map(({ file, line }) => [file, line])).toEqual([
      ["agentform.yaml", 7],
      ["agentform.yaml", 8],
    ]);
    expect(found[0]?.message).toContain(`\`${source}\` is the`);
    expect(await findings(variables(JSON.stringify(source)))).toEqual([]);
    const own = String(JSON.parse(source === "True" ? "true" : String(Number(source))));
    expect(await findings(variables(own))).toEqual([]);
  },
);

test("a value of an environment is none, whichever is chosen", async () => {
  const more =
    "  variables: {v: 4.1}\n  environments:\n    a: {variables: {v: 4.1}}\n    b: {variables: {v: 4.20}}\n";
  const files = {
    "agentform.yaml": manifestAt(url, more),
    "agents/support.yaml": agent('{name: A, model: "m-${var:v}"}', "support", "}"),
  };
  for (const environment of ["a", "b"])
    expect(await findings(files, "-e", environment)).toMatchObject([{ file: "agentform.yaml", line: 9 }]);
});

test("a value behind an alias is found", async () => {
  const more = "  limits: {orphans: &count 2.0}\n  variables:\n    v: *count\n";
  expect(await findings({ "agentform.yaml": manifestAt(url, more) })).toMatchObject([{ line: 8 }]);
});

const perKey = (keys: string, more = "") => `${more}}\nfor_each: ${keys}`;

const byKey = "a-${each:key}";

test.each([
  ["in a text", '{name: A, model: "m-${each:v}"}', byKey, ""],
  ["in a name", "{name: A}", "a-${each:v}", ""],
  ["as a label", "{name: A}", byKey, ', labels: {v: "${each:v}"}'],
  ["in the name of a file", '{name: "${file:../v${each:v}.md}"}', byKey, ""],
])("a parameter is not respelt: %s", async (_where, spec, name, labels) => {
  const files = (source: string) => ({
    "agents/support.yaml": agent(spec, name, perKey(`{one: {v: ${source}}}`, labels)),
    "v4.1.md": "A",
  });
  const found = await findings(files("4.10"));
  expect(found.length).toBeGreaterThan(0);
  for (const each of found) expect(each).toMatchObject({ file: "agents/support.yaml", line: 4 });
  for (const source of ["4.1", '"4.1"']) expect(await findings(files(source))).toEqual([]);
});

test("a parameter of a data file, or of a variable, is not respelt, and the file is not quoted", async () => {
  const support = (keys: string) => ({
    "agents/support.yaml": agent(
      '{name: A, model: "m-${each:v}", temperature: "${each:t}"}',
      byKey,
      perKey(keys),
    ),
  });
  const all = await findings({
    ...support('"${file:../keys.json}"'),
    "keys.json": '{"a": {"v": 1.0, "t": 1.0}}',
  });
  expect(all).toMatchObject([{ file: "keys.json", line: 1 }]);
  expect(all[0]?.message).not.toContain("1.0");
  const one = await findings({ ...support('{a: "${file:../one.yaml}"}'), "one.yaml": "t: 1.0\nv: 1.50\n" });
  expect(one).toMatchObject([{ file: "one.yaml", line: 2 }]);
  const variable = await findings({
    ...support('{a: {v: "${var:v}", t: 1}}'),
    "agentform.yaml": manifestAt(url, "  variables: {v: 4.10}\n"),
  });
  expect(variable).toMatchObject([{ file: "agentform.yaml", line: 6 }]);
});

test("a value that the cache knows is looked at as it is written now", async () => {
  const desk = await openDesk({
    "agents/support.yaml": agent('{name: A, model: "m-${var:v}"}', "support", "}"),
  });
  for (const [source, code] of [
    ["4.1", 0],
    ["4.10", 1],
    ["4.1", 0],
  ] as const) {
    desk.workspace.write({ "agentform.yaml": manifestAt(url, `  variables: {v: ${source}}\n`) });
    expect((await desk.run("validate")).code).toBe(code);
  }
});

test("a value on the command line, or in a file of variables, is written as a text gets it", async () => {
  const desk = await openDesk({
    "agentform.yaml": manifestAt(url, "  variables: {v: {}}\n"),
    "agents/support.yaml": documentText("Agent", "support", { name: "A", model: "m-${var:v}" }),
    "v.yaml": "v: 4.10\n",
  });
  for (const args of [
    ["--var", "v=4.10"],
    ["--var-file", "v.yaml"],
  ]) {
    const { code, err } = await desk.run("validate", ...args);
    expect(code).toBe(64);
    expect(err).toContain('4.10 is 4.1: write 4.1, or "4.10" in quotes for a text');
  }
  for (const value of ["4.1", '"4.10"', "true", "large-2", "2026-01-01", "1.2.3"])
    expect((await desk.run("validate", "--var", `v=${value}`)).code).toBe(0);
  expect(await desk.run("validate", "--var", "v=1", "--var", "v=1")).toMatchObject({ code: 0 });
  expect(await desk.run("validate", "--var", "v=1", "--var", "v='1'")).toMatchObject({
    code: 64,
    err: expect.stringContaining("--var gives `v` twice, with different values"),
  });
});
